"""Everyone who opens a run folder reads the same data: no journal, log or pipe beside it changes that."""

import json
import os
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from diorama.runs.file import FILE, Damaged, RunFile, WrongRun
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform
from diorama.runs.store import Job, Store
from diorama.runs.taxonomy import Tally

pytestmark = pytest.mark.usefixtures("in_the_bakery")

JOBS = [Job("noop", "oven/bake", seed) for seed in range(2)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store.begin(tmp_path / "run", run_info(["mine"], JOBS)) as store:
        store.add([perform(job) for job in JOBS])
        store.finish(Tally(store.results(), store.info.jobs).summary(store.quarantined()))
    return tmp_path / "run"


def journal_of(pages: bytes, size: int) -> bytes:
    """Return a rollback journal that would replace a database by these pages."""
    count, nonce = len(pages) // size, 12345
    found = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", count, nonce, count, 512, size)
    found = found.ljust(512, b"\0")
    for number in range(count):
        page = pages[number * size : (number + 1) * size]
        check = (nonce + sum(page[place] for place in range(size - 200, 0, -200))) & 0xFFFFFFFF
        found += struct.pack(">I", number + 1) + page + struct.pack(">I", check)
    return found


def planted(folder: Path, to: Path) -> None:
    """Put a hot journal into a run folder: rolled in, every episode is a success."""
    shutil.copy(folder / FILE, to)
    with closing(sqlite3.connect(to)) as db:
        size = db.execute("PRAGMA page_size").fetchone()[0]
        for number, result in db.execute("SELECT number, result FROM episodes").fetchall():
            won = json.dumps(json.loads(result) | {"success": True, "reward": 1.0})
            db.execute("UPDATE episodes SET result = ?, success = 1, reward = 1.0 WHERE number = ?", (won, number))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (folder / f"{FILE}-journal").write_bytes(journal_of(to.read_bytes(), size))


def test_a_hot_journal_is_refused_by_every_reader_and_writer(folder: Path, tmp_path: Path) -> None:
    before = (folder / FILE).read_bytes()
    planted(folder, tmp_path / "other.sqlite")
    for use in (Store.open, RunFile.for_reading, RunFile.for_writing, lambda at: Store.begin(at, run_info([], JOBS))):
        with pytest.raises(Damaged, match="journal of a database that is not empty"):
            use(folder)
    assert (folder / FILE).read_bytes() == before


def test_the_journal_of_a_run_killed_at_its_first_write_is_recovered(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, 0, 512, 4096)
    (tmp_path / f"{FILE}-journal").write_bytes(header.ljust(512, b"\0"))
    with pytest.raises(WrongRun, match="before it began"):
        Store.open(tmp_path)
    with Store.begin(tmp_path, run_info(["mine"], JOBS)) as store:
        store.add([perform(JOBS[0])])
    with Store.open(tmp_path) as store:
        assert len(list(store.results())) == 1


def test_a_journal_of_an_empty_database_beside_a_run_is_refused(folder: Path) -> None:
    before = (folder / FILE).read_bytes()
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, 0, 512, 4096)
    (folder / f"{FILE}-journal").write_bytes(header.ljust(512, b"\0"))
    for use in (Store.open, RunFile.for_reading, RunFile.for_writing, lambda at: Store.begin(at, run_info([], JOBS))):
        with pytest.raises(Damaged, match="journal of a database that is not empty"):
            use(folder)
    assert (folder / FILE).read_bytes() == before


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda at: os.symlink("/dev/zero", at)])
def test_a_pipe_or_link_beside_a_run_is_refused_at_once(suffix: str, make: object, folder: Path) -> None:
    place = folder / f"{FILE}{suffix}"
    place.unlink(missing_ok=True)
    make(place)  # type: ignore[operator] # one of three functions
    for use in (Store.open, RunFile.for_writing):
        with pytest.raises(Exception, match=r"not a plain file|no run in|Is a directory|symbolic links"):
            use(folder)


def test_a_log_is_never_left_out(folder: Path, tmp_path: Path) -> None:
    """A folder that cannot be written is read as it is; with a log that would be something else than was saved."""
    copied = tmp_path / "copied"
    with Store.begin(folder, run_info(["mine"], JOBS)) as store:
        with closing(sqlite3.connect(folder / FILE)) as db:
            db.execute("UPDATE run SET created = created + 1")
            db.commit()
            shutil.copytree(folder, copied)
        assert store.info.plan
    assert (copied / f"{FILE}-wal").stat().st_size
    connect, refusing = sqlite3.connect, mock.Mock()
    refusing.execute.side_effect = sqlite3.OperationalError("unable to open database file")

    def read_only(place: str, **options: Any) -> Any:
        """Open a file as in a folder where no shared memory can be made."""
        return refusing if "mode=ro" in place else connect(place, **options)

    with mock.patch("sqlite3.connect", read_only):
        with pytest.raises(WrongRun, match="write-ahead log that cannot be read"):
            Store.open(copied)
        (copied / f"{FILE}-wal").unlink()
        Store.open(copied).close()
