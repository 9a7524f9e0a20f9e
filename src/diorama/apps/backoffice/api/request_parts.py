"""Types and checks that the bodies and filters of several operations share."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import msgspec

from diorama.apps.backoffice.rules.customers import by_email
from diorama.kernel import Refusal, Tx

Cents = Annotated[int, msgspec.Meta(ge=1, le=100_000_000)]
Quantity = Annotated[int, msgspec.Meta(ge=1, le=50)]
Word = Annotated[str, msgspec.Meta(max_length=200)]
Text = Annotated[str, msgspec.Meta(max_length=5_000)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
FURTHEST = timedelta(days=730)


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The JSON object of a request; unknown fields are rejected, not ignored."""


def future_moment(tx: Tx, moment: datetime | None, param: str) -> datetime | None:
    """Return the moment in UTC; raise 400 unless it is in the future and within `FURTHEST`."""
    if moment is None:
        return None
    if not tx.now < moment < tx.now + FURTHEST:
        raise Refusal(
            400,
            "moment_out_of_range",
            f"{param} must lie in the future, within {FURTHEST.days} days.",
            fields={"param": param},
        )
    return moment.astimezone(UTC)


def customer_filter(tx: Tx, customer_id: str | None, email: str | None) -> str | None:
    """Return the customer id of a filter; an unknown address returns an id that matches nothing."""
    if email is None:
        return customer_id
    customer = by_email(tx, email)
    if customer is None or customer_id not in (None, customer.id):
        return ""
    return customer.id
