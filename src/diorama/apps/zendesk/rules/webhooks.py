"""Webhooks: called by rules and events, signed, retried, and logged."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from hmac import new as hmac
from typing import Any, get_args, get_type_hints

import msgspec

from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.placeholders import render
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.schema import APP, Action, Comment, CommentAdded, Ticket, TicketCreated, User, Via
from diorama.apps.zendesk.schema.webhooks import CONDITIONAL, Attempt, Invocation, Webhook
from diorama.kernel import Refusal, Tx, from_us
from diorama.kit import iso_z
from diorama.kit.webhooks import COURIER, Delivered, Delivery, DeliveryFailed, RetryPolicy, post

APP.needs(COURIER)
RETRIES = (30, 60, 120)
"""Seconds before each retry; the vendor does not document its delays."""
RETRY_POLICY = RetryPolicy(
    retries_by_status=((409, 3), (429, 3), (503, 3), (0, 5)), only_with_retry_after=(429, 503), at_most_seconds=60
)
"""Retry 409 three times and timeouts five times; 429 and 503 three times, only if the receiver sends Retry-After.

Retries after 409, 429, 503 and timeouts are documented; their number is documented only in part.
"""
WINDOW, PAUSE = timedelta(minutes=5), timedelta(seconds=5)
BROKEN_SHARE, BROKEN_COUNT, FEWEST = 0.7, 1000, 100
"""Pause calls to a receiver when 70 % of the attempts of five minutes failed, or more than a thousand did.

Both limits are the vendor's; the minimum number of attempts and the length of the pause are not verified.
"""
TICKET_CREATED = "zen:event-type:ticket.created"
COMMENT_ADDED = "zen:event-type:ticket.comment_added"
EVENTS = {TICKET_CREATED, COMMENT_ADDED}
"""The known event types; `webhook_events` adds those of users, organizations, articles and agents."""
CHOSEN = {name: get_args(get_type_hints(Webhook)[name]) for name in ("status", "http_method", "request_format")}
NEEDED = ("name", "endpoint", "http_method", "request_format", "status")
PROOFS = ("basic_auth", "bearer_token", "api_key")
TYPES = {"json": "application/json", "xml": "application/xml", "form_encoded": "application/x-www-form-urlencoded"}


def signature(secret: str, moment: str, body: str) -> str:
    """Sign as the vendor does: base64 of the HMAC-SHA256 of the time and the body."""
    return b64encode(hmac(secret.encode(), f"{moment}{body}".encode(), sha256).digest()).decode()


TEST_SECRET = b64encode(b"this_secret_is_for_testing_only").decode()
"""Signs tests of webhooks that do not exist yet: https://developer.zendesk.com/documentation/webhooks/verifying/"""


def new_secret(tx: Tx, *about: Any) -> str:
    """Return a new random signing secret."""
    return b64encode(bytes.fromhex(tx.dice("webhook secret", tx.now_us, *about).hex(64))).decode()


def invalid_webhook(field: str, detail: str) -> Refusal:
    """Return a validation error in the format that only webhooks use."""
    problem = {"code": "InvalidWebhook", "title": "Invalid webhook", "detail": detail, "source": {"pointer": field}}
    return Refusal(400, "InvalidWebhook", detail, fields={"errors": [problem]})


def _checked(fields: Mapping[str, Any], whole: bool) -> dict[str, Any]:
    """Return a webhook's fields as they are stored; refuse invalid ones, and a whole webhook with a field missing."""
    out = dict(fields)
    for name, choices in CHOSEN.items():
        if name in out and out[name] not in choices:
            raise invalid_webhook(name, f"{name} must be one of {', '.join(choices)}")
    if "name" in out and not out["name"].strip():
        raise invalid_webhook("name", "name cannot be blank")
    if "endpoint" in out and not out["endpoint"].startswith(("http://", "https://")):
        raise invalid_webhook("endpoint", "endpoint must be a valid URL")
    if out.get("authentication"):
        if out["authentication"].get("type") not in PROOFS:
            raise invalid_webhook("authentication", f"authentication type must be one of {', '.join(PROOFS)}")
        if not isinstance(out["authentication"].get("data"), dict):
            raise invalid_webhook("authentication", "authentication data must be an object")
    if "subscriptions" in out:
        wanted = tuple(dict.fromkeys(out["subscriptions"]))
        unknown = [name for name in wanted if name != CONDITIONAL and name not in EVENTS]
        if unknown:
            raise invalid_webhook("subscriptions", f"{unknown[0]} is not a known event type")
        if CONDITIONAL in wanted and len(wanted) > 1:
            raise invalid_webhook("subscriptions", f"{CONDITIONAL} cannot be combined with other event types")
        out["subscriptions"] = wanted
        out["listens"] = any(name != CONDITIONAL for name in wanted)
    for needed in NEEDED if whole else ():
        if needed not in out:
            raise invalid_webhook(needed, f"{needed} cannot be blank")
    return out


