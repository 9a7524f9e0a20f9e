"""Ticket fields as the API shows and takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import CustomStatus, TicketField
from diorama.apps.zendesk.wire.custom_field_options import FieldOptionObject, OptionInput, option_object
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class StatusOfField(Struct, kw_only=True):
    url: str
    id: int
    status_category: str
    agent_label: str
    end_user_label: str
    description: str
    end_user_description: str
    active: bool
    default: bool
    created_at: datetime
    updated_at: datetime


class TicketFieldObject(Struct, kw_only=True):
    url: str
    id: int
    type: str
    title: str
    raw_title: str
    description: str
    raw_description: str
    position: int
    active: bool
    required: bool
    collapsed_for_agents: bool
    regexp_for_validation: str | None
    title_in_portal: str
    raw_title_in_portal: str
    visible_in_portal: bool
    editable_in_portal: bool
    required_in_portal: bool
    agent_can_edit: bool
    tag: str | None
    created_at: datetime
    updated_at: datetime
    removable: bool
    key: str | None
    agent_description: str | None
    creator_user_id: int | UnsetType = UNSET
    creator_app_name: str | UnsetType | None = UNSET
    sub_type_id: int | UnsetType = UNSET
    relationship_target_type: str | UnsetType = UNSET
    relationship_filter: dict[str, Any] | UnsetType = UNSET
    system_field_options: list[FieldOptionObject] | UnsetType = UNSET
    custom_field_options: list[FieldOptionObject] | UnsetType = UNSET
    custom_statuses: list[StatusOfField] | UnsetType = UNSET


_WITH_OPTIONS = ("status", "priority", "tickettype", "custom_status")


def ticket_field_object(
    field: TicketField, title: str, description: str, statuses: Sequence[CustomStatus] = (), creator: bool = False
) -> TicketFieldObject:
    """Return the API object of a ticket field; dynamic content is filled in in title and description."""
    system: list[FieldOptionObject] | UnsetType = UNSET
    own: list[FieldOptionObject] | UnsetType = UNSET
    named: list[StatusOfField] | UnsetType = UNSET
    if field.type in _WITH_OPTIONS:
        system = [FieldOptionObject(name=option.name, value=option.value) for option in field.options]
    elif field.type in ("tagger", "multiselect"):
        own = [option_object(option) for option in field.options]
    if field.type == "custom_status":
        named = [shaped(StatusOfField, status, f"custom_statuses/{status.id}") for status in statuses]
    usual = 0 if field.type in ("status", "priority") else UNSET
    return shaped(
        TicketFieldObject,
        field,
        f"ticket_fields/{field.id}",
        title=title,
        raw_title=field.title,
        description=description,
        raw_description=field.description,
        title_in_portal=field.title_in_portal or title,
        raw_title_in_portal=field.title_in_portal or field.title,
        agent_can_edit=True,
        key=None,
        creator_user_id=field.creator_user_id if creator else UNSET,
        creator_app_name=None if creator else UNSET,
        sub_type_id=field.sub_type_id if field.sub_type_id is not None else usual,
        relationship_target_type=field.relationship_target_type or UNSET,
        relationship_filter=field.relationship_filter or UNSET,
        system_field_options=system,
        custom_field_options=own,
        custom_statuses=named,
    )


class FieldInput(Struct, kw_only=True):
    """The input for any type of custom field."""

    type: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    raw_title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    position: Id | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    regexp_for_validation: str | UnsetType | None = UNSET
    tag: str | UnsetType | None = UNSET
    relationship_target_type: str | UnsetType | None = UNSET
    relationship_filter: dict[str, Any] | UnsetType | None = UNSET
    custom_field_options: list[OptionInput] | UnsetType = UNSET


class TicketFieldInput(FieldInput, kw_only=True):
    required: bool | UnsetType = UNSET
    collapsed_for_agents: bool | UnsetType = UNSET
    title_in_portal: str | UnsetType = UNSET
    visible_in_portal: bool | UnsetType = UNSET
    editable_in_portal: bool | UnsetType = UNSET
    required_in_portal: bool | UnsetType = UNSET
    agent_description: str | UnsetType | None = UNSET
    sub_type_id: Id | UnsetType = UNSET


class TicketFieldRequest(Struct):
    ticket_field: TicketFieldInput | UnsetType = UNSET


class TicketFieldResponse(Struct):
    ticket_field: TicketFieldObject


class TicketFieldsResponse(Listing, kw_only=True):
    ticket_fields: list[TicketFieldObject]


class TicketFieldOrder(Struct):
    ticket_field_ids: list[Id] | UnsetType = UNSET
