"""Customers, their addresses and notes."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from diorama.apps.backoffice.schema.app import APP
from diorama.kernel import Record
from diorama.kernel.ids import counter, token

Segment = Literal["standard", "plus", "vip", "business"]
Line = Annotated[str, msgspec.Meta(max_length=120)]


class Postal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A postal address as it is printed on a label; the country is an ISO 3166 code of two letters."""

    name: Line
    line1: Line
    line2: Line = ""
    city: Line
    postal_code: Line
    region: Line = ""
    country: Line
    phone: Line = ""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a payment card that the company may see."""

    brand: str
    last4: str
    exp_month: int
    exp_year: int


@APP.record(
    "customers",
    ids=token("cus_"),
    index=[("created_at",), ("segment", "created_at")],
    search=("name", "emails", "company"),
)
class Customer(Record):
    """A customer; `emails` holds every known address, the primary one first."""

    id: str = ""
    name: str
    email: str
    emails: tuple[str, ...]
    phone: str = ""
    company: str = ""
    segment: Segment = "standard"
    locale: str = "en"
    currency: str
    card: Card | None = None
    marketing_consent: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record("customer_emails", ids=counter(1), index=[("customer_id",)], unique=[("email",)])
class CustomerEmail(Record):
    """An e-mail address and the one customer that it belongs to."""

    customer_id: str
    email: str
    created_at: datetime


@APP.record("addresses", ids=token("adr_"), index=[("customer_id", "created_at")])
class Address(Record):
    """An entry of a customer's address book."""

    id: str = ""
    customer_id: str
    label: str = "home"
    postal: Postal
    is_default: bool = False
    created_at: datetime


@APP.record("notes", ids=token("note_"), index=[("customer_id", "created_at"), ("created_at",)])
class Note(Record):
    """A colleague's note about a customer; never edited."""

    id: str = ""
    customer_id: str
    order_id: str = ""
    body: str
    author: str
    pinned: bool = False
    created_at: datetime
