"""What an oracle or a cheat fills in to solve a ticket: the closing form, as far as the scenario's truth says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from diorama.worlds.closing import (
    ANSWERED,
    CANCELLED,
    CHANGED,
    CREDITED,
    EXPLAINED,
    NOTHING,
    PLAN,
    REFUNDED,
    RETURN,
    SENT,
    TITLES,
    closing_tags,
)


class Closed(Protocol):
    """What has a contact reason: the truth of a ticket, or one of several matters."""

    @property
    def reason(self) -> str: ...


def closing(truth: Closed) -> dict[str, str]:
    """Return the form of a truth's ticket by title; empty if the desk has no closing form."""
    if truth.reason not in closing_tags():
        return {}
    resolution, values = next(_endings(truth))
    filled = {"reason": truth.reason, "resolution": resolution, **values}
    return {TITLES[key]: value for key, value in filled.items()}


def nothing_to_do(listed: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `custom_fields` that say that there was nothing to do, from the fields as the API lists them."""
    fields = {field["title"]: field for field in listed}
    if TITLES["reason"] not in fields:
        return []
    reason, resolution = fields[TITLES["reason"]], fields[TITLES["resolution"]]
    last = reason["custom_field_options"][-1]["value"]
    return [{"id": reason["id"], "value": last}, {"id": resolution["id"], "value": NOTHING}]


def money(cents: int) -> str:
    """Write an amount as the form takes it."""
    return f"{cents // 100}.{cents % 100:02d}"


def _endings(truth: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the resolutions that a truth implies, in the order in which they count, with the fields they need."""
    # Truths name their deeds in different words; a plan that states its closing form itself will not need this.
    known, aim, want = _record(truth), getattr(truth, "aim", None), getattr(truth, "want", None)
    remedy, dues = getattr(truth, "remedy", None), getattr(truth, "dues", ()) or _only(getattr(truth, "due", None))
    record = {"record": known} if known else {}
    if dues:
        paid = {"amount": money(sum(due.cents for due in dues)), "destination": f"to_{dues[0].destination}"}
        yield REFUNDED, {**paid, "record": known or dues[0].charges[0]}
    if getattr(truth, "grants", ()) and record:
        yield CREDITED, {"amount": money(sum(one.cents for one in truth.grants)), **record}
    if record and (_any(truth, "part", "reships") or _any(aim, "sends", "again") or _any(remedy, "send_sku", "reship")):
        yield SENT, record
    if record and (_any(truth, "back", "returns") or _any(aim, "back") or _any(remedy, "back")):
        yield RETURN, record
    ended = getattr(want, "status", "") == "cancelled" or _any(truth, "cancels", "subscription_id")
    if record and (ended or _any(aim, "stops", "ends")):
        yield CANCELLED, record
    coffee = want or getattr(aim, "coffee", None)
    day = (coffee.on or coffee.next_at or coffee.by) if coffee is not None else None
    if coffee is not None and day is not None:
        yield PLAN, {"record": coffee.id, "effective": day.date().isoformat()}
    if record and (coffee is not None or _any(truth, "moves", "moves_to", "returned") or _any(aim, "moves")):
        yield CHANGED, record
    if record:
        yield EXPLAINED, record
    yield ANSWERED, {}


def _any(thing: Any, *names: str) -> bool:
    return any(bool(getattr(thing, name, None)) for name in names)


def _only(thing: Any) -> tuple[Any, ...]:
    return () if thing is None else (thing,)


def _record(truth: Any) -> str:
    """Return the number that a truth knows: of its order, subscription, machine or customer."""
    remedy = getattr(truth, "remedy", None)
    named = (getattr(truth, name, "") for name in ("order_number", "subscription_id", "number", "customer_id"))
    return next((one for one in (getattr(remedy, "serial", ""), *named) if one), "")
