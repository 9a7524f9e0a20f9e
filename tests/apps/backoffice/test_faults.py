"""Faults: the vendor's own errors, for a limited time, without partial changes."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import faults
from diorama.apps.backoffice.schema import Refund
from diorama.kernel import World
from tests.apps.backoffice.shop import FATE, ask, buy, paid

HOUR = timedelta(hours=1)


@pytest.fixture
def body(world: World) -> dict[str, object]:
    return {"charge_id": paid(world, buy(world, ("AC-SCALE", 1))).id, "amount_cents": 100, "reason": "goodwill"}


def refunds(world: World) -> int:
    return int(world.read(lambda tx: tx.count(Refund)))


def test_a_processor_outage_breaks_refunds_only(world: World, body: dict[str, object]) -> None:
    world.do(faults.processor_down, FATE, HOUR)
    reply = ask(world, "POST", "/api/v1/refunds", body)
    assert (reply.status, reply.json()["error"]["code"]) == (503, "processor_unavailable")
    assert ask(world, "GET", "/api/v1/refunds").status == 200
    assert refunds(world) == 0
    world.wait(HOUR)
    assert ask(world, "POST", "/api/v1/refunds", body).status == 201


def test_an_outage_can_start_later(world: World, body: dict[str, object]) -> None:
    world.do(faults.processor_down, FATE, HOUR, timedelta(minutes=10))
    assert ask(world, "POST", "/api/v1/refunds", body).status == 201
    world.wait(timedelta(minutes=10))
    assert ask(world, "POST", "/api/v1/refunds", body).status == 503


def test_a_flaky_processor_accepts_some_refunds(world: World, body: dict[str, object]) -> None:
    world.do(faults.processor_flaky, FATE, timedelta(days=1))
    seen = {ask(world, "POST", "/api/v1/refunds", body).status for _ in range(20)}
    assert seen == {201, 503}


def test_an_outage_shows_the_proxys_502_page(world: World) -> None:
    world.do(faults.down, FATE, HOUR)
    reply = ask(world, "GET", "/api/v1/me")
    assert (reply.status, reply.headers["content-type"]) == (502, "text/html")
    assert "502 Bad Gateway" in reply.text


def test_a_slow_backend_takes_time_and_then_times_out(world: World, body: dict[str, object]) -> None:
    start = world.now
    world.do(faults.slow, FATE, HOUR, seconds=12.0)
    assert ask(world, "GET", "/api/v1/me").status == 200
    assert world.now - start > timedelta(seconds=12)
    world.do(faults.slow, FATE, HOUR, seconds=60.0)
    assert ask(world, "POST", "/api/v1/refunds", body).status == 504
    assert refunds(world) == 0


def test_after_a_lost_reply_the_idempotency_key_shows_the_result(world: World, body: dict[str, object]) -> None:
    world.do(faults.lost_replies, FATE, timedelta(minutes=5))
    assert ask(world, "POST", "/api/v1/refunds", body, idempotency_key="once").status == 504
    assert refunds(world) == 1
    world.wait(timedelta(minutes=5))
    assert ask(world, "POST", "/api/v1/refunds", body, idempotency_key="once").status == 201
    assert refunds(world) == 1


def test_a_spent_quota_sends_retry_after(world: World) -> None:
    world.do(faults.rate_limited, FATE, HOUR, retry_after=45)
    reply = ask(world, "GET", "/api/v1/me")
    assert (reply.status, reply.headers["Retry-After"]) == (429, "45")
