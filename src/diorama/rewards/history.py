"""What an agent's acts did to rows: a record of changes that grows with the events of an episode."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from diorama.kernel import Chain, Change, Company, Tx
from diorama.kernel.events import Outline
from diorama.kit.damage import UNKNOWN, TableKinds
from diorama.kit.deeds import Act, Recogniser
from diorama.kit.documents import Document, Files
from diorama.kit.words import Outlet, Sent
from diorama.rewards.attention import Attention
from diorama.rewards.readers import Failures
from diorama.rewards.recalling import Memory, RecallingTx, Row, read_stored

FINISH = "finish"
"""The operation by which an agent ends the episode."""
LONG_ROW = 4_000
"""A changed row with more characters always counts as written: a rule of the agent may have written it."""


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


@lru_cache(maxsize=256)
def outlets_of(company: Company) -> Mapping[str, Outlet]:
    """Return how the apps find words that leave, by table."""
    found: dict[str, Outlet] = {}
    for app in company.apps:
        found.update(getattr(app.product, "outlets", {}))
    return found


class Touched(NamedTuple):
    """One change of a row: at which event, by which actor, and whether an act of the agent caused it."""

    seq: int
    actor: str
    change: Change
    own: bool


class RowHistory:
    """What happened to one row since the agent first changed it.

    What is asked for is indexed by column and event, so that a row that was changed often costs no more per question.
    """

    __slots__ = (
        "_befores", "_columns", "_ends", "_first", "_indexed", "_last", "_uses", "actor", "inserted", "seq", "touches",
    )  # fmt: skip

    def __init__(self, inserted: bool, seq: int, actor: str) -> None:
        self.inserted = inserted
        self.seq = seq
        self.actor = actor
        self.touches: list[Touched] = []
        self._indexed = 0
        """How many of the touches are in the index."""
        self._first: dict[str, tuple[Any, int]] = {}
        """For each column, its value before the agent first changed it, and the event that did."""
        self._last: dict[str, int] = {}
        """For each column, the last event by which the agent's acts changed it."""
        self._columns: dict[str, None] = {}
        """The columns that the agent's acts updated, in order."""
        self._befores: dict[str, tuple[list[int], list[Any]]] = {}
        """For each column, the events that updated it, and the values that each of them replaced."""
        self._ends: tuple[list[int], list[Mapping[str, Any] | None]] = [], []
        """The events that added or removed the row, and what stood there before."""
        self._uses: dict[Container[str], tuple[int, list[int]]] = {}
        """For the columns that show an effect: how many touches were read, and at which events it was used."""

    def _index(self) -> None:
        """Index the touches that are new."""
        if self._indexed == len(self.touches):
            return
        for seq, _, change, own in islice(self.touches, self._indexed, None):
            before = change.before
            if change.op != "update":
                self._ends[0].append(seq)
                self._ends[1].append(before)
            for column, value in (before or {}).items():
                if own and column not in self._first:
                    self._first[column] = value, seq
                if change.op == "update":
                    seqs, values = self._befores.setdefault(column, ([], []))
                    seqs.append(seq)
                    values.append(value)
            if own:
                self._last.update(dict.fromkeys(change.after or (), seq))
            if own and change.op == "update":
                self._columns.update(dict.fromkeys(change.after or ()))
        self._indexed = len(self.touches)

    def add(self, touched: Touched) -> None:
        """Add the next change of the row."""
        self.touches.append(touched)

    def first(self, column: str) -> tuple[Any, int]:
        """Return the value of a column before the agent first changed it, and the event that did."""
        self._index()
        return self._first[column]

    def columns(self) -> list[str]:
        """Return the columns that the agent's acts changed, in order."""
        self._index()
        return list(self._columns)

    def updates(self) -> list[tuple[str, Any, int, int]]:
        """Return for each column that the agent's acts changed: the value before, and the first and last event."""
        self._index()
        first, last = self._first, self._last
        return [(column, *first[column], last[column]) for column in self._columns]

    def last_own(self) -> Touched:
        """Return the last change that the agent's acts caused."""
        return next(touched for touched in reversed(self.touches) if touched.own)

    def last(self, column: str) -> int:
        """Return the last event by which the agent's acts changed a column."""
        self._index()
        return self._last[column]

    def before(self) -> dict[str, Any]:
        """Return the values that the agent's acts replaced, as they were before the episode."""
        return {} if self.inserted else {column: self.first(column)[0] for column in self.columns()}

    def then(self, now: Mapping[str, Any] | None, seq: int) -> Mapping[str, Any] | None:
        """Return the row as it was right after an event: as it is now, with every later change taken back."""
        if not self.touches or self.touches[-1].seq <= seq:
            return now
        self._index()
        place = bisect_right(self._ends[0], seq)
        end = self._ends[0][place] if place < len(self._ends[0]) else None
        found = now if end is None else self._ends[1][place]
        if end is not None and found is None:
            return None
        then = dict(found or {})
        for column, (seqs, values) in self._befores.items():
            at = bisect_right(seqs, seq)
            if at < len(seqs) and (end is None or seqs[at] < end):
                then[column] = values[at]
        return then

    def used_between(self, first: int, last: int, effects: Container[str] = ()) -> bool:
        """Check whether, after one event and before another, a person changed the row or it took effect.

        `effects` are the columns by which others show that it took effect.
        """
        count, seqs = self._uses.get(effects, (0, []))
        if count < len(self.touches):
            for seq, actor, change, own in islice(self.touches, count, None):
                if not own and (actor.startswith("persona:") or any(one in effects for one in change.after or ())):
                    seqs.append(seq)
            self._uses[effects] = len(self.touches), seqs
        place = bisect_right(seqs, first)
        return place < len(seqs) and seqs[place] < last

    def effects_between(self, first: int, last: int, effects: Container[str]) -> bool:
        """Check whether, after one event and before another, the row took effect other than by the agent."""
        return any(
            first < touched.seq < last and not touched.own and any(one in effects for one in touched.change.after or ())
            for touched in self.touches
        )


