"""Replacements for units of past orders."""

from datetime import datetime, timedelta
from typing import Literal

from diorama.apps.backoffice.rules.stock import product, serial_number
from diorama.apps.backoffice.schema import Replacement, Unit
from diorama.apps.backoffice.seed.orders import History, add_parcel, sent_in_time
from diorama.kernel import Tx


def add_replacement_history(
    tx: Tx,
    history: History,
    serial: str,
    at: datetime,
    by: str,
    reason: str,
    fault_code: str = "",
    part_sku: str = "",
    parcel_status: Literal["delivered", "in_transit", "lost"] = "delivered",
) -> Replacement:
    """Add a replacement of a unit, or of a part, that was ordered on a past day: delivered, on its way, or lost."""
    old = tx.get(Unit, serial)
    at = sent_in_time(tx, at, history.order.shipping_address.country, parcel_status)
    good = product(tx, part_sku or old.sku)
    fresh = "" if part_sku else serial_number(tx, good, at - timedelta(days=40), serial, "replacement")
    made = tx.add(
        Replacement(
            customer_id=old.customer_id,
            order_id=old.order_id,
            serial_number=old.id,
            sku=good.sku,
            fault_code=fault_code,
            reason=reason,
            status="delivered" if parcel_status == "delivered" else "shipped",
            new_serial_number=fresh,
            created_by=by,
            created_at=at,
            updated_at=at,
        )
    )
    if fresh:
        tx.add(
            Unit(
                id=fresh,
                sku=old.sku,
                customer_id=old.customer_id,
                order_id=old.order_id,
                sold_at=old.sold_at,
                warranty_until=old.warranty_until,
                replaces=old.id,
            )
        )
        tx.change(old, status="replaced", replaced_by=fresh)
    parcel = add_parcel(tx, history.order, good.sku, fresh, at, made.id, parcel_status)
    return tx.change(made, shipment_id=parcel.id, updated_at=parcel.closed_at or parcel.handed_over_at or at)
