"""Plans for customers who want goods sent elsewhere; each creates its history in the back office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.schema import Customer, Postal, Subscription
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.kernel import Dice, Tx
from diorama.people.names import draw_person
from diorama.scenarios.address_change.places import (
    COUNTRIES,
    Thing,
    new_home,
    one_line,
    without_number,
    without_postcode,
)
from diorama.scenarios.coffee_goods import TRIFLES
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import money, spoken_dates
from diorama.worlds.larkspur.catalogue import OFFERS

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MONTHLY = tuple(offer.code for offer in OFFERS if offer.active and offer.interval_weeks == 4)
OFFICES = ("studio-noord.nl", "harlowandpryce.co.uk", "fieldnotes.io", "brightwell.org", "kestrel-design.com")
MAILBOXES = ("proton.me", "icloud.com", "gmx.net", "outlook.com", "mail.com")
COUNTRY_NAMES = {
    "GB": "England",
    "IE": "Ireland",
    "DE": "Germany",
    "AT": "Austria",
    "FR": "France",
    "ES": "Spain",
    "NL": "the Netherlands",
    "BE": "Belgium",
}
ASKS = {
    "number": "Thank you for writing. The new address has no house number yet: could you tell us the number, please?",
    "postcode": "Thank you for writing. For the label we need the postcode of the new address: what is it, please?",
    "sender": (
        "Thank you for writing. You are writing from an e-mail address that is not on the account of this order. "
        "To protect our customers we change nothing yet: please write to us from the e-mail address of the account."
    ),
}
"""The questions a careful agent asks before changing anything."""


class Case(cases.Case, kw_only=True):
    """A customer who wants goods sent elsewhere."""

    reason: str = "reason_address"
    answer: str
    """The true answer to send in the end."""
    wish: str = "Please send it to the new address."
    moves: tuple[Thing, ...] = ()
    keeps: tuple[Thing, ...] = ()
    orders: tuple[str, ...] = ()
    """Orders that the task covers."""
    unpacks: bool = False
    """Whether goods may be put back on the shelf or taken from it."""
    cancels: str = ""
    returned: str = ""
    """A parcel that was returned and must be sent again."""
    asks: str = ""
    known_as: tuple[str, ...] = ()
    moved: bool = False
    """Whether the customer has moved house, so that the address book may change."""


class Scene:
    """The start of every plan: a customer, a new address, and dice."""

    def __init__(self, tx: Tx, customer: Customer, dice: Dice) -> None:
        self.tx = tx
        self.customer = customer
        self.dice = dice
        self.home = default_address(tx, customer.id)
        self.goal = new_home(dice.child("goal"), customer.name, self.home.country)

    def buy(self, placed: timedelta, outcome: Outcome, *, most: int = 2, **fields: bool | Postal) -> History:
        """Add an order of random goods, placed this long ago."""
        chosen = [(sku, 1) for sku in self.dice.sample(TRIFLES, self.dice.integer(1, most))]
        return self.order(chosen, placed, outcome, **fields)

    def order(
        self, goods: Sequence[tuple[str, int]], placed: timedelta, outcome: Outcome, **fields: bool | Postal
    ) -> History:
        """Add an order of exactly these goods."""
        return seed.add_order_history(
            self.tx,
            self.customer,
            goods,
            self.tx.now - placed,
            outcome=outcome,
            **fields,  # type: ignore[arg-type] # an address or a flag
        )

    def packed(self) -> History:
        """Add a weekend order: packed, labelled, and waiting for this afternoon's van."""
        return self.buy(self.dice.integer(13, 26) * HOUR, "label_created")

    def open(self) -> History:
        """Add an order from last night that is not yet packed."""
        return self.buy(self.dice.integer(2, 10) * HOUR, "open")

    def delayed(self) -> History:
        """Add an order that waits for stock and is packed in the middle of the week."""
        past = self.buy(self.dice.integer(20, 40) * HOUR, "open", live=False)
        hours = self.dice.integer(56, 68)
        self.tx.later(hours * HOUR, office.pack_order, order_id=past.order.id)
        body = self.dice.pick(
            (
                f"{past.order.number}: {past.lines[0].name} arrives on Wednesday, order goes out on Thursday.",
                f"{past.order.number} waits for the {past.lines[0].name}, supplier promised Wednesday.",
                f"Order {past.order.number} on hold until the {past.lines[0].name} is back on the shelf (midweek).",
            )
        )
        seed.add_note_history(
            self.tx, self.customer.id, body, "piet@larkspur.coffee", self.tx.now - 14 * HOUR, past.order.id
        )
        return past

    def coffee(self) -> Subscription:
        """Add a coffee subscription that has run for months and renews soon."""
        due = self.tx.now + timedelta(days=self.dice.integer(3, 13), hours=self.dice.integer(1, 9))
        started = due - timedelta(weeks=4 * self.dice.integer(3, 6))
        return seed.add_subscription_history(self.tx, self.customer, self.dice.pick(MONTHLY), started)[0]

    def away(self) -> Postal:
        """Draw an address in another town of the same country."""
        for count in range(20):
            found = new_home(self.dice.child("away", count), self.customer.name, self.home.country)
            if found.city != self.home.city:
                return found
        raise LookupError(f"no other town than {self.home.city}")

    def present(self) -> Thing:
        """Add an order that the customer sent to a friend; it is not part of the case."""
        friend = draw_person(self.dice.child("friend"), self.home.country)
        to = new_home(self.dice.child("friend's home"), friend.name, self.home.country)
        past = self.buy(self.dice.integer(28, 44) * HOUR, "open", most=1, live=False, address=to)
        self.tx.later(self.dice.integer(80, 100) * HOUR, office.pack_order, order_id=past.order.id)
        return Thing(what="order", id=past.order.id, to=to)

    def subject(self, number: str = "") -> str:
        """Return the subject of the mail."""
        return self.dice.pick(
            (
                "Change of address",
                "new address",
                f"Order {number}" if number else "Moving",
                "Wrong delivery address!",
                "Delivery",
                f"{number} - different address please" if number else "Coffee to another place",
                "quick question about my delivery",
                "URGENT address",
                "Can you still change this?",
                "adress change",
                "where my parcel goes",
            )
        )


