"""The control tables of every world: clock, ids, agenda, faults, meters, hidden truth."""

from __future__ import annotations

from diorama.kernel.app import App
from diorama.kernel.changes import Net
from diorama.kernel.records import Table

CONTROL = (
    """CREATE TABLE _world (id INTEGER PRIMARY KEY, now INTEGER, seq INTEGER, turn INTEGER, due INTEGER,
        faults INTEGER, dice BLOB, state BLOB, windows BLOB)""",
    "CREATE TABLE _ids (name TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID",
    """CREATE TABLE _agenda (id INTEGER PRIMARY KEY, at INTEGER, app TEXT, command TEXT, args TEXT, writer TEXT,
        root INTEGER)""",
    "CREATE INDEX _agenda_by_at ON _agenda (at, id)",
    """CREATE TABLE _faults (id INTEGER PRIMARY KEY, app TEXT, operation TEXT, kind TEXT, since INTEGER,
        until INTEGER, args TEXT)""",
    "CREATE TABLE _meters (name TEXT PRIMARY KEY, since INTEGER, count INTEGER) WITHOUT ROWID",
    """CREATE TABLE _replies (name TEXT PRIMARY KEY, at INTEGER, request TEXT, status INTEGER, headers TEXT,
        body BLOB, refused TEXT) WITHOUT ROWID""",
    "CREATE TABLE _truth (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
)
NEVER = 1 << 62
"""A due time that is never reached."""

COUNTED: dict[str, tuple[str, ...]] = {
    "_agenda": ("id", "at", "app", "command", "args", "writer", "root"),
    "_faults": ("id", "app", "operation", "kind", "since", "until", "args"),
}
"""Control tables that are part of the state: the agenda and the scheduled faults."""


def tables(apps: list[App]) -> list[Table]:
    """Return every app table of a company."""
    return [table for app in apps for table in app.product.tables]


def ddl(apps: list[App]) -> list[str]:
    """Return the statements that make a company's schema, in order."""
    return [*CONTROL, *(statement for table in tables(apps) for statement in table.ddl())]


def tracked(apps: list[App]) -> dict[str, tuple[str, ...]]:
    """Return the tables whose row changes are recorded, with their columns."""
    return {**COUNTED, **{table.name: table.names for table in tables(apps)}}


_AT = COUNTED["_agenda"].index("at")


def due_after(due: int, net: list[Net]) -> int | None:
    """Return when the agenda is due after changes, given when it was before; None if its next entry was removed."""
    for table, _, old, new, _ in net:
        if table == "_agenda":
            if old is not None and old[_AT] <= due:
                return None
            if new is not None:
                due = min(due, new[_AT])
    return due
