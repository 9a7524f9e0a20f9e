"""Rules about money and goods: amounts add up, and goods exist once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import BACKOFFICE, at, rule

SLACK = timedelta(days=1)
"""How far a renewal may be from its date: payments are retried, and numbers are given out in order."""


@rule(BACKOFFICE)
def orders_add_up(records: Records) -> Iterator[str]:
    """Lines add up to the subtotal; subtotal, shipping and spent credit add up to the total."""
    for one in records.orders.values():
        lines = records.lines.get(one.id, [])
        goods = sum(line.total_cents for line in lines)
        total = one.subtotal_cents + one.shipping_cents - one.credit_cents
        wrong = not lines or goods != one.subtotal_cents or total != one.total_cents
        yield (
            f"order {one.number}: lines {goods}, subtotal {one.subtotal_cents}, total {one.total_cents}"
            if wrong
            else ""
        )


@rule(BACKOFFICE)
def charges_are_what_was_ordered(records: Records) -> Iterator[str]:
    """Every order has a charge of its total."""
    paid = Counter[tuple[str, int]]()
    for charge in records.charges.values():
        paid[charge.order_id, charge.amount_cents] += 1
    for one in records.orders.values():
        wrong = one.total_cents > 0 and not paid[one.id, one.total_cents]
        yield f"order {one.number} has no charge of {one.total_cents}" if wrong else ""


@rule(BACKOFFICE)
def refunds_stay_within_their_charge(records: Records) -> Iterator[str]:
    """The refunds of a charge add up to what it says, and never to more than was paid."""
    back = Counter[str]()
    for refund in records.refunds:
        if refund.status != "failed":
            back[refund.charge_id] += refund.amount_cents
    for one in records.charges.values():
        wrong = back[one.id] != one.refunded_cents or back[one.id] > one.amount_cents
        yield (
            f"charge {one.id} of {one.amount_cents}: refunded {one.refunded_cents}, refunds {back[one.id]}"
            if wrong
            else ""
        )


@rule(BACKOFFICE)
def postings_balance(records: Records) -> Iterator[str]:
    """The entries of every posting sum to zero."""
    asked = "SELECT posting_id, sum(amount_cents) FROM backoffice_ledger GROUP BY 1 ORDER BY 1"
    for posting, cents in records.tx.rows(asked):
        yield f"posting {posting} is out of balance by {cents}" if cents else ""


@rule(BACKOFFICE)
def stock_is_not_negative(records: Records) -> Iterator[str]:
    """The warehouse never holds fewer than none, and reserves only what it holds."""
    for sku, held, reserved in records.tx.rows("SELECT id, on_hand, reserved FROM backoffice_stock ORDER BY id"):
        yield f"{sku}: {held} on hand, {reserved} reserved" if held < 0 or reserved < 0 or reserved > held else ""


@rule(BACKOFFICE)
def serial_numbers_fit_what_was_sold(records: Records) -> Iterator[str]:
    """A serial number belongs to one unit of the product that its order sold."""
    sold = [(serial, line) for lines in records.lines.values() for line in lines for serial in line.serial_numbers]
    often = Counter(serial for serial, _ in sold)
    units = {one.id: one for one in records.units}
    for serial, line in sold:
        unit, good = units.get(serial), records.products.get(line.sku)
        fits = good is not None and re.match(rf"{re.escape(good.serial_prefix)}-\d{{4}}-\d{{5}}$", serial)
        wrong = often[serial] > 1 or unit is None or unit.sku != line.sku or not fits
        yield f"serial {serial} of line {line.id} ({line.sku})" if wrong else ""


@rule(BACKOFFICE)
def renewals_are_on_their_dates(records: Records) -> Iterator[str]:
    """A subscription renews in its rhythm, the next date is to come, and nothing is sent after it ended."""
    weeks = dict(records.tx.rows("SELECT code, interval_weeks FROM backoffice_plans"))
    orders: dict[str, list[datetime]] = {}
    for order in records.orders.values():
        if order.subscription_id:
            orders.setdefault(order.subscription_id, []).append(order.created_at)
    for one in records.subscriptions:
        step, dates = timedelta(weeks=weeks[one.plan_code]), sorted(orders.get(one.id, []))
        off = [moment for moment in dates if _beside(moment - one.created_at, step)]
        yield f"subscription {one.id} renewed on {list(map(at, off))}" if off else ""
        late = one.next_renewal_at is not None and not records.now <= one.next_renewal_at <= records.now + step + SLACK
        yield f"subscription {one.id} renews next on {at(one.next_renewal_at)}" if late else ""
        after = one.cancelled_at is not None and any(moment > one.cancelled_at for moment in dates)
        yield f"subscription {one.id} was renewed after it ended on {at(one.cancelled_at)}" if after else ""


def _beside(since: timedelta, step: timedelta) -> bool:
    rest = since % step
    return min(rest, step - rest) > SLACK
