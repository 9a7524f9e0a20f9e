"""HTTP: CPU cost of a request at an app's door, compared with a bare ASGI app that returns the same bytes."""

from __future__ import annotations

import multiprocessing
import socket
import statistics
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from diorama.doors.credentials import Credentials
from diorama.doors.hosts import links_of
from diorama.doors.http import Door
from diorama.doors.links import Links
from diorama.doors.listener import Listener, bind, port_of
from diorama.doors.turns import Turns
from diorama.episodes.episode import Episode, start
from diorama.kernel import Reply, Request
from diorama.kit import App, Credential
from diorama.kit.tokens import Tokens, tokens_of

SCENARIO = "zendesk/late-refund"
REQUESTS = 160
CONNECTIONS = 8
ROUNDS = 15
SECRET = "bench-secret"
WRITES = 25
"""Fewer writes than the desk's limit per person and ticket in ten minutes."""


class BenchSession:
    """The agent of one episode that goes back to its start before turns, or updates of one ticket, run out."""

    live = True
    mark = "0123456789abcdef"
    issued = (SECRET,)
    secret = ""

    def __init__(self, episode: Episode, app: App, base_url: str) -> None:
        self.episode = episode
        self.app = app
        self.login = episode.scenario.person
        self.tokens: Tokens | None = tokens_of(episode.world.company)
        self._links = links_of(episode.world.company, {app.name: base_url}, "bench", at_origin=False)
        self._begin = episode.snapshot()
        self._left = self._most = min(episode.scenario.turns - 2, WRITES)

    @property
    def now_us(self) -> int:
        """The time of its world."""
        return self.episode.world.hot.now

    def is_costly(self, size: int) -> bool:
        """Return False: what was done before does not matter here."""
        return False

    def links(self, at_origin: bool) -> Links:
        """Return the addresses of the episode's apps."""
        return self._links

    def send(self, request: Request) -> Reply:
        """Send a request as the episode's agent."""
        self._left -= 1
        if self._left <= 0:
            self.episode.restore(self._begin)
            self._left = self._most
        return self.episode.request(self.app.name, request, "http")


def bare_app(body: bytes) -> Any:
    """Return a minimal ASGI app: it reads the body and answers."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            more = (await receive()).get("more_body", False)
        length = b"%d" % len(body)
        headers = [(b"content-type", b"application/json; charset=utf-8"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return answer


def serve(pipe: Connection, body: bytes | None) -> None:
    """Run a server process: a door as `diorama serve` runs it, or a bare app that answers `body`."""
    import uvloop

    async def run() -> None:
        sock = bind("127.0.0.1", 0, "bench")
        if body is None:
            episode = start(SCENARIO, 0)
            app = episode.world.company.app("zendesk")
            if not isinstance(app, App):
                raise TypeError("zendesk has no HTTP API")
            credentials = Credentials()
            credentials.add("zendesk", SECRET, BenchSession(episode, app, f"http://127.0.0.1:{port_of(sock)}"))
            turns = Turns(lambda episode, why, completed: None)
            turns.open()
            listener = Listener(Door(app.product, credentials, turns=turns), sock)
            signed = app.product.auth.write(Request(), Credential(episode.scenario.person, SECRET))
            pipe.send((port_of(sock), signed.headers, getattr(episode.truth, "ticket_id", 1)))
            await listener.run_until_stopped()
        else:
            pipe.send((port_of(sock), {}, 0))
            config = uvicorn.Config(
                bare_app(body), http="httptools", ws="none", lifespan="off", access_log=False, log_config=None,
                server_header=False, date_header=False, proxy_headers=False,
            )  # fmt: skip
            await uvicorn.Server(config).serve(sockets=[sock])

    uvloop.run(run())


class Socket:
    """One kept-alive connection to a server of this machine."""

    def __init__(self, port: int) -> None:
        self._sock = _connected(port)

    def send(self, raw: bytes) -> None:
        """Send the bytes of a request."""
        self._sock.sendall(raw)

    def receive(self) -> bytes:
        """Read one reply and return its body; raise ConnectionError unless it is a 200."""
        data = b""
        while b"\r\n\r\n" not in data:
            part = self._sock.recv(65536)
            if not part:
                raise ConnectionError("the bench server closed a connection")
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(f"the bench server answered {head[:40]!r}: {body[:200]!r}")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        while len(body) < length:
            body += self._sock.recv(65536)
        return body

    def close(self) -> None:
        """Close the connection."""
        self._sock.close()


def _connected(port: int) -> socket.socket:
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise ConnectionError(f"the bench server on port {port} never answered")


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that all threads of a process have used."""
    stats = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(int(text.split()[0]) for text in stats) / 1e9