class Then:
    """The rows as they were right after one event: see `kit.words.Moment`."""

    __slots__ = ("_history", "seq", "tx")

    def __init__(self, history: History, tx: Tx, seq: int) -> None:
        self._history = history
        self.tx = tx
        self.seq = seq

    def row(self, table: str, key: int | str) -> Mapping[str, Any] | None:
        """Return a row as it was: as it is now, with every later change taken back."""
        found = stored_row(self.tx, table, key)
        known = self._history.rows.get((table, key))
        return found if known is None else known.then(found, self.seq)

    def first(self, table: str, key: int | str, column: str) -> Any:
        """Return a value as it was before the agent first changed it; None for a row that the agent added."""
        known = self._history.rows.get((table, key))
        if known is None or known.inserted:
            return None
        try:
            return known.first(column)[0]
        except KeyError:
            return None

    def made(self, table: str, key: int | str) -> bool:
        """Check whether an act of the agent had added or changed a row by then."""
        known = self._history.rows.get((table, key))
        return known is not None and known.seq <= self.seq

    def document(self, content: bytes) -> Document:
        """Read a file, within what one judgement reads of files."""
        return self._history.files.read(content)


def stored_row(tx: Tx, table: str, key: int | str) -> Mapping[str, Any] | None:
    """Return a row as it is stored now, or None."""
    return tx.stored(table, key) if isinstance(tx, RecallingTx) else read_stored(tx, table, key)


def _length(change: Change, own: bool, kinds: TableKinds) -> int:
    """Return how many characters of a change a judgement may have to read."""
    texts = {column: len(one) for column, one in (change.after or {}).items() if isinstance(one, str)}
    whole = sum(texts.values())
    if whole > LONG_ROW:
        return whole
    return sum(texts.get(column, 0) for column in kinds.texts) if own else 0


