"""Custom statuses: the company's own names for ticket statuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import CUSTOM_STATUS, CustomStatus, FormStatus, Ticket, User
from diorama.kernel import Tx

CATEGORIES = ("new", "open", "pending", "hold", "solved")
_DEFAULT = 'SELECT id FROM zendesk_custom_statuses WHERE status_category = ? AND "default" = 1'


def stored_id(number: int, category: str) -> int:
    """Return a custom status as tickets store it: 0 for the standard one of its category."""
    return 0 if CUSTOM_STATUS.get(category) == number else number


def default_for(tx: Tx, category: str) -> int:
    """Return the default custom status of a category, as tickets store it."""
    rows = tx.rows(_DEFAULT, category)
    return stored_id(rows[0][0], category) if rows else 0


def status_of(ticket: Ticket) -> int:
    """Return the custom status of a ticket."""
    return ticket.custom_status_id or CUSTOM_STATUS[ticket.status]


def choose_status(tx: Tx, number: int, form_id: int) -> tuple[str, int]:
    """Return the requested status and custom status, as tickets store them."""
    found = tx.find(CustomStatus, number)
    if found is None or not found.active:
        raise refusals.invalid("custom_status_id", "Custom status: is invalid", "InvalidValue")
    if not found.default and tx.count(FormStatus, "custom_status_id = ?", number):
        offered = tx.count(FormStatus, "custom_status_id = ? AND ticket_form_id = ?", number, form_id)
        if not offered:
            raise refusals.invalid(
                "custom_status_id", "Custom status: is not available on the ticket form", "InvalidValue"
            )
    return found.status_category, stored_id(number, found.status_category)


def make_default(tx: Tx, status: CustomStatus) -> CustomStatus:
    """Make this the default status of its category."""
    for other in tx.all(CustomStatus, "status_category = ?", status.status_category):
        if other.default and other.id != status.id:
            tx.change(other, default=False)
    return tx.change(status, default=True, active=True)


def add_status(tx: Tx, by: User, category: str, fields: Mapping[str, Any]) -> CustomStatus:
    """Add a custom status to a category; raise 422 for an unknown category or a label that does not do."""
    if category not in CATEGORIES:
        raise refusals.not_listed("status_category", "Status category", category or "empty")
    fields = {"agent_label": "", **fields}
    check_label(tx, fields["agent_label"])
    fields.setdefault("end_user_label", fields["agent_label"])
    moment = now(tx)
    return audit_logs.add(
        tx, by, CustomStatus(status_category=category, created_at=moment, updated_at=moment, **fields)
    )


def change_status(tx: Tx, by: User, status: CustomStatus, fields: Mapping[str, Any]) -> CustomStatus:
    """Change a custom status; its category stays, and the default of a category stays active."""
    if "agent_label" in fields:
        check_label(tx, fields["agent_label"], status.id)
    if status.default and fields.get("active") is False:
        raise refusals.invalid("active", "Active: the default status of a category is always active", "InvalidValue")
    return audit_logs.change(tx, by, status, fields)


def make_defaults(tx: Tx, found: Sequence[CustomStatus]) -> None:
    """Make active statuses the defaults of their categories, one per category."""
    if len({status.status_category for status in found}) != len(found):
        raise refusals.invalid("ids", "Ids: only one status per category can be the default", "InvalidValue")
    for status in found:
        if not status.active:
            raise refusals.invalid("ids", f"Ids: {status.id} is not active", "InvalidValue")
        make_default(tx, status)


def offer_instead(tx: Tx, by: User, offered: FormStatus, status_id: int) -> FormStatus:
    """Let a form offer another status instead of one; raise 422 if it offers that one already."""
    taken = tx.first(FormStatus, "ticket_form_id = ? AND custom_status_id = ?", offered.ticket_form_id, status_id)
    if taken is not None and taken.id != offered.id:
        raise refusals.invalid("custom_status_id", "Custom status: has already been taken", "DuplicateValue")
    return audit_logs.change(tx, by, offered, {"custom_status_id": tx.get(CustomStatus, status_id).id})


def check_label(tx: Tx, label: str, besides: int = 0) -> None:
    """Raise 422 unless a label is there, short enough and not used by another status."""
    if not label.strip():
        raise refusals.blank("agent_label", "Agent label")
    if len(label) > 48:
        raise refusals.invalid("agent_label", "Agent label: is too long (maximum is 48 characters)", "ValueTooLong")
    taken = "SELECT 1 FROM zendesk_custom_statuses WHERE lower(agent_label) = ? AND id <> ?"
    if tx.rows(taken, label.lower(), besides):
        raise refusals.invalid("agent_label", f"Agent label: {label} has already been taken", "DuplicateValue")
