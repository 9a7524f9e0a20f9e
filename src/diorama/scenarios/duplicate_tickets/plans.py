"""Plans for customers who write several times; each creates its history in the back office and its mails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.stock import product
from diorama.apps.backoffice.schema import Customer, CustomerEmail
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios.coffee_goods import SMALL_GOODS
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import money, spoken_dates
from diorama.worlds.larkspur.catalogue import OFFERS

CHEAP = ("CF-KOCHERE", "CF-NYERI")
MOST_CENTS = 13_500
"""The maximum value of an order: a higher refund would need a lead's approval."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MAIN, SECOND, STRANGER = 0, 1, 2


class Letter(msgspec.Struct, kw_only=True):
    """One mail: its issue, its sender address, and how a colleague handled it."""

    subject: str
    matter: Sequence[str]
    about: int = MAIN
    elsewhere: bool = False
    """Whether it was written from the other address."""
    answered: str = ""
    """What a colleague answered to it."""
    solved: bool = False
    """Whether the colleague marked it solved."""


class Matter(msgspec.Struct, kw_only=True):
    """One issue to settle, in one ticket."""

    reason: str
    order: str
    answer: str
    """The true answer to send in the end."""
    dues: tuple[Due, ...] = ()
    say_cents: tuple[int, ...] = ()
    may_say_cents: tuple[int, ...] = ()
    say: tuple[tuple[str, ...], ...] = ()
    subscription_id: str = ""
    wish: str = "Please send me my money back."


class Case(msgspec.Struct, kw_only=True):
    """One variant during staging."""

    letters: list[Letter]
    matters: list[Matter]
    facts: dict[str, str]
    stranger_facts: dict[str, str] = {}


class Scene:
    """The start of every plan: the customer, another customer, both addresses, and dice."""

    def __init__(self, tx: Tx, customer: Customer, other: Customer, second: str, dice: Dice) -> None:
        self.tx, self.customer, self.other, self.second, self.dice = tx, customer, other, second, dice

    def bought(self, low: int = 1, high: int = 2, outcome: Any = "lost", days: tuple[int, int] = (14, 30)) -> History:
        """Add a past order of the customer."""
        skus = self.dice.sample(SMALL_GOODS, self.dice.integer(low, high))
        while len(skus) > low and sum(product(self.tx, sku).price_cents for sku in skus) > MOST_CENTS:
            skus = skus[:-1]
        if sum(product(self.tx, sku).price_cents for sku in skus) > MOST_CENTS:
            skus = [*CHEAP[: low - 1], skus[0]]
        goods = [(sku, 1) for sku in skus]
        placed = self.tx.now - self.dice.integer(*days) * DAY - self.dice.integer(0, 600) * timedelta(minutes=1)
        return seed.add_order_history(self.tx, self.customer, goods, placed, outcome=outcome)

    def twice(self) -> tuple[History, Due]:
        """Add an order that was paid twice; return it and the refund that is due."""
        past = self.bought(1, 3, "delivered", (5, 14))
        second = seed.add_second_charge(self.tx, past)
        return past, Due(charges=(past.charge.id, second.id), cents=past.charge.amount_cents)

    def vouched(self) -> None:
        """Add the other address to the customer's account."""
        customer, at = self.customer, self.customer.created_at
        self.customer = self.tx.change(customer, emails=(*customer.emails, self.second))
        self.tx.add(CustomerEmail(customer_id=customer.id, email=self.second, created_at=at))

    def subject(self, *more: str) -> str:
        """Return the subject of a mail."""
        return self.dice.pick(("Order", "my order", "Hello??", "Complaint", "Question about an order", "Help", *more))


def owed(past: History, reason: str, due: Due | None = None) -> Matter:
    """Return the issue of an order that must be refunded."""
    due = due or Due(charges=(past.charge.id,), cents=past.charge.amount_cents)
    number = past.order.number
    return Matter(
        reason=reason,
        order=number,
        dues=(due,),
        say_cents=(due.cents,),
        may_say_cents=(past.charge.amount_cents,),
        say=((number,),),
        answer=f"Hello, we have refunded {money(due.cents)} for order {number} to your card. Sorry about the trouble!",
    )


LOST = [
    "[my parcel for order {order_number} never came|nothing has arrived of {order_number}].",
    "[The tracking says lost|The carrier told me on the phone it is lost], [so I want my money back|please refund me].",
]
PRESS = [
    "[I wrote before and nobody answers.|Did you get my first mail?|Is anybody reading this?]",
    "[It is still about {order_number}, the lost parcel.|Again: {order_number} is lost.]",
    "[I want the money, not excuses.|Please just refund it.|Send me the refund.]",
]


