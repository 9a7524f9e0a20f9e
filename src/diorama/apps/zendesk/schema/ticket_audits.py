"""Audits: every update of a ticket and its events."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.tickets import Via, nowhere
from diorama.kernel import Record, counter


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event of an audit; a Comment event only refers to the comment, which has the text."""

    id: int
    type: str
    field_name: str | UnsetType = UNSET
    value: Any = UNSET
    previous_value: Any = UNSET
    via: Via | UnsetType = UNSET
    subject: str | UnsetType = UNSET
    body: str | UnsetType = UNSET
    recipients: tuple[int, ...] | UnsetType = UNSET
    score: str | UnsetType = UNSET
    assignee_id: int | UnsetType | None = UNSET
    comment_id: int | UnsetType = UNSET
    public: bool | UnsetType = UNSET
    macro_id: str | UnsetType = UNSET
    macro_title: str | UnsetType = UNSET
    attachment_id: int | UnsetType = UNSET
    cause_id: int | UnsetType = UNSET
    cause_name: str | UnsetType = UNSET
    previous_schedule_id: int | UnsetType | None = UNSET
    new_schedule_id: int | UnsetType | None = UNSET


AUDIT_STEP, EVENT_STEP = 6400, 20
"""Audit ids are spaced so that the ids of their events fit in between."""


@APP.record("audits", ids=counter(41_250_663_915_212, AUDIT_STEP), index=[("ticket_id", "id"), ("created_at",)])
class Audit(Record):
    """One update of a ticket, and everything that it changed."""

    ticket_id: int
    author_id: int
    created_at: datetime
    channel: str = "web"
    source: dict[str, Any] = msgspec.field(default_factory=nowhere)
    metadata: dict[str, Any] = {}
    events: tuple[Event, ...] = ()
