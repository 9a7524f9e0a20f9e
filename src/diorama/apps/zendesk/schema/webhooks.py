"""Webhooks, their invocations and the attempts."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid

CONDITIONAL = "conditional_ticket_events"
"""The subscription of webhooks that are called only by rules."""


@APP.record("webhooks", ids=ulid(), index=[("status", "listens")], cached=True)
class Webhook(Record):
    """An external URL that is notified; `listens` if it subscribes to events without a rule."""

    id: str = ""
    name: str
    description: str = ""
    status: Literal["active", "inactive"] = "active"
    endpoint: str
    http_method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    request_format: Literal["json", "xml", "form_encoded"] = "json"
    subscriptions: tuple[str, ...] = (CONDITIONAL,)
    listens: bool = False
    authentication: dict[str, Any] | None = None
    custom_headers: dict[str, str] | None = None
    signing_secret: str
    created_at: datetime
    created_by: int
    updated_at: datetime
    updated_by: int


@APP.record("webhook_invocations", ids=ulid(), index=[("webhook_id", "id"), ("delivery",)])
class Invocation(Record):
    """One call of a webhook, which may take several attempts."""

    id: str = ""
    webhook_id: str
    event_type: str
    status: Literal["pending", "success", "failed"] = "pending"
    delivery: int | None = None
    headers: dict[str, str] = {}
    payload: str = ""
    created_at: datetime
    latest_completed_at: datetime | None = None


@APP.record("webhook_attempts", ids=ulid(), index=[("invocation_id", "id"), ("completed_at",)])
class Attempt(Record):
    """One attempt and the receiver's response; empty after a timeout."""

    id: str = ""
    invocation_id: str
    status: Literal["success", "failed", "timeout", "circuit_broken"]
    status_code: int | None = None
    response: str = ""
    completed_at: datetime
