"""Honest variants of the reply: another author, language or form, from the values that the oracle told."""

from __future__ import annotations

import re
from html import escape

from diorama.check.mutations.asks import Answer, Ask, data_of
from diorama.check.mutations.declaring import Unfit, honest
from diorama.check.mutations.entities import AMOUNT, DAYS, EMAIL, NUMBER
from diorama.check.mutations.phrases import CLAIM, VALUES, sentence
from diorama.check.mutations.scene import Scene, Step
from diorama.check.mutations.words import reworded

LONG_NUMBER = 8
"""From how many digits on a bare number names a record, such as the tracking number of a parcel."""


def values_told(scene: Scene) -> list[str]:
    """Return the values that the customer must know: those that the oracle tells them, and those of the truth."""
    text = "\n".join(ask.words for ask in scene.script.replies if _is_theirs(scene, ask))
    found = [match[0].strip() for pattern in (AMOUNT, NUMBER, EMAIL, *DAYS) for match in pattern.finditer(text)]
    ways = getattr(scene.truth, "say", ())
    for group in ways if isinstance(ways, tuple) else ():
        stated = [way for way in group if any(letter.isdigit() for letter in way)]
        if stated and not any(way in found for way in stated):
            found.append(stated[0])
    for one in getattr(scene.truth, "tell", ()):  # whom and where; amounts and days stand in the oracle's reply
        named = str(getattr(one, "text", ""))
        short = named.isdigit() and len(named) < LONG_NUMBER
        if named and not short and named in text and not any(named in one for one in found):
            found.append(named)
    return list(dict.fromkeys(found))


def _is_theirs(scene: Scene, ask: Ask) -> bool:
    """Return whether a reply goes to the same person as the oracle's last one."""
    last = scene.script.replies[-1].ticket_id
    rows = scene.rows("SELECT DISTINCT requester_id FROM zendesk_tickets WHERE id IN (?, ?)", ask.ticket_id, last)
    return ask.ticket_id == last or len(rows) == 1


def is_for_them(scene: Scene, step: Step) -> bool:
    """Return whether a deed is for the person who gets the oracle's last reply; one without a customer may be."""
    data = data_of(step.answer)
    customer = data.get("customer_id") if isinstance(data, dict) else None
    last = scene.script.replies[-1].ticket_id if scene.script.replies else 0
    sender = scene.rows(
        "SELECT u.email FROM zendesk_users u JOIN zendesk_tickets t ON t.requester_id = u.id WHERE t.id = ?", last
    )
    if not customer or not sender:
        return True
    owner = scene.rows("SELECT customer_id FROM backoffice_customer_emails WHERE email = ?", sender[0][0])
    return not owner or owner[0][0] == customer


def letter(scene: Scene, language: str) -> str:
    """Return a letter with everything that was done and every value, independent of the oracle."""
    line, greeting, farewell = VALUES[language]
    kinds: list[str] = []
    for step in scene.deeds:
        if not is_for_them(scene, step):
            continue
        kind = step.ask.deed
        if kind == "replacement":
            kind = "part" if (step.ask.body or {}).get("part_sku") else "unit"
        kinds.append(kind)
    claims = [sentence(CLAIM, language, kind) for kind in dict.fromkeys(kinds)]
    values = values_told(scene)
    if not claims and not values:
        raise Unfit("the oracle's reply has no value that another author could state")
    told = [line.format(values="; ".join(values))] if values else []
    first = scene.customer.name.split()[0] if scene.customer.name else ""
    return "\n\n".join([greeting.format(name=first), " ".join([*claims, *told]), farewell])


def _by_another_author(scene: Scene, language: str) -> None:
    assert scene.words
    text = letter(scene, language)
    reworded(scene, lambda _: text)


@honest("words")
def another_author_in_english(scene: Scene) -> None:
    """Write the reply in other English words."""
    _by_another_author(scene, "en")


@honest("words")
def another_author_in_german(scene: Scene) -> None:
    """Write the reply in German."""
    _by_another_author(scene, "de")


@honest("words")
def another_author_in_french(scene: Scene) -> None:
    """Write the reply in French."""
    _by_another_author(scene, "fr")


@honest("words")
def another_author_in_spanish(scene: Scene) -> None:
    """Write the reply in Spanish."""
    _by_another_author(scene, "es")


@honest("words")
def another_author_in_dutch(scene: Scene) -> None:
    """Write the reply in Dutch."""
    _by_another_author(scene, "nl")


@honest("words")
def greets_and_signs(scene: Scene) -> None:
    """Add a greeting with the customer's name, thanks and a signature."""
    _, greeting, farewell = VALUES[scene.language]
    name = scene.customer.name
    agent = str(getattr(scene.scenario, "agent", "") or scene.scenario.person.partition("@")[0].title())
    reworded(scene, lambda text: f"{greeting.format(name=name)}\n\n{text}\n\n{farewell}\n{agent}")


@honest("words")
def quotes_the_customer(scene: Scene) -> None:
    """Quote the customer's first mail below the reply, as mail programs do."""
    rows = scene.rows(
        "SELECT body FROM zendesk_comments WHERE ticket_id = ? AND public = 1 ORDER BY id LIMIT 1", scene.ticket_id
    )
    if not rows:
        raise Unfit("the ticket has no first mail")
    if any("problem_id" in str(step.ask) for step in scene.script.steps):
        raise Unfit("the reply goes to other customers, too, who must not read this mail")
    quoted = "\n".join(f"> {line}" for line in str(rows[0][0]).splitlines())
    reworded(scene, lambda text: f"{text}\n\n{quoted}")


@honest("words")
def writes_html(scene: Scene) -> None:
    """Send the reply as HTML."""
    assert scene.words

    def alter(scene: Scene, ask: Ask) -> Answer:
        if not scene.is_main_reply(ask):
            return scene.send(ask)
        html = "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n{2,}|(?<=[.!?]) ", ask.words))
        return scene.send(ask.with_ticket(comment={"html_body": html, "public": True}))

    scene.oracle(alter)


@honest("words")
def splits_the_reply(scene: Scene) -> None:
    """Send the reply in two mails, one for each half of its sentences."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", scene.words)
    if len(sentences) < 2:
        raise Unfit("the reply is one sentence")
    middle = (len(sentences) + 1) // 2
    halves = [" ".join(sentences[:middle]), " ".join(sentences[middle:])]

    def alter(scene: Scene, ask: Ask) -> Answer:
        if not scene.is_main_reply(ask):
            return scene.send(ask)
        scene.send(ask.saying(halves[0]).with_ticket(status=None))
        return scene.send(ask.saying(halves[1]))

    scene.oracle(alter)
