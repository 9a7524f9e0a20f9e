"""The tables of a run file, and the check that a file has them and nothing else."""

import sqlite3
from contextlib import closing
from functools import cache

SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    id TEXT PRIMARY KEY,
    format INTEGER NOT NULL,
    command TEXT NOT NULL,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    created TEXT NOT NULL,
    digests BLOB NOT NULL,
    finished TEXT,
    summary TEXT,
    digest TEXT,
    seal TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS episodes (
    number INTEGER PRIMARY KEY,
    episode TEXT NOT NULL,
    agent TEXT NOT NULL,
    scenario TEXT NOT NULL,
    split TEXT NOT NULL,
    seed INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    ended TEXT NOT NULL,
    success INTEGER,
    reward REAL,
    state TEXT NOT NULL,
    trace TEXT NOT NULL,
    result TEXT NOT NULL,
    events BLOB NOT NULL,
    bodies TEXT NOT NULL,
    transcript BLOB NOT NULL,
    note TEXT NOT NULL,
    wall_seconds REAL NOT NULL,
    source TEXT NOT NULL,
    finished TEXT NOT NULL,
    digests BLOB NOT NULL,
    UNIQUE (agent, scenario, split, seed, idx, attempt)
) STRICT;
CREATE TABLE IF NOT EXISTS bodies (
    digest TEXT PRIMARY KEY,
    body BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS quarantine (
    agent TEXT NOT NULL,
    scenario TEXT NOT NULL,
    split TEXT NOT NULL,
    seed INTEGER NOT NULL,
    boundary TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (agent, scenario, split, seed)
) STRICT;
"""


Described = tuple[str, str, str, str | None]
"""The type, name, table and SQL text of a table, index, view or trigger."""


def objects_of(db: sqlite3.Connection) -> list[Described]:
    """Return every table, index, view and trigger of a file."""
    return sorted(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"), key=str)


def create(db: sqlite3.Connection) -> None:
    """Create the tables of a run."""
    for statement in SCHEMA.split(";"):
        db.execute(statement)


@cache
def own_objects() -> tuple[Described, ...]:
    """Return every table and index that a run writes."""
    with closing(sqlite3.connect(":memory:")) as db:
        create(db)
        return tuple(objects_of(db))


def foreign_object(found: list[Described]) -> str:
    """Return what is not as a run writes it: the first table, index, view or trigger, or ""."""
    ours = own_objects()
    for one in found:
        if one not in ours:
            known = any(own[:2] == one[:2] for own in ours)
            told = "was changed" if known else "is not one that a run writes"
            return f"the {one[0]} {one[1]} {told}"
        if found.count(one) > 1:
            return f"the {one[0]} {one[1]} is there twice"
    missing = [own for own in ours if own not in found]
    return f"the {missing[0][0]} {missing[0][1]} is missing" if missing else ""
