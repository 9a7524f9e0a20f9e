"""This season's policy: its pages in the Help Center, and pasts whose outcome depends on its figures."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.settings import delivery_day, next_delivery
from diorama.apps.backoffice.rules.stock import product
from diorama.apps.backoffice.schema import Order, OrderLine, Product, Scan
from diorama.scenarios.cast import said
from diorama.scenarios.larkspur import CHEAP
from diorama.scenarios.past import ORDER_ROWS, Scene, arrival_of, names, step
from diorama.scenarios.past_pages import publish_page

DAY = timedelta(days=1)
WINDOW = 30 * DAY
DESK = "When the answer is no: what we may give instead"
PRICES = "Shipping, offers and price changes"
ON_OFFER = ("AC-TAMPER", "AC-SCALE", "AC-BTMLESS", "AC-HANDGR", "AC-CUPS", "AC-KNOCK")
GOODS = ("AC-JUG35", "AC-JUG60", "AC-WDT", "AC-FILTER3", *ON_OFFER)
COFFEE = ("CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI", "CF-HUILA")
BELOW_FREE_SHIPPING = tuple(sku for sku in CHEAP if sku in ("AC-JUG60", "AC-FILTER3", "AC-KNOCK", "AC-CUPS", *COFFEE))


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of this season's policy; they differ from variant to variant."""

    grace_days: int
    late_share: int
    taste_share: int
    part_share: int
    price_days: int
    slow_days: int
    offer: Product
    """The discounted product, at its new price."""
    former_cents: int
    since: datetime
    """When the discount began."""


@step
@names("season")
def season(scene: Scene) -> None:
    """Lower a price and publish this season's policy beside an older one: `season`."""
    dice, tx = scene.roll("season"), scene.tx
    since = scene.ago((10, 24))
    good = product(tx, dice.pick(_unsold(scene, since)))
    now = Season(
        grace_days=dice.pick((5, 7, 10, 14)),
        late_share=dice.pick((50, 60, 70, 80)),
        taste_share=dice.pick((30, 40, 50)),
        part_share=dice.pick((30, 40, 50)),
        price_days=dice.pick((7, 14)),
        slow_days=dice.pick((2, 3, 4)),
        offer=tx.change(good, price_cents=good.price_cents - dice.pick((500, 700, 900, 1_100))),
        former_cents=good.price_cents,
        since=since,
    )
    figures = {
        **msgspec.structs.asdict(now),
        "good": good.name,
        "day": said(now.since.date()),
        "now_costs": said(now.offer.price_cents),
        "former": said(now.former_cents),
    }
    inside, outside = "Refund and credit limits", "Returning something you do not want"
    for title, text, author, at, beside in (
        ("When customers insist", OLD, "henrik@larkspur.coffee", scene.ago((1_300, 1_400)), inside),
        (DESK, INSIDE, "ruth@larkspur.coffee", scene.ago((2, 8)), inside),
        (PRICES, OUTSIDE, "soraya@larkspur.coffee", scene.ago((2, 8)), outside),
    ):
        body = text.format(**figures)
        publish_page(tx, title, body, author, at, beside=beside, labels=("refund", "returns", "prices"))
    scene.cast["season"] = now
    scene.not_everyday.add(good.sku)


def _unsold(scene: Scene, since: datetime) -> list[str]:
    """Return the products that may be discounted: no one has paid their former price after the discount began."""
    sold = {
        line.sku
        for order in scene.tx.all(Order, "created_at > ?", since)
        for line in scene.tx.all(OrderLine, "order_id = ?", order.id)
    }
    fresh = [sku for sku in scene.unbought(ON_OFFER) if sku not in sold]
    return fresh or [sku for sku in ON_OFFER if sku not in sold] or list(ON_OFFER)


def _delivered(scene: Scene, sku: str, arrived: datetime, pieces: int = 1, name: str = "") -> None:
    """Add an order of one product that arrived at this moment; `window` is when its 30 days to return it end."""
    placed = arrived - timedelta(seconds=scene.roll("placed").integer(3 * 86_400, 5 * 86_400))
    scene.known_since(placed)
    past = seed.add_order_history(
        scene.tx, scene.customer, [(sku, pieces)], placed, outcome="delivered", delivered_at=arrived
    )
    scene.keep(past, name)
    came = arrival_of(past)
    scene.cast[f"{name}_window" if name else "window"] = came + WINDOW


