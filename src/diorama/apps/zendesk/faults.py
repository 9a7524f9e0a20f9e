"""How Zendesk breaks: what its status page calls an incident, as the client sees it."""

from __future__ import annotations

from datetime import timedelta

from diorama.kernel import Tx

NOW = timedelta(0)


def maintenance(tx: Tx, duration: timedelta, *, delay: timedelta = NOW) -> int:
    """Every request gets 503 and a page of HTML."""
    return tx.fault("zendesk", "down", delay, duration)


def throttled(
    tx: Tx, duration: timedelta, *, delay: timedelta = NOW, retry_after: int = 42, operation: str = "*"
) -> int:
    """Requests get 429 with Retry-After: somebody else used up the account's budget."""
    return tx.fault("zendesk", "rate_limited", delay, duration, operation, retry_after=retry_after)


def errors(tx: Tx, duration: timedelta, *, delay: timedelta = NOW, share: float = 1.0, operation: str = "*") -> int:
    """A share of the requests gets 500 and does nothing."""
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
    """Requests take long; beyond half a minute they end in 504, with the work done behind it where `applied`."""
    return tx.fault("zendesk", "slow", delay, duration, operation, seconds=seconds, applied=applied)
