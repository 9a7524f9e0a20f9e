"""Customers, their addresses and notes, and the staff, as the API shows them."""

from datetime import datetime

import msgspec

from diorama.apps.backoffice.schema import Address, Card, Customer, Note, Policy, Postal, Role, Segment, Staff


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="object"):
    """Something that the API shows; `object` names what it is."""


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
    emails: list[str]
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


def seconds(moment: datetime) -> datetime:
    """The wire shows whole seconds."""
    return moment.replace(microsecond=0)


def seconds_or_none(moment: datetime | None) -> datetime | None:
    """The same, where there may be no moment."""
    return None if moment is None else moment.replace(microsecond=0)


def address_view(entry: Address) -> AddressView:
    """The shape of an address book entry."""
    return AddressView(
        id=entry.id,
        customer_id=entry.customer_id,
        label=entry.label,
        is_default=entry.is_default,
        postal=entry.postal,
        created_at=seconds(entry.created_at),
    )


def customer_view(customer: Customer) -> CustomerView:
    """The shape of a customer."""
    return CustomerView(
        id=customer.id,
        name=customer.name,
        email=customer.email,
        emails=list(customer.emails),
        phone=customer.phone or None,
        company=customer.company or None,
        segment=customer.segment,
        locale=customer.locale,
        currency=customer.currency,
        card=customer.card,
        marketing_consent=customer.marketing_consent,
        created_at=seconds(customer.created_at),
        updated_at=seconds(customer.updated_at),
    )


def note_view(note: Note) -> NoteView:
    """The shape of a note."""
    return NoteView(
        id=note.id,
        customer_id=note.customer_id,
        order_id=note.order_id or None,
        body=note.body,
        author=note.author,
        pinned=note.pinned,
        created_at=seconds(note.created_at),
    )


def policy_view(policy: Policy) -> PolicyView:
    """The shape of a policy."""
    return PolicyView(
        role=policy.id,
        refund_limit_cents=policy.refund_limit_cents,
        credit_limit_cents=policy.credit_limit_cents,
        vip_credit_limit_cents=policy.vip_credit_limit_cents,
        credit_window_cents=policy.credit_window_cents,
        credit_window_days=policy.credit_window_days,
        waives_warranty=policy.waives_warranty,
        decides_approvals=policy.decides_approvals,
    )


def staff_view(staff: Staff) -> StaffView:
    """The shape of a colleague."""
    return StaffView(
        id=staff.id, email=staff.email, name=staff.name, role=staff.role, team=staff.team, active=staff.active
    )
