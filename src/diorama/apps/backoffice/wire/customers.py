"""Customers, their addresses and notes, as the API shows them."""

from datetime import datetime

from diorama.apps.backoffice.schema import Address, Card, Customer, Note, Postal, Segment
from diorama.apps.backoffice.wire.orders import OrderView
from diorama.apps.backoffice.wire.returns import ReturnView
from diorama.apps.backoffice.wire.shapes import Shown, shown
from diorama.apps.backoffice.wire.subscriptions import SubscriptionView
from diorama.apps.backoffice.wire.units import UnitView


class AddressView(Shown, frozen=True, kw_only=True, tag="address"):
    """An entry of the address book."""

    id: str
    customer_id: str
    label: str
    is_default: bool
    postal: Postal
    created_at: datetime


class CustomerView(Shown, frozen=True, kw_only=True, tag="customer"):
    """A customer."""

    id: str
    name: str
    email: str
    emails: tuple[str, ...]
    phone: str | None
    company: str | None
    segment: Segment
    locale: str
    currency: str
    card: Card | None
    marketing_consent: bool
    created_at: datetime
    updated_at: datetime


class NoteView(Shown, frozen=True, kw_only=True, tag="note"):
    """A colleague's note."""

    id: str
    customer_id: str
    order_id: str | None
    body: str
    author: str
    pinned: bool
    created_at: datetime


def address_view(entry: Address) -> AddressView:
    """Build the reply model of an address book entry."""
    return shown(AddressView, entry)


def customer_view(customer: Customer) -> CustomerView:
    """Build the reply model of a customer."""
    return shown(CustomerView, customer)


def note_view(note: Note) -> NoteView:
    """Build the reply model of a note."""
    return shown(NoteView, note)


class Overview(Shown, frozen=True, kw_only=True, tag="customer_overview"):
    """A customer with credit balance, addresses, units, subscriptions, recent orders, open returns and notes."""

    customer: CustomerView
    credit_balance_cents: int
    addresses: list[AddressView]
    units: list[UnitView]
    subscriptions: list[SubscriptionView]
    recent_orders: list[OrderView]
    open_returns: list[ReturnView]
    notes: list[NoteView]