# --- the plans


def same_twice(scene: Scene) -> Case:
    """An impatient customer sends the same request again, from the same address."""
    past = scene.bought()
    letters = [Letter(subject=scene.subject("lost parcel"), matter=LOST)]
    letters += [
        Letter(subject=scene.subject("2nd mail", "NO ANSWER", "Re: my order"), matter=PRESS)
        for _ in range(scene.dice.integer(1, 2))
    ]
    return Case(letters=letters, matters=[owed(past, "reason_lost_parcel")], facts={"order_number": past.order.number})


def two_addresses(scene: Scene) -> Case:
    """One mail from home, one from the office; the shop has both addresses."""
    past = scene.bought()
    scene.vouched()
    letters = [
        Letter(subject=scene.subject("lost parcel"), matter=LOST),
        Letter(
            subject=scene.subject("From my work address", "again", "refund"),
            elsewhere=True,
            matter=[*PRESS[1:], "[I write from another address because mails seem to vanish.|My other mail is full.]"],
        ),
    ]
    return Case(letters=letters, matters=[owed(past, "reason_lost_parcel")], facts={"order_number": past.order.number})


def unknown_address(scene: Scene) -> Case:
    """The second mail comes from an unknown address, and only its text shows who wrote it."""
    past, due = scene.twice()
    letters = [
        Letter(
            subject=scene.subject("charged twice"),
            matter=[
                "[you booked {order_number} two times|my bank shows two payments for {order_number}].",
                "[One of them has to come back.|Please return one of them.]",
            ],
        ),
        Letter(
            subject=scene.subject("double payment", "still two charges"),
            elsewhere=True,
            matter=[
                "[me again, from my phone|this is my private mail], I ordered with {shop_email}.",
                "[{order_number} is still booked twice.|The second payment for {order_number} is still there.]",
            ],
        ),
    ]
    facts = {"order_number": past.order.number, "shop_email": scene.customer.email}
    return Case(letters=letters, matters=[owed(past, "reason_double_charge", due)], facts=facts)


def one_charge_many_mails(scene: Scene) -> Case:
    """Three or four mails about one double charge: it is refunded once."""
    past, due = scene.twice()
    words = [
        "[two charges for {order_number}, please give one back|{order_number} was taken from my card twice].",
        "[is anyone there|hello]? [Twice for {order_number}, once is enough.|You still owe me one of the payments.]",
        "[THIRD MAIL|third time now]: [money for {order_number} back|refund the double charge on {order_number}].",
        "[I go to my bank tomorrow|last chance before I call my bank]. {order_number}, [charged twice|two charges].",
    ]
    count = scene.dice.integer(3, 4)
    letters = [
        Letter(
            subject=scene.subject("charged twice", "double charge", "STILL WAITING"),
            matter=[words[index]],
            elsewhere=index == 1 and scene.dice.chance(0.5),
        )
        for index in range(count)
    ]
    return Case(
        letters=letters,
        matters=[owed(past, "reason_double_charge", due)],
        facts={"order_number": past.order.number},
    )


def number_in_the_second(scene: Scene) -> Case:
    """The first mail names no order, and two parcels are lost: only the second mail says which one is meant."""
    past, twin = scene.bought(), scene.bought()
    seed.add_note_history(
        scene.tx,
        scene.customer.id,
        f"{twin.order.number}: lost as well, customer wants it sent again once the tamper is back in stock. No refund.",
        "joost@larkspur.coffee",
        scene.tx.now - 3 * DAY,
        twin.order.id,
    )
    letters = [
        Letter(
            subject=scene.subject("lost parcel", "refund"),
            matter=[
                "[my parcel is lost|the carrier lost my parcel] and I want the money back.",
                "[Thanks.|Please hurry.]",
            ],
        ),
        Letter(
            subject=scene.subject("forgot the number", "PS", "the number"),
            matter=[
                "[I forgot the order number in my mail|sorry, the number was missing]: it is {order_number}.",
                "[Only that one, the other can wait.|Not the other one, that is arranged with Joost.]",
            ],
        ),
    ]
    return Case(letters=letters, matters=[owed(past, "reason_lost_parcel")], facts={"order_number": past.order.number})


