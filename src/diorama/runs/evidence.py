"""Evidence: check that a run folder is what a run wrote, and name what was changed if it is not."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from math import inf
from typing import Any

import msgspec

from diorama.runs.actors import ACTED_BY_AGENT
from diorama.runs.commands import agent_seconds, contradiction
from diorama.runs.digests import ROW_COLUMNS, RUN_COLUMNS, changed_columns, has_seal, same_digest, seal_of
from diorama.runs.documents import UNREADABLE
from diorama.runs.file import Damaged, foreign_files
from diorama.runs.replay import OVERTIME, Divergence, OtherVersion, check, difference, is_same, plain, took
from diorama.runs.store import COPIES, Job, Store, decoded, job_of, planned, read_events, unpack
from diorama.runs.taxonomy import Tally, after_void
from diorama.runs.times import over_limit, wrong_order, wrong_times

LABELS = ("agent", "scenario", "split", "seed")
CHANGED = {
    "run": "mixed runs",
    "number": "order changed",
    **dict.fromkeys((*LABELS, "idx", "attempt"), "relabelled"),
    "result": "result changed",
    "events": "history changed",
    "transcript": "transcript replaced",
    "plan": "plan changed",
}
"""The forgery for each column that no longer matches its digest; other columns are a `column changed`."""
DIVERGED = {
    "agent": "relabelled",
    "staging": "history swapped",
    "events": "history changed",
    "transcript": "transcript replaced",
    "result": "result changed",
    "void": "failure turned into void",
    "times": "times changed",
}
"""The forgery for each place in which a replay differs from the record."""
NAMED = 3
NAMED_TEXT = 20
SEAL = re.compile("[0-9a-f]{64}")

Row = Mapping[str, Any]


class Finding(msgspec.Struct, frozen=True):
    """One thing that no run would have written: what kind of change it is, where, and what was found."""

    forgery: str
    message: str
    episode: str = ""

    def __str__(self) -> str:
        return f"{self.forgery}: {self.message}"


class Verdict(msgspec.Struct):
    """The outcome of verifying a run: each attempt is verified, refused, not verified, or void.

    Void attempts broke again in the replay. `not_verified` says why an attempt could not be verified: those named in
    `outside` are void by a fault from outside of the world, the others were made by other code or images.
    """

    episodes: int = 0
    planned: int = 0
    verified: int = 0
    refused: int = 0
    void: int = 0
    not_verified: dict[str, str] = {}
    outside: list[str] = []
    findings: list[Finding] = []
    divergences: list[Divergence] = []
    digest: str = ""
    proof: str = ""
    sealed: bool = False


class Attempt(msgspec.Struct):
    """What the checks of the whole run need to know of one attempt."""

    number: int
    job: Job
    result: dict[str, Any]
    own: tuple[bytes, bytes]
    """The digests of events and transcript as they are now."""
    stored: tuple[bytes, bytes]
    """The same as they were recorded."""
    moments: frozenset[float]
    """The wall times of what the agent did, and of the end: no two attempts were made at the same times.

    Empty for an attempt that was void before its first turn: staging may be shared with other attempts.
    """


def verify_run(
    store: Store,
    only: Iterable[Job] | None = None,
    digest: str = "",
    key: str = "",
    watch: Callable[[], None] = lambda: None,
) -> Verdict:
    """Check and replay every attempt (or `only` some), then the run as a whole, and compare its digest."""
    chosen = None if only is None else set(only)
    verdict = Verdict(planned=planned(store.info.plan))
    attempts: list[Attempt] = []
    try:
        for row in store.rows():
            if chosen is None or job_of(row) in chosen:
                attempts += _verify_row(store, row, verdict)
                watch()
        if chosen is None:
            verdict.findings += _check_run(store, attempts)
            if len(verdict.not_verified) == len(verdict.outside):  # other code may have written other times
                verdict.findings += _check_order(store)
                verdict.findings += _check_row_seals(store)
            verdict.digest = store.digest()
            verdict.findings += _prove(store, verdict, digest, key)
    except Damaged as damaged:
        verdict.findings.append(Finding(damaged.forgery, str(damaged)))
    except UNREADABLE as error:
        told = f"{store.folder} cannot be read to its end: {type(error).__name__}: {error}"
        verdict.findings.append(Finding("damaged file", told))
    return verdict


def refused(damaged: Damaged) -> Verdict:
    """Return the verdict on a folder that cannot even be opened as a run."""
    return Verdict(findings=[Finding(damaged.forgery, str(damaged))])


def _verify_row(store: Store, row: Row, verdict: Verdict) -> list[Attempt]:
    """Check one attempt by itself and replay it; return what the checks of the whole run need."""
    verdict.episodes += 1
    name = f"row {row['number']}"
    try:
        name = job_of(row).name
        finished = store.finished(row)
        result, events = finished.result, read_events(finished.events, "its events")
        found = list(_check_row(store, row, name, result, events))
        if not found:
            divergence, reason = check(finished)
            if divergence is not None:
                verdict.divergences.append(divergence)
                found = [Finding(DIVERGED[divergence.place], str(divergence), name)]
            else:
                found = list(_check_times(store, row, name, result, events))
            if reason and not found:
                verdict.not_verified[name] = reason
                verdict.outside.append(name)
    except OtherVersion as error:
        verdict.not_verified[name] = str(error)
        found = []
    except Damaged as damaged:
        found = [*_check_digests(store, row, name), Finding(damaged.forgery, f"{name}: {damaged}", name)]
    except UNREADABLE as error:
        told = f"{name}: it cannot be read or replayed ({type(error).__name__}: {error})"
        found = [*_check_digests(store, row, name), Finding("unreadable record", told, name)]
    if found:
        verdict.refused += 1
        verdict.findings += found
    elif name not in verdict.not_verified:
        if result["ended"] == "void":
            verdict.void += 1
        else:
            verdict.verified += 1
    try:
        return [_attempt(row)]
    except (Damaged, *UNREADABLE):
        return []


def _attempt(row: Row) -> Attempt:
    places = [(1 + ROW_COLUMNS.index(name)) * 32 for name in ("events", "transcript")]
    events, transcript = (sha256(b"b" + row[name]).digest() for name in ("events", "transcript"))
    stored = [row["digests"][at : at + 32] for at in places]
    result = decoded(row["result"], "its result", dict[str, Any])
    history = unpack(row["events"], "its events")
    timed = [event for event in history if event["door"] in ACTED_BY_AGENT] + unpack(row["transcript"], "its turns")
    if result["ended"] != "void":
        timed += history[-1:]
    moments = frozenset(one["wall"] for one in timed)
    return Attempt(row["number"], job_of(row), result, (events, transcript), (stored[0], stored[1]), moments)


def _check_row(
    store: Store, row: Row, name: str, result: dict[str, Any], events: list[dict[str, Any]]
) -> Iterator[Finding]:
    """Find contradictions inside one attempt: labels, columns, history, versions, digests."""
    void = result["ended"] == "void"
    for label in LABELS:
        if row[label] != result[label]:
            told = f"its {label} is {row[label]!r}, its result says {result[label]!r}"
            yield Finding("relabelled", f"{name}: {told}", name)
    expected = f"{result['scenario']}:{result['split']}:{result['seed']}"
    if result["episode"] != expected:
        yield Finding("relabelled", f"{name}: its episode is {result['episode']!r} instead of {expected!r}", name)
    for column in (*COPIES, "wall_seconds"):
        if not is_same(_as_stored(column, result[column]), row[column]):
            told = f"the column {column} is {row[column]!r}, its result says {result[column]!r}"
            yield Finding("column changed", f"{name}: {told}", name)
    if void != (result["reward"] is None) or void != bool(result["fault"]):
        yield Finding("result changed", f"{name}: an episode has either a reward or a fault", name)
    yield from _check_limits(store, row, name, result, events)
    yield from _check_history(name, result, events)
    extra = sorted(set(decoded(row["bodies"], "its list of bodies", list[str])).difference(_named_bodies(events)))
    if extra:
        yield Finding("body changed", f"{name}: none of its events has the body {extra[0]}", name)
    known = store.info.versions.get(result["scenario"], {})
    there = {**result["versions"], "source": row["source"]}
    if there != known and (events or any(there.values())):
        differs = ", ".join(key for key in there if there[key] != known.get(key))
        yield Finding("image or code swapped", f"{name}: its {differs} is not that of the run", name)
    yield from _check_digests(store, row, name)


def _check_limits(
    store: Store, row: Row, name: str, result: dict[str, Any], events: list[dict[str, Any]]
) -> Iterator[Finding]:
    """Find wall times that no clock gives, and an agent that ran out of wall time too early."""
    if any(type(event["wall"]) is not float for event in events):
        yield Finding("history changed", f"{name}: the wall time of an event is not one that a clock gave", name)
    seconds = result["wall_seconds"]
    if type(seconds) is not float or not 0.0 <= seconds < inf:
        yield Finding("result changed", f"{name}: it took {seconds!r} s of wall time, which no clock gives", name)
        return
    limit = OVERTIME.fullmatch(row["note"]) if result["ended"] == "time_limit" else None
    if limit is not None and not took(limit[1], seconds):
        told = f"its note says that the agent took more than {limit[1]} s of wall time, but it took {seconds:.2f} s"
        yield Finding("result changed", f"{name}: {told}", name)
    asked = agent_seconds(store.info.command)
    if limit is not None and asked is not None and limit[1] != f"{asked:g}":
        told = f"its note says that the agent had {limit[1]} s of wall time, but the command gives it {asked:g} s"
        yield Finding("result changed", f"{name}: {told}", name)


def _check_times(
    store: Store, row: Row, name: str, result: dict[str, Any], events: list[dict[str, Any]]
) -> Iterator[Finding]:
    """Find wall times that contradict each other or the limit: of turns and events, of the attempt, and of the run."""
    turns = unpack(row["transcript"], "its turns")
    limit = agent_seconds(store.info.command)
    told = over_limit(turns, limit) if limit is not None else ""
    if told:
        yield Finding("times changed", f"{name}: {told}", name)
    for told in wrong_times(store.info.created, row["finished"], result, events, turns):
        yield Finding("times changed", f"{name}: {told}", name)


def _as_stored(column: str, value: Any) -> Any:
    """Return a value of a result as its column holds it."""
    if isinstance(value, bool):
        return int(value)
    return float(value) if column in ("reward", "wall_seconds") and isinstance(value, int) else value


def _named_bodies(events: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the digest of every large value that an event records: a body, or a column that was changed."""
    for event in events:
        places = [event["request"].get("body"), event["reply"].get("body"), event["changes"]]
        while places:
            one = places.pop()
            if isinstance(one, list):
                places += one
            elif isinstance(one, dict):
                places += one.values()
                if "sha256" in one:
                    yield str(one["sha256"])


