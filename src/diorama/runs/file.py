"""The SQLite file of a run: opened, locked and checked before anything in it is read."""

import fcntl
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ELOOP, ENOSPC, ENXIO
from pathlib import Path
from typing import Any

from diorama.episodes.usage import Misuse
from diorama.kernel.cache import PRIVATE_FILE, PRIVATE_FOLDER, read_plain
from diorama.kernel.paths import file_problem, folder_problem
from diorama.runs.schema import foreign_object, objects_of

FORMAT = 3
FILE = "run.sqlite"
LOCK = "lock"
PRAGMAS = (("trusted_schema", 0), ("cell_size_check", 1))
"""Every connection has these: functions in a forged schema do not run, and damaged pages are noticed."""
FOR_WRITING = (("journal_mode", "wal"), ("synchronous", 1))
HEAD = {"user_version": 0, "application_id": 0, "auto_vacuum": 0, "encoding": "UTF-8"}
"""What the head of a database says that a run writes."""
TOLD = 200
LOG, JOURNAL = f"{FILE}-wal", f"{FILE}-journal"
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite reads beside a database."""
JOURNAL_HEAD = 28
PAGES_BEFORE = slice(16, 20)
"""Where a journal says how many pages the database had before the transaction that it rolls back."""
FIRST_PAGE = 4096


DISK_FULL = "the disk is full"


class WrongRun(Misuse):
    """This folder cannot be used as asked; the message says why and what to do."""


class Damaged(WrongRun):
    """The folder holds something that no run wrote; `forgery` names the kind of change."""

    def __init__(self, forgery: str, message: str) -> None:
        super().__init__(message)
        self.forgery = forgery


class CannotWrite(Misuse):
    """The run cannot be saved, for example because the disk is full; what was saved before is safe."""


class RunFile:
    """An open run file. Reading goes through the tables themselves: queries name no index and use none."""

    def __init__(self, folder: Path, db: sqlite3.Connection, lock: int | None = None) -> None:
        self.folder = folder
        self._db = db
        self._lock = lock
        self._held = {} if lock is None else {name: _identity(os.stat(folder / name)) for name in (FILE, LOCK)}

    @classmethod
    def for_writing(cls, folder: Path) -> "RunFile":
        """Open or create the file of a run, and lock its folder."""
        lock = _lock(folder)
        try:
            os.close(_regular(folder / FILE, os.O_CREAT | os.O_RDWR))  # its log files get the same permissions
            check_beside(folder)
            file = cls(folder, _connect(folder / FILE, FOR_WRITING), lock)
            file.check()
        except BaseException as error:
            os.close(lock)
            if isinstance(error, OSError | sqlite3.Error):
                told = reason(error)
                advice = "Make room, or choose another --out" if told == DISK_FULL else "Choose another --out"
                raise CannotWrite(f"Cannot write a run into {folder}: {told}. {advice}.") from None
            raise
        return file

    @classmethod
    def for_reading(cls, folder: Path) -> "RunFile":
        """Open the file of a run; everything that is read shows the moment at which it was opened."""
        problem = file_problem(folder / FILE)
        if problem:
            raise WrongRun(f"The run in {folder} cannot be read: {problem}. Give a folder that you may read.")
        if not os.path.isfile(folder / FILE):
            raise WrongRun(
                f"There is no run in {folder}: {FILE} is missing. Give the folder that `diorama run` printed."
            )
        check_beside(folder)
        file = cls(folder, _read(folder / FILE))
        try:
            file.check()
        except BaseException:
            file.close()
            raise
        return file

    def close(self) -> None:
        """Merge the write-ahead log and release the folder."""
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def check(self) -> None:
        """Raise Damaged unless the file has the tables of a run and nothing else, and is whole.

        An index that disagrees with its table is found here. An empty file passes: a run may begin in it.
        """
        try:
            found = objects_of(self._db)
            foreign = foreign_object(found) if found else ""
            if foreign:
                self._check_format([one[1] for one in found if one[0] == "table"])
                raise Damaged("schema changed", f"{self.folder} was changed: {foreign}.")
            for (problem,) in self._db.execute("PRAGMA integrity_check(1)"):
                if problem != "ok":
                    raise Damaged("damaged file", f"{self.folder} is damaged: {' '.join(str(problem).split())[:TOLD]}.")
            for name, expected in HEAD.items():
                value = self._db.execute(f"PRAGMA {name}").fetchone()[0]
                if value != expected:
                    told = f"its {name} is {value}, not {expected}"
                    raise Damaged("schema changed", f"{self.folder} was changed: {told}.")
            self._check_size()
            if found:
                self._check_format(["run"])
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def _check_size(self) -> None:
        """Raise Damaged if bytes follow the last page; pages that are still in the log may be missing in the file."""
        pages, size = (self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
        try:
            found = os.stat(self.folder / FILE).st_size
        except OSError as error:
            raise Damaged("damaged file", f"{self.folder} cannot be read: {reason(error)}.") from None
        if found > pages * size:
            told = f"{FILE} has {found} bytes, its {pages} pages have {pages * size}"
            raise Damaged("damaged file", f"{self.folder} was changed: {told}.")

    def _check_format(self, tables: list[str]) -> None:
        """Raise WrongRun if the file says that it is a run of another format."""
        try:
            held = self._db.execute("SELECT format FROM run NOT INDEXED").fetchone() if "run" in tables else None
        except sqlite3.Error:
            return
        if held is not None and held[0] != FORMAT:
            raise WrongRun(f"{self.folder} holds a run of format {held[0]}; this program reads format {FORMAT}.")

    @property
    def is_empty(self) -> bool:
        """Whether no run has begun in this file."""
        return next(self.query("SELECT 1 FROM sqlite_master"), None) is None

    def query(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query; raise Damaged if they cannot be read."""
        try:
            yield from self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows of a query by the names of their columns."""
        try:
            found = self._db.execute(sql, values)
            names = [column[0] for column in found.description]
            for row in found:
                yield dict(zip(names, row, strict=True))
        except sqlite3.Error as error:
            raise self._unreadable(error) from None

    def write(self, sql: str, values: tuple[Any, ...] = ()) -> None:
        """Run a statement inside `writing`."""
        self._db.execute(sql, values)

    def create(self, make: Any) -> None:
        """Call a function with the connection, inside `writing`."""
        make(self._db)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a transaction; raise CannotWrite if it is not saved in this folder."""
        if self._lock is None:
            raise self._cannot("it was opened for reading")
        self.check_place()
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield
        except sqlite3.IntegrityError:
            raise self._cannot("another process has written the same episode") from None
        except sqlite3.Error as error:
            raise self._cannot(reason(error)) from None
        self.check_place()

    def check_place(self) -> None:
        """Raise CannotWrite if the file or the lock was moved, deleted or replaced since they were opened."""
        for name, held in self._held.items():
            try:
                here = _identity(os.stat(self.folder / name))
            except OSError:
                here = None
            if here != held:
                raise CannotWrite(
                    f"Cannot save to {self.folder}: {name} was moved, deleted or replaced during the run. "
                    "Episodes that finished since then are not in this folder; run the same command again."
                )

    def _cannot(self, why: str) -> CannotWrite:
        try:
            saved = (
                f"{self._db.execute('SELECT count(*) FROM episodes NOT INDEXED').fetchone()[0]} episodes are saved. "
            )
        except sqlite3.Error:
            saved = ""
        return CannotWrite(
            f"Cannot save to {self.folder}: {why}. {saved}Once it can be written again, continue with the same "
            f"command and --out {self.folder}."
        )

    def _unreadable(self, error: sqlite3.Error) -> Damaged:
        return Damaged("damaged file", f"{self.folder} cannot be read to its end: {str(error)[:TOLD]}.")


