"""What was said about the outage, to whom and when: too early, false when it is over, and what has to be told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from diorama.kernel import from_us
from diorama.kit.words import Sent
from diorama.rewards import View
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.values import read_values
from diorama.rewards.finding import Finding
from diorama.rewards.outages import (
    is_interval,
    made_up,
    other_day,
    other_system,
    said_early,
    said_to_last,
    says_it_is_over,
    wrong_interval,
)
from diorama.scenarios.crowd import Matter
from diorama.scenarios.outage_flood.things import THINGS


def told_of_the_end(view: View, matter: Matter, fixed_us: int) -> Finding:
    """Judge whether a customer was told, once it was over, from when to when it lasted and that it is fixed."""
    since, until = _times(matter)
    late = [one.body for one in _to(view, matter) if from_us(one.at) >= _end(fixed_us)]
    expected = f"told that it lasted from {since} to {until}, and that it is fixed"
    if not any(is_interval(body, since, until) for body in late):
        return Finding(False, expected, "not told from when to when it lasted")
    return Finding(any(map(says_it_is_over, late)), expected, "not told that it is fixed")


def early_words(view: View, matters: Sequence[Matter], fixed_us: int) -> Finding:
    """Judge whether a customer was told while it lasted that it is over or was nothing, or when it will be over."""
    expected = "no word that it is over, that there is nothing, or when it will be over, before the all-clear"
    for matter in matters:
        for one in _to(view, matter):
            said = said_early(one.body) if from_us(one.at) < _end(fixed_us) else ""
            if said:
                return Finding(False, expected, f"ticket {matter.ticket_id}: {said!r}", (one.seq,))
    return Finding(True, expected, expected)


def false_words(
    view: View, matters: Sequence[Matter], fixed_us: int, title: str, charged: bool, cited: Sequence[str]
) -> Finding:
    """Judge whether words about the outage are false: its times, its day, what failed, whether it goes on."""
    expected = "nothing about the outage that the engineers' thread contradicts"
    system = next((name for name, thing in THINGS.items() if thing.title == title), "")
    known = [one.value for text in cited for one in read_values(fold(text), None) if one.kind == "time"]
    seen: set[str] = set()
    for matter in matters:
        since, until = _times(matter)
        for one in _to(view, matter):
            if one.body in seen:
                continue
            seen.add(one.body)
            over = from_us(one.at) >= _end(fixed_us)
            said = (
                made_up(one.body, charged)
                or (said_to_last(one.body) if over else "")
                or wrong_interval(one.body, since, until, known)
                or other_day(one.body, since, until, from_us(fixed_us).weekday())
                or other_system(one.body, since, until, system)
            )
            if said:
                return Finding(False, expected, f"ticket {matter.ticket_id}: {said!r}", (one.seq,))
    return Finding(True, expected, expected)


def _times(matter: Matter) -> tuple[str, str]:
    times = {one.of: one.text for one in matter.tell if one.kind == "time"}
    return times["beginning"], times["end"]


def _to(view: View, matter: Matter) -> list[Sent]:
    return [one for one in view.sent() if one.thread == matter.ticket_id or matter.requester in one.to]


def _end(fixed_us: int) -> datetime:
    return from_us(fixed_us).replace(microsecond=0)