def _check_digests(store: Store, row: Row, name: str) -> Iterator[Finding]:
    for column in changed_columns(store.info.id, ROW_COLUMNS, row):
        told = "it belongs to another run" if column == "run" else f"{column} was changed after it was recorded"
        yield Finding(CHANGED.get(column, "column changed"), f"{name}: {told}", name)


def _check_history(name: str, result: dict[str, Any], events: list[dict[str, Any]]) -> Iterator[Finding]:
    if not events:
        if result["trace"] or result["turns"] or result["ended"] != "void":
            yield Finding("events emptied", f"{name}: it has no events, its result has {result['turns']} turns", name)
        return
    if events[-1]["trace"] != result["trace"]:
        told = f"its history ends with trace {events[-1]['trace'][:16]}, its result says {result['trace'][:16]}"
        yield Finding("events cut", f"{name}: {told}", name)
    graded = [signal["value"] for signal in events[-1]["signals"] if signal["name"] == "reward"]
    if graded and result["ended"] == "void":
        told = f"it is recorded as void, but its history was graded with reward {graded[0]}"
        yield Finding("failure turned into void", f"{name}: {told}", name)
    elif graded and graded[0] != result["reward"]:
        told = f"its reward is {result['reward']}, its history was graded with {graded[0]}"
        yield Finding("result changed", f"{name}: {told}", name)


