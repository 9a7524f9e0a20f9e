"""A backlog of job items: no turn, wait or settlement runs more of it than its price, and no agent is void by it."""

import sys
from typing import Any

import pytest

from diorama.episodes.episode import ENDED_EARLY, Episode, start
from diorama.kernel import World
from diorama.kernel.budget import BACKGROUND, SETTLEMENT_PRICE, TURN_PRICE, WAIT_PRICE
from diorama.worlds import company_of

ONE_MORE = BACKGROUND.rows_read + 10_000
"""The last entry may exceed what is left, by no more than one entry may cost."""


def tickets(job: int, copies: int) -> dict[str, Any]:
    def one(place: int) -> dict[str, Any]:
        copied = [{"user_email": f"{job}-{place}-{number}@x.example"} for number in range(copies)]
        return {"subject": "s", "comment": {"body": "x"}, "email_ccs": copied}

    return {"tickets": [one(place) for place in range(100)]}


def fill(episode: Episode) -> list[int]:
    binary = {"content-type": "application/octet-stream"}
    sent = (b"ab\xff" * 1_600_000 + bytes([number]) for number in range(4))
    return [episode.http("zendesk", "POST", "/api/v2/uploads.json?filename=a.bin", s, binary).status for s in sent]


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The price of the agenda entries that ran in each turn, wait or settlement."""
    run_to, spent = World._run_to, list[int]()

    def counted(self: World, target: int, *args: Any, **named: Any) -> Any:
        price = named.get("price", TURN_PRICE)
        seen, left = run_to(self, target, *args, **named)
        spent.append(price - left)
        return seen, left

    monkeypatch.setattr(World, "_run_to", counted)
    return spent


def test_a_backlog_runs_in_bounded_parts(prices: list[int]) -> None:
    episode = start("zendesk/late-refund", 7)
    for job in range(6):
        reply = episode.http("zendesk", "POST", "/api/v2/tickets/create_many.json", tickets(job, 30))
        assert reply.status == 200
    for _ in range(10):
        assert episode.http("zendesk", "GET", "/api/v2/users/me.json").status == 200
    assert TURN_PRICE < max(prices) <= TURN_PRICE + ONE_MORE
    assert ENDED_EARLY in episode.call("wait", {"minutes": 120}).text
    assert WAIT_PRICE < max(prices) <= WAIT_PRICE + ONE_MORE
    prices.clear()
    result = episode.finish("x")
    assert sum(prices) <= SETTLEMENT_PRICE + ONE_MORE
    assert (result.ended, result.fault, result.success) == ("done", None, False)


def test_an_agent_reaches_the_limit_of_queued_jobs() -> None:
    episode = start("zendesk/late-refund", 7)
    replies = [
        episode.http("zendesk", "POST", "/api/v2/tickets/create_many.json", tickets(job, 5)) for job in range(39)
    ]
    refused = [reply.text for reply in replies if reply.status == 429]
    assert refused
    assert "TooManyJobs" in refused[0]


def test_a_backlog_replays_alike() -> None:
    def acted() -> Episode:
        episode = start("zendesk/late-refund", 7, restage=True)
        for job in range(3):
            episode.http("zendesk", "POST", "/api/v2/tickets/create_many.json", tickets(job, 20))
        fill(episode)
        return episode

    one, other = acted().finish("x"), acted().finish("x")
    assert (one.trace, one.state, one.score) == (other.trace, other.state, other.score)


def test_large_requests_do_not_fill_the_memory() -> None:
    episode = start("zendesk/late-refund", 7)
    for number in range(30):
        body = bytes([number]) + b"\xff" * 4_900_000
        episode.http("zendesk", "POST", "/api/v2/uploads.json?filename=a.bin", body, {"content-type": "x/y"})
    held = sum(len(entry.core) + sum(map(len, entry.bodies.values())) for entry in episode.world.chain.entries())
    assert held < 29 << 20
    assert (episode.finish().ended, episode.finish().fault) == ("step_limit", None)


def test_a_server_loads_liquid_before_the_first_request() -> None:
    prepared = [one for app in company_of("larkspur").apps for one in app.product.preparations]
    for prepare in prepared:
        prepare()
    assert "diorama.apps.zendesk.rules.liquid.engine" in sys.modules
