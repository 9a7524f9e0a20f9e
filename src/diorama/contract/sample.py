"""Real replies: every operation is called with real ids on forks of a staged world, and each success is checked."""

from collections.abc import Mapping, Sequence, Set
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import msgspec

from diorama.contract.field_coverage import learn
from diorama.contract.findings import Findings, Target
from diorama.contract.generator import ValueGenerator
from diorama.contract.pool import fill, people
from diorama.contract.report import Sample
from diorama.contract.requests import Requests, resource
from diorama.kernel import Actor, Defect, Dice, Reply, Request, World
from diorama.kit import App

ATTEMPTS = 40
ENOUGH = 2
A_WHILE = timedelta(minutes=2)
NOBODY = "contract@example.com"


class Sampler:
    """Calls everything that one app of one world serves; the world is not changed."""

    def __init__(
        self, world: World, app: App, targets: list[Target], dice: Dice, kept: Set[tuple[str, str]] = frozenset()
    ) -> None:
        self.world = world
        self.app = app
        self.targets = targets
        self.kinds = tuple(app.product.credential_kinds) or ("",)
        self.actors = [Actor("agent", person, kind) for kind in self.kinds for person in people(world, app) or [NOBODY]]
        self.pool = fill(world, app, dice)
        draft = ValueGenerator(self.pool, dice.child("draft"), world.now)
        self.requests = Requests(app, targets, self.pool, draft, dice, self.read)
        self.findings = Findings()
        self.kept = kept

    def run(self) -> Findings:
        """Sample reads first (they provide ids), then writes, then the requests of the app's own tools."""
        reads = [target for target in self.targets if target.ours.method == "GET"]
        for target in sorted(reads, key=lambda target: target.ours.path.count("{")):
            for request in self.requests.reads(target):
                self.read(target, request)
        for target in (target for target in self.targets if target.ours.method != "GET"):
            self.write(target)
        for target, request in self.requests.tool_calls():
            self.round_trip(target, request)
        return self.findings

    def ask(
        self, world: World, target: Target, request: Request, actors: Sequence[Actor] | None = None
    ) -> Reply | None:
        """Send one request as a permitted user, and check the answer; return None unless it succeeded."""
        sample = _sample(request)
        for actor in actors or self.actors:
            try:
                reply = world.send(self.app.name, request, actor)
            except Defect as defect:
                broken = Reply(500, {}, b"")
                self.findings.add(target, broken, sample, "gateway", "", f"defect: {defect}", str(defect))
                return None
            if reply.status not in {401, 403}:
                break
        if reply.status >= 500:
            self.findings.add(
                target, reply, sample, "gateway", "", f"answered {reply.status}: {_excerpt(reply)}", "status"
            )
            return None
        if not reply.refused and 200 <= reply.status < 300 and self.findings.check_reply(target, reply, sample):
            self.findings.successes[target.title] = self.findings.successes.get(target.title, 0) + 1
            if (target.ours.method, target.ours.path) in self.kept:
                learn(self.findings.seen.setdefault(f"{target.ours.method} {target.ours.path}", {}), value_of(reply))
            return reply
        self.findings.refuse(target, reply.status, _excerpt(reply))
        return None

    def read(self, target: Target, request: Request) -> Any:
        """Read something that exists, and index the answer; return None if it was refused."""
        reply = self.ask(self.world.fork(), target, request)
        value = value_of(reply) if reply is not None else None
        self.pool.harvest(value, resource(target.ours.path))
        self.pool.remember(value, resource(target.ours.path))
        return value

    def write(self, target: Target) -> None:
        """Try a write at one address after another, with different values, until it was accepted often enough."""
        accepted = 0
        addresses = self.requests.addresses(target, ATTEMPTS)
        queries = self.requests.queries(target)
        tries = ATTEMPTS if self.requests.bodies(target, 0) else len(addresses)
        for attempt in range(tries):
            address = addresses[attempt % len(addresses)]
            ways = [(body, query) for body in self.requests.bodies(target, attempt) or [None] for query in queries]
            asked = [self.requests.request(target, address, query, body) for body, query in ways]
            answers = [self.round_trip(target, request) for request in asked]
            accepted += any(answers)
            if accepted >= ENOUGH:
                return

    def try_on_new_objects(self, fork: World, thing: str, number: Any) -> None:
        """Read back what was just written, and try on it the operations that had no success so far."""
        for target in self.requests.about(thing):
            path = target.ours.path.split("{")[0] + quote(str(number), safe="@") + target.ours.path.split("}")[1]
            if target.ours.method == "GET":
                self.ask(fork, target, self.requests.request(target, path))
                if (target.ours.method, target.ours.path) in self.kept:
                    fork.wait(A_WHILE)  # asynchronous work is done by then
                    self.ask(fork, target, self.requests.request(target, path))
            elif target.title not in self.findings.successes:
                for body in self.requests.bodies(target, 0)[:ENOUGH] or [None]:
                    self.ask(fork.fork(), target, self.requests.request(target, path, body=body))

    def round_trip(self, target: Target, request: Request) -> bool:
        """Write on a fork, then read back what was written; return whether the write was accepted."""
        fork = self.world.fork()
        reply = self.ask(fork, target, request)
        if reply is None:
            return False
        if target.ours.method in {"PUT", "PATCH"} and (shown := self.requests.by_key.get(("GET", target.ours.key[1]))):
            self.ask(fork, shown, Request("GET", request.path))
        for thing, number in _things(value_of(reply), resource(target.ours.path)):
            self.try_on_new_objects(fork, thing, number)
        return True


def _things(value: Any, about: str) -> list[tuple[str, Any]]:
    """Return the objects in the reply to a write: nouns with ids."""
    if not isinstance(value, Mapping):
        return []
    inner = {about: value} | {name: part for name, part in value.items() if isinstance(part, Mapping)}
    return [(name, part["id"]) for name, part in inner.items() if isinstance(part.get("id"), str | int)]


def value_of(reply: Reply) -> Any:
    """Return the JSON value of a reply, or None if it is not JSON."""
    try:
        return reply.json()
    except msgspec.DecodeError:
        return None


def _sample(request: Request) -> Sample:
    try:
        body = msgspec.json.decode(request.body) if request.body else None
    except msgspec.DecodeError:
        body = f"{len(request.body)} bytes"
    return Sample(request.method, request.path, request.query, body)


def _excerpt(reply: Reply) -> str:
    text = " ".join(reply.text.split())
    return text if len(text) <= 160 else text[:157] + "..."
