"""What came after a past order: a second charge, a dispute, a note, a credit, a return, a replacement."""

from datetime import datetime, timedelta

from diorama.apps.backoffice.rules.charges import DISPUTE_LASTS
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.rules.returns import LABEL_LASTS
from diorama.apps.backoffice.rules.shipments import CARRIERS
from diorama.apps.backoffice.rules.stock import next_number, product, serial_number
from diorama.apps.backoffice.schema import (
    Charge,
    Credit,
    CreditReason,
    Customer,
    DisputeReason,
    Note,
    Replacement,
    Return,
    ReturnReason,
    Unit,
)
from diorama.apps.backoffice.seed.history import SEED, History, add_charge, add_parcel
from diorama.kernel import Tx


def add_second_charge(tx: Tx, history: History, after: timedelta = timedelta(minutes=2)) -> Charge:
    """The shop charged the same order twice."""
    return add_charge(tx, history.order, history.charge.card, at=history.charge.created_at + after)


def add_dispute_history(tx: Tx, charge: Charge, reason: DisputeReason, at: datetime) -> Charge:
    """The customer's bank took the money back on a past day and has not decided yet."""
    held = charge.amount_cents - charge.refunded_cents
    post(
        tx,
        "dispute_opened",
        {"disputed": held, "processor": -held},
        customer_id=charge.customer_id,
        currency=charge.currency,
        charge_id=charge.id,
        at=at,
        by=SEED,
    )
    return tx.change(
        charge,
        status="disputed",
        dispute_reason=reason,
        disputed_cents=held,
        disputed_at=at,
        dispute_due_at=at + DISPUTE_LASTS,
    )


def add_note_history(tx: Tx, customer_id: str, body: str, author: str, at: datetime, order_id: str = "") -> Note:
    """A note that a colleague wrote on a past day."""
    return tx.add(Note(customer_id=customer_id, order_id=order_id, body=body, author=author, created_at=at))


def add_credit_history(
    tx: Tx, customer: Customer, cents: int, at: datetime, by: str, reason: CreditReason = "goodwill", order_id: str = ""
) -> Credit:
    """Store credit that a colleague gave on a past day, not yet spent."""
    credit = tx.add(
        Credit(
            customer_id=customer.id,
            order_id=order_id,
            amount_cents=cents,
            remaining_cents=cents,
            currency=customer.currency,
            reason=reason,
            created_by=by,
            created_at=at,
        )
    )
    post(
        tx,
        "credit_granted",
        {"goodwill": cents, "store_credit": -cents},
        customer_id=customer.id,
        currency=customer.currency,
        credit_id=credit.id,
        at=at,
        by=SEED,
    )
    return credit


def add_return_history(
    tx: Tx, history: History, at: datetime, by: str, reason: ReturnReason = "changed_mind", line: int = 0
) -> Return:
    """Something of a past order that came back and was unpacked a week later."""
    order, sold = history.order, history.lines[line]
    number = next_number(tx, "return")
    received = at + timedelta(days=7)
    arrived = received <= tx.now
    serial = sold.serial_numbers[0] if sold.serial_numbers else ""
    prefix, digits = CARRIERS["PostNL"]
    if serial and arrived:
        tx.change(tx.get(Unit, serial), status="returned")
    return tx.add(
        Return(
            number=f"RMA-{number}",
            customer_id=order.customer_id,
            order_id=order.id,
            line_id=sold.id,
            sku=sold.sku,
            serial_number=serial,
            reason=reason,
            status="received" if arrived else "open",
            condition="good" if arrived else "",
            tracking_number=prefix + tx.dice("return label", number).text(digits, "0123456789"),
            created_by=by,
            received_at=received if arrived else None,
            expires_at=at + LABEL_LASTS,
            created_at=at,
            updated_at=received if arrived else at,
        )
    )


def add_replacement_history(
    tx: Tx, history: History, serial: str, at: datetime, by: str, reason: str, fault_code: str = "", part_sku: str = ""
) -> Replacement:
    """A machine, or a part for it, that was replaced on a past day and arrived."""
    old = tx.get(Unit, serial)
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
            status="delivered",
            new_serial_number=fresh,
            created_by=by,
            created_at=at,
            updated_at=at + timedelta(days=3),
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
    parcel = add_parcel(tx, history.order, good.sku, fresh, at, made.id)
    return tx.change(made, shipment_id=parcel.id)
