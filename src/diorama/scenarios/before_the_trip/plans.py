"""Where a parcel can be before a trip: each plan puts an order into the back office."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.schema import Customer, Postal
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.people.addresses import draw_home
from diorama.scenarios.before_the_trip.words import ANSWERS, LETTERS, REASONS
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.outfitters import DAY, day, days, dollars
from diorama.scenarios.unported.shop import Due, known_since
from diorama.worlds.kittiwake.catalogue import BY_SKU, SMALL
from diorama.worlds.kittiwake.firm import FIRM

GOODS = tuple(good.sku for good in SMALL)
REGIONS = ("NS", "NB", "NL", "PE", "QC")


class Case(cases.Case, kw_only=True):
    """An order before a trip, and what must happen to it."""

    language: str
    answer: str
    """The reply; {again} stands for the number that the deed gives."""
    order_id: str
    shipment_id: str = ""
    skus: tuple[str, ...] = ()
    cancels: bool = False
    reships: bool = False
    moves_to: Postal | None = None
    returns: str = ""
    """The SKU that goes back."""


class Trip(msgspec.Struct, kw_only=True):
    """One variant while it is staged."""

    tx: Tx
    customer: Customer
    dice: Dice
    language: str
    plan: str

    def order(self, age_days: int, outcome: seed.orders.Outcome, expected_in: int = 0) -> History:
        """Add an order of one small good that stands still; a parcel on its way is expected on a weekday."""
        placed = self.tx.now - timedelta(days=age_days, minutes=self.dice.child("placed").integer(30, 240))
        known_since(self.tx, self.customer, placed)
        sku = self.dice.child("goods").pick(GOODS)
        past = seed.add_order_history(self.tx, self.customer, [(sku, 1)], placed, outcome=outcome, live=False)
        if past.shipment is not None and expected_in:
            due = FIRM.now(self.tx.now).replace(hour=12, minute=0, second=0) + expected_in * DAY
            while due.weekday() > 4:
                due += DAY
            moved = self.tx.change(past.shipment, estimated_at=due.astimezone(self.tx.now.tzinfo))
            past = msgspec.structs.replace(past, shipment=moved)
        return past

    def elsewhere(self) -> Postal:
        """Draw an address where the customer will be."""
        home = draw_home(self.dice.child("elsewhere"), self.dice.child("region").pick(REGIONS), FIRM.names)
        return Postal(
            name=self.customer.name,
            line1=home.line1,
            city=home.city,
            postal_code=home.postal_code,
            region=home.region,
            country=home.country,
        )

    def case(self, past: History, leaves_in: int, to: Postal | None = None, **more: Any) -> Case:
        """Return the case with letter and answer in the customer's language."""
        number, parcel, language = past.order.number, past.shipment, self.language
        cents = past.charge.amount_cents
        leaves = self.tx.now + leaves_in * DAY
        facts = {
            "order_number": number,
            "product": BY_SKU[past.lines[0].sku].name,
            "amount": dollars(cents, language),
            "leaves": day(leaves, language),
        }
        known = {"number": number, "amount": facts["amount"], "again": "{again}"}
        if parcel is not None:
            known |= {"carrier": parcel.carrier, "tracking": parcel.tracking_number}
            known["eta"] = day(parcel.estimated_at, language)
            known["came"] = day(parcel.closed_at or parcel.estimated_at, language)
        if to is not None:
            facts["address"] = f"{to.line1}, {to.city}, {to.region} {to.postal_code}"
            known |= {"line1": to.line1, "city": to.city}
        made = {
            "reason": REASONS[self.plan],
            "subject": "",
            "matter": list(LETTERS[self.plan][language]),
            "facts": facts,
            "order": number,
            "answer": ANSWERS[self.plan][language].format(**known),
            "language": language,
            "order_id": past.order.id,
            "shipment_id": parcel.id if parcel else "",
            "skus": tuple(line.sku for line in past.lines),
            "may_say_cents": (cents,),
            "say": ((number,),),
            "moves_to": to if more.pop("moves", False) else None,
        }
        return Case(**{**made, **more})

    def on_its_way(self, leaves_in: int, to: Postal | None = None, expected_in: int = 3) -> Case:
        """Return the case of a parcel that the carrier has: nothing can be done but say where it is."""
        past = self.order(age_days=4, outcome="in_transit", expected_in=expected_in)
        assert past.shipment is not None
        must_say = ((past.order.number,), (past.shipment.tracking_number,), days(past.shipment.estimated_at))
        return self.case(past, leaves_in, to, say=must_say)

    def paid_back(self, past: History) -> dict[str, Any]:
        """Return what a case needs in which the whole order is refunded."""
        cents = past.charge.amount_cents
        return {"dues": (Due(charges=(past.charge.id,), cents=cents),), "say_cents": (cents,)}


