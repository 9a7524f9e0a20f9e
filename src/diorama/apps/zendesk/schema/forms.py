"""Which fields a ticket is asked for: forms with their conditions, and the statuses that a company names itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


class RequiredOn(msgspec.Struct, frozen=True):
    """In which statuses an agent must have filled in a field."""

    type: str = "NO_STATUSES"
    statuses: tuple[str, ...] = ()
    custom_statuses: tuple[int, ...] = ()


class ChildField(msgspec.Struct, frozen=True):
    """A field that appears when a condition holds."""

    id: int
    is_required: bool = False
    required_on_statuses: RequiredOn | None = None


class FormCondition(msgspec.Struct, frozen=True):
    """When one field has a value, others appear."""

    parent_field_id: int
    value: Any
    child_fields: tuple[ChildField, ...] = ()


@APP.record("ticket_forms", ids=sparse(18_416_270_100_116, 512), index=[("position",)])
class TicketForm(Record):
    """A selection of fields for one kind of request."""

    name: str
    display_name: str = ""
    position: int = 9999
    active: bool = True
    end_user_visible: bool = False
    default: bool = False
    in_all_brands: bool = True
    restricted_brand_ids: tuple[int, ...] = ()
    ticket_field_ids: tuple[int, ...] = ()
    agent_conditions: tuple[FormCondition, ...] = ()
    end_user_conditions: tuple[FormCondition, ...] = ()
    created_at: datetime
    updated_at: datetime


@APP.record("custom_statuses", ids=sparse(12_480_498_900_244, 512), index=[("status_category",)])
class CustomStatus(Record):
    """A status with the company's own words; its category says what it means to the desk."""

    status_category: str
    agent_label: str
    end_user_label: str = ""
    description: str = ""
    end_user_description: str = ""
    active: bool = True
    default: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "ticket_form_statuses",
    ids=sparse(18_416_271_410_004, 256),
    unique=[("ticket_form_id", "custom_status_id")],
)
class FormStatus(Record):
    """A form offers a status."""

    ticket_form_id: int
    custom_status_id: int
    created_at: datetime
    updated_at: datetime
