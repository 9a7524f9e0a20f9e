"""Hostile requests: every operation, with values of hostile sizes in every place that a request can fill."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, partial
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from msgspec import structs

from diorama.contract.check import declared
from diorama.contract.findings import Target
from diorama.contract.generator import ValueGenerator
from diorama.contract.pool import fill, people
from diorama.contract.requests import Requests
from diorama.contract.stage import world_of
from diorama.kernel import Actor, Defect, Dice, Reply, Request, World
from diorama.kernel.work import Outcome, Work
from diorama.kit import App

Make = Callable[[], Request]
Attack = tuple[str, Make]
"""What is hostile, and how to make the request."""
A_WHILE = timedelta(hours=2)
SHORTLY = timedelta(minutes=2)
LARGEST_BODY = 1_000_000
ATTEMPTS = 8
NUMBERS: tuple[Any, ...] = (
    0, -1, 2**31, 2**53, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30, 1.5, 1e300, -1e300, True, None, "x", [], {},
)  # fmt: skip
NUMBERS_AS_TEXT = ("-1", "0", "9223372036854775807", "-9223372036854775808", "9" * 30, "1e400", "NaN", "٣", "1,2", "²")


@cache
def texts(size: int) -> list[str]:
    """Return texts of about this many characters that are costly to read, match, split or parse."""
    return [
        "x" * size,
        "ab " * (size // 3),
        " ".join(f"w{number}" for number in range(size // 7)),
        ",".join(f"t{number}" for number in range(size // 7)),
        ",".join(str(number) for number in range(1, size // 7)),
        "-" * size,
        "(" * size,
        '"a" ' * (size // 4),
        "status:open " * (size // 12),
        "a OR " * (size // 5),
        "created>1990-01-01 " * (size // 19),
        "%" * size,
        "*" * size,
        "{{ticket.title}}" * (size // 16),
        "{% for a in (1..100000) %}x{% endfor %}",
        "{% for a in (1..9999) %}{% for b in (1..9999) %}{{a}}{% endfor %}{% endfor %}",
        "{% if a %}" * (size // 10),
        "{{a|" * (size // 4),
        "<b>" * (size // 3),
        "<a href='" * (size // 9),
        "&amp;" * (size // 5),
        "a@b." * (size // 4),
        "<" * size,
        "[a](" * (size // 4),
        "\n" * size,
        "a\0b" * (size // 3),
        "é\u0301" * (size // 2),
        "\U0001f600" * size,
        "İ" * size,
        "(a+)+$" * (size // 6),
        "{" * size,
        "[" * size,
    ]


SPECIAL = (
    "", " ", "\0", "\ufffd", "null", "true", "2024-02-30", "10000-01-01", "99999999999999", "-99999999999999999999",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59",
    "a' OR 1=1 --", '"', "*", "NEAR(a b)", "a AND", "%", "a@b", "@", "https://[::1", "http://" + "a." * 200, "1d", "+",
    "-", "../../etc", "AAAA", "=", "W10=", "bnVsbA==", "eyJhIjoxfQ==", *NUMBERS_AS_TEXT,
)  # fmt: skip


class Measure(msgspec.Struct):
    """What one request did."""

    cpu_ms: float
    status: int
    operation: str
    what: str
    reply: str


class Attacker:
    """Sends hostile requests to one app of a small world, each on a fork."""

    def __init__(self, app: App, slow_ms: float = 100, world: World | None = None) -> None:
        self.app = app
        self.world = world or world_of(app)
        self.slow_ms = slow_ms
        self.dice = Dice("hostile")
        self.actor = Actor("agent", people(self.world, app)[0])
        self.pool = fill(self.world, app, self.dice)
        self.targets = [Target(operation, None) for operation in declared(app).operations.values()]
        draft = ValueGenerator(self.pool, self.dice.child("draft"), self.world.now)
        self.requests = Requests(app, self.targets, self.pool, draft, self.dice, self._read)
        self.sent = 0

    def _read(self, target: Target, request: Request) -> Any:
        reply = self.world.fork().send(self.app.name, request, self.actor)
        try:
            return reply.json() if reply.status == 200 else None
        except msgspec.DecodeError:
            return None

    # --- what is sent

    def attacks(self, target: Target) -> Iterator[Attack]:
        """Yield every hostile request to one operation, with a note of what is hostile in it."""
        address = (self.requests.addresses(target, 1) or [target.ours.path])[0]
        yield from self._in_path(target)
        yield from self._in_query(target, address)
        if target.ours.method != "GET":
            yield from self._in_body(target, address)

    def some(self, target: Target, count: int) -> list[Attack]:
        """Return this many of the hostile requests to one operation, chosen at random."""
        return self.dice.child("some", target.title).sample(list(self.attacks(target)), count)

    def _in_path(self, target: Target) -> Iterator[Attack]:
        for parameter in target.ours.path_parameters():
            for value in (*SPECIAL, "x" * 5_000, "a b " * 5_000, ",".join(map(str, range(9_000)))):
                rest = target.ours.path.replace("{" + parameter.name + "}", quote(value, safe=""))
                yield f"path {parameter.name}={value[:30]}", partial(self._at, target, rest)

    def _at(self, target: Target, path: str) -> Request:
        return self.requests.request(target, self._filled(path, target))

    def _filled(self, path: str, target: Target) -> str:
        for parameter in target.ours.path_parameters():
            known = self.pool.named(parameter.name) or self.pool.last_part(parameter.name) or [1]
            path = path.replace("{" + parameter.name + "}", quote(str(known[0]), safe="@"))
        return path

    def _in_query(self, target: Target, address: str) -> Iterator[Attack]:
        body = (self.requests.bodies(target, 0) or [None])[0] if target.ours.method != "GET" else None
        for name in [p.name for p in target.ours.parameters if p.where == "query"]:
            for value in (*SPECIAL, *texts(3_900), *texts(9_000), *texts(60_000)):
                asked = partial(self.requests.request, target, address, {name: value}, body)
                yield f"query {name}={value[:30]}*{len(value)}", asked

    def _in_body(self, target: Target, address: str) -> Iterator[Attack]:
        bodies = self.requests.bodies(target, 0)
        if not bodies:
            return
        query = self.requests.queries(target)[-1]
        for base in [bodies[-1]] if bodies[-1] == bodies[0] else [bodies[-1], bodies[0]]:
            for place in places(base):
                for note, make in hostile(at(base, place)):
                    asked = partial(self._with, target, address, query, base, place, make)
                    yield f"body {'.'.join(map(str, place))}: {note}", asked
        for note, raw in RAW.items():
            yield f"raw {note}", partial(self._raw, target, address, query, raw)

    def _with(
        self, target: Target, address: str, query: Any, base: Any, place: tuple[Any, ...], make: Callable[[], Any]
    ) -> Request:
        return self.requests.request(target, address, query, replaced(base, place, make()))

    def _raw(self, target: Target, address: str, query: Any, raw: bytes) -> Request:
        asked = self.requests.request(target, address, query)
        return structs.replace(asked, body=raw, headers={"content-type": "application/json"})

    # --- bodies at the limits

    def limits(self, target: Target, text: str) -> Request | None:
        """Return an accepted request with long texts and lists wherever they are accepted; None if none is."""
        address = (self.requests.addresses(target, 1) or [target.ours.path])[0]
        if target.ours.method == "GET":
            return None
        query = self.requests.queries(target)[-1]
        bodies = self.requests.bodies(target, 0)[::-1][:ATTEMPTS]
        body = next((body for body in bodies if self._accepts(target, address, query, body)), None)
        for place in list(places(body)):
            for value in longer(at(body, place), text):
                changed = replaced(body, place, value)
                if self._accepts(target, address, query, changed):
                    body = changed
                    break
        return None if body is None else self.requests.request(target, address, query, body)

    def _accepts(self, target: Target, address: str, query: Any, body: Any) -> bool:
        try:
            request = self.requests.request(target, address, query, body)
        except (msgspec.MsgspecError, OverflowError, AttributeError, TypeError):
            return False
        if len(request.body) > LARGEST_BODY:
            return False
        return self.world.fork().send(self.app.name, request, self.actor).status < 300

    # --- sending

    def costs(self, target: Target, note: str, request: Request) -> list[Measure]:
        """Return what one request costs on a fork, and the costliest event that follows within two minutes."""
        self.sent += 1
        first, second = self._costs(target, note, request)
        for _ in range(2):
            if max(first.cpu_ms, second.cpu_ms) > self.slow_ms:
                again, then = self._costs(target, note, request)
                first.cpu_ms, second.cpu_ms = min(first.cpu_ms, again.cpu_ms), min(second.cpu_ms, then.cpu_ms)
        return [first, second]

    def _costs(self, target: Target, note: str, request: Request) -> tuple[Measure, Measure]:
        world, events = self.world.fork(), list[tuple[float, str]]()
        with timed_events(events):
            started = time.process_time()
            try:
                reply = world.send(self.app.name, request, self.actor)
                cost = time.process_time() - started
                events.clear()
                if reply.status < 300 and request.method != "GET":
                    world.wait(SHORTLY)
            except Defect as defect:
                reply, cost = Reply(599, {}, f"{defect.kind} {defect}".encode()), time.process_time() - started
        event, name = max(events, default=(0.0, ""))
        own = Measure(cost * 1000, reply.status, target.title, note, reply.text[:300])
        return own, Measure(event * 1000, reply.status, target.title, f"{note}, then {name}", "")

    def send(self, target: Target, note: str, make: Make) -> Measure | None:
        """Send one request on a fork, let its consequences happen, and measure it; None if it cannot be written."""
        try:
            request = make()
        except (msgspec.MsgspecError, OverflowError, AttributeError, TypeError):
            return None
        self.sent += 1
        found = self._send(target, note, request)
        for _ in range(2):  # a busy machine makes a request slow, but not three times
            if found.cpu_ms > self.slow_ms:
                found.cpu_ms = min(found.cpu_ms, self._send(target, note, request).cpu_ms)
        return found

    def _send(self, target: Target, note: str, request: Request) -> Measure:
        world = self.world.fork()
        started = time.thread_time()
        try:
            reply = world.send(self.app.name, request, self.actor)
            cost = time.thread_time() - started
            if reply.status < 300 and request.method != "GET":
                world.wait(A_WHILE)
        except Defect as defect:
            reply, cost = Reply(599, {}, f"{defect.kind} {defect}".encode()), time.thread_time() - started
        return Measure(cost * 1000, reply.status, target.title, note, reply.text[:300])


@contextmanager
def timed_events(found: list[tuple[float, str]]) -> Iterator[None]:
    """Note the CPU seconds of every event, and what it was."""
    transact = World._transact

    def timed(world: World, work: Work) -> Outcome:
        started = time.process_time()
        try:
            return transact(world, work)
        finally:
            found.append((time.process_time() - started, work.title))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(World, "_transact", timed)
        yield


def longer(value: Any, text: str) -> Iterator[Any]:
    """Yield values for a place that holds this one, the longest first."""
    if isinstance(value, str) or value is None:
        yield from (text[:length] for length in (60_000, 5_000, 250))
    elif isinstance(value, list):
        item = value[0] if value else text[:20]
        yield from (_numbered(item, count) for count in (990, 200, 100, 48))
    elif isinstance(value, dict):
        yield {**value, **{f"k{number}": text[:50] for number in range(900)}}


RAW = {
    "not JSON": b"\xff\xfe" * 1000,
    "deep": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    "deep list": b"[" * 90 + b"]" * 90,
    "5 MB": b'{"a":"' + b"x" * 4_900_000 + b'"}',
    "many fields": msgspec.json.encode({f"k{n}": n for n in range(200_000)}),
    "many items": b"[" + b"1," * 400_000 + b"1]",
    "many lists": b"[" + b"[]," * 1_600_000 + b"1]",
    "many texts": b"[" + b'"",' * 1_600_000 + b"1]",
}


def hostile(value: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield hostile values for a place that holds this value, each with a note and a function that makes it."""
    for plain in (*NUMBERS, *SPECIAL):
        yield repr(plain)[:30], partial(_same, plain)
    if isinstance(value, str) or value is None:
        for text in (*texts(60_000), *texts(950_000)):
            yield f"{text[:20]!r}*{len(text)}", partial(_same, text)
    yield "nested", partial(nested, 80)
    if isinstance(value, dict):
        yield "9,999 fields", partial(_widened, value, 9_999)
    item = value[0] if isinstance(value, list) and value else value
    for count in (100, 999, 9_999) if isinstance(value, list) else (3_000,):
        yield f"{count} items", partial(_repeated, item, count)
        yield f"{count} distinct", partial(_numbered, item, count)


