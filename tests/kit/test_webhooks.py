"""Outgoing webhooks: the outbox is state; receivers are outside, or other apps of the same world."""

from datetime import timedelta

import pytest

from diorama.kernel import Company, Product, Record, Refusal, Tx, World, counter
from diorama.kernel.testing import fresh, image_for
from diorama.kit import Product as WireProduct
from diorama.kit.webhooks import (
    COURIER,
    Answer,
    Delivered,
    Delivery,
    DeliveryFailed,
    RetryPolicy,
    deliver,
    post,
    waiting,
)
from tests.kit.library import LIBRARY

DAY = timedelta(days=1)
SHOP = Product("shop")
SHOP.needs(COURIER)
CHAT = WireProduct("chat", title="Receives messages", refusals=LIBRARY.refusals, envelope=LIBRARY.envelope)


@SHOP.record("outcomes", ids=counter(1))
class Outcome(Record):
    """How an attempt ended."""

    status: int | None
    attempts: int
    final: bool


@SHOP.on(Delivered)
def note_success(tx: Tx, event: Delivered) -> None:
    """Keep a success."""
    tx.add(Outcome(status=event.status, attempts=event.attempts, final=True))


@SHOP.on(DeliveryFailed)
def note_failure(tx: Tx, event: DeliveryFailed) -> None:
    """Keep a failure."""
    tx.add(Outcome(status=event.status, attempts=event.attempts, final=event.final))


@CHAT.record("messages", ids=counter(1))
class Message(Record):
    """What was received."""

    text: str
    query: str


@CHAT.post("/hooks/{room}", public=True, status=202)
def receive(tx: Tx, room: str, body: bytes, via: str = "") -> dict[str, str]:
    """Take a message, unless it says no."""
    if body == b"no":
        raise Refusal(409, "Unwanted")
    tx.add(Message(text=f"{room}: {body.decode()}", query=via))
    return {"took": room}


SHOPS = Company("webhook-tests", [SHOP, CHAT.install("chat.example")])


def shop() -> World:
    """A company with a sender and a receiver; the courier is there because the sender needs it."""
    return World.open(SHOPS, image_for(SHOPS), 0)


def send(world: World, text: str, url: str = "https://chat.example/hooks/ops?via=shop", **more: object) -> Delivery:
    """Post a message as the shop; return the delivery afterwards."""
    made = world.do(lambda tx: post(tx, "shop", "order", url, text, {"x-sign": "s"}, **more), "system:shop")  # type: ignore[arg-type] # keyword arguments of post
    world.wait(timedelta(0))
    found: Delivery = world.read(lambda tx: tx.get(Delivery, made.id))
    return found


def posted(retries: tuple[int, ...] = (60,)) -> World:
    world = fresh([COURIER])
    hook, signed = "http://127.0.0.1:9/hook", {"x-sign": "s"}
    world.do(post, "system:shop", "shop", "order.placed", hook, '{"order":1}', signed, retries)
    return world


def only(world: World) -> Delivery:
    found: Delivery = world.read(lambda tx: tx.get(Delivery, 1))
    return found


def test_an_answer_in_time_delivers_and_is_recorded_as_an_input() -> None:
    world = posted()
    assert deliver(world, lambda sent: Answer(200, sent.body)) == 1
    assert (only(world).state, only(world).answer) == ("delivered", '{"order":1}')
    assert world.events[-1].door == "input"
    assert world.events[-1].request["args"] == {"delivery_id": 1, "status": 200, "answer": '{"order":1}'}
    world.wait(DAY)
    assert only(world).attempts == 1


def test_no_answer_is_a_failed_attempt_and_is_retried() -> None:
    world = posted(retries=(60, 300))
    world.wait(timedelta(seconds=30))
    assert (only(world).state, waiting(world)) == ("resting", [])
    world.wait(timedelta(seconds=45))
    assert (only(world).state, only(world).attempts) == ("waiting", 2)
    world.wait(DAY)
    assert (only(world).state, only(world).attempts, only(world).status) == ("failed", 3, None)
    assert world.events[-1].notices == ["DeliveryFailed"]


