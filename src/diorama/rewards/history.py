"""What an agent's acts did to rows: a record of changes that grows with the events of an episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from diorama.kernel import Chain, Change, Company, Event
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


class RowHistory:
    """What happened to one row since the agent first changed it."""

    __slots__ = ("actor", "inserted", "seq", "touches")

    def __init__(self, inserted: bool, seq: int, actor: str) -> None:
        self.inserted = inserted
        self.seq = seq
        self.actor = actor
        self.touches: list[tuple[Event, Change, bool]] = []
        """Events, changes, and whether the agent's act caused them."""

    def first(self, column: str) -> tuple[Any, int]:
        """Return the value of a column before the agent first changed it, and the event that did."""
        for event, change, own in self.touches:
            if own and change.before is not None and column in change.before:
                return change.before[column], event.seq
        raise KeyError(column)

    def columns(self) -> list[str]:
        """Return the columns that the agent's acts changed, in order."""
        found: dict[str, None] = {}
        for _, change, own in self.touches:
            if own and change.op == "update":
                found.update(dict.fromkeys(change.after or ()))
        return list(found)

    def last_own(self) -> tuple[Event, Change]:
        """Return the last change that the agent's acts caused."""
        return next((event, change) for event, change, own in reversed(self.touches) if own)

    def others_since(self, seq: int) -> list[Event]:
        """Return the events of others that changed the row after an event."""
        return [event for event, _, own in self.touches if not own and event.seq > seq]


class History:
    """The rows that an agent's acts changed, and the words it wrote; read from a chain as far as it has grown."""

    def __init__(self, kinds: Mapping[str, TableKinds], start: int) -> None:
        self.kinds = kinds
        self.length = start
        self.head = b""
        self.rows: dict[Row, RowHistory] = {}
        self.words: list[int] = []
        """Events in which the agent itself wrote to somebody."""
        self._called: dict[int, tuple[str, str]] = {}
        self._acts: dict[tuple[Row, str], Act] = {}

    def fits(self, chain: Chain) -> bool:
        """Check whether this is a history of an earlier state of the chain."""
        if not self.head:
            return True
        return len(chain) >= self.length and chain.entry(self.length - 1).trace == self.head

    def read(self, chain: Chain) -> None:
        """Read the events that are new."""
        for index in range(self.length, len(chain)):
            self._add(chain.entry(index).open(whole=False))
        if len(chain) > self.length:
            self.length = len(chain)
            self.head = chain.entry(self.length - 1).trace

    def _add(self, event: Event) -> None:
        if event.actor.startswith("agent:"):
            self._called[event.seq] = event.app, event.actor
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
            if known is not None:
                known.touches.append((event, change, own))
            if own and kinds.word is not None and change.op == "insert" and kinds.word(change.after or {}):
                self.words.append(event.seq)
            self._add_act(event, change, actor if own else change.by or event.actor)

    def _add_act(self, event: Event, change: Change, by: str) -> None:
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

    def acts(self, tables: Mapping[str, Any]) -> Iterator[Act]:
        """Yield what each actor did to the rows of some tables."""
        return (act for act in self._acts.values() if act.table in tables)

    def wrote_between(self, first: int, last: int) -> bool:
        """Check whether the agent wrote to somebody after one event and before another."""
        return any(first < seq < last for seq in self.words)