def _check_run(store: Store, attempts: list[Attempt]) -> Iterator[Finding]:
    """Find what does not fit together: description, plan, attempts, copies, quarantine, summary, digest."""
    described = store.described()
    if len(described) != 1:
        yield Finding("mixed runs", f"{store.folder} describes {len(described)} runs")
    for column in changed_columns(store.info.id, RUN_COLUMNS, described[0]):
        told = f"{column} of the run was changed after the run began"
        yield Finding(CHANGED.get(column, "column changed"), told)
    yield from (Finding("foreign file", told) for told in foreign_files(store.folder))
    yield from _check_description(store)
    yield from _check_bodies(store)
    yield from _check_copies(attempts)
    yield from _check_plan(store, attempts)
    yield from _check_quarantine(store, attempts)
    results = sorted(((one.job, one.result) for one in attempts), key=lambda pair: _order(pair[0]))
    try:
        summary = Tally(results, store.info.jobs).summary(store.quarantined())
    except UNREADABLE as error:
        yield Finding("result changed", f"the summary cannot be made from the results: {type(error).__name__} {error}")
        return
    told = described[0]["summary"]
    try:
        found = difference(decoded(told, "the summary"), plain(summary), set(), "summary") if told else None
    except Damaged as damaged:
        yield Finding("summary rewritten", str(damaged))
        found = None
    if found:
        yield Finding("summary rewritten", f"{found[0]} is {found[1]!r}, the episodes give {found[2]!r}")
    if described[0]["finished"] is None or not told:
        yield Finding(
            "unfinished run", "the run was never marked complete: continue it with the same command and --out"
        )
    elif described[0]["digest"] != store.digest():
        yield Finding("digest changed", "rows were added, deleted or replaced since the run was completed")


