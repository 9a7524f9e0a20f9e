"""What plans about a hidden need are made of: a customer with a past, and a letter that hides what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from diorama import people
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.schema import Customer, Fault
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.apps.backoffice.seed.products import Good
from diorama.kernel import Dice, Tx
from diorama.people import Persona
from diorama.scenarios import cases
from diorama.scenarios.broken_machine.plans import FAULTS, OF_ONE_BATCH
from diorama.scenarios.desk import known_since
from diorama.scenarios.hidden_need.aims import Aim, Sending
from diorama.scenarios.restless_subscription.scene import DAY, HOUR, Step
from diorama.scenarios.restless_subscription.scene import Scene as CoffeeScene
from diorama.scenarios.words import money
from diorama.worlds.larkspur.catalogue import GOODS

SMALL = tuple(good for good in GOODS if good.kind == "accessory" and good.active and 1_500 <= good.price_cents < 7_000)
"""Things that fit into a small parcel, and three of which an agent may pay back without asking."""

Compose = Callable[[Dice, Persona], str]
"""Writes the whole mail, where it is more than a letter."""


class Case(cases.Case, kw_only=True):
    """A customer who writes one thing above the mail and needs another."""

    matter: Sequence[str] = ()
    thing: str
    """What somebody must have had on the screen: an order's number, a serial number, a subscription's id."""
    answer: str
    """What may truly be said in the end; {number} is what came into being with the deed."""
    wish: str
    about: str
    then: Sequence[str] = ()
    """A second mail on the same ticket, some time later."""
    compose: Compose | None = None
    hidden: tuple[str, ...] = ()
    """Facts that the first letter does not tell."""
    asks: str = ""
    """What has to be asked, where only the customer knows."""
    heard: str = ""
    """What the customer says then."""
    aim: Aim = Aim()
    claims: tuple[str, ...] = ()
    """What a reply may say was done, because it was."""
    steps: tuple[Step, ...] = ()
    bait: str = ""
    """What somebody answers who has read the subject only."""
    bait_steps: tuple[Step, ...] = ()

    @property
    def slow(self) -> bool:
        """Whether one has to wait for somebody's word."""
        return bool(self.asks or self.aim.again)


class Scene(CoffeeScene):
    """A customer, their home, and dice."""

    def __init__(self, tx: Tx, customer: Customer, dice: Dice) -> None:
        super().__init__(tx, customer, dice)
        self.home = default_address(tx, customer.id)

    def goods(self, low: int, high: int, of: Sequence[Good] = SMALL) -> list[Good]:
        """So many different small things."""
        return self.dice.sample(of, self.dice.integer(low, high))

    def order(
        self,
        goods: Sequence[Good],
        placed: timedelta,
        outcome: Outcome,
        *,
        arrived: datetime | None = None,
        lost: bool = False,
    ) -> History:
        """The customer bought this so long ago."""
        when = self.tx.now - placed
        known_since(self.tx, self.customer, when)
        return seed.add_order_history(
            self.tx,
            self.customer,
            [(good.sku, 1) for good in goods],
            when,
            outcome=outcome,
            delivered_at=arrived,
            fate="lost" if lost else "",
        )

    def delivered(self, low: int, high: int, count: tuple[int, int] = (1, 2), goods: Sequence[Good] = SMALL) -> History:
        """Small things that arrived so many days ago; today means this very hour."""
        days = self.dice.integer(low, high)
        hours = self.dice.integer(1, 8) if days else -self.dice.between(0.3, 0.9)
        arrived = self.tx.now - days * DAY + hours * HOUR
        chosen = self.goods(*count, goods)
        return self.order(chosen, (days + self.dice.integer(4, 7)) * DAY, "delivered", arrived=arrived)

    def machine(self, good: Good, *more: Good) -> History:
        """A machine under warranty, perhaps with something else in the same order."""
        months = min(one.warranty_months for one in (good, *more))
        return self.order([good, *more], self.dice.integer(60, 30 * months - 45) * DAY, "delivered")

    def fault(self, *kinds: str) -> tuple[Good, Fault]:
        """A machine of one of these kinds and a fault for which something is sent."""
        return self.dice.pick(
            [
                (good, fault)
                for good, fault in FAULTS
                if fault.remedy != "advice"
                and fault.code not in OF_ONE_BATCH
                and good.sku.startswith(kinds or "")
                and good.price_cents < 200_000
            ]
        )

    def about(self, *subjects: str) -> str:
        """What stands above the mail."""
        return self.dice.pick(subjects)


def send(scene: Scene, serial: str, good: Good, fault: Fault) -> tuple[Aim, tuple[Step, ...]]:
    """What goes out for a fault, and how."""
    aim = Aim(sends=Sending(serial=serial, sku=fault.part_sku or good.sku))
    arguments = {
        "customer_id": scene.customer.id,
        "serial_number": serial,
        "reason": fault.symptom,
        "fault_code": fault.code,
        "part_sku": fault.part_sku,
    }
    return aim, (Step("backoffice_replace_machine", arguments),)


def refund(past: History, cents: int, reason: str = "goodwill") -> Step:
    """Give money back for an order."""
    return Step("backoffice_refund_charge", {"charge_id": past.charge.id, "reason": reason, "amount_cents": cents})


def goodwill(scene: Scene, cents: int) -> Step:
    """A voucher, so that the customer is quiet."""
    return Step("backoffice_grant_credit", {"customer_id": scene.customer.id, "amount_cents": cents})


def gave(cents: int) -> str:
    """How one tells of a voucher."""
    return f"Hello, thank you for writing. We have given you a voucher of {money(cents)}."


def hand_of(name: str, email: str, voice: str) -> people.Writer:
    """Somebody else at a keyboard."""
    given, _, family = name.rpartition(" ")
    person = Persona(email=email, name=name, given=given or name, family=family, voice=voice)
    return people.writer_of(person)
