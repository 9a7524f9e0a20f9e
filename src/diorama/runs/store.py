"""A run on disk: one folder, one SQLite file, one writer; a crash loses no finished attempt."""

import fcntl
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from diorama.episodes.result import UNKNOWN_VERSIONS, Result, Versions
from diorama.episodes.usage import Misuse
from diorama.kernel import Boundary, Defect

FORMAT = 2
FILE = "run.sqlite"
LOCK = "lock"
KEY = "agent, scenario, seed, idx, attempt, split"
ORDER = "agent, scenario, split, seed, idx, attempt"

SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
    id TEXT PRIMARY KEY,
    format INTEGER NOT NULL,
    command TEXT NOT NULL,
    agents TEXT NOT NULL,
    scenarios TEXT NOT NULL,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    created TEXT NOT NULL,
    finished TEXT,
    summary TEXT
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
    finished TEXT NOT NULL,
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


class WrongRun(Misuse):
    """This folder cannot be used as asked; the message says why and what to do."""


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


class Finished(msgspec.Struct):
    """What is kept of a finished attempt; logs are compressed JSON, made where the episode ran.

    `bodies` holds by digest the large bodies that the events only name; a run keeps each of them once.
    """

    job: Job
    result: dict[str, Any]
    events: bytes
    transcript: bytes
    note: str = ""
    wall_seconds: float = 0.0
    bodies: dict[str, bytes] = {}


def lost(job: Job, boundary: Boundary, kind: str, message: str, versions: Any = None) -> Finished:
    """Return what the run keeps of an episode that broke outside of any world."""
    result = Result.void(
        Defect(message, boundary=boundary, kind=kind),
        episode=f"{job.scenario}:{job.split}:{job.seed}",
        scenario=job.scenario,
        seed=job.seed,
        split=job.split,
        versions=msgspec.convert(versions, Versions) if versions else UNKNOWN_VERSIONS,
        agent=job.agent,
    )
    return Finished(job, msgspec.to_builtins(result), pack([]), pack([]))


