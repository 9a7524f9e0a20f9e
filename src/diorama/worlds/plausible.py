"""What cannot have happened so: rows that precede their cause, and letters that the rows contradict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

import msgspec

from diorama.apps.backoffice.schema import Note, Order, Refund, Return, Shipment
from diorama.kernel import Tx
from diorama.worlds.matter import Matter, read_matter

AT_THE_DOOR = timedelta(minutes=20)
"""How long before a letter a parcel has to be delivered at least: people open it first."""
AFTER_ARRIVAL = ("wrong_item", "defective", "returned")
"""The reasons of refunds for goods that the customer has seen."""


R = TypeVar("R", Refund, Return, Shipment, Note)


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A letter beside all rows of its customer."""

    letter: str
    at: datetime
    order_number: str
    """The order that it is about; "" if there is none."""
    rows: Matter
    """The rows of all of the customer's orders."""
    earlier: frozenset[str] = frozenset()
    """The ids of rows that are older than the variant: the company's own history is not looked at."""

    def staged(self, rows: Sequence[R]) -> list[R]:
        """Return the rows that the variant added."""
        return [one for one in rows if one.id not in self.earlier]

    def arrived(self, order_id: str) -> datetime | None:
        """Return when the first parcel of an order arrived, or None."""
        return min((one.closed_at for one in self._arrived(order_id) if one.closed_at), default=None)

    def _arrived(self, order_id: str) -> list[Shipment]:
        return [one for one in self.rows.parcels if one.order_id == order_id and one.status == "delivered"]

    def number(self, order_id: str) -> str:
        """Return the number of an order."""
        return next((one.number for one in self.rows.orders if one.id == order_id), order_id)

    @property
    def others(self) -> list[Order]:
        """The orders that the letter is not about."""
        return [one for one in self.rows.orders if one.number != self.order_number]


def read_written(
    tx: Tx, customer: str, letter: str, at: datetime, order_number: str, earlier: frozenset[str] = frozenset()
) -> Written:
    """Return a letter with the rows of its customer; `earlier` are the ids of rows that no rule looks at."""
    orders = [one.id for one in tx.all(Order, "customer_id = ?", customer)]
    rows = read_matter(tx, customer, "", orders, {})
    return Written(letter=letter, at=at, order_number=order_number, rows=rows, earlier=earlier)


def implausible(written: Written) -> Iterator[str]:
    """Yield what cannot have happened as the rows and the letter say."""
    for rule in RULES:
        yield from rule(written)


def _refunds_follow_the_goods(written: Written) -> Iterator[str]:
    """Money for goods that the customer has seen is refunded after they arrived."""
    for one in written.staged(written.rows.refunds):
        if one.reason in AFTER_ARRIVAL:
            came = written.arrived(one.order_id)
            if came is None or came >= one.created_at:
                number = written.number(one.order_id)
                yield f"{number} was refunded ({one.reason}) on {_at(one.created_at)}, before it came ({_at(came)})"


def _refunds_follow_the_return(written: Written) -> Iterator[str]:
    """Money for returned goods is refunded after the return was received."""
    for one in written.staged(written.rows.refunds):
        back = [each.received_at for each in written.rows.returns if each.order_id == one.order_id and each.received_at]
        if one.reason == "returned" and not any(each < one.created_at for each in back):
            number = written.number(one.order_id)
            yield f"{number} was refunded (returned) on {_at(one.created_at)}, before its return was received"


def _returns_follow_the_goods(written: Written) -> Iterator[str]:
    """A return is opened after the goods arrived."""
    for one in written.staged(written.rows.returns):
        came = written.arrived(one.order_id)
        if came is None or came >= one.created_at:
            yield f"the return {one.number} was opened on {_at(one.created_at)}, before the goods came ({_at(came)})"


def _deliveries_precede_the_letter(written: Written) -> Iterator[str]:
    """No parcel arrives in the minutes before the letter."""
    for one in written.staged(written.rows.parcels):
        if one.closed_at is not None and written.at - AT_THE_DOOR < one.closed_at <= written.at:
            yield f"the parcel of {written.number(one.order_id)} was closed {_at(one.closed_at)}, as the letter came"


_MISSING = re.compile(r"\b(?:missing from|was left out|not in the box)\b", re.IGNORECASE)


def _notes_of_missing_goods_follow_the_parcel(written: Written) -> Iterator[str]:
    """A note that something was missing is written after the parcel arrived."""
    for one in written.staged(written.rows.notes):
        came = written.arrived(one.order_id) if one.order_id and _MISSING.search(one.body) else None
        if came is not None and came >= one.created_at:
            number = written.number(one.order_id)
            yield f"a note of {_at(one.created_at)} says what was missing in {number}, which came later"


_USED_UP = re.compile(r"\b(?:drank|drunk it|ate it|used it up|had two cups|two cups, never)\b", re.IGNORECASE)


def _what_was_used_had_arrived(written: Written) -> Iterator[str]:
    """Goods that the customer has used up were delivered before."""
    about = next((one for one in written.rows.orders if one.number == written.order_number), None)
    if about is not None and _USED_UP.search(written.letter):
        came = written.arrived(about.id)
        if came is None or came >= written.at - AT_THE_DOOR:
            yield f"the letter says that the goods of {about.number} were used, and they came {_at(came)}"


_STILL_WITH_US = re.compile(
    r"\bother order\b[^.!?]*\b(?:not left|still with you)\b|\bother order that is still with you\b"
    r"|\bautre commande\b[^.!?]*\b(?:pas partie|encore chez vous)\b",
    re.IGNORECASE,
)


def _the_other_order_is_one(written: Written) -> Iterator[str]:
    """The other order that has not left is only one."""
    if _STILL_WITH_US.search(" ".join(written.letter.split())):
        waiting = sorted(one.number for one in written.others if one.status == "open")
        if len(waiting) != 1:
            yield f"the letter names the other order that has not left, and there are {', '.join(waiting) or 'none'}"


_ARRANGED = re.compile(r"\bother (?:one|order)\b[^.!?]*\b(?:arranged|settled|paid back|sorted)\b", re.IGNORECASE)


def _what_is_arranged_is_recorded(written: Written) -> Iterator[str]:
    """Another order that is arranged already was refunded, sent again or cancelled."""
    if not _ARRANGED.search(" ".join(written.letter.split())):
        return
    settled = {one.order_id for one in written.rows.refunds}
    settled |= {one.order_id for one in written.rows.parcels if one.reship_of or one.reshipped_as}
    if not any(one.id in settled or one.status == "cancelled" for one in written.others):
        yield "the letter says that the other order is arranged already, and no record shows it"


def _at(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment is not None else "never"


RULES: tuple[Callable[[Written], Iterator[str]], ...] = (
    _refunds_follow_the_goods,
    _refunds_follow_the_return,
    _returns_follow_the_goods,
    _deliveries_precede_the_letter,
    _notes_of_missing_goods_follow_the_parcel,
    _what_was_used_had_arrived,
    _the_other_order_is_one,
    _what_is_arranged_is_recorded,
)
"""The rules of plausibility; each yields what breaks it."""


__all__ = ["Written", "implausible", "read_written"]
