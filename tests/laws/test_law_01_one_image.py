"""Law 1. One image: all state of a world is in one SQLite image; Python objects hold none."""

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from diorama.episodes.episode import Episode
from diorama.kernel import Company, Snapshot, World
from tests.laws.elsewhere import acts, went_on
from tests.laws.village import DEBT, VILLAGE, Mood, start

ROOT = Path(__file__).parents[2]


def test_law_01_a_reopened_world_continues_equally() -> None:
    episode = start(5)
    acts(episode, "before", 6)
    data = episode.snapshot().dump()
    here = went_on(episode)
    del episode
    gc.collect()
    child = subprocess.run(
        [sys.executable, "-m", "tests.laws.elsewhere", "go_on"], input=data, capture_output=True, cwd=ROOT, check=False
    )
    assert child.returncode == 0, child.stderr.decode()
    assert json.loads(child.stdout) == here
    assert len(here) > 8


def test_law_01_the_whole_state_is_in_the_image() -> None:
    episode = start(5)
    acts(episode, "before", 6)
    snapshot = episode.snapshot()
    reopened = Episode(DEBT, World.at(Snapshot.load(snapshot.dump(), snapshot.company, snapshot.image)))
    assert reopened.gradebook == episode.gradebook
    assert reopened.world.now == episode.world.now
    assert reopened.world.hot.meters == episode.world.hot.meters != {}
    for table in ("_world", "_agenda", "_truth", "_villagers_moods"):
        ask = f"SELECT * FROM {table}"
        rows = [one.world.read(lambda tx: tx.control(ask)) for one in (episode, reopened)]  # noqa: B023 - read at once
        assert rows[0] == rows[1]
        assert rows[0], f"{table} is empty: this shows nothing"


def test_law_01_a_world_object_is_pages_and_a_chain_and_nothing_else() -> None:
    assert World.__slots__ == ("chain", "company", "defect", "pages")
    assert not hasattr(start(1).world, "__dict__")


def footprint(value: Any, seen: set[int] | None = None) -> Any:
    """Return everything mutable that a declaration holds, recursively."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, type | ModuleType):
        return "..."
    seen.add(id(value))
    if isinstance(value, dict):
        return [(repr(key), footprint(item, seen)) for key, item in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [footprint(item, seen) for item in value]
    if type(value).__module__.startswith(("diorama", "tests")) and hasattr(value, "__dict__"):
        return footprint(vars(value), seen)
    return repr(value) if isinstance(value, str | int | float | bytes | bool | None) else type(value).__name__


def declarations(company: Company) -> Iterator[Any]:
    """Yield everything that app and scenario authors declare: the apps, and their modules."""
    yield from company.apps
    yield DEBT
    yield from (
        vars(module)
        for name, module in sys.modules.items()
        if name.startswith(
            ("diorama.apps", "diorama.people", "diorama.worlds", "diorama.scenarios", "tests.laws.village")
        )
    )


def test_law_01_no_python_object_changes_when_a_world_runs() -> None:
    def live() -> list[Any]:
        episode = start(7)
        acts(episode, "life", 14)
        episode.finish()
        seen: set[int] = set()  # objects that two declarations share are visited once
        return [footprint(one, seen) for one in declarations(VILLAGE)]

    live()  # fill the per-process caches (listeners, statements)
    assert live() == live()


def test_law_01_the_check_finds_state_kept_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    bank = VILLAGE.app("bank")
    before = footprint(bank)
    monkeypatch.setattr(bank, "paid_so_far", 100, raising=False)
    assert footprint(bank) != before


def test_law_01_the_event_chain_is_stored_beside_the_image() -> None:
    episode = start(5)
    acts(episode, "before", 6)
    marks = [event.trace.encode() for event in episode.events]
    pages = b"".join(episode.world.written().values())
    assert not any(bytes.fromhex(mark.decode()) in pages for mark in marks)
    assert episode.world.read(lambda tx: tx.count(Mood)) == 1
