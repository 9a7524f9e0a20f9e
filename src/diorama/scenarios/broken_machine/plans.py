"""Plans for machine faults and their right remedies; each creates its history in the back office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.rules.stock import months_later
from diorama.apps.backoffice.schema import Customer, Fault, Postal, Replacement, Shipment, Stock, Unit
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.products import Good
from diorama.kernel import Dice, Tx, to_us
from diorama.people.addresses import draw_home
from diorama.scenarios.anatomy import split_of
from diorama.scenarios.broken_machine import words
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.shop import Due, known_since
from diorama.scenarios.unported.words import MONTHS, spoken_dates
from diorama.worlds.larkspur.catalogue import GOODS

DAY = timedelta(days=1)
FAULTS = tuple((good, fault) for good in GOODS if good.active for fault in good.faults)
LEAD_MAY_SIGN_CENTS = 100_000
SOLD_DAYS_AGO = {"AP-03": (100, 175)}
"""For faults of one batch: how many days ago the affected machines were sold."""
OF_ONE_BATCH = frozenset({"AP-03", "AT-02"})
WORKSHOP = ("tomasz@larkspur.coffee", "imke@larkspur.coffee")
SMALL_THINGS = ("AC-TAMPER", "AC-JUG35", "AC-KNOCK", "AC-CUPS", "AC-CLEAN", "AC-DESCALE", "CF-HARBOUR", "CF-KOCHERE")


Claim = Literal["goods are coming", "warranty is over", "somebody else owns it"]


class Back(msgspec.Struct, frozen=True, kw_only=True):
    """Goods that the customer may return, and the resolution they want."""

    order_id: str
    sku: str
    resolution: Literal["refund", "replacement", "store_credit"]


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """The right remedy for this machine, and the steps to it."""

    serial: str
    sku: str
    fault_code: str = ""
    send_sku: str = ""
    """The SKU that must be sent, once: the machine's own or a part's; "" if none."""
    to: Postal | None = None
    """The address to send it to, if not the one on file."""
    reship: str = ""
    """A lost parcel that must be sent again."""
    back: Back | None = None
    approval: bool = False
    """Whether a lead must approve it first."""
    ask: bool = False
    """Whether the agent must ask which machine it is."""
    waits_hours: float = 0.0
    """How long the item is out of stock."""
    may_claim: tuple[Claim, ...] = ()
    """Claims that a reply may make because they are true; all others are false."""
    secrets: tuple[str, ...] = ()
    """What this customer must not be told."""

    @property
    def part_sku(self) -> str:
        """The SKU of the part to send, or "" if none."""
        return self.send_sku if self.send_sku != self.sku else ""


class Case(cases.Case, kw_only=True):
    """A customer with a failing machine."""

    reason: str = "reason_warranty"
    remedy: Remedy

    @property
    def told(self) -> tuple[str, ...]:
        """The names of the facts in the first mail."""
        return tuple(name for name in self.facts if any(f"{{{name}}}" in sentence for sentence in self.matter))


# --- the plans


def dead_machine(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The workshop cannot repair this fault: a new machine, under warranty."""
    good, fault = _fault(dice, "replacement")
    return _sends(
        _sold(tx, customer, dice, good, fault), good, fault, good.sku, dice, words.mail_text(dice, fault.code)
    )


