"""Forks and snapshots of an episode carry its gradebook; neither shares it with the episode."""

from diorama.episodes.episode import Episode, start
from diorama.kernel import Snapshot

SCENARIO = "zendesk/late-refund"


def stored(episode: Episode) -> object:
    """Return the gradebook that the image holds."""
    return episode._read_gradebook()


def solved(episode: Episode) -> Episode:
    """Let the oracle act, and end the episode."""
    episode.scenario.oracle(episode.hands, episode.truth)
    episode.call("finish", {"report": "done"})
    assert episode.ended == "done"
    return episode


def test_a_restored_episode_has_the_gradebook_of_that_moment() -> None:
    episode = start(SCENARIO, 1)
    begin, potential = episode.snapshot(), episode.potential
    end = solved(episode).snapshot()
    assert episode.potential > potential
    episode.restore(begin)
    assert (episode.ended, episode.potential, episode.gradebook) == (None, potential, stored(episode))
    solved(episode)
    episode.restore(begin)
    assert episode.gradebook == stored(episode), "a snapshot can be restored more than once"
    episode.restore(end)
    assert episode.ended == "done"
    assert episode.gradebook == stored(episode)


def test_a_snapshot_from_another_process_is_read_from_its_pages() -> None:
    episode = solved(start(SCENARIO, 2))
    taken = episode.snapshot()
    other = start(SCENARIO, 3)
    other.restore(Snapshot.load(taken.dump(), taken.company, taken.image))
    assert other.gradebook == episode.gradebook == stored(other)


def test_a_fork_and_its_episode_are_graded_apart() -> None:
    episode = start(SCENARIO, 1)
    twin = episode.fork()
    assert (twin.id, twin.gradebook, twin.trace) == (f"{episode.id}'", episode.gradebook, episode.trace)
    assert twin.lock is not episode.lock
    solved(twin)
    assert episode.ended is None
    assert episode.gradebook == stored(episode) != twin.gradebook == stored(twin)
    assert solved(episode).gradebook == twin.gradebook
