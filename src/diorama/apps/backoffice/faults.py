"""Faults of this app; each function is a staging step for `world.do`."""

from datetime import timedelta

from diorama.kernel import Tx

REFUNDS = "create_refund"
WRITES = (
    "create_refund,create_order,create_subscription,create_credit,create_replacement,reship_shipment,create_shipment"
)
AT_ONCE = timedelta(0)


def processor_down(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE) -> int:
    """Make the payment processor unavailable: refunds get 503 processor_unavailable, everything else works."""
    return tx.fault("backoffice", "failing", after, duration, REFUNDS, detail="processor")


def processor_flaky(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE, p: float = 0.5) -> int:
    """Make the payment processor fail for some refunds; retrying helps."""
    return tx.fault("backoffice", "failing", after, duration, REFUNDS, detail="processor", p=p)


def down(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE) -> int:
    """Take the whole app down: its proxy answers 502 in HTML."""
    return tx.fault("backoffice", "down", after, duration)


def slow(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE, seconds: float = 12.0) -> int:
    """Make every call slow; past thirty seconds the proxy answers 504 and nothing was done."""
    return tx.fault("backoffice", "slow", after, duration, seconds=seconds)


def lost_replies(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE) -> int:
    """Apply calls that move money or goods, but let the proxy answer 504: only the Idempotency-Key reveals it."""
    return tx.fault("backoffice", "slow", after, duration, WRITES, seconds=60.0, applied=True)


def rate_limited(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE, retry_after: int = 30) -> int:
    """Exhaust the rate limit: calls get 429 with Retry-After."""
    return tx.fault("backoffice", "rate_limited", after, duration, retry_after=retry_after)
