"""Returns: within the return window for a change of mind, within the warranty for a defect."""

from datetime import timedelta

from diorama.apps.backoffice.rules.orders import lines_of, parcels_of
from diorama.apps.backoffice.rules.settings import settings, tracking_number
from diorama.apps.backoffice.rules.stock import months_later, next_number, product, put_back
from diorama.apps.backoffice.schema import (
    APP,
    Customer,
    Order,
    OrderLine,
    Resolution,
    Return,
    ReturnOpened,
    ReturnReason,
    ReturnReceived,
    Unit,
)
from diorama.kernel import Refusal, Tx

RETURN_WINDOW = timedelta(days=30)
LABEL_LASTS = timedelta(days=21)
BACK_AFTER_DAYS = (2, 4)


def open_return(
    tx: Tx,
    order_id: str,
    sku: str,
    *,
    reason: ReturnReason,
    quantity: int = 1,
    serial: str = "",
    resolution: Resolution = "refund",
    note: str = "",
) -> Return:
    """Open a return for a customer and create the label."""
    order = tx.get(Order, order_id)
    line = next((line for line in lines_of(tx, order_id) if line.sku == sku), None)
    if line is None:
        raise Refusal(400, "sku_not_in_order", f"{sku} is not part of order {order.number}.", fields={"param": "sku"})
    serial = _serial(line, serial, quantity)
    _returnable(tx, order, line, quantity, serial, reason)
    number = next_number(tx, "return")
    rma = tx.add(
        Return(
            number=f"RMA-{number}",
            customer_id=order.customer_id,
            order_id=order.id,
            line_id=line.id,
            sku=sku,
            quantity=quantity,
            serial_number=serial,
            reason=reason,
            resolution=resolution,
            note=note,
            tracking_number=tracking_number(tx, settings(tx).return_carrier, tx.dice("return label", number)),
            created_by=tx.actor.name,
            expires_at=tx.now + LABEL_LASTS,
            created_at=tx.now,
            updated_at=tx.now,
        )
    )
    email = tx.get(Customer, order.customer_id).email
    tx.emit(ReturnOpened(rma=rma.id, number=rma.number, order=order.id, customer=order.customer_id, email=email))
    return rma


def cancel_return(tx: Tx, return_id: str) -> Return:
    """Cancel a return that the customer has not sent."""
    rma = tx.get(Return, return_id)
    if rma.status != "open":
        raise Refusal(409, "return_not_open", f"Return {rma.number} is {rma.status}.")
    return tx.change(rma, status="cancelled", updated_at=tx.now)


def post_return(tx: Tx, return_id: str, condition: str = "good") -> Return:
    """Mark a return as sent by the customer; it reaches the warehouse some days later."""
    rma = tx.get(Return, return_id)
    if rma.status != "open":
        raise Refusal(409, "return_not_open", f"Return {rma.number} is {rma.status}.")
    days = tx.dice("return transit", rma.id).integer(*BACK_AFTER_DAYS)
    tx.later(timedelta(days=days), receive_return, return_id=rma.id, condition=condition)
    return tx.change(rma, status="in_transit", updated_at=tx.now)


@APP.command
def receive_return(tx: Tx, return_id: str, condition: str = "good") -> None:
    """Receive a return: restock goods in good condition after a change of mind, and mark units as returned."""
    rma = tx.get(Return, return_id)
    if rma.status not in ("open", "in_transit"):
        return
    tx.change(rma, status="received", condition=condition, received_at=tx.now, updated_at=tx.now)
    if condition == "good" and rma.reason == "changed_mind":
        put_back(tx, product(tx, rma.sku), rma.quantity)
    if rma.serial_number and (owned := tx.find(Unit, rma.serial_number)) and owned.status == "active":
        tx.change(owned, status="returned")
    email = tx.get(Customer, rma.customer_id).email
    tx.emit(
        ReturnReceived(
            rma=rma.id,
            number=rma.number,
            order=rma.order_id,
            customer=rma.customer_id,
            email=email,
            condition=condition,
        )
    )


def _serial(line: OrderLine, serial: str, quantity: int) -> str:
    """Return the serial number to send back; units are returned one at a time, and a single one is the default."""
    serial = serial.strip().upper()
    if not line.serial_numbers:
        if serial:
            raise Refusal(
                400, "serial_unexpected", f"{line.sku} has no serial numbers.", fields={"param": "serial_number"}
            )
        return ""
    if quantity != 1:
        raise Refusal(400, "quantity_invalid", "Units are returned one by one.", fields={"param": "quantity"})
    if not serial and len(line.serial_numbers) == 1:
        return line.serial_numbers[0]
    if serial not in line.serial_numbers:
        raise Refusal(
            400,
            "serial_not_in_order",
            f"The order holds {', '.join(line.serial_numbers)}.",
            fields={"param": "serial_number"},
        )
    return serial


def _returnable(tx: Tx, order: Order, line: OrderLine, quantity: int, serial: str, reason: ReturnReason) -> None:
    arrived = [parcel.closed_at for parcel in parcels_of(tx, order.id) if parcel.status == "delivered"]
    delivered = max((moment for moment in arrived if moment), default=None)
    if delivered is None:
        raise Refusal(409, "order_not_delivered", f"Order {order.number} has not been delivered.")
    earlier = tx.all(Return, "line_id = ? AND status != 'cancelled'", line.id)
    if serial and any(rma.serial_number == serial for rma in earlier):
        raise Refusal(409, "already_returned", f"There is a return for {serial} already.")
    if not 1 <= quantity <= line.quantity - sum(rma.quantity for rma in earlier):
        raise Refusal(409, "quantity_too_large", "More than what is left to return.", fields={"param": "quantity"})
    if reason == "defective":
        months = max(product(tx, line.sku).warranty_months, 1)
        until = months_later(order.created_at, months)
        if until < tx.now:
            raise Refusal(409, "warranty_expired", f"The warranty ended on {until:%Y-%m-%d}.")
    elif delivered + RETURN_WINDOW < tx.now:
        raise Refusal(
            409,
            "return_window_closed",
            f"Order {order.number} was delivered on {delivered:%Y-%m-%d}; "
            f"the {RETURN_WINDOW.days} days to return it are over.",
        )