def reason(error: Exception) -> str:
    """Return why a file could not be written."""
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) == ENOSPC:
        return DISK_FULL
    if isinstance(error, OSError) and error.strerror:
        where = f"{Path(os.fsdecode(error.filename)).name}: " if isinstance(error.filename, str | bytes) else ""
        return f"{where}{error.strerror}"
    return str(error)


def _lock(folder: Path) -> int:
    """Make the folder if there is none, and take its lock; return the lock's file descriptor."""
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        foreign = [path.name for path in folder.iterdir() if not path.name.startswith((FILE, LOCK))]
        if foreign and not (folder / FILE).exists():
            raise WrongRun(f"{folder} holds other files ({foreign[0]}) and no run. Choose an empty folder with --out.")
        lock = _regular(folder / LOCK, os.O_CREAT | os.O_WRONLY)
    except OSError as error:
        why = error.strerror or str(error)
        raise WrongRun(f"Cannot write a run into {folder}: {why}. Choose another folder with --out.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        held = _identity(os.stat(folder / LOCK)) == _identity(os.fstat(lock))
    except OSError:
        held = False
    if not held:
        os.close(lock)
        raise WrongRun(f"Another process is writing to {folder}. Wait for it, or choose another --out.")
    return lock


def _regular(path: Path, flags: int) -> int:
    """Open a plain file that only its owner may read; raise OSError for a pipe, a link or anything else."""
    strange = f"{path.name} is not a plain file"
    try:
        opened = os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW, PRIVATE_FILE)
    except OSError as error:
        if error.errno in (ELOOP, ENXIO):  # a link; a pipe that nothing reads
            raise OSError(strange) from None
        raise
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(strange)
    return opened


