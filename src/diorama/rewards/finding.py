"""Findings: what a grader expected, what it found, and the events that show it."""

from __future__ import annotations

from typing import Any

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """The verdict of one check, in sentences that a team lead understands; it is true if it holds."""

    holds: bool
    expected: str
    found: str
    evidence: tuple[int, ...] = ()
    """The sequence numbers of events that show it."""

    def __bool__(self) -> bool:
        return self.holds


class Measure(msgspec.Struct, frozen=True):
    """How good an outcome is, from 0 to 1, and why."""

    value: float
    expected: str
    found: str
    evidence: tuple[int, ...] = ()

    def __float__(self) -> float:
        return self.value


def finding_of(sentence: str, verdict: Any) -> Finding:
    """Return a check's verdict as a Finding; a plain bool gets the sentence of its part."""
    if isinstance(verdict, Finding):
        return verdict
    return Finding(bool(verdict), sentence.rstrip("."), "this holds" if verdict else "this does not hold")


def measure_of(sentence: str, level: Any) -> Measure:
    """Return a measured quality as a Measure; a plain number gets the sentence of its part."""
    if isinstance(level, Measure):
        return level
    return Measure(float(level), sentence.rstrip("."), f"{float(level):.2f} of 1")
