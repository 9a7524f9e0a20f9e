"""A changed run folder never breaks a command: what cannot be shown is said, and the rest is shown."""

import copy
import io
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diorama.cli import app
from diorama.cli.errors import Misuse
from diorama.runs.engine import Engine
from diorama.runs.file import FILE
from diorama.runs.jobs import run_info
from diorama.runs.store import Job, Store, pack, unpack
from tests.runs.bakery import bakery, perform_in_bakery

JOBS = [Job(agent, "oven/bake", 0) for agent in ("oracle", "noop", "python:tests.runs.guests:speaks_http")]
ODD: list[Any] = [None, True, -1, 0, 1.5, 10**30, 1e308, "", "\x1b[2J", "x" * 300, "2026-01"]
ODD += [[], {}, [None], {"": None}, [[[]]]]
KEYS = ("x", "wall", "sha256", "said", "tool", "http")
SEED = 20
COUNT = 60


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("damaged") / "run"
    with bakery():
        with Store.begin(folder, run_info(["mine"], JOBS)) as store:
            Engine(store, perform_in_bakery).run()
        yield folder


def answer(*words: str) -> tuple[int, str]:
    """Return the exit code and the output of a command; anything but a plain refusal is raised."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            code = app(list(words), standalone_mode=False) or 0
        except Misuse as error:
            code = 2
            printed.write(f"{error}\n")
    text = printed.buffer.getvalue().decode()
    assert code < 2 or words[0] != "show" or text.count("\n") == 1
    return code, text


class Changed:
    """A run whose first row is changed and put back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = sqlite3.connect(folder / FILE, isolation_level=None)
        (self.stored,) = self.db.execute("SELECT result, events, transcript FROM episodes WHERE agent = 'oracle'")

    def document(self, column: str) -> Any:
        place = ("result", "events", "transcript").index(column)
        return json.loads(self.stored[0]) if place == 0 else unpack(self.stored[place])

    def put(self, column: str, document: Any) -> None:
        values = dict(zip(("result", "events", "transcript"), self.stored, strict=True))
        values[column] = msgspec.json.encode(document).decode() if column == "result" else pack(document)
        self.db.execute(
            "UPDATE episodes SET result = ?, events = ?, transcript = ? WHERE agent = 'oracle'", (*values.values(),)
        )

    def close(self) -> None:
        self.db.execute(
            "UPDATE episodes SET result = ?, events = ?, transcript = ? WHERE agent = 'oracle'", self.stored
        )
        self.db.close()


@pytest.fixture
def changed(run: Path) -> Iterator[Changed]:
    made = Changed(run)
    yield made
    made.close()


def places(document: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield before
    for name, value in document.items() if isinstance(document, dict) else ():
        yield from places(value, (*before, name))
    for at, value in enumerate(document) if isinstance(document, list) else ():
        yield from places(value, (*before, at))


def mutated(document: Any, dice: random.Random) -> Any:
    """Set, delete, double or add one value somewhere in a document."""
    made, value = copy.deepcopy(document), dice.choice(ODD)
    place = dice.choice(list(places(made)))
    how = dice.choice(["set", "set", "delete", "double", "add"])
    if not place:
        return value
    inside = made
    for step in place[:-1]:
        inside = inside[step]
    if how == "delete":
        del inside[place[-1]]
    elif how == "double" and isinstance(inside, list):
        inside.insert(place[-1], inside[place[-1]])
    elif how == "add" and isinstance(inside, dict):
        inside[dice.choice(KEYS)] = value
    else:
        inside[place[-1]] = value
    return made


def test_no_changed_document_breaks_a_command(changed: Changed) -> None:
    dice = random.Random(SEED)
    for _ in range(COUNT):
        column = dice.choice(["result", "events", "transcript"])
        changed.put(column, mutated(changed.document(column), dice))
        for words in (["show"], ["show", "--json"], ["show", "1", "--full"], ["show", "1", "--json"], ["replay", "1"]):
            code, text = answer(words[0], str(changed.folder), *words[1:])
            assert code in (0, 1, 2)
            assert "\x1b" not in text
            if words == ["show"]:
                assert "noop" in text
                assert "3 episodes: " in text


WRONG: dict[str, tuple[str, Any]] = {
    "a part without a name": ("result", lambda result: result["score"]["parts"][0].pop("name")),
    "no score parts": ("result", lambda result: result["score"].update(parts=5)),
    "void without a fault": ("result", lambda result: result.update(ended="void")),
    "no reward": ("result", lambda result: result.update(reward=None)),
    "another boundary": (
        "result",
        lambda result: result.update(ended="void", fault={"boundary": "x", "kind": "k", "message": "m"}),
    ),
    "a turn whose text is a number": ("transcript", lambda turns: turns[0].update(text=0)),
    "a turn that is a number": ("transcript", lambda turns: turns.append(5)),
    "an event without a root": ("events", lambda events: events[-1].pop("root")),
    "an event beyond all calendars": ("events", lambda events: events[-1].update(at=10**18)),
    "a request that is a text": ("events", lambda events: events[-1].update(request="x")),
    "a path that is a list": ("events", lambda events: events[-1].update(request={"method": "GET", "path": []})),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_damaged_episode_is_said_with_exit_code_1(what: str, changed: Changed) -> None:
    column, change = WRONG[what]
    document = changed.document(column)
    change(document)
    changed.put(column, document)
    folder = str(changed.folder)
    code, text = answer("show", folder, "1")
    assert code == 1
    assert "cannot be read" in " ".join(text.split())
    assert json.loads(answer("show", folder, "1", "--json")[1])["damaged"] is True
    assert answer("show", folder, "2")[0] == 0
    code, text = answer("show", folder)
    listed = json.loads(answer("show", folder, "--json")[1])
    outcomes = {one["agent"]: one["outcome"] for one in listed["episodes"]}
    assert len(outcomes) == 3
    assert (code, outcomes["oracle"]) == ((1, "damaged") if column == "result" else (0, "success"))
    assert answer("replay", folder, "1")[0] == 2


def test_a_run_with_a_damaged_result_is_not_continued(changed: Changed) -> None:
    result = changed.document("result")
    result["score"]["parts"][0].pop("name")
    changed.put("result", result)
    with Store.begin(changed.folder, run_info(["mine"], JOBS)) as store, pytest.raises(Misuse, match="`name`"):
        Engine(store, perform_in_bakery)


def test_what_the_check_of_a_result_misses_is_one_row(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("something")

    monkeypatch.setattr("diorama.runs.reasons.reasons", broken)
    code, text = answer("show", str(run))
    assert code == 1
    assert "the stored result cannot be shown (KeyError: 'something')" in " ".join(text.split())
