"""The back office of a desk's company, which is optional: what a plan and a judge do where there is none."""

from __future__ import annotations

from functools import lru_cache

from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.schema import Customer, Postal
from diorama.apps.zendesk.schema import User
from diorama.kernel import Company, Tx
from diorama.rewards.claims.case import Grounds, grounds_of

SHOP = "backoffice"


@lru_cache(maxsize=256)
def has_shop(company: Company) -> bool:
    """Check whether a company has a back office."""
    return any(app.name == SHOP for app in company.apps)


def customers(tx: Tx, where: str = "") -> list[Customer]:
    """Return the customers of the back office; without one, the people whom the desk knows, in the same form."""
    if has_shop(tx.company):
        return list(tx.all(Customer, where))
    return [_known_at_the_desk(one) for one in tx.all(User, "role = 'end-user' AND email IS NOT NULL", order="id")]


def _known_at_the_desk(user: User) -> Customer:
    email = user.email or ""
    return Customer(
        id=str(user.id),
        name=user.name,
        email=email,
        emails=(email,),
        phone=user.phone or "",
        locale=user.locale or "en",
        currency="",
        created_at=user.created_at,
        updated_at=user.updated_at,
    )


def emails_of(tx: Tx, customer: Customer) -> tuple[str, ...]:
    """Return the addresses of a customer as they are now."""
    return tx.get(Customer, customer.id).emails if has_shop(tx.company) else customer.emails


def home_of(tx: Tx, customer: Customer) -> Postal | None:
    """Return the customer's default address; None if there is none, or no back office."""
    return default_address(tx, customer.id) if has_shop(tx.company) else None


def desk_grounds(tx: Tx, user_id: str) -> Grounds:
    """Return what the desk alone knows of a customer: their contact data."""
    user = tx.get(User, int(user_id))
    return grounds_of([user.email or "", user.phone or "", user.details or "", user.notes or ""])
