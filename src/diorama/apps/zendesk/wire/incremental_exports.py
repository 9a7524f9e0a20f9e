"""Incremental exports as the API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Audit, Comment, Event, Via
from diorama.apps.zendesk.wire.attachments import attachment_object
from diorama.apps.zendesk.wire.groups import GroupObject
from diorama.apps.zendesk.wire.organizations import OrganizationObject
from diorama.apps.zendesk.wire.ticket_comments import html_of
from diorama.apps.zendesk.wire.tickets import TicketObject
from diorama.apps.zendesk.wire.users import UserObject
from diorama.kernel import to_us

CHANNELS = {"web": "Web form", "email": "Mail", "api": "Web service", "rule": "Rule", "system": "System"}


class TicketEventObject(Struct, kw_only=True):
    id: int
    ticket_id: int
    timestamp: int
    created_at: datetime
    updater_id: int
    via: str
    system: dict[str, Any]
    metadata: dict[str, Any]
    event_type: str
    child_events: list[dict[str, Any]]


def ticket_event_object(audit: Audit, comments: Mapping[int, Comment], spoken: bool) -> TicketEventObject:
    """Return the API object of an update in the event stream; `spoken` includes the comments."""
    return TicketEventObject(
        id=audit.id,
        ticket_id=audit.ticket_id,
        timestamp=to_us(audit.created_at) // 1_000_000,
        created_at=audit.created_at,
        updater_id=audit.author_id,
        via=CHANNELS.get(audit.channel, audit.channel),
        system=audit.metadata.get("system", {}),
        metadata=audit.metadata.get("custom", {}),
        event_type="Audit",
        child_events=[
            _child(event, comments.get(event.id), Via(audit.channel, audit.source), spoken) for event in audit.events
        ],
    )


def _child(event: Event, comment: Comment | None, via: Via, spoken: bool) -> dict[str, Any]:
    own = event.via if event.via is not UNSET else via
    out: dict[str, Any] = {"id": event.id, "via": CHANNELS.get(own.channel, own.channel), "via_reference_id": None}
    if event.type == "Comment" and comment is not None:
        if not spoken:
            return {**out, "event_type": "Comment", "comment_present": True, "comment_public": comment.public}
        return {
            **out,
            "via": own,
            "event_type": "Comment",
            "type": "Comment",
            "author_id": comment.author_id,
            "body": comment.body,
            "html_body": html_of(comment),
            "public": comment.public,
            "audit_id": comment.audit_id,
            "attachments": [attachment_object(one) for one in comment.attachments],
        }
    if isinstance(event.field_name, str):
        told = {event.field_name: event.value, "event_type": event.type}
        if event.type == "Change":
            told["previous_value"] = event.previous_value
        return {**out, **told}
    rest = {
        name: value
        for name in ("subject", "body", "recipients", "score", "comment_id", "attachment_id", "cause_name", "macro_id")
        if (value := getattr(event, name)) is not UNSET
    }
    return {**out, **rest, "event_type": event.type}


class TicketEventsResponse(Struct, kw_only=True):
    ticket_events: list[TicketEventObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None


class SampleResponse(Struct, kw_only=True):
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None
    tickets: list[Any] | UnsetType = UNSET
    ticket_events: list[Any] | UnsetType = UNSET
    users: list[Any] | UnsetType = UNSET
    organizations: list[Any] | UnsetType = UNSET


class ExportedOrganizationsResponse(Struct, kw_only=True):
    organizations: list[OrganizationObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None


class CursorTicketsResponse(Struct, kw_only=True):
    tickets: list[TicketObject]
    after_url: str | None
    before_url: str | None
    after_cursor: str | None
    before_cursor: str | None
    end_of_stream: bool
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class TimeTicketsResponse(Struct, kw_only=True):
    tickets: list[TicketObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None
    users: list[UserObject] | UnsetType = UNSET
    groups: list[GroupObject] | UnsetType = UNSET
    organizations: list[OrganizationObject] | UnsetType = UNSET


class CursorUsersResponse(Struct, kw_only=True):
    users: list[UserObject]
    after_url: str | None
    before_url: str | None
    after_cursor: str | None
    before_cursor: str | None
    end_of_stream: bool


class TimeUsersResponse(Struct, kw_only=True):
    users: list[UserObject]
    count: int
    end_of_stream: bool
    end_time: int | None
    next_page: str | None
