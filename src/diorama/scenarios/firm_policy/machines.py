"""Machines that broke in a way, or at a time, that the warranty does not cover."""

from __future__ import annotations

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.stock import product
from diorama.apps.backoffice.schema import Customer, Product, Unit
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios.firm_policy.cases import AS_CREDIT, DAY, Case, Grant, pressure, said, subject
from diorama.scenarios.firm_policy.season import DESK, Season
from diorama.scenarios.unported.shop import known_since
from diorama.scenarios.unported.words import money, spoken_dates

SCALED = (
    ("LK-ARIA", "PT-PUMP-E5"),
    ("LK-ARIA-PID", "PT-STEAMVALVE"),
    ("LK-LARK", "PT-PUMP-E5"),
    ("LK-ARIA", "PT-STEAMVALVE"),
)
WORN = (
    ("LK-ARIA", "AR-02"),
    ("LK-ARIA", "AR-03"),
    ("LK-ARIA-PID", "AP-02"),
    ("LK-LARK", "LC-02"),
    ("GR-FINCH", "FG-02"),
)
GASKET = "PT-GASKET58"


def _machine(tx: Tx, customer: Customer, sku: str, days: int) -> tuple[History, Unit]:
    known_since(tx, customer, tx.now - days * DAY)
    past = seed.add_order_history(tx, customer, [(sku, 1)], tx.now - days * DAY, outcome="delivered")
    return past, tx.get(Unit, past.lines[0].serial_numbers[0])


