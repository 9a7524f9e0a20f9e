"""Episodes over processes: the same results for any number of workers; harness failures are named and counted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diorama.runs.engine import Engine
from diorama.runs.file import CannotWrite
from diorama.runs.store import Finished, Job, Store, lost
from diorama.runs.taxonomy import WORKER_DEATHS, Tally
from tests.runs import stand_in
from tests.runs.test_store import info

PLAN = [Job("oracle", "s", seed) for seed in range(12)]


def run(folder: Path, perform: Callable[[Job], Finished], parallel: int = 2, **more: float) -> tuple[Any, Any]:
    with Store.begin(folder, info(PLAN)) as store:
        summary = Engine(store, perform, parallel, **more).run()
        return summary, dict(store.results())


def test_one_and_two_workers_give_the_same_results(tmp_path: Path) -> None:
    one, results_one = run(tmp_path / "one", stand_in.perform, 1)
    two, results_two = run(tmp_path / "two", stand_in.perform, 2)
    assert one == two
    assert list(results_one.items()) == list(results_two.items())
    assert one["n"] == 12
    assert one["success_rate"] == 0.5
    assert one["fault_rate"] == 0


def test_an_episode_of_a_dead_worker_is_retried_once(tmp_path: Path) -> None:
    summary, results = run(tmp_path, stand_in.die_once)
    first = results[Job("oracle", "s", 3, attempt=0)]
    assert first["fault"]["boundary"] == "engine"
    assert "signal 9" in first["fault"]["message"]
    assert results[Job("oracle", "s", 3, attempt=1)]["ended"] == "done"
    assert summary["n"] == summary["graded"] == 12
    assert summary["fault_rate"] == pytest.approx(1 / 12)
    assert summary["reruns"] == 1
    assert summary["quarantined"] == []


def test_a_variant_that_fails_twice_is_quarantined(tmp_path: Path) -> None:
    summary, results = run(tmp_path, stand_in.broken)
    assert results[Job("oracle", "s", 3, attempt=1)]["ended"] == "void"
    assert [row["seed"] for row in summary["quarantined"]] == [0, 3, 6, 9]
    assert (summary["n"], summary["graded"], summary["dropped"]) == (12, 8, 4)
    assert summary["faults"] == {"app": 8}


def test_a_row_of_quarantine_without_attempts_is_not_obeyed(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info(PLAN)) as store, store._file.writing():
        store._file.write("INSERT INTO quarantine VALUES ('oracle', 's', 'train', 3, 'app', 'KeyError', 'it was you')")
    with Store.begin(tmp_path, info(PLAN)) as store:
        Engine(store, stand_in.perform).run()
        assert Job("oracle", "s", 3) in dict(store.results())


def test_two_kills_from_outside_do_not_quarantine_a_variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_TEST_MARKS", str(tmp_path / "marks"))
    summary, results = run(tmp_path / "run", stand_in.die_in_company)
    assert (tmp_path / "marks").read_text().split() == ["0", "1"]
    assert summary["quarantined"] == []
    assert results[Job("oracle", "s", 3, attempt=2)]["ended"] == "done"
    assert (summary["graded"], summary["fault_rate"]) == (12, pytest.approx(1 / 12))


def test_a_variant_that_kills_workers_when_alone_is_quarantined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIORAMA_TEST_MARKS", str(tmp_path / "marks"))
    summary, results = run(tmp_path / "run", stand_in.crowd)
    assert [row["seed"] for row in summary["quarantined"]] == [3]
    assert (summary["n"], summary["graded"], summary["dropped"]) == (12, 11, 1)
    assert summary["faults"] == {"engine": WORKER_DEATHS}
    assert "exit code 7" in summary["worst_causes"][0]["message"]
    assert results[Job("oracle", "s", 3, attempt=0)]["wall_seconds"] >= 0.05
    marks = (tmp_path / "marks").read_text().splitlines()
    assert marks[-3:] == ["begin 3 1", "begin 3 2", "begin 3 3"], "it was not alone"


def test_a_resumed_run_goes_on_with_a_suspect_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_TEST_MARKS", str(tmp_path / "marks"))
    with Store.begin(tmp_path / "run", info(PLAN)) as store:
        for attempt in range(2):
            store.add([lost(Job("oracle", "s", 3, attempt=attempt), "engine", "worker_death", "it ended")])
        summary = Engine(store, stand_in.crowd, 2).run()
    assert [row["seed"] for row in summary["quarantined"]] == [3]
    assert (tmp_path / "marks").read_text().splitlines()[-2:] == ["begin 3 2", "begin 3 3"]


def test_an_error_in_the_parent_is_not_blamed_on_a_worker(tmp_path: Path) -> None:
    def full(finished: Finished) -> None:
        raise CannotWrite("the disk is full")

    with Store.begin(tmp_path, info(PLAN)) as store:
        with pytest.raises(CannotWrite, match="the disk is full"):
            Engine(store, stand_in.perform, 2).run(full)
        assert {result["ended"] for _, result in store.results()} == {"done"}


def test_success_over_planned_episodes_counts_every_one(tmp_path: Path) -> None:
    plan = [Job("oracle", "s", seed, index) for seed in (2, 3) for index in range(4)]
    with Store.begin(tmp_path, info(plan)) as store:
        summary = Engine(store, stand_in.broken, 1).run()
    assert (summary["planned"], summary["graded"], summary["success_rate"]) == (8, 4, 1.0)
    assert summary["planned_success_rate"] == 0.5
    assert summary["by_agent"]["oracle"]["planned_success_rate"] == 0.5
    assert summary["by_scenario"][0]["planned_success_rate"] == 0.5
    some = Tally([(plan[0], stand_in.finished(plan[0], success=True).result)], plan).summary()
    assert (some["n"], some["success_rate"], some["planned_success_rate"]) == (1, 1.0, 1 / 8)


def test_repeats_of_a_quarantined_variant_are_not_run(tmp_path: Path) -> None:
    plan = [Job("oracle", "s", 3, index) for index in range(6)]
    with Store.begin(tmp_path, info(plan)) as store:
        summary = Engine(store, stand_in.broken, 1).run()
        assert summary["graded"] == 0
        assert summary["success_rate"] is None
        assert len(store.find()) < 12


def test_an_episode_that_hangs_in_our_code_is_an_engine_fault(tmp_path: Path) -> None:
    summary, _ = run(tmp_path, stand_in.hang, patience_seconds=1.5)
    assert summary["worst_causes"][0]["kind"] == "hang"
    assert summary["graded"] == 11


def test_an_exception_in_the_engine_itself_is_a_fault_and_not_a_reward(tmp_path: Path) -> None:
    summary, results = run(tmp_path, stand_in.raising)
    assert summary["fault_rate"] == 1.0
    assert {result["reward"] for result in results.values()} == {None}


def test_defects_are_counted_by_boundary_and_scenario(tmp_path: Path) -> None:
    summary, _ = run(tmp_path, stand_in.broken)
    assert summary["fault_rate"] == pytest.approx(4 / 12)
    assert summary["terminations"]["env_crash"] == 4
    assert summary["by_scenario"][0]["void_rate"] == pytest.approx(4 / 12)
    assert len(summary["worst_causes"]) == 3


def test_a_resumed_run_runs_only_missing_episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = tmp_path / "marks"
    monkeypatch.setenv("DIORAMA_TEST_MARKS", str(marks))
    with Store.begin(tmp_path / "run", info(PLAN)) as store:
        store.add(stand_in.finished(job, success=True) for job in PLAN[:5])
        store.add([stand_in.finished(PLAN[5], fault={"boundary": "app", "kind": "k", "message": "m", "at": 1})])
        Engine(store, stand_in.leaves_marks, 2).run()
    ran = marks.read_text().splitlines()
    assert sorted(ran) == sorted(["s:train:5@oracle+1", *(job.name for job in PLAN[6:])])
