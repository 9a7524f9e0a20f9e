"""A run folder stores each finished episode once, and refuses to be used for another run."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from diorama.episodes.usage import Misuse
from diorama.runs.file import FILE, LOCK, CannotWrite, Damaged, WrongRun
from diorama.runs.store import Job, RunInfo, Store, cells_of, check_saved, unpack
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
        with pytest.raises(CannotWrite, match="has written the same episode"):
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
    with Store.begin(tmp_path, info()) as writer, Store.open(tmp_path) as early:
        writer.add([finished(Job("oracle", "s", 1))])
        assert early.find() == []  # all that a reader sees is of one moment
        with Store.open(tmp_path) as late:
            assert len(late.find()) == 1


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


def remove(folder: Path) -> None:
    (folder / FILE).unlink()


def move(folder: Path) -> None:
    folder.rename(folder.parent / "elsewhere")


def replace(folder: Path) -> None:
    shutil.copy(folder / FILE, folder / f"{FILE}-2")
    (folder / f"{FILE}-2").rename(folder / FILE)


def unlock(folder: Path) -> None:
    (folder / LOCK).unlink()


@pytest.mark.parametrize("harm", [remove, move, replace, unlock])
def test_a_run_that_lost_its_place_is_not_saved(harm: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Store.begin(folder, info()) as store:
        harm(folder)
        with pytest.raises(CannotWrite, match="was moved, deleted or replaced"):
            store.add([finished(Job("oracle", "s", 1))])
        with pytest.raises(CannotWrite, match="was moved, deleted or replaced"):
            store.finish({})
        with pytest.raises(CannotWrite, match="was moved, deleted or replaced"):
            store.__exit__(None, None, None)
        store.close = lambda: None  # type: ignore[method-assign] # closed already
        store._file._held.clear()


def test_what_is_not_in_the_folder_was_not_saved(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as store:
        digest = store.finish({})
    check_saved(tmp_path, digest)
    with pytest.raises(CannotWrite, match="holds other episodes"):
        check_saved(tmp_path, "0" * 64)
    (tmp_path / FILE).unlink()
    with pytest.raises(CannotWrite, match="was not saved"):
        check_saved(tmp_path, digest)


def test_a_dropped_table_ends_the_run_with_one_line(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as store:
        with closing(sqlite3.connect(tmp_path / FILE)) as db:
            db.execute("DROP TABLE episodes")
        with pytest.raises(Misuse, match="no such table: episodes"):
            store.add([finished(Job("oracle", "s", 1))])
        with pytest.raises(Misuse, match="no such table: episodes"):
            list(store.results())


@pytest.mark.parametrize("name", [FILE, LOCK])
@pytest.mark.parametrize("kind", ["pipe", "link", "folder"])
def test_only_plain_files_are_written(name: str, kind: str, tmp_path: Path) -> None:
    place = tmp_path / "run" / name
    place.parent.mkdir()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to(tmp_path / "target")
    else:
        place.mkdir()
    with pytest.raises(Misuse, match="Cannot write a run into"):
        Store.begin(place.parent, info())
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t BEFORE INSERT ON episodes BEGIN SELECT raise(ignore); END",
        "CREATE INDEX i ON episodes (result)",
        "CREATE TABLE excuses (excuse TEXT)",
        "DROP TABLE quarantine",
    ],
)
def test_a_changed_schema_is_refused_before_anything_is_read(sql: str, tmp_path: Path) -> None:
    Store.begin(tmp_path, info()).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute(sql)
    with pytest.raises(Damaged, match="was changed: the ") as caught:
        Store.open(tmp_path)
    assert caught.value.forgery == "schema changed"
    with pytest.raises(Damaged, match="was changed: the "):
        Store.begin(tmp_path, info())


def test_a_read_only_run_can_be_read(tmp_path: Path) -> None:
    with Store.begin(tmp_path, info()) as store:
        store.add([finished(Job("oracle", "s", 1))])
    (tmp_path / LOCK).unlink()
    tmp_path.chmod(0o555)
    try:
        with Store.open(tmp_path) as store:
            assert len(store.find()) == 1
            with pytest.raises(CannotWrite, match=r"Cannot save to .*for reading. 1 episodes are saved"):
                store.finish({})
    finally:
        tmp_path.chmod(0o755)
