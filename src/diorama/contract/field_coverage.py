"""Field coverage: how many key paths of the vendor's recorded replies our replies have, with the same JSON types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from diorama.contract.recordings import Exchange, Names
from diorama.contract.shape import type_of

ENOUGH = 0.95


class MissingField(Struct, frozen=True):
    """One key path in the vendor's recorded replies that ours lack or have with another type."""

    operation: str
    path: str
    recorded: str
    ours: str
    source: str


class FieldCoverage(Struct, frozen=True, kw_only=True):
    """The result of the comparison with the recordings."""

    exchanges: int
    compared: int
    paths: int
    present: int
    misses: list[MissingField]
    unserved: list[str]

    @property
    def share(self) -> float:
        """The share of the recorded key paths that our replies have with the same type."""
        return self.present / self.paths if self.paths else 1.0

    @property
    def enough(self) -> bool:
        """Whether the share reaches the promised one."""
        return self.share >= ENOUGH


Seen = dict[str, dict[str, set[str]]]


def paths_of(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key path of a value with its JSON type; the items of a list share one path."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            path = f"{place}.{key}" if place else str(key)
            yield path, _kind(inner)
            yield from paths_of(inner, path)
    elif isinstance(value, list):
        for item in value:
            yield f"{place}[]", _kind(item)
            yield from paths_of(item, f"{place}[]")


def learn(seen: dict[str, set[str]], value: Any) -> None:
    """Add the key paths of one of our replies to those seen so far."""
    for path, kind in paths_of(value):
        seen.setdefault(path, set()).add(kind)


def compare(
    placed: Sequence[tuple[Exchange, str | None]], seen: Mapping[str, Mapping[str, set[str]]], names: Names
) -> FieldCoverage:
    """Compare our replies, by operation, with the recordings; each path of an operation counts once."""
    recorded: dict[tuple[str, str], tuple[set[str], str]] = {}
    for exchange, operation in placed:
        if operation is not None:
            for path, kind in paths_of(exchange.body):
                if not _is_below(path, names.free):
                    recorded.setdefault((operation, path), (set(), exchange.source))[0].add(kind)
    misses: list[MissingField] = []
    for (operation, path), (kinds, source) in recorded.items():
        ours = seen.get(operation, {}).get(path, set())
        wanted = kinds - {"null"}
        if ours and (not wanted or ours & wanted):
            continue
        misses.append(MissingField(operation, path, _spelled(kinds), _spelled(ours), source))
    return FieldCoverage(
        exchanges=len(placed),
        compared=sum(operation is not None for _, operation in placed),
        paths=len(recorded),
        present=len(recorded) - len(misses),
        misses=sorted(misses, key=lambda miss: (miss.operation, miss.path)),
        unserved=sorted({f"{one.method} {one.address}" for one, operation in placed if operation is None}),
    )


def _kind(value: Any) -> str:
    kind = type_of(value)
    return "number" if kind == "integer" else kind


def _is_below(path: str, free: Iterable[str]) -> bool:
    """Check whether a path is below a name whose keys differ in every account."""
    parts = path.replace("[]", "").split(".")
    return any(name in parts[:-1] for name in free)


def _spelled(kinds: Iterable[str]) -> str:
    return " or ".join(sorted(kinds)) or "absent"
