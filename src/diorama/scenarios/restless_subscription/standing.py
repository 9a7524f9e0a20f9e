"""Compare a subscription's row with its required state; days are compared with a time zone tolerance."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from diorama.apps.backoffice.schema import Subscription
from diorama.kernel import Tx

EVENING_BEFORE = timedelta(hours=2)
"""Midnight at the company's place is still the day before in UTC."""


class Want(msgspec.Struct, frozen=True, kw_only=True):
    """The required final state of a subscription."""

    id: str
    status: Literal["active", "paused", "cancelled"]
    plan: str
    option: str
    weeks: int
    """Weeks between two renewals of that plan."""
    renewals: int
    """Number of renewals when the customer wrote."""
    next_at: datetime | None = None
    """Active: the exact time of the first renewal after that."""
    by: datetime | None = None
    """Active: the latest time for that renewal."""
    on: datetime | None = None
    """Paused until that day; or active, and renewed on that day."""
    reason: str = ""
    """Cancelled: why."""


def stands(tx: Tx, want: Want) -> bool:
    """Check whether the subscription is as required, now and after any renewals since."""
    found = tx.get(Subscription, want.id)
    since = found.renewals - want.renewals
    if want.status == "cancelled":
        over = found.status == "cancelled" or found.cancel_at_renewal
        return over and found.cancel_reason == want.reason and since == 0
    if found.plan_code != want.plan or found.option != want.option or found.cancel_at_renewal:
        return False
    if found.status == "paused":
        return want.on is not None and since == 0 and same_day(found.resumes_at, want.on)
    if found.status != "active" or want.status == "paused" or found.next_renewal_at is None or since < 0:
        return False
    if found.next_renewal_at <= tx.now:
        return False
    first = found.next_renewal_at - timedelta(weeks=want.weeks) * since
    if want.on is not None:
        return same_day(first, want.on) or same_day(first, want.on + timedelta(days=1))
    return first <= want.by if want.by is not None else first == want.next_at


def same_day(found: datetime | None, day: datetime) -> bool:
    """Check whether a time is on a day, in UTC or in the company's time zone."""
    morning = day.replace(hour=0, minute=0, second=0, microsecond=0)
    return found is not None and morning - EVENING_BEFORE <= found < morning + timedelta(days=1)
