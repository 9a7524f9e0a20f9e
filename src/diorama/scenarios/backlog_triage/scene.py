"""A weekend's mail: who wrote, about what, under which subject, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from diorama import people
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import User
from diorama.kernel import Dice, Tx
from diorama.people import Persona
from diorama.people.names import draw_person
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.backlog_triage.letters import (
    AGAIN,
    BUSINESSES,
    ENGLISH,
    FOREIGN,
    SECOND_TRY,
    SPAM,
    SPAMMERS,
    SUBJECTS,
    VAGUE,
    WHOLESALE,
    asides,
    suits,
)
from diorama.scenarios.backlog_triage.routing import (
    LANGUAGES,
    MACHINES,
    OLD_TITLE,
    TITLE,
    TicketTraits,
    TriageRules,
    outdated_rules_text,
    rules_text,
)
from diorama.scenarios.desk_customers import idle_customers, untagged
from diorama.scenarios.desk_mail import NATIVE_VOICES
from diorama.scenarios.past_pages import publish_page
from diorama.worlds.larkspur.company import LEAD

BESIDE = "Refund and credit limits"
"""An article for the desk, next to which the rules stand."""
MOVABLE = tuple(topic for topic in ENGLISH if topic != "danger")


class Mail(msgspec.Struct, kw_only=True):
    """One mail to the desk."""

    traits: TicketTraits
    sender: str
    name: str
    subject: str
    text: str
    order: str = ""
    twice: bool = False
    """Whether the same person will write again."""
    repeats: Mail | None = None
    aside: str = ""
    """A side remark that stands in it; no other mail of the weekend has the same."""


def publish_rules(stage: Stage, rules: TriageRules, old: bool) -> int:
    """Publish this week's rules, and perhaps the old ones; return the article's id."""
    dice = stage.dice.child

    def write(tx: Tx) -> int:
        sheets = []
        if old:
            age = dice("age of the old sheet").integer(78_000_000, 82_000_000)
            sheets.append((OLD_TITLE, outdated_rules_text(dice("old sheet")), age))
        sheets.append((TITLE, rules_text(rules), dice("sheet").integer(46_800, 237_600)))
        made = [
            publish_page(
                tx, title, text, LEAD.email, (tx.now - timedelta(seconds=age)).replace(microsecond=0), beside=BESIDE,
                labels=("internal", "triage"),
            )
            for title, text, age in sheets
        ]  # fmt: skip
        return int(made[-1].id)

    return stage.do(write, f"staff:{LEAD.email}")


def senders(stage: Stage, language: str) -> list[Customer]:
    """Return the customers of this split who write this language and have no other open business."""
    return stage.dice.child("senders", language).shuffle(stage.known(_idle, stage.pool, language))


def _idle(tx: Tx, pool: str, language: str) -> tuple[Customer, ...]:
    return untagged(tx, idle_customers(tx, pool, "", (language,)))


def weekend(stage: Stage, rules: TriageRules, hints: Sequence[str]) -> list[Mail]:
    """Draw eight to fourteen mails with everything that makes triage hard."""
    dice = stage.dice.child("weekend")
    pools = {language: senders(stage, language) for language in ("en", *LANGUAGES)}
    asked = [hint for hint in hints if hint not in ("again", "crossed", "old_sheet")]
    crossed = "crossed" in hints
    size = dice.integer(8, 14)
    kinds = [*asked, "danger", "foreign", "spam", "vip"]
    if dice.chance(0.5):
        kinds.append("wholesale")
    if dice.chance(0.4):
        kinds.append("spam")
    again = hints.count("again") or dice.integer(1, 2)
    repeatable = [topic for topic in AGAIN if topic in rules.table]
    kinds += [f"twice_{topic}" for topic in dice.sample(repeatable, again)]
    spare = dice.shuffle([topic for topic in MOVABLE if topic not in kinds])
    while len(kinds) + again < size and spare:
        kinds.append(spare.pop())
    mails: list[Mail] = []
    for place, kind in enumerate(dice.shuffle(kinds)):
        mails.append(_mail(dice.child("mail", place), kind, rules, pools, crossed, mails))
    for place, first in enumerate([mail for mail in mails if mail.twice]):
        spot = dice.integer(mails.index(first) + 1, len(mails))
        mails.insert(spot, _second(dice.child("second", place), first))
    return mails


def _mail(
    dice: Dice, kind: str, rules: TriageRules, pools: dict[str, list[Customer]], crossed: bool, before: Sequence[Mail]
) -> Mail:
    if kind == "spam":
        used = {mail.sender for mail in before}
        at = dice.pick([place for place, who in enumerate(SPAMMERS) if who not in used])
        subject, text = SPAM[at]
        return Mail(traits=TicketTraits(topic="spam"), sender=SPAMMERS[at], name="", subject=subject, text=text)
    order = f"LK-{dice.integer(10_100, 19_900)}"
    if kind == "wholesale":
        return _offer(dice)
    if kind == "foreign" or kind.startswith("in_"):
        language = kind[3:] if kind.startswith("in_") else dice.pick([one for one in LANGUAGES if pools[one]])
        if pools[language]:
            return _foreign(dice, language, pools[language].pop(), order, before)
        kind = "how_to"
    customer = pools["en"].pop()
    topic, machine = kind, dice.pick(MACHINES)
    if kind.startswith("twice_"):
        topic = kind.removeprefix("twice_")
    elif kind == "recalled":
        topic, machine = "defect", rules.recalled
    elif kind == "vip":
        topic = dice.pick(MOVABLE)
    facts = {"order": order, "machine": machine}
    fitting = [one for one in ENGLISH[topic] if suits(" ".join(one), machine)]
    matter = [*dice.pick(fitting)]
    fresh = [text for text in asides(topic) if text not in {mail.aside for mail in before}]
    aside = dice.pick(fresh) if fresh and dice.chance(0.4) else ""
    matter += [aside] if aside else []
    given, _, family = customer.name.partition(" ")
    who = Persona(email=customer.email, name=customer.name, given=given, family=family, voice=dice.pick(NATIVE_VOICES))
    text = people.dress(dice.child("words"), people.writer_of(who), matter, facts, embroider=True)
    about = topic
    if crossed or dice.chance(0.35):
        about = dice.pick([other for other in SUBJECTS if other != topic])
    subject = dice.pick(VAGUE) if dice.chance(0.25) else dice.pick(SUBJECTS[about])
    traits = TicketTraits(topic=topic, machine=machine if "{machine}" in " ".join(matter) else "", vip=kind == "vip")
    return Mail(
        traits=traits,
        sender=customer.email,
        name=customer.name,
        subject=_filled(subject, facts),
        text=text,
        order=order,
        twice=kind.startswith("twice_"),
        aside=aside,
    )


def _filled(text: str, facts: dict[str, str]) -> str:
    for name, value in facts.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _offer(dice: Dice) -> Mail:
    business = dice.pick(BUSINESSES)
    facts = {"business": business, "kilos": str(dice.integer(6, 60))}
    person = draw_person(dice.child("buyer"))
    at = "".join(letter for letter in business.split()[-1].lower() if letter.isalpha())
    subject = dice.pick(VAGUE) if dice.chance(0.3) else dice.pick(SUBJECTS["wholesale"])
    text = f"{_filled(dice.pick(WHOLESALE), facts)}\n\n{person.name}"
    sender = f"{''.join(one for one in person.given.lower() if 'a' <= one <= 'z') or 'office'}@{at or 'office'}.example"
    return Mail(traits=TicketTraits(topic="wholesale"), sender=sender, name=person.name, subject=subject, text=text)


def _foreign(dice: Dice, language: str, customer: Customer, order: str, before: Sequence[Mail]) -> Mail:
    written = {mail.text[:24] for mail in before}
    topics = FOREIGN[language]
    fresh = [(topic, *one) for topic in sorted(topics) for one in topics[topic] if one[1][:24] not in written]
    topic, subject, text = dice.pick(fresh)
    facts = {"order": order, "machine": dice.pick([one for one in MACHINES if suits(text, one)])}
    traits = TicketTraits(topic=topic, language=language, machine=facts["machine"] if "{machine}" in text else "")
    words = f"{_filled(text, facts)}\n\n{customer.name}"
    return Mail(traits=traits, sender=customer.email, name=customer.name, subject=subject, text=words, order=order)


def _second(dice: Dice, first: Mail) -> Mail:
    """Return a second mail of the same person, perhaps from a work address."""
    away = dice.chance(0.4)
    opening = SECOND_TRY[3] if away else dice.pick([one for one in SECOND_TRY if one != SECOND_TRY[3]])
    words = opening.replace("{again}", AGAIN[first.traits.topic].replace("{order}", first.order))
    local = "".join(letter for letter in first.name.lower().replace(" ", ".") if letter.isascii())
    sender = f"{local.strip('.')}@{dice.pick(('works', 'office', 'team'))}-mail.example" if away else first.sender
    subject = dice.pick((f"Re: {first.subject}", "still nothing", "again", "Second try", *VAGUE[:2]))
    text = f"{words}\n\n{first.name}"
    return Mail(
        traits=first.traits,
        sender=sender,
        name=first.name,
        subject=subject,
        text=text,
        order=first.order,
        repeats=first,
    )


def deliver(stage: Stage, mails: Sequence[Mail]) -> list[int]:
    """Deliver the mails one after the other; return their ticket numbers."""
    dice, numbers = stage.dice.child("arrival"), []
    stage.wait(timedelta(seconds=dice.integer(240, 9_000)))
    for mail in mails:
        numbers.append(stage.do(_arrive, f"persona:{mail.sender}", mail.sender, mail.subject, mail.text, mail))
        stage.wait(timedelta(seconds=dice.integer(60, 560)))
    return numbers


def _arrive(tx: Tx, sender: str, subject: str, text: str, mail: Mail) -> int:
    if mail.traits.vip:
        for user in tx.all(User, "email = ?", sender):
            tx.change(user, tags=("vip",))
    return int(desk.receive_mail(tx, sender, subject, text, sender_name=mail.name))
