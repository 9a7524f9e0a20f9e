"""API operations for webhooks."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required
from diorama.apps.zendesk.rules import webhooks
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, BASE
from diorama.apps.zendesk.schema.webhooks import Attempt, Invocation, Webhook
from diorama.apps.zendesk.wire.webhooks import (
    AttemptsResponse,
    InvocationsResponse,
    Secret,
    SecretResponse,
    TestAnswer,
    WebhookRequest,
    WebhookResponse,
    WebhooksResponse,
    WebhookTestRequest,
    WebhookTestResponse,
    attempt_object,
    invocation_object,
    webhook_object,
)
from diorama.kernel import Tx
from diorama.kit import Query

FIELDS = (
    "name", "description", "status", "endpoint", "http_method", "request_format", "subscriptions", "authentication",
    "custom_headers",
)  # fmt: skip


TESTED = ("endpoint", "http_method", "request_format", "authentication", "custom_headers")


def _fields(body: WebhookRequest) -> dict[str, Any]:
    return given_fields(required(body.webhook, "webhook"), *FIELDS)


@APP.get("/api/v2/webhooks", role="admin")
def list_webhooks(
    tx: Tx,
    page: Page,
    name_contains: Annotated[str | None, Query("filter[name_contains]")] = None,
    status: Annotated[str | None, Query("filter[status]")] = None,
) -> WebhooksResponse:
    """List webhooks."""
    parts: list[str] = ["1"]
    args: list[Any] = []
    if name_contains:
        parts.append("instr(lower(name), ?) > 0")
        args.append(name_contains.lower())
    if status:
        parts.append("status = ?")
        args.append(status)
    orders = {"name": "name", "status": "status", "id": "id"}
    found, around = page_of(tx, page.with_cursor(), Webhook, " AND ".join(parts), args, orders=orders)
    return WebhooksResponse(webhooks=[webhook_object(one) for one in found], **around)


@APP.post("/api/v2/webhooks", role="admin", status=201)
def create_or_clone_webhook(
    tx: Tx, me: Me, body: WebhookRequest, clone_webhook_id: str | None = None
) -> WebhookResponse:
    """Create a webhook, or clone one."""
    fields: dict[str, Any] = {}
    if clone_webhook_id is not None:
        model = tx.get(Webhook, clone_webhook_id)
        fields = {name: getattr(model, name) for name in FIELDS if name != "authentication"}
    fields.update(_fields(body) if body.webhook is not UNSET or not fields else {})
    made = webhooks.add(tx, me, fields)
    tx.headers["location"] = f"{BASE}/webhooks/{made.id}"
    return WebhookResponse(webhook_object(made))


@APP.get("/api/v2/webhooks/{webhook_id}", role="admin")
def show_webhook(tx: Tx, webhook_id: str) -> WebhookResponse:
    """Show a webhook."""
    return WebhookResponse(webhook_object(tx.get(Webhook, webhook_id)))


@APP.put("/api/v2/webhooks/{webhook_id}", role="admin")
def update_webhook(tx: Tx, me: Me, webhook_id: str, body: WebhookRequest) -> None:
    """Replace a webhook; a description that is not given is cleared."""
    webhooks.replace(tx, me, tx.get(Webhook, webhook_id), {"description": "", **_fields(body)})


@APP.patch("/api/v2/webhooks/{webhook_id}", role="admin")
def patch_webhook(tx: Tx, me: Me, webhook_id: str, body: WebhookRequest) -> None:
    """Update a webhook."""
    webhooks.change(tx, me, tx.get(Webhook, webhook_id), _fields(body))


@APP.delete("/api/v2/webhooks/{webhook_id}", role="admin")
def delete_webhook(tx: Tx, webhook_id: str) -> None:
    """Delete a webhook; refused while an active trigger uses it."""
    webhooks.delete(tx, tx.get(Webhook, webhook_id))


@APP.get("/api/v2/webhooks/{webhook_id}/signing_secret", role="admin")
def show_webhook_signing_secret(tx: Tx, webhook_id: str) -> SecretResponse:
    """Show the signing secret of a webhook."""
    return SecretResponse(Secret("SHA256", tx.get(Webhook, webhook_id).signing_secret))


@APP.post("/api/v2/webhooks/{webhook_id}/signing_secret", role="admin", status=201)
def reset_webhook_signing_secret(tx: Tx, me: Me, webhook_id: str) -> SecretResponse:
    """Replace the signing secret of a webhook."""
    webhook = tx.get(Webhook, webhook_id)
    fresh = tx.change(webhook, signing_secret=webhooks.new_secret(tx, webhook.id), updated_at=now(tx), updated_by=me.id)
    return SecretResponse(Secret("SHA256", fresh.signing_secret))


@APP.post("/api/v2/webhooks/test", role="admin")
def try_webhook(tx: Tx, me: Me, body: WebhookTestRequest, webhook_id: str | None = None) -> WebhookTestResponse:
    """Test a webhook, or one that is only described; the receiver's reply appears in the invocation a little later."""
    known = tx.get(Webhook, webhook_id) if webhook_id is not None else None
    fields = given_fields(body.webhook, *FIELDS) if body.webhook is not UNSET else {}
    payload = "{}"
    if body.request is not UNSET:
        payload = body.request.payload
        fields.update(given_fields(body.request, *TESTED))
    made = webhooks.try_out(tx, me, known, fields, payload)
    return WebhookTestResponse(TestAnswer(None, None, []), made.id)


@APP.get("/api/v2/webhooks/{webhook_id}/invocations", role="admin")
def list_webhook_invocations(
    tx: Tx, webhook_id: str, page: Page, status: Annotated[str | None, Query("filter[status]")] = None
) -> InvocationsResponse:
    """List the invocations of a webhook, newest first."""
    where, args = "webhook_id = ?", [tx.get(Webhook, webhook_id).id]
    if status:
        where, args = f"{where} AND status = ?", [*args, status]
    found, around = page_of(tx, page.with_cursor(), Invocation, where, args, default="-id")
    return InvocationsResponse(invocations=[invocation_object(one) for one in found], **around)


@APP.get("/api/v2/webhooks/{webhook_id}/invocations/{invocation_id}/attempts", role="admin")
def list_webhook_invocation_attempts(tx: Tx, webhook_id: str, invocation_id: str, page: Page) -> AttemptsResponse:
    """List the attempts of a webhook invocation."""
    invocation = get_owned(tx, Invocation, invocation_id, webhook_id=tx.get(Webhook, webhook_id).id)
    found, around = page_of(tx, page.with_cursor(), Attempt, "invocation_id = ?", (invocation.id,))
    return AttemptsResponse(attempts=[attempt_object(one, invocation) for one in found], **around)
