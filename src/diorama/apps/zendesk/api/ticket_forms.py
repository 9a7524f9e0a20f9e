"""API operations for ticket forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, ids_of, page_of, single_page
from diorama.apps.zendesk.api.request_parts import Me, reorder, required, set_location
from diorama.apps.zendesk.api.ticket_fields import ticket_field_objects as shown_fields
from diorama.apps.zendesk.rules import audit_logs, dynamic_content, ticket_forms
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, FORM_ID, TicketField, TicketForm, User
from diorama.apps.zendesk.wire.ticket_forms import (
    TicketFormInput,
    TicketFormObject,
    TicketFormOrder,
    TicketFormRequest,
    TicketFormResponse,
    TicketFormsResponse,
    ticket_form_object,
)
from diorama.kernel import Tx

_NAMES = ("name", "display_name", "end_user_visible", "position", "active", "default", "in_all_brands")
_LISTS = ("ticket_field_ids", "restricted_brand_ids", "agent_conditions", "end_user_conditions")


def _shape(tx: Tx, form: TicketForm, locale: str = "en-US") -> TicketFormObject:
    return ticket_form_object(
        form, dynamic_content.fill(tx, form.name, locale), dynamic_content.fill(tx, form.display_name, locale)
    )


def _where(
    me: User, active: bool | None, end_user_visible: bool | None, associated_to_brand: bool | None
) -> tuple[str, list[Any]]:
    """Return the SQL condition for the forms that a user may see; end users see only forms for end users."""
    tests, args = [], []
    if not me.staff:
        tests.append("active = 1 AND end_user_visible = 1")
    for column, flag in (("active", active), ("end_user_visible", end_user_visible)):
        if flag is not None:
            tests.append(f"{column} = ?")
            args.append(int(flag))
    if associated_to_brand:
        tests.append("(in_all_brands = 1 OR restricted_brand_ids <> '[]')")
    return " AND ".join(tests), args


@APP.get("/api/v2/ticket_forms", role="user")
def list_ticket_forms(
    tx: Tx,
    me: Me,
    page: Page,
    active: bool | None = None,
    end_user_visible: bool | None = None,
    fallback_to_default: bool | None = None,
    associated_to_brand: bool | None = None,
    include: str | None = None,
) -> TicketFormsResponse:
    """List ticket forms."""
    where, args = _where(me, active, end_user_visible, associated_to_brand)
    found, around = page_of(tx, page, TicketForm, where, args, default="position")
    if not found and fallback_to_default:
        found = [tx.get(TicketForm, FORM_ID)]
        around = page.around(1)
    return _listed(tx, found, around, include, me.locale)


def _listed(
    tx: Tx, found: Sequence[TicketForm], around: dict[str, Any], include: str | None, locale: str
) -> TicketFormsResponse:
    reply = TicketFormsResponse(ticket_forms=[_shape(tx, form, locale) for form in found], **around)
    if include and "ticket_fields" in include:
        numbers = {number for form in found for number in form.ticket_field_ids}
        reply.ticket_fields = shown_fields(tx, get_many(tx, TicketField, numbers))
    return reply


@APP.get("/api/v2/ticket_forms/show_many", role="user")
def show_many_ticket_forms(
    tx: Tx,
    me: Me,
    ids: str | None = None,
    active: bool | None = None,
    end_user_visible: bool | None = None,
    associated_to_brand: bool | None = None,
    include: str | None = None,
) -> TicketFormsResponse:
    """Show several ticket forms by id."""
    where, args = _where(me, active, end_user_visible, associated_to_brand)
    wanted = ids_of(ids)
    marks = f"id IN ({', '.join('?' * len(wanted))})"
    found = tx.all(TicketForm, f"{marks} AND {where}" if where else marks, *wanted, *args, order="position, id")
    return _listed(tx, found, single_page(found), include, me.locale)


@APP.get("/api/v2/ticket_forms/{ticket_form_id}", role="user")
def show_ticket_form(tx: Tx, me: Me, ticket_form_id: int) -> TicketFormResponse:
    """Show a ticket form."""
    form = tx.get(TicketForm, ticket_form_id)
    if not me.staff and not (form.active and form.end_user_visible):
        raise refusals.not_found()
    return TicketFormResponse(_shape(tx, form, me.locale))


def _fields(asked: TicketFormInput) -> dict[str, Any]:
    fields = given_fields(asked, *_NAMES)
    if asked.raw_name is not UNSET:
        fields["name"] = asked.raw_name
    if asked.raw_display_name is not UNSET:
        fields["display_name"] = asked.raw_display_name
    fields.update({name: tuple(value) for name, value in given_fields(asked, *_LISTS).items()})
    return fields


@APP.post("/api/v2/ticket_forms", role="admin", status=201)
def create_ticket_form(tx: Tx, me: Me, body: TicketFormRequest) -> TicketFormResponse:
    """Create a ticket form."""
    asked = required(body.ticket_form, "ticket_form")
    moment = now(tx)
    fields = {"name": "", "position": tx.count(TicketForm) + 1, **_fields(asked)}
    fields.setdefault("display_name", fields["name"])
    if not fields.get("ticket_field_ids"):
        system = tx.all(TicketField, "removable = 0 AND active = 1", order="position, id")
        fields["ticket_field_ids"] = tuple(field.id for field in system)
    form = ticket_forms.add_form(tx, me, TicketForm(created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"ticket_forms/{form.id}")
    return TicketFormResponse(_shape(tx, form))


@APP.put("/api/v2/ticket_forms/reorder", role="admin")
def reorder_ticket_forms(tx: Tx, body: TicketFormOrder) -> TicketFormsResponse:
    """Reorder ticket forms."""
    reorder(tx, TicketForm, required(body.ticket_form_ids, "ticket_form_ids"))
    found = tx.all(TicketForm, order="position, id")
    return _listed(tx, found, single_page(found), None, "en-US")


@APP.put("/api/v2/ticket_forms/{ticket_form_id}", role="admin")
def update_ticket_form(tx: Tx, me: Me, ticket_form_id: int, body: TicketFormRequest) -> TicketFormResponse:
    """Update a ticket form; the given fields and conditions replace the old ones."""
    form = tx.get(TicketForm, ticket_form_id)
    fields = _fields(required(body.ticket_form, "ticket_form"))
    return TicketFormResponse(_shape(tx, ticket_forms.change_form(tx, me, form, fields)))


@APP.delete("/api/v2/ticket_forms/{ticket_form_id}", role="admin")
def delete_ticket_form(tx: Tx, me: Me, ticket_form_id: int) -> None:
    """Delete a ticket form; the default form cannot be deleted."""
    ticket_forms.delete_form(tx, me, tx.get(TicketForm, ticket_form_id))


@APP.post("/api/v2/ticket_forms/{ticket_form_id}/clone", role="admin")
def clone_ticket_form(tx: Tx, me: Me, ticket_form_id: int) -> TicketFormResponse:
    """Clone a ticket form with its fields and conditions."""
    form = tx.get(TicketForm, ticket_form_id)
    moment = now(tx)
    copy = msgspec.structs.replace(
        form,
        id=0,
        name=f"Copy of {form.name}",
        default=False,
        active=False,
        position=tx.count(TicketForm) + 1,
        created_at=moment,
        updated_at=moment,
    )
    return TicketFormResponse(_shape(tx, audit_logs.add(tx, me, copy)))