class History:
    """The rows that an agent's acts changed, and the words that left; read from a chain as far as it has grown."""

    def __init__(
        self,
        kinds: Mapping[str, TableKinds],
        start: int,
        recognised: Container[str] = frozenset(),
        outlets: Mapping[str, Outlet] | None = None,
    ) -> None:
        """Begin at a position of a chain; `recognised` are the tables in which deeds are recognised."""
        self.kinds = kinds
        self.recognised = recognised
        self.outlets = outlets or {}
        self.length = start
        self.head = b""
        self.rows: dict[Row, RowHistory] = {}
        self.final: dict[Row, RowHistory] = {}
        """Those that cannot be taken back."""
        self.report = Sent()
        """What the agent reported at the end, for its team."""
        self.turns = 0
        """How often the agent acted, waited or finished."""
        self._sent: list[Sent] = []
        self.attention = Attention()
        self.files = Files()
        self.failures = Failures()
        """The texts that our own readers fail at."""
        self._written: tuple[int, list[int]] = 0, []
        """The events in which words were sent, in order, and of how many words that is."""
        self._unread: list[tuple[int, int, Change]] = []
        """Changes in which words may have left: event, time and change."""
        self.changed: dict[str, int] = {}
        """For each table, the last event that changed it."""
        self.touched: dict[Row, int] = {}
        """For each row that changed, the last event that changed it."""
        self.stored: dict[Row, Mapping[str, Any] | None] = {}
        """Rows as they are stored now, as far as they are known: those that were added or read; None if removed."""
        self.memory = Memory(self)
        self.written = 0
        """How many characters the agent's acts wrote that a judgement may have to read."""
        self.log: list[Row] = []
        """The row of every change, in order."""
        self.added_by: dict[Row, str] = {}
        """For each row that was added, the app in whose event it was."""
        self.kept: dict[Any, tuple[Any, Any]] = {}
        """Values that were computed from this history, each with what it depends on."""
        self.held: dict[Any, Any] = {}
        """What readers of this history keep up to date themselves."""
        self._known: tuple[bytes, int, dict[str, Any]] = b"", 0, {}
        """What views of one state computed: the end of the chain, the time, and the values by name."""
        self._told: list[tuple[int, Change]] = []
        """Changes that an app tells people about, with their events."""
        self._called: dict[int, tuple[str, str]] = {}
        self._acts: dict[tuple[Row, str], Act] = {}
        self.added: set[Row] = set()
        """The rows that the agent's acts added."""
        self._weighs: dict[str, bool] = {}
        self._last_changes: dict[tuple[str, ...], int] = {}

    def is_at(self, chain: Chain) -> bool:
        """Check whether everything in the chain was read."""
        return self.head is chain.head

    def known_at(self, chain: Chain, now_us: int) -> dict[str, Any]:
        """Return where views of the current state keep what they compute: empty for a new state."""
        if self._known[0] is not chain.head or self._known[1] != now_us:
            self._known = chain.head, now_us, {}
        return self._known[2]

    def last_change(self, prefixes: tuple[str, ...]) -> int:
        """Return the last event that changed a table whose name begins with one of these prefixes, or 0."""
        found = self._last_changes.get(prefixes)
        if found is None:
            seqs = (seq for table, seq in self.changed.items() if table.startswith(prefixes))
            found = self._last_changes[prefixes] = max(seqs, default=0)
        return found

    def weighs(self, table: str) -> bool:
        """Check whether a change of a table can weigh anything."""
        found = self._weighs.get(table)
        if found is None:
            found = self._weighs[table] = not self.kinds.get(table, UNKNOWN).weightless
        return found

    def fits(self, chain: Chain) -> bool:
        """Check whether this is a history of an earlier state of the chain."""
        if not self.head:
            return True
        return len(chain) >= self.length and chain.entry(self.length - 1).trace == self.head

    def read(self, chain: Chain) -> None:
        """Read the events that are new."""
        for index in range(self.length, len(chain)):
            entry = chain.entry(index)
            outline = entry.outline()
            self._add(outline, entry.door)
            if outline.operation == FINISH and outline.actor.startswith("agent:"):
                self.report = Sent(body=str(chain[index].request.get("report", "")), seq=outline.seq, at=outline.at)
        if len(chain) > self.length:
            self.length = len(chain)
            self.head = chain.entry(self.length - 1).trace

    def _add(self, event: Outline, door: str) -> None:
        if event.actor.startswith("agent:"):
            self._called[event.seq] = event.app, event.actor
            self.turns += door != "paced"
        app, actor = self._called.get(event.root, ("", ""))
        if event.changes:
            self._last_changes.clear()
        for change in event.changes:
            if change.table.startswith("_"):
                continue
            self.changed[change.table] = event.seq
            kinds = self.kinds.get(change.table, UNKNOWN)
            own = bool(app) and change.by == app and (kinds.delayed or event.seq == event.root)
            row = change.table, change.key
            if kinds.tells is not None:
                self._told.append((event.seq, change))
            self.log.append(row)
            self.touched[row] = event.seq
            self._keep_stored(row, change)
            if change.op == "insert":
                self.added_by[row] = event.app
            known = self.rows.get(row)
            if own and known is None:
                known = self.rows[row] = RowHistory(change.op == "insert", event.seq, actor)
                if known.inserted:
                    self.added.add(row)
                    if kinds.final:
                        self.final[row] = known
            if known is not None:
                known.add(Touched(event.seq, event.actor, change, own))
            outlet = self.outlets.get(change.table)
            if outlet is not None or (own and kinds.texts):
                self.written += _length(change, own, kinds)
            if outlet is not None and (own or outlet.everyone):
                self._unread.append((event.seq, event.at, change))
            elif own and kinds.word is not None and change.op == "insert" and kinds.word(change.after or {}):
                self._sent.append(Sent(seq=event.seq, at=event.at))
            if change.table in self.recognised:
                by = actor if own else event.actor if change.by == event.app else change.by
                self._add_act(event, change, by)

    def _keep_stored(self, row: Row, change: Change) -> None:
        """Keep a row up to date that was added, or read before."""
        if change.op == "insert":
            self.stored[row] = change.after
        elif change.op == "delete":
            self.stored[row] = None
        elif (known := self.stored.get(row)) is not None:
            self.stored[row] = {**known, **(change.after or {})}

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

    def sent(self, tx: Tx) -> list[Sent]:
        """Return the words that left because of the agent, in order, each as it was when it left.

        What is more than anyone reads has no text.
        """
        for seq, at, change in self._unread:
            if self.attention.ended_at:
                self._sent.append(Sent(seq=seq, at=at))
                continue
            for one in self._words_of(tx, seq, change):
                words = msgspec.structs.replace(one, seq=seq, at=at)
                self._sent.append(words if self.attention.takes(words) else Sent(seq=seq, at=at))
        self._unread.clear()
        return self._sent

    def _words_of(self, tx: Tx, seq: int, change: Change) -> list[Sent]:
        """Return the words of one change; if a reader fails, something left that has no text."""
        read, place = self.outlets[change.table].read, ("sent", f"{change.table} {change.key} {seq}")
        return self.failures.reading(place, lambda: list(read(Then(self, tx, seq), change)), [Sent()], seq)

    def wrote_between(self, tx: Tx, first: int, last: int) -> bool:
        """Check whether the agent wrote to someone since one event and before another.

        Words in the first event count: they went out with what that event changed.
        """
        sent = self.sent(tx)
        if self._written[0] != len(sent):
            self._written = len(sent), sorted(one.seq for one in sent if one.way != "field")
        seqs = self._written[1]
        place = bisect_left(seqs, first)
        return place < len(seqs) and seqs[place] < last

    def told_between(self, tx: Tx, people: Iterable[int | str], first: int, last: int) -> bool:
        """Check whether an app told one of these people something since one event and before another."""
        told = self._told_at(tx)
        for one in people:
            seqs = told.get(one, ())
            place = bisect_left(seqs, first)
            if place < len(seqs) and seqs[place] < last:
                return True
        return False

    def _told_at(self, tx: Tx) -> dict[int | str, list[int]]:
        """Return for each person the events in which an app told them something, as the rows are stored now."""
        known = self.kept.get("told at")
        if known is None or known[0] != len(self.log):
            found: dict[int | str, list[int]] = {}
            for seq, change in self._told:
                tells = self.kinds[change.table].tells
                row = {**(stored_row(tx, change.table, change.key) or {}), **(change.after or {})}
                for one in tells(row) if tells is not None else ():
                    found.setdefault(one, []).append(seq)
            known = self.kept["told at"] = len(self.log), found
        told: dict[int | str, list[int]] = known[1]
        return told
