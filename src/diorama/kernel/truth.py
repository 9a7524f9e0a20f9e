"""Truth: the control plane's facts about a world, hidden from every app and every door."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from diorama.kernel.world import World


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
        self._world._lane(alone=True).control(
            "INSERT INTO _truth VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, text)
        )

    def __delitem__(self, name: str) -> None:
        self._world._lane(alone=True).control("DELETE FROM _truth WHERE name = ?", (name,))

    def __iter__(self) -> Iterator[str]:
        return iter([name for (name,) in self._world._lane().control("SELECT name FROM _truth ORDER BY name")])

    def __len__(self) -> int:
        return int(self._world._lane().control("SELECT count(*) FROM _truth")[0][0])
