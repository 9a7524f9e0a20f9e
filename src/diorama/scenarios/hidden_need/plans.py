"""Plans with a misleading subject and a real need; each creates its history in the back office."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Resolution, ReturnReason
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people import Persona
from diorama.people.writing import with_history
from diorama.scenarios.address_change.places import Thing, new_home, one_line
from diorama.scenarios.hidden_need.aims import Aim, Back
from diorama.scenarios.hidden_need.coffee import forwarded_word, moka_question, second_thoughts, unsubscribe
from diorama.scenarios.hidden_need.foreign import FORM
from diorama.scenarios.hidden_need.scene import SMALL, Case, Scene, gave, goodwill, refund, send
from diorama.scenarios.machine_faults import PLATES, SYMPTOMS
from diorama.scenarios.restless_subscription.scene import DAY, HOUR, Step
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import money
from diorama.worlds.larkspur.catalogue import GOODS

SHOP = "Larkspur Coffee"
CHOICES: dict[Resolution, tuple[str, tuple[str, ...]]] = {
    "refund": ("the money back", ("money", "refund", "card")),
    "store_credit": ("store credit", ("credit", "voucher")),
    "replacement": ("another one that is in one piece", ("new", "another", "replacement", "exchange", "swap")),
}
"""Resolutions that customers want for returned goods: in their words, and in the words of a reply."""
PRESENTS = tuple(good for good in SMALL if not good.sku.endswith(("CLEAN", "FILTER3", "WDT")))
GIFTS_BECOME: tuple[Resolution, ...] = ("refund", "store_credit")


# --- the plans


def locked_out(scene: Scene) -> Case:
    """Subject: password. Need: an order goes to the old address and must be redirected."""
    past = scene.order(scene.goods(1, 2), scene.dice.integer(2, 10) * HOUR, "open")
    goal = new_home(scene.dice.child("goal"), scene.customer.name, scene.home.country)
    number, place = past.order.number, one_line(goal)
    return Case(
        subject=scene.about("Password reset", "password??", "Account locked", "LOGIN DOES NOT WORK", "my account"),
        reason="reason_address",
        thing=number,
        matter=[
            (
                "[your site does not let me in|I asked for a new password three times|it says that I am locked out], "
                "[and no mail ever comes|and nothing happens|and I have better things to do]."
            ),
            "[To be honest the account is all the same to me.|Not that I love having accounts.]",
            "[All I wanted in there:|I only tried because] order {order_number} is still set to the place we left.",
            "[It has to come to|The door where I live now is] {address}.",
        ],
        facts={"order_number": number, "address": place},
        wish="Order {order_number} has to go to {address}.",
        about="address",
        aim=Aim(moves=Thing(what="order", id=past.order.id, to=goal)),
        say=((number,), (goal.line1, goal.postal_code)),
        claims=("address",),
        steps=(
            Step(
                "backoffice_change_address",
                {"what": "order", "id": past.order.id, "address": msgspec.to_builtins(goal)},
            ),
        ),
        answer=f"Hello, order {number} now goes to {place}. A new password you get on the log-in page, not from us.",
        bait="Hello, we have reset your password; the link to choose a new one is in your mail.",
    )


def invoice_copy(scene: Scene) -> Case:
    """Subject: an invoice. Need: the new order must be cancelled and refunded."""
    old = scene.delivered(20, 40)
    past = scene.order(scene.goods(1, 2), scene.dice.integer(2, 10) * HOUR, "open")
    number, cents = past.order.number, past.charge.amount_cents
    return Case(
        subject=scene.about(
            "Invoice copy please", f"invoice {old.order.number}", "VAT invoice", "Receipt for the accountant"
        ),
        reason="reason_return",
        thing=number,
        matter=[
            (
                "[I need the invoice of {old_number} once more|could you send the invoice of {old_number} "
                "again, with our VAT number on it]."
            ),
            (
                "[My accountant has seen the rest, too, and|Whoever does our books has seen it, and] the new one, "
                "{order_number}, [has to go|she will not have]."
            ),
            (
                "[If it is still on your side, please do not let it leave, and pay me back.|"
                "So please keep it there if you can, and let me have the money again.]"
            ),
        ],
        facts={"order_number": number, "old_number": old.order.number},
        wish="Please do not send order {order_number}, and give me the money back.",
        about="refund",
        aim=Aim(stops=past.order.id),
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        say=((number,), ("cancel", "stopped", "not be sent", "not send")),
        claims=("stop", "money"),
        steps=(
            Step("backoffice_cancel_order", {"order_id": past.order.id, "reason": "customer request"}),
            refund(past, cents, "cancelled_order"),
        ),
        answer=(
            f"Hello, order {number} is cancelled and we have refunded {money(cents)} to your card. Invoices are in "
            "your account on our website."
        ),
        bait=f"Hello, the invoice of order {old.order.number} is attached, with your VAT number on it.",
    )


def old_thread(scene: Scene) -> Case:
    """Subject: a shipped order. Need: a machine has failed since; the mail mentions it after the thanks."""
    good, fault = scene.fault("LK")
    machine = scene.machine(good)
    small = scene.delivered(3, 8)
    serial, number = machine.lines[0].serial_numbers[0], small.order.number
    aim, steps = send(scene, serial, good, fault)
    matter = [
        "[that one came, thank you|it is here, all of it|arrived, nothing to say about it].",
        "[Since I have you on the line:|Answering this mail because it was at hand:] "
        + scene.dice.pick(SYMPTOMS[fault.code]),
        scene.dice.pick(PLATES),
    ]
    return Case(
        subject=f"Re: Your order {number} has shipped",
        reason="reason_warranty",
        thing=serial,
        compose=lambda dice, persona: _answered(dice, persona, small, matter),
        facts={"product": good.name, "serial_number": serial, "order_number": machine.order.number},
        hidden=("order_number",),
        wish="My {product} has to work again.",
        about="replacement",
        aim=aim,
        say=((serial,),),
        claims=("goods",),
        steps=steps,
        answer=(
            f"Hello, for your {good.name} ({serial}) we have sent {_what(fault.part_sku)} today; the tracking number "
            "is {number}."
        ),
        bait=f"Hello, we are sorry about order {number}. We have refunded {money(small.charge.amount_cents)}.",
        bait_steps=(refund(small, small.charge.amount_cents, "not_received"),),
    )


def bell_rang(scene: Scene) -> Case:
    """Subject: where is my parcel. Need: it has arrived, but was charged twice; only the back office shows it."""
    past = scene.delivered(0, 0, (1, 2))
    second = seed.add_second_charge(scene.tx, past, timedelta(minutes=scene.dice.integer(1, 9)))
    number, cents = past.order.number, past.charge.amount_cents
    return Case(
        subject=scene.about("Where is my parcel", f"parcel {number}??", "no tracking!", "Parcel missing"),
        reason="reason_double_charge",
        thing=number,
        matter=[
            (
                "[forget the line above, the bell rang while I was typing: {order_number} is here|"
                "I had a long mail ready about {order_number}, and then the postman stood there with it]."
            ),
            "[What remains:|So only the other thing:] my card is down by {twice} for it.",
            "[The confirmation said something else.|I did not think it had been that dear.]",
        ],
        facts={"order_number": number, "twice": money(2 * cents)},
        wish="I do not want to pay {twice} for order {order_number}.",
        about="refund",
        dues=(Due(charges=(past.charge.id, second.id), cents=cents),),
        say_cents=(cents,),
        may_say_cents=(2 * cents,),
        say=((number,), ("twice", "double", "two times", "second", "duplicate")),
        claims=("money",),
        steps=(
            Step("backoffice_refund_charge", {"charge_id": second.id, "reason": "duplicate", "amount_cents": cents}),
        ),
        answer=f"Hello, order {number} was charged twice. We have refunded the second payment of {money(cents)}.",
        bait=f"Hello, sorry about the parcel of order {number}. We have sent you another parcel today.",
        bait_steps=(Step("backoffice_handle_shipment", {"shipment_id": _parcel(past), "action": "trace"}),),
    )


def last_line(scene: Scene) -> Case:
    """Subject: thank you. Need: an item was missing from the box; only the last line says so."""
    past = scene.delivered(2, 6, (3, 3))
    line = scene.dice.pick(past.lines)
    cents, number = line.total_cents, past.order.number
    scene.note(f"Count of {line.name} is one too high since {past.order.created_at:%d %B}.", 1, "piet@larkspur.coffee")
    return Case(
        subject=scene.about("Thank you!!", "a big thank you", "Compliment", "lovely", "Thanks to the whole team"),
        reason="reason_missing_item",
        thing=number,
        matter=[
            "[one always writes when something is wrong, so for once the other way round|just to say it].",
            "[The coffee corner looks splendid now.|Everything so well packed, and a card written by hand!]",
            "[My neighbour has ordered from you already because of me.|I have told everybody at work.]",
            (
                "[Only the {product} I did not find in the box of {order_number}, but that will be on its way, no?|"
                "P.S. The {product} was not in it ({order_number}), I suppose that one travels alone?]"
            ),
        ],
        facts={"order_number": number, "product": line.name},
        wish="The {product} of order {order_number} was not in the box.",
        about="refund",
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        may_say_cents=(past.charge.amount_cents,),
        say=((number,), (line.name, line.name.split(",")[0], line.name.split()[0])),
        claims=("money",),
        steps=(refund(past, cents, "wrong_item"),),
        answer=(
            f"Hello, what a kind letter. The {line.name} of order {number} stayed here by mistake, so we have refunded "
            f"its price, {money(cents)}, to your card."
        ),
        bait=gave(1_000),
        bait_steps=(goodwill(scene, 1_000),),
    )


def reads_like_junk(scene: Scene) -> Case:
    """Subject: a final notice with a reference. Need: the refund for goods that were returned days ago."""
    past = scene.delivered(22, 27, (2, 3))
    at = scene.dice.integer(0, len(past.lines) - 1)
    back = seed.add_return_history(
        scene.tx, past, scene.tx.now - scene.dice.integer(9, 13) * DAY, "joost@larkspur.coffee", line=at
    )
    line, cents = past.lines[at], past.lines[at].total_cents
    reference = f"{scene.dice.integer(11, 99)}-{scene.dice.integer(1000, 9999)}/{scene.dice.pick('ABCK')}"
    return Case(
        subject=scene.about(
            f"FINAL NOTICE, claim {reference}", f"Claim {reference} - URGENT", f"Notice of claim no. {reference}"
        ),
        reason="reason_refund",
        thing=back.number,
        matter=[
            (
                "[notice is hereby given of a claim against your company|"
                "kindly take note of the claim under the above reference]."
            ),
            "[All rights are reserved, costs and interest included.|Your silence will be taken as an admission.]",
            (
                "[Matter: {return_number}, goods handed over to the carrier and taken in by you, price still with you.|"
                "Subject of the claim: the price of what went back to you under {return_number}.]"
            ),
            "[My father was a solicitor, so I know how this is done.|I have done this before.]",
        ],
        facts={"return_number": back.number, "order_number": past.order.number, "product": line.name},
        hidden=("order_number", "product"),
        wish="I want the price of what I sent back under {return_number}.",
        about="refund",
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        may_say_cents=(past.charge.amount_cents,),
        say=((back.number, past.order.number),),
        claims=("money",),
        steps=(refund(past, cents, "returned"),),
        answer=f"Hello, the {line.name} of {back.number} is back with us, and we have refunded {money(cents)} for it.",
        bait=gave(2_500),
        bait_steps=(goodwill(scene, 2_500),),
    )


def gift_receipt(scene: Scene) -> Case:
    """Subject: a gift receipt. Need: return the gift, with a resolution that only the buyer can name."""
    past = scene.delivered(3, 9, (1, 1), PRESENTS)
    line, number = past.lines[0], past.order.number
    resolution = scene.dice.pick(GIFTS_BECOME)
    return Case(
        subject=scene.about(
            "Gift receipt?", f"gift receipt {number}", "receipt without price", "Receipt for a present"
        ),
        reason="reason_return",
        thing=number,
        matter=[
            "[do you do gift receipts|could I have a receipt without the price], for {order_number}?",
            (
                "[It was for my sister, and she only laughed:|My brother got it for his birthday, and now:] "
                "[the {product} was in that kitchen already|the very same {product} is there since Christmas]."
            ),
            "[Nobody has used it, so it can come back to you, I hope.|So back it has to go, I am afraid.]",
        ],
        **_returns(past, "changed_mind", resolution),
        hidden=("preference",),
        wish="I would like to send the {product} of {order_number} back, for {preference}.",
        asks=f"Hello, of course the {line.name} can come back. Would you prefer the money back or store credit for it?",
        bait=f"Hello, the gift receipt of order {number} is attached, without the price.",
    )


def from_the_form(scene: Scene) -> Case:
    """Subject, set by the form: product question. Need, in the customer's language: a parcel never arrived."""
    past = scene.order(scene.goods(1, 2), scene.dice.integer(18, 26) * DAY, "in_transit", lost=True)
    number, parcel = past.order.number, _parcel(past)
    words = FORM[scene.customer.locale[:2]]
    return Case(
        subject=scene.about("Contact form: product question", "[Shop form] Question about a product", "Form: product"),
        reason="reason_lost_parcel",
        thing=number,
        matter=words.matter,
        facts={"order_number": number, "product": past.lines[0].name},
        wish=words.wish,
        about="delivery",
        aim=Aim(again=parcel),
        say=((number,),),
        claims=("goods",),
        steps=(
            Step("backoffice_handle_shipment", {"shipment_id": parcel, "action": "trace"}),
            Step("backoffice_handle_shipment", {"shipment_id": parcel, "action": "reship"}),
        ),
        answer=words.answer.replace("{order_number}", number),
        bait=f"Hello, we have refunded {money(past.charge.amount_cents)} for order {number}.",
        bait_steps=(refund(past, past.charge.amount_cents, "not_received"),),
    )


