"""A run on disk: one folder, one SQLite file, one writer; a crash loses no finished attempt."""

import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from errno import ENOSPC
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from diorama.episodes.result import UNKNOWN_VERSIONS, Result, Versions
from diorama.episodes.usage import Misuse
from diorama.kernel import Boundary, Defect
from diorama.kernel.cache import PRIVATE_FILE, PRIVATE_FOLDER
from diorama.runs.digests import ROW_COLUMNS, RUN_COLUMNS, digests_of, run_digest, seal_of
from diorama.runs.schema import SCHEMA, tables_of

FORMAT = 3
FILE = "run.sqlite"
LOCK = "lock"
KEY = "agent, scenario, seed, idx, attempt, split"
ORDER = "agent, scenario, split, seed, idx, attempt"
COPIES = ("episode", "ended", "success", "reward", "state", "trace")
"""Columns that repeat fields of the result, for queries; `wall_seconds` is another."""


class WrongRun(Misuse):
    """This folder cannot be used as asked; the message says why and what to do."""


class CannotWrite(Misuse):
    """The run cannot be saved, for example because the disk is full; what was saved before is safe."""


class Job(msgspec.Struct, frozen=True, order=True):
    """One attempt at one scenario with one seed by one agent; `index` counts repeats of the same variant."""

    agent: str
    scenario: str
    seed: int
    index: int = 0
    attempt: int = 0
    split: str = "train"

    @property
    def group(self) -> tuple[str, str, str, int]:
        """The variant for this agent: attempts that are quarantined together."""
        return self.agent, self.scenario, self.split, self.seed

    @property
    def episode(self) -> "Job":
        """The job without its attempt number: the same for a rerun."""
        return msgspec.structs.replace(self, attempt=0)

    @property
    def name(self) -> str:
        """The name for people: `zendesk/late-refund:train:7@oracle`, with repeat and rerun if any."""
        tail = (f".{self.index}" if self.index else "") + (f"+{self.attempt}" if self.attempt else "")
        return f"{self.scenario}:{self.split}:{self.seed}@{self.agent}{tail}"


class Cell(msgspec.Struct, frozen=True):
    """A part of a plan: one agent on one scenario, on `episodes` seeds from `seed` on, each `group` times."""

    agent: str
    scenario: str
    split: str
    seed: int
    episodes: int
    group: int

    def jobs(self) -> Iterator[Job]:
        """Yield the planned jobs."""
        for seed in range(self.seed, self.seed + self.episodes):
            for index in range(self.group):
                yield Job(self.agent, self.scenario, seed, index, split=self.split)


def cells_of(jobs: Iterable[Job]) -> list[Cell]:
    """Return a list of jobs as the cells of a plan."""
    repeats: dict[tuple[str, str, str], dict[int, int]] = {}
    for job in jobs:
        seeds = repeats.setdefault((job.agent, job.scenario, job.split), {})
        seeds[job.seed] = seeds.get(job.seed, 0) + 1
    cells: list[Cell] = []
    for (agent, scenario, split), seeds in repeats.items():
        first = True
        for seed, group in sorted(seeds.items()):
            last = None if first else cells[-1]
            if last is not None and (last.seed + last.episodes, last.group) == (seed, group):
                cells[-1] = msgspec.structs.replace(last, episodes=last.episodes + 1)
            else:
                cells.append(Cell(agent, scenario, split, seed, 1, group))
            first = False
    return cells


class Finished(msgspec.Struct):
    """What is kept of a finished attempt; logs are compressed JSON, made where the episode ran.

    `bodies` holds by digest the large bodies that the events only name; a run keeps each of them once. `source` is
    the digest of the code that ran.
    """

    job: Job
    result: dict[str, Any]
    events: bytes
    transcript: bytes
    note: str = ""
    bodies: dict[str, bytes] = {}
    source: str = ""


