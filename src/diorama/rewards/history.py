"""What an agent's acts did to rows: a record of changes that grows with the events of an episode."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from diorama.kernel import Chain, Change, Company
from diorama.kernel.events import Outline
from diorama.kit.damage import UNKNOWN, TableKinds
from diorama.kit.deeds import Act, Recogniser

Row = tuple[str, int | str]


@lru_cache(maxsize=256)
def kinds_of(company: Company) -> Mapping[str, TableKinds]:
    """Return what changes of each tracked table mean, as the apps declare it."""
    said: dict[str, TableKinds] = {}
    for app in company.apps:
        said.update(getattr(app.product, "damage_kinds", {}))
    return {table: said.get(table, UNKNOWN) for table in company.tracked if not table.startswith("_")}


@lru_cache(maxsize=256)
def recognisers_of(company: Company) -> Mapping[str, Recogniser]:
    """Return how the apps recognise deeds, by table."""
    found: dict[str, Recogniser] = {}
    for app in company.apps:
        found.update(getattr(app.product, "recognisers", {}))
    return found


class Touched(NamedTuple):
    """One change of a row: at which event, by which actor, and whether an act of the agent caused it."""

    seq: int
    actor: str
    change: Change
    own: bool


class RowHistory:
    """What happened to one row since the agent first changed it."""

    __slots__ = ("actor", "inserted", "seq", "touches")

    def __init__(self, inserted: bool, seq: int, actor: str) -> None:
        self.inserted = inserted
        self.seq = seq
        self.actor = actor
        self.touches: list[Touched] = []

    def first(self, column: str) -> tuple[Any, int]:
        """Return the value of a column before the agent first changed it, and the event that did."""
        for seq, _, change, own in self.touches:
            if own and change.before is not None and column in change.before:
                return change.before[column], seq
        raise KeyError(column)

    def columns(self) -> list[str]:
        """Return the columns that the agent's acts changed, in order."""
        found: dict[str, None] = {}
        for _, _, change, own in self.touches:
            if own and change.op == "update":
                found.update(dict.fromkeys(change.after or ()))
        return list(found)

    def last_own(self) -> Touched:
        """Return the last change that the agent's acts caused."""
        return next(touched for touched in reversed(self.touches) if touched.own)

    def last(self, column: str) -> int:
        """Return the last event by which the agent's acts changed a column."""
        return max(seq for seq, _, change, own in self.touches if own and column in (change.after or ()))

    def before(self) -> dict[str, Any]:
        """Return the values that the agent's acts replaced, as they were before the episode."""
        return {} if self.inserted else {column: self.first(column)[0] for column in self.columns()}

    def used_between(self, first: int, last: int, effects: Container[str] = ()) -> bool:
        """Check whether, after one event and before another, a person changed the row or it took effect.

        `effects` are the columns by which others show that it took effect.
        """
        return any(
            first < seq < last
            and not own
            and (actor.startswith("persona:") or any(column in effects for column in change.after or ()))
            for seq, actor, change, own in self.touches
        )


class History:
    """The rows that an agent's acts changed, and the words it wrote; read from a chain as far as it has grown."""

    def __init__(self, kinds: Mapping[str, TableKinds], start: int, recognised: Container[str] = frozenset()) -> None:
        """Begin at a position of a chain; `recognised` are the tables in which deeds are recognised."""
        self.kinds = kinds
        self.recognised = recognised
        self.length = start
        self.head = b""
        self.rows: dict[Row, RowHistory] = {}
        self.final: dict[Row, RowHistory] = {}
        """Those that cannot be taken back."""
        self.turns = 0
        """How often the agent acted, waited or finished."""
        self.words: list[int] = []
        """Events in which the agent itself wrote to someone."""
        self._called: dict[int, tuple[str, str]] = {}
        self._acts: dict[tuple[Row, str], Act] = {}
        self.added: set[Row] = set()
        """The rows that the agent's acts added."""

    def fits(self, chain: Chain) -> bool:
        """Check whether this is a history of an earlier state of the chain."""
        if not self.head:
            return True
        return len(chain) >= self.length and chain.entry(self.length - 1).trace == self.head

    def read(self, chain: Chain) -> None:
        """Read the events that are new."""
        for index in range(self.length, len(chain)):
            entry = chain.entry(index)
            self._add(entry.outline(), entry.door)
        if len(chain) > self.length:
            self.length = len(chain)
            self.head = chain.entry(self.length - 1).trace

    def _add(self, event: Outline, door: str) -> None:
        if event.actor.startswith("agent:"):
            self._called[event.seq] = event.app, event.actor
            self.turns += door != "paced"
        app, actor = self._called.get(event.root, ("", ""))
        for change in event.changes:
            if change.table.startswith("_"):
                continue
            kinds = self.kinds.get(change.table, UNKNOWN)
            own = bool(app) and change.by == app and (kinds.delayed or event.seq == event.root)
            row = change.table, change.key
            known = self.rows.get(row)
            if own and known is None:
                known = self.rows[row] = RowHistory(change.op == "insert", event.seq, actor)
                if known.inserted:
                    self.added.add(row)
                    if kinds.final:
                        self.final[row] = known
            if known is not None:
                known.touches.append(Touched(event.seq, event.actor, change, own))
            if own and kinds.word is not None and change.op == "insert" and kinds.word(change.after or {}):
                self.words.append(event.seq)
            if change.table in self.recognised:
                by = actor if own else event.actor if change.by == event.app else change.by
                self._add_act(event, change, by)

    def _add_act(self, event: Outline, change: Change, by: str) -> None:
        """Keep what an actor did to a row, for the recognisers of deeds."""
        place = (change.table, change.key), by
        earlier = self._acts.get(place)
        inserted = change.op == "insert" or (earlier is not None and earlier.inserted)
        before, after, seqs = (
            (dict(earlier.before), dict(earlier.after), dict(earlier.seqs)) if earlier else ({}, {}, {})
        )
        for column, value in (change.before or {}).items() if not inserted else ():
            before.setdefault(column, value)
        after.update(change.after or {})
        seqs.update(dict.fromkeys(change.after or {}, event.seq))
        seq = earlier.seq if earlier else event.seq
        self._acts[place] = Act(change.table, change.key, inserted, before, after, seq, by, seqs)

    def acts(self) -> list[Act]:
        """Return what each actor did to the rows in which deeds are recognised."""
        return list(self._acts.values())

    def wrote_between(self, first: int, last: int) -> bool:
        """Check whether the agent wrote to someone after one event and before another."""
        return any(first < seq < last for seq in self.words)
