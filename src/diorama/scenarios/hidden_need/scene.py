"""Building blocks of the hidden-need plans: a customer with a history, and a mail that hides its issue."""

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
from diorama.scenarios.hidden_need.aims import Aim, Sending
from diorama.scenarios.machine_faults import FAULTS, OF_ONE_BATCH
from diorama.scenarios.restless_subscription.scene import DAY, HOUR, Step
from diorama.scenarios.restless_subscription.scene import Scene as CoffeeScene
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.shop import known_since
from diorama.scenarios.unported.words import money
from diorama.worlds.larkspur.catalogue import GOODS

SMALL = tuple(good for good in GOODS if good.kind == "accessory" and good.active and 1_500 <= good.price_cents < 7_000)
"""Goods for a small parcel; an agent may refund three of them without approval."""

Compose = Callable[[Dice, Persona], str]
"""A function that writes the whole mail, if it is more than a plain message."""


class Case(cases.Case, kw_only=True):
    """A customer whose mail has a misleading subject."""

    matter: Sequence[str] = ()
    thing: str
    """What the agent must have looked up: an order number, a serial number, or a subscription id."""
    answer: str
    """The true final answer; {number} stands for the number of the record that the fix creates."""
    wish: str
    about: str
    then: Sequence[str] = ()
    """A second mail on the same ticket, some time later."""
    compose: Compose | None = None
    hidden: tuple[str, ...] = ()
    """Facts that the first mail does not mention."""
    asks: str = ""
    """The question to ask when only the customer has the answer."""
    heard: str = ""
    """The customer's answer to that question."""
    aim: Aim = Aim()
    claims: tuple[str, ...] = ()
    """Claims that a reply may make, because they are true."""
    steps: tuple[Step, ...] = ()
    bait: str = ""
    """The reply of an agent who has read only the subject."""
    bait_steps: tuple[Step, ...] = ()

    @property
    def slow(self) -> bool:
        """Whether the agent has to wait for an answer."""
        return bool(self.asks or self.aim.again)


class Scene(CoffeeScene):
    """A customer, their home, and dice."""

    def __init__(self, tx: Tx, customer: Customer, dice: Dice) -> None:
        super().__init__(tx, customer, dice)
        self.home = default_address(tx, customer.id)

    def goods(self, low: int, high: int, of: Sequence[Good] = SMALL) -> list[Good]:
        """Draw between `low` and `high` different goods, small ones by default."""
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
        """Add an order that the customer placed `placed` ago."""
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
        """Add an order of small goods that arrived `low` to `high` days ago; 0 means within the last hour."""
        days = self.dice.integer(low, high)
        hours = self.dice.integer(1, 8) if days else -self.dice.between(0.3, 0.9)
        arrived = self.tx.now - days * DAY + hours * HOUR
        chosen = self.goods(*count, goods)
        return self.order(chosen, (days + self.dice.integer(4, 7)) * DAY, "delivered", arrived=arrived)

    def machine(self, good: Good, *more: Good) -> History:
        """Add an order with a machine that is under warranty, and any goods in `more`."""
        months = min(one.warranty_months for one in (good, *more))
        return self.order([good, *more], self.dice.integer(60, 30 * months - 45) * DAY, "delivered")

    def fault(self, *kinds: str) -> tuple[Good, Fault]:
        """Draw a machine of one of these kinds, and a fault that is fixed by sending something."""
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
        """Return the subject of the mail."""
        return self.dice.pick(subjects)


def send(scene: Scene, serial: str, good: Good, fault: Fault) -> tuple[Aim, tuple[Step, ...]]:
    """Return what is sent for a fault, and the steps that send it."""
    aim = Aim(sends=Sending(serial=serial, sku=fault.part_sku or good.sku))
    arguments = {
        "customer_id": scene.customer.id,
        "serial_number": serial,
        "reason": fault.symptom,
        "fault_code": fault.code,
        "part_sku": fault.part_sku,
    }
    return aim, (Step("backoffice_replace_unit", arguments),)


def refund(past: History, cents: int, reason: str = "goodwill") -> Step:
    """Return the step that refunds an amount of an order."""
    return Step("backoffice_refund_charge", {"charge_id": past.charge.id, "reason": reason, "amount_cents": cents})


def goodwill(scene: Scene, cents: int) -> Step:
    """Return the step that gives the customer a goodwill voucher."""
    return Step("backoffice_grant_credit", {"customer_id": scene.customer.id, "amount_cents": cents})


def gave(cents: int) -> str:
    """Return a reply that announces a voucher."""
    return f"Hello, thank you for writing. We have given you a voucher of {money(cents)}."


def hand_of(name: str, email: str, voice: str) -> people.Writer:
    """Return a writer for another person."""
    given, _, family = name.rpartition(" ")
    person = Persona(email=email, name=name, given=given or name, family=family, voice=voice)
    return people.writer_of(person)
