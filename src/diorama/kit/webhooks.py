"""Outgoing webhooks: an outbox in the image; what a receiver answers comes back as a recorded input."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from diorama.kernel import Notice, Product, Record, Tx, World, counter

COURIER = Product("courier", title="Outgoing webhooks", control=True)
PATIENCE = timedelta(seconds=12)
"""How long a sender waits for an answer before it counts the attempt as failed."""


class Again(msgspec.Struct, frozen=True):
    """Which failures are tried again: how often by status (0 is silence), `told` ones if the receiver says when."""

    times: tuple[tuple[int, int], ...]
    told: tuple[int, ...] = ()
    at_most_seconds: int = 60


@COURIER.record("deliveries", ids=counter(1), index=[("state", "id")])
class Delivery(Record):
    """One request on its way out: what is sent, how often it was tried, what came back."""

    app: str
    topic: str
    url: str
    headers: dict[str, str]
    body: str
    retries: tuple[int, ...]
    again: Again | None = None
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
    """An attempt got no answer or a bad one; `final` when there will be no other."""

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
    again: Again | None = None,
) -> Delivery:
    """Put a request into the outbox; `retries` are the seconds before each further attempt, `again` says after what."""
    made = tx.add(
        Delivery(
            app=app, topic=topic, url=url, headers=headers, body=body, retries=retries, again=again, sent_at=tx.now
        )
    )
    tx.later(PATIENCE, give_up_waiting, delivery_id=made.id, attempt=1)
    return made


@COURIER.command
def answered(tx: Tx, delivery_id: int, status: int, answer: str, retry_after: int | None = None) -> None:
    """A receiver's answer, fed in from outside; one that comes too late is ignored."""
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
    """No answer in time: the attempt failed."""
    delivery = tx.get(Delivery, delivery_id)
    if delivery.state == "waiting" and delivery.attempts == attempt:
        _failed(tx, tx.change(delivery, status=None, answer=""))


@COURIER.command
def try_again(tx: Tx, delivery_id: int) -> None:
    """The next attempt."""
    delivery = tx.get(Delivery, delivery_id)
    delivery = tx.change(delivery, state="waiting", attempts=delivery.attempts + 1, sent_at=tx.now)
    tx.later(PATIENCE, give_up_waiting, delivery_id=delivery.id, attempt=delivery.attempts)


def _rest(delivery: Delivery, retry_after: int | None) -> int | None:
    """The seconds before the next attempt; none where there will be no other."""
    tried, again = delivery.attempts, delivery.again
    if again is None:
        return delivery.retries[tried - 1] if tried <= len(delivery.retries) else None
    status = delivery.status or 0
    if tried > dict(again.times).get(status, 0):
        return None
    if status in again.told:
        return retry_after if retry_after is not None and 0 <= retry_after <= again.at_most_seconds else None
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
    """What a receiver said."""

    status: int
    body: str = ""
    retry_after: int | None = None


def waiting(world: World) -> list[Delivery]:
    """The requests that wait for a receiver."""
    return world.read(lambda tx: tx.all(Delivery, "state = 'waiting'"), boundary="door")


def deliver(world: World, receiver: Callable[[Delivery], Answer]) -> int:
    """Hand every waiting request to a receiver outside the world, and record what it answers."""
    found = waiting(world)
    for delivery in found:
        reply = receiver(delivery)
        more: dict[str, Any] = {} if reply.retry_after is None else {"retry_after": reply.retry_after}
        world.apply(
            COURIER.name, answered.__name__, delivery_id=delivery.id, status=reply.status, answer=reply.body, **more
        )
    return len(found)