def lost(
    job: Job, boundary: Boundary, kind: str, message: str, versions: Any = None, wall_seconds: float = 0.0
) -> Finished:
    """Return what the run keeps of an episode that broke outside of any world."""
    result = Result.void(
        Defect(message, boundary=boundary, kind=kind),
        episode=f"{job.scenario}:{job.split}:{job.seed}",
        scenario=job.scenario,
        seed=job.seed,
        split=job.split,
        versions=msgspec.convert(versions, Versions) if versions else UNKNOWN_VERSIONS,
        agent=job.agent,
        wall_seconds=wall_seconds,
    )
    return Finished(job, msgspec.to_builtins(result), pack([]), pack([]), source=(versions or {}).get("source", ""))


class RunInfo(msgspec.Struct, kw_only=True):
    """What identifies a run: only the same plan with the same versions can be resumed."""

    id: str
    command: list[str]
    plan: list[Cell]
    versions: dict[str, Any]
    created: str
    finished: str | None = None
    format: int = FORMAT

    @property
    def agents(self) -> list[str]:
        """The agents of the plan."""
        return list(dict.fromkeys(cell.agent for cell in self.plan))

    @property
    def scenarios(self) -> list[str]:
        """The scenarios of the plan."""
        return list(dict.fromkeys(cell.scenario for cell in self.plan))

    @property
    def jobs(self) -> list[Job]:
        """Every planned job, in order."""
        return [job for cell in self.plan for job in cell.jobs()]


def pack(value: Any) -> bytes:
    """Encode as canonical JSON and compress."""
    return zlib.compress(msgspec.json.encode(value), 1)


def unpack(data: bytes) -> Any:
    """Decode the output of `pack`."""
    return msgspec.json.decode(zlib.decompress(data))