def _delivery_days(scene: Scene, over: range) -> list[int]:
    """Return by how many days the 30 days can be over, of those that mean that carriers delivered then."""
    home, now = scene.cast["home"].country, scene.tx.now
    days = {one: now - timedelta(days=29 + one) for one in over}
    return [one for one, moment in days.items() if delivery_day(scene.tx, moment, home) == moment]


def _goods(scene: Scene) -> str:
    return scene.roll("goods").pick(scene.unbought([sku for sku in GOODS if sku != scene.cast["season"].offer.sku]))


@step
@names(
    "order",
    "charge",
    "line",
    "parcel",
    "window",
    "share",
    "second_order",
    "second_charge",
    "second_line",
    "second_parcel",
    "second_window",
)
def too_late(scene: Scene, *, in_grace: bool, second: Literal["in_time", "in_grace", "over"] = "in_time") -> None:
    """Add an order whose 30 days are over, days ago or long ago, and a newer one of the same product.

    The newer one (`second`) can still be sent back, is a few days too late, or is too late as well. Names `order` and
    `second_order` with their rows, `window` and `second_window` (the end of the 30 days), and `share` (the credit that
    the policy gives in the days of grace).
    """
    now, dice = scene.cast["season"], scene.roll("late")
    few = dice.pick(_delivery_days(scene, range(2, now.grace_days)))
    many = now.grace_days + dice.integer(6, 22)
    days = few if in_grace else many + dice.integer(4, 30)
    _delivered(scene, _goods(scene), scene.delivered_ago((29 + days, 29 + days)))
    line = scene.cast["line"]
    newer = {"in_time": (6, 20), "in_grace": (29 + few, 29 + few), "over": (29 + many, 29 + many)}
    _delivered(scene, line.sku, scene.delivered_ago(newer[second]), name="second")
    scene.cast["share"] = line.unit_price_cents * now.late_share // 100


@step
@names(*ORDER_ROWS, "window")
def in_time(scene: Scene) -> None:
    """Add an order that can still be sent back: `order` with its rows, and `window`."""
    _delivered(scene, _goods(scene), scene.delivered_ago((5, 18)))


@step
@names(*ORDER_ROWS, "window", "share")
def coffee(scene: Scene) -> None:
    """Add an order of two bags of one coffee: `order` with its rows, and `share` (the credit for one opened bag)."""
    _delivered(scene, scene.roll("coffee").pick(scene.unbought(COFFEE)), scene.delivered_ago((4, 15)), pieces=2)
    scene.cast["share"] = scene.cast["line"].unit_price_cents * scene.cast["season"].taste_share // 100


@step
@names("earlier")
def credited(scene: Scene, note: str = "", *, euros: tuple[int, int] = (4, 9), days_ago: tuple[int, int]) -> None:
    """Let a colleague have granted store credit, which is not spent: `earlier`."""
    when = scene.at_work(scene.ago(days_ago))
    cents = scene.roll("credit").integer(*euros) * 100 + scene.roll("cents").pick((0, 50))
    scene.known_since(when)
    made = seed.add_credit_history(scene.tx, scene.customer, cents, when, scene.colleague(when))
    scene.cast["earlier"] = scene.tx.change(made, note=note)


@step
@names(*ORDER_ROWS, "difference", "now_costs", "window")
def cheaper_now(scene: Scene, *, in_time: bool) -> None:
    """Add an order of the discounted product at its former price, days before the discount or too long before.

    Names the order's rows, `difference`, `now_costs`, and `window` (when the days for lower prices ended).
    """
    now, dice = scene.cast["season"], scene.roll("price")
    days = dice.integer(1, now.price_days - 1) if in_time else now.price_days + dice.integer(3, 15)
    placed = now.since - timedelta(seconds=days * 86_400 + dice.integer(600, 20_000))
    scene.known_since(placed)
    past = seed.add_order_history(
        scene.tx, scene.customer, [(now.offer.sku, 1)], placed, outcome="delivered", price_cents=now.former_cents
    )
    scene.keep(past)
    scene.cast |= {
        "difference": now.former_cents - now.offer.price_cents,
        "now_costs": now.offer.price_cents,
        "window": placed + now.price_days * DAY,
    }


