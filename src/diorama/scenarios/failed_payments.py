"""Whether a payment, a refund or a renewal of one customer failed."""

from __future__ import annotations

from diorama.apps.backoffice.schema import Charge, Refund, Subscription
from diorama.scenarios.customer_rows import CustomerRows


def any_failed(rows: CustomerRows) -> bool:
    """Check whether a row shows a failed or disputed payment, a failed refund, or a renewal that was tried again."""
    return rows.once("failed", lambda: _find(rows))


def _find(rows: CustomerRows) -> bool:
    return (
        any(one.status in {"failed", "disputed"} for one in rows.all(Charge))
        or any(one.status == "failed" for one in rows.all(Refund))
        or any(one.failed_attempts or one.status == "past_due" for one in rows.all(Subscription))
    )
