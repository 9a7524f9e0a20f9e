"""Webhooks in API format."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema.webhooks import Attempt, Invocation, Webhook
from diorama.apps.zendesk.wire.pagination import Listing


class WebhookObject(Struct, kw_only=True):
    id: str
    name: str
    description: str
    status: str
    endpoint: str
    http_method: str
    request_format: str
    subscriptions: tuple[str, ...]
    authentication: dict[str, Any] | UnsetType = UNSET
    custom_headers: dict[str, str] | UnsetType = UNSET
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str
    signing_secret: dict[str, str] | UnsetType = UNSET


def webhook_object(webhook: Webhook, **more: Any) -> WebhookObject:
    """Return the API object of a webhook, without the receiver's credentials."""
    shown = {key: value for key, value in (webhook.authentication or {}).items() if key != "data"}
    return WebhookObject(
        id=webhook.id,
        name=webhook.name,
        description=webhook.description,
        status=webhook.status,
        endpoint=webhook.endpoint,
        http_method=webhook.http_method,
        request_format=webhook.request_format,
        subscriptions=webhook.subscriptions,
        authentication=shown or UNSET,
        custom_headers=webhook.custom_headers or UNSET,
        created_at=webhook.created_at,
        created_by=str(webhook.created_by),
        updated_at=webhook.updated_at,
        updated_by=str(webhook.updated_by),
        **more,
    )


class WebhookResponse(Struct):
    webhook: WebhookObject


class WebhooksResponse(Listing, kw_only=True):
    webhooks: list[WebhookObject]


class WebhookInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    endpoint: str | UnsetType = UNSET
    http_method: str | UnsetType = UNSET
    request_format: str | UnsetType = UNSET
    subscriptions: list[str] | UnsetType = UNSET
    authentication: dict[str, Any] | UnsetType | None = UNSET
    custom_headers: dict[str, str] | UnsetType | None = UNSET


class WebhookRequest(Struct):
    webhook: WebhookInput | UnsetType = UNSET


class TestInput(Struct, kw_only=True):
    payload: str = "{}"
    endpoint: str | UnsetType = UNSET
    http_method: str | UnsetType = UNSET
    request_format: str | UnsetType = UNSET
    authentication: dict[str, Any] | UnsetType | None = UNSET
    custom_headers: dict[str, str] | UnsetType | None = UNSET


class WebhookTestRequest(Struct):
    request: TestInput | UnsetType = UNSET
    webhook: WebhookInput | UnsetType = UNSET


class TestAnswer(Struct):
    status: int | None
    payload: str | None
    headers: list[Any]


class WebhookTestResponse(Struct):
    response: TestAnswer
    invocation_id: str


class Secret(Struct):
    algorithm: str
    secret: str


class SecretResponse(Struct):
    signing_secret: Secret


class InvocationObject(Struct):
    id: str
    webhook_id: str
    event_type: str
    status: str
    created_at: datetime
    latest_completed_at: datetime | None


def invocation_object(invocation: Invocation) -> InvocationObject:
    """Return the API object of an invocation."""
    return InvocationObject(
        invocation.id,
        invocation.webhook_id,
        invocation.event_type,
        invocation.status,
        invocation.created_at,
        invocation.latest_completed_at,
    )


class InvocationsResponse(Listing, kw_only=True):
    invocations: list[InvocationObject]


class AttemptObject(Struct):
    id: str
    invocation_id: str
    status: str
    status_code: int | None
    request: dict[str, Any]
    response: dict[str, Any]
    completed_at: datetime


_SECRET = ("authorization",)


def attempt_object(attempt: Attempt, invocation: Invocation) -> AttemptObject:
    """Return the API object of an attempt: the request and the response."""
    headers = [{"key": key, "value": value} for key, value in invocation.headers.items() if key.lower() not in _SECRET]
    return AttemptObject(
        attempt.id,
        attempt.invocation_id,
        attempt.status,
        attempt.status_code,
        {"headers": headers, "payload": invocation.payload},
        {"payload": attempt.response},
        attempt.completed_at,
    )


class AttemptsResponse(Listing, kw_only=True):
    attempts: list[AttemptObject]