def scale_damage(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """In warranty, but limescale or vinegar caused the damage: part of the part's price as credit, and no part."""
    sku, part_sku = dice.pick(SCALED)
    past, unit = _machine(tx, customer, sku, dice.integer(240, 600))
    part = product(tx, part_sku)
    number, cents = past.order.number, part.price_cents * season.part_share // 100
    story = dice.pick(
        (
            (
                "[The repair man in our street says it is full of scale|A friend who knows machines says it is all "
                "scale] and needs a new part: {part}."
            ),
            (
                "[I descaled it with vinegar essence, a tip from a forum|My neighbour told me to use vinegar], and now "
                "it needs a new part: {part}."
            ),
        )
    )
    return Case(
        reason="reason_warranty",
        policy=DESK,
        subject=subject(dice, number, "warranty", "machine broken"),
        matter=[
            "my {product} (serial {serial}, order {order_number}) [is dead|gives up|does not work any more].",
            story,
            (
                "[It is under warranty, so send me the part free of charge.|The warranty still runs, so that is yours "
                "to pay.]"
            ),
        ],
        facts={"order_number": number, "product": past.lines[0].name, "serial": unit.id, "part": part.name},
        answer=(
            f"Hello, I looked at your machine {unit.id} from order {number}. Damage by scale or vinegar is not covered "
            f"by the warranty, so I cannot give you the part for nothing. What I could do: {money(cents)} of store "
            f"credit are on your account, towards the part, which costs {money(part.price_cents)} in the shop."
        ),
        retort=pressure(dice),
        again=(
            f"Hello, I know it is not what you hoped for. Scale and vinegar are not covered, so for machine {unit.id} "
            f"it stays at the {money(cents)} of store credit."
        ),
        about=(unit.id, number, past.lines[0].name),
        order=number,
        grants=(Grant(cents=cents),),
        say_cents=(cents,),
        may_say_cents=(past.charge.amount_cents, part.price_cents),
        say=((unit.id, number), ("scale", "vinegar", "limescale"), AS_CREDIT),
        never=("sent", "machine", "card", "label"),
    )


def our_own_page(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """The customer followed an outdated page of ours: the part is free, the machine they want is not."""
    past, unit = _machine(tx, customer, dice.pick(("LK-ARIA", "LK-ARIA-PID")), dice.integer(240, 600))
    number = past.order.number
    return Case(
        reason="reason_warranty",
        policy=DESK,
        subject=subject(dice, number, "your descaling tip", "machine broken"),
        matter=[
            (
                "I descaled my {product} (serial {serial}, order {order_number}) with vinegar, exactly as your page "
                "{page} says."
            ),
            (
                "[Since then it drips from the group all around the portafilter.|Now water comes out around the "
                "portafilter, the group gasket is gone.]"
            ),
            "[I want a new machine.|You ruined it, so replace the machine.|I expect a new one.]",
        ],
        facts={
            "order_number": number,
            "product": past.lines[0].name,
            "serial": unit.id,
            "page": "Descaling with vinegar",
        },
        answer=(
            f"Hello, I am sorry: that page of ours is out of date, and vinegar eats the seals. I have ordered a new "
            f"group gasket for your machine {unit.id}, free of charge; it takes a screwdriver and ten minutes. A whole "
            "machine I cannot give you for this."
        ),
        retort=("[a rubber ring? I want a machine that works.|I do not want to repair your mistake.]", *pressure(dice)),
        again=(
            f"Hello, I understand that you are cross with us. The gasket is what broke and the gasket comes free of "
            f"charge; for {unit.id} I cannot give you another machine."
        ),
        about=(unit.id, number, "gasket"),
        order=number,
        part=(unit.id, GASKET),
        may_say_cents=(past.charge.amount_cents, product(tx, GASKET).price_cents),
        say=((unit.id, number), ("gasket",)),
        never=("machine", "refund", "card", "granted"),
    )


def _wants_a_new_one() -> list[str]:
    return [
        "my {product} (serial {serial}, order {order_number}) has a fault: {symptom}.",
        (
            "[It is hardly older than the warranty.|Is it not funny that this happens right after the warranty?|It was "
            "expensive enough.]"
        ),
        "[I want a new machine.|I want a new one or all of my money.|Either a new one or my money back.]",
    ]


def _worn(
    tx: Tx, customer: Customer, dice: Dice, least: int, most: int
) -> tuple[History, Unit, Product, dict[str, str]]:
    """Add a machine that failed `least` to `most` days after its warranty; return it, its part, and the facts."""
    sku, code = dice.pick(WORN)
    past, unit = _machine(tx, customer, sku, 731 + dice.integer(least, most))
    fault = next(one for one in product(tx, sku).faults if one.code == code)
    facts = {
        "order_number": past.order.number,
        "product": past.lines[0].name,
        "serial": unit.id,
        "symptom": fault.symptom[0].lower() + fault.symptom[1:],
    }
    return past, unit, product(tx, fault.part_sku), facts


def days_after_warranty(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """Days after the end of the warranty: a part is sent with a lead's approval, never a machine."""
    past, unit, part, facts = _worn(tx, customer, dice, 4, 24)
    number, over = past.order.number, unit.warranty_until
    return Case(
        reason="reason_warranty",
        policy=DESK,
        subject=subject(dice, number, "warranty", "broken after two years"),
        matter=_wants_a_new_one(),
        facts=facts,
        answer=(
            f"Hello, the warranty of {unit.id} ended on {said(over)}, so I cannot give you a new machine or money. As "
            f"it is only days ago, my lead has agreed to the part: {part.name}, free of charge, is being packed."
        ),
        retort=pressure(dice),
        again=(
            f"Hello, I understand. The warranty of {unit.id} is over since {said(over)}; the part is what I can give "
            "you, and a new machine or money I cannot."
        ),
        about=(unit.id, number, past.lines[0].name),
        order=number,
        part=(unit.id, part.sku),
        lead=True,
        may_say_cents=(past.charge.amount_cents, part.price_cents),
        say=((unit.id, number), spoken_dates(over), ("part", part.name)),
        never=("machine", "refund", "card", "granted"),
    )


def long_after_warranty(tx: Tx, customer: Customer, dice: Dice, season: Season) -> Case:
    """Months after the end of the warranty: nothing is sent, and no lead is asked; the workshop makes an offer."""
    past, unit, part, facts = _worn(tx, customer, dice, 40, 200)
    number, over = past.order.number, unit.warranty_until
    return Case(
        reason="reason_warranty",
        policy=DESK,
        subject=subject(dice, number, "warranty", "broken after two years"),
        matter=_wants_a_new_one(),
        facts=facts,
        answer=(
            f"Hello, the warranty of {unit.id} ended on {said(over)}, which is too long ago, so I cannot give you a "
            "new machine, a part or money. Our workshop makes you an offer for the repair, and it costs nothing if you "
            "say no."
        ),
        retort=pressure(dice),
        again=(
            f"Hello, I am sorry, for {unit.id} I cannot do more: the warranty ended on {said(over)}. The offer of the "
            "workshop stands."
        ),
        about=(unit.id, number, past.lines[0].name),
        order=number,
        may_say_cents=(past.charge.amount_cents, part.price_cents),
        say=((unit.id, number), spoken_dates(over), ("workshop", "repair", "offer")),
        never=("sent", "machine", "refund", "card", "granted", "label", "exception"),
    )


PLANS = (scale_damage, our_own_page, days_after_warranty, long_after_warranty)