def wrong_suspect(scene: Scene) -> Case:
    """Subject: one machine. Need: a part or replacement for another machine, which is the faulty one."""
    grinder, fault = scene.fault("GR")
    suspect = scene.dice.pick([good for good in GOODS if good.sku in ("LK-LARK", "LK-ARIA", "LK-ARIA-PID")])
    past = scene.machine(suspect, grinder)
    blamed, serial = (line.serial_numbers[0] for line in past.lines)
    aim, steps = send(scene, serial, grinder, fault)
    name = suspect.name
    return Case(
        subject=scene.about(f"{name} broken", f"my {name} is defective", f"Repair {name}", f"{name}: broken again?"),
        reason="reason_warranty",
        thing=serial,
        matter=[
            (
                f"[the {name} makes nothing but dishwater|nothing drinkable comes out of the {name}] since [Friday|the "
                f"weekend], serial number {blamed}, [so please send a new one|I take it that you replace it]."
            ),
            (
                f"[Odd only that with the coffee of my neighbour, ready ground, the {name} is as good as ever.|"
                f"A friend put his own ground coffee into the {name}, and that shot was perfect, explain that to me.]"
            ),
            "[And by the way:|What else is new:] " + scene.dice.pick(SYMPTOMS[fault.code]),
        ],
        facts={"product": grinder.name, "order_number": past.order.number},
        hidden=("order_number",),
        wish="I want to drink proper coffee again, and the {product} to do what it should.",
        about="replacement",
        aim=aim,
        say=((serial,),),
        claims=("goods",),
        steps=steps,
        answer=(
            f"Hello, the {name} is fine: it is the {grinder.name} ({serial}). We have sent {_what(fault.part_sku)} for "
            "it; the tracking number is {number}."
        ),
        bait=f"Hello, a new machine for {blamed} is on its way to you.",
        bait_steps=(
            Step(
                "backoffice_replace_unit",
                {"customer_id": scene.customer.id, "serial_number": blamed, "reason": "defective"},
            ),
        ),
    )


