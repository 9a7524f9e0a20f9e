"""Needs about a coffee subscription, with subjects that do not mention it."""

from __future__ import annotations

from datetime import timedelta

from diorama import people
from diorama.kernel import Dice
from diorama.people import Persona
from diorama.people.names import draw_person
from diorama.people.writing import forwarded
from diorama.scenarios.hidden_need.aims import Aim
from diorama.scenarios.hidden_need.scene import Case, Scene, hand_of, refund
from diorama.scenarios.restless_subscription.scene import (
    ENDED,
    GRIND_WORDS,
    HOUR,
    OFFERS,
    SOLD,
    Step,
    as_it_is,
    change,
    due_at,
    price,
    stamp,
)
from diorama.scenarios.unported.words import money, spoken_dates

GRINDS = {
    "moka": "[the grinder has died, we are back on the moka pot, so ground for that|moka pot grind from now on]",
    "filter": "[we only make filter now, so ground for filter|somebody bought a filter machine, so filter grind]",
    "french_press": "[the French press has won, so ground for that|French press grind, there is no grinder up here]",
    "espresso": "[ground for espresso, the new machine has no grinder|espresso grind, we cannot grind it up here]",
}
"""How office customers describe the grinds."""


def unsubscribe(scene: Scene) -> Case:
    """Subject: the newsletter. Need: cancel the coffee that is charged and sent every few weeks."""
    code = scene.dice.pick(SOLD)
    subscription, _ = scene.coffee(code)
    cents, weeks = price(code), {2: "two", 4: "four"}[OFFERS[code].interval_weeks]
    return Case(
        subject=scene.about(
            "Unsubscribe", "UNSUBSCRIBE ME", "newsletter", "your mailing list", "unsubscribe (3rd time)"
        ),
        reason="reason_subscription",
        thing=subscription.id,
        matter=[
            (
                "[how often does one have to unsubscribe from you|"
                "I have pressed the little link at the bottom of your mails three times]."
            ),
            (
                f"[And still: every {weeks} weeks {{price}} off my card|Again {{price}} gone, as every {weeks} weeks], "
                "[and a packet in the hall that nobody drinks|and my cupboard is full to the top]."
            ),
            "[Take me off, and this time for good.|I want none of it any more, ever.]",
        ],
        facts={"price": money(cents)},
        wish="I do not want to be charged {price} for coffee any more, please end that for good.",
        about="cancellation",
        aim=Aim(ends=subscription.id),
        may_say_cents=(cents,),
        say=(ENDED, ("subscription", "coffee", "plan")),
        claims=("end",),
        steps=(change(subscription, "cancel"),),
        answer="Hello, your coffee subscription is cancelled as of today; nothing more is charged or sent.",
        bait="Hello, we have removed you from the newsletter, you will get no more mails.",
    )


def forwarded_word(scene: Scene) -> Case:
    """Subject: a forwarded invoice. Need: the grind that a colleague asks for in the quoted mail."""
    subscription, _ = scene.coffee()
    grind = scene.dice.pick([name for name in sorted(GRINDS) if name != subscription.option])
    day = due_at(subscription)
    other = draw_person(scene.dice.child("colleague"), scene.home.country).name
    subject = scene.about("Invoice coffee", "coffee invoice March", "invoice, and one more thing")
    matter = [
        "[the coffee invoice is booked, you can throw the paper away|I have booked the invoice for the coffee].",
        "[Next time with the cost centre please, otherwise I have to look for it.|The cost centre was missing again.]",
        (
            f"[Ah, and you know the coffee people, don't you:|And tell your roaster:] {GRINDS[grind]}, "
            "[from the next bag on|starting with the next one]."
        ),
    ]
    return Case(
        subject=f"Fwd: {subject}",
        reason="reason_subscription",
        thing=subscription.id,
        compose=lambda dice, persona: _passed_on(dice, persona, other, subject, matter, scene),
        facts={"grind": GRIND_WORDS[grind][0]},
        wish="The coffee should come ground for {grind} from the next bag on.",
        about="subscription",
        aim=Aim(coffee=as_it_is(subscription, option=grind)),
        may_say_cents=(price(subscription.plan_code),),
        say=(GRIND_WORDS[grind], spoken_dates(day)),
        steps=(change(subscription, "change_plan", plan=subscription.plan_code, option=grind),),
        answer=(
            f"Hello, from the renewal of {spoken_dates(day)[1]} on your coffee comes ground: "
            f"{GRIND_WORDS[grind][0]}. All else stays as it is."
        ),
        bait="Hello, we have corrected the invoice; the new one with the cost centre is attached.",
    )


