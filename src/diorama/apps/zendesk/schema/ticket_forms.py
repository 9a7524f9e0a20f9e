"""Records of ticket forms."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


class RequiredOn(msgspec.Struct, frozen=True):
    """The statuses in which an agent must have filled in a field."""

    type: str = "NO_STATUSES"
    statuses: tuple[str, ...] = ()
    custom_statuses: tuple[int, ...] = ()


class ChildField(msgspec.Struct, frozen=True):
    """A field that appears when a condition holds."""

    id: int
    is_required: bool = False
    required_on_statuses: RequiredOn | None = None


class FormCondition(msgspec.Struct, frozen=True):
    """Other fields appear when one field has a value."""

    parent_field_id: int
    value: Any
    child_fields: tuple[ChildField, ...] = ()


@APP.record("ticket_forms", ids=sparse(18_416_270_100_116, 512), index=[("position",)], cached=True)
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