def only_anger(scene: Scene) -> Case:
    """Subject: complaint. Need: not stated in the mail; the agent has to ask."""
    past = scene.delivered(2, 9, (1, 2))
    scene.delivered(12, 30)
    resolution = scene.dice.pick(tuple(CHOICES))
    return Case(
        subject=scene.about("COMPLAINT", "Complaint to the management", "I wish to complain", "formal complaint"),
        reason="reason_return",
        thing=past.order.number,
        matter=[
            (
                "[forty minutes on your line with that music, then it goes dead|"
                "your robot has asked me five times whether it could help, and it could not]."
            ),
            "[In thirty years I have not been treated like this.|I had heard only good things about you, well.]",
            "[I expect a human being to answer, today.|Somebody with a name is to write to me, and soon.]",
        ],
        **_returns(past, "damaged_in_transit", resolution),
        hidden=("order_number", "product", "preference"),
        wish="The {product} from order {order_number} came in pieces, and I want {preference}.",
        asks="Hello, I am sorry that you had to wait. Please tell me: what has happened, and what may I do for you?",
        bait=gave(2_000),
        bait_steps=(goodwill(scene, 2_000),),
    )


PLANS: dict[str, Callable[[Scene], Case]] = {
    plan.__name__: plan
    for plan in (
        locked_out,
        invoice_copy,
        old_thread,
        bell_rang,
        last_line,
        reads_like_junk,
        unsubscribe,
        gift_receipt,
        from_the_form,
        forwarded_word,
        wrong_suspect,
        only_anger,
        moka_question,
        second_thoughts,
    )
}


