"""Metrics and clocks of a ticket whose history was written in bulk, computed turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.conditions import Facts
from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.rules.ticket_metric_clocks import breach
from diorama.apps.zendesk.rules.ticket_metrics import (
    SlaTargets,
    Update,
    advance,
    cached_hours,
    empty_metrics,
    schedule_next_breach,
    unused_audit_id,
)
from diorama.apps.zendesk.schema import Comment, MetricEvent, MetricEvents, Ticket, TicketMetric, User
from diorama.kernel import Tx, from_us, to_us


class Past(msgspec.Struct, frozen=True):
    """A ticket after one turn: how it differs from its final state, the comment, and the author."""

    audit_id: int
    at: datetime
    state: dict[str, Any]
    comment: Comment | None
    author: User | None


def write_metrics(tx: Tx, ended: Ticket, past: Sequence[Past]) -> None:
    """Write the metrics of a ticket and the events of its clocks; schedule future targets."""
    row, before, hours = empty_metrics(ended), None, cached_hours(tx)
    for turn in past:
        after = msgspec.structs.replace(ended, **turn.state)
        row = _missed(tx, row, turn.at)
        author = turn.author or SYSTEM
        update = Update(before, after, turn.comment, author.staff, turn.at)
        facts = Facts(tx, after, before, turn.comment, author)
        fields, events = advance(row, update, hours, SlaTargets(tx, facts))
        row = msgspec.structs.replace(row, **fields)
        if events:
            tx.add(MetricEvents(id=turn.audit_id, ticket_id=ended.id, at=turn.at, events=tuple(events)))
        before = after
    row = _missed(tx, row, tx.now)
    tx.add(msgspec.structs.replace(row, **schedule_next_breach(tx, row, row.clocks)))


def _missed(tx: Tx, row: TicketMetric, at: datetime) -> TicketMetric:
    """Record the targets missed before a moment, each at its own time."""
    told: list[MetricEvent] = []
    clocks = tuple(breach(clock, to_us(at), told) for clock in row.clocks)
    for event in told:
        tx.add(MetricEvents(id=unused_audit_id(tx), ticket_id=row.id, at=from_us(event.at), events=(event,)))
    return msgspec.structs.replace(row, clocks=clocks) if told else row
