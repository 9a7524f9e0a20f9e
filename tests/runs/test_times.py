"""Wall times: the clock of a run never jumps, so times that contradict each other were changed."""

import signal
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from diorama.episodes.agents import clock
from diorama.episodes.agents.recorded import AgentHands
from diorama.episodes.endings import Overtime
from diorama.episodes.episode import start
from diorama.runs import workers
from diorama.runs.actors import ACTED_BY_AGENT
from diorama.runs.engine import Engine
from diorama.runs.evidence import Verdict, verify_run
from diorama.runs.file import Damaged
from diorama.runs.jobs import run_info
from diorama.runs.perform import perform
from diorama.runs.replay import check, is_loss, verify
from diorama.runs.store import Job, Store, lost, pack, unpack
from diorama.runs.taxonomy import Tally, after_void
from diorama.runs.times import over_limit
from diorama.runs.workers import describe_loss
from tests.runs.bakery import BakeIt, perform_in_bakery
from tests.runs.forged import Forger, forging, reseal

pytestmark = pytest.mark.usefixtures("in_the_bakery")

GUESTS = "python:tests.runs.guests:"
JOBS = [Job(agent, "oven/bake", seed) for agent in ("oracle", f"{GUESTS}writes_much") for seed in (0, 1)]
JOBS.append(Job(f"{GUESTS}takes_its_time", "oven/bake", 0))
Json = dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("times") / "run"
    from tests.runs.bakery import bakery

    with bakery(), Store.begin(folder, run_info(["mine"], JOBS)) as store:
        Engine(store, perform_in_bakery).run()
    return folder


def verdict(folder: Path) -> Verdict:
    with Store.open(folder) as store:
        return verify_run(store)


def named(folder: Path) -> set[str]:
    return {finding.forgery for finding in verdict(folder).findings}


def put_turns(forger: Forger, change: Callable[[list[Json]], Any]) -> None:
    row = forger.row("number = 2")
    turns = unpack(row["transcript"])
    change(turns)
    forger.put(row, transcript=pack(turns))


def reverse(turns: list[Json]) -> None:
    for turn, wall in zip(turns, [turn["wall"] for turn in turns][::-1], strict=True):
        turn["wall"] = wall


def shift(seconds: float) -> Callable[[list[Json]], Any]:
    return lambda made: [one.update(wall=one["wall"] + seconds) for one in made]


def all_at(wall: float) -> Callable[[list[Json]], Any]:
    return lambda made: [one.update(wall=wall) for one in made]


def exchange_rows(forger: Forger) -> None:
    """Exchange the numbers of two attempts and the times at which they were saved."""
    one, two = forger.row("number = 1"), forger.row("number = 3")
    forger.put(one, number=99, finished=two["finished"])
    forger.put(two, number=1, finished=one["finished"])
    forger.put(forger.row("number = 99"), number=3)


def several(forger: Forger) -> Json:
    """Return the row of an attempt with several turns, and wall time between them."""
    return forger.row(f"agent = '{GUESTS}takes_its_time'")


def first_event(events: list[Json]) -> float:
    return float(next(event["wall"] for event in events if event["door"] in ACTED_BY_AGENT))


def at_the_first_event(events: list[Json]) -> None:
    for event in events:
        event["wall"] = min(event["wall"], first_event(events))


def turns_at_the_first_event(forger: Forger) -> None:
    row = several(forger)
    turns = unpack(row["transcript"])
    all_at(first_event(unpack(row["events"])))(turns)
    forger.put(row, transcript=pack(turns))