def order_facts(past: History, **more: str) -> dict[str, str]:
    """Return the facts about an order that a customer can state."""
    return {"order_number": past.order.number, "product": past.lines[0].name, **more}


def to_order(past: History, to: Postal) -> Thing:
    """Return an order with the address it must go to."""
    return Thing(what="order", id=past.order.id, to=to)


def to_coffee(subscription: Subscription, to: Postal) -> Thing:
    """Return a subscription with the address it must go to."""
    return Thing(what="subscription", id=subscription.id, to=to)


def names_it(place: Postal) -> tuple[str, ...]:
    """Return the ways to state an address."""
    return (place.line1, place.postal_code)


WHICH = "[order {order_number}|the {product} I ordered (order {order_number})|my order {order_number}]"
WHY = (
    "[I typed the old address without thinking.|The browser filled in the old address and I did not look.]",
    "[I will be at my sister's that week.|We are staying elsewhere while the kitchen is being done.]",
    "[Nobody is at home in the daytime, so the office is safer.|The porter at work takes parcels, at home nobody.]",
    "[We got the keys earlier than planned.|The move went faster than we thought.]",
    "[My flatmate and I have parted ways, long story.|I no longer live there, long story.]",
)
"""Reasons why people want goods sent elsewhere."""


# --- the plans


def on_the_ramp(scene: Scene) -> Case:
    """Packed and labelled, but not yet collected: a new label can still be printed."""
    return _one_order(scene, scene.packed(), "[It has not left yet, has it?|I hope I am not too late.]")


def not_packed(scene: Scene) -> Case:
    """Ordered last night: the order itself can still change."""
    return _one_order(scene, scene.open(), "[I ordered only last night.|I ordered a few hours ago.]")


def for_a_friend(scene: Scene) -> Case:
    """The order goes to a friend, whose name must be on the label."""
    past = scene.packed()
    friend = draw_person(scene.dice.child("receiver"), scene.home.country).name
    goal = msgspec.structs.replace(scene.goal, name=friend)
    return Case(
        subject=scene.subject(past.order.number),
        matter=[
            f"{WHICH} is a present after all.",
            "[Please send it straight to {friend}|Could it go directly to {friend}], {address}.",
            "[It has to be the name on the bell, the postman there is strict.|With that name on it, please, not mine.]",
        ],
        facts=order_facts(past, address=one_line(goal), friend=friend),
        moves=(to_order(past, goal),),
        orders=(past.order.id,),
        say=(names_it(goal), (friend, friend.split()[0])),
        answer=f"Hello, order {past.order.number} now goes to {friend}, {one_line(goal)}.",
        wish="Please send it to {friend}, {address}.",
    )


