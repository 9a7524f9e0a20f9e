"""Views: lists of tickets by conditions, with their order and counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules.conditions import PRIORITY_RANK, STATUS_RANK, T, known, where
from diorama.apps.zendesk.rules.ids import LARGEST
from diorama.apps.zendesk.rules.schedules import schedules
from diorama.apps.zendesk.schema import Conditions, Output, Ticket, User, View
from diorama.kernel import Tx, from_us
from diorama.kit.query import TRUE, Sql, both

COLUMNS: dict[str, str] = {
    "nice_id": "ID", "ticket_id": "ID", "subject": "Subject", "description": "Description", "status": "Status",
    "priority": "Priority", "type": "Type", "requester": "Requester", "requester_name": "Requester",
    "assignee": "Assignee", "assignee_name": "Assignee", "submitter": "Submitter", "group": "Group",
    "organization": "Organization", "created": "Requested", "created_at": "Requested", "updated": "Updated",
    "updated_at": "Updated", "updated_requester": "Requester updated", "updated_assignee": "Assignee updated",
    "assigned": "Assigned", "solved": "Solved", "due_date": "Due date", "satisfaction_score": "Satisfaction",
    "channel": "Channel", "via": "Channel", "locale_id": "Requester language", "brand": "Brand",
    "ticket_form": "Form", "custom_status_id": "Ticket status", "score": "Score",
    "updated_by_type": "Latest updater type", "sla_next_breach_at": "Next SLA breach",
}  # fmt: skip
"""The columns that a view can show, with their titles."""


def _ranked(column: str, ranks: dict[str | None, int]) -> str:
    cases = " ".join(f"WHEN '{name}' THEN {rank}" for name, rank in ranks.items() if name)
    return f"CASE {T}.{column} {cases} ELSE 0 END"


def _name_of(table: str, column: str) -> str:
    return f"(SELECT lower(name) FROM zendesk_{table} WHERE id = {T}.{column})"


NEXT_BREACH = (
    "(SELECT min(coalesce(nullif(json_extract(c.value, '$[9]'), 0), nullif(json_extract(c.value, '$[11]'), 0))) "
    f"FROM zendesk_ticket_metrics m, json_each(m.clocks) c WHERE m.id = {T}.id AND json_extract(c.value, '$[1]') = "
    "'running' AND json_extract(c.value, '$[6]') <> 0)"
)
"""SQL for when the next target of a ticket is or was missed (running clocks only); clocks are lists (see Clock)."""
SORTS: dict[str, str] = {
    "sla_next_breach_at": f"coalesce({NEXT_BREACH}, {LARGEST})",
    "nice_id": f"{T}.id", "ticket_id": f"{T}.id", "id": f"{T}.id", "subject": f"lower({T}.subject)",
    "status": _ranked("status", STATUS_RANK), "priority": _ranked("priority", PRIORITY_RANK),
    "type": f"{T}.type", "ticket_type": f"{T}.type", "requester": _name_of("users", "requester_id"),
    "requester_name": _name_of("users", "requester_id"), "assignee": _name_of("users", "assignee_id"),
    "assignee_name": _name_of("users", "assignee_id"), "submitter": _name_of("users", "submitter_id"),
    "group": _name_of("groups", "group_id"), "organization": _name_of("organizations", "organization_id"),
    "created": f"{T}.created_at", "created_at": f"{T}.created_at", "updated": f"{T}.updated_at",
    "updated_at": f"{T}.updated_at", "updated_requester": f"{T}.requester_updated_at",
    "updated_assignee": f"{T}.assignee_updated_at", "assigned": f"{T}.assigned_at", "solved": f"{T}.solved_at",
    "due_date": f"{T}.due_at", "satisfaction_score": f"{T}.satisfaction", "channel": f"{T}.channel",
    "commented": f"{T}.updated_at",
}  # fmt: skip
"""The columns by which tickets can be sorted."""

LIVE = Sql(f"{T}.deleted_at IS NULL")


def tickets_sql(tx: Tx, conditions: Conditions, me: User) -> Sql:
    """Return SQL for the tickets of a view that the user may see."""
    listed = (*conditions.all, *conditions.any)
    working = any(condition.operator.endswith("_business_hours") for condition in listed)
    found = both([where(conditions, me, tx.now_us, schedules(tx) if working else None), LIVE])
    seen = permissions.visible_to(tx, me)
    return found if seen is TRUE else both([found, seen])


def order(output: Output) -> str:
    """Return the order of a view as SQL: groups first, ties by id."""
    parts = []
    if output.group_by and output.group_by in SORTS:
        parts.append(f"{SORTS[output.group_by]} {_direction(output.group_order)}")
    parts.append(f"{SORTS.get(output.sort_by or '', f'{T}.id')} {_direction(output.sort_order)}")
    return ", ".join([*parts, f"{T}.id DESC"])


def _direction(word: str) -> str:
    return "ASC" if word.lower() == "asc" else "DESC"


def count(tx: Tx, view: View, me: User) -> int:
    """Count the tickets in a view."""
    found = tickets_sql(tx, view.conditions, me)
    return tx.count(Ticket, found.text, *found.args)


def titles(tx: Tx) -> dict[str, str]:
    """Return the titles of all columns, including custom fields."""
    own = tx.rows("SELECT id, title FROM zendesk_ticket_fields WHERE removable = 1")
    return {**COLUMNS, **{str(number): title for number, title in own}}


def check(tx: Tx, title: str, conditions: Conditions, output: Output) -> None:
    """Require a title, conditions that narrow the view down, and columns that exist."""
    if not title.strip():
        raise refusals.blank("title", "Title")
    listed = (*conditions.all, *conditions.any)
    if not listed:
        raise refusals.invalid("base", "Invalid conditions. You must select at least one condition.", "InvalidValue")
    for condition in listed:
        if not known(condition.field):
            raise refusals.invalid("base", f"Condition: {condition.field} is not valid", "InvalidValue")
    narrow = ("status", "type", "group_id", "assignee_id", "requester_id", "custom_status_id")
    if not any(condition.field in narrow for condition in conditions.all):
        raise refusals.invalid(
            "base",
            "You must include at least one of these fields in your all conditions: "
            "status, type, group, assignee, requester.",
            "InvalidValue",
        )
    allowed = {*COLUMNS, *(str(row[0]) for row in tx.rows("SELECT id FROM zendesk_ticket_fields WHERE removable = 1"))}
    unknown = [column for column in output.columns if column not in allowed]
    if unknown or len(output.columns) > 10:
        raise refusals.invalid("base", f"Column: {', '.join(unknown) or 'at most ten'} cannot be shown", "InvalidValue")


def cell(column: str, ticket: Ticket) -> dict[str, Any]:
    """Return one cell of a view's row, under its key in rows."""
    if column.isdigit():
        return {}
    dates = {
        "created": ticket.created_at, "created_at": ticket.created_at, "updated": ticket.updated_at,
        "updated_at": ticket.updated_at, "updated_requester": ticket.requester_updated_at,
        "updated_assignee": ticket.assignee_updated_at, "assigned": ticket.assigned_at, "solved": ticket.solved_at,
        "due_date": ticket.due_at,
    }  # fmt: skip
    ids = {
        "requester": ticket.requester_id, "requester_name": ticket.requester_id, "assignee": ticket.assignee_id,
        "assignee_name": ticket.assignee_id, "submitter": ticket.submitter_id, "group": ticket.group_id,
        "organization": ticket.organization_id,
    }  # fmt: skip
    if column in dates:
        return {column: dates[column]}
    if column in ids:
        return {f"{column.removesuffix('_name')}_id": ids[column]}
    plain = {
        "nice_id": ticket.id, "ticket_id": ticket.id, "subject": ticket.subject, "description": ticket.description,
        "status": ticket.status, "priority": ticket.priority, "type": ticket.type,
        "satisfaction_score": ticket.satisfaction, "channel": ticket.channel, "via": ticket.channel,
    }  # fmt: skip
    return {column: plain.get(column)}


def next_breaches(tx: Tx, tickets: Sequence[Ticket]) -> dict[int, datetime]:
    """Return when the next target of each ticket is or was missed."""
    marks = ", ".join("?" * len(tickets))
    rows = tx.rows(f"SELECT id, {NEXT_BREACH} FROM {T} WHERE id IN ({marks})", *(ticket.id for ticket in tickets))
    return {number: from_us(moment - moment % 1_000_000) for number, moment in rows if moment}


def custom_field_ids(tx: Tx) -> tuple[int, ...]:
    """Return the ids of the custom ticket fields, in order."""
    rows = tx.rows("SELECT id FROM zendesk_ticket_fields WHERE removable = 1 AND active = 1 ORDER BY position, id")
    return tuple([row[0] for row in rows])