class Client:
    """Some kept-alive connections that keep a server busy, and the CPU clock of that server."""

    def __init__(self, body: bytes | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, body), daemon=True)
        self.process.start()
        theirs.close()  # so that a server which cannot start is noticed
        self.port, self.headers, self.ticket = ours.recv()
        self.socks = [Socket(self.port) for _ in range(CONNECTIONS)]

    def connect(self) -> None:
        """Open the connections again: a door closes those that were idle before their first request."""
        for sock in self.socks:
            sock.close()
        self.socks = [Socket(self.port) for _ in range(CONNECTIONS)]

    def ask(self, raw: bytes, socks: Sequence[Socket] | None = None) -> bytes:
        """Send a request on several connections at once; return the last body."""
        busy = self.socks[:1] if socks is None else socks
        for sock in busy:
            sock.send(raw)
        body = b""
        for sock in busy:
            body = sock.receive()
        return body

    def request(self, method: str, path: str, body: Any = None) -> bytes:
        """Return the bytes of a request."""
        content = b"" if body is None else msgspec.json.encode(body)
        heads = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        kind = "content-type: application/json\r\n" if content else ""
        start_line = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
        return f"{start_line}{heads}{kind}content-length: {len(content)}\r\n\r\n".encode() + content

    def cost(self, raw: bytes) -> float:
        """Return the CPU microseconds per request of a fully busy server."""
        self.connect()
        before = cpu_seconds(self.process.pid or 0)
        for _ in range(REQUESTS // CONNECTIONS):
            self.ask(raw, self.socks)
        used = cpu_seconds(self.process.pid or 0) - before
        return used / (REQUESTS // CONNECTIONS * CONNECTIONS) * 1e6

    def wall_ms(self, raw: bytes) -> float:
        """Return how long one client waits for one reply."""
        walls = []
        for _ in range(REQUESTS):
            began = time.perf_counter()
            self.ask(raw)
            walls.append(time.perf_counter() - began)
        return statistics.median(walls) * 1e3

    def close(self) -> None:
        """Stop the server."""
        for sock in self.socks:
            sock.close()
        self.process.terminate()
        self.process.join(10)


def measure() -> dict[str, Any]:
    """Measure reads and writes, each alternating with a bare app that answers the same body."""
    door = Client()
    try:
        read = door.request("GET", f"/api/v2/tickets/{door.ticket}.json")
        note = {"ticket": {"comment": {"body": "Looked into it.", "public": False}, "priority": "high"}}
        write = door.request("PUT", f"/api/v2/tickets/{door.ticket}.json", note)
        out: dict[str, Any] = {}
        for name, raw in (("read", read), ("write", write)):
            body = door.ask(raw)
            bare = Client(body)
            try:
                bare.headers = door.headers
                door.cost(raw)
                pairs = [(door.cost(raw), bare.cost(raw)) for _ in range(ROUNDS)]
            finally:
                bare.close()
            out[f"http_{name}_cpu_us"] = statistics.median(ours for ours, _ in pairs)
            out[f"http_{name}_over_bare_asgi_cpu"] = statistics.median(ours / theirs for ours, theirs in pairs)
            if name == "read":
                out["http_ms"] = door.wall_ms(raw)
        return out
    finally:
        door.close()