def _check_order(store: Store) -> Iterator[Finding]:
    """Find attempts that were not saved in the order of their numbers, while the run was going on."""
    described = store.described()[0]
    saved = [row["finished"] for row in store.rows()]
    if described["finished"] is not None:
        told = wrong_order(described["created"], described["finished"], saved)
        if told:
            yield Finding("order changed", told)


def _check_row_seals(store: Store) -> Iterator[Finding]:
    """Find seals of rows in a run without a seal: a run that is completed without a key has none."""
    described = store.described()[0]
    if described["finished"] is not None and described["seal"] is None:
        sealed = [job_of(row).name for row in store.rows() if has_seal(row["digests"])]
        if sealed:
            yield Finding("wrong seal", f"{sealed[0]} has a seal, but the run has none ({len(sealed)} such)", sealed[0])


def _check_description(store: Store) -> Iterator[Finding]:
    """Find a command or versions that do not belong to the plan."""
    told = contradiction(store.info)
    if told:
        yield Finding("column changed", told)
    other = sorted(set(store.info.versions).symmetric_difference(store.info.scenarios))
    if other:
        yield Finding("column changed", f"the versions of the run and its plan do not both name {other[0]!r}")


def _check_bodies(store: Store) -> Iterator[Finding]:
    """Find bodies that no run writes: no digest covers them."""
    extra = store.unused_bodies()
    if extra:
        yield Finding("body changed", f"no episode names the body {extra[0]} ({len(extra)} such)")


def _order(job: Job) -> tuple[Any, ...]:
    return job.agent, job.scenario, job.split, job.seed, job.index, job.attempt


def _check_copies(attempts: list[Attempt]) -> Iterator[Finding]:
    """Find attempts that are stored twice, copied from each other, swapped, or missing in the order."""
    for job, count in Counter(one.job for one in attempts).items():
        if count > 1:
            yield Finding("episode doubled", f"{job.name} is stored {count} times", job.name)
    for place, what in enumerate(("history", "transcript")):
        owner: dict[bytes, Attempt] = {}
        recorded = {one.stored[place]: one for one in attempts}
        for one in attempts:
            mine = one.own[place]
            first, from_whom = owner.setdefault(mine, one), recorded.get(mine)
            if place == 0 and first is not one and one.moments and first.job != one.job:
                yield Finding("episode doubled", f"{one.job.name} is a copy of {first.job.name}", one.job.name)
            if mine != one.stored[place] and from_whom is not None:
                told = f"{one.job.name} has the {what} of {from_whom.job.name}"
                yield Finding(f"{what} swapped", told, one.job.name)
    yield from _check_moments(attempts)
    numbers = sorted(one.number for one in attempts)
    gaps = sorted(set(range(1, len(numbers) + 1)) - set(numbers))
    if gaps:
        yield Finding("episode deleted", f"number {gaps[0]} is missing: attempts are numbered from 1 without gaps")


