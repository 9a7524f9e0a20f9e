"""A load test of `diorama serve`: steady requests to many live episodes, each checking for data of others."""

import argparse
import asyncio
import base64
import json
import os
import secrets
import sys
import time
from collections import Counter
from typing import Any
from urllib.parse import quote, urlsplit

CANARY = "canary"


class Wire:
    """One keep-alive HTTP/1.1 connection; requests are sent one at a time."""

    def __init__(self, url: str, authorization: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.authorization = authorization
        self._lock = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Send one request and read its reply."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nauthorization: {self.authorization}\r\n"
            f"accept: application/json\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        async with self._lock:
            if self._streams is None:
                self._streams = await asyncio.open_connection(self.host, self.port)
            reader, writer = self._streams
            writer.write(head.encode() + content)
            status = int((await reader.readline()).split()[1])
            length = 0
            while (line := await reader.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            return status, await reader.readexactly(length)

    async def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()


class Desk:
    """The Zendesk of one episode, with its own canary text."""

    def __init__(self, opened: dict[str, Any]) -> None:
        self.id: str = opened["id"]
        zendesk = opened["apps"]["zendesk"]
        login = f"{zendesk['credentials']['email']}/token:{zendesk['credentials']['token']}"
        self.wire = Wire(zendesk["base_url"], "Basic " + base64.b64encode(login.encode()).decode())
        self.canary = f"{CANARY}{secrets.token_hex(6)}"
        self.ticket = 0

    async def settle(self) -> None:
        """Choose a ticket and write the canary into it."""
        status, body = await self.wire.ask("GET", "/api/v2/tickets.json?per_page=5&sort_by=id&sort_order=desc")
        if status != 200:
            raise SystemExit(f"episode {self.id}: listing tickets answered {status}: {body[:200]!r}")
        open_tickets = [t for t in json.loads(body)["tickets"] if t["status"] != "closed"]
        self.ticket = open_tickets[0]["id"]
        status, body = await self.wire.ask(*self.note())
        if status != 200:
            raise SystemExit(f"episode {self.id}: writing the canary answered {status}: {body[:200]!r}")

    def note(self) -> tuple[str, str, Any]:
        """Return a request that sets a new subject and adds a private note, both with the canary."""
        words = f"checked again {self.canary}"
        change = {"subject": words, "comment": {"body": words, "public": False}}
        return "PUT", f"/api/v2/tickets/{self.ticket}.json", {"ticket": change}

    def request(self, n: int) -> tuple[str, str, Any]:
        """Return the nth request: mostly reads, some searches, some writes."""
        kind = n % 10
        if kind == 9:
            return self.note()
        if kind in (4, 8):
            query = quote(f"type:ticket {self.canary}")
            return "GET", f"/api/v2/search.json?query={query}", None
        if kind in (1, 5):
            return "GET", f"/api/v2/tickets/{self.ticket}/comments.json?sort_order=desc&per_page=5", None
        return "GET", f"/api/v2/tickets/{self.ticket}.json", None


class Tally:
    """Counts and times of the replies."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.foreign = 0
        self.silent = 0
        self.times: list[float] = []
        self.samples: list[str] = []

    def note(self, desk: Desk, status: int, body: bytes, seconds: float) -> None:
        """Check and count one reply."""
        self.statuses[str(status)] += 1
        self.times.append(seconds)
        text = body.decode("utf-8", "replace")
        if status != 200 and len(self.samples) < 3:
            self.samples.append(f"{status} {text[:200]}")
        if text.replace(desk.canary, "").count(CANARY):
            self.foreign += 1
        if status == 200 and desk.canary not in text:
            self.silent += 1

    def report(self, seconds: float, asked: float) -> dict[str, Any]:
        """Return the results."""
        times = sorted(self.times)
        errors = sum(count for status, count in self.statuses.items() if status != "200")

        def at(share: float) -> float:
            return round(1000 * times[min(len(times) - 1, int(share * len(times)))], 2) if times else 0.0

        return {
            "requests": sum(self.statuses.values()),
            "asked_per_second": asked,
            "reached_per_second": round(len(times) / seconds, 1),
            "errors": errors,
            "foreign_data": self.foreign,
            "canary_missing": self.silent,
            "statuses": dict(self.statuses),
            "p50_ms": at(0.50),
            "p99_ms": at(0.99),
            "max_ms": at(1.0),
            "samples": self.samples,
        }


class Load:
    """Live episodes of one server, and steady requests to them."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self.desks: list[Desk] = []
        self._sent = 0

    async def open(self, scenario: str, episodes: int) -> None:
        """Start the episodes and write a canary into each."""
        control = Wire(self._url, f"Bearer {self._token}")
        for seed in range(episodes):
            order = {"scenario": scenario, "seed": seed, "turns": 1_000_000}
            status, body = await control.ask("POST", "/v1/episodes", order)
            if status != 201:
                raise SystemExit(f"starting episode {seed} answered {status}: {body[:300]!r}")
            self.desks.append(Desk(json.loads(body)))
        await control.close()
        for desk in self.desks:
            await desk.settle()

    async def run(self, rate: float, seconds: float) -> dict[str, Any]:
        """Send requests at the rate for this many seconds, and return the results."""
        tally = Tally()

        async def one(n: int, due: float) -> None:
            desk = self.desks[n % len(self.desks)]
            try:
                status, body = await desk.wire.ask(*desk.request(n // len(self.desks)))
            except (OSError, EOFError, ValueError, IndexError) as error:
                tally.statuses[type(error).__name__] += 1
                return
            tally.note(desk, status, body, time.perf_counter() - due)

        began = time.perf_counter()
        tasks = []
        for n in range(int(rate * seconds)):
            due = began + n / rate  # measured from its due time, so that a stall counts in full
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.append(asyncio.create_task(one(self._sent, due)))
            self._sent += 1
        await asyncio.gather(*tasks)
        return tally.report(time.perf_counter() - began, rate)

    async def close(self) -> None:
        """Delete the episodes."""
        control = Wire(self._url, f"Bearer {self._token}")  # a server closes connections that are idle for long
        for desk in self.desks:
            await control.ask("DELETE", f"/v1/episodes/{desk.id}")
        await control.close()
        await self.disconnect()

    async def disconnect(self) -> None:
        """Close the connections; the episodes stay."""
        for desk in self.desks:
            await desk.wire.close()


async def load(url: str, token: str, scenario: str, episodes: int, rate: float, seconds: float) -> dict[str, Any]:
    """Start the episodes, send requests at the rate for this many seconds, and return the results."""
    one = Load(url, token)
    try:
        await one.open(scenario, episodes)
        return await one.run(rate, seconds)
    finally:
        await one.close()


def main(argv: list[str] | None = None) -> int:
    """Run the load test from the command line; exit 1 if anything failed."""
    parser = argparse.ArgumentParser(description="Steady load over many live episodes of a running `diorama serve`.")
    parser.add_argument("--url", default="http://127.0.0.1:8700", help="the control plane")
    parser.add_argument("--token", default=os.environ.get("DIORAMA_ADMIN_TOKEN", ""), help="its bearer token")
    parser.add_argument("--scenario", default="zendesk/late-refund")
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--rate", type=float, default=200.0, help="requests a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args(argv)
    figures = asyncio.run(load(args.url, args.token, args.scenario, args.episodes, args.rate, args.seconds))
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    return 1 if figures["errors"] or figures["foreign_data"] or figures["canary_missing"] else 0


if __name__ == "__main__":
    sys.exit(main())