def add(tx: Tx, me: User, fields: Mapping[str, Any]) -> Webhook:
    """Add a webhook with a new signing secret."""
    checked = _checked(fields, whole=True)
    secret, by = new_secret(tx, checked["name"]), {"created_by": me.id, "updated_by": me.id}
    return tx.add(Webhook(**checked, **by, signing_secret=secret, created_at=now(tx), updated_at=now(tx)))


def replace(tx: Tx, me: User, webhook: Webhook, fields: Mapping[str, Any]) -> Webhook:
    """Replace a webhook: no needed field may be missing."""
    _checked(fields, whole=True)
    return change(tx, me, webhook, fields)


def change(tx: Tx, me: User, webhook: Webhook, fields: Mapping[str, Any]) -> Webhook:
    """Change a webhook; it stays one that rules call, or one that events call."""
    checked = _checked(fields, whole=False)
    wanted = checked.get("subscriptions", webhook.subscriptions)
    if (CONDITIONAL in webhook.subscriptions) != (CONDITIONAL in wanted):
        raise invalid_webhook("subscriptions", "subscriptions cannot change between rules and events")
    return tx.change(webhook, **checked, updated_at=now(tx), updated_by=me.id)


def delete(tx: Tx, webhook: Webhook) -> None:
    """Delete a webhook; refuse while an active trigger uses it."""
    if tx.rows("SELECT 1 FROM zendesk_triggers WHERE active = 1 AND instr(actions, ?) > 0 LIMIT 1", webhook.id):
        raise invalid_webhook("id", "webhook is in use by an active trigger")
    tx.remove(webhook)


def call(tx: Tx, webhook: Webhook, event_type: str, body: str) -> Invocation:
    """Send a request to a webhook's URL."""
    body = "" if webhook.http_method in ("GET", "DELETE") else body
    invocation = tx.add(Invocation(webhook_id=webhook.id, event_type=event_type, payload=body, created_at=now(tx)))
    if circuit_open(tx, webhook):
        tx.add(Attempt(invocation_id=invocation.id, status="circuit_broken", completed_at=now(tx)))
        return tx.change(invocation, status="failed", latest_completed_at=now(tx))
    stamp = iso_z(now(tx)) or ""
    headers = {
        "content-type": TYPES[webhook.request_format],
        "user-agent": "Zendesk Webhook",
        "x-zendesk-account-id": str(account_of(tx).number),
        "x-zendesk-webhook-id": webhook.id,
        "x-zendesk-webhook-invocation-id": invocation.id,
        "x-zendesk-webhook-signature": signature(webhook.signing_secret, stamp, body),
        "x-zendesk-webhook-signature-timestamp": stamp,
    }
    given = {**_credentials(webhook.authentication), **(webhook.custom_headers or {})}
    lowered = {name.lower() for name in given}
    headers = {**{name: value for name, value in headers.items() if name not in lowered}, **given}
    made = post(tx, APP.name, event_type, webhook.endpoint, body, headers, RETRIES, RETRY_POLICY, webhook.http_method)
    return tx.change(invocation, headers=headers, delivery=made.id)


_LATELY = (
    "SELECT count(*), coalesce(sum(a.status <> 'success'), 0), max(a.completed_at) FROM zendesk_webhook_attempts a "
    "JOIN zendesk_webhook_invocations i ON i.id = a.invocation_id "
    "WHERE i.webhook_id = ? AND a.completed_at > ? AND a.status <> 'circuit_broken'"
)


def circuit_open(tx: Tx, webhook: Webhook) -> bool:
    """Check whether the circuit breaker blocks a webhook; after the pause, the next call is let through."""
    tried, failed, latest = tx.rows(_LATELY, webhook.id, tx.now - WINDOW)[0]
    broken = failed > BROKEN_COUNT or (tried >= FEWEST and failed >= BROKEN_SHARE * tried)
    return broken and from_us(latest) + PAUSE > tx.now


