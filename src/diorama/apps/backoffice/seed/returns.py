"""Returns of past orders."""

from datetime import UTC, datetime, timedelta

from diorama.apps.backoffice.rules.returns import LABEL_LASTS
from diorama.apps.backoffice.rules.settings import last_collection, settings, tracking_number, zone
from diorama.apps.backoffice.schema import Return, ReturnReason, Unit
from diorama.apps.backoffice.seed.numbers import number_at
from diorama.apps.backoffice.seed.orders import History
from diorama.kernel import Dice, Tx


def counted_at(tx: Tx, moment: datetime, dice: Dice) -> datetime:
    """Return when goods that come back about this moment are received: in hours of the warehouse, or a day before."""
    ours = settings(tx)
    day = last_collection(tx, moment.replace(hour=23)).astimezone(zone(ours.time_zone))
    seconds = dice.integer(0, (ours.day_ends_hour - ours.day_begins_hour) * 3600 - 1)
    begins = day.replace(hour=ours.day_begins_hour, minute=0, second=0, microsecond=0)
    return (begins + timedelta(seconds=seconds)).astimezone(UTC)


def add_return_history(
    tx: Tx,
    history: History,
    at: datetime,
    by: str,
    reason: ReturnReason = "changed_mind",
    line: int = 0,
    *,
    not_before: datetime | None = None,
) -> Return:
    """Add a return from a past order that was received a week later; it was opened after `not_before`."""
    order, sold = history.order, history.lines[line]
    place = number_at(tx, "return", at, not_before)
    at = place.at
    dice = tx.dice("return received", place.number)
    received = counted_at(tx, at + timedelta(days=7, seconds=dice.integer(-80_000, 80_000)), dice)
    arrived = received <= tx.now
    serial = sold.serial_numbers[0] if sold.serial_numbers else ""
    if serial and arrived:
        tx.change(tx.get(Unit, serial), status="returned")
    return tx.add(
        Return(
            number=place.number,
            customer_id=order.customer_id,
            order_id=order.id,
            line_id=sold.id,
            sku=sold.sku,
            serial_number=serial,
            reason=reason,
            status="received" if arrived else "open",
            condition="good" if arrived else "",
            tracking_number=tracking_number(tx, settings(tx).return_carrier, tx.dice("return label", place.number)),
            created_by=by,
            received_at=received if arrived else None,
            expires_at=at + LABEL_LASTS,
            created_at=at,
            updated_at=received if arrived else at,
        )
    )