class RunInfo(msgspec.Struct, kw_only=True):
    """What identifies a run: only the same plan with the same versions can be resumed."""

    id: str
    command: list[str]
    agents: list[str]
    scenarios: list[str]
    plan: dict[str, Any]
    versions: dict[str, Any]
    created: str
    finished: str | None = None
    format: int = FORMAT


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

    @classmethod
    def begin(cls, folder: Path, info: RunInfo) -> Self:
        """Start a run in a folder, or resume the one in it if it is the same run."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / LOCK).open("w")
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
            foreign = [path.name for path in folder.iterdir() if not path.name.startswith((FILE, LOCK))]
            if foreign and not (folder / FILE).exists():
                raise WrongRun(
                    f"{folder} holds other files ({foreign[0]}) and no run. Choose an empty folder with --out."
                )
            db = _connect(folder / FILE)
            found = _info(db, folder)
            if found is None:
                _write_run(db, info)
                found = info
            else:
                _same_run(found, info, folder)
        except BaseException:
            lock.close()
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

    def add(self, finished: Iterable[Finished]) -> None:
        """Store attempts: all of them or, if the process dies, none."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for one in finished:
                result = one.result
                self._db.execute(
                    f"INSERT INTO episodes ({KEY}, episode, ended, success, reward, state, trace, result, events,"
                    f" bodies, transcript, note, wall_seconds, finished) VALUES ({', '.join('?' * 19)})",
                    (
                        *msgspec.structs.astuple(one.job),
                        *(result["episode"], result["ended"], result["success"], result["reward"]),
                        *(result["state"], result["trace"], msgspec.json.encode(result).decode()),
                        *(one.events, msgspec.json.encode(sorted(one.bodies)).decode()),
                        *(one.transcript, one.note, one.wall_seconds, wall_now()),
                    ),
                )
                self._db.executemany(
                    "INSERT OR IGNORE INTO bodies VALUES (?, ?)",
                    [(digest, zlib.compress(body, 1)) for digest, body in sorted(one.bodies.items())],
                )

    def quarantine(self, job: Job, fault: dict[str, Any]) -> None:
        """Quarantine a variant: it broke the harness twice."""
        with self._db:
            self._db.execute(
                "INSERT OR IGNORE INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*job.group, fault["boundary"], fault["kind"], fault["message"]),
            )

    def quarantined(self) -> list[dict[str, Any]]:
        """Return the quarantined variants of this run."""
        rows = self._db.execute("SELECT * FROM quarantine ORDER BY agent, scenario, split, seed")
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def finish(self, summary: dict[str, Any]) -> None:
        """Mark the run complete."""
        with self._db:
            self._db.execute(
                "UPDATE run SET finished = ?, summary = ?", (wall_now(), msgspec.json.encode(summary).decode())
            )

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

    def find(self, name: str | None = None) -> list[Job]:
        """Return the attempts for a name: all, or by number in the plan (from 1), by the episode's id, or full name.

        They come in the order of the plan; the second attempt of an episode has the number of the first.
        """
        rows = self._db.execute(f"SELECT {KEY}, episode FROM episodes ORDER BY {ORDER}").fetchall()
        numbered = sorted((self.number(Job(*key)), Job(*key), episode) for *key, episode in rows)
        jobs = [(job, {episode, str(number), job.name}) for number, job, episode in numbered]
        found = [job for job, names in jobs if name is None or name in names]
        if name is not None and not found:
            known = ", ".join(job.name for job, _ in jobs[:3]) or "none yet"
            raise WrongRun(
                f"No episode {name!r} in {self.folder}, which has {len(jobs)}: {known}, ... "
                f"List them: diorama replay {self.folder}"
            )
        return found

    def number(self, job: Job) -> int:
        """Return an episode's place in the plan, from 1: by scenario, agent, seed and repeat."""
        plan, info = self.info.plan, self.info
        place = info.scenarios.index(job.scenario) * len(info.agents) + info.agents.index(job.agent)
        place = place * int(plan.get("episodes", 1)) + job.seed - int(plan.get("seed", 0))
        return place * int(plan.get("group", 1)) + job.index + 1

    def load(self, job: Job) -> Finished:
        """Return one attempt with its logs."""
        row = self._db.execute(
            f"SELECT bodies, result, events, transcript, note, wall_seconds FROM episodes"
            f" WHERE ({KEY}) = (?, ?, ?, ?, ?, ?)",
            msgspec.structs.astuple(job),
        ).fetchone()
        if row is None:
            raise WrongRun(f"No episode {job.name!r} in {self.folder}.")
        bodies = {digest: self._body(digest) for digest in msgspec.json.decode(row[0])}
        events, transcript, note, wall_seconds = row[2:]
        return Finished(job, msgspec.json.decode(row[1]), events, transcript, note, wall_seconds, bodies)

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
    row = db.execute(
        "SELECT id, format, command, agents, scenarios, plan, versions, created, finished FROM run"
    ).fetchone()
    if row is None:
        return None
    if row[1] != FORMAT:
        raise WrongRun(f"{folder} holds a run of format {row[1]}; this program reads format {FORMAT}.")
    command, agents, scenarios, plan, versions = (msgspec.json.decode(text) for text in row[2:7])
    return RunInfo(
        id=row[0], format=row[1], command=command, agents=agents, scenarios=scenarios, plan=plan, versions=versions,
        created=row[7], finished=row[8],
    )  # fmt: skip


def _write_run(db: sqlite3.Connection, info: RunInfo) -> None:
    def text(value: Any) -> str:
        return msgspec.json.encode(value).decode()

    with db:
        db.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA.split(";"):
            db.execute(statement)
        db.execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
            (
                *(info.id, FORMAT, text(info.command), text(info.agents), text(info.scenarios)),
                *(text(info.plan), text(info.versions), info.created),
            ),
        )


EDITED = {"image": "an app or the world of {0} was edited", "reward": "the scenario {0} was edited"}
"""What a different version of each kind means to the user; other kinds are told as they are."""


def _same_run(found: RunInfo, asked: RunInfo, folder: Path) -> None:
    """Raise WrongRun that says what differs, and what to do, unless both are the same run."""
    asks = [
        f"{name} {', '.join(getattr(found, name))}, now {', '.join(getattr(asked, name))}"
        for name in ("agents", "scenarios")
        if getattr(found, name) != getattr(asked, name)
    ]
    keys = dict.fromkeys((*found.plan, *asked.plan))
    asks += [
        f"{key} {found.plan.get(key)}, now {asked.plan.get(key)}"
        for key in keys
        if found.plan.get(key) != asked.plan.get(key)
    ]
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
    return [
        EDITED.get(kind, f"{kind} changed from {before.get(kind)} to {now[kind]}").format(scenario) for kind in kinds
    ]
