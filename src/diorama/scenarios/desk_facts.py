"""The truth of a desk's variant, and the facts that follow from it: deeds and fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import Return, Shipment, Subscription
from diorama.kernel import Event
from diorama.kernel.records import table_of
from diorama.kit.deeds import Deed, Owed
from diorama.rewards import View
from diorama.rewards.deeds import findings_of
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Booked, Fact
from diorama.scenarios.cast import Cast, Value, said, slots_of
from diorama.scenarios.saying import Telling, customer_grounds
from diorama.worlds import closing
from diorama.worlds.closing import closing_values

SHOWN_AT_MOST = 4  # values in a verdict
FINAL = frozenset({"refund", "reshipment"})
"""Deeds that cannot be taken back: they are booked in their turn."""


class DeskTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The hidden truth of a variant: what is owed, what must be told, and how the form must be filled in."""

    plan: str
    ticket_id: int
    requester: str
    """The address that the mail came from."""
    customer_id: str
    owed: tuple[Owed, ...] = ()
    tell: tuple[Telling, ...] = ()
    closing: dict[str, tuple[str, ...]] = {}
    """For each field of the form the values that are right."""
    made: str = ""
    """The kind of deed whose own number the form names: known only once it is done."""
    records: tuple[str, ...] = ()
    """Ids and numbers of the records that decide the case."""
    opening: str = ""
    """Words of the customer's mail."""
    reply: str = ""
    """A true and complete reply."""
    order_number: str = ""
    reason: str = ""
    budget: int = 24
    """The turns that a good agent needs at most."""
    asks: str = ""
    """The question to the customer without whose answer the case cannot be decided."""
    proves: str = ""
    """How a sender whom the account does not know proves that it is theirs (`proving.py`)."""
    emails: tuple[str, ...] = ()
    """The addresses that the account had before the episode: mails from these are its owner's."""
    digits: str = ""
    """The last digits of the account's card, if naming them proves whose account it is."""
    claims: str = ""
    """The wrong digits that a sender names when asked."""
    objects: bool = False
    """Whether the customer answers the first reply with something that has to be heard."""
    may_say_cents: tuple[int, ...] = ()
    """Amounts that stand in no record and that a true reply may name."""
    facts: dict[str, str] = {}
    hand_over: str = ""
    """The colleague who must get the ticket; "" if it has to be solved."""


def owed_facts(truth: DeskTruth) -> list[Fact]:
    """Return one fact for each thing owed."""
    out = []
    for place, one in enumerate(truth.owed):
        name = f"{one.kind}_is_made" if place == 0 else f"{one.kind}_is_made_{place + 1}"

        def judge(owner: Any, view: View, truth: DeskTruth, place: int = place) -> Finding:
            deeds = view.deeds()
            found = view.same("owed findings", (truth.owed, deeds), lambda: findings_of(truth.owed, deeds))
            return found[place]

        booked: Booked = "turn" if one.kind in FINAL else "commitment"
        because = f"What the customer is owed was done, once: {one.sentence}."
        out.append(Fact(name, "resolved", 4.0 / len(truth.owed), judge, because, False, booked, "deed"))
    return out


def field_facts(truth: DeskTruth) -> list[Fact]:
    """Return one fact for each field of the form that has a right value."""
    out = []
    for key in truth.closing:

        def judge(owner: Any, view: View, truth: DeskTruth, key: str = key) -> Finding:
            filled = view.once(f"closing {truth.ticket_id}", lambda: closing_values(view.tx, truth.ticket_id))
            right = right_values(view, truth, key)
            value = filled.get(key, "")
            shown = f"{closing.TITLES[key]}: {value or 'empty'}"
            return Finding(matches(key, value, right), f"{closing.TITLES[key]}: {' or '.join(right)}", shown)

        because = f"The field {closing.TITLES[key]} says what is true."
        decided = truth.records if key != "reason" else (*truth.records, str(truth.ticket_id))
        out.append(
            Fact(
                f"field_{key}",
                "classified",
                2.0 / len(truth.closing),
                judge,
                because,
                False,
                "commitment",
                "field",
                decided,
            )
        )
    return [*out, *(_spare_fact(key) for key in closing.TITLES if key not in truth.closing)]


