"""System ticket fields, and how a world adds more."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import FORM_ID, Option, TicketField, TicketForm
from diorama.kernel import Tx


def add_field(
    tx: Tx,
    title: str,
    type: str = "text",
    options: Sequence[tuple[str, str]] = (),
    *,
    description: str = "",
    required: bool = False,
    visible: bool = False,
    removable: bool = True,
) -> TicketField:
    """Add a ticket field; options are (name, value)."""
    moment = now(tx)
    place = tx.count(TicketField)
    field = tx.add(
        TicketField(
            type=type,
            title=title,
            description=description,
            position=place,
            required=required,
            visible_in_portal=visible,
            editable_in_portal=visible,
            removable=removable,
            options=tuple(Option(name, value) for name, value in options) if not removable else (),
            created_at=moment,
            updated_at=moment,
        )
    )
    if not removable or not options:
        return _on_default_form(tx, field)
    listed = tuple(Option(name, value, field.id + 11 * place) for place, (name, value) in enumerate(options, 1))
    return _on_default_form(tx, tx.change(field, options=listed))


def _on_default_form(tx: Tx, field: TicketField) -> TicketField:
    """Add a custom field to the default form."""
    form = tx.find(TicketForm, FORM_ID)
    if form is not None and field.id not in form.ticket_field_ids:
        tx.change(form, ticket_field_ids=(*form.ticket_field_ids, field.id))
    return field


_STATUS = (("New", "new"), ("Open", "open"), ("Pending", "pending"), ("On-hold", "hold"), ("Solved", "solved"))
_TYPES = (("Question", "question"), ("Incident", "incident"), ("Problem", "problem"), ("Task", "task"))
_PRIORITIES = (("Low", "low"), ("Normal", "normal"), ("High", "high"), ("Urgent", "urgent"))


def system_fields(tx: Tx) -> None:
    """Add the fields that every ticket has."""
    add_field(tx, "Subject", "subject", required=True, visible=True, removable=False)
    add_field(
        tx,
        "Description",
        "description",
        description="Please enter the details of your request. A member of our support staff will respond soon.",
        required=True,
        visible=True,
        removable=False,
    )
    add_field(tx, "Status", "status", _STATUS, description="Request status", removable=False)
    add_field(tx, "Type", "tickettype", _TYPES, description="Request type", removable=False)
    add_field(tx, "Priority", "priority", _PRIORITIES, description="Request priority", removable=False)
    add_field(tx, "Group", "group", description="Request group", removable=False)
    add_field(tx, "Assignee", "assignee", description="Agent assigned to your request", removable=False)
    add_field(tx, "Ticket status", "custom_status", _STATUS, description="Request ticket status", removable=False)
