"""The frozen reference: the domain SQL that the operations of the mix ran at one commit, as a fixed denominator.

A ratio to the SQL that the code runs today would get worse whenever a statement is saved. `reference.json` keeps the
statements of commit 9bf6a4d. Ids, addresses, times and texts are kept by name (`@ticket_id`) and found in the world
that is measured.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from diorama.kernel import Tx, World
from diorama.kernel.lane import LANES

NAME = re.compile(r":(\w+)")
Statements = list[tuple[str, tuple[Any, ...]]]


class Frozen(msgspec.Struct, frozen=True):
    """One statement: its SQL, its values (`@name` for one of this world), and the rows it found or wrote."""

    sql: str
    rows: int
    values: list[Any] = msgspec.field(name="with")
    each: dict[str, str] = {}
    """Run once for each value of a list: the name of one value, and of the list."""


class Reference(msgspec.Struct, frozen=True):
    """The statements by operation, and how to find what they name."""

    commit: str
    find: dict[str, str]
    texts: dict[str, str]
    operations: dict[str, list[Frozen]]


REFERENCE = msgspec.json.decode(Path(__file__).with_name("reference.json").read_bytes(), type=Reference)


def names_of(world: World, **known: Any) -> dict[str, Any]:
    """Return the value of every name in this world, given those of the requests; names in `_ids` are lists."""
    names = {**REFERENCE.texts, **known}
    for name, sql in REFERENCE.find.items():
        rows = world.read(Tx.control, NAME.sub("?", sql), *(names[used] for used in NAME.findall(sql)))
        if name.endswith("_ids"):
            names[name] = [row[0] for row in rows]
        elif rows and rows[0][0] is not None:
            names[name] = rows[0][0]
        else:
            raise RuntimeError(f"the frozen reference needs {name}, but this world has none: {sql}")
    return names


def resolved(frozen: Frozen, names: dict[str, Any]) -> Statements:
    """Return a frozen statement with the values of a world; a list takes the place of one `(?)`."""
    for name, several in frozen.each.items():
        one = Frozen(frozen.sql, frozen.rows, frozen.values)
        return [statement for value in names[several] for statement in resolved(one, {**names, name: value})]
    sql, bindings = frozen.sql, []
    for value in frozen.values:
        if isinstance(value, str) and value.startswith("@"):
            value = names[value[1:]]
        if isinstance(value, list):
            sql = sql.replace("(?)", f"({', '.join('?' * len(value))})", 1)
            bindings.extend(value)
        else:
            bindings.append(value)
    return [(sql, tuple(bindings))]


def statements_of(world: World, operation: str, **known: Any) -> Statements:
    """Return the frozen statements of an operation for this world; raise if one finds or writes nothing here."""
    names, out = names_of(world, **known), Statements()
    scratch = world.fork()
    for frozen in REFERENCE.operations[operation]:
        made = resolved(frozen, names)
        rows = bare(scratch, made)
        if bool(rows) != bool(frozen.rows):
            raise RuntimeError(f"the frozen reference touches {rows} rows, not {frozen.rows}, with {frozen.sql}")
        out.extend(made)
    return out


def bare(world: World, statements: Statements) -> int:
    """Run only the statements, in one transaction on the overlay; return the rows found and written."""
    lane = LANES.borrow(world.pages.image, world.company.tracked)
    lane.bind(world.pages)
    execute, before, rows = lane.connection.execute, lane.connection.total_changes(), 0
    lane.trusted = True
    execute("BEGIN")
    for sql, bindings in statements:
        rows += len(execute(sql, bindings).fetchall())
    execute("COMMIT")
    lane.trusted = False
    lane.journal.raw.clear()
    return rows + lane.connection.total_changes() - before
