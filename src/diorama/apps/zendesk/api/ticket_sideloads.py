"""Side-loads of tickets: SLAs, metric sets, dates and counts (`include=slas,metric_sets,...`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diorama.apps.zendesk.api.pagination import get_many, parts_of
from diorama.apps.zendesk.rules import dynamic_content
from diorama.apps.zendesk.rules.ticket_metrics import empty_metrics, requester_wait, sla_deadlines
from diorama.apps.zendesk.schema import Audit, Comment, Ticket, TicketForm, TicketMetric
from diorama.apps.zendesk.wire.ticket_audits import audit_object
from diorama.apps.zendesk.wire.ticket_forms import ticket_form_object
from diorama.apps.zendesk.wire.ticket_metrics import ticket_metric_object
from diorama.apps.zendesk.wire.tickets import TicketObject
from diorama.kernel import Tx, from_us

SIDELOADS = frozenset({"slas", "metric_sets", "dates", "comment_count", "incident_counts"})
"""The supported values of `include`; `tde_workspace` is missing because its format is undocumented."""
_STAGES = {"running": "active", "paused": "paused", "done": "achieved"}
_UNITS = (("days", 24 * 60), ("hours", 60), ("minutes", 1))
"""Remaining time is shown in the largest unit that fits."""


def add_sideloads(tx: Tx, include: str | None, tickets: Sequence[Ticket], shapes: Iterable[TicketObject]) -> None:
    """Add the requested optional data to the tickets."""
    wanted = SIDELOADS.intersection(part.strip() for part in (include or "").split(","))
    if not wanted or not tickets:
        return
    marks, ids = ", ".join("?" * len(tickets)), [ticket.id for ticket in tickets]
    figures: dict[int, TicketMetric] = {}
    if wanted & {"slas", "metric_sets", "dates"}:
        figures = {row.id: row for row in tx.all(TicketMetric, f"id IN ({marks})", *ids)}
    said, caused = {}, {}
    if "comment_count" in wanted:
        rows = f"SELECT ticket_id, count(*) FROM zendesk_comments WHERE ticket_id IN ({marks}) GROUP BY ticket_id"
        said = dict(tx.rows(rows, *ids))
    if "incident_counts" in wanted:
        hanging = f"WHERE problem_id IN ({marks}) AND deleted_at IS NULL GROUP BY problem_id"
        caused = dict(tx.rows(f"SELECT problem_id, count(*) FROM zendesk_tickets {hanging}", *ids))
    for ticket, shape in zip(tickets, shapes, strict=True):
        row = figures.get(ticket.id) or empty_metrics(ticket)
        if "slas" in wanted:
            shape.slas = {"policy_metrics": list(_promises(tx, row))}
        if "metric_sets" in wanted:
            shape.metric_set = ticket_metric_object(row, ticket, requester_wait(tx, row, ticket.schedule_id))
        if "dates" in wanted:
            shape.dates = _dates(ticket, row)
        if "comment_count" in wanted:
            shape.comment_count = said.get(ticket.id, 0)
        if "incident_counts" in wanted:
            shape.incident_count = caused.get(ticket.id, 0)


def beside(tx: Tx, include: str | None, tickets: Sequence[Ticket]) -> dict[str, Any]:
    """Return the last audits, the forms and the sharing agreements of tickets, as far as `include` asks for them."""
    wanted = set(parts_of(include))
    out: dict[str, Any] = {}
    if "last_audits" in wanted:
        marks, ids = ", ".join("?" * len(tickets)), [ticket.id for ticket in tickets]
        newest = f"id IN (SELECT max(id) FROM zendesk_audits WHERE ticket_id IN ({marks}) GROUP BY ticket_id)"
        audits = tx.all(Audit, newest, *ids, order="ticket_id") if ids else []
        spoken = [event.id for audit in audits for event in audit.events if event.type == "Comment"]
        comments = {comment.id: comment for comment in get_many(tx, Comment, spoken)}
        out["last_audits"] = [audit_object(audit, comments) for audit in audits]
    if "ticket_forms" in wanted:
        forms = get_many(tx, TicketForm, {ticket.ticket_form_id for ticket in tickets})
        out["ticket_forms"] = [
            ticket_form_object(form, dynamic_content.fill(tx, form.name), dynamic_content.fill(tx, form.display_name))
            for form in forms
        ]
    if "sharing_agreements" in wanted:
        out["sharing_agreements"] = []
    return out


def _promises(tx: Tx, row: TicketMetric) -> Iterable[Mapping[str, Any]]:
    for name, clock, until in sla_deadlines(row):
        shape: dict[str, Any] = {"metric": name, "stage": _STAGES.get(clock.state, "active"), "breach_at": None}
        if until:
            minutes = int((until - tx.now_us) / 60_000_000)
            unit, size = next((unit, size) for unit, size in _UNITS if abs(minutes) >= size or size == 1)
            shape |= {"breach_at": from_us(until - until % 1_000_000), unit: int(minutes / size)}
        yield shape


def _dates(ticket: Ticket, row: TicketMetric) -> dict[str, Any]:
    return {
        "assignee_updated_at": ticket.assignee_updated_at,
        "requester_updated_at": ticket.requester_updated_at,
        "status_updated_at": ticket.status_updated_at,
        "initially_assigned_at": row.initially_assigned_at,
        "assigned_at": ticket.assigned_at,
        "solved_at": ticket.solved_at,
        "latest_comment_added_at": row.latest_comment_added_at or ticket.created_at,
    }