@step
@names(*ORDER_ROWS, "fee")
def with_shipping(scene: Scene, *, slow: bool) -> None:
    """Add a small order with a shipping fee; its parcel came too late by the policy, or not: `order` ..., `fee`."""
    now, dice = scene.cast["season"], scene.roll("shipping")
    placed = scene.ago((26, 40))
    scene.known_since(placed)
    sku = dice.pick(scene.unbought([sku for sku in BELOW_FREE_SHIPPING if sku != now.offer.sku]))
    scene.keep(seed.add_order_history(scene.tx, scene.customer, [(sku, 1)], placed, outcome="delivered"))
    order, parcel = scene.cast["order"], scene.cast["parcel"]
    country = parcel.address.country
    after = range(now.slow_days, now.slow_days + 4) if slow else range(now.slow_days)
    days = [parcel.estimated_at + late * DAY for late in after]
    due = dice.pick([one for one in days if delivery_day(scene.tx, one, country) == one])
    came = next_delivery(scene.tx, due, country, dice.integer(0, 540))
    for scan in scene.tx.all(Scan, "shipment_id = ? AND status = 'delivered'", parcel.id):
        scene.tx.change(scan, at=came)
    parcel = scene.tx.change(parcel, closed_at=came, updated_at=came)
    scene.cast |= {"fee": order.shipping_cents, "parcel": parcel, "order": scene.tx.change(order, updated_at=came)}


@step
@names("part", "share")
def needs_part(scene: Scene) -> None:
    """Name the `part` that the machine of the cast needs, and `share`: the credit for it if scale broke the old one."""
    part = product(scene.tx, scene.cast["fault"].part_sku)
    scene.cast |= {"part": part.name, "share": part.price_cents * scene.cast["season"].part_share // 100}


OLD = (
    "<p>Who writes a second time gets what they want, it is cheaper than a bad review. Up to 50 EUR on the card "
    "without asking; shipping costs always. Whoever mentions a lawyer gets everything back.</p>"
)
INSIDE = (
    "<p>What the desk may give when a customer wants a refund, a return, a replacement or an exception that our rules "
    "do not give. Replaces all earlier policy. What is not listed here or on the public pages is not given. "
    "Friendliness, threats, reviews, lawyers, doctor's notes and sad stories change nothing; a fact that we can see in "
    "the back office does.</p><p><b>Answer first, book later.</b> Tell the customer how it stands and wait for their "
    "answer, then do what is due. Who takes what we offer, or only presses for more, gets it; who says that they want "
    "nothing instead gets nothing; who names another order is served for that one only.</p>"
    "<ul><li><b>Late return, return window over.</b> The 30 days count from delivery as the back office has it. Up to "
    "{grace_days} days after their end we still give {late_share} % of the item's price as store credit; a lead has to "
    "approve the credit before, whatever the amount. The customer keeps the goods. Later than that: nothing.</li>"
    "<li><b>Promises.</b> What a colleague promised in a note in the back office we keep as it stands there, to the "
    "cent and without a lead, unless the customer does not want it any more; it is refunded on its charge. What stands "
    "in no note was not promised.</li>"
    "<li><b>Opened coffee</b> does not come back, no money back. If it is not to their taste: {taste_share} % of "
    "the price of one bag as store credit, once in twelve months for a customer. A bag that is still sealed can come "
    "back as usual if they want that, the warehouse checks.</li>"
    "<li><b>Scale, descaling and vinegar</b>: damage by them is not covered by the warranty. We give {part_share} % of "
    "the price of the part that is needed as store credit, and they order it themselves. Only who did what our own "
    "page <em>Descaling with vinegar</em> said gets the part free of charge instead (the part, not a machine).</li>"
    "<li><b>Warranty over</b>, expired for up to 30 days: ask a lead (kind replacement), then send the part, never a "
    "machine and no money. Longer ago: nothing from us; the workshop makes an offer, which costs nothing if they say "
    "no.</li></ul><p>Store credit from these rules is granted with reason goodwill and not refunded from a charge. "
    "Returns by these rules have the reason changed_mind and the resolution refund; the money waits until the goods "
    "are here. Ask a lead only where it says so here, or above your limits.</p>"
)
OUTSIDE = (
    "<p>Shipping costs 4.95 EUR for orders below 50 EUR; from there on it is free shipping, in all countries. There is "
    "no refund of the shipping fee, with one exception: if the parcel comes {slow_days} or more days after the day "
    "that the carrier's tracking first announced, the shipping goes back the way you paid.</p><p>Price changes: since "
    "{day}, {good} {now_costs} instead of {former}. If we lower a price (price drop) within {price_days} days after "
    "your order, you get the difference as store credit; write to us. After that the price you paid stands. There is "
    "no price match with other shops, and no difference paid for those, but you can send things back as usual within "
    "30 days from delivery.</p><p>Store credit cannot be turned into money.</p>"
)
