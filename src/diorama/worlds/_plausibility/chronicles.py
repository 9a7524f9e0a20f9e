"""Rules about the chronicle: causes come first, people know only the past, and rows and happenings belong together."""

from __future__ import annotations

from collections.abc import Iterator

from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import at, rule
from diorama.worlds.chronicle import Happening, Telling, telling_id

CHRONICLE = "chronicle"
TOLD = (
    "backoffice_orders",
    "backoffice_refunds",
    "backoffice_returns",
    "backoffice_replacements",
    "backoffice_subscriptions",
    "zendesk_tickets",
    "zendesk_comments",
)
"""Tables in which every row tells something that happened."""


@rule(CHRONICLE)
def causes_come_first(records: Records) -> Iterator[str]:
    """What happened follows from something that happened before it."""
    known = {one.id: one for one in records.tx.all(Happening)}
    for one in known.values():
        cause = known.get(one.cause)
        wrong = one.cause != 0 and (cause is None or cause.at > one.at)
        yield f"happening {one.id} ({one.kind}, {at(one.at)}) follows from {one.cause}" if wrong else ""


@rule(CHRONICLE)
def nobody_knows_the_future(records: Records) -> Iterator[str]:
    """People know of a happening only after it happened, and nothing happened after the present."""
    for one in records.tx.all(Happening):
        wrong = one.at > records.now or any(known.when < one.at for known in one.known)
        yield f"happening {one.id} ({one.kind}, {at(one.at)})" if wrong else ""


@rule(CHRONICLE)
def rows_tell_what_happened(records: Records) -> Iterator[str]:
    """Every order, refund, return, subscription, ticket and comment tells a happening."""
    told = {one.id for one in records.tx.all(Telling)}
    for table in TOLD:
        if table in records.tx.company.tracked:
            for (number,) in records.tx.rows(f"SELECT id FROM {table} ORDER BY id"):
                yield "" if telling_id(table, number) in told else f"{table} {number} tells nothing that happened"


@rule(CHRONICLE)
def what_is_told_exists(records: Records) -> Iterator[str]:
    """Every reference of the chronicle leads to a happening and to a row."""
    happened = {one.id for one in records.tx.all(Happening)}
    tellings = records.tx.all(Telling)
    rows = {
        telling_id(table, number)
        for table in sorted({one.id.partition(" ")[0] for one in tellings})
        for (number,) in records.tx.rows(f"SELECT id FROM {table}")
    }
    for one in tellings:
        wrong = not happened.issuperset(one.happening_ids) or one.id not in rows
        yield f"telling of {one.id}" if wrong else ""
