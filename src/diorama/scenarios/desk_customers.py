"""Customers who may write to a desk: conditions on their past, and who has no open business."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from diorama.apps.backoffice.rules.charges import expired
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk.schema import User
from diorama.kernel import Tx
from diorama.people import Persona
from diorama.scenarios.anatomy import split_of
from diorama.scenarios.shop_part import customers


def without(*kinds: str, where: str = "") -> str:
    """Return the condition that a customer has no such records: `without("refunds")`, or none of those `where`."""
    such = f" WHERE {where}" if where else ""
    return " AND ".join(f"id NOT IN (SELECT customer_id FROM backoffice_{kind}{such})" for kind in kinds)


PRIVATE = "company = ''"
"""Private customers, not companies."""
BUSINESS = "company != ''"
"""Companies, not private customers."""
NO_LIVE_PLAN = without("subscriptions", where="status != 'cancelled'")
"""Customers without a coffee plan of their own, so that "my plan" can mean only one."""
QUIET_PAST = " AND ".join(
    (
        without("replacements"),
        without("subscriptions", "orders", where="status = 'cancelled'"),
        without("shipments", where="reship_of != ''"),
    )
)
"""Customers for whom nothing was replaced, cancelled or sent again before: a reply that claims it must be about now."""
NO_OPEN_ORDER = without("orders", where="status = 'open'")
"""Customers without an order of their own that has not left, so that "the order that is still with you" is staged."""
NOTHING_OPEN = " AND ".join(
    (
        NO_LIVE_PLAN,
        without("orders", where="status IN ('open', 'shipped')"),
    )
)
"""Customers without open orders or active subscriptions."""
UNIQUE_NAME = "name NOT IN (SELECT name FROM backoffice_customers GROUP BY name HAVING count(*) > 1)"
"""Customers whom a search by name finds alone."""


def no_order_for(days: int) -> str:
    """Return the condition that a customer's last order of their own is older than this many days.

    The days count back from the newest order of all customers, which is as good as the start of the episode.
    """
    newest = "(SELECT max(created_at) FROM backoffice_orders)"
    return without("orders", where=f"created_at > {newest} - {days * 86_400 * 1_000_000}")


def idle_customers(tx: Tx, pool: str, where: str, languages: tuple[str, ...] = ()) -> tuple[Customer, ...]:
    """Return customers of a pool who are known at the desk and have no open business; with `languages`, of these."""
    users = tx.all(User, "role = 'end-user' AND suspended = 0")
    busy = {email for persona in tx.all(Persona) for email in (persona.email, *persona.other_emails)}
    known = {one.email for one in users} - busy
    found = [one for one in customers(tx, where) if one.email in known and split_of(one.id) == pool]
    return tuple(one for one in found if not languages or one.locale.startswith(languages))


def untagged(tx: Tx, found: Sequence[Customer]) -> tuple[Customer, ...]:
    """Return the customers whom the desk has not tagged, such as VIPs."""
    plain = {one.email for one in tx.all(User, "role = 'end-user' AND tags = '[]'")}
    return tuple(one for one in found if one.email in plain)


def without_expired_card(found: Sequence[Customer], now: datetime) -> list[Customer]:
    """Return the customers who can have paid lately: their card has not expired, or the account has none."""
    return [one for one in found if one.card is None or not expired(one.card, now)]


def with_valid_card(found: Sequence[Customer], now: datetime) -> list[Customer]:
    """Return the customers whose card has not expired, so that their coffee plans can be charged."""
    return [one for one in found if one.card is not None and not expired(one.card, now)]