def moka_question(scene: Scene) -> Case:
    """Subject: which grind. Need: skip the next bag, and only that one."""
    soon = timedelta(days=scene.dice.integer(3, 8), hours=scene.dice.integer(1, 9))
    subscription, _ = scene.coffee(due=soon)
    later = due_at(subscription) + timedelta(weeks=OFFERS[subscription.plan_code].interval_weeks)
    return Case(
        subject=scene.about("Which grind for a moka pot?", "grind size", "moka", "Question: grind"),
        reason="reason_subscription",
        thing=subscription.id,
        matter=[
            (
                "[which grind would you take for a moka pot|how fine should it be in a moka pot], "
                "[my daughter has left one here|purely out of curiosity]?"
            ),
            "[It does not press, there are three bags on the shelf, unopened.|No hurry, we are stocked far too well.]",
            (
                "[The next one I cannot even store, so leave that one out, but then go on as always.|"
                "Let the coming bag be, will you, just that one, and then as ever.]"
            ),
        ],
        facts={},
        wish="Please leave out the next bag, only that one.",
        about="subscription",
        aim=Aim(coffee=as_it_is(subscription, next_at=later)),
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(later),),
        steps=(change(subscription, "skip"),),
        answer=(
            "Hello, a little coarser than for espresso does well in a moka pot. We leave out the next bag; the one "
            f"after comes with the renewal of {spoken_dates(later)[1]}."
        ),
        bait="Hello, your coffee comes ground for the moka pot from the next bag on.",
        bait_steps=(change(subscription, "change_plan", plan=subscription.plan_code, option="moka"),),
    )


def second_thoughts(scene: Scene) -> Case:
    """Subject: cancel an order. Need, in a second mail: keep the order, and pause the coffee until a date."""
    past = scene.order(scene.goods(1, 2), scene.dice.integer(3, 10) * HOUR, "open")
    subscription, _ = scene.coffee()
    day, number, cents = scene.day(25, 70), past.order.number, past.charge.amount_cents
    return Case(
        subject=scene.about(f"Cancel order {number}", "CANCEL MY ORDER", "cancellation", f"{number}: please cancel"),
        reason="reason_subscription",
        thing=subscription.id,
        matter=[
            "[please cancel {order_number} at once|stop {order_number} before it goes out, please].",
            "[We will be away, and it would stand at the door for weeks.|Nobody will be here to take it in.]",
        ],
        then=[
            (
                "[me again, and sorry: leave {order_number} as it is|forget what I wrote, {order_number} may come], "
                "[the neighbours take it in|my son stays at home after all]."
            ),
            (
                "[What really has to stop for a while is the coffee.|It is the coffee that nobody will drink.] "
                "[Let it rest until {date} and then go on by itself.|On {date} it may start again, until then none.]"
            ),
        ],
        facts={"order_number": number, "date": scene.spoken(day)},
        wish="Leave order {order_number} as it is, and let the coffee rest until {date}.",
        about="subscription",
        aim=Aim(coffee=as_it_is(subscription, status="paused", on=day)),
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(day),),
        claims=("rest",),
        steps=(change(subscription, "pause", resumes_at=stamp(day)),),
        answer=f"Hello, your order comes as planned, and your coffee rests; it starts again on {spoken_dates(day)[1]}.",
        bait=f"Hello, we have cancelled your order {number} and refunded {money(cents)}.",
        bait_steps=(
            Step("backoffice_cancel_order", {"order_id": past.order.id, "reason": "customer request"}),
            refund(past, cents, "cancelled_order"),
        ),
    )


def _passed_on(dice: Dice, persona: Persona, name: str, subject: str, matter: list[str], scene: Scene) -> str:
    """Return another person's mail, forwarded with a short introduction."""
    given, _, family = name.rpartition(" ")
    box = "".join(letter for letter in f"{given[:1]}.{family}".lower() if letter.isalnum() or letter == ".")
    address = f"{box}@{dice.pick(('gmail.com', 'outlook.com', 'posteo.net'))}"
    written = people.dress(dice, hand_of(name, address, dice.pick(("plain", "terse", "polite"))), matter)
    moment = scene.tx.now - dice.integer(15, 40) * HOUR
    return forwarded(dice.child("passing on"), written, name, address, moment, persona.email, subject, "en")
