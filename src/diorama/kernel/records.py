"""Records over tables: a frozen struct is a row, and its annotations are the schema."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, dataclass_transform, get_args, get_origin

import msgspec

from diorama.kernel.dice import Dice
from diorama.kernel.ids import Draw, IdMaker, counter

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True, kw_only_default=True)
    class _Fields(msgspec.Struct, frozen=True):
        """The declaration for type checkers, which do not see msgspec's inherited options."""

    class Record(_Fields):
        id: Any = 0

    class Notice(_Fields):
        """What an app announces inside the world."""

else:

    class _KeywordOnly(msgspec.StructMeta):
        """Makes every subclass keyword-only, because msgspec does not inherit that option."""

        def __new__(mcls, name, bases, namespace, **options):
            options.setdefault("kw_only", True)
            return super().__new__(mcls, name, bases, namespace, **options)

    class _AlsoPositional(msgspec.StructMeta):
        """Lets loaders pass all fields by position, which takes a tenth of the time that 40 keywords take.

        A field without a default may follow one that has one: its default raises what msgspec raises.
        """

        def __new__(mcls, name, bases, namespace, **options):
            for field in namespace.get("__annotations__", {}):
                if field not in namespace:
                    namespace[field] = msgspec.field(default_factory=partial(_missing_field, field))
            return super().__new__(mcls, name, bases, namespace, **options)

    def _missing_field(field):
        raise TypeError(f"Missing required argument '{field}'")

    class Record(msgspec.Struct, frozen=True, metaclass=_AlsoPositional):
        """One row of one table; `id` is its primary key (0 or "" asks for a new one)."""

        id: int = 0

    class Notice(msgspec.Struct, frozen=True, metaclass=_KeywordOnly):
        """What an app announces inside the world."""


R = TypeVar("R", bound=Record)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_EXACT_UNTIL = 4_000_000_000_000_000  # up to here a float of seconds is exact to the microsecond, at half the cost
_fromtimestamp = datetime.fromtimestamp
_json_encode = msgspec.json.Encoder(order="deterministic").encode


@lru_cache(maxsize=1 << 14)  # a transaction writes the same few times into many rows
def to_us(moment: datetime) -> int:
    """Return microseconds since the epoch."""
    return (moment - EPOCH) // _TICK


@lru_cache(maxsize=1 << 14)  # worlds of one image read the same times again and again
def from_us(value: int) -> datetime:
    """Return the datetime for microseconds since the epoch."""
    if 0 <= value < _EXACT_UNTIL:
        return _fromtimestamp(value / 1e6, UTC)
    return EPOCH + timedelta(microseconds=value)


class Column(msgspec.Struct, frozen=True):
    """One field of a record as SQLite stores it."""

    name: str
    sql: str
    write: Callable[[Any], Any] | None
    read: str  # an expression over `v`, "" for the value itself
    helper: Any = None


LONG_CELL = 512
QUOTES_SHIFT = 3
"""Lists and objects in cells of more than 512 characters are weighed: eight quotes in them count as one row read."""


