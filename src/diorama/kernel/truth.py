"""Truth: the control plane's facts about a world, hidden from every app and every door."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from diorama.kernel.world import World


T = TypeVar("T")


class Truth(MutableMapping[str, Any]):
    """The control plane's facts, as JSON by name; hidden from all apps and doors."""

    def __init__(self, world: World) -> None:
        self._world = world

    def __getitem__(self, name: str) -> Any:
        rows = self._world._lane().control("SELECT value FROM _truth WHERE name = ?", (name,))
        if not rows:
            raise KeyError(name)
        return msgspec.json.decode(rows[0][0])

    def __setitem__(self, name: str, value: Any) -> None:
        text = msgspec.json.encode(value, order="deterministic").decode()
        self._forget(name)
        self._world._lane(alone=True).control(
            "INSERT INTO _truth VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, text)
        )

    def __delitem__(self, name: str) -> None:
        self._forget(name)
        self._world._lane(alone=True).control("DELETE FROM _truth WHERE name = ?", (name,))

    def record(self, name: str, kind: type[T]) -> T:
        """Return a fact as a frozen struct; it is decoded once for all worlds that share its row."""
        found = self._world.pages.decoded.get(name)
        if type(found) is not kind:
            found = msgspec.convert(self[name], kind)
            self._remember(name, found)
        return found

    def write_record(self, name: str, record: Any) -> None:
        """Write a frozen struct that is equal to what its row decodes to."""
        self[name] = record
        self._remember(name, record)

    def _remember(self, name: str, record: Any) -> None:
        pages = self._world.pages
        pages.decoded = {**pages.decoded, name: record}

    def _forget(self, name: str) -> None:
        pages = self._world.pages
        if name in pages.decoded:
            pages.decoded = {known: record for known, record in pages.decoded.items() if known != name}

    def __iter__(self) -> Iterator[str]:
        return iter([name for (name,) in self._world._lane().control("SELECT name FROM _truth ORDER BY name")])

    def __len__(self) -> int:
        return int(self._world._lane().control("SELECT count(*) FROM _truth")[0][0])