def worn_part(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """A part is enough, although the customer wants a machine; the mail names the order, not the serial number."""
    good, fault = _fault(dice, "part")
    past = _sold(tx, customer, dice, good, fault)
    matter = [
        dice.pick(words.SYMPTOMS[fault.code]),
        dice.pick(("[It's|It is] from order {order_number}.", "Order {order_number}, bought in {purchase_date}.")),
        dice.pick(("[I'd like a new machine please|Please send me a new one].", *words.WISHES)),
    ]
    return _sends(past, good, fault, fault.part_sku, dice, matter)


def which_of_many(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The customer has several of the same machine, and the mail does not say which: the agent has to ask."""
    good, fault = _fault(dice, "replacement", skus_out=("LK-ATELIER",))
    count = dice.integer(3, 4)
    past = _sold(tx, customer, dice, good, fault, quantity=count)
    serial = dice.pick(past.lines[0].serial_numbers)
    more = f"[We have {count} of them here, it is only the one|There are {count} of them in the office, one is broken]."
    matter = words.mail_text(dice, fault.code, more, plate=False)
    return _sends(past, good, fault, good.sku, dice, matter, serial=serial, ask=True)


def mistyped(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """One digit of the serial number is wrong; the order has the right one."""
    good, fault = _fault(dice, dice.pick(("replacement", "part")))
    past = _sold(tx, customer, dice, good, fault)
    serial = past.lines[0].serial_numbers[0]
    while True:
        place = dice.integer(len(serial) - 5, len(serial) - 1)
        typed = serial[:place] + str((int(serial[place]) + dice.integer(1, 9)) % 10) + serial[place + 1 :]
        if tx.find(Unit, typed) is None:
            break
    plate = (
        "[The number on the plate is|Serial number] {typed_number}[, if I read it right|, hard to read|].",
        "S/N {typed_number}[, I had to use a torch|, the sticker is half gone|].",
    )
    matter = [dice.pick(words.SYMPTOMS[fault.code]), dice.pick(plate), dice.pick(words.WISHES)]
    case = _sends(past, good, fault, fault.part_sku or good.sku, dice, matter)
    case.facts["typed_number"] = typed
    return case


def just_out_of_warranty(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The warranty ended days ago: a lead approves an exception."""
    good, fault = _fault(dice, "replacement", OF_ONE_BATCH)
    placed = months_later(tx.now - dice.integer(5, 24) * DAY, -good.warranty_months)
    past = _sold(tx, customer, dice, good, fault, placed=placed)
    more = dice.pick(
        (
            "[I know the guarantee is just over|The guarantee ran out the other week], but [honestly|come on].",
            "[Is the warranty really over by now|Please be kind about the date].",
        )
    )
    matter = words.mail_text(dice, fault.code, more)
    case = _sends(past, good, fault, good.sku, dice, matter, approval=True)
    return _with_remedy(case, may_claim=("goods are coming", "warranty is over"))


def long_out_of_warranty(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The warranty ended long ago: nothing is owed but an honest answer."""
    good, fault = _fault(dice, "replacement", OF_ONE_BATCH)
    placed = months_later(tx.now - dice.integer(80, 330) * DAY, -good.warranty_months)
    past = _sold(tx, customer, dice, good, fault, placed=placed)
    wish = (
        "[Please send me a new one|I'd like a replacement], it must be covered.",
        "[I expect a new machine|A new one, please], these things should last.",
    )
    case = _answered_only(past, good, fault, dice, words.mail_text(dice, fault.code, wish=wish))
    serial = case.remedy.serial
    case.say = ((serial,), spoken_dates(tx.get(Unit, serial).warranty_until))
    return _with_remedy(case, may_claim=("warranty is over",))


def already_on_its_way(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """A colleague has sent it days ago: the customer needs the tracking number, not a second one."""
    good, fault = _fault(dice, dice.pick(("replacement", "part")))
    past = _sold(tx, customer, dice, good, fault)
    made = _sent(tx, past, fault, tx.now - dice.integer(3, 5) * DAY + timedelta(hours=dice.integer(1, 6)), dice)
    arrives = tx.now + timedelta(hours=dice.integer(26, 74))
    parcel = tx.change(tx.get(Shipment, made.shipment_id), estimated_at=arrives)
    tx.at(arrives, office.arrive, shipment_id=parcel.id)
    wish = (
        "I wrote to you about it last week and heard [nothing|not a word] since. [What is going on|So what now]?",
        "[Somebody was going to take care of it|Your colleague wanted to see to it]. Is anything coming?",
    )
    case = _answered_only(past, good, fault, dice, words.mail_text(dice, fault.code, wish=wish), late=True)
    case.say = (_known_as(made), (parcel.tracking_number,))
    return _with_remedy(case, may_claim=("goods are coming",))


def not_the_owner(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The serial number belongs to another customer: send nothing, and say nothing about the other customer."""
    good, fault = _fault(dice, "replacement", OF_ONE_BATCH)
    others = tx.all(Customer, "id != ? AND name != ?", customer.id, customer.name, order="id")
    owner = dice.pick([one for one in others if split_of(one.id) == split_of(customer.id)])
    past = _sold(tx, owner, dice, good, fault)
    matter = [
        dice.pick(words.SYMPTOMS[fault.code]),
        dice.pick(words.PLATES),
        dice.pick(
            (
                "[I got it from a friend of a friend|I bought it second-hand], [hardly used|as good as new].",
                "[I took it over from a cafe that closed|It came with the flat], no papers.",
                "[It was a present|It is a hand-me-down], so I have no receipt.",
            )
        ),
        "[Please send me a new one|It must still be under guarantee, so a new one please].",
    ]
    case = _answered_only(past, good, fault, dice, matter)
    case.facts = {"product": good.name, "serial_number": case.remedy.serial}
    case.say = ((case.remedy.serial,), words.NOT_YOURS)
    secrets = tuple(secret for secret in (owner.name, *owner.emails, owner.phone) if secret)
    _own_things(tx, customer, dice, good.sku)
    return _with_remedy(case, secrets=secrets, may_claim=("somebody else owns it",))


def nothing_on_the_shelf(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Out of stock for weeks: the price is refunded, with a lead's approval."""
    dear = [good.sku for good in GOODS if good.price_cents > LEAD_MAY_SIGN_CENTS]
    good, fault = _fault(dice, "replacement", skus_out=dear)
    past = _sold(tx, customer, dice, good, fault)
    _empty(tx, good.sku, tx.now + dice.integer(25, 60) * DAY if dice.chance(0.5) else None, dice)
    case = _answered_only(past, good, fault, dice, words.mail_text(dice, fault.code))
    case.dues = (Due(charges=(past.charge.id,), cents=good.price_cents),)
    case.say_cents, case.may_say_cents = (good.price_cents,), (past.charge.amount_cents,)
    return _with_remedy(case, approval=True)


def shelf_fills_tomorrow(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Out of stock until tomorrow: tell the customer, wait, send."""
    good, fault = _fault(dice, "replacement")
    past = _sold(tx, customer, dice, good, fault)
    comes = tx.now + timedelta(minutes=dice.integer(22 * 60, 27 * 60))
    _empty(tx, good.sku, comes, dice)
    tx.at(comes, office.receive_stock, sku=good.sku)
    matter = words.mail_text(dice, fault.code)
    return _sends(past, good, fault, good.sku, dice, matter, waits_hours=(comes - tx.now) / timedelta(hours=1))


def needs_advice(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Nothing is broken: the workshop's advice solves it, and the reply must give it."""
    good, fault = _fault(dice, "advice")
    wish = ("[I think it is broken, please replace it|Please send me a new one].", *words.WISHES)
    past = _sold(tx, customer, dice, good, fault)
    case = _answered_only(past, good, fault, dice, words.mail_text(dice, fault.code, wish=wish))
    case.say = ((case.remedy.serial,), *words.ADVICE[fault.code])
    return case


def arrived_broken(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """Damaged in transit: it is returned, with the resolution that the customer wants."""
    good, fault = _fault(dice, "replacement")
    placed = tx.now - dice.integer(11, 18) * DAY
    arrived = tx.now - dice.integer(2, 5) * DAY + timedelta(hours=dice.integer(1, 9))
    past = _sold(tx, customer, dice, good, fault, placed=placed, arrived=arrived)
    wants: dict[Literal["refund", "replacement", "store_credit"], str] = {
        "refund": "I [want to send it back and get my money back|would rather have my money back].",
        "replacement": "I want to send it back and [get an undamaged one|have it swapped for one in one piece].",
        "store_credit": "[I'd like to send it back for store credit|Let me return it, store credit is fine with me].",
    }
    resolution = dice.pick(sorted(wants))
    matter = [
        dice.pick(words.DAMAGES),
        *dice.shuffle([dice.pick(words.PLATES), "[It's order {order_number}|Order {order_number}]."]),
        wants[resolution],
    ]
    case = _answered_only(past, good, fault, dice, matter)
    case.reason = "reason_return"
    case.facts["preference"] = resolution.replace("_", " ")
    back = Back(order_id=past.order.id, sku=good.sku, resolution=resolution)
    return _with_remedy(
        case, fault_code="", back=back, may_claim=("goods are coming",) if resolution == "replacement" else ()
    )


def part_did_not_help(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The part was fitted weeks ago and the same fault is back: now a whole machine is due."""
    good, fault = _fault(dice, "part")
    past = _sold(tx, customer, dice, good, fault)
    serial, when = past.lines[0].serial_numbers[0], tx.now - dice.integer(18, 40) * DAY
    seed.add_replacement_history(
        tx, past, serial, when, dice.pick(WORKSHOP), fault.symptom, fault.code, part_sku=fault.part_sku
    )
    more = dice.pick(
        (
            "You sent me a part for it [a few weeks ago|last month]. I fitted it, and here we are again.",
            "[I put in the part you sent|The part you sent is in], it helped for a [week|fortnight].",
        )
    )
    return _sends(past, good, fault, good.sku, dice, words.mail_text(dice, fault.code, more))


def replacement_lost(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """The carrier lost what a colleague sent: the same parcel must be sent again."""
    good, fault = _fault(dice, dice.pick(("replacement", "part")))
    past = _sold(tx, customer, dice, good, fault)
    made = _sent(tx, past, fault, tx.now - dice.integer(13, 19) * DAY + timedelta(hours=dice.integer(1, 6)), dice)
    searched = tx.now - dice.integer(2, 4) * DAY
    _then(tx, searched, lambda: office.move(tx, made.shipment_id, "lost", text="Search closed, parcel declared lost"))
    tx.change(
        tx.get(Shipment, made.shipment_id),
        trace="answered",
        trace_answer="We could not find the parcel. It has been declared lost.",
    )
    thing = "part" if fault.part_sku else "replacement"
    matter = [
        f"you sent me a {thing} for my {{product}} and it never [arrived|turned up].",
        dice.pick(words.PLATES),
        "[The carrier says it is lost|Your carrier has lost it, they told me so].",
        "[Can you send it again|Please send it once more], I [still have no coffee|am tired of tea].",
    ]
    case = _answered_only(past, good, fault, dice, matter, late=True)
    case.reason = "reason_lost_parcel"
    case.say = (_known_as(made),)
    return _with_remedy(case, reship=made.shipment_id, may_claim=("goods are coming",))


def moved_house(tx: Tx, customer: Customer, dice: Dice) -> Case:
    """A new machine, but to a new address: the one on file is outdated."""
    good, fault = _fault(dice, dice.pick(("replacement", "part")))
    past = _sold(tx, customer, dice, good, fault)
    here = default_address(tx, customer.id)
    home = draw_home(dice, here.country)
    to = Postal(
        name=here.name,
        line1=home.line1,
        line2=home.line2,
        city=home.city,
        postal_code=home.postal_code,
        country=home.country,
    )
    more = "[We have moved since|I have moved], [so if you send anything, the address is|everything goes to] {address}."
    matter = words.mail_text(dice, fault.code, more)
    case = _sends(past, good, fault, fault.part_sku or good.sku, dice, matter, to=to)
    case.facts["address"] = home.one_line()
    return case


PLANS: dict[str, Callable[[Tx, Customer, Dice], Case]] = {
    plan.__name__: plan
    for plan in (
        dead_machine,
        worn_part,
        which_of_many,
        mistyped,
        just_out_of_warranty,
        long_out_of_warranty,
        already_on_its_way,
        not_the_owner,
        nothing_on_the_shelf,
        shelf_fills_tomorrow,
        needs_advice,
        arrived_broken,
        part_did_not_help,
        replacement_lost,
        moved_house,
    )
}


# --- building blocks of plans


def _fault(
    dice: Dice, remedy: str, codes_out: frozenset[str] = frozenset(), skus_out: Sequence[str] = ()
) -> tuple[Good, Fault]:
    """Draw a machine and a fault for which the workshop prescribes this remedy."""
    fitting = [
        (good, fault)
        for good, fault in FAULTS
        if fault.remedy == remedy and fault.code not in codes_out and good.sku not in skus_out
    ]
    return dice.pick(fitting)


def _sold(
    tx: Tx,
    customer: Customer,
    dice: Dice,
    good: Good,
    fault: Fault,
    *,
    quantity: int = 1,
    placed: datetime | None = None,
    arrived: datetime | None = None,
) -> History:
    """Add the purchase of the machine, and of another thing that the customer owns."""
    if placed is None:
        low, high = SOLD_DAYS_AGO.get(fault.code, (60, 30 * good.warranty_months - 45))
        placed = tx.now - dice.integer(low, high) * DAY
    placed += timedelta(minutes=dice.integer(0, 700))
    known_since(tx, customer, placed)
    extras = [(sku, 1) for sku in dice.sample(SMALL_THINGS, dice.integer(0, 2))]
    past = seed.add_order_history(
        tx, customer, [(good.sku, quantity), *extras], placed, outcome="delivered", delivered_at=arrived
    )
    _own_things(tx, customer, dice.child("own things"), good.sku)
    return past


def _own_things(tx: Tx, customer: Customer, dice: Dice, sku: str) -> None:
    """Add another working machine or grinder of the customer, under warranty."""
    others = [good.sku for good, _ in FAULTS if good.sku != sku and good.price_cents < LEAD_MAY_SIGN_CENTS]
    placed = tx.now - dice.integer(70, 600) * DAY
    known_since(tx, customer, placed)
    seed.add_order_history(tx, customer, [(dice.pick(others), 1)], placed, outcome="delivered")


def _then(tx: Tx, moment: datetime, act: Callable[[], object]) -> None:
    """Run an action as of a past moment."""
    now = tx.now_us
    tx.now_us = to_us(moment)
    act()
    tx.now_us = now


def _sent(tx: Tx, past: History, fault: Fault, moment: datetime, dice: Dice) -> Replacement:
    """Add a replacement that a colleague sent on a past day; the carrier has had it since."""
    serial = past.lines[0].serial_numbers[0]
    made: list[Replacement] = []

    def send() -> None:
        made.append(
            office.replace(
                tx,
                past.order.customer_id,
                serial,
                reason=fault.symptom,
                fault_code=fault.code,
                part_sku=fault.part_sku,
            )
        )

    _then(tx, moment, send)
    _then(
        tx, moment + timedelta(hours=5), lambda: office.move(tx, made[0].shipment_id, "in_transit", place="Rotterdam")
    )
    return tx.change(tx.get(Replacement, made[0].id), created_by=dice.pick(WORKSHOP))


def _known_as(made: Replacement) -> tuple[str, ...]:
    """Return the serial numbers by which a reply may name a machine that was replaced before."""
    return tuple(serial for serial in (made.serial_number, made.new_serial_number) if serial)


def _empty(tx: Tx, sku: str, comes: datetime | None, dice: Dice) -> None:
    """Empty the stock of an item, until a delivery if there is one."""
    stock = tx.get(Stock, sku)
    tx.change(
        stock,
        on_hand=stock.reserved,
        incoming=dice.integer(8, 40) if comes else 0,
        incoming_at=comes,
    )


def _case(past: History, good: Good, dice: Dice, matter: Sequence[str], remedy: Remedy, late: bool = False) -> Case:
    bought = past.order.created_at
    return Case(
        remedy=remedy,
        subject=words.subject(dice, good.name, late),
        matter=matter,
        order=past.order.number,
        may_say_cents=(good.price_cents, past.charge.amount_cents),
        say=((remedy.serial,),),
        facts={
            "product": good.name,
            "serial_number": remedy.serial,
            "order_number": past.order.number,
            "purchase_date": f"{MONTHS[bought.month - 1]} {bought.year}",
        },
    )


def _with_remedy(case: Case, **fields: Any) -> Case:
    """Return the case with some fields of its remedy changed."""
    case.remedy = msgspec.structs.replace(case.remedy, **fields)
    return case


def _sends(
    past: History,
    good: Good,
    fault: Fault,
    send_sku: str,
    dice: Dice,
    matter: Sequence[str],
    *,
    serial: str = "",
    to: Postal | None = None,
    approval: bool = False,
    ask: bool = False,
    waits_hours: float = 0.0,
) -> Case:
    """Return a case in which something is sent."""
    remedy = Remedy(
        serial=serial or past.lines[0].serial_numbers[0],
        sku=good.sku,
        fault_code=fault.code,
        send_sku=send_sku,
        to=to,
        approval=approval,
        ask=ask,
        waits_hours=waits_hours,
        may_claim=("goods are coming",),
    )
    return _case(past, good, dice, matter, remedy)


def _answered_only(
    past: History, good: Good, fault: Fault, dice: Dice, matter: Sequence[str], late: bool = False
) -> Case:
    """Return a case in which nothing is sent by default."""
    serial = past.lines[0].serial_numbers[0]
    remedy = Remedy(serial=serial, sku=good.sku, fault_code=fault.code)
    return _case(past, good, dice, matter, remedy, late)
