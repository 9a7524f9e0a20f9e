"""The values of a customer's rows: read once per episode, then only the rows that changed are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args, get_type_hints

import msgspec

from diorama.apps.backoffice.schema import (
    Address,
    Approval,
    Card,
    Charge,
    Credit,
    Customer,
    Note,
    Order,
    OrderLine,
    Postal,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.kernel import Record, Tx, from_us
from diorama.kernel.records import table_of
from diorama.rewards.claims import Grounds
from diorama.rewards.claims.case import Collector
from diorama.rewards.history import History, RowHistory, stored_row
from diorama.rewards.recalling import Row

OF_A_CUSTOMER: tuple[type[Record], ...] = (
    Address, Charge, Refund, Credit, Approval, Return, Replacement, Shipment, Subscription, Unit, Note
)  # fmt: skip
_NUMBERS = ("id", "number", "tracking_number", "serial_number", "new_serial_number", "sku")
_FREE_TEXTS = ("body", "note", "justification", "decision_note", "trace_answer", "author", "created_by")
Pair = tuple[str, Any]
"""A kind of value as `Grounds` names it, and the value."""
Reader = Callable[[Any], Iterable[Pair]]
R = TypeVar("R", bound=Record)
T = TypeVar("T")
ID = attrgetter("id")
WHEN = attrgetter("created_at", "id")
"""The usual orders of records."""


class _Layout(NamedTuple):
    """How the values of a table are read: where numbers, amounts, moments, other values and free texts stand."""

    table: str
    record: type[Record]
    mine: str
    """The condition for the rows of one customer."""
    width: int
    """The number of cells of a row."""
    numbers: tuple[int, ...]
    cents: tuple[int, ...]
    moments: tuple[int, ...]
    readers: tuple[tuple[int, Reader], ...]
    """Where each other value stands, and how it is read."""
    free: tuple[int, ...]
    by_the_agent: bool
    """Whether rows that the agent wrote count."""


def _phone(value: str) -> tuple[Pair]:
    return (("phones", "".join(filter(str.isdigit, value))),)


DAY_US = 86_400_000_000


@lru_cache(maxsize=4096)
def date_of(days: int) -> str:
    """Return the date of a day that is counted from 1970 on."""
    return f"{from_us(days * DAY_US):%Y-%m-%d}"


REMEMBERED_CHARACTERS = 4_096
"""The length of texts in rows whose values are kept."""


def _text(value: str) -> tuple[Pair, ...]:
    return _kept_values(value) if len(value) <= REMEMBERED_CHARACTERS else _values(value)


def _values(value: str) -> tuple[Pair, ...]:
    collector = Collector()
    collector.add(value)
    return collector.pairs()


_kept_values = lru_cache(maxsize=1024)(_values)


@lru_cache(maxsize=1024)
def _postal(value: str) -> tuple[Pair, ...]:
    """Return the values of an address; the name on it is not one."""
    collector = Collector()
    collector.add({**msgspec.json.decode(value), "name": ""})
    return collector.pairs()


def _card(value: str) -> tuple[Pair]:
    return (("cards", msgspec.json.decode(value, type=Card).last4),)


def _texts(value: str) -> Iterator[Pair]:
    for one in msgspec.json.decode(value):
        if isinstance(one, str):
            yield from _text(one)


def _serial_numbers(value: str) -> Iterator[Pair]:
    yield from _texts(value)
    for one in msgspec.json.decode(value):
        yield "records", one


Kind = Literal["number", "cents", "moment", "free"]
_OTHERS: dict[Any, Reader] = {Postal: _postal, Card: _card, tuple[str, ...]: _texts}
_NAMED: dict[str, Reader] = {"phone": _phone, "email": _text, "serial_numbers": _serial_numbers}


def _kind(name: str, hint: Any) -> Kind | Reader | None:
    """Return what a column holds, or how it is read; None for a column without values."""
    kinds = [one for one in get_args(hint) if one is not NoneType] if NoneType in get_args(hint) else [hint]
    if name in _NUMBERS or (name.endswith("_id") and kinds == [str]):
        return "number"
    if name in _FREE_TEXTS:
        return "free"
    if kinds[0] is int and name.endswith("_cents"):
        return "cents"
    return "moment" if kinds[0] is datetime else _NAMED.get(name) or _OTHERS.get(kinds[0])


def _layout(record: type[Record]) -> _Layout:
    table = table_of(record)
    hints = get_type_hints(record)
    kinds = [_kind(name, hints[name]) for name in table.names]
    numbers, cents, moments, free = (
        tuple(place for place, kind in enumerate(kinds) if kind == one) for one in ("number", "cents", "moment", "free")
    )
    lines = f"order_id IN (SELECT id FROM {table_of(Order).name} WHERE customer_id = ?1)"
    return _Layout(
        table=table.name,
        record=record,
        mine={Customer: "id = ?1", OrderLine: lines}.get(record, "customer_id = ?1"),
        width=len(table.names),
        numbers=numbers,
        cents=cents,
        moments=moments,
        readers=tuple((place, kind) for place, kind in enumerate(kinds) if callable(kind)),
        free=free,
        by_the_agent=record not in (Note, Approval),
    )


_RECORDS: tuple[type[Record], ...] = (Customer, *OF_A_CUSTOMER, Order, OrderLine)
LAYOUTS = {made.table: made for made in map(_layout, _RECORDS)}
ORDERS = table_of(Order).name


def _select_all() -> str:
    """Return one statement for the rows of a customer in all tables: the name of the table, and the cells."""
    width = max(one.width for one in LAYOUTS.values())
    parts = []
    for one in LAYOUTS.values():
        cells = [f'"{name}"' for name in table_of(one.record).names] + ["NULL"] * (width - one.width)
        parts.append(f"SELECT '{one.table}', {', '.join(cells)} FROM {one.table} WHERE {one.mine}")
    return " UNION ALL ".join(parts)


_SELECT_ALL = _select_all()


def was_of(customer_id: str, place: Row, row: RowHistory, rows: Callable[[], CustomerRows]) -> bool:
    """Check whether a row that the agent changed was one of a customer before: what others' rows held stays private.

    The customer's rows are asked only if no change tells whose it was.
    """
    before = row.before()
    if "customer_id" in before:
        return bool(before["customer_id"] == customer_id)
    removed = next((change.before for _, _, change, _ in row.touches if change.op == "delete"), None)
    if removed is not None:
        return customer_id in (removed.get("customer_id"), removed.get("id"))
    return rows().has(*place)


def replaced_values(table: str, row: RowHistory) -> Grounds:
    """Return the values that a row no longer has: those from before the agent's acts, and days and amounts in between.

    What the agent wrote in between, such as an address that it replaced again, does not count.
    """
    if row.inserted:
        return Grounds()
    layout, collector = LAYOUTS[table], Collector()
    names, found = table_of(layout.record).names, collector.found
    before = row.before()
    for place, reader in layout.readers:
        if cell := before.get(names[place]):
            for kind, value in reader(cell):
                found[kind].add(value)
    states = [one.change.before for one in row.touches if one.change.before]
    for name in [names[place] for place in layout.cents]:
        found["amounts"] |= {abs(cell) for state in states if (cell := state.get(name))}
    for name in [names[place] for place in layout.moments]:
        moments = {cell for state in states if (cell := state.get(name))}
        found["dates"] |= {date_of(one // DAY_US) for one in moments}
    return collector.grounds()


class CustomerRows:
    """One customer's rows and their values, as far as a history was read."""

    def __init__(self, tx: Tx, customer_id: str, history: History) -> None:
        self._customer_id = customer_id
        self._rows: dict[str, dict[Any, Sequence[Any]]] = {}
        self._records: dict[Row, Any] = {}
        self._known: dict[Any, tuple[int, int, Any]] = {}
        """What was computed, after how many changes of rows, and from which versions of its tables."""
        self._same: dict[Any, tuple[tuple[Any, ...], Any]] = {}
        self._versions = dict.fromkeys(LAYOUTS, 0)
        """How often rows of each table were read because they had changed."""
        self._changes = 0
        """How often rows of any table were."""
        self._read_all(tx, history)

    def _read_all(self, tx: Tx, history: History) -> None:
        self._records.clear()
        self._rows = {table: {} for table in LAYOUTS}
        for found in Tx.rows(tx, _SELECT_ALL, self._customer_id):
            self._rows[found[0]][found[1]] = found[1 : LAYOUTS[found[0]].width + 1]
        self._read = len(history.log)

    def update(self, tx: Tx, history: History) -> None:
        """Read the rows that changed."""
        if self._read == len(history.log):
            return
        for row in dict.fromkeys(history.log[self._read :]):
            layout = LAYOUTS.get(row[0])
            if layout is None:
                continue
            rows = self._rows[layout.table]
            known = rows.pop(row[1], None)
            now = stored_row(tx, *row)
            if now is not None and self._owns(layout, now):
                rows[row[1]] = [now[name] for name in table_of(layout.record).names]
            if known is None and row[1] not in rows:
                continue  # of another customer
            self._versions[layout.table] += 1
            self._changes += 1
            self._records.pop(row, None)
            if layout.record is Order and (known is None) != (row[1] not in rows):
                self._read_all(tx, history)  # an order came or went with its lines
                self._versions = {table: version + 1 for table, version in self._versions.items()}
                return
        self._read = len(history.log)

    def _owns(self, layout: _Layout, row: Mapping[str, Any]) -> bool:
        """Check whether a stored row is one of the customer's."""
        if layout.record is OrderLine:
            return row["order_id"] in self._rows[ORDERS]
        return bool(row["id" if layout.record is Customer else "customer_id"] == self._customer_id)

    def has(self, table: str, key: int | str) -> bool:
        """Check whether a row is one of the customer's."""
        return key in self._rows[table]

    def all(self, record: type[R], order: Callable[[R], Any] = ID) -> list[R]:
        """Return the customer's records of a class, in order; the list is not to be changed."""
        return self.once((record, order), lambda: self._in_order(record, order), record)

    def _in_order(self, record: type[R], order: Callable[[R], Any]) -> list[R]:
        table, known = table_of(record), self._records
        found: list[R] = []
        for key, cells in self._rows[table.name].items():
            made = known.get((table.name, key))
            if made is None:
                made = known[table.name, key] = table.load(cells)
            found.append(made)
        found.sort(key=order)
        return found

    def once(self, name: Any, find: Callable[[], T], *records: type[Record]) -> T:
        """Compute what follows from the rows of these records, or of all; again only when one of them has changed."""
        known = self._known.get(name)
        if known is not None and known[0] == self._changes:
            return cast(T, known[2])
        versions = self._versions
        version = sum([versions[table_of(one).name] for one in records] if records else versions.values())
        made: T = known[2] if known is not None and known[1] == version else find()
        self._known[name] = self._changes, version, made
        return made

    def same(self, name: Any, parts: tuple[Any, ...], find: Callable[[], T]) -> T:
        """Compute what follows from a few records; again only when one of them has changed."""
        known = self._same.get(name)
        if known is None or known[0] != parts:
            known = self._same[name] = parts, find()
        found: T = known[1]
        return found

    def grounds(self, changed: AbstractSet[Row], in_vain: AbstractSet[Row], free: bool = True) -> Grounds:
        """Return every value: amounts, days, numbers, addresses and contact data; also of free texts if `free`.

        Texts and requests of the agent are not evidence: free texts in rows that it changed do not count. Its notes
        and requests for approval do not count at all. Rows that it added and took back (`in_vain`) do not count.
        """
        collector = Collector()
        found = collector.found
        numbers, cents, moments = set[Any](), set[Any](), set[Any]()
        for layout, rows in self._counting(changed, in_vain):
            columns = list(zip(*rows, strict=True)) or [()] * layout.width
            numbers.update(*[columns[place] for place in layout.numbers])
            cents.update(*[columns[place] for place in layout.cents])
            moments.update(*[columns[place] for place in layout.moments])
            for place, reader in layout.readers:
                for value in filter(None, set(columns[place])):
                    for kind, one in reader(value):
                        found[kind].add(one)
        found["records"] |= {one.upper() for one in numbers if one}
        found["amounts"] |= {abs(one) for one in cents if one}
        moments -= {None, 0}
        found["dates"] |= set(map(date_of, {one // DAY_US for one in moments}))
        for text in self.texts(changed, in_vain) if free else ():
            collector.text(text, "")
        return collector.grounds()

    def texts(self, changed: AbstractSet[Row], in_vain: AbstractSet[Row]) -> list[str]:
        """Return the free texts that count."""
        return [
            cells[place]
            for layout, rows in self._counting(changed, in_vain)
            for cells in (rows if layout.free else ())
            if (layout.table, cells[0]) not in changed
            for place in layout.free
            if cells[place]
        ]

    def _counting(
        self, changed: AbstractSet[Row], in_vain: AbstractSet[Row]
    ) -> Iterator[tuple[_Layout, list[Sequence[Any]]]]:
        """Yield the rows of each table that count."""
        for layout in LAYOUTS.values():
            rows = self._rows[layout.table]
            if not rows:
                continue
            not_counting = in_vain if layout.by_the_agent else {*in_vain, *changed}
            gone = {key for table, key in not_counting if table == layout.table}
            yield layout, [cells for key, cells in rows.items() if key not in gone] if gone else list(rows.values())
