"""Custom statuses as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, CustomStatus, FormStatus
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped


class CustomStatusObject(Struct, kw_only=True):
    url: str
    id: int
    status_category: str
    agent_label: str
    raw_agent_label: str
    end_user_label: str
    raw_end_user_label: str
    description: str
    raw_description: str
    end_user_description: str
    raw_end_user_description: str
    active: bool
    default: bool
    created_at: datetime
    updated_at: datetime


def custom_status_object(status: CustomStatus, **filled: str) -> CustomStatusObject:
    """Return the API object of a custom status; `filled` has its texts with dynamic content filled in."""
    return shaped(
        CustomStatusObject,
        status,
        f"custom_statuses/{status.id}",
        raw_agent_label=status.agent_label,
        raw_end_user_label=status.end_user_label,
        raw_description=status.description,
        raw_end_user_description=status.end_user_description,
        **filled,
    )


class CustomStatusInput(Struct, kw_only=True):
    status_category: str | UnsetType = UNSET
    agent_label: str | UnsetType = UNSET
    end_user_label: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    end_user_description: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET


class CustomStatusRequest(Struct):
    custom_status: CustomStatusInput | UnsetType = UNSET


class CustomStatusResponse(Struct):
    custom_status: CustomStatusObject


class CustomStatusesResponse(Struct):
    custom_statuses: list[CustomStatusObject]


class DefaultStatusesRequest(Struct):
    ids: str | UnsetType = UNSET


class Nothing(Struct):
    """An empty object."""


class FormStatusObject(Struct, kw_only=True):
    url: str
    id: str
    ticket_form_id: int
    custom_status_id: int
    created_at: datetime
    updated_at: datetime


def form_status_object(status: FormStatus) -> FormStatusObject:
    """A status that a form offers."""
    return FormStatusObject(
        url=f"{BASE}/ticket_forms/{status.ticket_form_id}/ticket_form_statuses/{status.id}.json",
        id=str(status.id),
        ticket_form_id=status.ticket_form_id,
        custom_status_id=status.custom_status_id,
        created_at=status.created_at,
        updated_at=status.updated_at,
    )


class FormStatusesResponse(Listing, kw_only=True):
    ticket_form_statuses: list[FormStatusObject]


class OfForm(Struct, kw_only=True):
    custom_status_id: Id | UnsetType = UNSET
    id: str | Id | UnsetType = UNSET


class OfStatus(Struct, kw_only=True):
    ticket_form_id: Id | UnsetType = UNSET


class FormStatusesRequest(Struct):
    ticket_form_status: list[OfForm] | OfForm | UnsetType = UNSET


class StatusFormsRequest(Struct):
    ticket_form_status: list[OfStatus] | OfStatus | UnsetType = UNSET


class FormStatusIds(Struct):
    id: list[str | Id] | UnsetType = UNSET
