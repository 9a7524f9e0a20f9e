"""Steady load over live episodes: no errors, no data of other episodes. The full run is `make soak`."""

import asyncio
from collections.abc import Callable

import pytest

from diorama.bench.load import load
from diorama.server.front import Front, Ready, Settings
from tests.doors.serving import TOKEN, in_thread

SCENARIO = "zendesk/late-refund"


def loaded(episodes: int, rate: float, seconds: float) -> dict[str, object]:
    async def main(stopping: asyncio.Event, ready: Callable[[Ready], None]) -> None:
        await Front(Settings(token=TOKEN, port=0, workers=0)).serve(stopping, ready)

    with in_thread(main) as ready:
        return asyncio.run(load(ready.control_url, TOKEN, SCENARIO, episodes, rate, seconds))


def clean(figures: dict[str, object]) -> bool:
    return (figures["errors"], figures["foreign_data"], figures["canary_missing"]) == (0, 0, 0)


def test_a_short_load_has_no_error_and_no_foreign_data() -> None:
    figures = loaded(episodes=10, rate=100, seconds=3)
    assert figures["requests"] == 300
    assert clean(figures), figures


@pytest.mark.soak
def test_200_requests_a_second_for_a_minute_over_100_episodes() -> None:
    figures = loaded(episodes=100, rate=200, seconds=60)
    assert figures["requests"] == 12_000
    assert clean(figures), figures
