"""API operations for user fields, organization fields and their options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.custom_field_options import (
    delete_option,
    field_with_options,
    option_of,
    options_of,
    put_option,
    requested_fields,
    requested_options,
)
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, reorder, required, set_location
from diorama.apps.zendesk.rules import audit_logs, custom_field_options, dynamic_content
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_field_options import check_field
from diorama.apps.zendesk.rules.custom_fields import PROFILE_TYPES
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import APP, OrganizationField, ProfileField, User, UserField
from diorama.apps.zendesk.wire.custom_field_options import (
    CustomFieldOptionResponse,
    CustomFieldOptionsResponse,
    OptionRequest,
)
from diorama.apps.zendesk.wire.profile_fields import (
    OrganizationFieldOrder,
    OrganizationFieldRequest,
    OrganizationFieldResponse,
    OrganizationFieldsResponse,
    ProfileFieldInput,
    ProfileFieldObject,
    UserFieldOrder,
    UserFieldRequest,
    UserFieldResponse,
    UserFieldsResponse,
    profile_field_object,
)
from diorama.kernel import Reply, Tx

F = TypeVar("F", bound=ProfileField)
_NAMES = (
    "title", "position", "active", "regexp_for_validation", "tag", "relationship_target_type", "relationship_filter",
)  # fmt: skip
_KEY = re.compile(r"[A-Za-z_][\w-]*")
_PATHS: dict[type[ProfileField], str] = {UserField: "user_fields", OrganizationField: "organization_fields"}


def _shape(tx: Tx, field: ProfileField) -> ProfileFieldObject:
    title, description = dynamic_content.fill(tx, field.title), dynamic_content.fill(tx, field.description)
    return profile_field_object(field, _PATHS[type(field)], title, description)


def _page(tx: Tx, page: Page, record: type[F]) -> tuple[list[ProfileFieldObject], dict[str, Any]]:
    fields, around = page_of(tx, page, record, default="position")
    return [_shape(tx, field) for field in fields], around


def _find(tx: Tx, record: type[F], name: str) -> F:
    """Return a field by id or key."""
    number = parse_id(name)
    return or_not_found(tx.first(record, "key = ?", name)) if number is None else tx.get(record, number)


def _check(field: ProfileField) -> None:
    if field.title.strip() and not _KEY.fullmatch(field.key):
        raise refusals.invalid("key", f"Key: {field.key} must only contain letters, numbers and _", "InvalidFormat")
    check_field(field)


def _create(tx: Tx, me: User, record: type[F], asked: ProfileFieldInput) -> F:
    moment = now(tx)
    kind = asked.type or "text"
    if kind not in PROFILE_TYPES:
        raise refusals.not_listed("type", "Type", kind)
    key = asked.key or ""
    if tx.count(record, "key = ?", key):
        raise refusals.invalid("key", f"Key: {key} has already been taken", "DuplicateValue")
    fields = {"title": "", "position": tx.count(record), **requested_fields(asked, *_NAMES)}
    if asked.custom_field_options is not UNSET:
        fields["options"] = custom_field_options.replace_options(tx, requested_options(asked.custom_field_options), ())
    made = record(key=key, type=kind, created_at=moment, updated_at=moment, **fields)
    _check(made)
    field = audit_logs.add(tx, me, made)
    set_location(tx, f"{_PATHS[record]}/{field.id}")
    return field


def _update(tx: Tx, me: User, field: F, asked: ProfileFieldInput) -> F:
    fields = requested_fields(asked, *_NAMES)
    if asked.custom_field_options is not UNSET:
        fields["options"] = custom_field_options.replace_options(
            tx, requested_options(asked.custom_field_options), field.options
        )
    _check(msgspec.structs.replace(field, **fields))
    return audit_logs.change(tx, me, field, fields)


def _delete(tx: Tx, me: User, field: ProfileField) -> None:
    if field.system:
        raise refusals.forbidden()
    audit_logs.remove(tx, me, field)


def _reorder(tx: Tx, record: type[ProfileField], ids: Sequence[int]) -> str:
    reorder(tx, record, ids)
    return ""


# --- users


@APP.get("/api/v2/user_fields", role="agent")
def list_user_fields(tx: Tx, page: Page) -> UserFieldsResponse:
    """List user fields."""
    shapes, around = _page(tx, page, UserField)
    return UserFieldsResponse(user_fields=shapes, **around)


@APP.get("/api/v2/user_fields/{user_field_id}", role="agent")
def show_user_field(tx: Tx, user_field_id: str) -> UserFieldResponse:
    """Show a user field by id or key."""
    return UserFieldResponse(_shape(tx, _find(tx, UserField, user_field_id)))


@APP.post("/api/v2/user_fields", role="admin", status=201)
def create_user_field(tx: Tx, me: Me, body: UserFieldRequest) -> UserFieldResponse:
    """Create a user field."""
    return UserFieldResponse(_shape(tx, _create(tx, me, UserField, required(body.user_field, "user_field"))))


@APP.put("/api/v2/user_fields/reorder", role="admin")
def reorder_user_field(tx: Tx, body: UserFieldOrder) -> str:
    """Reorder user fields."""
    return _reorder(tx, UserField, required(body.user_field_ids, "user_field_ids"))


@APP.put("/api/v2/user_fields/{user_field_id}", role="admin")
def update_user_field(tx: Tx, me: Me, user_field_id: str, body: UserFieldRequest) -> UserFieldResponse:
    """Update a user field."""
    asked = required(body.user_field, "user_field")
    return UserFieldResponse(_shape(tx, _update(tx, me, _find(tx, UserField, user_field_id), asked)))


@APP.delete("/api/v2/user_fields/{user_field_id}", role="admin")
def delete_user_field(tx: Tx, me: Me, user_field_id: str) -> None:
    """Delete a user field."""
    _delete(tx, me, _find(tx, UserField, user_field_id))


# --- user field options


def _choices(tx: Tx, user_field_id: str) -> UserField:
    return field_with_options(_find(tx, UserField, user_field_id))


@APP.get("/api/v2/user_fields/{user_field_id}/options", role="agent")
def list_user_field_options(tx: Tx, user_field_id: str, page: Page) -> CustomFieldOptionsResponse:
    """List the options of a user field."""
    return options_of(_choices(tx, user_field_id), page)


@APP.get("/api/v2/user_fields/{user_field_id}/options/{user_field_option_id}", role="agent")
def show_user_field_option(tx: Tx, user_field_id: str, user_field_option_id: int) -> CustomFieldOptionResponse:
    """Show an option of a user field."""
    return option_of(_choices(tx, user_field_id), user_field_option_id)


@APP.post(
    "/api/v2/user_fields/{user_field_id}/options",
    role="admin",
    status=201,
    also=(200,),
    answers=CustomFieldOptionResponse,
)
def create_or_update_user_field_option(tx: Tx, me: Me, user_field_id: str, body: OptionRequest) -> Reply:
    """Create an option, or change the one whose id is given."""
    return put_option(tx, me, _choices(tx, user_field_id), body)


@APP.delete("/api/v2/user_fields/{user_field_id}/options/{user_field_option_id}", role="admin")
def delete_user_field_option(tx: Tx, me: Me, user_field_id: str, user_field_option_id: int) -> None:
    """Delete an option of a user field."""
    delete_option(tx, me, _choices(tx, user_field_id), user_field_option_id)


# --- organizations


@APP.get("/api/v2/organization_fields", role="agent")
def list_organization_fields(tx: Tx, page: Page) -> OrganizationFieldsResponse:
    """List organization fields."""
    shapes, around = _page(tx, page, OrganizationField)
    return OrganizationFieldsResponse(organization_fields=shapes, **around)


@APP.get("/api/v2/organization_fields/{organization_field_id}", role="agent")
def show_organization_field(tx: Tx, organization_field_id: str) -> OrganizationFieldResponse:
    """Show an organization field by id or key."""
    return OrganizationFieldResponse(_shape(tx, _find(tx, OrganizationField, organization_field_id)))


@APP.post("/api/v2/organization_fields", role="admin", status=201)
def create_organization_field(tx: Tx, me: Me, body: OrganizationFieldRequest) -> OrganizationFieldResponse:
    """Create an organization field."""
    asked = required(body.organization_field, "organization_field")
    return OrganizationFieldResponse(_shape(tx, _create(tx, me, OrganizationField, asked)))


@APP.put("/api/v2/organization_fields/reorder", role="admin")
def reorder_organization_field(tx: Tx, body: OrganizationFieldOrder) -> str:
    """Reorder organization fields."""
    return _reorder(tx, OrganizationField, required(body.organization_field_ids, "organization_field_ids"))


@APP.put("/api/v2/organization_fields/{organization_field_id}", role="admin")
def update_organization_field(
    tx: Tx, me: Me, organization_field_id: str, body: OrganizationFieldRequest
) -> OrganizationFieldResponse:
    """Update an organization field."""
    asked = required(body.organization_field, "organization_field")
    field = _find(tx, OrganizationField, organization_field_id)
    return OrganizationFieldResponse(_shape(tx, _update(tx, me, field, asked)))


@APP.delete("/api/v2/organization_fields/{organization_field_id}", role="admin")
def delete_organization_field(tx: Tx, me: Me, organization_field_id: str) -> None:
    """Delete an organization field."""
    _delete(tx, me, _find(tx, OrganizationField, organization_field_id))
