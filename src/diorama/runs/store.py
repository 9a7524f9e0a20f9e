"""A run on disk: one folder, one SQLite file, one writer; a crash loses no finished attempt."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from diorama.episodes.agents import PERSON, clock, is_agent_name
from diorama.episodes.result import UNKNOWN_VERSIONS, Result, Versions
from diorama.kernel import Boundary, Defect
from diorama.kernel.sizes import TooLarge, has_more_values, inflate
from diorama.runs.digests import (
    ROW_COLUMNS,
    RUN_COLUMNS,
    SIZE,
    UNSEALED,
    changed_columns,
    digests_of,
    edits_between,
    row_seal,
    run_digest,
    same_digest,
    seal_of,
)
from diorama.runs.documents import checked_events, checked_result, checked_turns
from diorama.runs.file import FORMAT, CannotWrite, Damaged, RunFile, WrongRun
from diorama.runs.schema import create
from diorama.runs.times import SKEW_SECONDS, seconds_of, wall_now

LOG_AT_MOST, BODY_AT_MOST = 256 << 20, 64 << 20
"""Bytes of the events or the transcript of an attempt, and of a body, when they are decompressed."""
VALUES_AT_MOST = 8_000_000
"""Values in one stored document; an agent's record is limited far below this while it acts."""
PLANNED_AT_MOST = 2_000_000
"""How many episodes a run can plan."""
KEY = "agent, scenario, seed, idx, attempt, split"
ORDER = "agent, scenario, split, seed, idx, attempt"
COPIES = ("episode", "ended", "success", "reward", "state", "trace")
"""Columns that repeat fields of the result, for queries; `wall_seconds` is another."""


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


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    """Encode as canonical JSON and compress; raise TooLarge for what `unpack` would not read."""
    text = msgspec.json.encode(value)
    if len(text) > LOG_AT_MOST or has_more_values(text, VALUES_AT_MOST):
        raise TooLarge(f"a log of {len(text)} bytes is more than a run stores")
    return zlib.compress(text, 1)


def unpack(data: bytes, what: str = "a log") -> Any:
    """Decode the output of `pack`; raise Damaged, which names `what`, if it was changed."""
    try:
        return decoded(inflate(data, LOG_AT_MOST), what)
    except (zlib.error, TooLarge, TypeError, MemoryError) as error:
        raise Damaged("unreadable record", f"{what} cannot be read ({type(error).__name__}: {error}).") from None


def read_result(text: str, what: str = "the result") -> dict[str, Any]:
    """Return a stored result; raise Damaged, which names `what`, if it is not one."""
    return checked_result(decoded(text, what), what)


def read_events(data: bytes, what: str = "the events") -> list[dict[str, Any]]:
    """Return stored events; raise Damaged, which names `what`, if one of them is not an event."""
    return checked_events(unpack(data, what), what)


def read_turns(data: bytes, what: str = "the transcript") -> list[dict[str, Any]]:
    """Return the stored turns of an agent; raise Damaged, which names `what`, if one of them is not a turn."""
    return checked_turns(unpack(data, what), what)


