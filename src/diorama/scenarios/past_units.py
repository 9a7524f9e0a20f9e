"""Pasts of machines: bought, out of warranty, replaced before, out of stock, or owned by another customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.stock import months_later, receive_stock
from diorama.apps.backoffice.schema import Customer, Fault, Postal, Remedy, Shipment, Stock, Unit
from diorama.apps.backoffice.seed.orders import sent_in_time
from diorama.apps.backoffice.seed.products import Good
from diorama.people.addresses import draw_home
from diorama.scenarios.anatomy import split_of
from diorama.scenarios.cast import Phrase
from diorama.scenarios.desk_customers import without_expired_card
from diorama.scenarios.past import Scene, Step, names, only_for, step
from diorama.scenarios.past_faults import FAULTS, OF_ONE_BATCH, SOLD_DAYS_AGO, SYMPTOMS
from diorama.scenarios.past_moments import Days

EXTRAS = ("AC-TAMPER", "AC-JUG35", "AC-KNOCK", "AC-CUPS", "AC-CLEAN", "AC-DESCALE", "CF-HARBOUR", "CF-KOCHERE")
OF_THE_CUSTOMER = ("customer", "home")


def _can_buy(given: Mapping[str, Any]) -> str:
    """Return the condition that a customer does not own every machine that the step could sell to them."""
    skus = sorted({good.sku for good, _ in _fitting(given)})
    return (
        f"id NOT IN (SELECT customer_id FROM backoffice_units WHERE sku IN ({', '.join(map(repr, skus))}) "
        f"GROUP BY customer_id HAVING count(DISTINCT sku) >= {len(skus)})"
    )


def _fitting(given: Mapping[str, Any]) -> list[tuple[Good, Fault]]:
    """Return the products and their faults that the arguments of `machine` allow."""
    no_batches = given["ended"] is not None or given["pieces"] > 1
    return [
        (good, fault)
        for good, fault in FAULTS
        if fault.remedy in given["remedies"]
        and good.price_cents < given["below_cents"]
        and good.sku.startswith(given["kinds"])
        and not (no_batches and fault.code in OF_ONE_BATCH)
        and not (given["several_parts"] and len({one.part_sku for one in good.faults} - {""}) < 2)
    ]


@step
@only_for(_can_buy)
@names("order", "charge", "line", "parcel", "unit", "serial_number", "product", "symptom", "fault", "advice")
def machine(
    scene: Scene,
    remedies: Sequence[Remedy] = ("part", "replacement"),
    *,
    kinds: tuple[str, ...] = ("",),
    days_ago: Days | None = None,
    ended: Days | None = None,
    pieces: int = 1,
    below_cents: int = 10**9,
    several_parts: bool = False,
    whose: Literal["own", "stranger"] = "own",
    arrived: Days | None = None,
) -> None:
    """Add the purchase of a machine with a fault that the workshop knows, with one of these remedies.

    Names `unit`, `serial_number`, `product`, `symptom`, `fault`, and of the order `order`, `charge`, `line`, `parcel`.
    The machine is under warranty unless `ended` says how many days ago that was over. `arrived`: how many days ago it
    was delivered, then it was ordered about a week before. `several_parts`: the workshop knows several parts for it.
    `kinds`: how its SKU may begin, such as `GR-` for grinders. A customer has at most one machine of a kind, unless
    they bought several `pieces` together.
    """
    dice, owner = scene.roll("machine"), scene.customer
    if whose == "stranger":
        others = scene.tx.all(Customer, "id != ? AND name != ?", owner.id, owner.name, order="id")
        others = [one for one in others if split_of(one.id) == split_of(scene.customer.id)]
        owner = dice.pick(without_expired_card(others, scene.tx.now))
    owned = {one.sku for one in scene.tx.all(Unit, "customer_id = ?", scene.customer.id)}
    fitting = _fitting({
        "remedies": remedies, "kinds": kinds, "ended": ended, "pieces": pieces, "below_cents": below_cents,
        "several_parts": several_parts,
    })  # fmt: skip
    good, fault = dice.pick([one for one in fitting if one[0].sku not in owned])
    placed = _placed(scene, good, fault, days_ago, ended)
    goods = [(good.sku, pieces), *((sku, 1) for sku in dice.sample(EXTRAS, dice.integer(0, 2)))]
    delivered = scene.delivered_ago(arrived) if arrived else None
    if delivered is not None:  # it takes about a week
        placed = delivered - timedelta(days=dice.integer(5, 9))
    if whose == "own":
        scene.known_since(placed)
    past = seed.add_order_history(scene.tx, owner, goods, placed, outcome="delivered", delivered_at=delivered)
    scene.keep(past)
    serial = dice.pick(past.lines[0].serial_numbers)
    scene.cast |= {
        "line": past.lines[0],
        "unit": scene.tx.get(Unit, serial),
        "serial_number": serial,
        "product": good.name,
        "symptom": Phrase(dice.pick(SYMPTOMS[fault.code])),
        "fault": fault,
        "advice": fault.note,
    }


def _placed(scene: Scene, good: Good, fault: Fault, days_ago: Days | None, ended: Days | None) -> datetime:
    if ended is not None:
        return months_later(scene.ago(ended), -good.warranty_months)
    return scene.ago(days_ago or SOLD_DAYS_AGO.get(fault.code, (60, 30 * good.warranty_months - 45)))


@step
@names("replacement", "parcel")
def sent_before(
    scene: Scene,
    days_ago: Days,
    status: Literal["delivered", "in_transit", "lost"] = "delivered",
    *,
    another_part: bool = False,
) -> None:
    """Let a colleague have sent what the fault needs, or `another_part` for another fault: `replacement`, `parcel`."""
    unit, fault = scene.cast["unit"], scene.cast["fault"]
    if another_part:
        good = next(one for one, _ in FAULTS if one.sku == unit.sku)
        others = [one for one in good.faults if one.part_sku and one.part_sku != fault.part_sku]
        fault = scene.roll("other fault").pick(others)
    country = scene.cast["order"].shipping_address.country
    at = sent_in_time(scene.tx, scene.at_work(scene.ago(days_ago)), country, status)
    made = seed.add_replacement_history(
        scene.tx, scene.histories["order"], unit.id, at, scene.colleague(at), fault.symptom, fault.code, fault.part_sku,
        status,
    )  # fmt: skip
    parcel = scene.tx.get(Shipment, made.shipment_id)
    scene.cast |= {"replacement": made, "parcel": parcel, "unit": scene.tx.get(Unit, unit.id)}


@step
@names()
def out_of_stock(scene: Scene, hours: Days | None = None) -> None:
    """Empty the shelf of the machine: for good, or until a delivery comes in some hours."""
    dice, sku = scene.roll("stock"), scene.cast["unit"].sku
    stock, comes = scene.tx.get(Stock, sku), None
    if hours is not None:
        comes = scene.tx.now + timedelta(seconds=dice.integer(hours[0] * 3600, hours[1] * 3600))
        scene.tx.at(comes, receive_stock, sku=sku)
    more = dice.integer(8, 40) if comes else 0
    scene.tx.change(stock, on_hand=stock.reserved, incoming=more, incoming_at=comes)


@step
@names("typed")
def misread(scene: Scene) -> None:
    """Let one digit of the serial number be wrong in what the customer writes: `typed`."""
    dice, serial = scene.roll("misread"), scene.cast["serial_number"]
    while True:
        place = dice.integer(len(serial) - 5, len(serial) - 1)
        typed = serial[:place] + str((int(serial[place]) + dice.integer(1, 9)) % 10) + serial[place + 1 :]
        if scene.tx.find(Unit, typed) is None:
            scene.cast["typed"] = typed
            return


@step
@names("goal")
def moved_house(scene: Scene) -> None:
    """Let the customer have moved to a new address in the same country, which is not in the account: `goal`."""
    here = scene.cast["home"]
    home = draw_home(scene.roll("home"), here.country)
    scene.cast["goal"] = Postal(
        name=here.name, line1=home.line1, line2=home.line2, city=home.city, postal_code=home.postal_code,
        region=home.region, country=here.country,
    )  # fmt: skip


@step
@names("*pasts")
def besides(scene: Scene, *pasts: Sequence[Step], name: str = "other") -> None:
    """Let one of these pasts have happened, too; `name` comes before the names of its rows, as in `other_unit`."""
    cast, histories = scene.cast, scene.histories
    scene.cast, scene.histories = {key: cast[key] for key in OF_THE_CUSTOMER}, {}
    for one in scene.roll("besides").pick(pasts):
        one.happen(scene)
    scene.cast = {**cast, **{f"{name}_{key}": value for key, value in scene.cast.items() if key not in OF_THE_CUSTOMER}}
    scene.histories = {**histories, **{f"{name}_{key}": value for key, value in scene.histories.items()}}
