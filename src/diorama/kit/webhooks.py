"""Outgoing webhooks: an outbox in the image, for receivers outside the world and for other apps of the same world.

A request to another app of the same world is sent inside the world and answered at once. The answer of a receiver
outside enters the world as a recorded input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from diorama.kernel import Notice, Product, Record, Request, Tx, World, counter

COURIER = Product("courier", title="Outgoing webhooks", control=True)
PATIENCE = timedelta(seconds=12)
"""How long a sender waits for an answer before it counts the attempt as failed."""
ANSWER_AT_MOST = 65_536
"""How many characters of an answer are kept."""


class RetryPolicy(msgspec.Struct, frozen=True):
    """Which failures are retried: how often for each status (0 means no answer), and which only with Retry-After."""

    retries_by_status: tuple[tuple[int, int], ...]
    only_with_retry_after: tuple[int, ...] = ()
    at_most_seconds: int = 60


@COURIER.record("deliveries", ids=counter(1), index=[("state", "id")])
class Delivery(Record):
    """One request on its way out: what is sent, how often it was tried, what came back.

    `receiver` is the app of this world that the address belongs to; "" means that the receiver is outside.
    """

    app: str
    topic: str
    method: str = "POST"
    url: str
    receiver: str = ""
    headers: dict[str, str]
    body: str
    retries: tuple[int, ...]
    retry_policy: RetryPolicy | None = None
    sent_at: datetime
    state: Literal["waiting", "resting", "delivered", "failed"] = "waiting"
    attempts: int = 1
    status: int | None = None
    answer: str = ""


class Delivered(Notice):
    """A receiver answered with success."""

    app: str
    delivery: int
    status: int
    attempts: int


class DeliveryFailed(Notice):
    """An attempt got no answer or an error; `final` means that there will be no further attempt."""

    app: str
    delivery: int
    status: int | None
    attempts: int
    final: bool


def post(
    tx: Tx,
    app: str,
    topic: str,
    url: str,
    body: str,
    headers: dict[str, str],
    retries: tuple[int, ...] = (60, 300),
    retry_policy: RetryPolicy | None = None,
    method: str = "POST",
) -> Delivery:
    """Send a request; `retries` are the seconds before each further attempt, `retry_policy` says after which failures.

    The product that sends declares `PRODUCT.needs(COURIER)` and subscribes to Delivered and DeliveryFailed.
    """
    found = tx.company.app_at(urlsplit(url).hostname or "")
    made = tx.add(
        Delivery(
            app=app,
            topic=topic,
            method=method,
            url=url,
            receiver=found.name if found is not None else "",
            headers=headers,
            body=body,
            retries=retries,
            retry_policy=retry_policy,
            sent_at=tx.now,
        )
    )
    _send(tx, made)
    return made


def _send(tx: Tx, delivery: Delivery) -> None:
    """Call an app of this world, or leave the request to a receiver outside."""
    if not delivery.receiver:
        tx.later(PATIENCE, give_up_waiting, delivery_id=delivery.id, attempt=delivery.attempts)
        return
    parts, headers = urlsplit(delivery.url), {name.lower(): value for name, value in delivery.headers.items()}
    request = Request(
        delivery.method, parts.path or "/", parts.query, headers, delivery.body.encode(), parts.hostname or ""
    )
    tx.call(delivery.receiver, request, call_answered, delivery_id=delivery.id)


@COURIER.command
def call_answered(tx: Tx, delivery_id: int, status: int, headers: dict[str, str], body: str) -> None:
    """Take the answer of an app of this world."""
    answered(tx, delivery_id, status, body[:ANSWER_AT_MOST], _retry_after(headers))


def _retry_after(headers: Mapping[str, str]) -> int | None:
    value = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None


@COURIER.command
def answered(tx: Tx, delivery_id: int, status: int, answer: str, retry_after: int | None = None) -> None:
    """Take a receiver's answer; one that comes too late is ignored."""
    delivery = tx.get(Delivery, delivery_id)
    if delivery.state != "waiting":
        return
    if 200 <= status < 300:
        tx.change(delivery, state="delivered", status=status, answer=answer)
        tx.emit(Delivered(app=delivery.app, delivery=delivery.id, status=status, attempts=delivery.attempts))
    else:
        _failed(tx, tx.change(delivery, status=status, answer=answer), retry_after)


@COURIER.command
def give_up_waiting(tx: Tx, delivery_id: int, attempt: int) -> None:
    """Count an attempt without an answer as failed."""
    delivery = tx.get(Delivery, delivery_id)
    if delivery.state == "waiting" and delivery.attempts == attempt:
        _failed(tx, tx.change(delivery, status=None, answer=""))


@COURIER.command
def try_again(tx: Tx, delivery_id: int) -> None:
    """Make the next attempt."""
    delivery = tx.get(Delivery, delivery_id)
    _send(tx, tx.change(delivery, state="waiting", attempts=delivery.attempts + 1, sent_at=tx.now))


def _rest(delivery: Delivery, retry_after: int | None) -> int | None:
    """Return the seconds before the next attempt, or None if there will be no other."""
    tried, policy = delivery.attempts, delivery.retry_policy
    if policy is None:
        return delivery.retries[tried - 1] if tried <= len(delivery.retries) else None
    status = delivery.status or 0
    if tried > dict(policy.retries_by_status).get(status, 0):
        return None
    if status in policy.only_with_retry_after:
        return retry_after if retry_after is not None and 0 <= retry_after <= policy.at_most_seconds else None
    return delivery.retries[min(tried, len(delivery.retries)) - 1]


def _failed(tx: Tx, delivery: Delivery, retry_after: int | None = None) -> None:
    rest = _rest(delivery, retry_after)
    final = rest is None
    tx.change(delivery, state="failed" if final else "resting")
    if rest is not None:
        tx.later(timedelta(seconds=rest), try_again, delivery_id=delivery.id)
    tx.emit(
        DeliveryFailed(
            app=delivery.app,
            delivery=delivery.id,
            status=delivery.status,
            attempts=delivery.attempts,
            final=final,
        )
    )


class Answer(msgspec.Struct, frozen=True):
    """A receiver's answer."""

    status: int
    body: str = ""
    retry_after: int | None = None


def waiting(world: World) -> list[Delivery]:
    """Return the requests that wait for a receiver outside."""
    return world.read(lambda tx: tx.all(Delivery, "state = 'waiting' AND receiver = ''"), boundary="door")


def deliver(world: World, receiver: Callable[[Delivery], Answer]) -> int:
    """Pass every waiting request to a receiver outside the world, and record its answers."""
    found = waiting(world)
    for delivery in found:
        reply = receiver(delivery)
        more: dict[str, Any] = {} if reply.retry_after is None else {"retry_after": reply.retry_after}
        world.apply(
            COURIER.name, answered.__name__, delivery_id=delivery.id, status=reply.status, answer=reply.body, **more
        )
    return len(found)
