"""Whole episodes: the time to start one, episodes per second and core, and replay compared with acting."""

from __future__ import annotations

import statistics
import time
from typing import Any

from diorama.episodes.episode import INPUT_DOORS, Episode, start

SCENARIO = "zendesk/late-refund"
EPISODES = 40


def first_reply(seed: int) -> None:
    """Go from nothing to the first reply, including staging."""
    episode = start(SCENARIO, seed, restage=True)
    episode.http("zendesk", "GET", "/api/v2/users/me.json")


def played(seed: int) -> Episode:
    """Return an oracle's episode, acted but not yet finished."""
    episode = start(SCENARIO, seed)
    episode.scenario.oracle(episode.hands, episode.truth)
    return episode


def measure() -> dict[str, Any]:
    """Measure starting, running to the end, and replaying from the log."""
    first_reply(0)
    starts, acting, replaying = [], [], []
    began = time.perf_counter()
    for seed in range(EPISODES):
        played(seed).finish()  # every seed is staged for the first time
    whole = time.perf_counter() - began
    for seed in range(EPISODES):
        t0 = time.perf_counter()
        first_reply(seed)
        starts.append(time.perf_counter() - t0)
        episode = start(SCENARIO, seed)
        t0 = time.perf_counter()
        episode.scenario.oracle(episode.hands, episode.truth)
        acting.append(time.perf_counter() - t0)
        inputs = [event for event in episode.events[episode.gradebook.staged_seq :] if event.door in INPUT_DOORS]
        again = start(SCENARIO, seed)
        t0 = time.perf_counter()
        for event in inputs:
            again.redo(event)
        replaying.append(time.perf_counter() - t0)
        if again.trace != episode.trace:
            raise RuntimeError(f"replay of {SCENARIO} seed {seed} diverged")
    return {
        "start_ms": statistics.median(starts) * 1e3,
        "episodes_per_second": EPISODES / whole,
        "replay_over_acting": sum(replaying) / sum(acting),
    }
