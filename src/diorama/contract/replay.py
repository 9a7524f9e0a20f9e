"""Recreates recorded objects in our world: writes them with real ids, then reads them back and changes them."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from diorama.contract.findings import Target
from diorama.contract.pool import ID, noun
from diorama.contract.recordings import Exchange
from diorama.contract.sample import Sampler, value_of
from diorama.kernel import Request, World

GIVEN = {"id", "url", "created_at", "updated_at"}  # set by the vendor
EACH = 3
EXISTING = 12


class Replay:
    """Recreates recorded objects on forks, so that our replies about similar objects are seen."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.done: set[str] = set()

    def perform(self, exchange: Exchange, method: str, path: str) -> None:
        """Create, list, show and change each object of one recording; then send the recorded request."""
        for name, thing in _things(exchange.body):
            body = {noun(name): self.ours({key: value for key, value in thing.items() if key not in GIVEN})}
            fork = self.sampler.world.fork()
            for target in self.targets("POST"):
                if "{" not in target.ours.path and noun(target.ours.path.rpartition("/")[2]) == noun(name):
                    self.create(fork, target, body)
            self.ask(fork, method, path, exchange.query)
            for target in self.targets("PUT", "PATCH"):
                if (target.ours.method, target.ours.path) == (method, path):
                    self.change(target, body)
        if not exchange.address.startswith("/"):
            self.ask(self.sampler.world.fork(), method, path, exchange.query, b"recorded")

    def create(self, fork: World, target: Target, body: Any) -> None:
        """Create an object on a fork, read it back, then update it."""
        tried = (self.sampler.requests.request(target, target.ours.path, body=one) for one in _fewer(body))
        reply = next((reply for one in tried if (reply := self.sampler.ask(fork, target, one))), None)
        if reply is None:
            return
        self.ask(fork, "GET", target.ours.path)
        for name, thing in _things(value_of(reply)):
            self.sampler.try_on_new_objects(fork, name, thing.get("id"))
            for change in self.targets("PUT", "PATCH"):
                if change.ours.path.rpartition("/")[0] == target.ours.path and change.ours.path.endswith("}"):
                    where = f"{target.ours.path}/{thing.get('id')}"
                    self.sampler.ask(fork, change, self.sampler.requests.request(change, where, body=body))

    def change(self, target: Target, body: Mapping[str, Any]) -> None:
        """Update existing objects with a body, and with an empty one."""
        if target.title in self.done:
            return
        self.done.add(target.title)
        for address in self.sampler.requests.addresses(target, EXISTING):
            unchanged: dict[str, Any] = {name: {} for name in body}
            for written in (body, unchanged):
                self.sampler.ask(
                    self.sampler.world.fork(), target, self.sampler.requests.request(target, address, body=written)
                )

    def ask(self, fork: World, method: str, path: str, query: str = "", content: bytes = b"") -> None:
        """Send the recorded request if its operation has no path parameters."""
        if "{" in path or method not in {"GET", "POST"} or (method == "POST" and not query):
            return
        for target in self.targets(method):
            if target.ours.path == path:
                request = Request(method, path, query)
                self.sampler.ask(fork, target, replace(request, body=content) if method == "POST" else request)

    def targets(self, *methods: str) -> Iterator[Target]:
        """Return the operations with these methods."""
        return (target for target in self.sampler.targets if target.ours.method in methods)

    def ours(self, value: Any, name: str = "") -> Any:
        """Return a recorded value with the vendor's ids replaced by ids of our world."""
        if isinstance(value, Mapping):
            return {key: self.ours(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.ours(inner, name) for inner in value]
        if ID.search(name) and isinstance(value, int) and not isinstance(value, bool):
            known = self.sampler.pool.named(name) or self.sampler.pool.last_part(name)
            return next((number for number in known if isinstance(number, int)), value)
        return value


def _fewer(body: Mapping[str, Mapping[str, Any]]) -> Iterator[Any]:
    """Yield a body, then the body without each of its parts: vendors refuse some of the fields that they return."""
    yield body
    for name, thing in body.items():
        for left_out in thing:
            yield {name: {key: value for key, value in thing.items() if key != left_out}}


def _things(value: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the objects in a reply, each with the key that contains it."""
    if not isinstance(value, Mapping):
        return []
    found: list[tuple[str, Mapping[str, Any]]] = []
    for name, inner in value.items():
        items = inner[:EACH] if isinstance(inner, list) else [inner]
        found += [(name, item) for item in items if isinstance(item, Mapping) and item]
    return found