def test_a_bad_answer_is_retried_and_a_late_one_is_ignored() -> None:
    world = posted()
    deliver(world, lambda sent: Answer(500, "boom"))
    assert (only(world).state, only(world).status) == ("resting", 500)
    world.apply("courier", "answered", delivery_id=1, status=200, answer="too late")
    assert only(world).state == "resting"


def test_the_outbox_forks_with_the_world() -> None:
    world = posted()
    twin = world.fork()
    deliver(twin, lambda sent: Answer(204))
    assert (only(twin).state, only(world).state) == ("delivered", "waiting")


def test_a_product_needed_by_others_is_installed_once() -> None:
    assert [app.name for app in SHOPS.apps] == ["shop", "chat", "courier"]
    named = Company("named", [COURIER, SHOP])
    assert [app.name for app in named.apps] == ["courier", "shop"]


def test_a_request_to_an_app_of_the_world_is_a_call_inside_it() -> None:
    world = shop()
    sent = send(world, "hello")
    assert (sent.receiver, sent.state, sent.status, sent.answer) == ("chat", "delivered", 202, '{"took":"ops"}')
    [message] = world.read(lambda tx: tx.all(Message))
    assert (message.text, message.query) == ("ops: hello", "shop")
    call = next(event for event in world.events if event.operation == "receive")
    assert (call.door, call.actor, call.turn, call.changes[0].by) == ("world", "anonymous:", 0, "shop.call")
    assert call.root == world.events[1].root
    assert waiting(world) == []
    assert world.read(lambda tx: tx.all(Outcome))[0].status == 202


def test_a_request_to_another_host_waits_for_a_receiver_outside() -> None:
    world = shop()
    assert (send(world, "hello", "https://elsewhere.example/in").receiver, len(waiting(world))) == ("", 1)
    assert world.read(lambda tx: tx.all(Message)) == []


def test_a_refusal_inside_the_world_is_retried_as_outside() -> None:
    world = shop()
    sent = send(world, "no", retries=(60,))
    assert (sent.state, sent.status, sent.attempts) == ("resting", 409, 1)
    world.wait(timedelta(minutes=2))
    found: list[Outcome] = world.read(lambda tx: tx.all(Outcome))
    assert [(one.status, one.attempts, one.final) for one in found] == [(409, 1, False), (409, 2, True)]


def test_a_retry_survives_an_outage_inside_the_world() -> None:
    world = shop()
    world.do(lambda tx: tx.fault("chat", "down", timedelta(0), timedelta(seconds=30)), "system:stage")
    assert (send(world, "hello", retries=(60,)).state, send(world, "again", retries=()).state) == ("resting", "failed")
    world.wait(timedelta(minutes=2))
    assert [one.text for one in world.read(lambda tx: tx.all(Message))] == ["ops: hello"]


@pytest.mark.parametrize(("seconds", "state"), [(20, "resting"), (600, "failed")])
def test_a_busy_receiver_sends_retry_after(seconds: int, state: str) -> None:
    world = shop()
    minutes = timedelta(minutes=1)
    world.do(lambda tx: tx.fault("chat", "rate_limited", timedelta(0), minutes, retry_after=seconds), "system:stage")
    retry_policy = RetryPolicy(retries_by_status=((429, 1),), only_with_retry_after=(429,))
    assert send(world, "hello", retry_policy=retry_policy).state == state


def test_an_unknown_path_inside_the_world_is_a_bad_answer() -> None:
    assert send(shop(), "hello", "https://chat.example/nowhere", retries=()).status == 404


def test_a_method_other_than_post_reaches_the_receiver() -> None:
    sent = send(shop(), "hello", method="DELETE", retries=())
    assert (sent.method, sent.status) == ("DELETE", 405)
