"""Ten agents that attack a running `diorama serve` with what they have: valid credentials, and none.

Each keeps its connections busy until the time is over. The load test beside it must not notice.
"""

import argparse
import asyncio
import base64
import contextlib
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote, urlsplit

from diorama.bench.load import Wire

WORDS = 400
FLOOD_CONNECTIONS = 12
HALF_OPEN = 2000
EPISODE_ENDED = 403
LOOK_AFTER_SECONDS = 0.5
FIRST_SEED = 1000
SPARE_EPISODES = 40
"""Opened before the attack, for attackers whose episode has ended: an agent cannot start episodes."""

Attack = Callable[["Attacker"], Awaitable[None]]


class Attacker:
    """One agent with an episode of its own, and with another one when the first has ended."""

    def __init__(self, opened: dict[str, Any], until: float, half_open: int) -> None:
        self.until = until
        self.half_open = half_open
        self.replies: Counter[int] = Counter()
        self.ends: Counter[str] = Counter()
        self.enter(opened)

    def enter(self, opened: dict[str, Any]) -> None:
        """Act in this episode from now on."""
        zendesk = opened["apps"]["zendesk"]
        login = f"{zendesk['credentials']['email']}/token:{zendesk['credentials']['token']}"
        self.id: str = opened["id"]
        self.url: str = zendesk["base_url"]
        self.authorization = "Basic " + base64.b64encode(login.encode()).decode()
        parts = urlsplit(self.url)
        self.address = (parts.hostname or "127.0.0.1", parts.port or 80)

    def on(self) -> bool:
        """Return whether to go on."""
        return time.monotonic() < self.until

    async def repeat(self, method: str, path: str, body: Any = None) -> None:
        """Send the same request again and again, one after the other; connect again when the episode has ended."""
        while self.on():
            wire = Wire(self.url, self.authorization)
            with contextlib.suppress(OSError, EOFError, IndexError, ValueError):
                while self.on():
                    status, _ = await wire.ask(method, path, body)
                    self.replies[status] += 1
                    if status == EPISODE_ENDED:
                        break
            await wire.close()
            await asyncio.sleep(0.05)

    async def several(self, count: int, method: str, path: str, body: Any = None) -> None:
        """Repeat a request on several connections at once."""
        await asyncio.gather(*(self.repeat(method, path, body) for _ in range(count)))


async def long_searches(one: Attacker) -> None:
    """Search for hundreds of words at once."""
    query = quote(" ".join(f"word{n}*" for n in range(WORDS)))
    await one.several(4, "GET", f"/api/v2/search.json?query={query}")


async def long_help_searches(one: Attacker) -> None:
    """Search the Help Center for hundreds of words."""
    query = quote(" ".join(f"machine{n}" for n in range(WORDS)))
    await one.several(4, "GET", f"/api/v2/help_center/articles/search.json?query={query}")


async def large_comments(one: Attacker) -> None:
    """Write comments with deep and large HTML."""
    html = "<b>x</b> & <i>y</i><br>" * 2500
    await one.several(4, "PUT", "/api/v2/tickets/1.json", {"ticket": {"comment": {"html_body": html}}})


async def many_tags(one: Attacker) -> None:
    """Set thousands of tags."""
    await one.several(4, "PUT", "/api/v2/tickets/1/tags.json", {"tags": [f"tag{n}" for n in range(5000)]})


async def large_pages(one: Attacker) -> None:
    """Ask for the largest pages with everything beside them."""
    beside = "users,groups,organizations,last_audits,metric_sets,sharing_agreements"
    await one.several(4, "GET", f"/api/v2/tickets.json?per_page=100&include={beside}")


async def flood(one: Attacker) -> None:
    """Send cheap requests on many connections."""
    await one.several(FLOOD_CONNECTIONS, "GET", "/api/v2/users/me.json")


async def many_connections(one: Attacker) -> None:
    """Open more connections than an episode may have."""
    await one.several(120, "GET", "/api/v2/tickets/1.json")


async def endless_headers(one: Attacker) -> None:
    """Send headers without end, and without credentials."""

    async def endless() -> None:
        while one.on():
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(*one.address)
                writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n")
                while one.on() and not reader.at_eof() and not writer.is_closing():
                    writer.write(b"x-filler: " + b"a" * 16_000 + b"\r\n")
                    await asyncio.wait_for(writer.drain(), 5)
                    await asyncio.sleep(0.01)
                writer.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(endless() for _ in range(5)))


async def half_open(one: Attacker) -> None:
    """Hold connections open that never send a whole head."""
    held: list[asyncio.StreamWriter] = []
    while one.on():
        while one.on() and len(held) < one.half_open:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(*one.address)
                writer.write(b"GET / HTTP/1.1\r\n")
                held.append(writer)
            if len(held) % 50 == 0:
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.2)
        held = [writer for writer in held if not writer.is_closing()]
    for writer in held:
        writer.close()