def check_beside(folder: Path) -> None:
    """Raise Damaged if SQLite would read something else than a run writes: another file, or a rollback journal.

    A run keeps a write-ahead log, which every reader merges alike. Before that, a run that was killed can leave a
    journal only of an empty database, which has at most its first page and no log.
    """
    for name in (FILE, *(FILE + suffix for suffix in BESIDE)):
        try:
            found = os.lstat(folder / name)
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode):
            raise Damaged("damaged file", f"{folder} was changed: {name} is not a plain file.")
    try:
        head = read_plain(folder / JOURNAL, JOURNAL_HEAD)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Damaged("damaged file", f"{folder} cannot be read: {JOURNAL}: {error.strerror}.") from None
    if any(head[PAGES_BEFORE]) or _size(folder / FILE) > FIRST_PAGE or _size(folder / LOG):
        told = f"{JOURNAL} is the journal of a database that is not empty, and no run leaves one"
        raise Damaged("damaged file", f"{folder} was changed: {told}. Delete it to read the run without it.")


def _size(path: Path) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def foreign_files(folder: Path) -> list[str]:
    """Say what is in a run folder that no run writes; what SQLite reads there was checked when it was opened."""
    ours = {FILE, LOCK, *(FILE + suffix for suffix in BESIDE)}
    problem = folder_problem(folder)
    if problem:
        raise WrongRun(f"{folder} cannot be listed: {problem}. Give a folder that you may read.")
    found = []
    for path in sorted(folder.iterdir()):
        if path.name not in ours:
            found.append(f"{folder} holds {path.name}, which no run writes: move it to another folder")
        elif path.is_symlink() or not path.is_file():
            found.append(f"{path} is not a plain file")
        elif path.name == LOCK and (size := path.stat().st_size):
            found.append(f"{path} has {size} bytes; a run leaves it empty")
    return found


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _connect(path: Path, pragmas: tuple[tuple[str, Any], ...]) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=30)
        _protect(db)
        for pragma, value in pragmas:
            if db.execute(f"PRAGMA {pragma}={value}").fetchone() not in ((value,), None):
                raise WrongRun(f"{path} cannot be opened with {pragma}={value}. Choose a folder on a local disk.")
        return db
    except sqlite3.Error as error:
        raise WrongRun(f"{path} cannot be read as a run: {error}. Choose another folder.") from None


def _read(path: Path) -> sqlite3.Connection:
    """Open a read-only connection in one transaction; if the folder is not writable either, read it as immutable.

    Never if there is a write-ahead log: what is immutable is read without it.
    """
    has_log = path.with_name(LOG).exists() and path.with_name(LOG).stat().st_size > 0
    for how in ("mode=ro",) if has_log else ("mode=ro", "immutable=1"):
        try:
            db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=30)
        except sqlite3.OperationalError:  # it may not be read
            continue
        try:
            _protect(db)
            db.execute("BEGIN")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            db.close()
        except sqlite3.Error as error:
            db.close()
            raise Damaged("damaged file", f"{path} cannot be read as a run: {error}. Choose another folder.") from None
        else:
            return db
    if has_log:
        raise WrongRun(
            f"{path} has a write-ahead log that cannot be read here. Make its folder writable, or copy the folder."
        )
    raise WrongRun(f"{path} cannot be opened. Check that you may read it.")


def _protect(db: sqlite3.Connection) -> None:
    for pragma, value in PRAGMAS:
        db.execute(f"PRAGMA {pragma}={value}")
    if sys.version_info >= (3, 12):  # earlier ones cannot set these; `check` comes before any statement that could run
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)