def subscription_only(scene: Scene) -> Case:
    """The customer has moved house: only the subscription must follow."""
    subscription = scene.coffee()
    return Case(
        subject=scene.subject(),
        matter=[
            "[we have moved|I have moved house|we moved last week], so the coffee [has to|must] follow.",
            "From the next bag on [my subscription goes to|please send the subscription to] {address}.",
            "[The old place is let already.|The new people at the old flat drink tea.|Paint everywhere.]",
        ],
        facts={"address": one_line(scene.goal)},
        moves=(to_coffee(subscription, scene.goal),),
        moved=True,
        say=(names_it(scene.goal), ("subscription", "coffee", "bag")),
        answer=f"Hello, your coffee subscription goes to {one_line(scene.goal)} from the next bag on.",
        wish="Please send my coffee to {address}.",
    )


def order_and_subscription(scene: Scene) -> Case:
    """The customer has moved house with an order still in the warehouse: order and subscription must follow."""
    past, subscription = scene.packed(), scene.coffee()
    return Case(
        subject=scene.subject(past.order.number),
        matter=[
            "[we are moving|I am moving] [this week|in two days], to {address}.",
            f"[Two things|Two things have to follow me]: {WHICH}, and the coffee subscription.",
            "[Both should go to the new address from now on.|Please change both, I will not be at the old place.]",
        ],
        facts=order_facts(past, address=one_line(scene.goal)),
        moves=(to_order(past, scene.goal), to_coffee(subscription, scene.goal)),
        orders=(past.order.id,),
        moved=True,
        say=(names_it(scene.goal), ("subscription", "coffee"), ("order", "parcel", past.order.number)),
        answer=f"Hello, order {past.order.number} and your subscription both go to {one_line(scene.goal)} now.",
        wish="Please send both, the order and my subscription, to {address}.",
    )


def only_this_once(scene: Scene) -> Case:
    """One parcel goes elsewhere; the subscription keeps its address."""
    past, subscription = scene.open(), scene.coffee()
    case = _one_order(
        scene,
        past,
        "[Only this one parcel, the coffee subscription stays as it is.|"
        "Just this once please, my subscription keeps coming home as always.]",
    )
    case.keeps = (to_coffee(subscription, subscription.shipping_address),)
    return case


def home_again(scene: Scene) -> Case:
    """The customer is back home: the subscription goes to the address on file again."""
    subscription = scene.coffee()
    away = scene.away()
    scene.tx.change(subscription, shipping_address=away)
    seed.add_note_history(
        scene.tx,
        scene.customer.id,
        f"Subscription sent to {away.city} for the winter, customer will tell us when to send it home again.",
        "soraya@larkspur.coffee",
        scene.tx.now - scene.dice.integer(60, 90) * DAY,
    )
    return Case(
        subject=scene.subject(),
        matter=[
            "[we are back from {city}|the winter in {city} is over|our months in {city} are over].",
            "[Please send the coffee home again|Can the coffee come home again], [as before|you know the address].",
            "[It was lovely, but one misses one's own kitchen.|Nobody is left in {city} to take the parcel.]",
        ],
        facts={"city": away.city, "address": one_line(scene.home)},
        moves=(to_coffee(subscription, scene.home),),
        say=(names_it(scene.home), ("subscription", "coffee", "bag")),
        answer=f"Hello and welcome back! Your coffee subscription goes to {one_line(scene.home)} again.",
        wish="Please send my coffee to my home address again.",
    )