def wall_now() -> str:
    """Return the wall time, for display only."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """An open run folder; `Store.begin` writes, `Store.open` reads."""

    def __init__(self, folder: Path, db: sqlite3.Connection, info: RunInfo, lock: Any = None) -> None:
        self.folder = folder
        self.info = info
        self._db = db
        self._lock = lock
        self._places: dict[Job, int] = {}

    @classmethod
    def begin(cls, folder: Path, info: RunInfo) -> Self:
        """Start a run in a folder, or resume the one in it if it is the same run."""
        try:
            folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            foreign = [path.name for path in folder.iterdir() if not path.name.startswith((FILE, LOCK))]
            if foreign and not (folder / FILE).exists():
                raise WrongRun(
                    f"{folder} holds other files ({foreign[0]}) and no run. Choose an empty folder with --out."
                )
            lock = os.fdopen(_private(str(folder / LOCK), os.O_CREAT | os.O_WRONLY), "w")
        except OSError as error:
            raise WrongRun(
                f"Cannot write a run into {folder}: {error.strerror}. Choose another folder with --out."
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise WrongRun(f"Another process is writing to {folder}. Wait for it, or choose another --out.") from None
        try:
            os.close(_private(str(folder / FILE), os.O_CREAT | os.O_RDWR))  # its log files get the same permissions
            db = _connect(folder / FILE)
            found = _info(db, folder)
            if found is None:
                _write_run(db, info)
                found = info
            else:
                _same_run(found, info, folder)
        except BaseException as error:
            lock.close()
            if isinstance(error, OSError | sqlite3.Error):
                raise CannotWrite(
                    f"Cannot write a run into {folder}: {_reason(error)}. Make room, or choose another --out."
                ) from None
            raise
        return cls(folder, db, found, lock)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a run for reading."""
        if not (folder / FILE).is_file():
            raise WrongRun(
                f"There is no run in {folder}: {FILE} is missing. Give the folder that `diorama run` printed."
            )
        db = _read(folder / FILE)
        info = _info(db, folder)
        if info is None:
            raise WrongRun(f"The run in {folder} was interrupted before it began. Start it again with the same --out.")
        return cls(folder, db, info)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Merge the write-ahead log and release the folder."""
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def add(self, finished: Iterable[Finished], quarantine: bool = False) -> None:
        """Store attempts, and quarantine their variants if asked: all of it or, if the process dies, nothing."""
        with self._writing():
            for one in finished:
                self._add(one)
                if quarantine:
                    fault = one.result["fault"]
                    self._db.execute(
                        "INSERT OR IGNORE INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (*one.job.group, fault["boundary"], fault["kind"], fault["message"]),
                    )

    def _add(self, one: Finished) -> None:
        job, result = one.job, one.result
        row = {
            "number": self._db.execute("SELECT coalesce(max(number), 0) + 1 FROM episodes").fetchone()[0],
            **dict(zip(KEY.split(", "), msgspec.structs.astuple(job), strict=True)),
            **{name: result.get(name) for name in COPIES},
            "result": _text(result),
            "events": one.events,
            "bodies": _text(sorted(one.bodies)),
            "transcript": one.transcript,
            "note": one.note,
            "wall_seconds": result.get("wall_seconds", 0.0),
            "source": one.source,
            "finished": wall_now(),
        }
        row["digests"] = digests_of(self.info.id, ROW_COLUMNS, row)
        self._db.execute(
            f"INSERT INTO episodes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO bodies VALUES (?, ?)",
            [(digest, zlib.compress(body, 1)) for digest, body in sorted(one.bodies.items())],
        )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run a transaction; raise CannotWrite if it cannot be saved."""
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            raise CannotWrite(
                f"Cannot save to {self.folder}: {_reason(error)}. {self.count()} episodes are "
                f"saved. Once it can be written again, continue with the same command and --out {self.folder}."
            ) from None

    def count(self) -> int:
        """Return the number of stored attempts."""
        return int(self._db.execute("SELECT count(*) FROM episodes").fetchone()[0])

    def quarantined(self) -> list[dict[str, Any]]:
        """Return the quarantined variants of this run."""
        return list(self._rows("SELECT * FROM quarantine ORDER BY agent, scenario, split, seed"))

    def finish(self, summary: dict[str, Any], key: str = "") -> str:
        """Mark the run complete and return its digest; with a key, seal it."""
        with self._writing():
            self._db.execute("UPDATE run SET finished = ?, summary = ?", (wall_now(), _text(summary)))
            digest = self.digest()
            seal = seal_of(digest, key) if key else None
            self._db.execute("UPDATE run SET digest = ?, seal = ?", (digest, seal))
        return digest

    def digest(self) -> str:
        """Return the digest of the run: its plan and description, and every row."""
        described, finished = self._db.execute("SELECT digests, finished FROM run").fetchone()
        return run_digest(described, finished, (row[0] for row in self._db.execute("SELECT digests FROM episodes")))

    def described(self) -> list[dict[str, Any]]:
        """Return the rows of the table `run` as they are stored: one, unless the file was changed."""
        return list(self._rows("SELECT * FROM run"))

    def tables(self) -> dict[str, list[str]]:
        """Return the columns of every table of the file."""
        return tables_of(self._db)

    def unused_bodies(self) -> list[str]:
        """Return the digests of stored bodies that no attempt names."""
        return [
            str(digest)
            for (digest,) in self._db.execute(
                "SELECT digest FROM bodies EXCEPT SELECT value FROM episodes, json_each(episodes.bodies)"
            )
        ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all attempts as they are stored, in the order in which they finished."""
        return self._rows("SELECT * FROM episodes ORDER BY number")

    def _rows(self, query: str) -> Iterator[dict[str, Any]]:
        rows = self._db.execute(query)
        names = [column[0] for column in rows.description]
        return (dict(zip(names, row, strict=True)) for row in rows)

    def notes(self, most: int = 3) -> list[tuple[str, int]]:
        """Return the most frequent notes on episodes, such as an agent's exceptions, with their counts."""
        rows = self._db.execute(
            "SELECT note, count(*) FROM episodes WHERE note != '' GROUP BY note ORDER BY 2 DESC, 1 LIMIT ?", (most,)
        )
        return [(note, count) for note, count in rows]

    def results(self) -> Iterator[tuple[Job, dict[str, Any]]]:
        """Yield every attempt with its result, in an order that does not depend on which finished first."""
        for *key, result in self._db.execute(f"SELECT {KEY}, result FROM episodes ORDER BY {ORDER}"):
            yield Job(*key), msgspec.json.decode(result)

    def outcomes(self) -> Iterator[tuple[Job, str, str]]:
        """Yield every attempt with its result as it is stored and its note, without its logs."""
        for *key, result, note in self._db.execute(f"SELECT {KEY}, result, note FROM episodes ORDER BY {ORDER}"):
            yield Job(*key), result, note

    def find(self, name: str | None = None) -> list[Job]:
        """Return the attempts for a name: all, or by number in the plan (from 1), by id, `scenario:seed`, or full name.

        They come in the order of the plan; the second attempt of an episode has the number of the first.
        """
        rows = self._db.execute(f"SELECT {KEY}, episode FROM episodes ORDER BY {ORDER}").fetchall()
        numbered = sorted((self.number(Job(*key)), Job(*key), episode) for *key, episode in rows)
        jobs = [
            (job, {episode, str(number), job.name, f"{job.scenario}:{job.seed}"}) for number, job, episode in numbered
        ]
        found = [job for job, names in jobs if name is None or name in names]
        if name is not None and not found:
            known = ", ".join(job.name for job, _ in jobs[:3]) or "none yet"
            raise WrongRun(
                f"No episode {name!r} in {self.folder}, which has {len(jobs)}: {known}, ... "
                f"List them: diorama show {self.folder}"
            )
        return found

    def number(self, job: Job) -> int:
        """Return an episode's place in the plan, from 1; one that is not planned comes after all others."""
        if not self._places:
            self._places = {planned: place for place, planned in enumerate(self.info.jobs, 1)}
        return self._places.get(job.episode, len(self._places) + 1)

    def load(self, job: Job) -> Finished:
        """Return one attempt with its logs."""
        return self.finished(self.row(job))

    def row(self, job: Job) -> dict[str, Any]:
        """Return the row of one attempt as it is stored."""
        rows = self._db.execute(
            f"SELECT * FROM episodes WHERE ({KEY}) = (?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(job)
        )
        names = [column[0] for column in rows.description]
        row = rows.fetchone()
        if row is None:
            raise WrongRun(f"No episode {job.name!r} in {self.folder}.")
        return dict(zip(names, row, strict=True))

    def finished(self, row: Mapping[str, Any]) -> Finished:
        """Return the attempt that a row stores, with its logs."""
        bodies = {digest: self._body(digest) for digest in msgspec.json.decode(row["bodies"])}
        return Finished(
            job_of(row), msgspec.json.decode(row["result"]), row["events"], row["transcript"], row["note"], bodies,
            row["source"],
        )  # fmt: skip

    def _body(self, digest: str) -> bytes:
        row = self._db.execute("SELECT body FROM bodies WHERE digest = ?", (digest,)).fetchone()
        body = zlib.decompress(row[0]) if row is not None else b""
        if sha256(body).hexdigest() != digest:
            raise WrongRun(f"The body {digest} in {self.folder} is missing or was changed.")
        return body


def _connect(path: Path) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=30)
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 1)):
            if db.execute(f"PRAGMA {pragma}={value}").fetchone() not in ((value,), None):
                raise WrongRun(f"{path} cannot be opened with {pragma}={value}. Choose a folder on a local disk.")
        return db
    except sqlite3.Error as error:
        raise WrongRun(f"{path} cannot be read as a run: {error}. Choose another folder.") from None


