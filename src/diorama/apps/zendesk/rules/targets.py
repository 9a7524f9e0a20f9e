"""Targets: addresses that rules send a message to; what does not arrive is remembered."""

from __future__ import annotations

from base64 import b64encode
from typing import Any
from urllib.parse import quote, urlencode

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.placeholders import render
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.schema import APP, Action, Target, TargetFailure, Via
from diorama.kernel import Tx
from diorama.kit.webhooks import Delivered, Delivery, DeliveryFailed, post

CALLED = ("http_target", "url_target", "url_target_v2")
"""The types that are an address; the others are kept, and nothing is sent to them."""
LOSES_FAITH = 21
"""After so many failures in a row a target is switched off; the figure is from the vendor's help pages."""
KEPT = 25
"""So many failures of a target are remembered."""
TOPIC = "target"
_READING = ("GET", "DELETE")


def call_from_rule(edit: Edit, action: Action, rule: Via) -> None:
    """A rule sends its message to a target; one that is gone or asleep is passed over."""
    parts = action.value if isinstance(action.value, list | tuple) else [action.value]
    number = str(parts[0]) if parts else ""
    target = edit.tx.find(Target, int(number)) if number.isascii() and number.isdigit() and len(number) < 19 else None
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
    """Send a message to a target's address, as its type wants it."""
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
    """A target took its message: what failed before is behind it."""
    target = tx.find(Target, target_id)
    if target is not None and target.failures:
        tx.change(target, failures=0)


def record_failure(tx: Tx, target_id: int, delivery: Delivery) -> None:
    """A target did not take its message."""
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
    for old in tx.all(TargetFailure, "target_id = ?", target.id, order="id DESC")[KEPT:]:
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
