"""Replacements: a unit or a part for a defective unit, if under warranty and in stock."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.approvals import spend_approval
from diorama.apps.backoffice.rules.customers import check_postal, default_address
from diorama.apps.backoffice.rules.policies import current_policy
from diorama.apps.backoffice.rules.shipments import cancel_shipment, refuse_if_handed_over, send
from diorama.apps.backoffice.rules.stock import pick, product, reserve, serial_number
from diorama.apps.backoffice.schema import (
    Customer,
    Order,
    Parcel,
    Postal,
    Replacement,
    ReplacementOrdered,
    Shipment,
    Unit,
)
from diorama.kernel import Refusal, Tx


def unit(tx: Tx, serial_number: str) -> Unit:
    """Return the unit with this serial number, ignoring case and spaces."""
    found = tx.find(Unit, serial_number.strip().upper())
    if found is None:
        raise Refusal(
            404,
            "resource_missing",
            f"No unit with serial number '{serial_number}'.",
            fields={"param": "serial_number"},
        )
    return found


def replace(
    tx: Tx,
    customer_id: str,
    serial: str,
    *,
    reason: str,
    fault_code: str = "",
    part_sku: str = "",
    address: Postal | None = None,
    approval_id: str = "",
) -> Replacement:
    """Send a new unit, or a part that fits it, free of charge; the new unit takes over the old warranty."""
    customer = tx.get(Customer, customer_id)
    owned = unit(tx, serial)
    _entitled(tx, customer, owned, fault_code, approval_id)
    good = product(tx, part_sku or owned.sku)
    if part_sku and owned.sku not in good.fits:
        raise Refusal(409, "part_does_not_fit", f"{part_sku} does not fit {owned.sku}.", fields={"param": "part_sku"})
    to = address or default_address(tx, customer.id)
    check_postal(to)
    reserve(tx, good, 1)
    pick(tx, good, 1)
    fresh = "" if part_sku else serial_number(tx, good, tx.now - timedelta(days=40), owned.id, "replacement")
    made = tx.add(
        Replacement(
            customer_id=customer.id,
            order_id=owned.order_id,
            serial_number=owned.id,
            sku=good.sku,
            fault_code=fault_code,
            reason=reason,
            new_serial_number=fresh,
            approval_id=approval_id,
            created_by=tx.actor.name,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    if fresh:
        tx.add(
            Unit(
                id=fresh,
                sku=owned.sku,
                customer_id=customer.id,
                order_id=owned.order_id,
                sold_at=owned.sold_at,
                warranty_until=owned.warranty_until,
                replaces=owned.id,
            )
        )
        tx.change(owned, status="replaced", replaced_by=fresh)
    parcel = send(
        tx,
        tx.get(Order, owned.order_id),
        (Parcel(sku=good.sku, quantity=1, serial_numbers=(fresh,) if fresh else ()),),
        address=to,
        replacement_id=made.id,
    )
    tx.emit(
        ReplacementOrdered(
            replacement=made.id,
            customer=customer.id,
            email=customer.email,
            serial_number=owned.id,
            sku=good.sku,
        )
    )
    return tx.change(made, shipment_id=parcel.id)


def cancel_replacement(tx: Tx, replacement_id: str) -> Replacement:
    """Cancel a replacement that is still in the warehouse."""
    made = tx.get(Replacement, replacement_id)
    if made.status == "cancelled":
        raise Refusal(409, "replacement_cancelled", f"Replacement {made.id} is cancelled already.")
    parcel = tx.get(Shipment, made.shipment_id)
    refuse_if_handed_over(parcel)
    cancel_shipment(tx, parcel)
    if made.new_serial_number:
        tx.change(tx.get(Unit, made.serial_number), status="active", replaced_by="")
    return tx.change(made, status="cancelled", updated_at=tx.now)


def in_warranty(owned: Unit, moment: datetime) -> bool:
    """Check whether the unit is under warranty."""
    return owned.status == "active" and moment <= owned.warranty_until


def _entitled(tx: Tx, customer: Customer, owned: Unit, fault_code: str, approval_id: str) -> None:
    rights = current_policy(tx)
    if owned.customer_id != customer.id:
        raise Refusal(
            409,
            "serial_not_owned",
            f"Serial number {owned.id} is not registered to this customer.",
            fields={"param": "serial_number"},
        )
    if owned.status != "active":
        raise Refusal(409, "unit_not_active", f"Unit {owned.id} is {owned.status}.", fields={"param": "serial_number"})
    if fault_code and fault_code not in {fault.code for fault in product(tx, owned.sku).faults}:
        raise Refusal(
            400, "fault_unknown", f"{owned.sku} has no known fault '{fault_code}'.", fields={"param": "fault_code"}
        )
    if open_one := tx.first(
        Replacement, "serial_number = ? AND status IN ('ordered', 'shipped')", owned.id, order="created_at"
    ):
        raise Refusal(409, "replacement_open", f"Replacement {open_one.id} for this unit is already on its way.")
    if approval_id:
        spend_approval(tx, approval_id, "replacement", owned.id)
    elif not in_warranty(owned, tx.now) and not rights.waives_warranty:
        raise Refusal(
            409,
            "warranty_expired",
            f"The warranty of {owned.id} ended on {owned.warranty_until:%Y-%m-%d}. "
            "A lead can make an exception: POST /api/v1/approvals with kind replacement.",
            fields={"param": "serial_number"},
        )
