"""API operations for ticket fields and their options."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.custom_field_options import (
    delete_option,
    field_with_options,
    option_of,
    options_of,
    put_option,
    requested_fields,
    requested_options,
)
from diorama.apps.zendesk.api.pagination import Page, count_records, page_of
from diorama.apps.zendesk.api.request_parts import Me, reorder, required, set_location
from diorama.apps.zendesk.rules import audit_logs, custom_field_options, dynamic_content, ticket_fields
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_fields import TICKET_TYPES
from diorama.apps.zendesk.schema import APP, FORM_ID, CustomStatus, TicketField, TicketForm
from diorama.apps.zendesk.wire.custom_field_options import (
    CustomFieldOptionResponse,
    CustomFieldOptionsResponse,
    OptionRequest,
)
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.ticket_fields import (
    TicketFieldObject,
    TicketFieldOrder,
    TicketFieldRequest,
    TicketFieldResponse,
    TicketFieldsResponse,
    ticket_field_object,
)
from diorama.kernel import Reply, Tx

_NAMES = (
    "title", "position", "active", "required", "collapsed_for_agents", "regexp_for_validation", "title_in_portal",
    "visible_in_portal", "editable_in_portal", "required_in_portal", "agent_description", "tag", "sub_type_id",
    "relationship_target_type", "relationship_filter",
)  # fmt: skip
_SYSTEM_FIXED = ("regexp_for_validation", "tag", "relationship_target_type", "relationship_filter")


def ticket_field_objects(
    tx: Tx, fields: list[TicketField], locale: str = "en-US", creator: bool = False
) -> list[TicketFieldObject]:
    """Build the reply objects of ticket fields."""
    statuses = tx.all(CustomStatus, order="id") if any(field.type == "custom_status" for field in fields) else []
    return [
        ticket_field_object(
            field,
            dynamic_content.fill(tx, field.title, locale),
            dynamic_content.fill(tx, field.description, locale),
            statuses,
            creator,
        )
        for field in fields
    ]


def _answer(tx: Tx, field: TicketField) -> TicketFieldResponse:
    return TicketFieldResponse(ticket_field_objects(tx, [field])[0])


@APP.get("/api/v2/ticket_fields", role="user")
def list_ticket_fields(
    tx: Tx,
    me: Me,
    page: Page,
    locale: str = "en-US",
    creator: bool = False,
    active: bool | None = None,
) -> TicketFieldsResponse:
    """List ticket fields; end users see only those visible in the portal."""
    where, args = ("", ()) if me.staff else ("visible_in_portal = 1 AND active = 1", ())
    if active is not None:
        where = " AND ".join(part for part in (where, f"active = {int(active)}") if part)
    fields, around = page_of(tx, page, TicketField, where, args, orders={"position": "position"}, default="position")
    return TicketFieldsResponse(ticket_fields=ticket_field_objects(tx, fields, locale, creator), **around)


@APP.get("/api/v2/ticket_fields/count", role="agent")
def count_ticket_fields(tx: Tx) -> CountResponse:
    """Count ticket fields."""
    return count_records(tx, TicketField)


@APP.get("/api/v2/ticket_fields/{ticket_field_id}", role="agent")
def show_ticketfield(tx: Tx, ticket_field_id: int, creator: bool = False) -> TicketFieldResponse:
    """Show a ticket field."""
    return TicketFieldResponse(ticket_field_objects(tx, [tx.get(TicketField, ticket_field_id)], creator=creator)[0])


@APP.post("/api/v2/ticket_fields", role="admin", status=201)
def create_ticket_field(tx: Tx, me: Me, body: TicketFieldRequest) -> TicketFieldResponse:
    """Create a ticket field and add it to the default form."""
    asked = required(body.ticket_field, "ticket_field")
    kind = asked.type or ""
    if kind not in TICKET_TYPES:
        raise refusals.not_listed("type", "Type", kind or "empty")
    moment = now(tx)
    fields = {"title": "", "position": tx.count(TicketField), **requested_fields(asked, *_NAMES)}
    if asked.custom_field_options is not UNSET:
        fields["options"] = custom_field_options.replace_options(tx, requested_options(asked.custom_field_options), ())
    made = TicketField(type=kind, removable=True, creator_user_id=me.id, created_at=moment, updated_at=moment, **fields)
    ticket_fields.check_ticket_field(tx, made)
    field = audit_logs.add(tx, me, made)
    form = tx.find(TicketForm, FORM_ID)
    if form is not None:
        tx.change(form, ticket_field_ids=(*form.ticket_field_ids, field.id), updated_at=moment)
    set_location(tx, f"ticket_fields/{field.id}")
    return _answer(tx, field)


@APP.put("/api/v2/ticket_fields/reorder", role="admin")
def reorder_ticket_fields(tx: Tx, body: TicketFieldOrder) -> str:
    """Reorder ticket fields."""
    reorder(tx, TicketField, required(body.ticket_field_ids, "ticket_field_ids"))
    return ""


@APP.put("/api/v2/ticket_fields/{ticket_field_id}", role="admin")
def update_ticket_field(tx: Tx, me: Me, ticket_field_id: int, body: TicketFieldRequest) -> TicketFieldResponse:
    """Update a ticket field; the given options replace the old ones."""
    field = tx.get(TicketField, ticket_field_id)
    asked = required(body.ticket_field, "ticket_field")
    fields = requested_fields(asked, *_NAMES)
    if not field.removable:
        fields = {name: value for name, value in fields.items() if name not in _SYSTEM_FIXED}
    elif asked.custom_field_options is not UNSET:
        fields["options"] = custom_field_options.replace_options(
            tx, requested_options(asked.custom_field_options), field.options
        )
    ticket_fields.check_change(tx, field, fields)
    return _answer(tx, audit_logs.change(tx, me, field, fields))


@APP.delete("/api/v2/ticket_fields/{ticket_field_id}", role="admin")
def delete_ticket_field(tx: Tx, me: Me, ticket_field_id: int) -> None:
    """Delete a ticket field; forms and tickets no longer show it."""
    ticket_fields.delete_field(tx, me, tx.get(TicketField, ticket_field_id))


# --- options


def _choices(tx: Tx, ticket_field_id: int) -> TicketField:
    return field_with_options(tx.get(TicketField, ticket_field_id))


@APP.get("/api/v2/ticket_fields/{ticket_field_id}/options", role="agent")
def list_ticket_field_options(tx: Tx, ticket_field_id: int, page: Page) -> CustomFieldOptionsResponse:
    """List the options of a ticket field."""
    return options_of(_choices(tx, ticket_field_id), page)


@APP.get("/api/v2/ticket_fields/{ticket_field_id}/options/{ticket_field_option_id}", role="agent")
def show_ticket_field_option(tx: Tx, ticket_field_id: int, ticket_field_option_id: int) -> CustomFieldOptionResponse:
    """Show an option of a ticket field."""
    return option_of(_choices(tx, ticket_field_id), ticket_field_option_id)


@APP.post(
    "/api/v2/ticket_fields/{ticket_field_id}/options",
    role="admin",
    status=201,
    also=(200,),
    answers=CustomFieldOptionResponse,
    rate_limits=(limits.OPTIONS,),
)
def create_or_update_ticket_field_option(tx: Tx, me: Me, ticket_field_id: int, body: OptionRequest) -> Reply:
    """Create an option, or change the one whose id is given."""
    return put_option(
        tx, me, _choices(tx, ticket_field_id), body, lambda changed: ticket_fields.check_ticket_field(tx, changed)
    )


@APP.delete("/api/v2/ticket_fields/{ticket_field_id}/options/{ticket_field_option_id}", role="admin")
def delete_ticket_field_option(tx: Tx, me: Me, ticket_field_id: int, ticket_field_option_id: int) -> None:
    """Delete an option of a ticket field."""
    delete_option(tx, me, _choices(tx, ticket_field_id), ticket_field_option_id)
