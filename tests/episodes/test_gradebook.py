"""The gradebook in memory is what the image holds, in every order of calls, snapshots, forks, restores and dumps."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.episodes.episode import Episode
from diorama.episodes.gradebook import GRADEBOOK, Gradebook
from diorama.kernel import Snapshot, World
from tests.laws.village import DEBT, debt, start, village

ACTS = ("read", "pay", "pay another", "close", "wait", "finish", "http", "snapshot", "fork", "fork with dice")
MOVES = st.tuples(st.sampled_from((*ACTS, "restore", "restore", "reload", "rewrite")), st.integers(0, 7))


def loaded(snapshot: Snapshot) -> Snapshot:
    return Snapshot.load(snapshot.dump(), snapshot.company, snapshot.image)


def move(episodes: list[Episode], snapshots: list[Snapshot], what: str, number: int) -> Episode:
    """Do one thing to one of the episodes."""
    episode = episodes[number % len(episodes)]
    moment = number % len(snapshots)
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "read": ("post_read_letters", {}),
        "pay": ("bank_pay", {"to": debt(episode).creditor, "cents": debt(episode).cents}),
        "pay another": ("bank_pay", {"to": f"v{number + 1}@village.example", "cents": 7}),
        "close": ("bank_close_case", {"case_id": debt(episode).case_id}),
        "wait": ("wait", {"minutes": 90}),
        "finish": ("finish", {"report": f"all {number} done"}),
    }
    if what in calls:
        episode.call(*calls[what])
    elif what == "http":
        episode.http("post", "GET", "/letters")
    elif what == "snapshot":
        snapshots.append(episode.snapshot())
    elif what.startswith("fork"):
        episodes.append(episode.fork(number if what == "fork with dice" else None))
        return episodes[-1]
    elif what == "restore":
        episode.restore(snapshots[moment])
    elif what == "reload":
        snapshots[moment] = loaded(snapshots[moment])
    else:  # the control plane changes the row itself; who goes back to that moment sees it
        world = episode.fork().world
        world.truth[GRADEBOOK] = {**world.truth[GRADEBOOK], "report": f"changed {number}"}
        snapshots.append(world.snapshot())
        episode.restore(snapshots[-1])
    return episode


def check(episode: Episode) -> None:
    """Compare an episode with one that is read from its image again."""
    row = msgspec.convert(episode.world.truth[GRADEBOOK], Gradebook)
    assert episode.gradebook == row
    again = Episode(episode.scenario, World.at(loaded(episode.snapshot())))
    assert again.gradebook == row
    assert again.truth == episode.truth
    assert again.ended == episode.ended
    assert again.grader.facts == episode.grader.facts
    assert again.score == episode.score


@settings(max_examples=40, deadline=None)
@given(st.lists(MOVES, max_size=12))
def test_the_gradebook_in_memory_is_the_one_in_the_image(moves: list[tuple[str, int]]) -> None:
    episodes = [start(5), start(6)]
    snapshots = [one.snapshot() for one in episodes]
    for what, number in moves:
        check(move(episodes, snapshots, what, number))
    for episode in episodes:
        check(episode)


def test_a_fork_earns_alone() -> None:
    episode = start(5)
    twin = episode.fork()
    twin.call("post_read_letters")
    assert (episode.gradebook.deeds, twin.gradebook.deeds) == ((), ("mail_was_read",))
    assert episode.score.step == 0.0 < twin.score.step


def test_restoring_another_variant_takes_over_its_truth() -> None:
    one, other = start(5), start(6)
    assert one.truth != other.truth
    one.restore(other.snapshot())
    assert (one.seed, one.truth) == (6, other.truth)
    one.restore(loaded(start(5).snapshot()))
    assert one.seed == 5


def test_a_snapshot_without_an_episode_is_refused_and_changes_nothing() -> None:
    episode = start(5)
    trace = episode.trace
    with pytest.raises(ValueError, match="not of an episode"):
        episode.restore(village().snapshot())
    assert (episode.trace, episode.ended) == (trace, None)


def test_a_snapshot_of_another_scenario_is_refused_and_changes_nothing() -> None:
    class PayAnotherDebt(type(DEBT)):  # type: ignore[misc] # a class of its own for one test
        """The same task under another name."""

        name = "village/another-debt"

    episode, other = start(5), start(5, PayAnotherDebt())
    trace = episode.trace
    with pytest.raises(ValueError, match="village/another-debt"):
        episode.restore(other.snapshot())
    assert (episode.trace, episode.gradebook.scenario) == (trace, DEBT.name)
