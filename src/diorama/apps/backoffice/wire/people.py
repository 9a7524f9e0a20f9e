"""Customers, their addresses and notes, and the staff, as the API shows them."""

from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from diorama.apps.backoffice.schema import Address, Card, Customer, Note, Policy, Postal, Role, Segment, Staff
from diorama.kernel import Record
from diorama.kit.wire import alike

V = TypeVar("V", bound=msgspec.Struct)


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="object"):
    """Something that the API shows; `object` names what it is."""


@cache
def _nullable(shape: Any) -> frozenset[str]:
    return frozenset(name for name, kind in get_type_hints(shape).items() if NoneType in get_args(kind))


def shown(shape: type[V], record: Record, **more: Any) -> V:
    """A record as the API shows it: what both call alike, moments to the second, null for a text that is not there."""
    said = {**alike(shape, record), **more}
    for name, value in said.items():
        if isinstance(value, datetime):
            said[name] = value.replace(microsecond=0)
        elif value == "" and name in _nullable(shape):
            said[name] = None
    return shape(**said)


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
    """What a colleague wrote down."""

    id: str
    customer_id: str
    order_id: str | None
    body: str
    author: str
    pinned: bool
    created_at: datetime


class PolicyView(Shown, frozen=True, kw_only=True, tag="policy"):
    """What a role may do without asking."""

    role: str
    refund_limit_cents: int
    credit_limit_cents: int
    vip_credit_limit_cents: int
    credit_window_cents: int
    credit_window_days: int
    waives_warranty: bool
    decides_approvals: bool


class StaffView(Shown, frozen=True, kw_only=True, tag="staff"):
    """A colleague."""

    id: str
    email: str
    name: str
    role: Role
    team: str
    active: bool


class MeView(Shown, frozen=True, kw_only=True, tag="me"):
    """Whoever holds the token, and what they may do."""

    email: str
    name: str
    role: str
    policy: PolicyView


def address_view(entry: Address) -> AddressView:
    """The shape of an address book entry."""
    return shown(AddressView, entry)


def customer_view(customer: Customer) -> CustomerView:
    """The shape of a customer."""
    return shown(CustomerView, customer)


def note_view(note: Note) -> NoteView:
    """The shape of a note."""
    return shown(NoteView, note)


def policy_view(policy: Policy) -> PolicyView:
    """The shape of a policy."""
    return shown(PolicyView, policy, role=policy.id)


def staff_view(staff: Staff) -> StaffView:
    """The shape of a colleague."""
    return shown(StaffView, staff)