class Table:
    """The schema of one record class, and its prepared SQL."""

    def __init__(
        self,
        record: type[Record],
        name: str,
        *,
        ids: IdMaker | None = None,
        index: Iterable[Sequence[str]] = (),
        unique: Iterable[Sequence[str]] = (),
        search: Sequence[str] = (),
        append_only: bool = False,
        cached: bool = False,
    ) -> None:
        self.record = record
        self.name = name
        self.control = name.startswith("_")
        """Whether app SQL may not touch the table."""
        self.ids = ids or counter()
        self.index = [tuple(columns) for columns in index]
        self.unique = [tuple(columns) for columns in unique]
        self.search = tuple(search)
        self.append_only = append_only
        self.cached = cached
        """Whether the rows are kept in memory by the content of the table."""
        hints = typing.get_type_hints(record, include_extras=False)
        # Read often, changed rarely: all readers get the same decoded record, if none of them can change it
        shared = cached and all(_is_immutable(_unlocked(hints[field])) for field in record.__struct_fields__)
        self.columns = [_column(field, hints[field], shared) for field in record.__struct_fields__]
        self.columns.sort(key=lambda column: column.name != "id")  # the key comes first
        self.names = tuple(column.name for column in self.columns)
        self.text_key = self.columns[0].sql == "TEXT"
        self._check(ids)
        listed = ", ".join(f'"{name}"' for name in self.names)
        self.select = f"SELECT {listed} FROM {self.name}"
        self.select_one = f"{self.select} WHERE id = ?"
        self.insert = f"INSERT INTO {self.name} ({listed}) VALUES ({', '.join('?' * len(self.names))})"
        self.delete = f"DELETE FROM {self.name} WHERE id = ?"
        self._updates: dict[tuple[str, ...], str] = {}
        self._writers = {column.name: column.write for column in self.columns}
        self.load: Callable[[Sequence[Any]], Any] = _loader(record, self.columns)
        if shared:
            self.load = lru_cache(maxsize=4096)(self.load)
        self.dump: Callable[[Any], tuple[Any, ...]] = _dumper(self.columns)
        self._nested = [place for place, column in enumerate(self.columns) if column.helper]

    def weight(self, rows: Sequence[Sequence[Any]]) -> int:
        """Return what decoding the long lists and objects of rows counts for, in rows read: by their texts."""
        quotes = 0
        for row in rows:
            for place in self._nested:
                cell = row[place]
                if cell is not None and len(cell) > LONG_CELL:
                    quotes += cell.count('"')
        return quotes >> QUOTES_SHIFT

    def _check(self, ids: IdMaker | None) -> None:
        """Raise ValueError if the ids do not fit the key, or an index names a field that the record does not have."""
        record = self.record.__name__
        if ids is not None:
            made, wanted = ids(0, lambda: Dice("sample"), 0), str if self.text_key else int
            if not isinstance(made, wanted):
                kind = type(made)
                said = f"{record} gets ids such as {made!r}, but its key is of the type {wanted.__name__}"
                raise ValueError(f"{said}: declare `id: {kind.__name__} = {kind()!r}` in the record")
        elif self.text_key:
            self.ids = partial(_no_id, record)
        for name in (*(field for fields in (*self.index, *self.unique) for field in fields), *self.search):
            if (field := name.split()[0]).isidentifier() and field not in self.names:
                raise ValueError(f"an index of {record} names {field!r}, which is not one of its fields")

    def update(self, fields: tuple[str, ...]) -> str:
        """Return the UPDATE statement for a set of columns."""
        found = self._updates.get(fields)
        if found is None:
            sets = ", ".join(f'"{field}" = ?' for field in fields)
            found = self._updates[fields] = f"UPDATE {self.name} SET {sets} WHERE id = ?"
        return found

    @lru_cache(maxsize=1 << 11)  # noqa: B019 - tables live as long as the process
    def selection(self, where: str, order: str, limited: bool) -> str:
        """Return the SELECT statement for a condition; a known one is the same object, which is found faster."""
        condition = f" WHERE {where}" if where else ""
        return f"{self.select}{condition} ORDER BY {order}{' LIMIT ? OFFSET ?' if limited else ''}"

    def cells(self, fields: dict[str, Any]) -> list[Any]:
        """Return values of fields as SQLite stores them."""
        out = []
        for name, value in fields.items():
            write = self._writers[name]
            out.append(value if write is None or value is None else write(value))
        return out

    def ddl(self) -> list[str]:
        """Return the statements that create the table, its indexes, its full-text index and its guards."""
        columns = [f'"{c.name}" {c.sql}{" PRIMARY KEY" if c.name == "id" else ""}' for c in self.columns]
        if self.text_key:
            columns[0] += " NOT NULL"
        without = " WITHOUT ROWID" if self.text_key and not self.search else ""
        out = [f"CREATE TABLE {self.name} ({', '.join(columns)}){without}"]
        for kind, sets in (("", self.index), ("UNIQUE ", self.unique)):
            for fields in sets:
                title = f"{self.name}_by_{'_'.join(f.split()[0] for f in fields)}"
                out.append(f"CREATE {kind}INDEX {title} ON {self.name} ({', '.join(fields)})")
        if self.append_only:
            for verb in ("UPDATE", "DELETE"):
                out.append(
                    f"CREATE TRIGGER {self.name}_never_{verb.lower()} BEFORE {verb} ON {self.name} "
                    f"BEGIN SELECT RAISE(ABORT, '{self.name} is append-only'); END"
                )
        if self.search:
            out.extend(self._search_ddl())
        return out

    def _search_ddl(self) -> list[str]:
        index, key = f"{self.name}_search", "rowid" if self.text_key else "id"
        fields = ", ".join(self.search)
        new, old = (", ".join(f"{row}.{field}" for field in self.search) for row in ("new", "old"))
        remove = f"INSERT INTO {index} ({index}, rowid, {fields}) VALUES ('delete', old.{key}, {old});"
        insert = f"INSERT INTO {index} (rowid, {fields}) VALUES (new.{key}, {new});"
        return [
            (
                f"CREATE VIRTUAL TABLE {index} USING fts5({fields}, content='{self.name}', content_rowid='{key}', "
                "tokenize='unicode61 remove_diacritics 2')"
            ),
            f"CREATE TRIGGER {index}_ai AFTER INSERT ON {self.name} BEGIN {insert} END",
            f"CREATE TRIGGER {index}_ad AFTER DELETE ON {self.name} BEGIN {remove} END",
            f"CREATE TRIGGER {index}_au AFTER UPDATE OF id, {fields} ON {self.name} BEGIN {remove} {insert} END",
        ]


