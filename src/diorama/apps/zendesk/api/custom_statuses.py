"""API operations for custom statuses and their forms."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, ids_of, page_of, parts_of, single_page
from diorama.apps.zendesk.api.request_parts import Me, get_owned, or_not_found, required, set_location
from diorama.apps.zendesk.rules import audit_logs, custom_statuses, dynamic_content
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import APP, CustomStatus, FormStatus, TicketForm, User
from diorama.apps.zendesk.wire.custom_statuses import (
    CustomStatusesResponse,
    CustomStatusObject,
    CustomStatusRequest,
    CustomStatusResponse,
    DefaultStatusesRequest,
    FormStatusesRequest,
    FormStatusesResponse,
    FormStatusIds,
    Nothing,
    StatusFormsRequest,
    custom_status_object,
    form_status_object,
)
from diorama.kernel import Tx

_NAMES = ("agent_label", "end_user_label", "description", "end_user_description", "active")
_TEXTS = ("agent_label", "end_user_label", "description", "end_user_description")


def _shape(tx: Tx, status: CustomStatus, locale: str = "en-US") -> CustomStatusObject:
    return custom_status_object(
        status, **{name: dynamic_content.fill(tx, getattr(status, name), locale) for name in _TEXTS}
    )


@APP.get("/api/v2/custom_statuses", role="user")
def list_custom_statuses(
    tx: Tx,
    me: Me,
    status_categories: str | None = None,
    active: bool | None = None,
    default: bool | None = None,
) -> CustomStatusesResponse:
    """List custom statuses."""
    tests, args = [], list[str | int]()
    if status_categories:
        names = parts_of(status_categories)
        tests.append(f"status_category IN ({', '.join('?' * len(names))})")
        args.extend(names)
    for column, flag in (("active", active), ('"default"', default)):
        if flag is not None:
            tests.append(f"{column} = ?")
            args.append(int(flag))
    found = tx.all(CustomStatus, " AND ".join(tests), *args, order="id")
    return CustomStatusesResponse([_shape(tx, status, me.locale) for status in found])


@APP.get("/api/v2/custom_statuses/{custom_status_id}", role="user")
def show_custom_status(tx: Tx, me: Me, custom_status_id: int) -> CustomStatusResponse:
    """Show a custom status."""
    return CustomStatusResponse(_shape(tx, tx.get(CustomStatus, custom_status_id), me.locale))


@APP.post("/api/v2/custom_statuses", role="admin", status=201)
def create_custom_status(tx: Tx, me: Me, body: CustomStatusRequest) -> CustomStatusResponse:
    """Create a custom status in a category."""
    asked = required(body.custom_status, "custom_status")
    status = custom_statuses.add_status(tx, me, asked.status_category or "", given_fields(asked, *_NAMES))
    set_location(tx, f"custom_statuses/{status.id}")
    return CustomStatusResponse(_shape(tx, status))


@APP.put("/api/v2/custom_statuses/{custom_status_id}", role="admin")
def update_custom_status(tx: Tx, me: Me, custom_status_id: int, body: CustomStatusRequest) -> CustomStatusResponse:
    """Update a custom status; its category cannot change."""
    status = tx.get(CustomStatus, custom_status_id)
    fields = given_fields(required(body.custom_status, "custom_status"), *_NAMES)
    return CustomStatusResponse(_shape(tx, custom_statuses.change_status(tx, me, status, fields)))


@APP.put("/api/v2/custom_status/default", role="admin")
def bulk_update_default_custom_status(tx: Tx, body: DefaultStatusesRequest) -> Nothing:
    """Make these statuses the defaults of their categories."""
    custom_statuses.make_defaults(tx, [tx.get(CustomStatus, number) for number in ids_of(required(body.ids, "ids"))])
    return Nothing()


# --- form statuses


def _listed(found: Iterable[FormStatus]) -> FormStatusesResponse:
    shapes = [form_status_object(one) for one in found]
    return FormStatusesResponse(ticket_form_statuses=shapes, **single_page(shapes))


def _offer(tx: Tx, me: User, form_id: int, status_id: int) -> FormStatus:
    form, status = tx.get(TicketForm, form_id), tx.get(CustomStatus, status_id)
    found = tx.first(FormStatus, "ticket_form_id = ? AND custom_status_id = ?", form.id, status.id)
    if found is not None:
        return found
    moment = now(tx)
    return audit_logs.add(
        tx, me, FormStatus(ticket_form_id=form.id, custom_status_id=status.id, created_at=moment, updated_at=moment)
    )


@APP.get("/api/v2/ticket_form_statuses", role="agent")
def list_ticket_form_statuses(tx: Tx, page: Page) -> FormStatusesResponse:
    """List which form offers which custom status."""
    found, around = page_of(tx, page, FormStatus)
    return FormStatusesResponse(ticket_form_statuses=[form_status_object(one) for one in found], **around)


@APP.get("/api/v2/ticket_form_statuses/show_many", role="agent")
def show_many_ticket_form_statuses(tx: Tx, ids: str | None = None) -> FormStatusesResponse:
    """Show several form statuses by id."""
    return _listed(get_many(tx, FormStatus, ids_of(ids)))


@APP.get("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses", role="agent")
def ticket_form_ticket_form_statuses(tx: Tx, ticket_form_id: int) -> FormStatusesResponse:
    """List the custom statuses that a form offers."""
    return _listed(tx.all(FormStatus, "ticket_form_id = ?", tx.get(TicketForm, ticket_form_id).id, order="id"))


def _statuses(body: FormStatusesRequest) -> list[int]:
    part = body.ticket_form_status
    listed = part if isinstance(part, list) else [required(part, "ticket_form_status")]
    return [required(one.custom_status_id, "custom_status_id") for one in listed]


@APP.post("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses", role="admin")
def create_ticket_form_statuses(tx: Tx, me: Me, ticket_form_id: int, body: FormStatusesRequest) -> FormStatusesResponse:
    """Add custom statuses to a form."""
    return _listed([_offer(tx, me, ticket_form_id, number) for number in _statuses(body)])


@APP.put("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses", role="admin")
def update_many_ticket_form_statuses(
    tx: Tx, me: Me, ticket_form_id: int, body: FormStatusesRequest
) -> FormStatusesResponse:
    """Replace the custom statuses that a form offers."""
    form = tx.get(TicketForm, ticket_form_id)
    wanted = _statuses(body)
    for one in tx.all(FormStatus, "ticket_form_id = ?", form.id):
        if one.custom_status_id not in wanted:
            audit_logs.remove(tx, me, one)
    return _listed([_offer(tx, me, form.id, number) for number in wanted])


def _one(tx: Tx, form_id: int, number: int | str) -> FormStatus:
    return get_owned(tx, FormStatus, or_not_found(parse_id(str(number))), ticket_form_id=form_id)


@APP.delete("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses", role="admin")
def delete_ticket_form_statuses(tx: Tx, me: Me, ticket_form_id: int, body: FormStatusIds) -> None:
    """Remove several custom statuses from a form."""
    for number in required(body.id, "id"):
        audit_logs.remove(tx, me, _one(tx, ticket_form_id, number))


@APP.put("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses/{ticket_form_status_id}", role="admin")
def update_ticket_form_status_by_id(
    tx: Tx, me: Me, ticket_form_id: int, ticket_form_status_id: int, body: FormStatusesRequest
) -> FormStatusesResponse:
    """Replace one custom status of a form."""
    there = _one(tx, ticket_form_id, ticket_form_status_id)
    [number] = _statuses(body)[:1] or [there.custom_status_id]
    return _listed([custom_statuses.offer_instead(tx, me, there, number)])


@APP.delete("/api/v2/ticket_forms/{ticket_form_id}/ticket_form_statuses/{ticket_form_status_id}", role="admin")
def delete_ticket_form_status_by_id(tx: Tx, me: Me, ticket_form_id: int, ticket_form_status_id: int) -> None:
    """Remove a custom status from a form."""
    audit_logs.remove(tx, me, _one(tx, ticket_form_id, ticket_form_status_id))


@APP.post("/api/v2/custom_statuses/{custom_status_id}/ticket_form_statuses", role="admin")
def create_ticket_form_statuses_for_custom_status(
    tx: Tx, me: Me, custom_status_id: int, body: StatusFormsRequest
) -> FormStatusesResponse:
    """Add a custom status to several forms."""
    part = body.ticket_form_status
    listed = part if isinstance(part, list) else [required(part, "ticket_form_status")]
    numbers = [required(one.ticket_form_id, "ticket_form_id") for one in listed]
    return _listed([_offer(tx, me, number, custom_status_id) for number in numbers])