def only_a_part(scene: Scene) -> Case:
    """The first mail wants everything refunded; the second corrects it: only one item was missing."""
    past = scene.bought(2, 4, "delivered", (4, 9))
    line = scene.dice.pick(past.lines)
    due = Due(charges=(past.charge.id,), cents=line.unit_price_cents * line.quantity)
    seed.add_note_history(
        scene.tx,
        scene.customer.id,
        f"Warehouse: {line.name} was left out of {past.order.number}, none to send. Money back for that item is fine.",
        "piet@larkspur.coffee",
        scene.tx.now - 1 * DAY,
        past.order.id,
    )
    letters = [
        Letter(
            subject=scene.subject("wrong delivery", "incomplete"),
            matter=[
                "[half of {order_number} is missing|{order_number} is a mess], I want [all my money|everything] back."
            ],
        ),
        Letter(
            subject=scene.subject("correction", "sorry", "Re: incomplete"),
            elsewhere=scene.dice.chance(0.4),
            matter=[
                "[I was too quick|I looked again], [the rest was under the paper|most of it was there after all].",
                "Only the {product} is missing in {order_number}. [The money for that is all I ask.|Refund just that.]",
            ],
        ),
    ]
    facts = {"order_number": past.order.number, "product": line.name}
    return Case(letters=letters, matters=[owed(past, "reason_missing_item", due)], facts=facts)


def never_mind(scene: Scene) -> Case:
    """The last mail withdraws the request: the parcel has arrived, and nothing is owed."""
    past = scene.bought(1, 2, "delivered", (6, 12))
    number = past.order.number
    letters = [
        Letter(
            subject=scene.subject("lost parcel"),
            matter=["{order_number} says delivered and [I have nothing|there is nothing here].", "I want a refund."],
        ),
        Letter(
            subject=scene.subject("NO ANSWER", "2nd mail"),
            matter=["[still no parcel|nothing yet], {order_number}. [Refund please.|Where is my money?]"],
        ),
        Letter(
            subject=scene.subject("found it", "never mind", "sorry"),
            elsewhere=scene.dice.chance(0.4),
            matter=[
                "[please forget my mails|false alarm], {order_number} [was at the neighbour's|stood behind the bins].",
                "[No refund needed, sorry for the noise.|You can close it, I keep everything.]",
            ],
        ),
    ]
    matter = Matter(
        reason="reason_other",
        order=number,
        may_say_cents=(past.charge.amount_cents,),
        say=(
            (number,),
            ("turned up", "found", "arrived", "with you", "has it", "received", "glad", "good news"),
            (
                "no refund",
                "not refund",
                "nothing refunded",
                "without a refund",
                "nothing to refund",
                "not made a refund",
            ),
        ),
        answer=f"Hello, glad that order {number} has turned up. As you asked, no refund was made, and we close this.",
        wish="Please just confirm that you close it.",
    )
    return Case(letters=letters, matters=[matter], facts={"order_number": number})


def two_matters(scene: Scene) -> Case:
    """Two mails about a lost parcel, and between them one about a double charge on another order."""
    past = scene.bought()
    twice, due = scene.twice()
    letters = [
        Letter(subject=scene.subject("lost parcel"), matter=LOST),
        Letter(
            subject=scene.subject("another thing", "bank statement"),
            about=SECOND,
            elsewhere=scene.dice.chance(0.5),
            matter=[
                "[you charged {other_number} twice|{other_number} is on my statement two times].",
                "One back please.",
            ],
        ),
        Letter(subject=scene.subject("2nd mail", "still nothing"), matter=PRESS),
    ]
    facts = {"order_number": past.order.number, "other_number": twice.order.number}
    matters = [owed(past, "reason_lost_parcel"), owed(twice, "reason_double_charge", due)]
    return Case(letters=letters, matters=matters, facts=facts)


def alike_but_two(scene: Scene) -> Case:
    """Two mails with the same text about two different parcels: both are owed."""
    past, twin = scene.bought(days=(20, 30)), scene.bought(days=(12, 18))
    words = "[my parcel is lost|the carrier lost my parcel], order {number}. [Refund please.|I want the money back.]"
    subject = scene.subject("lost parcel", "refund")
    letters = [
        Letter(subject=subject, matter=[words.replace("{number}", "{order_number}")]),
        Letter(
            subject=scene.dice.pick((subject, f"Re: {subject}")),
            about=SECOND,
            elsewhere=scene.dice.chance(0.5),
            matter=[words.replace("{number}", "{other_number}")],
        ),
    ]
    facts = {"order_number": past.order.number, "other_number": twin.order.number}
    return Case(
        letters=letters, matters=[owed(past, "reason_lost_parcel"), owed(twin, "reason_lost_parcel")], facts=facts
    )