def _no_id(record: str, count: int, draw: Draw, now_us: int) -> str:
    """Raise: the record says that its ids are texts, but not how to make one."""
    raise TypeError(
        f"{record} was added without an id: give one, or declare how they are made, as in ids=token('ord_')"
    )


class _Tables(dict[type[Any], Table]):
    """The table of each record class; any other class is a TypeError."""

    def __missing__(self, record: type[Any]) -> Table:
        raise TypeError(f"{record.__name__} is not a record of any app: decorate it with @APP.record(...)")


TABLES = _Tables()
"""The table of each record class; filled by decorators at import, never at run time."""


def table_of(record: type[Any]) -> Table:
    """Return the table of a record class."""
    return TABLES[record]


class LockedDict(dict[Any, Any]):
    """A dict that cannot be changed, for records that several readers share."""

    def _refuse(self, *args: Any, **named: Any) -> Any:
        raise TypeError("this dict belongs to a shared record and cannot be changed; copy it first")

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse


def _unlocked(annotation: Any) -> Any:
    """Return the type of the values of a dict, which is locked if its record is shared; else the type itself."""
    plain, _ = _strip_none(annotation)
    return get_args(plain)[1] if get_origin(plain) is dict else annotation


def _is_immutable(annotation: Any, inside: frozenset[type] = frozenset()) -> bool:
    """Return whether no value of a type can be changed in place; `inside` are the structs that contain it."""
    origin = get_origin(annotation)
    if origin is Literal or annotation in inside:
        return True
    if origin in (tuple, frozenset, Union, types.UnionType):
        return all(arg is Ellipsis or _is_immutable(arg, inside) for arg in get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        hints, inside = typing.get_type_hints(annotation), inside | {annotation}
        fields = annotation.__struct_fields__
        return annotation.__struct_config__.frozen and all(_is_immutable(hints[field], inside) for field in fields)
    return annotation in (bool, int, float, str, bytes, datetime, type(None))


def _column(name: str, annotation: Any, shared: bool = False) -> Column:
    plain, optional = _strip_none(annotation)
    optional = optional or plain is Any
    origin = get_origin(plain)
    if origin is Literal:
        plain = type(get_args(plain)[0])
    if plain is bool:
        return Column(name, "INTEGER", int, "bool({v})" if not optional else "(None if {v} is None else bool({v}))")
    if plain is datetime:
        return Column(
            name, "INTEGER", to_us, "from_us({v})" if not optional else "(None if {v} is None else from_us({v}))"
        )
    if plain in (int, str, float, bytes):
        return Column(name, {int: "INTEGER", str: "TEXT", float: "REAL", bytes: "BLOB"}[plain], None, "")
    decode: Callable[[Any], Any] = msgspec.json.Decoder(plain).decode
    if shared and origin is dict:
        parse = decode

        def decode(text: Any) -> LockedDict:
            return LockedDict(parse(text))

    read = f"decode_{name}({{v}})"
    if origin is tuple and get_args(plain)[-1] is Ellipsis:  # most lists are empty, and decoding one takes longer
        read = f"(() if {{v}} == '[]' else {read})"
    if optional:
        read = f"(None if {{v}} is None else {read})"
    return Column(name, "TEXT", lambda value: _json_encode(value).decode(), read, decode)


def _strip_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [arg for arg in get_args(annotation) if arg is not type(None)]
        optional = len(rest) < len(get_args(annotation))
        return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), optional  # noqa: UP007 - built at run time
    return annotation, False


def _loader(record: type[Record], columns: list[Column]) -> Callable[[Sequence[Any]], Any]:
    """Return a function from a row to the record; generated once per class, for speed."""
    variables = ", ".join(f"v{i}" for i in range(len(columns)))
    values = {
        column.name: column.read.format(v=f"v{i}") if column.read else f"v{i}" for i, column in enumerate(columns)
    }
    parts = [values[field] for field in record.__struct_fields__]
    space: dict[str, Any] = {f"decode_{c.name}": c.helper for c in columns if c.helper}
    space.update(record=record, from_us=from_us)
    exec(f"def load(row):\n    {variables}, = row\n    return record({', '.join(parts)})", space)  # noqa: S102 - own text
    return typing.cast(Callable[[Sequence[Any]], Any], space["load"])


def _dumper(columns: list[Column]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function from a record to its row."""
    space: dict[str, Any] = {}
    parts = []
    for column in columns:
        value = f"r.{column.name}"
        if column.write is not None:
            space[f"write_{column.name}"] = column.write
            value = f"(None if {value} is None else write_{column.name}({value}))"
        parts.append(value)
    exec(f"def dump(r):\n    return ({', '.join(parts)},)", space)  # noqa: S102 - own text
    return typing.cast(Callable[[Any], tuple[Any, ...]], space["dump"])