class Store:
    """An open run folder; `Store.begin` writes, `Store.open` reads."""

    def __init__(self, file: RunFile, info: RunInfo, key: str = "") -> None:
        self.folder = file.folder
        self.info = info
        self._file = file
        self._key = key
        self._places: dict[Job, int] = {}
        self._numbers: dict[Job, int] = {}

    @classmethod
    def begin(cls, folder: Path, info: RunInfo, key: str = "") -> Self:
        """Start a run in a folder, or resume the one in it if it is the same run.

        With a key, every row is sealed with it, and a run is opened only if each of its rows was.
        """
        file = RunFile.for_writing(folder)
        try:
            found = None if file.is_empty else _info(file)
            if found is None:
                _write_run(file, info)
                found = info
            else:
                _same_run(found, info, folder)
            store = cls(file, found, key)
            clock.not_before(store._last_saved())  # of a new run this is its beginning
            if key:
                store._check_seals()
        except BaseException:
            file.close()
            raise
        return store

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a run for reading, as it is at this moment; raise Damaged if it is not as a run writes it."""
        file = RunFile.for_reading(folder)
        try:
            info = None if file.is_empty else _info(file)
            if info is None:
                raise WrongRun(
                    f"The run in {folder} was interrupted before it began. Start it again with the same --out."
                )
        except BaseException:
            file.close()
            raise
        return cls(file, info)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
        if kind is None:
            self._file.check_place()

    def close(self) -> None:
        """Merge the write-ahead log and release the folder."""
        self._file.close()

    def add(self, finished: Iterable[Finished], quarantine: bool = False) -> None:
        """Store attempts, and quarantine their variants if asked: all of it or, if the process dies, nothing."""
        with self._file.writing():
            for one in finished:
                self._add(one)
                if quarantine:
                    fault = one.result["fault"]
                    self._file.write(
                        "INSERT OR IGNORE INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (*one.job.group, fault["boundary"], fault["kind"], fault["message"]),
                    )

    def _add(self, one: Finished) -> None:
        job, result = one.job, one.result
        row = {
            "number": self._value("SELECT coalesce(max(number), 0) + 1 FROM episodes NOT INDEXED"),
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
        digests = digests_of(self.info.id, ROW_COLUMNS, row)
        row["digests"] = digests + (row_seal(digests, self._last_seal(), self._key) if self._key else b"")
        self._file.write(
            f"INSERT INTO episodes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values())
        )
        for digest, body in sorted(one.bodies.items()):
            self._file.write("INSERT OR IGNORE INTO bodies VALUES (?, ?)", (digest, zlib.compress(body, 1)))

    def _last_saved(self) -> float:
        """Return the latest time in the run: a clock that was set back since then goes on from there.

        Raise Damaged if it is in the future: the clock of the machine is wrong, or someone changed the time.
        """
        stored = "SELECT created FROM run NOT INDEXED UNION ALL SELECT finished FROM run NOT INDEXED"
        times = self._file.query(f"{stored} UNION ALL SELECT finished FROM episodes NOT INDEXED")
        latest, text = max(((seconds_of(text) or 0.0, str(text)) for (text,) in times), default=(0.0, ""))
        if latest > clock.wall_time() + SKEW_SECONDS:
            raise Damaged(
                "times changed",
                f"{self.folder} cannot be continued: it holds the time {text}, which is more than a day after "
                f"{wall_now()}, the time now. Correct the clock, or choose another folder with --out.",
            )
        return latest

    def _last_seal(self) -> bytes:
        """Return the seal of the last row, or the digests of the run before its first one."""
        last = next(self._file.query("SELECT digests FROM episodes NOT INDEXED ORDER BY number DESC LIMIT 1"), None)
        if last is None:
            last = next(self._file.query("SELECT digests FROM run NOT INDEXED"))
            return bytes(last[0])
        return bytes(last[0][-SIZE:])

    def _check_seals(self) -> None:
        """Raise Damaged unless every row, and the description of the run, is as it was saved with this key."""
        described = self.described()[0]
        before = bytes(described["digests"])
        if changed_columns(self.info.id, RUN_COLUMNS, described):
            raise self._unsealed("its description was changed")
        for row in self.rows():
            digests, seal = row["digests"][:-SIZE], row["digests"][-SIZE:]
            changed = changed_columns(self.info.id, ROW_COLUMNS, row)
            if changed or not same_digest(seal, row_seal(digests, before, self._key)):
                raise self._unsealed(f"{job_of(row).name} was changed, or was saved without the key")
            before = seal
        if described["seal"] is not None:
            wanted = seal_of(self.digest(), self._key)
            if described["finished"] is None or not same_digest(described["seal"], wanted):
                raise self._unsealed("rows were added, deleted or replaced since it was sealed")

    def _unsealed(self, why: str) -> Damaged:
        return Damaged(
            "wrong seal",
            f"{self.folder} cannot be continued with this key: {why}. Choose another folder with --out, or continue "
            "it without DIORAMA_RUN_KEY: then it gets no seal.",
        )

    def check_unfinished(self, left: int) -> None:
        """Raise Damaged if a run that was marked complete has episodes left to run: someone deleted them."""
        if left and self.info.finished is not None:
            raise Damaged(
                "episode deleted",
                f"{self.folder} was marked complete at {self.info.finished}, but {left} of its episodes are missing: "
                "someone deleted them. It cannot be continued; choose another folder with --out.",
            )

    def count(self) -> int:
        """Return the number of stored attempts."""
        return int(self._value("SELECT count(*) FROM episodes NOT INDEXED"))

    def quarantined(self) -> list[dict[str, Any]]:
        """Return the quarantined variants of this run."""
        return list(self._file.rows("SELECT * FROM quarantine NOT INDEXED ORDER BY agent, scenario, split, seed"))

    def finish(self, summary: dict[str, Any]) -> str:
        """Mark the run complete and return its digest; if it was begun with a key, check all rows and seal it."""
        with self._file.writing():
            if self._key:
                self._check_seals()
            else:  # seals of rows that were saved with a key mean nothing in a run without one
                self._file.write(
                    "UPDATE episodes SET digests = substr(digests, 1, ?) WHERE length(digests) = ?",
                    (UNSEALED, UNSEALED + SIZE),
                )
            self._file.write("UPDATE run SET finished = ?, summary = ?", (wall_now(), _text(summary)))
            digest = self.digest()
            seal = seal_of(digest, self._key) if self._key else None
            self._file.write("UPDATE run SET digest = ?, seal = ?", (digest, seal))
        return digest

    def digest(self) -> str:
        """Return the digest of the run: its plan and description, and every row."""
        described, finished = next(self._file.query("SELECT digests, finished FROM run NOT INDEXED"))
        rows = self._file.query("SELECT digests FROM episodes NOT INDEXED")
        return run_digest(described, finished, (row[0] for row in rows))

    def described(self) -> list[dict[str, Any]]:
        """Return the rows of the table `run` as they are stored: one, unless the file was changed."""
        return list(self._file.rows("SELECT * FROM run NOT INDEXED"))

    def unused_bodies(self) -> list[str]:
        """Return the digests of stored bodies that no attempt names."""
        return [
            str(digest)
            for (digest,) in self._file.query(
                "SELECT digest FROM bodies EXCEPT SELECT value FROM episodes NOT INDEXED, json_each(episodes.bodies)"
            )
        ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of all attempts as they are stored, in the order in which they finished."""
        return self._file.rows("SELECT * FROM episodes NOT INDEXED ORDER BY number")

    def _value(self, query: str) -> Any:
        return next(self._file.query(query))[0]

    def notes(self, most: int = 3) -> list[tuple[str, int]]:
        """Return the most frequent notes on episodes, such as an agent's exceptions, with their counts."""
        rows = self._file.query(
            "SELECT note, count(*) FROM episodes NOT INDEXED WHERE note != '' GROUP BY note ORDER BY 2 DESC, 1 LIMIT ?",
            (most,),
        )
        return [(note, count) for note, count in rows]

    def results(self) -> Iterator[tuple[Job, dict[str, Any]]]:
        """Yield every attempt with its result, in an order that does not depend on which finished first."""
        for *key, result in self._file.query(f"SELECT {KEY}, result FROM episodes NOT INDEXED ORDER BY {ORDER}"):
            yield Job(*key), read_result(result, f"the result of {Job(*key).name}")

    def outcomes(self) -> Iterator[tuple[Job, str, str]]:
        """Yield every attempt with its result as it is stored and its note, without its logs."""
        found = self._file.query(f"SELECT {KEY}, result, note FROM episodes NOT INDEXED ORDER BY {ORDER}")
        for *key, result, note in found:
            yield Job(*key), result, note

    def find(self, name: str | None = None) -> list[Job]:
        """Return the attempts for a name: all, or by number in the plan (from 1), by id, `scenario:seed`, or full name.

        They come in the order of the plan; the second attempt of an episode has the number of the first.
        """
        rows = self._file.query(f"SELECT {KEY}, episode FROM episodes NOT INDEXED ORDER BY {ORDER}")
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

    def row(self, job: Job) -> Mapping[str, Any]:
        """Return the row of one attempt as it is stored."""
        if job not in self._numbers:
            numbered = self._file.query(f"SELECT {KEY}, number FROM episodes NOT INDEXED")
            self._numbers = {Job(*key): number for *key, number in numbered}
        found = self._file.rows("SELECT * FROM episodes WHERE number = ?", (self._numbers.get(job),))
        row = next(found, None)
        if row is None:
            raise WrongRun(f"No episode {job.name!r} in {self.folder}.")
        return row

    def finished(self, row: Mapping[str, Any]) -> Finished:
        """Return the attempt that a row stores, with its logs."""
        name = job_of(row).name
        listed = decoded(row["bodies"], f"the list of bodies of {name}", list[str])
        bodies = {digest: self._body(digest) for digest in listed}
        result = read_result(row["result"], f"the result of {name}")
        return Finished(job_of(row), result, row["events"], row["transcript"], row["note"], bodies, row["source"])

    def _body(self, digest: str) -> bytes:
        found = next(self._file.query("SELECT body FROM bodies WHERE digest = ?", (digest,)), None)
        try:
            body = inflate(found[0], BODY_AT_MOST) if found is not None else b""
        except zlib.error:
            body = b""
        except TooLarge as error:
            raise Damaged("body changed", f"The body {digest} in {self.folder} cannot be read: {error}.") from None
        if sha256(body).hexdigest() != digest:
            raise Damaged("body changed", f"The body {digest} in {self.folder} is missing or was changed.")
        return body


