"""Reason codes of refunds: which of them are true of a charge, by its records and by what the customer wrote about."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from diorama.apps.backoffice.schema import Charge, Order, Return, Shipment, Unit
from diorama.kernel import Tx
from diorama.kit.deeds import Owed

ALSO = {
    "duplicate": ("billing_error",),
    "wrong_item": ("not_received",),
    "subscription": ("billing_error", "cancelled_order"),
    "returned": ("cancelled_order",),
    "billing_error": ("goodwill", "late_delivery"),
}
"""Other codes that say as much as the one of a contact reason."""
GONE = ("lost", "returned")


def with_reasons(tx: Tx, owed: Owed, why: str, kinds: Collection[str] = ()) -> Owed:
    """Add the reasons that an owed refund may state: the one of the contact reason, and what the records show.

    `kinds` are the kinds of everything that is owed: an order that has to be cancelled is a reason, too.
    """
    if owed.kind != "refund":
        return owed
    found = {why, *ALSO.get(why, ())}
    if "cancellation" in kinds:
        found |= {"cancelled_order", "subscription"}
    for key in owed.subjects:
        charge = tx.find(Charge, key)
        order = tx.find(Order, charge.order_id) if charge is not None and charge.order_id else None
        if order is not None:
            found |= set(_shown(tx, order))
    return stating(owed, found)


def stating(owed: Owed, codes: Collection[str]) -> Owed:
    """Return an owed refund with the reason codes that it may state."""
    reasons = tuple(sorted(codes))
    return msgspec.structs.replace(owed, reasons=reasons, sentence=f"{owed.sentence}, as {' or '.join(reasons)}")


def _shown(tx: Tx, order: Order) -> list[str]:
    """Return the reasons that the records of an order show."""
    parcels = tx.all(Shipment, "order_id = ?", order.id)
    shown = {
        "cancelled_order": order.status == "cancelled",
        "not_received": any(one.status in GONE for one in parcels),
        "returned": any(one.status == "returned" for one in parcels) or bool(tx.all(Return, "order_id = ?", order.id)),
        "subscription": bool(order.subscription_id),
        "duplicate": len(tx.all(Charge, "order_id = ? AND status != 'failed'", order.id)) > 1,
        "defective": bool(tx.all(Unit, "order_id = ?", order.id)),
    }
    return [code for code, holds in shown.items() if holds]
