"""Base images: built once per world and size, named by what went into them, cached, safe to build twice at once."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
CACHED = re.compile(r"(?P<of>.+)-[0-9a-f]{24}\.(db|json|lock|draft|note)")
"""The files of an image and of its building; whatever else lies in the folder is not ours."""
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
    if name not in _OPEN:
        path = cache_folder() / f"{name}.db"
        while (found := _opened(path)) is None:  # once more if it was forgotten between its building and here
            path.parent.mkdir(parents=True, exist_ok=True)
            with _held(path.with_suffix(".lock")):
                if not _made_at(path):
                    if progress:
                        progress(f"building {company.name} ({size})")
                    _build_into(company, size, seed, path)
            _forget_old(path.parent)
        _OPEN[name] = found
    return _OPEN[name]


def _opened(path: Path) -> Image | None:
    """A cached image, unless it is not there (any more)."""
    try:
        return Image(path, slip_of(path).digest)
    except FileNotFoundError:
        return None


def _made_at(path: Path) -> float:
    """When an image was finished; 0 where it never was."""
    try:
        return path.with_suffix(".json").stat().st_mtime if path.exists() else 0.0
    except FileNotFoundError:
        return 0.0


@contextmanager
def _held(path: Path, wait: bool = True) -> Iterator[bool]:
    """Hold a lock that is gone with its holder, killed or not; False where another holds it and we do not wait."""
    while True:
        with open(path, "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            try:
                ours = os.path.samestat(os.fstat(lock.fileno()), path.stat())
            except FileNotFoundError:
                ours = False
            if ours:  # else its holder took it away while we waited, and the name is or will be another lock's
                try:
                    yield True
                finally:
                    path.unlink(missing_ok=True)
                return


def _forget_old(folder: Path) -> None:
    """Drop all but the newest images of each world and size, and what killed builds left behind.

    Only what nobody is building is dropped; who still has an image mapped keeps reading it.
    """
    ages: dict[str, dict[Path, float]] = {}
    for file in folder.iterdir():
        if found := CACHED.fullmatch(file.name):
            path = file.with_suffix(".db")
            ages.setdefault(found["of"], {})[path] = _made_at(path)
    for made in ages.values():
        newest = sorted(made, key=lambda path: made[path], reverse=True)[:KEPT]
        for path, age in made.items():
            with _held(path.with_suffix(".lock"), wait=False) as alone:
                if alone and _made_at(path) == age and (path not in newest or not age):
                    for suffix in (".json", ".db", ".draft", ".note"):
                        path.with_suffix(suffix).unlink(missing_ok=True)


def slip_of(path: Path) -> Slip:
    """The slip beside an image."""
    return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Slip)


def _build_into(company: Company, size: str, seed: int, path: Path) -> None:
    """Build under another name, then rename: a build that was killed half-way is never seen."""
    draft = path.with_suffix(".draft")
    draft.unlink(missing_ok=True)
    made = build(company, size, seed, draft)
    os.replace(draft, path)
    note = path.with_suffix(".note")
    note.write_bytes(msgspec.json.encode(made))
    os.replace(note, path.with_suffix(".json"))


def build(company: Company, size: str, seed: int, path: Path) -> Slip:
    """Write the image file of a company."""
    builder = Builder(path)
    builder.query("BEGIN")
    for statement in company.ddl:
        builder.query(statement)
    now = to_us(company.start)
    key = Dice(seed).child("world", company.name).key
    tx = Tx(builder, company, company.system.name, Actor("system", company.name), now, 0, 0, key, "build")
    builder.query("INSERT INTO _world VALUES (1, ?, 0, 0, ?, 0, ?, ?)", (now, schema.NEVER, key, bytes(16)))
    if company.build is not None:
        company.build(tx, size)
    tx.keep_ids()
    rows, state = _weigh(builder, company)
    due = builder.query("SELECT min(at) FROM _agenda")[0][0]
    faults = builder.query("SELECT count(*) FROM _faults")[0][0]
    builder.query(
        "UPDATE _world SET state = ?, due = ?, faults = ?",
        (state.to_bytes(16, "big"), schema.NEVER if due is None else due, faults),
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
