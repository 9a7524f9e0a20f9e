"""The clock of a run: it begins with the time of the machine and never jumps, even if that one is set."""

import time

JUMP_SECONDS = 1.0
"""From this difference on, the clock of the machine was set since it was last read."""

_ahead = time.time() - time.monotonic()


def wall_time() -> float:
    """Return the time in seconds since 1970; differences between two times are those of the monotonic clock."""
    return _ahead + time.monotonic()


def wall_time_at(moment: float) -> float:
    """Return the wall time of a moment of `time.monotonic`."""
    return _ahead + moment


def ahead() -> float:
    """Return how far this clock is ahead of `time.monotonic`, for a worker process to `follow`."""
    return _ahead


def follow(seconds: float) -> None:
    """Use the clock of the process that started this one."""
    global _ahead
    _ahead = seconds


def restart() -> None:
    """Take the time of the machine again if it was set: a new run begins."""
    now = time.time() - time.monotonic()
    if abs(now - _ahead) > JUMP_SECONDS:
        follow(now)


def not_before(moment: float) -> None:
    """Go on from a time if this clock is behind it: a run is continued after the time of the machine was set back."""
    if wall_time() < moment:
        follow(moment - time.monotonic())
