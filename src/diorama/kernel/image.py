"""Base images: built once per world and size, named by what went into them, cached, safe to build twice at once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import msgspec
import platformdirs

from diorama.kernel import schema
from diorama.kernel.changes import MODULUS, row_hash
from diorama.kernel.company import Company
from diorama.kernel.dice import Dice
from diorama.kernel.pages import PAGE, Image
from diorama.kernel.records import to_us
from diorama.kernel.tx import Tx
from diorama.kernel.wire import Actor

FORMAT = 1
KEPT = 4
"""How many images of one world and size stay in the cache."""
_OPEN: dict[str, Image] = {}


class Slip(msgspec.Struct, frozen=True):
    """What lies beside an image: its digest, and how much is in it."""

    digest: str
    rows: int
    bytes: int


class Builder:
    """The plain connection on which an image is filled."""

    def __init__(self, path: Path) -> None:
        self.connection = apsw.Connection(str(path))
        for pragma in (
            f"page_size = {PAGE}",
            "journal_mode = memory",  # a build may undo a part of its work
            "synchronous = 0",
            "temp_store = 2",
            "recursive_triggers = 1",
            "cache_size = -200000",
        ):
            self.connection.execute(f"PRAGMA {pragma}").fetchall()

    def query(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Run a statement."""
        return self.connection.execute(sql, bindings).fetchall()

    control = query


def cache_folder() -> Path:
    """Where images lie: DIORAMA_CACHE, or the user's cache folder."""
    return Path(os.environ.get("DIORAMA_CACHE") or platformdirs.user_cache_dir("diorama"))


@cache
def source_digest() -> str:
    """A digest of the code that decides what is in an image; an edit makes a new image."""
    root = Path(__file__).parents[1]
    digest = sha256(apsw.sqlite_lib_version().encode())
    for part in ("kernel", "kit", "apps", "people", "worlds"):
        for path in sorted((root / part).rglob("*")):
            if path.suffix in {".py", ".json", ".txt", ".toml"}:
                digest.update(str(path.relative_to(root)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def recipe(company: Company, size: str, seed: int) -> str:
    """The name of an image: everything that goes into it."""
    parts = (FORMAT, company.name, size, seed, to_us(company.start), company.ddl, source_digest())
    return sha256(msgspec.msgpack.encode(parts)).hexdigest()[:24]


def image_of(
    company: Company, size: str = "small", seed: int = 0, progress: Callable[[str], None] | None = None
) -> Image:
    """The image of a world, from this process, from the cache, or built now."""
    name = f"{company.name}-{size}-{recipe(company, size, seed)}"
    found = _OPEN.get(name)
    if found is None:
        folder = cache_folder()
        path, slip = folder / f"{name}.db", folder / f"{name}.json"
        if not slip.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with open(folder / f"{name}.lock", "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # the lock of a builder that was killed is gone with it
                if not slip.exists():
                    if progress:
                        progress(f"building {company.name} ({size})")
                    _build_into(company, size, seed, path, slip)
                    _forget_old(folder, f"{company.name}-{size}-")
        found = _OPEN[name] = Image(path, slip_of(path).digest)
    return found


def _forget_old(folder: Path, prefix: str) -> None:
    """Drop all but the newest images of a world and size; who still has one mapped keeps reading it."""
    slips = sorted(folder.glob(f"{prefix}*.json"), key=lambda slip: slip.stat().st_mtime, reverse=True)
    for slip in slips[KEPT:]:
        for suffix in (".json", ".db", ".lock"):
            slip.with_suffix(suffix).unlink(missing_ok=True)


def slip_of(path: Path) -> Slip:
    """The slip beside an image."""
    return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Slip)


def _build_into(company: Company, size: str, seed: int, path: Path, slip: Path) -> None:
    """Build under another name, then rename: a build that was killed half-way is never seen."""
    draft = path.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    made = build(company, size, seed, draft)
    os.replace(draft, path)
    note = slip.with_suffix(".note")
    note.write_bytes(msgspec.json.encode(made))
    os.replace(note, slip)


def build(company: Company, size: str, seed: int, path: Path) -> Slip:
    """Write the image file of a company."""
    builder = Builder(path)
    builder.query("BEGIN")
    for statement in company.ddl:
        builder.query(statement)
    now = to_us(company.start)
    key = Dice(seed).child("world", company.name).key
    tx = Tx(builder, company, company.apps[0], Actor("system", company.name), now, 0, 0, key, schema.NO_IDS, "build")
    builder.query("INSERT INTO _world VALUES (1, ?, 0, 0, ?, 0, ?, ?, ?)", (now, schema.NEVER, key, bytes(16), tx.ids))
    if company.build is not None:
        company.build(tx, size)
    rows, state = _weigh(builder, company)
    due = builder.query("SELECT min(at) FROM _agenda")[0][0]
    faults = builder.query("SELECT count(*) FROM _faults")[0][0]
    builder.query(
        "UPDATE _world SET state = ?, due = ?, faults = ?, ids = ?",
        (state.to_bytes(16, "big"), schema.NEVER if due is None else due, faults, tx.ids),
    )
    builder.query("COMMIT")  # and no VACUUM: full pages would split at a world's first write, and a split touches five
    builder.connection.close()
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
    digest = sha256(msgspec.msgpack.encode((company.ddl, state.to_bytes(16, "big"), now, key))).hexdigest()[:32]
    return Slip(digest, rows, path.stat().st_size)


def _weigh(builder: Builder, company: Company) -> tuple[int, int]:
    """How many rows there are, and their state digest."""
    count, state = 0, 0
    for table, names in company.tracked.items():
        listed = ", ".join(f'"{name}"' for name in names)
        for row in builder.connection.execute(f"SELECT {listed} FROM {table}"):
            state += row_hash(table, row)
            count += 1
    return count, state % MODULUS
