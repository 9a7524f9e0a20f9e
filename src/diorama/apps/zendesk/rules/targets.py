"""Targets: URLs to which rules send messages; failures are recorded."""

from __future__ import annotations

from base64 import b64encode
from typing import Any
from urllib.parse import quote, urlencode

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.rules.placeholders import render
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.schema import APP, Action, Target, TargetFailure, User, Via
from diorama.kernel import Tx
from diorama.kit.webhooks import Delivered, Delivery, DeliveryFailed, post

CALLED = ("http_target", "url_target", "url_target_v2")
"""The target types that have a URL; the others are stored, but nothing is sent to them."""
LOSES_FAITH = 21
"""A target is deactivated after this many consecutive failures; the number is from the vendor's help pages."""
FAILURES_KEPT = 25
"""How many failures of a target are kept."""
TOPIC = "target"
_READING = ("GET", "DELETE")


def call_from_rule(edit: Edit, action: Action, rule: Via) -> None:
    """Send a rule's message to a target; skip targets that are deleted or inactive."""
    parts = action.value if isinstance(action.value, list | tuple) else [action.value]
    number = parse_id(str(parts[0])) if parts else None
    target = edit.tx.find(Target, number) if number is not None else None
    if target is None or not target.active or target.type not in CALLED:
        return
    words = parts[1] if len(parts) > 1 else ""
    if isinstance(words, list | tuple):
        pairs = [(str(pair[0]), render(str(pair[1]), edit.facts)) for pair in words if len(pair) > 1]
        text = urlencode(pairs)
    else:
        text = render(str(words), edit.facts)
    edit.tell("External", value=str(target.id), body=words if isinstance(words, str) else text, via=rule)
    call(edit.tx, target, text, lambda template: render(template, edit.facts))


def call(tx: Tx, target: Target, text: str, fill: Any = lambda template: template) -> None:
    """Send a message to a target's URL, in the format of its type."""
    method = str(target.settings.get("method", "post")).upper()
    url = fill(str(target.settings["target_url"]))
    headers = {"user-agent": "Zendesk Target", **_credentials(target)}
    body = text
    if target.type == "url_target":
        pair = urlencode({str(target.settings.get("attribute", "message")): text}, quote_via=quote)
        headers["content-type"] = "application/x-www-form-urlencoded"
        url, body = (f"{url}{'&' if '?' in url else '?'}{pair}", "") if method in _READING else (url, pair)
    elif method in _READING:
        url, body = (f"{url}{'&' if '?' in url else '?'}{text}", "") if text else (url, "")
    else:
        headers["content-type"] = str(target.settings.get("content_type", "application/x-www-form-urlencoded"))
    post(tx, APP.name, f"{TOPIC}:{target.id}", url, body, headers, (), method=method)


def _credentials(target: Target) -> dict[str, str]:
    name = target.settings.get("username")
    if not name:
        return {}
    pair = f"{name}:{target.settings.get('password') or ''}"
    return {"authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def record_success(tx: Tx, target_id: int) -> None:
    """Reset the count of consecutive failures after a successful delivery."""
    target = tx.find(Target, target_id)
    if target is not None and target.failures:
        tx.change(target, failures=0)


def record_failure(tx: Tx, target_id: int, delivery: Delivery) -> None:
    """Record a failed delivery to a target."""
    target = tx.find(Target, target_id)
    if target is None:
        return
    count = target.failures + 1
    tx.change(target, failures=count, active=target.active and count < LOSES_FAITH)
    lines = [f"{name}: {value}" for name, value in delivery.headers.items() if name != "authorization"]
    tx.add(
        TargetFailure(
            target_id=target.id,
            target_name=target.title,
            status_code=delivery.status,
            consecutive_failure_count=count,
            raw_request="\r\n".join([f"{delivery.method} {delivery.url} HTTP/1.1", *lines])
            + f"\r\n\r\n{delivery.body}",
            raw_response=delivery.answer,
            created_at=now(tx),
        )
    )
    for old in tx.all(TargetFailure, "target_id = ?", target.id, order="id DESC")[FAILURES_KEPT:]:
        tx.remove(old)


def _target_of(tx: Tx, delivery_id: int) -> tuple[int, Delivery]:
    """Return the target to which a delivery went, 0 if it was not a target's, and the delivery."""
    delivery = tx.get(Delivery, delivery_id)
    kind, _, number = delivery.topic.partition(":")
    return (int(number) if kind == TOPIC and number.isdigit() else 0), delivery


@APP.on(Delivered)
def target_message_arrived(tx: Tx, event: Delivered) -> None:
    """Record that a target took its message."""
    number, _ = _target_of(tx, event.delivery)
    if event.app == APP.name and number:
        record_success(tx, number)


@APP.on(DeliveryFailed)
def target_message_failed(tx: Tx, event: DeliveryFailed) -> None:
    """Record that a target did not take its message."""
    number, delivery = _target_of(tx, event.delivery)
    if event.app == APP.name and number:
        record_failure(tx, number, delivery)


_REQUIRED: dict[str, tuple[str, ...]] = {
    "email_target": ("email", "subject"),
    "http_target": ("target_url", "method", "content_type"),
    "url_target": ("target_url", "method", "attribute"),
    "url_target_v2": ("target_url", "method"),
    "basecamp_target": ("target_url", "token", "project_id", "resource"),
    "campfire_target": ("subdomain", "room", "token"),
    "clickatell_target": ("username", "password", "api_id", "to"),
    "flowdock_target": ("api_token",),
    "jira_target": ("target_url", "username", "password"),
    "twitter_target": ("token", "secret"),
}
"""What each type of target must be told."""


_OPTIONAL = (
    "username",
    "password",
    "message_id",
    "todo_list_id",
    "from",
    "us_small_business_account",
    "ssl",
    "preserve_format",
)


def _settings_of(kind: str, asked: dict[str, Any]) -> dict[str, Any]:
    allowed = (*_REQUIRED[kind], *_OPTIONAL)
    return {name: value for name, value in asked.items() if name in allowed}


def _check_target(kind: str, title: str, settings: dict[str, Any]) -> None:
    if not title.strip():
        raise refusals.blank("title", "Title")
    for name in _REQUIRED[kind]:
        if settings.get(name) in (None, ""):
            raise refusals.blank(name, name.replace("_", " ").capitalize())
    url = settings.get("target_url", "https://")
    if not isinstance(url, str) or not url.startswith(("https://", "http://")):
        raise refusals.invalid("target_url", "Target url: is invalid", "InvalidFormat")


def add_target(tx: Tx, me: User, asked: dict[str, Any]) -> Target:
    """Add a target; raise 422 for an unknown type or missing settings."""
    kind, title = str(asked.get("type") or ""), str(asked.get("title") or "")
    if kind not in _REQUIRED:
        raise refusals.not_listed("type", "Type", kind or "empty")
    settings = _settings_of(kind, asked)
    _check_target(kind, title, settings)
    active = asked.get("active") is not False
    return audit_logs.add(tx, me, Target(type=kind, title=title, active=active, settings=settings, created_at=now(tx)))


def change_target(tx: Tx, me: User, target: Target, asked: dict[str, Any]) -> Target:
    """Change a target; its type stays."""
    title = str(asked.get("title", target.title) or "")
    settings = {**target.settings, **_settings_of(target.type, asked)}
    _check_target(target.type, title, settings)
    active = target.active if asked.get("active") is None else asked["active"] is True
    return audit_logs.change(tx, me, target, {"title": title, "settings": settings, "active": active})
