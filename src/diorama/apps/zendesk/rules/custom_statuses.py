"""Custom statuses: the company's own names for ticket statuses."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.schema import CUSTOM_STATUS, CustomStatus, FormStatus, Ticket
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
