"""Base images: built once per world and size, named by what decides their content, and checked when opened."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from contextlib import suppress
from errno import EDQUOT, EFBIG, EIO, ENOSPC, EROFS
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import msgspec

from diorama.kernel import functions, schema
from diorama.kernel.cache import (
    cache_folder,
    clear_folder,
    held,
    make_cache_folder,
    read_plain,
    replace_private,
    write_private,
)
from diorama.kernel.changes import MODULUS, Journal, row_hash
from diorama.kernel.company import Company
from diorama.kernel.dice import Dice
from diorama.kernel.errors import Defect
from diorama.kernel.hot import NO_WINDOWS
from diorama.kernel.lane import refuse_unknown_names
from diorama.kernel.pages import PAGE, Image
from diorama.kernel.records import to_us
from diorama.kernel.sources import source_digest
from diorama.kernel.tx import Tx
from diorama.kernel.wire import Actor

FORMAT = 4
IMAGES_KEPT = 4
"""How many images of one world and size stay in the cache."""
CACHED = re.compile(r"(?P<of>.+)-[0-9a-f]{24}\.(db|json|lock|draft|note)")
"""The files of an image and of its build. Other files in the folder are left alone."""
_OPEN: dict[str, Image] = {}

log = logging.getLogger("diorama.image")

NO_ROOM = frozenset({ENOSPC, EDQUOT, EFBIG, EIO, EROFS})
"""What the system answers if a file cannot be written."""


class Damaged(Exception):
    """A cached image, or the manifest beside it, is not what was built."""


class Built(msgspec.Struct, frozen=True):
    """The result of a build: the digest of its content, and the number of rows."""

    digest: str
    rows: int


class Manifest(msgspec.Struct, frozen=True):
    """The JSON file beside an image: what the image is, and how its file must look."""

    name: str
    digest: str
    rows: int
    bytes: int
    mtime_ns: int
    ctime_ns: int
    sha256: str
    checksum: str = ""
    """A hash of the other fields."""

    def signed(self) -> Manifest:
        """Return this manifest with its checksum."""
        plain = msgspec.structs.replace(self, checksum="")
        return msgspec.structs.replace(self, checksum=sha256(msgspec.json.encode(plain)).hexdigest())


class Builder:
    """The plain connection that fills an image."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal({})  # what fills an image is not recorded
        self.connection = apsw.Connection(str(path))
        refuse_unknown_names(self.connection)
        for pragma in (
            f"page_size = {PAGE}",
            "journal_mode = memory",  # a build may roll back a part of its work
            "synchronous = 0",
            "temp_store = 2",
            "recursive_triggers = 1",
            "cache_size = -200000",
        ):
            self.connection.execute(f"PRAGMA {pragma}").fetchall()
        functions.register(self.connection, lambda rows: None)

    def query(self, sql: str, bindings: tuple[Any, ...] = ()) -> list[Any]:
        """Run a statement and return its rows."""
        return self.connection.execute(sql, bindings).fetchall()

    control = query


def content_key(company: Company, size: str, seed: int) -> str:
    """Return a digest of everything that decides what an image contains."""
    parts = (FORMAT, company.name, size, seed, to_us(company.start), company.ddl, source_digest(company))
    return sha256(msgspec.msgpack.encode(parts)).hexdigest()[:24]


def image_of(
    company: Company, size: str = "small", seed: int = 0, progress: Callable[[str], None] | None = None
) -> Image:
    """Return the image of a world: from this process, from the cache, or built now."""
    name = f"{company.name}-{size}-{content_key(company, size, seed)}"
    if name not in _OPEN:
        path = cache_folder() / f"{name}.db"
        try:
            _OPEN[name] = _open(path)
        except (FileNotFoundError, Damaged):
            make_cache_folder()
            try:
                _OPEN[name] = _open_or_build(company, size, seed, path, progress)
            except OSError as error:
                named = error.filename2 or error.filename
                if named is None or Path(named).parent != path.parent:
                    raise  # not about the cache
                what = f"{named} cannot be used ({error.strerror})"
                message = f"the cache is damaged: {what}. Delete it, or set DIORAMA_CACHE to another folder"
                raise Defect(message, boundary="reset") from error
            _delete_old(path.parent)
    return _OPEN[name]


def manifest_of(path: Path) -> Manifest:
    """Return the manifest beside an image; raise Damaged if it cannot be trusted."""
    try:
        manifest = msgspec.json.decode(read_plain(path.with_suffix(".json")), type=Manifest)
    except FileNotFoundError:
        if path.exists():
            raise Damaged("its manifest (.json) is missing") from None
        raise
    except OSError as error:
        raise Damaged(f"its manifest (.json) cannot be read ({error.strerror})") from None
    except msgspec.MsgspecError as error:
        raise Damaged(f"its manifest (.json) is not valid ({error})") from None
    if manifest != manifest.signed() or manifest.name != path.stem:
        raise Damaged("its manifest (.json) was changed")
    return manifest


def _open(path: Path) -> Image:
    """Open a cached image whose size and times, or else whose content, are as they were when it was built."""
    manifest = manifest_of(path)
    try:
        image = Image(path, manifest.digest)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise Damaged(f"it cannot be read ({error})") from None
    now = msgspec.structs.replace(manifest, bytes=image.bytes, mtime_ns=image.mtime_ns, ctime_ns=image.ctime_ns)
    if now != manifest:
        if now.bytes != manifest.bytes:
            raise Damaged(f"it has {now.bytes} bytes instead of {manifest.bytes}")
        if image.content_hash() != manifest.sha256:
            raise Damaged("its content was changed")
        _refresh(path, now)
    return image


