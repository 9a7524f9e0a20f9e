"""Customers who have been known for a while, and notes about them."""

from collections.abc import Sequence as Many
from datetime import datetime

from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import Address, Card, Customer, CustomerEmail, Note, Postal, Segment
from diorama.kernel import Dice, Tx


def some_card(dice: Dice, now: datetime, expired: bool = False) -> Card:
    """Return a random card that is valid at this moment, or an expired one."""
    year = now.year - 1 if expired else now.year + dice.integer(1, 4)
    return Card(
        brand=dice.weighted({"visa": 0.5, "mastercard": 0.38, "amex": 0.12}),
        last4=dice.text(4, "0123456789"),
        exp_month=dice.integer(1, 12),
        exp_year=year,
    )


def add_customer(
    tx: Tx,
    name: str,
    emails: Many[str],
    postal: Postal,
    *,
    created_at: datetime,
    card: Card | None = None,
    phone: str = "",
    company: str = "",
    segment: Segment = "standard",
    locale: str = "en",
    more_addresses: Many[Postal] = (),
) -> Customer:
    """Add a customer who was created on a past day."""
    known = tuple(dict.fromkeys(email.strip().lower() for email in emails))
    customer = tx.add(
        Customer(
            name=name,
            email=known[0],
            emails=known,
            phone=phone,
            company=company,
            segment=segment,
            locale=locale,
            currency=settings(tx).currency,
            card=card or some_card(tx.dice("seed card", known[0]), tx.now),
            created_at=created_at,
            updated_at=created_at,
        )
    )
    for email in known:
        tx.add(CustomerEmail(customer_id=customer.id, email=email, created_at=created_at))
    for index, address in enumerate((postal, *more_addresses)):
        tx.add(
            Address(
                customer_id=customer.id,
                label="home" if index == 0 else "other",
                postal=address,
                is_default=index == 0,
                created_at=created_at,
            )
        )
    return customer


def add_note_history(tx: Tx, customer_id: str, body: str, author: str, at: datetime, order_id: str = "") -> Note:
    """Add a note that a colleague wrote on a past day."""
    return tx.add(Note(customer_id=customer_id, order_id=order_id, body=body, author=author, created_at=at))
