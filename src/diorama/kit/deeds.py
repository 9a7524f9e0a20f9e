"""Deeds: acts that an app recognises in its rows, such as one refund, and what a task owes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from diorama.kernel import Tx

DEED_NAMES: Mapping[str, str] = {
    "refund": "refund",
    "credit": "credit",
    "cancellation": "cancellation",
    "pause": "pause",
    "resumption": "resumption",
    "skip": "skipped delivery",
    "plan_change": "change of plan",
    "address_change": "change of address",
    "replacement_machine": "replacement",
    "part": "part",
    "reshipment": "reshipment",
    "label": "return label",
    "order": "order",
    "subscription": "subscription",
    "contact_change": "change of contact details",
    "trace": "trace of a parcel",
}
"""The kinds of deeds and how a sentence names one; an app may declare others."""


class Deed(msgspec.Struct, frozen=True):
    """One act, recognised in rows."""

    kind: str
    subject: str
    """The id of the record that it acts on: a charge, an order, a subscription, a unit, a parcel."""
    customer: str = ""
    cents: int | None = None
    destination: str = ""
    """Where money goes, such as `original_payment`."""
    day: str = ""
    """The day from which it counts, as YYYY-MM-DD: of the act itself, or of the change that it sets."""
    table: str = ""
    key: int | str = ""
    seq: int = 0
    """The event that did it; 0 if it was done before the episode."""
    by: str = ""
    """The actor of the root event, such as `agent:mara@shop.example`."""
    stands: bool = True
    """Whether it is still in force: not failed, voided, cancelled or taken back."""
    to: Mapping[str, str] = {}
    """What it sets: the parts of an address, the SKU that is sent, the plan."""
    names: tuple[str, ...] = ()
    """Other numbers of the subject: the order that a charge belongs to and its number, the tracking number."""
    currency: str = ""
    final: bool = False
    """Whether it cannot be taken back."""
    columns: tuple[str, ...] = ()
    """The columns of its row that it sets; empty for a new row."""
    states: tuple[str, ...] = ()
    """The columns of a new row whose values at the end it states: a later change of them is a change of the deed."""
    rows: tuple[tuple[str, int | str, tuple[str, ...]], ...] = ()
    """Other rows that change with it, by table, key and columns: the address of the parcels of a readdressed order.

    Without columns it is a new row, such as the credit that holds a refund.
    """


class Owed(msgspec.Struct, frozen=True):
    """A deed that a task needs exactly once: on one of these subjects, with these values where they are given."""

    kind: str
    subjects: tuple[str, ...]
    cents: int | None = None
    destination: str = ""
    to: Mapping[str, str] | None = None
    any_of: tuple[str, ...] = ()
    """Names in `to` that any value satisfies, such as a reason that no rule decides."""
    places: tuple[Mapping[str, str], ...] = ()
    """Addresses that are known before the episode: parts of an address that `to` leaves open have to stand in one."""
    day: str = ""
    customer: str = ""
    currency: str = ""
    sentence: str = ""
    """What is owed, for the reader of a verdict; "" derives it from the other fields."""
    reasons: tuple[str, ...] = ()
    """The codes that it may state as its reason; empty if no rule decides."""


class Act(msgspec.Struct, frozen=True):
    """What one actor did to one row in an episode, for the recogniser of its table."""

    table: str
    key: int | str
    inserted: bool
    before: Mapping[str, Any]
    """The changed columns before the first change, in stored values; empty for a new row."""
    after: Mapping[str, Any]
    """The changed columns after the last change by this actor."""
    seq: int
    """The event of the first change."""
    by: str
    seqs: Mapping[str, int] = {}
    """The event of the last change of each column."""

    def changed(self, column: str) -> bool:
        """Check whether the actor left a column of an existing row different."""
        return not self.inserted and column in self.after and self.after[column] != self.before.get(column)


Recogniser = Callable[[Tx, Act], Iterable[Deed]]
"""(transaction, act) -> the deeds that the act is."""
