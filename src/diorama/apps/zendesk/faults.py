"""Faults of Zendesk: incidents of its status page, as a client sees them."""

from __future__ import annotations

from datetime import timedelta

from diorama.kernel import Tx

NOW = timedelta(0)


def maintenance(tx: Tx, duration: timedelta, *, delay: timedelta = NOW) -> int:
    """Make every request fail with 503 and an HTML page."""
    return tx.fault("zendesk", "down", delay, duration)


def throttled(
    tx: Tx, duration: timedelta, *, delay: timedelta = NOW, retry_after: int = 42, operation: str = "*"
) -> int:
    """Make requests fail with 429 and Retry-After, as if another client had used up the rate limit."""
    return tx.fault("zendesk", "rate_limited", delay, duration, operation, retry_after=retry_after)


def errors(tx: Tx, duration: timedelta, *, delay: timedelta = NOW, share: float = 1.0, operation: str = "*") -> int:
    """Make a share of the requests fail with 500 and change nothing."""
    return tx.fault("zendesk", "failing", delay, duration, operation, p=share)


def slow(
    tx: Tx,
    duration: timedelta,
    *,
    delay: timedelta = NOW,
    seconds: float = 45.0,
    applied: bool = False,
    operation: str = "*",
) -> int:
    """Make requests slow; beyond 30 seconds they end in 504, and the change is kept only if `applied`."""
    return tx.fault("zendesk", "slow", delay, duration, operation, seconds=seconds, applied=applied)
