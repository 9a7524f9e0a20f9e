"""Deeds of the back office: refunds, credits, cancellations and parcels, recognised in its rows."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

import msgspec

from diorama.apps.backoffice.schema import (
    APP,
    Address,
    Approval,
    Credit,
    Customer,
    CustomerEmail,
    Order,
    Postal,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
)
from diorama.kernel import Record, Tx, from_us
from diorama.kernel.records import table_of
from diorama.kit.deeds import Act, Deed

SOON = timedelta(days=5)
"""Within this time a resumed subscription counts as going on at once."""
EVENING = timedelta(hours=2)
"""How long before midnight UTC the next day begins where the shop is: a pause until that midnight ends on that day."""
Names = tuple[str, ...]
"""The id and the number of an order."""
Row = tuple[str, int | str, tuple[str, ...]]
"""Columns of a row that change with a deed: table, key and columns, none for a new row."""
PAST = Act("", "", True, {}, {}, 0, "")
"""Stands for the act of a row that was written before the episode."""


STANDING: tuple[type[Record], ...] = (Credit, Order, Refund, Replacement, Return, Shipment, Subscription)
"""The records that `standing` reads."""


def standing(tx: Tx, listed: Callable[[type[Any]], list[Any]]) -> list[Deed]:
    """Return the deeds for a customer that stand now, also those from before the episode, newest last.

    `listed` returns the customer's records of a class by their ids.
    """
    found: list[Deed] = []
    orders: list[Order] = listed(Order)
    names = {one.id: (one.id, one.number) for one in orders}
    told: tuple[tuple[type[Any], Callable[[Tx, Any, Act, Names], Iterator[Deed]]], ...] = (
        (Refund, _refunded), (Credit, _credited), (Replacement, _replaced), (Return, _labelled), (Shipment, _sent),
    )  # fmt: skip
    for record, describe in told:
        table = table_of(record).name
        for row in sorted(listed(record), key=_WHEN):
            of = names[row.order_id] if row.order_id in names else _order_names(tx, row.order_id)
            found += describe(tx, row, msgspec.structs.replace(PAST, table=table, key=row.id), of)
    found += [_cancelled_order(order, "", 0) for order in orders if order.status == "cancelled"]
    for one in listed(Subscription):
        found += _state_of(one)
    return [deed for deed in found if deed.stands]


_WHEN = attrgetter("created_at", "id")


# --- money


@APP.deed(Refund)
def refund(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new refund is one deed, wherever the money goes; one that failed does not stand."""
    made = tx.find(Refund, act.key)
    if act.inserted and made is not None:
        yield from _refunded(tx, made, act, _order_names(tx, made.order_id))


def _refunded(tx: Tx, made: Refund, act: Act, order: Names) -> Iterator[Deed]:
    yield _deed(
        "refund", made.charge_id, made, act, cents=made.amount_cents, destination=made.destination,
        currency=made.currency, names=(made.id, *order), stands=made.status != "failed",
        final=True, day=_day(made.created_at), to={"reason": made.reason},
        rows=_approval(made) + (((table_of(Credit).name, made.credit_id, ()),) if made.credit_id else ()),
    )  # fmt: skip