def _check_moments(attempts: list[Attempt]) -> Iterator[Finding]:
    """Find equal histories that happened at the same times: an agent may act the same again, but not at once."""
    alike: dict[str, list[Attempt]] = defaultdict(list)
    for one in attempts:
        if one.result["trace"]:
            alike[one.result["trace"]].append(one)
    for group in alike.values():
        seen: dict[float, Attempt] = {}
        for one in group:
            shared = Counter(seen[wall].job for wall in one.moments if wall in seen)
            most = shared.most_common(1)
            if most and 2 * most[0][1] > len(one.moments) and most[0][0] != one.job:
                told = f"{one.job.name} is a copy of {most[0][0].name}: both happened at the same times"
                yield Finding("episode doubled", told, one.job.name)
            seen.update((wall, one) for wall in one.moments)


def _check_plan(store: Store, attempts: list[Attempt]) -> Iterator[Finding]:
    """Find planned episodes that are missing, attempts that no plan has, and voids that were not tried again."""
    planned = set(store.info.jobs)
    tries: dict[Job, dict[int, dict[str, Any]]] = defaultdict(dict)
    for one in attempts:
        tries[one.job.episode][one.job.attempt] = one.result
    aside = {tuple(row[name] for name in LABELS) for row in store.quarantined()}
    missing = [job.name for job in store.info.jobs if job not in tries and job.group not in aside]
    if missing:
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        told = f"planned but not in the run: {', '.join(missing[:NAMED])}{more}"
        yield Finding("episode deleted", told, missing[0])
    for job, done in tries.items():
        if job not in planned:
            yield Finding("unplanned episode", f"{job.name} is not in the plan of the run", job.name)
        if sorted(done) != list(range(len(done))):
            yield Finding("episode deleted", f"{job.name} has attempts {sorted(done)}: one before is missing", job.name)
        *earlier, last = (done[attempt] for attempt in sorted(done))
        if any(result["ended"] != "void" for result in earlier):
            yield Finding("unplanned episode", f"{job.name} was tried again after it had been graded", job.name)
        faults = [result["fault"] for result in (*earlier, last) if result["ended"] == "void"]
        if last["ended"] == "void" and job.group not in aside and after_void(faults) in ("again", "alone"):
            told = f"{job.name} is void and was not tried again, as every run does"
            yield Finding("failure turned into void", told, job.name)


def _check_quarantine(store: Store, attempts: list[Attempt]) -> Iterator[Finding]:
    faults: dict[Job, list[dict[str, Any]]] = defaultdict(list)
    for one in sorted(attempts, key=lambda one: one.job.attempt):
        if one.result["ended"] == "void":
            faults[one.job.episode].append(one.result["fault"])
    causes: dict[tuple[Any, ...], list[tuple[Any, ...]]] = defaultdict(list)
    for job, all_of_it in faults.items():
        if after_void(all_of_it) == "quarantine":
            last = all_of_it[-1]
            causes[job.group].append((last["boundary"], last["kind"], last["message"]))
    for row in store.quarantined():
        group, cause = tuple(row[name] for name in LABELS), (row["boundary"], row["kind"], row["message"])
        if cause not in causes.pop(group, []):
            told = f"{group[1]}:{group[2]}:{group[3]} with {group[0]} is quarantined, but its attempts do not say why"
            yield Finding("quarantine changed", told)
    for group in causes:
        told = f"{group[1]}:{group[2]}:{group[3]} with {group[0]} failed too often and is not quarantined"
        yield Finding("quarantine changed", told)


def _prove(store: Store, verdict: Verdict, digest: str, key: str) -> Iterator[Finding]:
    """Compare the run with a digest or a seal that was made when it ended."""
    if digest:
        if same_digest(digest.lower(), verdict.digest):
            verdict.proof = "digest"
        else:
            yield Finding("another digest", f"the run has digest {verdict.digest}, expected {digest}")
    seal = store.described()[0]["seal"]
    verdict.sealed = seal is not None
    if seal is not None and not SEAL.fullmatch(str(seal)):
        yield Finding("wrong seal", f"the seal of the run is {str(seal)[:NAMED_TEXT]!r}, which no key gives")
    elif seal is not None and not all(has_seal(row["digests"]) for row in store.rows()):
        yield Finding("wrong seal", "the run has a seal, but rows were saved without a key: such a run gets none")
    elif key:
        if seal is None:
            yield Finding("no seal", "a key was given, but the run was not sealed with one")
        elif same_digest(seal, seal_of(verdict.digest, key)):
            verdict.proof = verdict.proof or "key"
        else:
            yield Finding("wrong seal", "the seal of the run was made with another key, or for other content")