def somebody_alike(scene: Scene) -> Case:
    """Another customer writes the same text on the same morning; that ticket must not be merged."""
    past = scene.bought()
    scene_of_other = Scene(scene.tx, scene.other, scene.customer, "", scene.dice.child("stranger"))
    theirs = scene_of_other.bought()
    subject = scene.subject("lost parcel")
    letters = [
        Letter(subject=subject, matter=LOST),
        Letter(subject=subject, about=STRANGER, matter=LOST),
        Letter(subject=scene.dice.pick((subject, "2nd mail")), elsewhere=scene.dice.chance(0.5), matter=PRESS),
    ]
    return Case(
        letters=letters,
        matters=[owed(past, "reason_lost_parcel")],
        facts={"order_number": past.order.number},
        stranger_facts={"order_number": theirs.order.number},
    )


def paid_in_the_other(scene: Scene) -> Case:
    """A colleague has already refunded it and said so in the first ticket; the second mail does not mention it."""
    past = scene.bought()
    cents, number = past.charge.amount_cents, past.order.number
    when = scene.tx.now - scene.dice.integer(1, 3) * DAY - scene.dice.integer(1, 8) * HOUR
    now = scene.tx.now_us
    scene.tx.now_us = now - (scene.tx.now - when) // timedelta(microseconds=1)
    refund = office.refund(scene.tx, past.charge.id, reason="not_received", note="Lost parcel")
    office.settle_refund(scene.tx, refund.id)
    scene.tx.now_us = now
    letters = [
        Letter(
            subject=scene.subject("lost parcel"),
            matter=LOST,
            answered="Hi, the money is on its way, I have just looked. Do tell me when you see it. Devon",
        ),
        Letter(subject=scene.subject("no money", "refund??"), elsewhere=scene.dice.chance(0.5), matter=PRESS),
    ]
    matter = Matter(
        reason="reason_refund",
        order=number,
        say_cents=(cents,),
        say=((number,), spoken_dates(when)),
        answer=f"Hello, we refunded {money(cents)} for order {number} on {spoken_dates(when)[1]}; your bank has it.",
        wish="Please tell me where my money is.",
    )
    return Case(letters=letters, matters=[matter], facts={"order_number": number})


def first_is_done_with(scene: Scene) -> Case:
    """The first ticket was marked solved without any action: later mails belong in the oldest open ticket."""
    past = scene.bought()
    letters = [
        Letter(
            subject=scene.subject("lost parcel"),
            matter=LOST,
            answered="Hello, the refund goes out this week. Best, Devon",
            solved=True,
        ),
        Letter(
            subject=scene.subject("refund did not come", "where is it"),
            matter=["[you said this week|Devon promised it], [and nothing came|no money yet]. Order {order_number}."],
        ),
        Letter(subject=scene.subject("AGAIN", "3rd mail"), elsewhere=scene.dice.chance(0.5), matter=PRESS),
    ]
    return Case(letters=letters, matters=[owed(past, "reason_lost_parcel")], facts={"order_number": past.order.number})


def stop_the_coffee(scene: Scene) -> Case:
    """Cancelled from two addresses but renewed anyway: cancel the subscription and refund the last renewal."""
    plan = scene.dice.pick([offer.code for offer in OFFERS if offer.active and offer.interval_weeks in (2, 4)])
    began = scene.tx.now - scene.dice.integer(90, 150) * DAY
    running, past = seed.add_subscription_history(scene.tx, scene.customer, plan, began, status="active")
    last = past[-1]
    seed.add_note_history(
        scene.tx,
        scene.customer.id,
        f"Wanted to end the subscription before {last.order.number} went out, we forgot. Refund that bag if asked.",
        "lucia@larkspur.coffee",
        last.order.created_at + HOUR,
    )
    matter = owed(last, "reason_subscription")
    matter.subscription_id = running.id
    matter.say = (*matter.say, ("cancel", "ended", "stopped"))
    matter.answer = (
        f"Hello, your subscription is cancelled, and we have refunded {money(matter.say_cents[0])} "
        f"for order {matter.order} to your card."
    )
    letters = [
        Letter(
            subject=scene.subject("cancel", "Subscription"),
            matter=[
                "[please end my coffee subscription|stop the subscription], [I asked weeks ago|for the second time]."
            ],
        ),
        Letter(
            subject=scene.subject("charged again", "you charged me"),
            elsewhere=scene.dice.chance(0.6),
            matter=[
                "[now {order_number} was charged|you took money for {order_number}] [although I had cancelled|anyway]."
            ],
        ),
    ]
    return Case(letters=letters, matters=[matter], facts={"order_number": last.order.number})


PLANS: dict[str, Callable[[Scene], Case]] = {
    plan.__name__: plan
    for plan in (
        same_twice,
        two_addresses,
        unknown_address,
        one_charge_many_mails,
        number_in_the_second,
        only_a_part,
        never_mind,
        two_matters,
        alike_but_two,
        somebody_alike,
        paid_in_the_other,
        first_is_done_with,
        stop_the_coffee,
    )
}