def _same(value: Any) -> Any:
    return value


def _widened(value: dict[str, Any], count: int) -> dict[str, Any]:
    return {**value, **{f"f{number}": number for number in range(count - len(value))}}


def _repeated(item: Any, count: int) -> list[Any]:
    return [item] * count


def _numbered(item: Any, count: int) -> list[Any]:
    return [distinct(item, number) for number in range(count)]


def places(body: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every value inside a body."""
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(body, dict):
        items = body.items()
    elif isinstance(body, list):
        items = enumerate(body[:1])
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(body: Any, path: tuple[Any, ...]) -> Any:
    """Return the value at a path."""
    for key in path:
        body = body[key]
    return body


def replaced(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a body with another value at a path."""
    if not path:
        return value
    inner = replaced(body[path[0]], path[1:], value)
    if isinstance(body, dict):
        return {**body, path[0]: inner}
    return [inner if place == path[0] else one for place, one in enumerate(body)]


def distinct(item: Any, number: int) -> Any:
    """Return a value like another one, but different for each number."""
    if isinstance(item, bool) or item is None:
        return number
    if isinstance(item, int | float):
        return number + 1
    if isinstance(item, str):
        name, mark, rest = item.partition("@")
        return f"{name}{number}{mark}{rest}"
    if isinstance(item, dict):
        return {key: distinct(value, number) for key, value in item.items()}
    return item


def nested(depth: int) -> Any:
    """Return objects and lists inside each other."""
    out: Any = 1
    for level in range(depth):
        out = {"a": out} if level % 2 else [out]
    return out


def rss_kb() -> int:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