def _refresh(path: Path, manifest: Manifest) -> None:
    """Write a manifest with new times, so that the next process need not read the whole image."""
    with suppress(OSError), held(path.with_suffix(".lock"), wait=False) as alone:  # the folder may be read-only
        if alone:
            replace_private(path.with_suffix(".json"), msgspec.json.encode(manifest.signed()))


def _open_or_build(company: Company, size: str, seed: int, path: Path, progress: Callable[[str], None] | None) -> Image:
    """Build an image while no other process does, unless another has built it meanwhile."""
    with held(path.with_suffix(".lock")):
        try:
            return _open(path)
        except FileNotFoundError:
            pass  # never built, or deleted as too old
        except Damaged as problem:
            log.warning("damaged image %s: %s; building it again", path, problem)
        if progress:
            progress(f"building {company.name} ({size})")
        try:
            _build_into(company, size, seed, path)
        except (OSError, apsw.FullError, apsw.IOError) as error:
            if isinstance(error, OSError) and error.errno not in NO_ROOM:
                raise
            path.with_suffix(".draft").unlink(missing_ok=True)
            reason = "the disk is full" if isinstance(error, apsw.FullError) else str(error)
            raise Defect(
                f"cannot write the image of {company.name} ({size}) into {path.parent}: {reason}. Make room, or set "
                "DIORAMA_CACHE to another folder",
                boundary="reset",
            ) from error
        return _open(path)


def _build_into(company: Company, size: str, seed: int, path: Path) -> None:
    """Build under another name, then rename: no process ever sees the image of a build that was killed."""
    draft = path.with_suffix(".draft")
    clear_folder(path)
    for suffix in (".draft", ".draft-journal", ".draft-wal"):  # of a build that was killed, or put there
        clear_folder(path.with_suffix(suffix))
        path.with_suffix(suffix).unlink(missing_ok=True)
    write_private(draft, b"")
    built = build(company, size, seed, draft)
    os.replace(draft, path)
    image = Image(path, built.digest)
    manifest = Manifest(
        path.stem, built.digest, built.rows, image.bytes, image.mtime_ns, image.ctime_ns, image.content_hash()
    )  # fmt: skip
    replace_private(path.with_suffix(".json"), msgspec.json.encode(manifest.signed()))


def _made_at(path: Path) -> float:
    """Return when the manifest of an image was written, or 0 if the image is not complete."""
    try:
        return path.with_suffix(".json").stat().st_mtime if path.exists() else 0.0
    except FileNotFoundError:
        return 0.0


def _delete_old(folder: Path) -> None:
    """Delete all but the newest images of each world and size, and what killed builds left behind.

    Images that are being built are left alone. A process that has a deleted image open can go on reading it.
    """
    ages: dict[str, dict[Path, float]] = {}
    for file in folder.iterdir():
        if found := CACHED.fullmatch(file.name):
            path = file.with_suffix(".db")
            ages.setdefault(found["of"], {})[path] = _made_at(path)
    for made in ages.values():
        newest = sorted(made, key=lambda path: made[path], reverse=True)[:IMAGES_KEPT]
        for path, age in made.items():
            with held(path.with_suffix(".lock"), wait=False) as alone:
                if alone and _made_at(path) == age and (path not in newest or not age):
                    for suffix in (".json", ".db", ".draft", ".note"):
                        with suppress(OSError):  # a folder with this name is not ours
                            path.with_suffix(suffix).unlink(missing_ok=True)


def build(company: Company, size: str, seed: int, path: Path) -> Built:
    """Write the image file of a company."""
    builder = Builder(path)
    builder.query("BEGIN")
    for statement in company.ddl:
        builder.query(statement)
    now = to_us(company.start)
    key = Dice(seed).child("world", company.name).key
    tx = Tx(builder, company, company.system.name, Actor("system", company.name), now, 0, 0, key, "build")
    builder.query(
        "INSERT INTO _world VALUES (1, ?, 0, 0, ?, 0, ?, ?, ?)", (now, schema.NEVER, key, bytes(16), NO_WINDOWS)
    )
    if company.build is not None:
        company.build(tx, size)
    tx.keep_ids()
    for table in schema.tables(company.apps):
        if table.search:  # one segment instead of many: a search reads fewer pages
            builder.query(f"INSERT INTO {table.name}_search ({table.name}_search) VALUES ('optimize')")
    rows, state = _count_and_hash(builder, company)
    due = builder.query("SELECT min(at) FROM _agenda")[0][0]
    faults = builder.query("SELECT count(*) FROM _faults")[0][0]
    builder.query(
        "UPDATE _world SET state = ?, due = ?, faults = ?",
        (state.to_bytes(16, "big"), schema.NEVER if due is None else due, faults),
    )
    builder.query("COMMIT")  # no VACUUM: full pages would split at a world's first write, and a split touches five
    builder.connection.close()
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
    digest = sha256(msgspec.msgpack.encode((company.ddl, state.to_bytes(16, "big"), now, key))).hexdigest()[:32]
    return Built(digest, rows)


def _count_and_hash(builder: Builder, company: Company) -> tuple[int, int]:
    """Return the number of rows, and the digest of their state."""
    count, state = 0, 0
    for table, names in company.tracked.items():
        listed = ", ".join(f'"{name}"' for name in names)
        for row in builder.connection.execute(f"SELECT {listed} FROM {table}"):
            state += row_hash(table, row)
            count += 1
    return count, state % MODULUS
