"""The values of a customer's rows: read once per episode, then only the rows that changed are read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import lru_cache
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

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
from diorama.rewards.history import History, Row, RowHistory

OF_A_CUSTOMER: tuple[type[Record], ...] = (
    Address, Charge, Refund, Credit, Approval, Return, Replacement, Shipment, Subscription, Unit, Note
)  # fmt: skip
_NUMBERS = ("id", "number", "tracking_number", "serial_number", "new_serial_number", "sku")
_FREE_TEXTS = ("body", "note", "justification", "decision_note", "trace_answer", "author", "created_by")
Pair = tuple[str, Any]
"""A kind of value as `Grounds` names it, and the value."""
Reader = Callable[[Any], Iterable[Pair]]


class _Layout(NamedTuple):
    """How the values of a table are read: numbers first, then amounts, moments, other values and free texts."""

    table: str
    columns: str
    mine: str
    """The condition for the rows of one customer."""
    ends: tuple[int, int, int]
    """Where numbers, amounts and moments end."""
    readers: tuple[Reader, ...]
    """For each other value how it is read; free texts come after them."""
    width: int
    by_the_agent: bool
    """Whether rows that the agent wrote count."""


class _Values(NamedTuple):
    """The values of one row: those that count in any case, as they are stored or read, and its free texts."""

    numbers: Sequence[Any]
    cents: Sequence[Any]
    moments: Sequence[Any]
    others: tuple[Pair, ...]
    free: tuple[str, ...]


def _phone(value: str) -> tuple[Pair]:
    return (("phones", "".join(filter(str.isdigit, value))),)


@lru_cache(maxsize=4096)
def _moment(value: int) -> tuple[Pair, ...]:
    stamp = from_us(value).isoformat()
    return ("dates", stamp[:10]), ("times", stamp[11:16])


@lru_cache(maxsize=1024)
def _text(value: str) -> tuple[Pair, ...]:
    collector = Collector()
    collector.add(value)
    return collector.pairs()


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
    kinds = {name: _kind(name, hints[name]) for name in table.names}
    numbers, cents, moments, free = (
        [name for name, kind in kinds.items() if kind == one] for one in ("number", "cents", "moment", "free")
    )
    others = {name: kind for name, kind in kinds.items() if callable(kind)}
    names = [*numbers, *cents, *moments, *others, *free]
    lines = f"order_id IN (SELECT id FROM {table_of(Order).name} WHERE customer_id = ?1)"
    return _Layout(
        table=table.name,
        columns=", ".join(f'"{name}"' for name in names),
        mine={Customer: "id = ?1", OrderLine: lines}.get(record, "customer_id = ?1"),
        ends=(len(numbers), len(numbers) + len(cents), len(numbers) + len(cents) + len(moments)),
        readers=tuple(others.values()),
        width=len(names),
        by_the_agent=record not in (Note, Approval),
    )


_RECORDS: tuple[type[Record], ...] = (Customer, *OF_A_CUSTOMER, Order, OrderLine)
_LISTED = tuple(map(_layout, _RECORDS))
LAYOUTS = {made.table: made for made in _LISTED}
_WIDTH = max(one.width for one in _LISTED)
_EVERYTHING = " UNION ALL ".join(
    f"SELECT {place}, id, {one.columns}{', NULL' * (_WIDTH - one.width)} FROM {one.table} WHERE {one.mine}"
    for place, one in enumerate(_LISTED)
)
"""One query for all rows of a customer: the place of their table, their key, and what is read of them."""


def _values(layout: _Layout, cells: Sequence[Any]) -> _Values:
    """Return the values of one row; further cells are not read."""
    first, second, third = layout.ends
    last = third + len(layout.readers)
    others: list[Pair] = []
    for reader, cell in zip(layout.readers, cells[third:last], strict=True):
        if cell:
            others += reader(cell)
    free = tuple(filter(None, cells[last : layout.width]))
    return _Values(cells[:first], cells[first:second], cells[second:third], tuple(others), free)


def was_of(tx: Tx, table: str, key: Any, row: RowHistory, customer_id: str) -> bool:
    """Check whether a row that the agent changed was one of a customer before: what others' rows held stays private."""
    before = row.before()
    if "customer_id" in before:
        return bool(before["customer_id"] == customer_id)
    removed = next((change.before for _, _, change, _ in row.touches if change.op == "delete"), None)
    if removed is not None:
        return customer_id in (removed.get("customer_id"), removed.get("id"))
    return bool(tx.rows(f"SELECT 1 FROM {table} WHERE {LAYOUTS[table].mine} AND id = ?2", customer_id, key))


class CustomerRows:
    """The values of one customer's rows, as far as a history was read."""

    def __init__(self, tx: Tx, customer_id: str, history: History) -> None:
        self._customer_id = customer_id
        self._rows: dict[Row, _Values] = {}
        self._read = 0
        self._read_all(tx, history)

    def _read_all(self, tx: Tx, history: History) -> None:
        self._rows.clear()
        for place, key, *cells in tx.rows(_EVERYTHING, self._customer_id):
            layout = _LISTED[place]
            self._rows[layout.table, key] = _values(layout, cells)
        self._read = len(history.log)

    def update(self, tx: Tx, history: History) -> None:
        """Read the rows that changed."""
        if self._read == len(history.log):
            return
        for row in dict.fromkeys(history.log[self._read :]):
            layout = LAYOUTS.get(row[0])
            if layout is None:
                continue
            known = self._rows.pop(row, None) is not None
            sql = f"SELECT {layout.columns} FROM {layout.table} WHERE {layout.mine} AND id = ?2"
            for cells in tx.rows(sql, self._customer_id, row[1]):
                self._rows[row] = _values(layout, cells)
            if row[0] == table_of(Order).name and known != (row in self._rows):
                self._read_all(tx, history)  # an order came or went with its lines
                return
        self._read = len(history.log)

    def grounds(self, changed: AbstractSet[Row], in_vain: AbstractSet[Row], free: bool = True) -> Grounds:
        """Return every value: amounts, days, numbers, addresses and contact data; also of free texts if `free`.

        Texts and requests of the agent are not evidence: free texts in rows that it changed do not count. Its notes
        and requests for approval do not count at all. Rows that it added and took back (`in_vain`) do not count.
        """
        collector = Collector()
        found = collector.found
        numbers, cents, moments = set[Any](), set[Any](), set[Any]()
        for _, values in self._counting(changed, in_vain):
            numbers.update(values.numbers)
            cents.update(values.cents)
            moments.update(values.moments)
            for kind, value in values.others:
                found[kind].add(value)
        found["records"] |= {one.upper() for one in numbers if one}
        found["amounts"] |= {abs(one) for one in cents if one}
        for one in moments - {None}:
            for kind, value in _moment(one):
                found[kind].add(value)
        for text in self.texts(changed, in_vain) if free else ():
            collector.text(text, "")
        return collector.grounds()

    def texts(self, changed: AbstractSet[Row], in_vain: AbstractSet[Row]) -> list[str]:
        """Return the free texts that count."""
        return [text for row, one in self._counting(changed, in_vain) if row not in changed for text in one.free]

    def _counting(self, changed: AbstractSet[Row], in_vain: AbstractSet[Row]) -> Iterator[tuple[Row, _Values]]:
        for row, values in self._rows.items():
            if row not in in_vain and not (row in changed and not LAYOUTS[row[0]].by_the_agent):
                yield row, values