def _credentials(authentication: dict[str, Any] | None) -> dict[str, str]:
    if not authentication:
        return {}
    data, kind = authentication.get("data") or {}, authentication.get("type")
    if kind == "basic_auth":
        pair = f"{data.get('username', '')}:{data.get('password', '')}"
        return {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    if kind == "bearer_token":
        return {"authorization": f"Bearer {data.get('token', '')}"}
    if kind == "api_key":
        return {str(data.get("name", "x-api-key")): str(data.get("value", ""))}
    return {}


def try_out(tx: Tx, me: User, known: Webhook | None, fields: Mapping[str, Any], payload: str) -> Invocation:
    """Send a test request to a webhook, or to one that is only described; `fields` override the known ones."""
    if known is None:
        described = {"name": "Test", "request_format": "json", "http_method": "POST", "status": "active", **fields}
        checked = _checked(described, whole=True)
        secret, by = TEST_SECRET, {"created_by": me.id, "updated_by": me.id}
        made = Webhook(**checked, **by, signing_secret=secret, created_at=now(tx), updated_at=now(tx))
    else:
        made = msgspec.structs.replace(known, **_checked(fields, whole=False))
    return call(tx, made, "test", payload)


# --- called by rules


def call_from_rule(edit: Edit, action: Action, rule: Via) -> None:
    """Call a webhook with a rule's template; skip webhooks that are deleted or inactive."""
    parts = action.value if isinstance(action.value, list | tuple) else [action.value]
    webhook = edit.tx.find(Webhook, str(parts[0])) if parts else None
    if webhook is None or webhook.status != "active":
        return
    words = _template(parts[1] if len(parts) > 1 else "")
    body = render(words, edit.facts, _escaped if webhook.request_format == "json" else str)
    edit.tell("External", value=webhook.id, body=words, via=rule)
    call(edit.tx, webhook, "conditional_ticket_events", body)


def _template(raw: Any) -> str:
    if not isinstance(raw, list | tuple):
        return raw if isinstance(raw, str) else msgspec.json.encode(raw).decode()
    pairs = {str(pair[0]): pair[1] for pair in raw if isinstance(pair, list | tuple) and len(pair) > 1}
    return msgspec.json.encode(pairs).decode()


def _escaped(text: str) -> str:
    return msgspec.json.encode(text).decode()[1:-1]


# --- called by events


def anyone_listens(tx: Tx) -> bool:
    """Check whether an active webhook subscribes to events."""
    return bool(tx.rows("SELECT 1 FROM zendesk_webhooks WHERE status = 'active' AND listens = 1 LIMIT 1"))


def listening(tx: Tx, event: str) -> list[Webhook]:
    """Return the active webhooks that subscribe to an event."""
    found = tx.all(Webhook, "status = 'active' AND listens = 1", order="id")
    return [webhook for webhook in found if event in webhook.subscriptions]


def _tell(tx: Tx, event: str, ticket_id: int, **more: Any) -> None:
    heard = listening(tx, event)
    if not heard:
        return
    ticket = tx.get(Ticket, ticket_id)
    detail = {
        "id": str(ticket.id),
        "subject": ticket.subject,
        "description": ticket.description,
        "status": ticket.status.upper(),
        "priority": ticket.priority.upper() if ticket.priority else None,
        "type": ticket.type.upper() if ticket.type else None,
        "requester_id": str(ticket.requester_id),
        "assignee_id": str(ticket.assignee_id) if ticket.assignee_id else None,
        "group_id": str(ticket.group_id) if ticket.group_id else None,
        "tags": list(ticket.tags),
        "created_at": iso_z(ticket.created_at),
        "updated_at": iso_z(ticket.updated_at),
    }
    for webhook in heard:
        drawn = tx.dice("webhook event", webhook.id, ticket.id, tx.now_us).hex(32)
        body = {
            "type": event,
            "account_id": account_of(tx).number,
            "id": f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-a{drawn[17:20]}-{drawn[20:]}",
            "time": iso_z(now(tx)),
            "zendesk_event_version": "2022-11-06",
            "subject": f"zen:ticket:{ticket.id}",
            "detail": detail,
            "event": more,
        }
        call(tx, webhook, event, msgspec.json.encode(body).decode())


@APP.on(TicketCreated)
def tell_of_ticket(tx: Tx, event: TicketCreated) -> None:
    """Call the webhooks that are subscribed to new tickets."""
    _tell(tx, TICKET_CREATED, event.ticket)


@APP.on(CommentAdded)
def tell_of_comment(tx: Tx, event: CommentAdded) -> None:
    """Call the webhooks that are subscribed to new comments."""
    if anyone_listens(tx):
        words = tx.get(Comment, event.comment)
        author = tx.find(User, words.author_id)
        comment = {
            "id": str(words.id),
            "body": words.body,
            "is_public": words.public,
            "author": {
                "id": str(words.author_id),
                "name": author.name if author else "",
                "is_staff": bool(author and author.staff),
            },
        }
        _tell(tx, COMMENT_ADDED, event.ticket, comment=comment)


# --- what receivers answer


def record_answer(tx: Tx, delivery: int, status: int | None, answer: str, final: bool) -> None:
    """Record an attempt: the receiver answered or timed out."""
    invocation = tx.first(Invocation, "delivery = ?", delivery)
    if invocation is None:
        return
    good = status is not None and 200 <= status < 300
    tx.add(
        Attempt(
            invocation_id=invocation.id,
            status="success" if good else "timeout" if status is None else "failed",
            status_code=status,
            response=answer,
            completed_at=now(tx),
        )
    )
    tx.change(
        invocation,
        status="success" if good else "failed" if final else "pending",
        latest_completed_at=now(tx),
    )


@APP.on(Delivered)
def webhook_arrived(tx: Tx, event: Delivered) -> None:
    """Record that a receiver took a request of a webhook."""
    if event.app == APP.name:
        record_answer(tx, event.delivery, event.status, tx.get(Delivery, event.delivery).answer, True)


@APP.on(DeliveryFailed)
def webhook_failed(tx: Tx, event: DeliveryFailed) -> None:
    """Record that a receiver did not take a request of a webhook, or not yet."""
    if event.app == APP.name:
        record_answer(tx, event.delivery, event.status, tx.get(Delivery, event.delivery).answer, event.final)
