"""Mail at a desk: who writes, how people name an order, and what other customers write meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from diorama.apps.backoffice.rules.subscriptions import plan as plan_of
from diorama.apps.backoffice.schema import Order, OrderLine, Subscription
from diorama.apps.zendesk import rules as desk
from diorama.apps.zendesk.schema import Ticket, User
from diorama.kernel import FATE, Dice, Tx
from diorama.people import Persona, check
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.past import Scene
from diorama.scenarios.plan import Plan

VOICES = ("plain", "terse", "polite", "phone", "rambling", "angry", "nonnative")
NATIVE_VOICES = VOICES[:-1]
CALM_VOICES = tuple(one for one in NATIVE_VOICES if one != "angry")


def voices_of(locale: str, language: str) -> tuple[str, ...]:
    """Return the voices in which a customer may write: no one excuses the language that is their own."""
    return NATIVE_VOICES if locale[:2] == language else VOICES


ORDER_WORDS = {
    "en": ("order {number}", "the order with the {thing}", "order {wrong}, I think, {named}", "my order"),
    "fr": (
        "la commande {number}",
        "la commande avec « {thing} »",
        "la commande {wrong}, je crois, {named}",
        "ma commande",
    ),
    "de": (
        "Bestellung {number}",
        "die Bestellung mit „{thing}“",
        "Bestellung {wrong}, glaube ich, {named}",
        "meine Bestellung",
    ),
    "es": (
        "el pedido {number}",
        "el pedido con «{thing}»",
        "el pedido {wrong}, creo, {named}",
        "mi pedido",
    ),
    "nl": (
        "bestelling {number}",
        "de bestelling met '{thing}'",
        "bestelling {wrong}, denk ik, {named}",
        "mijn bestelling",
    ),
}
"""How people name an order: by its number, by what was in it, by a number that they mixed up; and without any."""


def mention(scene: Scene, plan: Plan, order: Any) -> tuple[str, dict[str, str]]:
    """Return how the customer names the order, and what they can say about it when they are asked."""
    if not isinstance(order, Order):
        return "", {}
    letter = " ".join(plan.letter)
    line = _line_of(scene, order, but_the_named="{line}" in letter)
    dice = scene.roll("mention")
    by_number, by_thing, mixed_up, _ = ORDER_WORDS[scene.language]
    named = by_number.format(number=order.number)
    if not isinstance(line, OrderLine) or "{which}" not in letter:
        return named, {"order_number": order.number}
    thing = by_thing.format(thing=line.name)
    alike = {one.order_id for one in scene.tx.all(OrderLine, "sku = ?", line.sku)}
    mine = scene.tx.all(Order, "customer_id = ? AND id != ?", scene.customer.id, order.id)
    others = [one for one in mine if one.id not in alike]
    staged = {past.order.id for past in scene.histories.values()}
    if any(one.id in alike and one.id not in staged for one in mine):
        return named, {"order_number": order.number}  # what was in it would mean several orders
    kind = dice.weighted({"exact": 0.4, "vague": 0.3, "mixed up": 0.3 if others else 0.0})
    if kind == "exact":
        return named, {"order_number": order.number}
    if kind == "vague":
        return thing, {"order_number": order.number}
    wrong = dice.pick(others).number
    return mixed_up.format(wrong=wrong, named=thing), {}


def plan_name(scene: Scene) -> dict[str, str]:
    """Return the name of the subscription that the matter is about, which the customer states when asked for it."""
    made = scene.cast.get("subscription")
    if not isinstance(made, Subscription):
        return {}
    return {"subscription": plan_of(scene.tx, made.plan_code).name}


def _line_of(scene: Scene, order: Order, but_the_named: bool) -> OrderLine | None:
    """Return the line of this order that the cast names, or another one where the letter names that one itself."""
    lines = [one for one in scene.cast.values() if isinstance(one, OrderLine) and one.order_id == order.id]
    if lines and but_the_named:
        every = scene.tx.all(OrderLine, "order_id = ?", order.id, order="position")
        lines = [one for one in every if one.sku != lines[0].sku]
    return lines[0] if lines else None


def spoken_cast(scene: Scene, known: Mapping[str, str]) -> dict[str, Any]:
    """Return the cast for a subject: the order's number only if the customer states it."""
    return {**scene.cast, "order": known.get("order_number", ORDER_WORDS[scene.language][-1])}


class Others:
    """Other customers, who write before and during the episode."""

    def __init__(self, stage: Stage, texts: Sequence[tuple[str, str]], but: str) -> None:
        self.stage = stage
        self.dice = stage.dice.child("others")
        self.people = self.dice.shuffle([one for one in stage.known(_writers) if one != but])
        self.texts = self.dice.shuffle(texts)

    def write(self, count: int) -> None:
        """Let some of them write now, one after the other."""
        for _ in range(count):
            person, (subject, text) = self.people.pop(), self.texts.pop()
            self.stage.meanwhile(desk.receive_mail, f"persona:{person}", person, subject, text)
            self.stage.wait(timedelta(seconds=self.dice.integer(20, 900)))

    def later(self, count: int) -> None:
        """Let some of them write during the episode."""
        for _ in range(count):
            person, (subject, text) = self.people.pop(), self.texts.pop()
            delay = timedelta(seconds=self.dice.integer(60, 14_000))
            args = {"sender_email": person, "subject": subject, "text": text}
            self.stage.meanwhile(_write_later, FATE, delay, args)


class Writing(NamedTuple):
    """What the mail of a case is written from: who writes, what about, and who else writes meanwhile."""

    persona: Persona
    matter: Sequence[str]
    subject: str
    others: Others
    clock: Dice
    """Decides how much time passes between mails."""


def _write_later(tx: Tx, delay: timedelta, args: dict[str, Any]) -> None:
    tx.later(delay, desk.receive_mail, **args)


def _writers(tx: Tx) -> tuple[str, ...]:
    found = tx.all(User, "role = 'end-user' AND suspended = 0", order="id", limit=60)
    return tuple(one.email for one in found if one.email)


def are_requesters(tx: Tx, tickets: Iterable[int], in_copy: str) -> bool:
    """Check whether the people in copy, as a ticket stores them, are the requesters of these tickets."""
    known = {one.requester_id for number in tickets if (one := tx.find(Ticket, number)) is not None}
    return known.issuperset(msgspec.json.decode(in_copy))


def longest_line(text: str) -> str:
    """Return the longest line of a text without quotation marks or backslashes, to recognise it in a reply."""
    lines = [part for line in text.splitlines() for part in line.replace("\\", '"').split('"')]
    return max(lines, key=len).strip()[:80]


@check("desk.answered")
def answered(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether staff have answered the newest ticket of `requester` since `since`; what they wrote is not read."""
    author = tx.first(User, "email = ?", args["requester"])
    if author is None:
        return False
    found = tx.rows(
        "SELECT 1 FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id JOIN zendesk_tickets t "
        "ON t.id = c.ticket_id WHERE t.requester_id = ? AND c.public = 1 AND c.created_at >= ? "
        "AND u.role != 'end-user' LIMIT 1",
        author.id,
        int(args["since"]),
    )
    return bool(found)
