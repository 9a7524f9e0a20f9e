"""What is recorded has one form: other types, other words for the same request and foreign files are refused."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diorama.episodes.episode import start
from diorama.runs.engine import Engine
from diorama.runs.evidence import Verdict, refused, verify_run
from diorama.runs.file import FILE, Damaged
from diorama.runs.jobs import run_info
from diorama.runs.perform import canonical, perform
from diorama.runs.replay import difference
from diorama.runs.store import Job, Store, pack, unpack
from tests.runs.bakery import bakery, perform_in_bakery
from tests.runs.forged import Forger, forging, reseal

pytestmark = pytest.mark.usefixtures("in_the_bakery")

SPEAKER = "python:tests.runs.misbehaving:names_its_seat"
JOBS = [Job("oracle", "oven/bake", 0), Job(SPEAKER, "oven/bake", 0), Job("noop", "oven/bake", 0)]
Json = dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spelling") / "run"
    with bakery(), Store.begin(folder, run_info(["mine"], JOBS)) as store:
        Engine(store, perform_in_bakery).run()
    return folder


def verdict(folder: Path, digest: str = "") -> Verdict:
    try:
        with Store.open(folder) as store:
            return verify_run(store, digest=digest)
    except Damaged as damaged:
        return refused(damaged)


def digest_of(folder: Path) -> str:
    with Store.open(folder) as store:
        return store.digest()


def in_turns(agent: str, change: Callable[[list[Json]], Any]) -> Callable[[Forger], None]:
    def forge(forger: Forger) -> None:
        row = forger.row(f"agent = '{agent}'")
        turns = unpack(row["transcript"])
        change(turns)
        forger.put(row, transcript=pack(turns))

    return forge


SPELLINGS: dict[str, Callable[[Forger], None]] = {
    "null in arguments": in_turns("oracle", lambda turns: turns[0]["arguments"].update(zz=None)),
    "1.0 for 1": in_turns("oracle", lambda turns: turns[1]["arguments"].update(minutes=5.0)),
    "own seat named": in_turns(SPEAKER, lambda turns: turns[0].update(seat="agent")),
    "whole address": in_turns(
        SPEAKER, lambda turns: turns[0].update(http=turns[0]["http"].replace(" ", " https://oven.bakery.example"))
    ),
    "empty query": in_turns(SPEAKER, lambda turns: turns[0].update(http=f"{turns[0]['http']}?")),
    "null in events": lambda forger: forger.put_events(
        forger.row("agent = 'oracle'"), lambda events: events[-1]["reply"].update(zz=None)
    ),
    "unknown key in the plan": lambda forger: forger.put_run(
        plan=forger.run("plan").replace('"group":', '"note":"100 %","group":', 1)
    ),
    "1 for true in a result": lambda forger: forger.put(
        row := forger.row("agent = 'oracle'"), result=row["result"].replace('"success":true', '"success":1')
    ),
}


@pytest.mark.parametrize("what", SPELLINGS)
def test_another_spelling_is_refused(what: str, run: Path, tmp_path: Path) -> None:
    assert verdict(run).findings == []
    with forging(run, tmp_path / "forged") as forger:
        before = forger.db.total_changes
        SPELLINGS[what](forger)
        assert forger.db.total_changes > before
    reseal(tmp_path / "forged")
    assert verdict(tmp_path / "forged").findings != []


def test_the_same_request_is_recorded_in_one_way() -> None:
    turns = unpack(perform(Job(SPEAKER, "oven/bake", 0)).transcript)
    assert [(turn["http"], turn.get("seat"), turn.get("credential")) for turn in turns] == [
        ("GET /loaves", None, None)
    ] * 4


def test_requests_with_odd_paths_are_verified(tmp_path: Path) -> None:
    job = Job("python:tests.runs.misbehaving:asks_oddly", "oven/bake", 0)
    made = perform(job)
    episode = start("oven/bake", 0)
    for turn in unpack(made.transcript):
        assert canonical(turn, episode) == turn
    with Store.begin(tmp_path / "odd", run_info(["mine"], [job])) as store:
        Engine(store, perform_in_bakery).run()
    assert verdict(tmp_path / "odd").findings == []


def foreign(folder: Path, what: str) -> None:
    db = sqlite3.connect(folder / FILE)
    if what == "user_version":
        db.execute("PRAGMA user_version = 7")
    elif what == "application_id":
        db.execute("PRAGMA application_id = 7")
    elif what == "another file":
        (folder / "summary.html").write_text("100 %")
    elif what == "a link":
        (folder / "other").symlink_to(folder / FILE)
    elif what == "a lock that is a link":
        (folder / "lock").unlink()
        (folder / "lock").symlink_to(folder / FILE)
    db.commit()
    db.close()
    if what in ADDED:
        name, data = ADDED[what]
        with (folder / name).open("ab") as file:
            file.write(data)
    elif what == "UTF-16":
        in_utf_16(folder)


ADDED = {"bytes": (FILE, b"Z" * 100), "a page": (FILE, b"Z" * 4096), "a lock with content": ("lock", b"secret")}
"""Bytes that are appended to a file of a run."""


def in_utf_16(folder: Path) -> None:
    """Write the same rows into a database with another encoding."""
    (folder / FILE).rename(folder.parent / "old.sqlite")
    db = sqlite3.connect(folder / FILE)
    db.execute("PRAGMA encoding = 'UTF-16'")
    old = sqlite3.connect(folder.parent / "old.sqlite")
    for name, sql in old.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
        db.execute(sql)
        for row in old.execute(f"SELECT * FROM {name}"):
            db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
    db.commit()
    db.close()
    old.close()


@pytest.mark.parametrize(
    "what",
    ["user_version", "application_id", "another file", "a link", "a lock that is a link", "UTF-16", *ADDED],
)
def test_what_no_run_writes_is_refused_even_with_its_digest(what: str, run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(run, folder)
    foreign(folder, what)
    assert verdict(folder, digest_of(run)).findings != []


@pytest.mark.parametrize(
    ("old", "new"), [(1, True), (1, 1.0), (0.0, -0.0), ({"a": None}, {}), ([1], [1.0]), ("1", 1), (None, False)]
)
def test_values_of_other_types_differ(old: Any, new: Any) -> None:
    assert difference({"x": old}, {"x": new}, set()) is not None
    assert difference({"x": old}, {"x": old}, set()) is None