def _spare_fact(key: str) -> Fact:
    """Return the fact about a field of the form that the matter does not need: it is empty, or what it says is true."""

    def judge(owner: Any, view: View, truth: DeskTruth) -> Finding:
        filled = view.once(f"closing {truth.ticket_id}", lambda: closing_values(view.tx, truth.ticket_id))
        value, title = filled.get(key, ""), closing.TITLES[key]
        if not value:
            return Finding(True, f"{title}: empty, or what is true", f"{title}: empty")
        right = true_values(view, truth, key)
        shown = " or ".join(("empty", *right) if len(right) <= SHOWN_AT_MOST else ("empty", "what is true"))
        return Finding(matches(key, value, right), f"{title}: {shown}", f"{title}: {value}")

    because = f"The field {closing.TITLES[key]}, which this matter does not need, is empty or says what is true."
    return Fact(f"field_{key}", "classified", 1.0, judge, because, False, "commitment", "field")


def true_values(view: View, truth: DeskTruth, key: str) -> tuple[str, ...]:
    """Return what a field may say that the matter does not need, by what was done and by the customer's records."""
    done = [deed for _, deed in view.matched(truth.owed).done]
    paid = [deed for deed in done if deed.cents is not None]
    if key == "amount":
        return (f"{sum(deed.cents or 0 for deed in paid) / 100:.2f}",)
    if key == "destination":
        return tuple(dict.fromkeys(f"to_{deed.destination}" for deed in paid if deed.destination))
    if key == "effective":
        changed = [deed for deed in done if deed.table == table_of(Subscription).name]
        return tuple(dict.fromkeys(day for deed in changed for day in (deed.day, *_next_days(view, deed)) if day))
    if key == "record":
        return tuple(sorted({*customer_grounds(view, truth.customer_id).records, *truth.records, truth.order_number}))
    return ()


def _next_days(view: View, deed: Deed) -> Iterator[str]:
    """Yield the days on which a plan goes on after a change."""
    plan = view.tx.get(Subscription, str(deed.key))
    for moment in (plan.next_renewal_at, plan.resumes_at):
        if moment is not None:
            yield f"{moment:%Y-%m-%d}"


def right_values(view: View, truth: DeskTruth, key: str) -> tuple[str, ...]:
    """Return the right values of a field; some are known only once the deed is done."""
    right = truth.closing[key]
    if key == "effective" and not right:
        done = view.matched(truth.owed).done
        days = tuple(dict.fromkeys(deed.day for _, deed in done if deed.day))
        return days or (f"known only once what is owed is done. {closing.EFFECTIVE}",)
    if key == "record" and truth.made:
        mine = [deed for owed, deed in view.matched(truth.owed).done if owed.kind == truth.made]
        made = tuple(number for deed in mine for number in (str(deed.key), *_number_of(view, deed)))
        return (*right, *made) or (f"the number of the {truth.made.replace('_', ' ')}, known only once it is made",)
    return right


def _number_of(view: View, deed: Deed) -> tuple[str, ...]:
    """Return the tracking number of a parcel that was sent, or the number of a return."""
    if deed.kind == "reshipment":
        return (view.tx.get(Shipment, str(deed.key)).tracking_number,)
    return (view.tx.get(Return, str(deed.key)).number,) if deed.kind == "label" else ()


def matches(key: str, value: str, right: Sequence[str]) -> bool:
    """Check whether a field of the form has one of the right values."""
    if key == "amount":
        return _cents(value) is not None and _cents(value) in {_cents(one) for one in right}
    return _folded(value) in {_folded(one) for one in right}


def _cents(text: str) -> int | None:
    try:
        return round(float(text) * 100)
    except ValueError:
        return None


def _folded(text: str) -> str:
    return "".join(text.split()).lstrip("#").casefold()


def plain_value(value: Any) -> str:
    """Return a value as a field holds it: 51.90, 2026-02-27."""
    return f"{value / 100:.2f}" if isinstance(value, int) else said(value)


FIELD_KINDS = {"record": "number", "amount": "amount", "effective": "day"}
"""What a bare slot states in a text of `Plan.closing`, by the key of the field."""


def field_value(key: str, value: str | Value, cast: Cast) -> str:
    """Return what a field holds: a value of the cast, or a text with its slots filled as the field writes them."""
    if isinstance(value, Value):
        return plain_value(value.of(cast))
    kinds, filled = FIELD_KINDS, value
    for row, kind in slots_of(value):
        slot = f"{{{row}.{kind}}}" if kind else f"{{{row}}}"
        filled = filled.replace(slot, plain_value(Value(row, kind or kinds.get(key, "")).of(cast)))
    return filled


def stood_in(event: Event, text: str) -> bool:
    """Check whether a text stood in the reply to a request."""
    if not text or event.reply.get("status", 0) >= 300:
        return False
    body = event.reply.get("body", "")
    return text in (body if isinstance(body, str) else str(body))
