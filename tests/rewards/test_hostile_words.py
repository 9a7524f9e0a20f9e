"""Hostile texts and files: they are read, or they cannot be read; the episode is graded."""

from __future__ import annotations

import random

from diorama.kit.documents import document
from diorama.kit.encodings import decoded_texts
from tests.rewards import hostile
from tests.rewards.hostile_episodes import attempt, staged

ATTEMPTS = 120
CPU_MS = 1_000
"""What the end of an episode may cost with all that is read of hostile words, on a busy machine."""


def test_no_hostile_text_or_file_stops_a_decoder() -> None:
    dice = random.Random(11)
    for _ in range(300):
        decoded_texts.__wrapped__(hostile.text(dice))
        document(hostile.file(dice))


def test_no_hostile_episode_is_void_or_breaks_a_reader() -> None:
    origins = staged()
    for seed in range(ATTEMPTS):
        made = attempt(origins[seed % len(origins)], seed)
        assert (made.ended, made.unreadable) == ("done", ()), (seed, made)
        assert made.cpu_ms < CPU_MS, (seed, made)