def in_time(trip: Trip) -> Case:
    """The parcel is on its way and comes before the trip."""
    expected = trip.dice.child("expected").integer(1, 3)
    return trip.on_its_way(leaves_in=expected + trip.dice.child("spare").integer(4, 9), expected_in=expected)


def cancel_it(trip: Trip) -> Case:
    """The order has not left, and the customer wants it stopped."""
    past = trip.order(age_days=0, outcome="open")
    return trip.case(past, trip.dice.child("leaves").integer(1, 4), cancels=True, **trip.paid_back(past))


def cancel_too_late(trip: Trip) -> Case:
    """The order cannot be stopped any more."""
    return trip.on_its_way(trip.dice.child("leaves").integer(1, 2), expected_in=trip.dice.child("eta").integer(3, 8))


def send_ahead(trip: Trip) -> Case:
    """The order has not left, and must go elsewhere."""
    past, to = trip.order(age_days=0, outcome="open"), trip.elsewhere()
    say = ((past.order.number,), (to.line1,))
    return trip.case(past, trip.dice.child("leaves").integer(1, 4), to, moves=True, say=say)


def redirect_too_late(trip: Trip) -> Case:
    """The parcel is on its way and cannot go elsewhere."""
    leaves = trip.dice.child("leaves").integer(1, 2)
    return trip.on_its_way(leaves, trip.elsewhere(), expected_in=trip.dice.child("eta").integer(3, 8))


def lost_again(trip: Trip) -> Case:
    """The parcel is lost, and the customer still needs it."""
    past = trip.order(age_days=trip.dice.child("age").integer(18, 26), outcome="lost")
    return trip.case(past, trip.dice.child("leaves").integer(8, 16), reships=True)


def lost_refund(trip: Trip) -> Case:
    """The parcel is lost, and the customer no longer needs it."""
    past = trip.order(age_days=trip.dice.child("age").integer(18, 26), outcome="lost")
    return trip.case(past, 1, **trip.paid_back(past))


def came_back(trip: Trip) -> Case:
    """The parcel came back because of its address."""
    right = default_address(trip.tx, trip.customer.id)
    number = str(trip.dice.child("house").integer(241, 980))
    to = msgspec.structs.replace(right, line1=re.sub(r"^\d+[a-c]?", number, right.line1), line2="")
    past = trip.order(age_days=trip.dice.child("age").integer(16, 24), outcome="returned")
    say = ((past.order.number,), (to.line1,))
    return trip.case(past, trip.dice.child("leaves").integer(9, 16), to, reships=True, moves=True, say=say)


def there_already(trip: Trip) -> Case:
    """The parcel was delivered days ago."""
    past = trip.order(age_days=trip.dice.child("age").integer(12, 18), outcome="delivered")
    assert past.shipment is not None
    came = past.shipment.closed_at or past.shipment.estimated_at
    return trip.case(past, trip.dice.child("leaves").integer(2, 6), say=((past.order.number,), days(came)))


def send_it_back(trip: Trip) -> Case:
    """The trip is off, and what arrived goes back."""
    past = trip.order(age_days=trip.dice.child("age").integer(12, 18), outcome="delivered")
    return trip.case(past, 3, returns=past.lines[0].sku)


PLANS: dict[str, Callable[[Trip], Case]] = {
    plan.__name__: plan
    for plan in (
        in_time,
        cancel_it,
        cancel_too_late,
        send_ahead,
        redirect_too_late,
        lost_again,
        lost_refund,
        came_back,
        there_already,
        send_it_back,
    )
}
