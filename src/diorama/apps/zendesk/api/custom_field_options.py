"""Custom field options on the wire, and checks that all kinds of custom fields share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields
from diorama.apps.zendesk.api.request_parts import or_not_found, required
from diorama.apps.zendesk.rules import audit_logs, custom_field_options
from diorama.apps.zendesk.rules.custom_field_options import CHOOSING, RequestedOption, check_field
from diorama.apps.zendesk.schema import BASE, Option, TicketField, User, UserField
from diorama.apps.zendesk.wire.custom_field_options import (
    CustomFieldOptionResponse,
    CustomFieldOptionsResponse,
    FieldOptionObject,
    OptionInput,
    OptionRequest,
    option_object,
)
from diorama.apps.zendesk.wire.ticket_fields import FieldInput
from diorama.kernel import Reply, Tx

Choosing = TicketField | UserField
C = TypeVar("C", TicketField, UserField)


def requested_fields(asked: FieldInput, *names: str) -> dict[str, Any]:
    """Return the fields set by a body; `raw_title` sets the title, and a null description becomes empty."""
    fields = given_fields(asked, *names)
    if asked.raw_title is not UNSET:
        fields["title"] = asked.raw_title
    if asked.description is not UNSET:
        fields["description"] = asked.description or ""
    return fields


# --- options


def field_with_options(field: C) -> C:
    """Return the field if its type has options; raise 404 otherwise."""
    if field.type not in CHOOSING:
        raise refusals.not_found()
    return field


def _option(field: Choosing, number: int) -> Option:
    return or_not_found(next((option for option in field.options if option.id == number), None))


def _shape(field: Choosing, option: Option) -> FieldOptionObject:
    path = "ticket_fields" if isinstance(field, TicketField) else "user_fields"
    url = f"{BASE}/{path}/{field.id}/options/{option.id}.json"
    return option_object(option, position=field.options.index(option), url=url)


def options_of(field: Choosing, page: Page) -> CustomFieldOptionsResponse:
    """Return one page of a field's options."""
    start, size = page.offset.skip, page.offset.size
    shapes = [_shape(field, option) for option in field.options[start : start + size]]
    return CustomFieldOptionsResponse(custom_field_options=shapes, **page.around(len(field.options)))


def option_of(field: Choosing, number: int) -> CustomFieldOptionResponse:
    """Return one of a field's options."""
    return CustomFieldOptionResponse(_shape(field, _option(field, number)))


def put_option(tx: Tx, me: User, field: C, body: OptionRequest, check: Callable[[C], None] = check_field) -> Reply:
    """Create an option (201), or change the one whose id is given (200)."""
    [asked] = requested_options([required(body.custom_field_option, "custom_field_option")])
    listed, made, fresh = custom_field_options.put_option(tx, asked, field.options)
    check(msgspec.structs.replace(field, options=listed))
    field = audit_logs.change(tx, me, field, {"options": listed})
    shape = CustomFieldOptionResponse(_shape(field, made))
    return Reply(201 if fresh else 200, {}, msgspec.json.encode(shape))


def delete_option(tx: Tx, me: User, field: Choosing, number: int) -> None:
    """Delete an option; the last one cannot be deleted."""
    gone = _option(field, number)
    left = custom_field_options.without_option(field.options, gone)
    audit_logs.change(tx, me, field, {"options": left})


def requested_options(listed: Iterable[OptionInput]) -> list[RequestedOption]:
    """Convert the options of a body."""
    return [
        RequestedOption(
            name=_or_none(one.name),
            value=_or_none(one.value),
            id=_or_none(one.id),
            default=one.default is True,
            position=_or_none(one.position),
        )
        for one in listed
    ]


def _or_none(value: Any) -> Any:
    return None if value is UNSET else value