@APP.deed(Credit)
def credit(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new credit, unless it holds refunded money: then the refund is the deed."""
    made = tx.find(Credit, act.key)
    if act.inserted and made is not None:
        yield from _credited(tx, made, act, _order_names(tx, made.order_id))


def _credited(tx: Tx, made: Credit, act: Act, order: Names) -> Iterator[Deed]:
    if made.reason != "refund":
        billed = tx.find(Order, made.order_id) if made.order_id else None
        strange = billed is not None and billed.customer_id != made.customer_id  # it is booked on another's order
        yield _deed(
            "credit", made.order_id if strange else made.customer_id, made, act, cents=made.amount_cents,
            currency=made.currency, names=(made.id, *order), stands=made.status != "voided",
            day=_day(made.created_at), destination="store_credit", rows=_approval(made),
            to={"approved": "yes"} if made.approval_id else {},
        )  # fmt: skip


# --- goods


@APP.deed(Replacement)
def replacement(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new machine or a part is one deed together with its parcel; a cancelled one does not stand."""
    made = tx.find(Replacement, act.key)
    if made is not None:
        yield from _replaced(tx, made, act, _order_names(tx, made.order_id))


def _replaced(tx: Tx, made: Replacement, act: Act, order: Names) -> Iterator[Deed]:
    names = (made.id, *order)
    if act.inserted:
        sent = tx.find(Shipment, made.shipment_id)
        yield _deed(
            "replacement_machine" if made.new_serial_number else "part", made.serial_number, made, act, names=names,
            to={"sku": made.sku, "fault_code": made.fault_code, **(_parts(sent.address) if sent else {})},
            stands=made.status != "cancelled", day=_day(made.created_at), rows=_approval(made),
        )  # fmt: skip
    elif act.changed("status") and made.status == "cancelled":
        yield _deed("cancellation", made.id, made, act, names=names, columns=("status",))


@APP.deed(Shipment)
def parcel(tx: Tx, act: Act) -> Iterator[Deed]:
    """A parcel sent again, a changed label, or a search for a parcel."""
    made = tx.find(Shipment, act.key)
    if made is not None:
        yield from _sent(tx, made, act, _order_names(tx, made.order_id))


def _sent(tx: Tx, made: Shipment, act: Act, names_of_order: Names) -> Iterator[Deed]:
    names = (made.id, made.tracking_number, *names_of_order)
    if act.inserted:
        if made.reship_of:
            yield _deed(
                "reshipment", made.reship_of, made, act, names=names, to=_parts(made.address),
                stands=made.status != "cancelled", day=_day(made.created_at), states=("address",),
                rows=((act.table, made.reship_of, ("reshipped_as",)),),
            )  # fmt: skip
        elif not made.replacement_id:
            yield _deed("shipment", made.order_id, made, act, names=names, to=_parts(made.address))
        return
    order = tx.find(Order, made.order_id)
    if act.changed("address") and (order is None or order.shipping_address != made.address):
        yield _deed(
            "address_change", made.id, made, act, names=names, to=_parts(made.address), columns=("address",),
            stands=_stored(Shipment, made, "address") == act.after["address"],
        )  # fmt: skip
    if act.changed("trace"):
        yield _deed("trace", made.id, made, act, names=names, columns=("trace", "trace_answer", "traced_by"))


@APP.deed(Return)
def label(tx: Tx, act: Act) -> Iterator[Deed]:
    """A return with its label; a cancelled return voids its label."""
    made = tx.find(Return, act.key)
    if made is not None:
        yield from _labelled(tx, made, act, _order_names(tx, made.order_id))


def _labelled(tx: Tx, made: Return, act: Act, order: Names) -> Iterator[Deed]:
    names = (made.id, made.number, made.tracking_number, made.serial_number, *order)
    if act.inserted:
        yield _deed(
            "label", made.order_id, made, act, names=names,
            to={"sku": made.sku, "resolution": made.resolution, "reason": made.reason, "quantity": str(made.quantity)},
            stands=made.status != "cancelled", day=_day(made.created_at),
        )  # fmt: skip
    elif act.changed("status") and made.status == "cancelled":
        yield _deed("cancellation", made.id, made, act, names=names, columns=("status",))


@APP.deed(Order)
def order(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new order, a cancelled one, or one with another address."""
    made = tx.find(Order, act.key)
    if made is None:
        return
    if act.inserted:
        stands = made.status != "cancelled"
        yield _deed(
            "order", made.id, made, act, names=(made.number,), cents=made.total_cents, currency=made.currency,
            to=_parts(made.shipping_address), stands=stands, day=_day(made.created_at),
        )  # fmt: skip
        return
    if act.changed("status") and made.status == "cancelled":
        yield _cancelled_order(made, act.by, act.seqs["status"], _parcels(tx, made, "status", "closed_at"))
    if act.changed("shipping_address"):
        yield _deed(
            "address_change", made.id, made, act, names=(made.number,), to=_parts(made.shipping_address),
            columns=("shipping_address",), rows=_parcels(tx, made, "address"),
            stands=_stored(Order, made, "shipping_address") == act.after["shipping_address"],
        )  # fmt: skip


def _cancelled_order(made: Order, by: str, seq: int, rows: tuple[Row, ...] = ()) -> Deed:
    return Deed(
        "cancellation", made.id, made.customer_id, day=_day(made.cancelled_at), table=table_of(Order).name, key=made.id,
        seq=seq, by=by, names=(made.number,), columns=("status", "cancel_reason", "cancelled_at"), rows=rows,
        final=True,
    )  # fmt: skip


# --- subscriptions


@APP.deed(Subscription)
def subscription(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new subscription, or a change of one."""
    made = tx.find(Subscription, act.key)
    if made is None:
        return
    if act.inserted:
        stands = made.status != "cancelled"
        yield _deed(
            "subscription", made.id, made, act, to={"plan": made.plan_code, "option": made.option}, stands=stands
        )
        return
    was = act.before.get("status", made.status)
    if act.changed("status") or act.changed("cancel_at_renewal"):
        for deed in _state_of(made):
            seq = max(act.seqs.get("status", 0), act.seqs.get("cancel_at_renewal", 0))
            yield msgspec.structs.replace(deed, seq=seq, by=act.by)
        if was == "paused" and made.status == "active" and act.changed("status"):
            columns = ("status", "next_renewal_at", "resumes_at")
            when = from_us(int(act.after["next_renewal_at"]))  # it may have been renewed since
            soon = {"soon": "yes"} if when <= tx.now + SOON else {}
            yield _deed("resumption", made.id, made, act, day=_day(when), columns=columns, to=soon)
    elif act.changed("resumes_at") and was == made.status == "paused":
        yield from (msgspec.structs.replace(one, seq=act.seq, by=act.by) for one in _state_of(made))
    elif act.changed("next_renewal_at") and was == made.status == "active":
        yield _deed("skip", made.id, made, act, day=_day(made.next_renewal_at), columns=("next_renewal_at",))
    if act.changed("plan_code") or act.changed("option"):
        to = {"plan": made.plan_code, "option": made.option}
        yield _deed("plan_change", made.id, made, act, to=to, columns=("plan_code", "option"))
    if act.changed("shipping_address"):
        yield _deed(
            "address_change", made.id, made, act, to=_parts(made.shipping_address), columns=("shipping_address",),
            stands=_stored(Subscription, made, "shipping_address") == act.after["shipping_address"],
        )  # fmt: skip


def _state_of(made: Subscription) -> Iterator[Deed]:
    """Yield the cancellation or the pause that a subscription shows."""
    table = table_of(Subscription).name
    if made.status == "cancelled" or made.cancel_at_renewal:
        at = "renewal" if made.cancel_at_renewal else "now"
        yield Deed(
            "cancellation", made.id, made.customer_id, day=_day(made.cancelled_at or made.next_renewal_at), table=table,
            key=made.id, to={"at": at, "reason": made.cancel_reason}, final=made.status == "cancelled",
            columns=("status", "next_renewal_at", "resumes_at", "cancel_at_renewal", "cancel_reason", "cancelled_at"),
        )  # fmt: skip
    elif made.status == "paused":
        until = pause_end(made)
        yield Deed(
            "pause", made.id, made.customer_id, day=until, table=table, key=made.id, to={"until": until},
            columns=("status", "next_renewal_at", "resumes_at"),
        )  # fmt: skip


# --- contact details


@APP.deed(Address)
def address(tx: Tx, act: Act) -> Iterator[Deed]:
    """A new or changed entry of the address book."""
    made = tx.find(Address, act.key)
    if made is not None and (act.inserted or act.changed("postal") or act.changed("is_default")):
        columns = () if act.inserted else ("postal", "label", "is_default")
        to = {**_parts(made.postal), "is_default": "yes" if made.is_default else "no"}
        others = tx.all(Address, "customer_id = ? AND id != ?", made.customer_id, made.id)
        rows = tuple((act.table, one.id, ("is_default",)) for one in others) if made.is_default else ()
        yield _deed("address_change", made.customer_id, made, act, to=to, names=(made.id,), columns=columns, rows=rows)


@APP.deed(CustomerEmail)
def email(tx: Tx, act: Act) -> Iterator[Deed]:
    """A further e-mail address of a customer."""
    made = tx.find(CustomerEmail, act.key)
    if act.inserted and made is not None:
        rows = ((table_of(Customer).name, made.customer_id, ("emails",)),)
        yield _deed("contact_change", made.customer_id, made, act, to={"email": made.email}, rows=rows)


@APP.deed(Customer)
def contact(tx: Tx, act: Act) -> Iterator[Deed]:
    """Changed contact details of a customer."""
    made = tx.find(Customer, act.key)
    columns = tuple(name for name in ("name", "email", "phone", "company", "locale") if act.changed(name))
    if made is not None and columns:
        to = {name: str(getattr(made, name)) for name in columns}
        more = ("emails",) if "email" in columns else ()
        yield _deed("contact_change", made.id, made, act, to=to, columns=(*columns, *more))


# --- reading rows


def _deed(kind: str, subject: str, row: Any, act: Act, **more: Any) -> Deed:
    """Return a deed of a row, with what every deed of the back office states."""
    columns = more.get("columns", ())
    seq = max((act.seqs.get(name, 0) for name in columns), default=0) or act.seq
    customer = row.id if isinstance(row, Customer) else row.customer_id
    return Deed(kind, subject, customer, table=act.table, key=act.key, seq=seq, by=act.by, **more)


def _order_names(tx: Tx, order_id: str) -> tuple[str, ...]:
    found = tx.find(Order, order_id) if order_id else None
    return (found.id, found.number) if found else ()


def _approval(made: Refund | Credit | Replacement) -> tuple[Row, ...]:
    """Return the request for approval that was used."""
    return ((table_of(Approval).name, made.approval_id, ()),) if made.approval_id else ()


def _parcels(tx: Tx, made: Order, *columns: str) -> tuple[Row, ...]:
    """Return these columns of an order's parcels."""
    table = table_of(Shipment).name
    return tuple((table, one.id, columns) for one in tx.all(Shipment, "order_id = ?", made.id, order="id"))


def _parts(postal: Postal) -> dict[str, str]:
    """Return the parts of an address that are filled in."""
    return {name: value for name, value in msgspec.structs.asdict(postal).items() if value}


def _stored(record: type[Record], row: Any, column: str) -> Any:
    """Return a value of a row as it is stored."""
    return table_of(record).cells({column: getattr(row, column)})[0]


def pause_end(subscription: Subscription) -> str:
    """Return the day until which a subscription rests, as the shop counts days; "" without an end."""
    return _day(subscription.resumes_at + EVENING if subscription.resumes_at else None)


def _day(moment: datetime | None) -> str:
    return moment.isoformat()[:10] if moment else ""