async def slow_bodies(one: Attacker) -> None:
    """Send bodies one byte at a time, with and without credentials."""

    async def slow(authorization: str) -> None:
        while one.on():
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(*one.address)
                head = f"POST /api/v2/tickets.json HTTP/1.1\r\nhost: x\r\nauthorization: {authorization}\r\n"
                writer.write(f"{head}content-length: 4000000\r\n\r\n".encode())
                while one.on() and not reader.at_eof() and not writer.is_closing():
                    writer.write(b"{")
                    await asyncio.sleep(0.1)
                writer.close()

    await asyncio.gather(*(slow(one.authorization if n % 2 else "Basic eDp5") for n in range(40)))


ATTACKS: tuple[Attack, ...] = (
    long_searches, long_help_searches, large_comments, many_tags, large_pages,
    flood, many_connections, endless_headers, half_open, slow_bodies,
)  # fmt: skip


class Episodes:
    """The episodes of the attackers, through the control plane."""

    def __init__(self, url: str, token: str, scenario: str) -> None:
        self._address = (url, f"Bearer {token}")
        self._scenario = scenario
        self._seed = FIRST_SEED
        self._spare: list[dict[str, Any]] = []

    async def prepare(self) -> None:
        """Open the episodes that attackers enter when their own have ended."""
        self._spare = [await self.start() for _ in range(SPARE_EPISODES)]

    async def _ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        wire = Wire(*self._address)  # a new one each time: a server closes connections that are idle for long
        try:
            return await wire.ask(method, path, body)
        finally:
            await wire.close()

    async def start(self) -> dict[str, Any]:
        """Start an episode that has turns enough for any attack."""
        order = {"scenario": self._scenario, "seed": self._seed, "turns": 1_000_000}
        self._seed += 1
        status, body = await self._ask("POST", "/v1/episodes", order)
        if status != 201:
            raise SystemExit(f"starting an attacker answered {status}: {body[:300]!r}")
        opened: dict[str, Any] = json.loads(body)
        return opened

    async def state(self, one: Attacker) -> str:
        """Return `live`, or how the episode of an attacker ended."""
        _, body = await self._ask("GET", f"/v1/episodes/{one.id}")
        about = json.loads(body)
        return "live" if about["status"] == "live" else str(about["ended"])

    async def delete(self, one: Attacker) -> None:
        await self._ask("DELETE", f"/v1/episodes/{one.id}")

    async def renew(self, one: Attacker) -> None:
        """Give an attacker another episode whenever its own has ended, for as long as it attacks."""
        while one.on():
            await asyncio.sleep(LOOK_AFTER_SECONDS)
            if (state := await self.state(one)) != "live":
                one.ends[state] += 1
                await self.delete(one)
                one.enter(self._spare.pop() if self._spare else await self.start())


async def attack(url: str, token: str, scenario: str, seconds: float, connections: int = HALF_OPEN) -> dict[str, Any]:
    """Run all attacks for this many seconds or until SIGTERM; return what each was answered and how episodes ended."""
    episodes = Episodes(url, token, scenario)
    attackers = [Attacker(await episodes.start(), time.monotonic() + seconds, connections) for _ in ATTACKS]
    await episodes.prepare()

    def stop() -> None:
        for one in attackers:
            one.until = 0.0

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    sys.stderr.write("attacking\n")
    sys.stderr.flush()
    work = [one_attack(one) for one_attack, one in zip(ATTACKS, attackers, strict=True)]
    await asyncio.gather(*work, *(episodes.renew(one) for one in attackers))
    said = {}
    for one_attack, one in zip(ATTACKS, attackers, strict=True):
        one.ends[await episodes.state(one)] += 1
        await episodes.delete(one)
        said[one_attack.__name__] = {"replies": dict(one.replies), "ends": dict(one.ends)}
    return said


def main(argv: list[str] | None = None) -> int:
    """Attack a server from the command line; exit 1 if an attack voided its episode."""
    parser = argparse.ArgumentParser(description="Attack a running `diorama serve` with ten agents.")
    parser.add_argument("--url", default="http://127.0.0.1:8700", help="the control plane")
    parser.add_argument("--token", required=True, help="its bearer token")
    parser.add_argument("--scenario", default="zendesk/late-refund")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--half-open", type=int, default=HALF_OPEN, help="connections that never send a request")
    args = parser.parse_args(argv)
    said = asyncio.run(attack(args.url, args.token, args.scenario, args.seconds, args.half_open))
    sys.stdout.write(json.dumps(said) + "\n")
    return 1 if any("void" in row["ends"] for row in said.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
