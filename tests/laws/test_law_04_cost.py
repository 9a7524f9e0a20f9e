"""Law 4. Reset, snapshot, fork and restore cost what changed, not what exists."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from diorama.kernel import Tx, World
from diorama.kernel.pages import PAGE, Image, PageMap
from tests.laws.village import Account, Case, village

TESTER = "system:tester"


@pytest.fixture
def small() -> World:
    return village("small")


@pytest.fixture
def large() -> World:
    return village("large")


def calls(act: Callable[[], Any]) -> int:
    """Count the Python calls of an action: a measure that does not depend on the machine's speed."""
    count = 0

    def tally(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tally)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


class Counted:
    """The content of an image that counts how often it is read."""

    def __init__(self, content: Any) -> None:
        self.content, self.count = content, 0

    def __getitem__(self, part: slice) -> Any:
        self.count += 1
        return self.content[part]


def pages_read(monkeypatch: pytest.MonkeyPatch, image: Image, act: Callable[[], Any]) -> int:
    """Count the pages of an image that an action reads."""
    counted = Counted(image.content)
    with monkeypatch.context() as patch:
        patch.setattr(image, "content", counted)
        act()
    return counted.count


def branchings(world: World) -> dict[str, Callable[[], Any]]:
    """Return every operation that saves or restores a state."""
    kept = world.snapshot()
    return {
        "snapshot": world.snapshot,
        "fork": world.fork,
        "restore": lambda: world.restore(kept),
        "reset": lambda: World.at(kept),
    }


def test_law_04_the_large_world_is_large(small: World, large: World) -> None:
    assert large.pages.image.pages > 20 * small.pages.image.pages
    assert large.read(lambda tx: tx.count(Account)) == 20_000


def test_law_04_no_page_is_copied_or_read(large: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, act in branchings(large).items():
        assert pages_read(monkeypatch, large.pages.image, act) == 0, name
    fork = large.fork()
    assert fork.pages.top == {}
    assert fork.pages.image is large.pages.image


def test_law_04_the_work_is_the_same_for_a_small_and_a_large_world(small: World, large: World) -> None:
    work = [{name: calls(act) for name, act in branchings(world).items()} for world in (small, large)]
    assert work[0] == work[1]
    assert max(work[0].values()) < 60


def change(world: World) -> None:
    """Do one small write."""

    def write(tx: Tx) -> None:
        tx.add(Case(about="x"))

    world.do(write, TESTER)


def test_law_04_the_first_write_after_a_fork_copies_the_pages_it_changes(small: World, large: World) -> None:
    written = []
    for world in (small, large):
        fork = world.fork()
        change(fork)
        written.append(len(fork.pages.top))
    assert written[0] == written[1]
    assert written[0] <= 6


def test_law_04_a_long_history_does_not_slow_down_forks() -> None:
    young, old = village(), village()
    change(young)
    young.snapshot()
    for _ in range(300):
        change(old)
    for _ in range(3):
        old.snapshot()
    assert calls(old.fork) == calls(young.fork)
    assert old.fork().chain._own == []


def test_law_04_forks_share_what_they_did_not_change(large: World) -> None:
    forks = [large.fork() for _ in range(1000)]
    assert all(fork.pages.frozen is forks[0].pages.frozen for fork in forks)
    assert sum(len(fork.pages.top) for fork in forks) == 0


def test_law_04_layers_are_merged() -> None:
    """The cost of merging layers depends on what was written since, not on the size of the world."""
    world = village()
    change(world)
    merged = 0
    for _ in range(200):
        change(world)
        before = sum(len(layer) for layer in world.pages.frozen)
        world.snapshot()
        merged += sum(len(layer) for layer in world.pages.frozen[-1:])
        assert len(world.pages.frozen) <= 8
        assert before <= 8 * 200
    assert merged < 200 * 60


def test_law_04_the_counters_would_show_a_copy(large: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def copying(self: World, dice: int | None = None) -> World:
        pages = PageMap(self.pages.image)
        for number in range(pages.pages):
            pages.write(number, pages.image.content[number * PAGE : (number + 1) * PAGE])
        return World(self.company, pages, self.chain.branch())

    monkeypatch.setattr(World, "fork", copying)
    assert pages_read(monkeypatch, large.pages.image, large.fork) == large.pages.image.pages
    assert calls(large.fork) > large.pages.image.pages
    assert len(large.fork().pages.top) * PAGE > 1_000_000