def _read(path: Path) -> sqlite3.Connection:
    """Open a read-only connection; if the folder is not writable either, read the file as immutable."""
    for how in ("mode=ro", "immutable=1"):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=30)
        try:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            db.close()
        except sqlite3.Error as error:
            db.close()
            raise WrongRun(f"{path} cannot be read as a run: {error}. Choose another folder.") from None
        else:
            return db
    raise WrongRun(f"{path} cannot be opened. Check that you may read it.")


def _info(db: sqlite3.Connection, folder: Path) -> RunInfo | None:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchone():
        return None
    held = db.execute("SELECT format FROM run").fetchone()
    if held is not None and held[0] != FORMAT:
        raise WrongRun(f"{folder} holds a run of format {held[0]}; this program reads format {FORMAT}.")
    row = db.execute("SELECT id, format, command, plan, versions, created, finished FROM run").fetchone()
    if row is None:
        return None
    try:
        command, versions = (
            msgspec.json.decode(row[2], type=list[str]),
            msgspec.json.decode(row[4], type=dict[str, Any]),
        )
        plan = msgspec.json.decode(row[3], type=list[Cell])
    except (msgspec.MsgspecError, TypeError) as error:
        raise WrongRun(f"The description of the run in {folder} was changed: {error}.") from None
    return RunInfo(
        id=row[0], format=row[1], command=command, plan=plan, versions=versions, created=row[5], finished=row[6]
    )