CHANGES: dict[str, tuple[Callable[[Forger], Any], str]] = {
    "turns reversed": (lambda forger: put_turns(forger, reverse), "times changed"),
    "turns at 0": (lambda forger: put_turns(forger, all_at(0.0)), "times changed"),
    "turns before 1970": (lambda forger: put_turns(forger, all_at(-5.0)), "times changed"),
    "turns later": (lambda forger: put_turns(forger, shift(60.0)), "times changed"),
    "turns far apart": (
        lambda forger: put_turns(forger, lambda turns: turns[-1].update(wall=turns[0]["wall"] + 9999.0)),
        "times changed",
    ),
    "events at 0.5": (lambda forger: forger.put_events(forger.row("number = 2"), all_at(0.5)), "times changed"),
    "events ten years later": (
        lambda forger: forger.put_events(forger.row("number = 2"), shift(3e8)),
        "times changed",
    ),
    "staging before 1970": (
        lambda forger: forger.put_events(forger.row("number = 2"), lambda events: events[0].update(wall=-1e9)),
        "times changed",
    ),
    "no wall time": (lambda forger: forger.put_result(forger.row("number = 2"), wall_seconds=0.0), "times changed"),
    "saved before the run": (
        lambda forger: forger.put(forger.row("number = 2"), finished="2020-01-01T00:00:00.000000+00:00"),
        "times changed",
    ),
    "saved on a day": (lambda forger: forger.put(forger.row("number = 2"), finished="2030-01-01"), "times changed"),
    "completed before it began": (
        lambda forger: forger.put_run(finished="1970-01-01T00:00:00.000000+00:00"),
        "order changed",
    ),
    "completed banana": (lambda forger: forger.put_run(finished="banana"), "order changed"),
    "rows exchanged": (exchange_rows, "times changed"),
    "turns at the first event": (lambda forger: turns_at_the_first_event(forger), "times changed"),
    "an event before the turn before it": (
        lambda forger: forger.put_events(several(forger), at_the_first_event),
        "times changed",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_times_that_contradict_each_other_are_refused(what: str, run: Path, tmp_path: Path) -> None:
    change, forgery = CHANGES[what]
    with forging(run, tmp_path / "forged") as forger:
        change(forger)
    reseal(tmp_path / "forged")
    assert forgery in named(tmp_path / "forged")


@pytest.mark.parametrize("seconds", [-3600.0, 3600.0])
def test_a_clock_that_is_set_during_a_run_is_not_a_forgery(
    seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, set_by = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: machine() + set_by[0])

    def oracle(self: Any, hands: Any, truth: Any) -> None:
        hands.call("oven_look", {})
        set_by[0] = seconds
        hands.call("oven_bake", {"kind": truth.kind})
        hands.call("finish", {"report": "baked"})

    with mock.patch.object(BakeIt, "oracle", oracle), Store.begin(tmp_path, run_info(["mine"], JOBS[:2])) as store:
        store.add([perform(JOBS[0])])
        store.add([perform(JOBS[1])])
        store.finish(Tally(store.results(), store.info.jobs).summary())
        assert verdict(tmp_path).findings == []


def test_a_run_goes_on_after_a_clock_was_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = run_info(["mine"], JOBS[:2])
    with Store.begin(tmp_path, info) as store:
        store.add([perform(JOBS[0])])
    monkeypatch.setattr(clock, "_ahead", clock.ahead() - 86_400.0)
    with Store.begin(tmp_path, info) as store:
        store.add([perform(JOBS[1])])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    assert verdict(tmp_path).findings == []


def test_turns_after_the_end_are_within_the_wall_time(tmp_path: Path) -> None:
    job = Job("python:tests.runs.misbehaving:goes_on_a_little", "oven/bake", 0)
    finished = perform(job)
    assert len(unpack(finished.transcript)) == 3
    with Store.begin(tmp_path, run_info(["mine"], [job])) as store:
        store.add([finished])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    assert verdict(tmp_path).findings == []


@pytest.mark.parametrize("agent", ["claims_overtime", "claims_overtime_after_the_end", "speaks_of_overtime"])
def test_no_words_of_an_agent_are_taken_for_a_note_of_a_run(agent: str, tmp_path: Path) -> None:
    job = Job(f"python:tests.runs.misbehaving:{agent}", "oven/bake", 0)
    with Store.begin(tmp_path, run_info(["mine"], [job])) as store:
        store.add([perform(job)])
        store.finish(Tally(store.results(), store.info.jobs).summary())
        assert "600 s of wall time" in store.load(job).note
    assert verdict(tmp_path).findings == []


@pytest.mark.parametrize("finishes", [True, False])
def test_an_oracle_that_is_stopped_after_its_last_call_replays(finishes: bool) -> None:
    slow = [True]

    def oracle(self: Any, hands: Any, truth: Any) -> None:
        hands.call("oven_bake", {"kind": truth.kind})
        if finishes:
            hands.call("finish", {"report": "baked"})
        while slow[0]:
            time.sleep(0.01)

    with mock.patch.object(BakeIt, "oracle", oracle):
        finished = perform(Job("oracle", "oven/bake", 0), agent_seconds=1.0)
        note = "" if finishes else "the agent took more than 1 s of wall time"
        assert (finished.result["ended"], finished.note) == ("done" if finishes else "time_limit", note)
        slow[0] = False
        assert verify(finished) is None


def test_an_alarm_that_rings_at_the_end_leaves_no_timer() -> None:
    episode = start("oven/bake", 0)
    hands = AgentHands(episode.hands, episode.world)
    before = signal.getsignal(signal.SIGALRM)
    real = signal.setitimer

    def late(which: int, seconds: float, *interval: float) -> Any:
        if not seconds and late_once:
            late_once.pop()
            raise Overtime
        return real(which, seconds, *interval)

    late_once = [True]
    with mock.patch("signal.setitimer", late), pytest.raises(Overtime), hands.within(60.0):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == before


def test_a_worker_that_is_not_ready_is_recorded_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_SECONDS", 0.05)
    monkeypatch.setattr("diorama.runs.engine.START_SECONDS", 0.05)

    async def run_late(self: Any, *args: Any) -> str:
        found = await real_run(self, *args)
        monkeypatch.setattr(workers, "START_SECONDS", 120.0)
        return found

    real_run = workers.JobWorker.run
    monkeypatch.setattr(workers.JobWorker, "run", run_late)
    noop = Job("noop", "oven/bake", 0)
    with Store.begin(tmp_path, run_info(["mine"], [noop])) as store:
        Engine(store, perform_in_bakery).run()
        first = store.load(noop).result
    assert first["fault"]["message"] == "the worker process was not ready within 0.05 s of wall time"
    found = verdict(tmp_path)
    assert (found.findings, found.outside, found.verified) == ([], [noop.name], 1)


def test_a_worker_that_was_not_ready_took_the_time_that_it_names() -> None:
    fault = {
        "boundary": "engine",
        "kind": "no_start",
        "message": "the worker process was not ready within 120 s of wall time",
    }
    assert is_loss(fault, 120.1)
    assert not is_loss(fault, 3.0)
    assert after_void([fault]) == "alone"


@pytest.mark.parametrize(("code", "told"), [(-9, "signal 9 (SIGKILL)"), (-40, "signal 40"), (3, "exit code 3")])
def test_the_end_of_a_worker_is_described_and_verified(code: int, told: str) -> None:
    assert describe_loss(code) == told
    message = f"the worker process ended before it was ready: {describe_loss(code)}"
    job = Job("noop", "oven/bake", 0)
    divergence, reason = check(lost(job, "engine", "worker_death", message))
    assert divergence is None
    assert "does not meet again" in reason


def stretched(folder: Path, seconds: float, last_only: bool) -> None:
    """Let the turns after the first one, or only the last one, and all that follows be later."""
    with forging(folder, folder.parent / "forged") as forger:
        row = several(forger)
        turns, events = unpack(row["transcript"]), unpack(row["events"])
        moved = turns[-1:] if last_only else turns[1:]
        before = turns[-2 if last_only else 0]["wall"]
        for event in events:
            event["wall"] += seconds * (event["wall"] >= before)
        shift(seconds)(moved)
        forger.put_result(row, wall_seconds=row["wall_seconds"] + seconds)
        forger.put(row, transcript=pack(turns), events=pack(events), finished=later(row["finished"], seconds))
        forger.put_run(finished=later(forger.run("finished"), seconds))
        command = ["run", "oven/bake", "--agent", row["agent"]]
        forger.put_run(command=msgspec.json.encode(command).decode())
    reseal(folder.parent / "forged")


def later(text: str, seconds: float) -> str:
    return (datetime.fromisoformat(text) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


@pytest.mark.parametrize("last_only", [False, True])
def test_turns_after_the_limit_of_the_agent_are_refused(last_only: bool, tmp_path: Path) -> None:
    job = JOBS[-1]
    with Store.begin(tmp_path / "run", run_info(["mine"], [job])) as store:
        store.add([perform(job)])
        store.finish(Tally(store.results(), store.info.jobs).summary())
    stretched(tmp_path / "run", 5000.0, last_only)
    found = [str(finding) for finding in verdict(tmp_path / "forged").findings]
    assert len(found) == (0 if last_only else 1), found
    assert all("but the agent had 600 s" in told for told in found)


def test_only_the_last_turn_may_be_longer_than_the_limit() -> None:
    def walls(*times: float) -> list[Json]:
        return [{"wall": time} for time in times]

    assert over_limit(walls(), 1.0) == over_limit(walls(1.0), 1.0) == over_limit(walls(1.0, 9999.0), 1.0) == ""
    assert over_limit(walls(1.0, 601.0, 9999.0), 600.0) == ""
    assert "the agent had 600 s" in over_limit(walls(1.0, 700.0, 701.0), 600.0)


def test_an_agent_is_stopped_if_the_world_worked_too_long() -> None:
    episode = start("oven/bake", 0)
    hands = AgentHands(episode.hands, episode.world)
    passed = type(hands._hands).call

    def slow(self: Any, *given: Any) -> Any:
        time.sleep(0.3)
        return passed(self, *given)

    with mock.patch.object(type(hands._hands), "call", slow), pytest.raises(Overtime), hands.within(0.1):  # noqa: PT012 - the first call may end
        hands.call("oven_look", {})
        hands.call("oven_look", {})
    assert len(hands.transcript) == 1


@pytest.mark.parametrize("column", ["created", "finished", "saved"])
def test_a_run_with_times_of_the_future_is_not_continued(column: str, run: Path, tmp_path: Path) -> None:
    future = "9999-12-31T23:59:59.999999+00:00"
    with forging(run, tmp_path / "forged") as forger:
        forger.put_run(finished=None)
        if column == "saved":
            forger.put(forger.row("number = 1"), finished=future)
            forger.put(forger.row("number = 2"), finished="no time")
        else:
            forger.put_run(**{column: future})
    with pytest.raises(Damaged, match="more than a day after"):
        Store.begin(tmp_path / "forged", run_info(["mine"], JOBS))
    assert clock.wall_time() < time.time() + 86_400.0
