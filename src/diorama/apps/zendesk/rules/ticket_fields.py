"""Checks of ticket fields, and their deletion."""

from __future__ import annotations

from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.custom_field_options import check_field
from diorama.apps.zendesk.schema import TicketField, TicketForm, User
from diorama.kernel import Tx


def check_ticket_field(tx: Tx, field: TicketField) -> None:
    """Raise 422 unless a field is complete and shares no tag with another one."""
    check_field(field)
    owner = next((other for other in tx.all(TicketField, "removable = 1") if _shares_tag(other, field)), None)
    if owner is not None:
        raise refusals.invalid("custom_field_options", f"Tag: is already used in {owner.title}", "DuplicateValue")


def _shares_tag(other: TicketField, field: TicketField) -> bool:
    """A tag may belong to one field alone."""
    if other.id == field.id or not other.active:
        return False
    return not _tags(other).isdisjoint(_tags(field))


def _tags(field: TicketField) -> set[str]:
    mine = {option.value for option in field.options if field.removable}
    return mine | ({field.tag} if field.type == "checkbox" and field.tag else set())


def check_change(tx: Tx, field: TicketField, fields: dict[str, Any]) -> None:
    """Raise 422 unless a field may be changed like this; system fields only need a title."""
    if field.removable:
        check_ticket_field(tx, msgspec.structs.replace(field, **fields))
    elif "title" in fields and not fields["title"].strip():
        raise refusals.blank("title", "Title")


def delete_field(tx: Tx, by: User, field: TicketField) -> None:
    """Delete a ticket field and take it off the forms; raise 403 for a system field."""
    if not field.removable:
        raise refusals.forbidden()
    for form in tx.all(TicketForm):
        if field.id in form.ticket_field_ids:
            tx.change(form, ticket_field_ids=tuple(one for one in form.ticket_field_ids if one != field.id))
    audit_logs.remove(tx, by, field)
