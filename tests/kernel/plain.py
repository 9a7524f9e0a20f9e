"""The reference: a plain in-memory database with the same schema, and SQLite's session extension for changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import apsw
import msgspec

from diorama.kernel import Change, Refusal, Tx, World
from diorama.kernel.changes import MODULUS, row_hash
from tests.kernel.workshop import APP, TABLES, TESTER


class Sql(msgspec.Struct, frozen=True):
    """One statement; a `broken` one must fail completely on a constraint."""

    text: str
    args: tuple[Any, ...] = ()
    broken: bool = False


class Attempt(msgspec.Struct, frozen=True):
    """Steps inside a savepoint, which may be undone."""

    steps: tuple[Sql | Attempt, ...]
    undone: bool


Step = Sql | Attempt


class Undone(Exception):
    """A rolled-back attempt."""


class Plain:
    """What the overlay is compared with."""

    def __init__(self, image: bytes | None = None) -> None:
        self.connection = apsw.Connection(":memory:")
        self.connection.execute("PRAGMA recursive_triggers = 1").fetchall()
        if image is None:
            for table in APP.tables:
                for statement in table.ddl():
                    self.connection.execute(statement).fetchall()
        else:
            self.connection.deserialize("main", image)

    def fork(self) -> Plain:
        """Return a copy, which a fork has to equal."""
        return Plain(self.bytes())

    def bytes(self) -> bytes:
        """Return the whole database file."""
        return self.connection.serialize("main")

    def act(self, steps: Sequence[Step], refused: bool) -> list[Change]:
        """Run one transaction; return the changes reported by SQLite's session extension."""
        session = apsw.Session(self.connection, "main")
        for table in TABLES:
            session.attach(table)
        self.connection.execute("BEGIN")
        self._run(steps)
        self.connection.execute("ROLLBACK" if refused else "COMMIT")
        found = [_change(one) for one in apsw.Changeset.iter(session.changeset())]
        session.close()
        return sorted(found, key=lambda change: (change.table, change.key))

    def _run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, Attempt):
                self.connection.execute("SAVEPOINT part")
                self._run(step.steps)
                if step.undone:
                    self.connection.execute("ROLLBACK TO part")
                self.connection.execute("RELEASE part")
            else:
                try:
                    self.connection.execute(step.text, step.args).fetchall()
                except apsw.ConstraintError:
                    assert step.broken, step

    def rows(self, table: str) -> list[Any]:
        """Return every row of a table."""
        return self.connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()

    def found(self, table: str, words: str) -> list[Any]:
        """Return the results of a full-text search."""
        sql = f"SELECT rowid FROM {table}_search WHERE {table}_search MATCH ? ORDER BY rowid"
        return self.connection.execute(sql, (words,)).fetchall()

    def weighed(self) -> str:
        """Return the state digest of all rows."""
        total = sum(row_hash(table, row) for table in TABLES for row in self.rows(table))
        return (total % MODULUS).to_bytes(16, "big").hex()


def act(world: World, steps: Sequence[Step], refused: bool) -> list[Change]:
    """Run the same transaction in a world; return the changes in its event."""
    try:
        world.do(_play, TESTER, steps, refused)
    except Refusal:
        assert refused
    return [unsigned(change) for change in world.events[-1].changes]


def unsigned(change: Change) -> Change:
    """The change without its writer, which a session does not know."""
    return msgspec.structs.replace(change, by="")


def _play(tx: Tx, steps: Sequence[Step], refused: bool) -> None:
    for step in steps:
        if isinstance(step, Attempt):
            try:
                with tx.attempt():
                    _play(tx, step.steps, step.undone)
            except Refusal:
                assert step.undone
        else:
            try:
                tx.rows(step.text, *step.args)
            except apsw.ConstraintError:
                assert step.broken, step
    if refused:
        raise Refusal(409, "undone")


def _change(found: Any) -> Change:
    names = TABLES[found.name]
    if found.op == "INSERT":
        return Change(found.name, found.new[0], "insert", None, dict(zip(names, found.new, strict=True)))
    if found.op == "DELETE":
        return Change(found.name, found.old[0], "delete", dict(zip(names, found.old, strict=True)), None)
    differs = [i for i, value in enumerate(found.new) if value is not apsw.no_change]
    before, after = _picked(names, found.old, differs), _picked(names, found.new, differs)
    return Change(found.name, found.old[0], "update", before, after)


def _picked(names: Sequence[str], row: Sequence[Any], columns: Iterable[int]) -> dict[str, Any]:
    return {names[i]: row[i] for i in columns}
