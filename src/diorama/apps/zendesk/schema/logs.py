"""What the account remembers of its people: who changed what, what concerns whom, and who is logged in."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record(
    "audit_logs",
    ids=sparse(24_102_771_330_516, 384),
    index=[("created_at", "id"), ("source_type", "source_id"), ("actor_id",)],
)
class AuditLog(Record):
    """A change of the account's configuration, or a login."""

    actor_id: int
    actor_name: str
    action: str
    source_id: int
    source_type: str
    source_label: str
    change_description: str
    ip_address: str
    created_at: datetime


@APP.record("activities", ids=sparse(24_610_338_112_788, 384), index=[("user_id", "created_at")])
class Activity(Record):
    """Something that somebody did to an agent's ticket."""

    user_id: int
    actor_id: int
    ticket_id: int
    verb: str
    title: str
    comment_id: int | None = None
    created_at: datetime
    updated_at: datetime


@APP.record("sessions", ids=sparse(3_432_510_211, 96), index=[("user_id", "id")])
class Session(Record):
    """A browser in which somebody is logged in."""

    user_id: int
    authenticated_at: datetime
    last_seen_at: datetime
