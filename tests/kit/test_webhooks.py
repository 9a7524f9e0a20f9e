"""Outgoing webhooks: the outbox is state, the receiver is outside, its answer is a recorded input."""

from datetime import timedelta

from diorama.kernel import World
from diorama.kernel.testing import fresh
from diorama.kit.webhooks import COURIER, Answer, Delivery, deliver, post, waiting

DAY = timedelta(days=1)


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


def test_silence_is_a_failed_attempt_and_is_tried_again_until_the_retries_are_used_up() -> None:
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
