"""Grading: its share of an episode's time over the oracles of all scenarios, and what a long reply adds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from diorama.episodes.episode import Episode, start
from diorama.episodes.grader import Grader
from diorama.scenarios import load_all

SEEDS = 3
LONG_REPLY_BYTES = 64 << 10
LONG_REPLY_IN = "zendesk/late-refund"
PARTS = ("notice", "judge", "booked", "signals", "score")
"""The methods of the grader that an episode calls."""


class Meter:
    """Adds up the CPU time inside the grader while it is active."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._inside = 0
        self._kept: dict[str, Callable[..., Any]] = {}

    def __enter__(self) -> Meter:
        for name in PARTS:
            self._kept[name] = getattr(Grader, name)
            setattr(Grader, name, self._timed(self._kept[name]))
        return self

    def __exit__(self, *error: object) -> None:
        for name, method in self._kept.items():
            setattr(Grader, name, method)

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            began = time.thread_time()
            self._inside += 1
            try:
                return method(*args, **named)
            finally:
                self._inside -= 1
                if not self._inside:
                    self.seconds += time.thread_time() - began

        return timed


def graded(name: str, seed: int) -> tuple[float, float]:
    """Play an oracle's episode; return the CPU seconds of grading and those of the whole, without staging."""
    episode = start(name, seed)
    with Meter() as meter:
        began = time.thread_time()
        episode.scenario.oracle(episode.hands, episode.truth)
        episode.finish()
        whole = time.thread_time() - began
    return meter.seconds, whole


def long_reply_ms(seed: int) -> float:
    """Return what a long reply of words and numbers adds to an episode, in milliseconds."""
    spent = []
    for length in (0, LONG_REPLY_BYTES):
        episode: Episode = start(LONG_REPLY_IN, seed)
        path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
        piece = "We looked at order LK-10001 again and it cost 12.90 EUR on 2026-01-12. "
        text = "Thank you. " + (piece * (length // len(piece) + 1))[:length].strip()
        with Meter() as meter:
            episode.http("zendesk", "PUT", path, {"ticket": {"comment": {"body": text[:length] or text}}})
            episode.finish()
        spent.append(meter.seconds)
    return (spent[1] - spent[0]) * 1e3


def measure() -> dict[str, Any]:
    """Measure the share of grading in all scenarios together and in the worst one, and a reply of 64 KB."""
    shares: dict[str, float] = {}
    grading = whole = 0.0
    for name in sorted(load_all()):
        graded(name, 0)  # staged and compiled once
        own = [graded(name, seed) for seed in range(SEEDS)]
        part, total = sum(one[0] for one in own), sum(one[1] for one in own)
        shares[name] = part / total
        grading, whole = grading + part, whole + total
    return {
        "grading_over_episode": grading / whole,
        "grading_over_episode_worst": max(shares.values()),
        "long_reply_ms": statistics.median(long_reply_ms(seed) for seed in range(SEEDS)),
    }
