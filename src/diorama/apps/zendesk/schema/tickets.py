"""Tickets, and how they came in."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, counter

Status = Literal["new", "open", "pending", "hold", "solved", "closed"]
Priority = Literal["low", "normal", "high", "urgent"]
Kind = Literal["question", "incident", "problem", "task"]
Score = Literal["unoffered", "offered", "good", "bad"]
STATUSES: tuple[Status, ...] = ("new", "open", "pending", "hold", "solved", "closed")
PRIORITIES: tuple[Priority, ...] = ("low", "normal", "high", "urgent")
TICKET_TYPES: tuple[Kind, ...] = ("question", "incident", "problem", "task")
CUSTOM_STATUS: dict[str, int] = {
    "new": 12_480_498_776_661,
    "open": 12_480_498_776_693,
    "pending": 12_480_498_776_725,
    "hold": 12_480_498_776_757,
    "solved": 12_480_498_776_781,
    "closed": 12_480_498_776_781,
}
"""The default custom status of each category; 0 on a ticket means the default of its status."""
BRAND_ID = 18_416_255_731_092
FORM_ID = 18_416_270_043_540
NOWHERE: dict[str, Any] = {"from": {}, "to": {}, "rel": None}
"""The source of an update that has no specific origin."""


def nowhere() -> dict[str, Any]:
    """Return the shared source of updates without a specific origin; it is never changed."""
    return NOWHERE


class Via(msgspec.Struct, frozen=True):
    """The channel and source of a ticket, comment or audit."""

    channel: str
    source: dict[str, Any] = msgspec.field(default_factory=nowhere)


@APP.record(
    "tickets",
    ids=counter(1),
    index=[
        ("status",),
        ("requester_id",),
        ("assignee_id",),
        ("group_id",),
        ("organization_id",),
        ("updated_at", "id"),
        ("created_at",),
        ("external_id",),
        ("problem_id",),
        ("tags",),
    ],
    search=("subject",),
)
class Ticket(Record):
    """One conversation about one problem; the first comment is its description."""

    status: Status = "new"
    priority: Priority | None = None
    type: Kind | None = None
    requester_id: int
    submitter_id: int
    assignee_id: int | None = None
    group_id: int | None = None
    organization_id: int | None = None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    tags: tuple[str, ...] = ()
    channel: str = "web"
    source: dict[str, Any] = msgspec.field(default_factory=nowhere)
    external_id: str | None = None
    recipient: str | None = None
    problem_id: int | None = None
    due_at: datetime | None = None
    is_public: bool = True
    follower_ids: tuple[int, ...] = ()
    email_cc_ids: tuple[int, ...] = ()
    followup_ids: tuple[int, ...] = ()
    followup_source_id: int | None = None
    custom_fields: dict[str, Any] = {}
    custom_status_id: int = 0
    ticket_form_id: int = FORM_ID
    brand_id: int = BRAND_ID
    satisfaction: Score = "unoffered"
    satisfaction_id: int | None = None
    assigned_at: datetime | None = None
    solved_at: datetime | None = None
    status_updated_at: datetime
    requester_updated_at: datetime
    assignee_updated_at: datetime | None = None
    reopens: int = 0
    schedule_id: int | None = None
    subject: str
    description: str