def with_the_carrier(scene: Scene) -> Case:
    """Too late: the carrier has the parcel; the reply must say so."""
    past = scene.buy(scene.dice.integer(74, 110) * HOUR, "in_transit")
    assert past.shipment is not None
    due = (scene.tx.now + scene.dice.integer(1, 3) * DAY).replace(hour=16)
    parcel = scene.tx.change(past.shipment, estimated_at=due)
    case = _one_order(scene, past, "[I hope it is still with you.|Please tell me this is still possible.]")
    case.moves, case.keeps = (), (to_order(past, past.order.shipping_address),)
    case.say = (
        (parcel.tracking_number,),
        (parcel.carrier,),
        spoken_dates(due),
        ("no longer", "cannot", "can't", "can not", "not possible", "too late", "unable", "not able", "impossible"),
    )
    case.answer = (
        f"Hello, I am sorry: order {past.order.number} was handed to {parcel.carrier} before your mail came, and its "
        f"address can no longer be changed. It is expected on {_spoken(due)}; the tracking number is "
        f"{parcel.tracking_number}."
    )
    case.wish = "Please tell me what happens with my parcel now."
    return case


def number_missing(scene: Scene) -> Case:
    """The new address has no house number: the agent has to ask."""
    past = scene.delayed()
    case = _one_order(scene, past, "[Thanks for your patience with me.|That should be all you need.]")
    case.matter = [line.replace("{address}", "{street}") for line in case.matter]
    case.facts["street"] = without_number(scene.goal)
    case.asks, case.wish = "number", "Please send it to the new address, not the old one."
    return case


def postcode_missing(scene: Scene) -> Case:
    """The new address of the subscription has no postcode: the agent has to ask."""
    case = subscription_only(scene)
    case.matter = [line.replace("{address}", "{street}") for line in case.matter]
    case.facts["street"] = without_postcode(scene.goal)
    case.asks, case.wish = "postcode", "Please send my coffee to the new flat."
    return case


def unknown_sender(scene: Scene) -> Case:
    """The real customer writes from a work address: change it only after they write from their own address."""
    past = scene.delayed()
    case = _one_order(scene, past, _from_elsewhere())
    given = scene.customer.name.split()[0].lower()
    case.email = f"{given}.{scene.dice.integer(2, 79)}@{scene.dice.pick(OFFICES)}"
    case.known_as, case.asks = (scene.customer.email,), "sender"
    case.wish = "Please send order {order_number} to {address}."
    return case


def stranger(scene: Scene) -> Case:
    """A stranger with an order number wants the goods: nothing may change."""
    past = scene.delayed()
    case = _one_order(scene, past, _from_elsewhere())
    local = scene.customer.email.split("@")[0].replace(".", "").replace("-", "")[:12]
    case.email = f"{local}{scene.dice.integer(11, 98)}@{scene.dice.pick(MAILBOXES)}"
    case.moves, case.orders, case.keeps = (), (), (to_order(past, past.order.shipping_address),)
    case.say = (
        ("e-mail", "email", "mailbox", "address you ordered with", "address on"),
        ("account", "on file", "registered", "you ordered with", "used for the order", "placed with"),
        ("from", "using", "verify", "confirm"),
    )
    case.answer = ASKS["sender"]
    case.wish = "I need this changed today, please."
    return case


def wrong_number(scene: Scene) -> Case:
    """Two orders are open, and the mail names the wrong number: the contents show which one is meant."""
    first, second, *rest = scene.dice.child("two baskets").sample(TRIFLES, scene.dice.integer(3, 4))
    named = scene.order([(second, 1), *((sku, 1) for sku in rest)], scene.dice.integer(14, 20) * HOUR, "label_created")
    meant = scene.order([(first, 1)], scene.dice.integer(3, 9) * HOUR, "open")
    return Case(
        subject=scene.subject(named.order.number),
        matter=[
            "[about my order {order_number}, the one with the {product}|order {order_number}, that is the {product}].",
            "[It should go to|Please send it to] {address}.",
            "[Only the {product}; everything else may come home.|The other order is fine, that one I need at home.]",
        ],
        facts={
            "order_number": named.order.number,
            "product": meant.lines[0].name,
            "address": one_line(scene.goal),
        },
        moves=(to_order(meant, scene.goal),),
        keeps=(to_order(named, named.order.shipping_address),),
        orders=(meant.order.id,),
        say=(names_it(scene.goal), (meant.order.number,)),
        answer=(
            f"Hello, the {meant.lines[0].name} is in order {meant.order.number}; that order now goes to "
            f"{one_line(scene.goal)}. Order {named.order.number} stays as it is."
        ),
        wish="Please send the {product} to {address}.",
    )


