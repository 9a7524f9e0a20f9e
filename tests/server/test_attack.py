"""Ten agents attack a server: the others get every answer. `make soak` also compares how long they wait."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from diorama.bench.load import load
from tests.doors.serving import TOKEN
from tests.server.test_workers import SCENARIO, serving


@contextmanager
def attacking(url: str, seconds: float, half_open: int) -> Iterator[subprocess.Popen[str]]:
    """Attack a server from another process."""
    command = [sys.executable, "-m", "diorama.bench.attack", "--url", url, "--token", TOKEN]
    options = ["--scenario", SCENARIO, "--seconds", str(seconds), "--half-open", str(half_open)]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


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

    def cpu_ms(self, kind: str = "others") -> dict[str, float]:
        """Return percentiles of the loop's CPU milliseconds between request and reply, since the last call."""
        figures: list[float] = json.loads(self.say("report"))[kind]
        return {f"p{share}": round(1000 * figures[share * len(figures) // 100], 2) for share in (50, 90, 99)}

    def close(self) -> None:
        self.process.communicate(timeout=60)


def attacked(episodes: int, rate: float, seconds: float, half_open: int) -> dict[str, Any]:
    """Load a server without and with attackers; return what both said."""
    server = Measured()
    try:
        calm = asyncio.run(load(server.url, TOKEN, SCENARIO, episodes, rate, seconds))
        calm_cpu = server.cpu_ms()
        with attacking(server.url, 2 * seconds + 12, half_open) as attackers:
            time.sleep(4)
            server.say("report")
            hard = asyncio.run(load(server.url, TOKEN, SCENARIO, episodes, rate, seconds))
            hard_cpu = server.cpu_ms()
            told, _ = attackers.communicate(timeout=120)
        found = {
            "calm": calm,
            "attacked": hard,
            "calm_cpu": calm_cpu,
            "attacked_cpu": hard_cpu,
            "told": json.loads(told),
        }
        sys.stderr.write(json.dumps(found) + "\n")
        return found
    finally:
        server.close()


def check(found: dict[str, Any]) -> None:
    for figures in (found["calm"], found["attacked"]):
        assert (figures["errors"], figures["foreign_data"], figures["canary_missing"]) == (0, 0, 0), figures
    assert {row["status"] for row in found["told"].values()} == {"live"}
    assert found["told"]["flood"]["replies"]["200"] > 0  # attackers are served, too


def test_attackers_do_not_disturb_the_others() -> None:
    check(attacked(episodes=20, rate=50, seconds=5, half_open=600))


def test_the_control_plane_answers_while_the_apps_are_flooded() -> None:
    with serving("--workers", "1") as (server, _), attacking(server.ready.control_url, 10, 600):
        time.sleep(4)
        opened = [server.start(SCENARIO, seed) for seed in range(5)]
        for one in opened:  # each within the client's limit of 5 seconds
            assert httpx.get(f"{server.ready.control_url}/v1/health").json() == {"status": "ok"}
            assert server.control.delete(f"/v1/episodes/{one['id']}").status_code == 204


@pytest.mark.soak
def test_200_requests_a_second_while_ten_agents_attack() -> None:
    found = attacked(episodes=100, rate=200, seconds=30, half_open=2000)
    check(found)
    assert found["attacked_cpu"]["p99"] <= 3 * found["calm_cpu"]["p99"], found
    assert found["attacked"]["p99_ms"] <= 3 * found["calm"]["p99_ms"], found  # needs a machine with idle cores
