"""Ticket forms: which fields agents or customers must fill in before a ticket can be saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.custom_fields import error_class
from diorama.apps.zendesk.schema import (
    FORM_ID,
    ChildField,
    FormCondition,
    FormStatus,
    Ticket,
    TicketField,
    TicketForm,
    User,
)
from diorama.kernel import Refusal, Tx

_read_conditions = lru_cache(256)(msgspec.json.Decoder(tuple[FormCondition, ...]).decode)
_SYSTEM = {"priority": "priority", "tickettype": "type", "group": "group_id", "assignee": "assignee_id"}
_DONE = ("solved", "closed")
_FLAGS = ("true", "false")
_EMPTY: tuple[Any, ...] = (None, "", [], False)
SOLVING, BLANK = "is required when solving a ticket", "cannot be blank"


class _After:
    """A ticket as an update would leave it."""

    def __init__(self, tx: Tx, ticket: Ticket | None, fields: Mapping[str, Any]) -> None:
        self.tx = tx
        self.ticket = ticket
        self.fields = fields
        self.own: dict[str, Any] = self.of("custom_fields") or {}

    def of(self, name: str) -> Any:
        """Return one column of the ticket."""
        return self.fields[name] if name in self.fields else getattr(self.ticket, name, None)

    def value(self, number: int) -> Any:
        """Return the value of a custom or system field."""
        if str(number) in self.own:
            return self.own[str(number)]
        rows = self.tx.rows("SELECT type FROM zendesk_ticket_fields WHERE id = ? AND removable = 0", number)
        return self.of(_SYSTEM.get(rows[0][0], rows[0][0])) if rows else None

    def holds(self, condition: FormCondition) -> bool:
        """Check whether a condition of the form holds."""
        value, wanted = self.value(condition.parent_field_id), str(condition.value)
        if wanted.lower() in _FLAGS and value in (True, False, None):  # a box that was never ticked is not ticked
            return bool(value) == (wanted.lower() == "true")
        return value is not None and str(value) == wanted


def check(tx: Tx, by: User, ticket: Ticket | None, fields: Mapping[str, Any]) -> None:
    """Raise 422 unless the fields that the ticket's form requires from its author are filled in.

    Agents fill in conditional fields, and all required ones to solve; customers what the portal wants of a new request.
    The API checks agents as the agent interface does, in single and bulk updates, and names every empty field at once.
    Triggers, automations, merges, a problem that solves its incidents, imports, mail and customers are not checked.
    """
    if by.id < 0:
        return
    if by.staff:
        _check_agent(tx, ticket, fields)
    elif ticket is None:
        _check_request(tx, fields)


def _check_agent(tx: Tx, ticket: Ticket | None, fields: Mapping[str, Any]) -> None:
    """Raise 422 unless an agent may leave a ticket like this."""
    form_id = fields.get("ticket_form_id", ticket.ticket_form_id if ticket else FORM_ID)
    rows = tx.rows("SELECT agent_conditions FROM zendesk_ticket_forms WHERE id = ?", form_id)
    solving = fields.get("status") in _DONE and (ticket is None or ticket.status not in _DONE)
    stays = ticket is not None and ticket.status in _DONE and fields.get("status", ticket.status) in _DONE
    emptying = _emptied(ticket, fields) if ticket is not None and stays else set()
    if not rows or (rows[0][0] == "[]" and not solving and not emptying):
        return
    after = _After(tx, ticket, fields)
    status = after.of("status") or "new"
    custom = after.of("custom_status_id") or 0
    if solving or emptying:
        conditions = _read_conditions(rows[0][0])
    else:  # what the others show is not required now
        conditions = _requiring(rows[0][0], status, custom)
        if not conditions:
            return
    shown, hidden = _children(after, conditions)
    missing = {child.id for child in shown if _required(child, status, custom)}
    if solving or emptying:
        wanted = tx.rows("SELECT id FROM zendesk_ticket_fields WHERE required = 1 AND removable = 1 AND active = 1")
        listed = {number for (number,) in wanted if number not in hidden and _on_form(tx, form_id, number)}
        missing |= listed if solving else listed & emptying
    _refuse(tx, after, missing, SOLVING if status in _DONE else BLANK)


@lru_cache(256)
def _requiring(text: str, status: str, custom: int) -> tuple[FormCondition, ...]:
    """Return the conditions, stored as JSON, that can require a field of a ticket with this status."""
    return tuple(
        one for one in _read_conditions(text) if any(_required(child, status, custom) for child in one.child_fields)
    )


def _emptied(ticket: Ticket, fields: Mapping[str, Any]) -> set[int]:
    """Return the custom fields that an update of a solved ticket would empty."""
    left = fields.get("custom_fields", ticket.custom_fields)
    return {int(key) for key in ticket.custom_fields if left.get(key) in _EMPTY}


def _check_request(tx: Tx, fields: Mapping[str, Any]) -> None:
    """Raise 422 unless what the form wants from customers is filled in."""
    form = tx.find(TicketForm, fields.get("ticket_form_id", FORM_ID))
    if form is None:
        return
    after = _After(tx, None, fields)
    shown, hidden = _children(after, form.end_user_conditions)
    missing = {child.id for child in shown if child.is_required}
    wanted = tx.rows(
        "SELECT id FROM zendesk_ticket_fields WHERE required_in_portal = 1 AND visible_in_portal = 1 AND removable = 1 "
        "AND active = 1"
    )
    missing |= {number for (number,) in wanted if number in form.ticket_field_ids and number not in hidden}
    _refuse(tx, after, missing, BLANK)


def _children(after: _After, conditions: Iterable[FormCondition]) -> tuple[list[ChildField], set[int]]:
    """Return the fields that the conditions show now, and those that they hide."""
    shown: list[ChildField] = []
    every: set[int] = set()
    for condition in conditions:
        every.update(child.id for child in condition.child_fields)
        if after.holds(condition):
            shown.extend(condition.child_fields)
    return shown, every - {child.id for child in shown}


def _required(child: ChildField, status: str, custom: int) -> bool:
    rule = child.required_on_statuses
    if rule is None:
        return child.is_required and status in _DONE
    if rule.type == "ALL_STATUSES":
        return True
    if rule.type != "SOME_STATUSES":
        return False
    return status in rule.statuses or custom in rule.custom_statuses


def _on_form(tx: Tx, form_id: int, number: int) -> bool:
    form = tx.find(TicketForm, form_id)
    return form is None or not form.ticket_field_ids or number in form.ticket_field_ids


def _refuse(tx: Tx, after: _After, numbers: Iterable[int], why: str) -> None:
    empty = [number for number in sorted(numbers) if after.value(number) in _EMPTY]
    found = [field for number in empty if (field := tx.find(TicketField, number)) is not None and field.active]
    if found:
        raise _blank(found, why)


def _blank(found: Iterable[TicketField], why: str) -> Refusal:
    return refusals.invalids(
        {
            "base": [
                {
                    "description": f"{field.title}: {why}",
                    "error": "BlankValue" if why == BLANK else None,  # the vendor sends null when a ticket is solved
                    "ticket_field_id": field.id,
                    "ticket_field_type": error_class(field.type),
                }
                for field in found
            ]
        }
    )


def check_form(tx: Tx, form: TicketForm) -> None:
    """Require a name, and that all fields named in the form exist."""
    if not form.name.strip():
        raise refusals.blank("name", "Name")
    named = {*form.ticket_field_ids}
    for condition in (*form.agent_conditions, *form.end_user_conditions):
        named.add(condition.parent_field_id)
        named.update(child.id for child in condition.child_fields)
    for number in sorted(named):
        if tx.find(TicketField, number) is None:
            raise refusals.invalid("ticket_field_ids", f"Ticket field: {number} does not exist", "RecordNotFound")
    if not form.in_all_brands and not form.restricted_brand_ids and form.default:
        raise refusals.invalid("base", "The default form must be available in all brands", "InvalidValue")


def add_form(tx: Tx, by: User, form: TicketForm) -> TicketForm:
    """Add a ticket form."""
    check_form(tx, form)
    return _only_default(tx, audit_logs.add(tx, by, form))


def change_form(tx: Tx, by: User, form: TicketForm, fields: Mapping[str, Any]) -> TicketForm:
    """Change a ticket form; the default one stays active and the default until another one is."""
    after = msgspec.structs.replace(form, **fields)
    check_form(tx, after)
    if form.default and not (after.active and after.default):
        raise refusals.invalid("base", "The default form cannot be deactivated", "InvalidValue")
    return _only_default(tx, audit_logs.change(tx, by, form, fields))


def delete_form(tx: Tx, by: User, form: TicketForm) -> None:
    """Delete a ticket form and the statuses that it offers; the default form stays."""
    if form.default or form.id == FORM_ID:
        raise refusals.invalid("base", "The default form cannot be deleted", "InvalidValue")
    for status in tx.all(FormStatus, "ticket_form_id = ?", form.id):
        tx.remove(status)
    audit_logs.remove(tx, by, form)


def _only_default(tx: Tx, form: TicketForm) -> TicketForm:
    """Make the other forms no defaults if this one is."""
    if form.default:
        for other in tx.all(TicketForm, '"default" = 1 AND id <> ?', form.id):
            tx.change(other, default=False)
    return form