def came_back(scene: Scene) -> Case:
    """The parcel went to the old address and was returned: it must be sent again, to the new address."""
    past = scene.buy(scene.dice.integer(13, 20) * DAY, "returned")
    assert past.shipment is not None
    assert past.shipment.closed_at is not None
    number = past.order.number
    seed.add_note_history(
        scene.tx,
        scene.customer.id,
        scene.dice.pick(
            (
                f"Parcel of {number} is back: moved, address unknown to the carrier. Waiting for the customer.",
                f"{number} returned to sender (not at this address). Goods unpacked, in good order.",
            )
        ),
        "joost@larkspur.coffee",
        past.shipment.closed_at + HOUR,
        past.order.id,
    )
    return Case(
        subject=scene.subject(number),
        matter=[
            f"[your carrier says that {WHICH} went back to you|I think {WHICH} has gone back to you].",
            "[No wonder, I have moved.|My mistake, that was the old address.]",
            "[Please send it again, to|Could you send it once more, this time to] {address}.",
        ],
        facts=order_facts(past, address=one_line(scene.goal)),
        moves=(to_order(past, scene.goal),),
        orders=(past.order.id,),
        unpacks=True,
        returned=past.shipment.id,
        moved=True,
        say=(names_it(scene.goal),),
        answer=f"Hello, we are sending order {number} once more, this time to {one_line(scene.goal)}.",
        wish="Please send it again, to {address}.",
    )


def abroad(scene: Scene) -> Case:
    """The order cannot go to another country: it is cancelled and refunded, as the customer asked in that case."""
    past = scene.open()
    elsewhere = scene.dice.pick([code for code in COUNTRIES if code != scene.home.country])
    goal = new_home(scene.dice.child("abroad"), scene.customer.name, elsewhere)
    cents = past.charge.amount_cents
    return Case(
        subject=scene.subject(past.order.number),
        matter=[
            "[my new job starts earlier than planned, in {country}|we are off to {country} sooner than we thought].",
            f"Can {WHICH} go to {{address}}?",
            "[If that does not work, cancel it and give me my money back.|Otherwise please cancel it and refund me.]",
            "[I will order again once I am there.|No hard feelings.]",
        ],
        facts=order_facts(past, address=one_line(goal), country=COUNTRY_NAMES[elsewhere]),
        keeps=(),
        orders=(past.order.id,),
        unpacks=True,
        cancels=past.order.id,
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        say=(("cancel",),),
        answer=(
            f"Hello, the country of an order cannot be changed. As you asked, order {past.order.number} is cancelled, "
            f"and we have refunded {money(cents)} to your card."
        ),
        wish="Please send it to {address}, or cancel it and give me my money back.",
    )


PLANS: dict[str, Callable[[Scene], Case]] = {
    plan.__name__: plan
    for plan in (
        on_the_ramp,
        not_packed,
        for_a_friend,
        subscription_only,
        order_and_subscription,
        only_this_once,
        home_again,
        with_the_carrier,
        number_missing,
        postcode_missing,
        unknown_sender,
        stranger,
        wrong_number,
        came_back,
        abroad,
    )
}


def _one_order(scene: Scene, past: History, last: str) -> Case:
    """Return the simple case: one order, one new address."""
    goal = scene.goal
    return Case(
        subject=scene.subject(past.order.number),
        matter=[
            f"{WHICH} [should go somewhere else|is going to the wrong place|needs another address].",
            scene.dice.pick(WHY),
            "[Please send it to|The right address is|It has to go to] {address}.",
            last,
        ],
        facts=order_facts(past, address=one_line(goal)),
        moves=(to_order(past, goal),),
        orders=(past.order.id,),
        say=(names_it(goal),),
        answer=f"Hello, order {past.order.number} now goes to {one_line(goal)}. Thank you for telling us in time.",
        wish="Please send it to {address}.",
    )


def _from_elsewhere() -> str:
    return (
        "[I am writing from another mailbox, I cannot get into the old one right now.|"
        "Do not wonder about the mail address, this is the one I have at hand.|"
        "Please answer here, I hardly read the other mailbox.]"
    )


def _spoken(moment: datetime) -> str:
    return spoken_dates(moment)[1]