def _write_run(db: sqlite3.Connection, info: RunInfo) -> None:
    row = {
        "id": info.id,
        "format": FORMAT,
        "command": _text(info.command),
        "plan": _text(info.plan),
        "versions": _text(info.versions),
        "created": info.created,
    }
    row["digests"] = digests_of(info.id, RUN_COLUMNS, row)
    with db:
        db.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA.split(";"):
            db.execute(statement)
        db.execute(f"INSERT INTO run ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def job_of(row: Mapping[str, Any]) -> Job:
    """Return the job of a stored attempt."""
    return Job(*(row[name] for name in KEY.split(", ")))


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _reason(error: Exception) -> str:
    """Return why a file could not be written."""
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) == ENOSPC:
        return "the disk is full"
    return str(error)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)


EDITED = {"image": "an app or the world of {0} was edited", "reward": "the scenario {0} was edited"}
"""What a different version of each kind means to the user; other kinds are told as they are."""
BEYOND = "code that decides the results of {0} was edited"


def _same_run(found: RunInfo, asked: RunInfo, folder: Path) -> None:
    """Raise WrongRun that says what differs, and what to do, unless both are the same run."""
    asks = [
        f"{name} {', '.join(getattr(found, name))}, now {', '.join(getattr(asked, name))}"
        for name in ("agents", "scenarios")
        if getattr(found, name) != getattr(asked, name)
    ]
    before, now = ([msgspec.structs.asdict(cell) for cell in one.plan] for one in (found, asked))
    for key in ("split", "seed", "episodes", "group"):
        old, new = (", ".join(dict.fromkeys(str(cell[key]) for cell in cells)) for cells in (before, now))
        asks += [f"{key} {old}, now {new}"] if old != new else []
    if before != now and not asks:
        asks = ["other agents, scenarios or seeds"]
    if asks:
        raise WrongRun(
            f"{folder} holds another run. It was made with {'; '.join(asks)}. "
            "Use its options to continue it, or choose another folder with --out."
        )
    edits = [line for name in asked.versions for line in _edits(name, found.versions[name], asked.versions[name])]
    if edits:
        raise WrongRun(
            f"{folder} holds another run: since then {'; '.join(dict.fromkeys(edits))}, so its episodes cannot be "
            "compared with new ones. Choose another folder with --out, or delete this one."
        )


def _edits(scenario: str, before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return what was edited between two versions of a scenario, in plain words."""
    kinds = [kind for kind in now if before.get(kind) != now[kind]]
    if kinds == ["source"]:
        return [BEYOND.format(scenario)]
    kinds = [kind for kind in kinds if kind != "source"]
    return [
        EDITED.get(kind, f"{kind} changed from {before.get(kind)} to {now[kind]}").format(scenario) for kind in kinds
    ]
