"""A run folder stores each finished episode once, and refuses to be used for another run."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from diorama.runs.store import FILE, LOCK, CannotWrite, Job, RunInfo, Store, WrongRun, cells_of, unpack
from tests.runs.stand_in import finished

VERSIONS = {"image": "i", "package": "1", "reward": "r", "source": "s"}


def info(plan: Sequence[Job] = (Job("oracle", "s", 1),), **changed: object) -> RunInfo:
    base = RunInfo(
        id="r1",
        command=["run"],
        plan=cells_of(plan),
        versions={"s": VERSIONS},
        created="2026-01-01T00:00:00+00:00",
    )
    return msgspec.structs.replace(base, **changed)


def test_added_episodes_survive_reopening(tmp_path: Path) -> None:
    job = Job("oracle", "s", 1)
    with Store.begin(tmp_path, info()) as store:
        store.add([finished(job, success=True)])
    with Store.open(tmp_path) as store:
        assert store.find() == [job]
        assert store.load(job).result["success"] is True
        assert unpack(store.load(job).events)[0]["seq"] == 1
        assert store.info.format == 3


def test_an_attempt_cannot_be_stored_twice(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as store:
        store.add([finished(Job("oracle", "s", 1))])
        with pytest.raises(sqlite3.IntegrityError):
            store.add([finished(Job("oracle", "s", 2)), finished(Job("oracle", "s", 1))])
        assert store.find() == [Job("oracle", "s", 1)]


def test_only_the_same_run_can_be_resumed(tmp_path: Path) -> None:
    Store.begin(tmp_path, info()).close()
    Store.begin(tmp_path, info(id="r2", created="later")).close()
    with pytest.raises(WrongRun, match="It was made with agents oracle, now noop"):
        Store.begin(tmp_path, info([Job("noop", "s", 1)]))
    with pytest.raises(WrongRun, match="It was made with seed 1, now 2; episodes 1, now 3"):
        Store.begin(tmp_path, info([Job("oracle", "s", seed) for seed in (2, 3, 4)]))
    with pytest.raises(WrongRun, match="since then package changed from 1 to 2"):
        Store.begin(tmp_path, info(versions={"s": {**VERSIONS, "package": "2"}}))
    with pytest.raises(WrongRun, match="since then code that decides the results of s was edited"):
        Store.begin(tmp_path, info(versions={"s": {**VERSIONS, "source": "other"}}))


def test_two_writers_are_refused(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()), pytest.raises(WrongRun, match="Another process"):
        Store.begin(tmp_path, info())


def test_a_run_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as writer, Store.open(tmp_path) as reader:
        writer.add([finished(Job("oracle", "s", 1))])
        assert len(reader.find()) == 1


def test_folders_that_hold_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongRun, match="no run in"):
        Store.open(tmp_path / "nowhere")
    (tmp_path / "thesis.txt").write_text("dear")
    with pytest.raises(WrongRun, match="other files"):
        Store.begin(tmp_path, info())
    garbage = tmp_path / "garbage"
    garbage.mkdir()
    (garbage / FILE).write_text("this is not a database, it is a poem about one" * 100)
    with pytest.raises(WrongRun, match="cannot be read"):
        Store.open(garbage)


def test_a_run_of_another_format_is_refused(tmp_path: Path) -> None:
    Store.begin(tmp_path, info()).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE run SET format = 99")
    with pytest.raises(WrongRun, match="format 99"):
        Store.open(tmp_path)


def test_episodes_are_found_by_number_id_and_name(tmp_path: Path) -> None:
    job = Job("cheat:a", "z/late", 7, 2)
    plan = [Job("oracle", "z/late", 7), *(Job("cheat:a", "z/late", 7, index) for index in range(3))]
    with Store.begin(tmp_path, info(plan)) as store:
        store.add([finished(job), finished(plan[0])])
        assert store.find() == [plan[0], job]
        assert store.find("4") == [job]
        assert store.find("z/late:train:7@cheat:a.2") == [job]
        assert store.find(f"ep-{job.name}") == [job]
        with pytest.raises(WrongRun, match="No episode 'x'"):
            store.find("x")


def test_a_read_only_run_can_be_read(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as store:
        store.add([finished(Job("oracle", "s", 1))])
    (tmp_path / LOCK).unlink()
    tmp_path.chmod(0o555)
    try:
        with Store.open(tmp_path) as store:
            assert len(store.find()) == 1
            with pytest.raises(CannotWrite, match=r"Cannot save to .*readonly.* 1 episodes are saved"):
                store.finish({})
    finally:
        tmp_path.chmod(0o755)
