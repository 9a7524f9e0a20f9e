"""Customers, their addresses and notes."""

from typing import Annotated

import msgspec

from diorama.apps.backoffice.api.orders import all_with_lines
from diorama.apps.backoffice.api.request_parts import Body, Text, Word, customer_filter
from diorama.apps.backoffice.api.units import unit_with_name
from diorama.apps.backoffice.rules import credits, customers
from diorama.apps.backoffice.schema import (
    APP,
    Address,
    Customer,
    Note,
    Order,
    Postal,
    Return,
    Segment,
    Subscription,
    Unit,
)
from diorama.apps.backoffice.wire.customers import (
    AddressView,
    CustomerView,
    NoteView,
    Overview,
    address_view,
    customer_view,
    note_view,
)
from diorama.apps.backoffice.wire.pagination import Listing, Page, listing
from diorama.apps.backoffice.wire.returns import return_view
from diorama.apps.backoffice.wire.subscriptions import subscription_view
from diorama.kernel import Missing, Tx

Emails = Annotated[list[Word], msgspec.Meta(min_length=1, max_length=10)]


class NewCustomer(Body, frozen=True, kw_only=True):
    """The body that creates a customer; the first e-mail address is the primary one."""

    name: Word
    emails: Emails
    address: Postal | None = None
    phone: Word = ""
    company: Word = ""
    segment: Segment = "standard"
    locale: Word = "en"


class CustomerChanges(Body, frozen=True, kw_only=True):
    """The fields of a customer to change; omitted fields stay as they are."""

    name: Word | None = None
    email: Word | None = None
    phone: Word | None = None
    company: Word | None = None
    segment: Segment | None = None
    locale: Word | None = None
    marketing_consent: bool | None = None


class NewEmail(Body, frozen=True, kw_only=True):
    """An e-mail address to add to a customer."""

    email: Word


class NewAddress(Body, frozen=True, kw_only=True):
    """A postal address to add to a customer."""

    postal: Postal
    label: Word = "home"
    make_default: bool = False


class AddressChanges(Body, frozen=True, kw_only=True):
    """The fields of an address book entry to change."""

    postal: Postal | None = None
    label: Word | None = None
    make_default: bool = False


class NewNote(Body, frozen=True, kw_only=True):
    """A note about a customer for other colleagues."""

    body: Text
    order_id: Word = ""
    pinned: bool = False


@APP.get("/api/v1/customers", tags=("customers",))
def list_customers(
    tx: Tx, page: Page, email: str | None = None, segment: Segment | None = None
) -> Listing[CustomerView]:
    """List customers, newest first."""
    filters = [("id = ?", customer_filter(tx, None, email)), ("segment = ?", segment)]
    return listing(tx, Customer, page, customer_view, filters)


@APP.post("/api/v1/customers", status=201, idempotent=True, tags=("customers",))
def create_customer(tx: Tx, body: NewCustomer) -> CustomerView:
    """Create a customer."""
    if body.address is not None:
        customers.check_postal(body.address)
    return customer_view(
        customers.open_account(
            tx,
            body.name,
            body.emails,
            address=body.address,
            phone=body.phone,
            company=body.company,
            segment=body.segment,
            locale=body.locale,
        )
    )


@APP.get("/api/v1/customers/{customer_id}", tags=("customers",))
def get_customer(tx: Tx, customer_id: str) -> CustomerView:
    """Get one customer."""
    return customer_view(tx.get(Customer, customer_id))


@APP.patch("/api/v1/customers/{customer_id}", tags=("customers",))
def update_customer(tx: Tx, customer_id: str, body: CustomerChanges) -> CustomerView:
    """Update a customer."""
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not None}
    return customer_view(customers.update_customer(tx, customer_id, **given))


@APP.get("/api/v1/customers/{customer_id}/overview", seconds=0.8, tags=("customers",))
def get_customer_overview(tx: Tx, customer_id: str) -> Overview:
    """Get a customer with addresses, units, subscriptions, the last orders, open returns and notes."""
    customer = tx.get(Customer, customer_id)
    mine = "customer_id = ?"
    newest = "created_at DESC, id DESC"
    open_returns = tx.all(Return, f"{mine} AND status IN ('open', 'in_transit')", customer_id, order=newest, limit=10)
    return Overview(
        customer=customer_view(customer),
        credit_balance_cents=credits.balance_cents(tx, customer_id),
        addresses=[address_view(entry) for entry in customers.addresses(tx, customer_id)],
        units=[unit_with_name(tx, unit) for unit in tx.all(Unit, mine, customer_id, order="sold_at, id", limit=50)],
        subscriptions=[
            subscription_view(one) for one in tx.all(Subscription, mine, customer_id, order=newest, limit=10)
        ],
        recent_orders=all_with_lines(tx, tx.all(Order, mine, customer_id, order=newest, limit=5)),
        open_returns=[return_view(rma) for rma in open_returns],
        notes=[note_view(note) for note in tx.all(Note, mine, customer_id, order=f"pinned DESC, {newest}", limit=10)],
    )


@APP.post("/api/v1/customers/{customer_id}/emails", status=201, tags=("customers",))
def add_customer_email(tx: Tx, customer_id: str, body: NewEmail) -> CustomerView:
    """Add an e-mail address to a customer."""
    return customer_view(customers.add_email(tx, customer_id, body.email))


@APP.delete("/api/v1/customers/{customer_id}/emails/{email}", tags=("customers",))
def remove_customer_email(tx: Tx, customer_id: str, email: str) -> CustomerView:
    """Remove an e-mail address that is not the primary one."""
    return customer_view(customers.remove_email(tx, customer_id, email))


@APP.get("/api/v1/customers/{customer_id}/addresses", tags=("customers",))
def list_customer_addresses(tx: Tx, customer_id: str, page: Page) -> Listing[AddressView]:
    """List a customer's address book."""
    tx.get(Customer, customer_id)
    return listing(tx, Address, page, address_view, [("customer_id = ?", customer_id)])


@APP.post("/api/v1/customers/{customer_id}/addresses", status=201, tags=("customers",))
def add_customer_address(tx: Tx, customer_id: str, body: NewAddress) -> AddressView:
    """Add an address to the address book; existing parcels keep their address."""
    return address_view(customers.add_address(tx, customer_id, body.postal, body.label, body.make_default))


@APP.patch("/api/v1/customers/{customer_id}/addresses/{address_id}", tags=("customers",))
def update_customer_address(tx: Tx, customer_id: str, address_id: str, body: AddressChanges) -> AddressView:
    """Update an address book entry; existing parcels keep their address."""
    if tx.get(Address, address_id).customer_id != customer_id:
        raise Missing(Address, address_id)
    return address_view(customers.update_address(tx, address_id, body.postal, body.label, body.make_default))


@APP.get("/api/v1/customers/{customer_id}/notes", tags=("customers",))
def list_customer_notes(tx: Tx, customer_id: str, page: Page) -> Listing[NoteView]:
    """List the notes about a customer."""
    tx.get(Customer, customer_id)
    return listing(tx, Note, page, note_view, [("customer_id = ?", customer_id)])


@APP.post("/api/v1/customers/{customer_id}/notes", status=201, tags=("customers",))
def add_customer_note(tx: Tx, customer_id: str, body: NewNote) -> NoteView:
    """Add a note about a customer for other colleagues; notes are never edited."""
    if body.order_id and tx.get(Order, body.order_id).customer_id != customer_id:
        raise Missing(Order, body.order_id)
    return note_view(customers.add_note(tx, customer_id, body.body, body.order_id, body.pinned))