def check_saved(folder: Path, digest: str) -> None:
    """Open a run again; raise CannotWrite unless the folder holds the run with this digest."""
    try:
        with Store.open(folder) as store:
            same = store.digest() == digest
    except WrongRun as error:
        raise CannotWrite(f"The run was not saved. {error}") from None
    if not same:
        raise CannotWrite(f"The run was not saved: {folder} holds other episodes than those that ran.")


def decoded(text: str | bytes, what: str, shape: Any = Any) -> Any:
    """Return stored JSON; raise Damaged if it cannot be read."""
    try:
        if has_more_values(text if isinstance(text, bytes) else text.encode(), VALUES_AT_MOST):
            raise TooLarge(f"more than {VALUES_AT_MOST} values")
        return msgspec.json.decode(text, type=shape)
    except (msgspec.MsgspecError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise Damaged("unreadable record", f"{what} cannot be read ({type(error).__name__}: {error}).") from None


def _info(file: RunFile) -> RunInfo | None:
    row = next(file.query("SELECT id, format, command, plan, versions, created, finished FROM run NOT INDEXED"), None)
    if row is None:
        return None
    command = decoded(row[2], "the command of the run", list[str])
    plan = decoded(row[3], "the plan of the run", list[Cell])
    versions = decoded(row[4], "the description of the run", dict[str, dict[str, str]])
    if any(cell.episodes < 1 or cell.group < 1 for cell in plan) or planned(plan) > PLANNED_AT_MOST:
        raise Damaged("plan changed", f"{file.folder} plans {planned(plan)} episodes, which no run does.")
    unknown = [cell.agent for cell in plan if not (is_agent_name(cell.agent) or cell.agent == PERSON)]
    if unknown:
        raise Damaged("plan changed", f"{file.folder} names the agent {unknown[0]!r}, which no run can have.")
    twice = planned_twice(plan)
    if twice is not None:
        raise Damaged("plan changed", f"{file.folder} plans {twice.name} more than once, which no run does.")
    return RunInfo(
        id=row[0], format=row[1], command=command, plan=plan, versions=versions, created=row[5], finished=row[6]
    )


def planned(plan: Iterable[Cell]) -> int:
    """Return the number of episodes in a plan."""
    return sum(cell.episodes * cell.group for cell in plan)


def planned_twice(plan: Iterable[Cell]) -> Job | None:
    """Return a job that a plan has more than once, or None: the seeds of two cells overlap."""
    last: dict[tuple[str, str, str], Cell] = {}
    for cell in sorted(plan, key=lambda cell: cell.seed):
        before = last.get(key := (cell.agent, cell.scenario, cell.split))
        if before is not None and cell.seed < before.seed + before.episodes:
            return next(cell.jobs())
        last[key] = cell
    return None


def _write_run(file: RunFile, info: RunInfo) -> None:
    twice = planned_twice(info.plan)
    if twice is not None:
        raise WrongRun(f"The plan has {twice.name} more than once. To repeat a variant, give its cell a larger group.")
    row = {
        "id": info.id,
        "format": FORMAT,
        "command": _text(info.command),
        "plan": _text(info.plan),
        "versions": _text(info.versions),
        "created": info.created,
    }
    row["digests"] = digests_of(info.id, RUN_COLUMNS, row)
    with file.writing():
        file.create(create)
        file.write(f"INSERT INTO run ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def job_of(row: Mapping[str, Any]) -> Job:
    """Return the job of a stored attempt."""
    return Job(*(row[name] for name in KEY.split(", ")))


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same_run(found: RunInfo, asked: RunInfo, folder: Path) -> None:
    """Raise WrongRun that says what differs, and what to do, unless both are the same run."""
    asks = [
        f"{name} {', '.join(getattr(found, name))}, now {', '.join(getattr(asked, name))}"
        for name in ("agents", "scenarios")
        if getattr(found, name) != getattr(asked, name)
    ]
    before, after = ([msgspec.structs.asdict(cell) for cell in one.plan] for one in (found, asked))
    for key in ("split", "seed", "episodes", "group"):
        old, new = (", ".join(dict.fromkeys(str(cell[key]) for cell in cells)) for cells in (before, after))
        asks += [f"{key} {old}, now {new}"] if old != new else []
    if before != after and not asks:
        asks = ["other agents, scenarios or seeds"]
    if asks:
        raise WrongRun(
            f"{folder} holds another run. It was made with {'; '.join(asks)}. "
            "Use its options to continue it, or choose another folder with --out."
        )
    edits = [
        line for name, now in asked.versions.items() for line in edits_between(name, found.versions.get(name, {}), now)
    ]
    if edits:
        raise WrongRun(
            f"{folder} holds another run: since then {'; '.join(dict.fromkeys(edits))}, so its episodes cannot be "
            "compared with new ones. Choose another folder with --out, or delete this one."
        )
