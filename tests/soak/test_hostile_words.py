"""Many hostile episodes: none is void, and none breaks a reader."""

from __future__ import annotations

import pytest

from tests.rewards.hostile_episodes import attempt, staged

ATTEMPTS = 5_000
FIRST = 1_000_000
"""Other seeds than those of the short test."""


@pytest.mark.soak
def test_no_hostile_episode_is_void_or_breaks_a_reader() -> None:
    origins = staged()
    bad = []
    for seed in range(FIRST, FIRST + ATTEMPTS):
        made = attempt(origins[seed % len(origins)], seed)
        if (made.ended, made.unreadable) != ("done", ()):
            bad.append((seed, made))
    assert not bad
