"""The tables of a run file."""

import sqlite3
from contextlib import closing

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


def tables_of(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of every table and view of a file."""
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    columns = "SELECT name FROM pragma_table_xinfo(?)"
    return {name: [column for (column,) in db.execute(columns, (name,))] for name in names}


def own_tables() -> dict[str, list[str]]:
    """Return the columns of every table that a run writes."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return tables_of(db)