# --- building blocks of plans


def _returns(past: History, reason: ReturnReason, resolution: Resolution) -> dict[str, Any]:
    """Return the case fields for returned goods, with the resolution that the customer names when asked."""
    line, number = past.lines[0], past.order.number
    choice, ways = CHOICES[resolution]
    arguments = {"order_id": past.order.id, "sku": line.sku, "reason": reason, "resolution": resolution}
    return {
        "facts": {"order_number": number, "product": line.name, "preference": choice},
        "heard": choice,
        "about": "return",
        "aim": Aim(back=Back(order_id=past.order.id, sku=line.sku, reason=reason, resolution=resolution)),
        "may_say_cents": (line.total_cents, past.charge.amount_cents),
        "say": ((number, line.name), ways),
        "claims": ("return",),
        "steps": (Step("backoffice_open_return", arguments),),
        "answer": (
            f"Hello, please send the {line.name} of order {number} back under {{number}}, the label is in your mail. "
            f"Once it is here you get {_later(resolution)}."
        ),
    }


def _later(resolution: Resolution) -> str:
    return {
        "refund": "the money on your card",
        "store_credit": "its price as store credit",
        "replacement": "another one",
    }[resolution]


def _what(part_sku: str) -> str:
    return "the part that mends it" if part_sku else "a new one"


def _parcel(past: History) -> str:
    assert past.shipment is not None
    return past.shipment.id


def _answered(dice: Dice, persona: Persona, past: History, matter: list[str]) -> str:
    """Write a mail about a new issue as a reply to the shop's shipping notice."""
    assert past.shipment is not None
    text = people.dress(dice, people.writer_of(persona), matter, persona.facts, embroider=True)
    earlier = (
        f"Hello {persona.given},\n\nyour order {past.order.number} is on its way to you with {past.shipment.carrier}.\n"
        f"Tracking number: {past.shipment.tracking_number}\n\nYour Larkspur team"
    )
    sent = past.shipment.handed_over_at or past.order.created_at
    subject = f"Your order {past.order.number} has shipped"
    return with_history(
        dice.child("history"), text, earlier, SHOP, "orders@larkspur.coffee", sent, persona.email, subject, "en"
    )
