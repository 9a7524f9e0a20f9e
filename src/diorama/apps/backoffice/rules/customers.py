"""Customers: their e-mail addresses, postal addresses, cards and notes."""

from collections.abc import Sequence
from typing import Any

from diorama.apps.backoffice.rules.settings import settings
from diorama.apps.backoffice.schema import (
    Address,
    Card,
    Customer,
    CustomerEmail,
    Note,
    NoteAdded,
    Postal,
    Segment,
)
from diorama.kernel import Refusal, Tx

MAX_EMAILS = 10


def open_account(
    tx: Tx,
    name: str,
    emails: Sequence[str],
    *,
    address: Postal | None = None,
    phone: str = "",
    company: str = "",
    segment: Segment = "standard",
    locale: str = "en",
    card: Card | None = None,
) -> Customer:
    """Create a customer."""
    known = [normalize_email(email) for email in emails]
    if not known:
        raise Refusal(400, "email_missing", "A customer needs an e-mail address.", fields={"param": "email"})
    for email in known:
        _unclaimed(tx, email)
    customer = tx.add(
        Customer(
            name=name,
            email=known[0],
            emails=tuple(dict.fromkeys(known)),
            phone=phone,
            company=company,
            segment=segment,
            locale=locale,
            currency=settings(tx).currency,
            card=card,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    for email in customer.emails:
        tx.add(CustomerEmail(customer_id=customer.id, email=email, created_at=tx.now))
    if address is not None:
        tx.add(Address(customer_id=customer.id, postal=address, is_default=True, created_at=tx.now))
    return customer


def by_email(tx: Tx, email: str) -> Customer | None:
    """Return the customer with this e-mail address, primary or not, or None."""
    owner = tx.first(CustomerEmail, "email = ?", normalize_email(email))
    return tx.get(Customer, owner.customer_id) if owner else None


def update_customer(tx: Tx, customer_id: str, **fields: Any) -> Customer:
    """Update name, phone, company, segment, locale, consent or the primary address (one already on file)."""
    customer = tx.get(Customer, customer_id)
    if (primary := fields.get("email")) is not None:
        primary = fields["email"] = normalize_email(primary)
        if primary not in customer.emails:
            raise Refusal(
                400,
                "email_unknown",
                f"{primary} is not among this customer's addresses. Add it first.",
                fields={"param": "email"},
            )
        fields["emails"] = (primary, *(email for email in customer.emails if email != primary))
    return tx.change(customer, **fields, updated_at=tx.now) if fields else customer


def add_email(tx: Tx, customer_id: str, email: str) -> Customer:
    """Add an e-mail address to a customer."""
    customer = tx.get(Customer, customer_id)
    email = normalize_email(email)
    if email in customer.emails:
        return customer
    _unclaimed(tx, email)
    if len(customer.emails) >= MAX_EMAILS:
        raise Refusal(409, "too_many_emails", f"A customer can have {MAX_EMAILS} addresses.")
    tx.add(CustomerEmail(customer_id=customer.id, email=email, created_at=tx.now))
    return tx.change(customer, emails=(*customer.emails, email), updated_at=tx.now)


def remove_email(tx: Tx, customer_id: str, email: str) -> Customer:
    """Remove an e-mail address that is not the primary one."""
    customer = tx.get(Customer, customer_id)
    email = normalize_email(email)
    owner = tx.first(CustomerEmail, "email = ? AND customer_id = ?", email, customer.id)
    if owner is None:
        raise Refusal(404, "resource_missing", f"No such e-mail: '{email}'", fields={"param": "email"})
    if email == customer.email:
        raise Refusal(409, "email_primary", "The primary address cannot be removed.")
    tx.remove(owner)
    return tx.change(customer, emails=tuple(e for e in customer.emails if e != email), updated_at=tx.now)


def addresses(tx: Tx, customer_id: str) -> list[Address]:
    """Return the address book, default address first."""
    return tx.all(Address, "customer_id = ?", customer_id, order="is_default DESC, created_at, id")


def default_address(tx: Tx, customer_id: str) -> Postal:
    """Return the address that this customer's parcels go to by default."""
    book = addresses(tx, customer_id)
    if not book:
        raise Refusal(409, "address_missing", "This customer has no address.", fields={"param": "shipping_address"})
    return book[0].postal


def add_address(tx: Tx, customer_id: str, postal: Postal, label: str = "home", make_default: bool = False) -> Address:
    """Add an address to the address book; orders and parcels that exist keep theirs."""
    tx.get(Customer, customer_id)
    check_postal(postal)
    book = addresses(tx, customer_id)
    if make_default:
        for entry in book:
            tx.change(entry, is_default=False)
    return tx.add(
        Address(
            customer_id=customer_id,
            label=label,
            postal=postal,
            is_default=make_default or not book,
            created_at=tx.now,
        )
    )


def update_address(
    tx: Tx, address_id: str, postal: Postal | None = None, label: str | None = None, make_default: bool = False
) -> Address:
    """Update an address book entry."""
    entry = tx.get(Address, address_id)
    fields: dict[str, Any] = {}
    if postal is not None:
        check_postal(postal)
        fields["postal"] = postal
    if label is not None:
        fields["label"] = label
    if make_default and not entry.is_default:
        for other in addresses(tx, entry.customer_id):
            tx.change(other, is_default=False)
        entry = tx.get(Address, address_id)
        fields["is_default"] = True
    return tx.change(entry, **fields) if fields else entry


def add_note(tx: Tx, customer_id: str, body: str, order_id: str = "", pinned: bool = False) -> Note:
    """Add a note about a customer for other colleagues."""
    tx.get(Customer, customer_id)
    if not body.strip():
        raise Refusal(400, "note_empty", "A note needs a text.", fields={"param": "body"})
    note = tx.add(
        Note(
            customer_id=customer_id,
            order_id=order_id,
            body=body,
            author=tx.actor.name,
            pinned=pinned,
            created_at=tx.now,
        )
    )
    tx.emit(NoteAdded(note=note.id, customer=customer_id, author=note.author))
    return note


def set_card(tx: Tx, customer_id: str, card: Card) -> Customer:
    """Save a new card that the customer entered in the shop."""
    return tx.change(tx.get(Customer, customer_id), card=card, updated_at=tx.now)


def check_postal(postal: Postal) -> None:
    """Raise 400 for an incomplete address or an invalid country code."""
    for field in ("name", "line1", "city", "postal_code"):
        if not getattr(postal, field).strip():
            raise Refusal(
                400, "address_incomplete", f"The address has no {field}.", fields={"param": f"address.{field}"}
            )
    if len(postal.country) != 2 or not postal.country.isascii() or not postal.country.isupper():
        raise Refusal(
            400,
            "country_invalid",
            "country must be an ISO 3166 code of two capital letters.",
            fields={"param": "address.country"},
        )


def normalize_email(email: str) -> str:
    """Normalize an e-mail address for comparison: case is ignored."""
    email = email.strip().lower()
    name, at, host = email.partition("@")
    if not (name and at and "." in host) or " " in email or len(email) > 254:
        raise Refusal(400, "email_invalid", f"'{email}' is not an e-mail address.", fields={"param": "email"})
    return email


def _unclaimed(tx: Tx, email: str) -> None:
    if owner := tx.first(CustomerEmail, "email = ?", email):
        raise Refusal(409, "email_taken", f"{email} belongs to {owner.customer_id}.", fields={"param": "email"})
