"""Grading: its share of an episode's time over the oracles of all scenarios, and what a long reply adds.

Counted as grading: everything that the grader does in turns and at the end (looks, facts, damage, deeds, words, score).
The whole is the episode as a user runs it in a process that has run others before: start with staging (every seed is a
new one), all turns and their answers, and finish with settlement and the score; CPU time of the thread.
Not counted: what a process does once, such as compiling the lists of words of the reader, and scans of what is loaded
once by Python's garbage collector: as in a worker, that is frozen after the first episodes.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

from diorama.apps.zendesk.rules.ticket_checks import LONGEST_COMMENT
from diorama.episodes.episode import Episode, start
from diorama.episodes.grader import Grader
from diorama.rewards.claims.values import CHARACTERS
from diorama.rewards.claims.warming import warm_up_fully
from diorama.scenarios import load_all

SEEDS = 3
WARM = 3
LONG_OF = ("Thank you for writing, we looked again. ", "LK-10001 cost 12.90 EUR on 2026-01-12. ", "we cancelled ", "7")
"""What long replies consist of."""
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


def graded(name: str, seed: int) -> tuple[float, float, float]:
    """Play an oracle's episode; return the CPU seconds of grading, of the whole episode, and of its staging."""
    began = time.thread_time()
    episode = start(name, seed, restage=True)
    staged = time.thread_time()
    with Meter() as meter:
        episode.scenario.oracle(episode.hands, episode.truth)
        episode.finish()
    return meter.seconds, time.thread_time() - began, staged - began


def finished(text: str, seed: int) -> float:
    """Return the CPU milliseconds that grading takes after one reply."""
    episode: Episode = start(LONG_REPLY_IN, seed)
    path = f"/api/v2/tickets/{episode.truth.ticket_id}.json"
    with Meter() as meter:
        reply = episode.http("zendesk", "PUT", path, {"ticket": {"comment": {"body": text}}})
        if reply.status != 200:
            raise RuntimeError(f"the reply was refused: {reply.status}")
        episode.finish()
    return meter.seconds * 1e3


def long_reply_ms(length: int) -> float:
    """Return what a reply of some length adds to grading: the worst of several kinds.

    Every reply is another text: what is kept of a text must not make the next one cheap. It is below zero for a reply
    that is too long to be read.
    """
    worst = -math.inf
    for piece in LONG_OF:
        added = []
        for seed in range(SEEDS + 1):
            text = f"{seed} " + piece * (length // len(piece))
            added.append(finished(text[:length], seed) - finished(f"Thank you, {seed}.", seed))
        worst = max(worst, statistics.median(added[1:]))  # the first one reads pages that later ones know
    return worst


def measure() -> dict[str, Any]:
    """Measure the share of grading in whole episodes of all scenarios, its ratio to acting, and long replies.

    These are a reply of 64 KB, which is more than anyone reads, and one of the length that is read in full.
    """
    warm_up_fully()
    names = sorted(load_all())
    for name in names:
        for seed in range(WARM):  # patterns are compiled and pages read once in a process
            graded(name, seed)
    grading = whole = staging = 0.0
    gc.collect()
    gc.freeze()
    try:
        for name in names:
            for seed in range(WARM, WARM + SEEDS):
                part, total, staged = graded(name, seed)
                grading, whole, staging = grading + part, whole + total, staging + staged
    finally:
        gc.unfreeze()
    return {
        "grading_over_episode": grading / whole,
        "grading_over_acting": grading / (whole - staging - grading),
        "long_reply_ms": long_reply_ms(LONGEST_COMMENT),
        "longest_read_ms": long_reply_ms(CHARACTERS),
    }
