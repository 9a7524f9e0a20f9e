"""Orders behind letters: whose order a message can be about, how its parcel stands, what the desk says of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from diorama.apps.backoffice.schema import Shipment
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.writing import date_facts
from diorama.worlds.book import Topic
from diorama.worlds.residents import Resident

DAY = timedelta(days=1)
WINDOWS = {
    "late": (16 * DAY, 3 * DAY),
    "unshipped": (2 * DAY, timedelta(minutes=20)),
    "moving": (12 * DAY, 2 * DAY),
    "delivered": (45 * DAY, 2 * DAY),
    "any": (80 * DAY, DAY),
    "refunded": (5 * DAY, timedelta(hours=6)),
}
"""How long before a message the order was placed (or refunded) that it is about: at most, at least.

A company adds its own kinds.
"""


class Orders:
    """Every order that mails can be about, indexed by day."""

    def __init__(
        self,
        residents: Sequence[Resident],
        windows: Mapping[str, tuple[timedelta, timedelta]],
        suits: Callable[[Topic, History, datetime], bool],
    ) -> None:
        self.windows, self.suits = windows, suits
        found = [(history.order.created_at, who, history) for who in residents for history in who.histories]
        self.orders = sorted(found, key=lambda one: (one[0], one[2].order.id))
        self.placed = [placed for placed, _, _ in self.orders]
        self.used: set[tuple[str, str]] = set()
        paid_back = [(one[2].refund.created_at, one[1], one[2]) for one in self.orders if one[2].refund is not None]
        self.refunds = sorted(paid_back, key=lambda one: (one[0], one[2].order.id))
        self.refunded = [moment for moment, _, _ in self.refunds]

    def draw(self, dice: Dice, topic: Topic, at: datetime) -> tuple[Resident, History] | None:
        """Draw a customer with an order that suits the topic at this time; no one asks the same thing twice."""
        most, least = self.windows[topic.order]
        known, moments = (self.refunds, self.refunded) if topic.order == "refunded" else (self.orders, self.placed)
        low, high = bisect_left(moments, at - most), bisect_left(moments, at - least)
        for _ in range(40 if high > low else 0):
            _, resident, history = known[dice.integer(low, high - 1)]
            key = (history.order.id, topic.name)
            if key in self.used or not self.suits(topic, history, at):
                continue
            if topic.only and resident.postal.country not in topic.only:
                continue
            self.used.add(key)
            return resident, history
        return None


def parcel_suits(kind: str, history: History, at: datetime) -> bool | None:
    """Return whether the state of an order's parcel allows a letter of this kind; None if the goods decide."""
    state = parcel_state(history, at)
    if kind == "late":
        return state in ("unsent", "moving", "lost")
    if kind == "unshipped":
        return state in ("unsent", "moving")
    if kind == "moving":
        return state == "moving"
    if kind == "refunded":
        return state in ("arrived", "lost")
    if history.shipment is None or state != "arrived":
        return kind == "any"
    return True if kind in ("any", "delivered") else None


def parcel_state(history: History | None, at: datetime) -> str:
    """Return how a parcel stands at a moment: unsent, moving, arrived, lost, or "" without an order."""
    if history is None:
        return ""
    parcel = history.shipment
    if parcel is None or parcel.handed_over_at is None or parcel.handed_over_at > at:
        return "unsent"
    if parcel.status == "lost" and at > parcel.updated_at:
        return "lost"
    return "arrived" if parcel.closed_at is not None and parcel.closed_at <= at else "moving"


def expected(parcel: Shipment, at: datetime) -> datetime:
    """Return the day that the tracking names, seen at a moment."""
    due = parcel.closed_at or parcel.estimated_at
    return due.astimezone(at.tzinfo) if due > at else at + DAY


def tracking_facts(history: History, at: datetime, language: str) -> dict[str, str]:
    """Return the days that the desk reads in an order at a moment: refunded, arrived or expected."""
    known: dict[str, str] = {}
    parcel = history.shipment
    if history.refund is not None and history.refund.created_at <= at:
        known["refunded"] = say_day(history.refund.created_at.astimezone(at.tzinfo), language)
    if parcel is not None:
        if parcel.closed_at is not None and parcel.closed_at <= at:
            known["arrived"] = say_day(parcel.closed_at.astimezone(at.tzinfo), language)
        else:
            known["eta"] = say_day(expected(parcel, at), language)
    return known


def amount_of(history: History, facts: Mapping[str, str]) -> int:
    """Return the cents that a letter is about: the refund where that is the matter, else what was paid."""
    return int(facts["refund_cents"]) if "refund_cents" in facts else history.charge.amount_cents


def say_day(moment: datetime, language: str) -> str:
    """Write a day as the desk names it to a customer."""
    known = date_facts(moment, language)
    form = "{weekday} {day}. {month}" if language == "de" else "{weekday} {day} {month}"
    return form.format(**known)


def say_cents(cents: int, currency: str, language: str = "en") -> str:
    """Write an amount with its currency as a shop does: 129.00 EUR."""
    comma = "." if language == "en" else ","
    return f"{cents // 100}{comma}{cents % 100:02d} {currency}"
