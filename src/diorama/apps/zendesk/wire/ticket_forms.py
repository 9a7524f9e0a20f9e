"""Ticket forms as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import FormCondition, TicketForm
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.ticket_fields import TicketFieldObject


class TicketFormObject(Struct, kw_only=True):
    url: str
    id: int
    name: str
    raw_name: str
    display_name: str
    raw_display_name: str
    end_user_visible: bool
    position: int
    ticket_field_ids: tuple[int, ...]
    active: bool
    default: bool
    created_at: datetime
    updated_at: datetime
    in_all_brands: bool
    restricted_brand_ids: tuple[int, ...]
    agent_conditions: tuple[FormCondition, ...]
    end_user_conditions: tuple[FormCondition, ...]


def ticket_form_object(form: TicketForm, name: str, display_name: str) -> TicketFormObject:
    """Return the API object of a ticket form; dynamic content is filled in in its names."""
    return shaped(
        TicketFormObject,
        form,
        f"ticket_forms/{form.id}",
        name=name,
        raw_name=form.name,
        display_name=display_name,
        raw_display_name=form.display_name,
    )


class TicketFormInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    raw_name: str | UnsetType = UNSET
    display_name: str | UnsetType = UNSET
    raw_display_name: str | UnsetType = UNSET
    end_user_visible: bool | UnsetType = UNSET
    position: Id | UnsetType = UNSET
    ticket_field_ids: list[Id] | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    default: bool | UnsetType = UNSET
    in_all_brands: bool | UnsetType = UNSET
    restricted_brand_ids: list[Id] | UnsetType = UNSET
    agent_conditions: list[FormCondition] | UnsetType = UNSET
    end_user_conditions: list[FormCondition] | UnsetType = UNSET


class TicketFormRequest(Struct):
    ticket_form: TicketFormInput | UnsetType = UNSET


class TicketFormResponse(Struct):
    ticket_form: TicketFormObject


class TicketFormsResponse(Listing, kw_only=True):
    ticket_forms: list[TicketFormObject]
    ticket_fields: list[TicketFieldObject] | UnsetType = UNSET


class TicketFormOrder(Struct):
    ticket_form_ids: list[Id] | UnsetType = UNSET
