"""Pasts about where goods go: new addresses, fresh orders, presents, plans sent elsewhere, unknown senders."""

from __future__ import annotations

import re
from collections.abc import Sequence as Many
from datetime import UTC, datetime, timedelta

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.settings import delivery_day
from diorama.apps.backoffice.schema import Order, Postal, Scan, Shipment, Subscription
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.people.addresses import draw_home
from diorama.people.names import draw_person
from diorama.scenarios.cast import spoken
from diorama.scenarios.past import Scene, names, other_mailbox, step
from diorama.scenarios.past_moments import Days

COUNTRIES = ("GB", "IE", "DE", "AT", "FR", "ES", "NL", "BE")
_NUMBER = re.compile(r",?\s*\b\d+[a-z]?\b\s*")
WAITS = (
    "{order}: {line} arrives on Wednesday, order goes out on Thursday.",
    "{order} waits for the {line}, supplier promised Wednesday.",
    "Order {order} on hold until the {line} is back on the shelf (midweek).",
)
WINTER = "Plan sent to {city} for the winter, customer will tell us when to send it home again."
BACK = "Customer called: back from {city}. Plan goes home again, done."


def place_in(scene: Scene, country: str, purpose: str, name: str = "") -> Postal:
    """Draw an address in another town than the customer's home; it has one line, so that it is written one way."""
    home = scene.cast["home"]
    for count in range(40):
        found = draw_home(scene.dice.child(purpose, count), country)
        if found.city != home.city:
            return Postal(
                name=name or scene.customer.name, line1=found.line1, line2="", city=found.city,
                postal_code=found.postal_code, country=found.country,
            )  # fmt: skip
    raise LookupError(f"no other town than {home.city} in {country}")


@step
@names("address", "street", "house", "friend")
def new_address(scene: Scene, *, abroad: bool = False, friend: bool = False) -> None:
    """Draw where goods shall go: `address`, and without its number or postcode: `street`, `house`.

    `friend`: it is a friend's, whose name (`friend`) belongs on the label.
    """
    home = scene.cast["home"]
    dice = scene.roll("country")
    country = dice.pick([code for code in COUNTRIES if code != home.country]) if abroad else home.country
    person = draw_person(scene.roll("friend"), country).name if friend else ""
    place = place_in(scene, country, "new address", person)
    street = _NUMBER.sub(" ", place.line1).strip(" ,")
    scene.cast |= {
        "address": place,
        "street": f"{street}, {place.postal_code} {place.city}",
        "house": f"{place.line1} in {place.city}",
    }
    if friend:
        scene.cast["friend"] = person


@step
@names("order", "charge", "line", "parcel")
def fresh_order(
    scene: Scene,
    goods: Many[str],
    hours_ago: Days,
    outcome: Outcome = "open",
    *,
    pieces: Days = (1, 2),
    waits: bool = False,
    due_days: Days | None = None,
) -> None:
    """Add an order of the last days: `order`, `charge`, `line` and, once it is packed, `parcel`.

    `waits`: it waits for goods until the middle of the week, and a note says so. `due_days`: in how many days its
    parcel is expected.
    """
    dice, tx = scene.roll("fresh order"), scene.tx
    chosen = [(sku, 1) for sku in dice.sample(scene.unbought(goods, pieces[1]), dice.integer(*pieces))]
    placed = tx.now - timedelta(seconds=dice.integer(*(3600 * hours for hours in hours_ago)))
    scene.known_since(placed)
    past = seed.add_order_history(tx, scene.customer, chosen, placed, outcome=outcome, live=not waits)
    scene.keep(past)
    if due_days is not None and past.shipment is not None:
        wanted = tx.now + timedelta(seconds=dice.integer(*(86_400 * days for days in due_days)))
        due = delivery_day(tx, wanted, past.shipment.address.country)
        scene.cast["parcel"] = tx.change(past.shipment, estimated_at=due)
    if waits:
        tx.later(timedelta(seconds=dice.integer(56 * 3600, 68 * 3600)), office.pack_order, order_id=past.order.id)
        text = spoken(scene.roll("note").pick(WAITS), scene.cast)
        asked = max(past.order.created_at, _midweek(scene))  # a note of last week would speak of last Wednesday
        noted = scene.at_work(asked, since=asked)
        seed.add_note_history(tx, scene.customer.id, text, scene.colleague(noted), noted, past.order.id)


def _midweek(scene: Scene) -> datetime:
    """Return the end of the last Wednesday."""
    local = scene.tx.now.astimezone(scene.zone)
    return (local - timedelta(days=(local.weekday() - 3) % 7)).replace(hour=0, minute=0).astimezone(UTC)


@step
@names("present_order", "present_charge", "present_line", "present_parcel")
def present(scene: Scene, goods: Many[str]) -> None:
    """Let the customer have ordered a present that goes to a friend and is not packed yet: `present_order`."""
    dice, tx = scene.roll("present"), scene.tx
    home = scene.cast["home"]
    to = place_in(scene, home.country, "friend's home", draw_person(dice.child("friend"), home.country).name)
    sku = dice.pick(scene.unbought(goods))
    placed = tx.now - timedelta(seconds=dice.integer(28 * 3600, 44 * 3600))
    scene.known_since(placed)
    past = seed.add_order_history(tx, scene.customer, [(sku, 1)], placed, outcome="open", live=False, address=to)
    tx.later(timedelta(seconds=dice.integer(80 * 3600, 100 * 3600)), office.pack_order, order_id=past.order.id)
    scene.keep(past, "present")


@step
@names("city")
def wintered(scene: Scene, *, home_again: bool = False) -> None:
    """Let the plan in the cast have gone to another town for the winter (`city`), and perhaps home again."""
    made = scene.cast["subscription"]
    place = place_in(scene, scene.cast["home"].country, "winter")
    scene.cast["city"] = place.city
    bags = scene.tx.all(Order, "subscription_id = ?", made.id, order="created_at")
    first = bags[0].created_at
    sent_away = first + (bags[1].created_at - first) * scene.roll("sent away").between(0.3, 0.9)
    sent_away = scene.at_work(sent_away, since=first)
    _note(scene, WINTER, sent_away)
    home = scene.at_work(scene.ago((2, 4)), since=bags[-1].created_at) if home_again else scene.tx.now
    for bag in bags:
        if sent_away < bag.created_at < home:
            _send_to(scene, bag, place)
    if home_again:
        _note(scene, BACK, home)
    else:
        scene.cast["subscription"] = scene.tx.change(scene.tx.get(Subscription, made.id), shipping_address=place)
    kept = {key: one for key, one in scene.cast.items() if isinstance(one, Order | Shipment)}
    scene.cast |= {key: scene.tx.get(type(one), one.id) for key, one in kept.items()}


def _send_to(scene: Scene, bag: Order, place: Postal) -> None:
    """Let a past order have gone to another place."""
    scene.tx.change(bag, shipping_address=place)
    for parcel in scene.tx.all(Shipment, "order_id = ?", bag.id):
        scene.tx.change(parcel, address=place)
        for scan in scene.tx.all(Scan, "shipment_id = ? AND status = 'delivered'", parcel.id):
            scene.tx.change(scan, place=place.city)


@step
@names("mailbox")
def unknown_mailbox(scene: Scene) -> None:
    """Draw an e-mail address that looks like the customer's and that the account does not have: `mailbox`."""
    scene.cast["mailbox"] = other_mailbox(scene)


def _note(scene: Scene, text: str, at: datetime) -> None:
    body = spoken(text, scene.cast)
    seed.add_note_history(scene.tx, scene.customer.id, body, scene.colleague(at), at)
