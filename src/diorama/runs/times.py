"""Wall times of a run: how they are written, and whether they contradict each other."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import inf
from typing import Any

from diorama.episodes.agents.clock import wall_time
from diorama.runs.actors import ACTED_BY_AGENT

BEFORE_SECONDS = 10.0
"""By how much an attempt may have begun before its run: a program can perform one and then store it."""
SKEW_SECONDS = 86_400.0
"""By how much a stored time may be in the future when a run is continued: the clock may have been set back."""
LATE_SECONDS = 5.0
"""By how much an agent may be stopped too late: a signal can be delayed, or lost until the timer rings again."""
EXACT_SECONDS = 1e-5
"""By how much times of one clock may differ because of rounding."""
_WRITTEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00")

Json = Mapping[str, Any]


def wall_now() -> str:
    """Return the wall time as a run stores it, from a clock that never jumps."""
    return datetime.fromtimestamp(wall_time(), UTC).isoformat(timespec="microseconds")


def seconds_of(text: Any) -> float | None:
    """Return a time that `wall_now` wrote in seconds since 1970; None if it did not write it."""
    if not isinstance(text, str) or not _WRITTEN.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return None


def wrong_times(
    created: Any, finished: Any, result: Json, events: Sequence[Json], turns: Sequence[Json]
) -> Iterator[str]:
    """Say which wall times of an attempt contradict each other.

    What the agent did comes in the order of its times, between the beginning of the run and the moment at which the
    attempt was saved, and it took no longer than the attempt.
    """
    began, saved, took = seconds_of(created), seconds_of(finished), result["wall_seconds"]
    if began is None or saved is None:
        yield f"the run began at {created} and it was saved at {finished}, which no run writes"
        return
    if took > saved - began + BEFORE_SECONDS:
        yield f"it took {took:.1f} s of wall time, but the run began at {created} and it was saved at {finished}"
    first = next((at for at, event in enumerate(events) if event["door"] in ACTED_BY_AGENT), len(events))
    acted = [event["wall"] for event in events[first:]]
    done = [turn["wall"] for turn in turns]
    for what, times in (("turns", done), ("events", acted)):
        if not all(0.0 < time < inf for time in times):
            yield f"its {what} have wall times that no clock gives"
            return
        if any(later < earlier for earlier, later in pairwise(times)):
            yield f"its {what} are not in the order of their wall times"
    both = [*done, *acted]
    if both and (took <= 0.0 or max(both) - min(both) > took + EXACT_SECONDS):
        yield f"it took {took:.3f} s of wall time, but {max(both) - min(both):.3f} s passed between its turns or events"
    if both and max(both) > saved + EXACT_SECONDS:
        yield f"it was saved at {finished}, before its last turn or event"
    if both and min(both) < began - BEFORE_SECONDS:
        yield f"its first turn or event was before the run began at {created}"
    staged = [event["wall"] for event in events[:first]]
    if not all(0.0 <= time < inf for time in staged) or any(later < earlier for earlier, later in pairwise(staged)):
        yield "its staging has wall times that no run writes"
    if any(time > min(both, default=inf) + EXACT_SECONDS for time in staged):
        yield "its staging was after the first turn or event"


def over_limit(turns: Sequence[Json], limit: float) -> str:
    """Say that an agent went on after its limit of wall time, or return "".

    No turn begins after the limit, but the world may work for longer than that in the last one.
    """
    if len(turns) < 2:
        return ""
    passed = turns[-2]["wall"] - turns[0]["wall"]
    if passed <= limit + LATE_SECONDS:
        return ""
    return f"it began its last turn {passed:.1f} s after its first one was over, but the agent had {limit:g} s"


def wrong_turns(events: Sequence[Json], turns: Sequence[Json], marks: Sequence[int]) -> str:
    """Say which event was not at the time of the turn that it belongs to, or return "".

    A turn is over after its last event, and the next one begins later. `marks` says how many events there were after
    each turn; events after the last one are those of the settlement.
    """
    first = next((at for at, event in enumerate(events) if event["door"] in ACTED_BY_AGENT), len(events))
    for at, event in enumerate(events[first:], first):
        turn = bisect_right(marks, at)
        if turn < len(turns) and event["wall"] > turns[turn]["wall"] + EXACT_SECONDS:
            return f"turn {turn + 1} was over before its event {at + 1}"
        if turn and event["wall"] < turns[turn - 1]["wall"] - EXACT_SECONDS:
            return f"event {at + 1} was before the end of turn {turn}, which it follows"
    return ""


def wrong_order(created: Any, finished: Any, saved: Sequence[Any]) -> str:
    """Say how the times contradict each other at which a run began, its attempts were saved and it was completed."""
    named = ["the beginning of the run", *(f"attempt {at}" for at in range(1, len(saved) + 1)), "its completion"]
    times = [seconds_of(text) for text in (created, *saved, finished)]
    for name, time, text in zip(named, times, (created, *saved, finished), strict=True):
        if time is None:
            return f"the time of {name} is {str(text)[:40]!r}, which no run writes"
    for at, (earlier, later) in enumerate(pairwise(time for time in times if time is not None)):
        if later < earlier:
            return f"{named[at + 1]} has an earlier time than {named[at]}"
    return ""
