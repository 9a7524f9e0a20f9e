"""Ten agents attack a server: the others get every answer. `make soak` also compares how long they wait."""

import asyncio
import json
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from diorama.bench.load import Load
from tests.doors.serving import TOKEN
from tests.server.test_workers import SCENARIO, serving

POLITELY = ("nice", "-n", "19")
"""Attackers act on machines of their own: what their side costs on this one must not slow down the others."""


@contextmanager
def attacking(url: str, half_open: int, seconds: float = 600) -> Iterator[subprocess.Popen[str]]:
    """Attack a server from another process; enter once all ten agents have begun."""
    command = [*POLITELY, sys.executable, "-m", "diorama.bench.attack", "--url", url, "--token", TOKEN]
    options = ["--scenario", SCENARIO, "--seconds", str(seconds), "--half-open", str(half_open)]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "attacking\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def burning() -> Iterator[subprocess.Popen[str]]:
    """Keep one core busy, as the process of the attackers does."""
    process = subprocess.Popen([*POLITELY, sys.executable, "-c", "while True: pass"], text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Measured:
    """A server that measures itself."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.measured"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = self.say()

    def say(self, word: str = "") -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if word:
            self.process.stdin.write(word + "\n")
            self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def costs(self) -> list[tuple[float, float]]:
        """Return the loop's CPU seconds between requests and replies since the last call, and the attackers' part."""
        figures: list[tuple[float, float]] = json.loads(self.say("report"))
        return figures

    def close(self) -> None:
        self.process.communicate(timeout=60)


async def attacked(episodes: int, rate: float, seconds: float, half_open: int, phases: int = 1) -> dict[str, Any]:
    """Load a server without and with attackers, in turns; return what was measured in each phase.

    While the attackers are stopped, another process keeps as many cores busy, so that the machine is equally loaded.
    """
    server = Measured()
    found: dict[str, Any] = {"calm": [], "attacked": []}
    costs: list[tuple[float, float]] = []
    load = Load(server.url, TOKEN)
    try:
        await load.open(SCENARIO, episodes)
        with burning() as burner, attacking(server.url, half_open) as attackers:
            for number in range(2 * phases):
                kind = ("calm", "attacked")[number % 2]
                for process in (burner, attackers):
                    stopped = (process is attackers) == (kind == "calm")
                    process.send_signal(signal.SIGSTOP if stopped else signal.SIGCONT)
                await asyncio.sleep(2)
                server.costs()
                found[kind].append(await load.run(rate, seconds))
                costs += server.costs() if kind == "attacked" else ()
            attackers.send_signal(signal.SIGTERM)
            told, _ = await asyncio.to_thread(attackers.communicate, timeout=120)
        found["told"] = json.loads(told)
        found["cpu_ms"] = percentiles([whole for whole, _ in costs])
        found["cpu_ms_without_attackers"] = percentiles([whole - beside for whole, beside in costs])
        pairs = zip(found["attacked"], found["calm"], strict=True)
        found["p99_ratio"] = statistics.median(hard["p99_ms"] / calm["p99_ms"] for hard, calm in pairs)
        sys.stderr.write(json.dumps(found) + "\n")
        await load.close()
        return found
    finally:
        server.close()


def percentiles(seconds: list[float]) -> dict[str, float]:
    figures = sorted(seconds)
    return {f"p{share}": round(1000 * figures[share * len(figures) // 100], 2) for share in (50, 90, 99)}


def check(found: dict[str, Any]) -> None:
    for figures in (*found["calm"], *found["attacked"]):
        assert (figures["errors"], figures["foreign_data"], figures["canary_missing"]) == (0, 0, 0), figures
    ends = {end for row in found["told"].values() for end in row["ends"]}
    # a flood uses up the hours of its episode, and large requests fill its record
    assert ends <= {"live", "time_limit", "step_limit"}, found["told"]
    assert found["told"]["flood"]["replies"]["200"] > 0  # attackers are served, too
    assert found["cpu_ms"]["p99"] <= 3 * found["cpu_ms_without_attackers"]["p99"], found


def test_attackers_do_not_disturb_the_others() -> None:
    check(asyncio.run(attacked(episodes=20, rate=50, seconds=4, half_open=600)))


def test_the_control_plane_answers_while_the_apps_are_flooded() -> None:
    with serving("--workers", "1") as (server, _), attacking(server.ready.control_url, 600):
        time.sleep(2)
        opened = [server.start(SCENARIO, seed) for seed in range(5)]
        waits = []
        for one in opened:
            began = time.monotonic()
            assert httpx.get(f"{server.ready.control_url}/v1/health").json() == {"status": "ok"}
            assert server.control.delete(f"/v1/episodes/{one['id']}").status_code == 204
            waits.append(time.monotonic() - began)
        assert statistics.median(waits) < 1, waits


@pytest.mark.soak
def test_200_requests_a_second_while_ten_agents_attack() -> None:
    found = asyncio.run(attacked(episodes=100, rate=200, seconds=10, half_open=2000, phases=5))
    check(found)
    assert found["p99_ratio"] <= 3, found
