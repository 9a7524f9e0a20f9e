"""Webhooks on the wire."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_type_hints

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required
from diorama.apps.zendesk.rules import webhooks
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, BASE, User
from diorama.apps.zendesk.schema.webhooks import CONDITIONAL, Attempt, Invocation, Webhook
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
from diorama.kernel import Refusal, Tx
from diorama.kit import Query

FIELDS = (
    "name", "description", "status", "endpoint", "http_method", "request_format", "subscriptions", "authentication",
    "custom_headers",
)  # fmt: skip
CHOSEN = {name: get_args(get_type_hints(Webhook)[name]) for name in ("status", "http_method", "request_format")}
KINDS = ("basic_auth", "bearer_token", "api_key")


def _refused(field: str, detail: str) -> Refusal:
    """Webhooks word what they refuse in a shape of their own."""
    problem = {"code": "InvalidWebhook", "title": "Invalid webhook", "detail": detail, "source": {"pointer": field}}
    return Refusal(400, "InvalidWebhook", detail, fields={"errors": [problem]})


def _fields(body: WebhookRequest) -> dict[str, Any]:
    fields = given_fields(required(body.webhook, "webhook"), *FIELDS)
    for name, choices in CHOSEN.items():
        if name in fields and fields[name] not in choices:
            raise _refused(name, f"{name} must be one of {', '.join(choices)}")
    if "name" in fields and not fields["name"].strip():
        raise _refused("name", "name cannot be blank")
    if "endpoint" in fields and not fields["endpoint"].startswith(("http://", "https://")):
        raise _refused("endpoint", "endpoint must be a valid URL")
    if fields.get("authentication"):
        proof = fields["authentication"]
        if proof.get("type") not in KINDS:
            raise _refused("authentication", f"authentication type must be one of {', '.join(KINDS)}")
        if not isinstance(proof.get("data"), dict):
            raise _refused("authentication", "authentication data must be an object")
    if "subscriptions" in fields:
        wanted = tuple(dict.fromkeys(fields["subscriptions"]))
        unknown = [name for name in wanted if name not in (CONDITIONAL, *webhooks.EVENTS)]
        if unknown:
            raise _refused("subscriptions", f"{unknown[0]} is not a known event type")
        if CONDITIONAL in wanted and len(wanted) > 1:
            raise _refused("subscriptions", f"{CONDITIONAL} cannot be combined with other event types")
        fields["subscriptions"] = wanted
        fields["listens"] = any(name != CONDITIONAL for name in wanted)
    return fields


@APP.get("/api/v2/webhooks", role="admin")
def list_webhooks(
    tx: Tx,
    page: Page,
    name_contains: Annotated[str | None, Query("filter[name_contains]")] = None,
    status: Annotated[str | None, Query("filter[status]")] = None,
) -> WebhooksResponse:
    """The webhooks of the account."""
    parts: list[str] = ["1"]
    args: list[Any] = []
    if name_contains:
        parts.append("instr(lower(name), ?) > 0")
        args.append(name_contains.lower())
    if status:
        parts.append("status = ?")
        args.append(status)
    orders = {"name": "name", "status": "status", "id": "id"}
    found, around = page_of(tx, page, Webhook, " AND ".join(parts), args, orders=orders)
    return WebhooksResponse(webhooks=[webhook_object(one) for one in found], **around)


@APP.post("/api/v2/webhooks", role="admin", status=201)
def create_or_clone_webhook(
    tx: Tx, me: Me, body: WebhookRequest, clone_webhook_id: str | None = None
) -> WebhookResponse:
    """A new webhook, or a copy of one."""
    moment = now(tx)
    fields: dict[str, Any] = {}
    if clone_webhook_id is not None:
        model = tx.get(Webhook, clone_webhook_id)
        fields = {name: getattr(model, name) for name in (*FIELDS, "listens") if name != "authentication"}
    fields.update(_fields(body) if body.webhook is not UNSET or not fields else {})
    for needed in ("name", "endpoint", "http_method", "request_format", "status"):
        if needed not in fields:
            raise _refused(needed, f"{needed} cannot be blank")
    made = tx.add(
        Webhook(
            **fields,
            signing_secret=webhooks.new_secret(tx, fields["name"]),
            created_at=moment,
            created_by=me.id,
            updated_at=moment,
            updated_by=me.id,
        )
    )
    tx.headers["location"] = f"{BASE}/webhooks/{made.id}"
    return WebhookResponse(webhook_object(made))


@APP.get("/api/v2/webhooks/{webhook_id}", role="admin")
def show_webhook(tx: Tx, webhook_id: str) -> WebhookResponse:
    """One webhook."""
    return WebhookResponse(webhook_object(tx.get(Webhook, webhook_id)))


@APP.put("/api/v2/webhooks/{webhook_id}", role="admin")
def update_webhook(tx: Tx, me: Me, webhook_id: str, body: WebhookRequest) -> None:
    """Replace a webhook; what is not sent is as it is by default."""
    webhook, fields = tx.get(Webhook, webhook_id), _fields(body)
    for needed in ("name", "endpoint", "http_method", "request_format", "status"):
        if needed not in fields:
            raise _refused(needed, f"{needed} cannot be blank")
    _change(tx, webhook, {"description": "", **fields}, me)


@APP.patch("/api/v2/webhooks/{webhook_id}", role="admin")
def patch_webhook(tx: Tx, me: Me, webhook_id: str, body: WebhookRequest) -> None:
    """Change a webhook."""
    webhook = tx.get(Webhook, webhook_id)
    _change(tx, webhook, _fields(body), me)


def _change(tx: Tx, webhook: Webhook, fields: dict[str, Any], me: User) -> None:
    known = webhook.subscriptions
    if "subscriptions" in fields and (CONDITIONAL in known) != (CONDITIONAL in fields["subscriptions"]):
        raise _refused("subscriptions", "subscriptions cannot change between rules and events")
    tx.change(webhook, **fields, updated_at=now(tx), updated_by=me.id)


@APP.delete("/api/v2/webhooks/{webhook_id}", role="admin")
def delete_webhook(tx: Tx, webhook_id: str) -> None:
    """A webhook goes; one that a trigger still calls stays."""
    webhook = tx.get(Webhook, webhook_id)
    if tx.rows("SELECT 1 FROM zendesk_triggers WHERE active = 1 AND instr(actions, ?) > 0 LIMIT 1", webhook.id):
        raise _refused("id", "webhook is in use by an active trigger")
    tx.remove(webhook)


@APP.get("/api/v2/webhooks/{webhook_id}/signing_secret", role="admin")
def show_webhook_signing_secret(tx: Tx, webhook_id: str) -> SecretResponse:
    """What its requests are signed with."""
    return SecretResponse(Secret("SHA256", tx.get(Webhook, webhook_id).signing_secret))


@APP.post("/api/v2/webhooks/{webhook_id}/signing_secret", role="admin", status=201)
def reset_webhook_signing_secret(tx: Tx, me: Me, webhook_id: str) -> SecretResponse:
    """Sign with a new secret from now on."""
    webhook = tx.get(Webhook, webhook_id)
    fresh = tx.change(webhook, signing_secret=webhooks.new_secret(tx, webhook.id), updated_at=now(tx), updated_by=me.id)
    return SecretResponse(Secret("SHA256", fresh.signing_secret))


@APP.post("/api/v2/webhooks/test", role="admin")
def try_webhook(tx: Tx, body: WebhookTestRequest, webhook_id: str | None = None) -> WebhookTestResponse:
    """Send a request by hand; the receiver is outside, so that its answer stands in the invocation a little later."""
    if webhook_id is None:
        raise refusals.parameter_missing("webhook_id")
    payload = body.request.payload if body.request is not UNSET else "{}"
    made = webhooks.call(tx, tx.get(Webhook, webhook_id), "test", payload)
    return WebhookTestResponse(TestAnswer(None, None, []), made.id)


@APP.get("/api/v2/webhooks/{webhook_id}/invocations", role="admin")
def list_webhook_invocations(
    tx: Tx, webhook_id: str, page: Page, status: Annotated[str | None, Query("filter[status]")] = None
) -> InvocationsResponse:
    """The calls of a webhook, the newest first."""
    where, args = "webhook_id = ?", [tx.get(Webhook, webhook_id).id]
    if status:
        where, args = f"{where} AND status = ?", [*args, status]
    found, around = page_of(tx, page, Invocation, where, args, default="-id")
    return InvocationsResponse(invocations=[invocation_object(one) for one in found], **around)


@APP.get("/api/v2/webhooks/{webhook_id}/invocations/{invocation_id}/attempts", role="admin")
def list_webhook_invocation_attempts(tx: Tx, webhook_id: str, invocation_id: str, page: Page) -> AttemptsResponse:
    """The attempts of one call."""
    invocation = get_owned(tx, Invocation, invocation_id, webhook_id=tx.get(Webhook, webhook_id).id)
    found, around = page_of(tx, page, Attempt, "invocation_id = ?", (invocation.id,))
    return AttemptsResponse(attempts=[attempt_object(one, invocation) for one in found], **around)
