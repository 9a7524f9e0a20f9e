"""Plans for subscription requests: each stages its case in the back office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice.schema import Subscription
from diorama.apps.backoffice.seed import History
from diorama.scenarios.restless_subscription.scene import (
    COFFEES,
    DAY,
    ENDED,
    GONE,
    GRIND_WORDS,
    GRINDS,
    HOUR,
    OFFERS,
    RETIRED,
    SOLD,
    WHY_ENOUGH,
    Case,
    Scene,
    Step,
    as_it_is,
    change,
    due_at,
    price,
    stamp,
    word,
)
from diorama.scenarios.unported.shop import Due
from diorama.scenarios.unported.words import money, spoken_dates

# --- the plans


def holiday(scene: Scene) -> Case:
    """Stage a customer who is away for some weeks: pause, and resume automatically on the right day."""
    subscription, _ = scene.coffee()
    return _rest(
        scene,
        subscription,
        scene.subject("Holiday", "away for a while", "Pause please"),
        [
            "[we are off travelling|I am away for work|we will be at the coast] and nobody drinks the coffee at home.",
            "[Please pause my subscription|Can you stop the bags for now] and [start again|go on] on {date}.",
        ],
    )


def not_for_good(scene: Scene) -> Case:
    """Stage a customer who says cancel and means a pause: a cancelled subscription cannot be restored."""
    subscription, _ = scene.coffee()
    return _rest(
        scene,
        subscription,
        scene.subject("Cancel subscription", "CANCEL", "cancellation", "Cancelling my coffee"),
        [
            "[I think I have to cancel my subscription|I want to cancel, I am afraid].",
            "[The kitchen is being torn out, no coffee here until {date}|We have to live elsewhere until {date}].",
            (
                "[If it can simply rest and start again on {date}, I would much rather keep it.|"
                "Or can it just sleep until {date}? I do not want to lose it.]"
            ),
        ],
    )


def longer_away(scene: Scene) -> Case:
    """Stage a pause that ends too early: the new date has to replace the old one."""
    before = scene.day(3, 9)
    subscription = scene.paused(before)
    case = _rest(
        scene,
        subscription,
        scene.subject("still away", "my pause", "Pause"),
        [
            "my subscription [is resting|is paused] until {old_date}, and that is too early.",
            "[The builders need longer.|We are staying longer than we thought.|The hospital keeps me a while longer.]",
            "[Please make it|Can you make it] {date} instead.",
        ],
    )
    case.facts["old_date"] = scene.spoken(before)
    case.steps = (change(subscription, "resume"), *case.steps)
    case.renews = True
    return case


def skip_some(scene: Scene) -> Case:
    """Stage a customer with too many bags: skip the next one or the next two, and no more."""
    subscription, _ = scene.coffee(due=timedelta(days=scene.dice.integer(2, 6), hours=scene.dice.integer(1, 9)))
    count = scene.dice.integer(1, 2)
    later = due_at(subscription) + count * timedelta(weeks=OFFERS[subscription.plan_code].interval_weeks)
    which = "the next bag" if count == 1 else "the next two bags"
    return Case(
        subject=scene.subject("Skip one" if count == 1 else "skip two", "too much coffee"),
        matter=[
            "[there is so much coffee left|I have not got through the last one yet|we were ill for weeks].",
            f"[Please leave out {which}|Can you skip {which}], [after that as always|then carry on as usual].",
        ],
        facts={},
        want=as_it_is(subscription, next_at=later),
        steps=(change(subscription, "skip"),) * count,
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(later),),
        answer=f"Hello, we leave out {which}; the one after comes with the renewal of {spoken_dates(later)[1]}.",
        wish=f"Please leave out {which}.",
    )


def back_early(scene: Scene) -> Case:
    """Stage a paused subscription that has to resume at once."""
    subscription = scene.paused(scene.day(30, 60) if scene.dice.chance(0.5) else None)
    days = [scene.tx.now + count * DAY for count in range(1, 5)]
    return Case(
        subject=scene.subject("I miss my coffee", "start again", "Back!"),
        matter=[
            "[we are back|I am home again] [sooner than planned|earlier than I thought].",
            "[Please let the subscription go on right away|Can the subscription start again at once].",
            "[Supermarket coffee is a sad thing.|I had forgotten how bad the other stuff is.]",
        ],
        facts={},
        want=as_it_is(subscription, status="active", by=scene.tx.now + 5 * DAY),
        renews=True,
        steps=(change(subscription, "resume"),),
        may_say_cents=(price(subscription.plan_code),),
        say=(("tomorrow", *(form for day in days for form in spoken_dates(day))),),
        answer=f"Hello, your subscription runs again; the next bag is charged on {spoken_dates(days[0])[1]}.",
        wish="Please let my subscription go on.",
    )


def back_on_a_day(scene: Scene) -> Case:
    """Stage a pause without an end date that now gets one."""
    subscription = scene.paused(None)
    day = scene.day(9, 40)
    return Case(
        subject=scene.subject("start again", "end of my pause", "Restart"),
        matter=[
            "my subscription [is paused|has been resting] [with no end|until I say so].",
            "[The day has come|Now I know more]: please start it again on {date}, [not before|not earlier].",
            "[Before that nobody is here to open the door.|I fly back the day before.]",
        ],
        facts={"date": scene.spoken(day)},
        want=as_it_is(subscription, status="active", on=day),
        steps=(change(subscription, "resume", resumes_at=stamp(day)),),
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(day),),
        answer=f"Hello, your subscription starts again on {spoken_dates(day)[1]}, not before.",
        wish="Please start my subscription again on {date}.",
    )


def enough(scene: Scene) -> Case:
    """Stage a cancellation whose reason has to be recorded."""
    subscription, _ = scene.coffee()
    reason = scene.dice.pick(sorted(WHY_ENOUGH))
    return _end(
        scene,
        subscription,
        reason,
        [
            "[please cancel my coffee subscription|I would like to end my coffee subscription], for good.",
            WHY_ENOUGH[reason],
            "[No more bags after today, please.|Do not charge the next one.]",
        ],
    )


def one_of_two(scene: Scene) -> Case:
    """Stage two subscriptions; only one of them has to be cancelled."""
    mine, other = scene.dice.sample([code for code in SOLD if code != "harbour-kilo-4w"], 2)
    while word(mine) == word(other):
        other = scene.dice.pick(SOLD)
    ending, _ = scene.coffee(mine)
    staying, _ = scene.coffee(other)
    home = scene.elsewhere()
    ending = scene.tx.change(
        ending,
        shipping_address=msgspec.structs.replace(
            ending.shipping_address,
            line1=home.line1,
            line2="c/o " + scene.customer.name.split()[-1],
            city=home.city,
            postal_code=home.postal_code,
        ),
    )
    reason = scene.dice.pick(("too_much", "moving", "taste"))
    why = {
        "too_much": "[She cannot drink that much coffee.|It is far too much coffee for her alone.]",
        "moving": "[She is moving in with us.|She is moving to a home where they cook for her.]",
        "taste": "[It is not to her taste after all.|She does not like the taste, she told me so at last.]",
    }[reason]
    case = _end(
        scene,
        ending,
        reason,
        [
            "[I have two subscriptions with you|two of your subscriptions run on my name].",
            f"[Please cancel the one that goes to my mother, in {{city}}|Please cancel the one with the {word(mine)}].",
            why,
            "[The other one stays, I could not live without it.|Mine stays as it is!]",
        ],
    )
    case.facts["city"] = home.city
    case.keeps = (as_it_is(staying),)
    case.may_say_cents = (price(mine), price(other))
    case.say = (*case.say, (word(mine), home.city))
    case.answer = f"Hello, the subscription with the {word(mine)} to {home.city} is cancelled. The other one stays."
    return case


def another_roast(scene: Scene) -> Case:
    """Stage a change to another coffee from the next bag on."""
    subscription, _ = scene.coffee()
    code = _other(scene, subscription)
    return _switch(
        scene,
        subscription,
        code,
        [
            "[I would like a change|time for something else|my taste has changed].",
            f"[Please move my subscription to {COFFEES[code]}|From the next bag on I would like {COFFEES[code]}].",
        ],
    )


def roast_and_grind(scene: Scene) -> Case:
    """Stage a change to another coffee and another grind."""
    before, after = scene.dice.sample(sorted(GRINDS), 2)
    subscription, _ = scene.coffee(option=before)
    code = _other(scene, subscription)
    return _switch(
        scene,
        subscription,
        code,
        [
            f"[could I have {COFFEES[code]} instead|please change my subscription to {COFFEES[code]}].",
            f"[And|Oh, and] {GRINDS[after][0]}.",
        ],
        after,
    )


def new_grinder(scene: Scene) -> Case:
    """Stage a change to another grind of the same coffee."""
    before, after = scene.dice.sample(sorted(GRINDS), 2)
    subscription, _ = scene.coffee(option=before)
    return _switch(
        scene,
        subscription,
        subscription.plan_code,
        [
            "[the coffee stays the same|I am happy with the coffee], [only the grind has to change|only one thing].",
            f"[From the next bag on|For the next bags]: {GRINDS[after][0]}.",
        ],
        after,
    )


def no_longer_sold(scene: Scene) -> Case:
    """Stage a request for a plan that is no longer sold; the customer names a second choice."""
    subscription, _ = scene.coffee(scene.dice.pick(("harbour-2w", "night-2w", "explorer-2w")))
    code = _other(scene, subscription, weeks=4)
    case = _switch(
        scene,
        subscription,
        code,
        [
            "[every two weeks is too often for me|two weeks are over too quickly].",
            "My [sister|neighbour|brother] [has|used to have] the Classic from you, every six weeks: I want that, too.",
            f"[If that is not to be had any more, then {COFFEES[code]}.|Otherwise {COFFEES[code]} will do.]",
        ],
    )
    case.say = (*case.say, GONE)
    case.may_say_cents = (*case.may_say_cents, price(RETIRED))
    case.answer = f"{case.answer} The Classic every six weeks is no longer sold."
    return case


def never_asked_for_it(scene: Scene) -> Case:
    """Stage a mistaken move to a more expensive plan: restore the old plan and refund the difference."""
    pairs = [
        (old, new)
        for old in SOLD
        for new in SOLD
        if OFFERS[old].interval_weeks == OFFERS[new].interval_weeks and price(old) < price(new)
    ]
    old, new = scene.dice.pick(pairs)
    subscription, past = scene.coffee(new, was=old)
    taken = past[-1]
    cents = price(new) - price(old)
    scene.note(
        f"Moved the subscription from {old} to {new} as asked on the phone. (Was this the right customer? Check.)",
        max(1, (scene.tx.now - taken.order.created_at).days + 2),
        "devon@larkspur.coffee",
    )
    return Case(
        subject=scene.subject("Wrong coffee", "I did not order this", "What is this?"),
        matter=[
            "[the last bag was not what I have subscribed to|you sent me the wrong coffee], and it cost more, too.",
            f"[I never asked for that.|Nobody asked me.] I want my old plan back, {COFFEES[old]}.",
            "[And I want the difference back, order {order_number}.|The difference for {order_number} is mine.]",
        ],
        facts={"order_number": taken.order.number},
        want=as_it_is(subscription, plan=old),
        dues=(Due(charges=(taken.charge.id,), cents=cents),),
        steps=(change(subscription, "change_plan", plan=old), _refund(taken, cents, "billing_error")),
        say_cents=(cents,),
        may_say_cents=(price(old), price(new)),
        say=((word(old), old),),
        answer=(
            f"Hello, that was our mistake. You are back on the {word(old)} plan ({old}), and we have refunded the "
            f"difference of {money(cents)} for order {taken.order.number}."
        ),
        wish="Please put me back on my old plan and give me the difference back.",
    )


def charged_in_pause(scene: Scene) -> Case:
    """Stage a pause that was agreed by phone and forgotten: refund the charge, and pause now."""
    subscription, past = scene.coffee(scene.dice.pick([code for code in SOLD if code.endswith("4w")]), 24 * DAY)
    taken = past[-1]
    cents = taken.charge.amount_cents
    until = scene.day(25, 60)
    scene.note(
        f"Called: away from now on, agreed to pause the subscription until {until:%Y-%m-%d}. "
        "Nothing to be charged before. If a bag goes out all the same, refund it; they may keep it.",
        (scene.tx.now - taken.order.created_at).days + 3,
        "devon@larkspur.coffee",
    )
    case = _rest(
        scene,
        subscription,
        scene.subject("Charged during my pause", "why was I charged", "Paused?!"),
        [
            "[we agreed on the phone that my subscription rests until {date}|I was promised a pause until {date}].",
            "[And yet you charged me|Still the money was taken], order {order_number}.",
            "[I want that money back, and the pause that I was promised.|Please refund it, and pause it for real.]",
        ],
        until,
    )
    case.facts["order_number"] = taken.order.number
    case.dues = (Due(charges=(taken.charge.id,), cents=cents),)
    case.say_cents = (cents,)
    case.steps = (_refund(taken, cents, "subscription"), *case.steps)
    case.answer = f"{case.answer} We have refunded {money(cents)} for order {taken.order.number}."
    return case


def already_over(scene: Scene) -> Case:
    """Stage a request to cancel a subscription that has already ended: only the date is left to tell."""
    ended = scene.tx.now - scene.dice.integer(6, 30) * DAY - scene.dice.integer(1, 9) * HOUR
    subscription, _ = scene.coffee(stopped=ended, status="cancelled")
    reason = scene.dice.pick(("too_much", "too_expensive", "other"))
    scene.tx.change(subscription, cancel_reason=reason, cancelled_at=ended, updated_at=ended)
    return Case(
        subject=scene.subject("Cancel", "cancel my subscription", "Cancellation"),
        matter=[
            "[please cancel my coffee subscription|I want out of the coffee subscription] before you charge me again.",
            "[I thought I had done that on the website.|I am not sure whether my click went through.]",
            "[Please write to me since when it is over.|I need a clear answer, with the day.]",
        ],
        facts={},
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(ended), ENDED),
        answer=f"Hello, your subscription was cancelled on {spoken_dates(ended)[1]}; nothing was charged after that.",
        wish="Please tell me whether my subscription is over.",
    )


def stop_this_bag(scene: Scene) -> Case:
    """Stage a bag that was charged last night and not sent: cancel and refund it, keep the subscription."""
    code = scene.dice.pick(SOLD)
    since = timedelta(hours=scene.dice.integer(2, 12), minutes=scene.dice.integer(0, 59))
    subscription, past = scene.coffee(code, timedelta(weeks=OFFERS[code].interval_weeks) - since)
    taken = past[-1]
    cents = taken.charge.amount_cents
    return Case(
        subject=scene.subject("Stop!", "not this bag please", "the charge of last night"),
        matter=[
            "[I forgot to write in time|I see the money has just been taken], order {order_number}.",
            "[I am away, so please stop this one and give me the money back.|Please do not send it, and pay me back.]",
            "[The subscription itself stays, the next bag comes as planned.|Only this one! The next may come as ever.]",
        ],
        facts={"order_number": taken.order.number},
        want=as_it_is(subscription),
        cancels=taken.order.id,
        dues=(Due(charges=(taken.charge.id,), cents=cents),),
        steps=(
            Step("backoffice_cancel_order", {"order_id": taken.order.id, "reason": "customer does not want this bag"}),
            _refund(taken, cents, "cancelled_order"),
        ),
        say_cents=(cents,),
        say=(spoken_dates(due_at(subscription)),),
        answer=(
            f"Hello, order {taken.order.number} will not be sent, and we have refunded {money(cents)}. Your "
            f"subscription goes on with the renewal of {spoken_dates(due_at(subscription))[1]}."
        ),
        wish="Please stop order {order_number} and give me the money back.",
    )


def too_late_this_time(scene: Scene) -> Case:
    """Stage a bag that is already with the carrier: it arrives, and the next one is skipped instead."""
    code = scene.dice.pick(SOLD)
    step = timedelta(weeks=OFFERS[code].interval_weeks)
    subscription, past = scene.coffee(code, step - scene.dice.integer(74, 100) * HOUR, last="in_transit")
    parcel = past[-1].shipment
    assert parcel is not None
    later = due_at(subscription) + step
    return Case(
        subject=scene.subject("Skip this one", "please skip", "too much coffee"),
        matter=[
            "[please skip the bag of this month|I do not need the bag that is due now], the shelf is full.",
            "[If it has left already|If it is too late for that], tell me the tracking number and skip the next one.",
        ],
        facts={},
        want=as_it_is(subscription, next_at=later),
        steps=(change(subscription, "skip"),),
        may_say_cents=(price(code),),
        say=((parcel.tracking_number,), spoken_dates(later)),
        answer=(
            f"Hello, order {past[-1].order.number} is with {parcel.carrier} already, tracking number "
            f"{parcel.tracking_number}. So we leave out the next bag; the renewal after that is on "
            f"{spoken_dates(later)[1]}."
        ),
        wish="Please skip a bag.",
    )


PLANS: dict[str, Callable[[Scene], Case]] = {
    plan.__name__: plan
    for plan in (
        holiday,
        not_for_good,
        longer_away,
        skip_some,
        back_early,
        back_on_a_day,
        enough,
        one_of_two,
        another_roast,
        roast_and_grind,
        new_grinder,
        no_longer_sold,
        never_asked_for_it,
        charged_in_pause,
        already_over,
        stop_this_bag,
        too_late_this_time,
    )
}


# --- what plans share


def _rest(
    scene: Scene, subscription: Subscription, subject: str, matter: Sequence[str], until: datetime | None = None
) -> Case:
    """Return a case that pauses a subscription until a day."""
    day = until or scene.day(20, 75)
    return Case(
        subject=subject,
        matter=matter,
        facts={"date": scene.spoken(day)},
        want=as_it_is(subscription, status="paused", on=day),
        steps=(change(subscription, "pause", resumes_at=stamp(day)),),
        may_say_cents=(price(subscription.plan_code),),
        say=(spoken_dates(day),),
        answer=f"Hello, your subscription rests now and starts again by itself on {spoken_dates(day)[1]}.",
        wish="Please pause my subscription until {date}.",
    )


def _end(scene: Scene, subscription: Subscription, reason: str, matter: Sequence[str]) -> Case:
    """Return a case that cancels a subscription with a reason."""
    return Case(
        subject=scene.subject("Cancellation", "cancel", "Goodbye", "End of subscription"),
        matter=matter,
        facts={},
        want=as_it_is(subscription, status="cancelled", reason=reason),
        steps=(change(subscription, "cancel", reason=reason),),
        may_say_cents=(price(subscription.plan_code),),
        say=(ENDED,),
        answer="Hello, your subscription is cancelled as of today; nothing more will be charged.",
        wish="Please cancel my subscription.",
    )


def _switch(scene: Scene, subscription: Subscription, code: str, matter: Sequence[str], grind: str = "") -> Case:
    """Return a case that changes the plan, the grind or both from the next bag on."""
    day = due_at(subscription)
    same = code == subscription.plan_code
    grounds = f", ground: {grind.replace('_', ' ')}," if grind else ""
    said = [spoken_dates(day)]
    if grind:
        said.append(GRIND_WORDS[grind])
    if not same:
        said.append((word(code), code))
    return Case(
        subject=scene.subject("change of plan", "something else please", "Change"),
        matter=matter,
        facts={},
        want=as_it_is(subscription, plan=code, option=grind or subscription.option),
        steps=(change(subscription, "change_plan", plan=code, **({"option": grind} if grind else {})),),
        say_cents=() if same else (price(code),),
        may_say_cents=(price(subscription.plan_code), price(code)),
        say=tuple(said),
        answer=(
            f"Hello, from the renewal of {spoken_dates(day)[1]} on you get {OFFERS[code].name}{grounds} for "
            f"{money(price(code))}."
        ),
        wish="Please change my subscription as I wrote.",
    )


def _other(scene: Scene, subscription: Subscription, weeks: int = 0) -> str:
    """Draw a plan with another coffee."""
    mine = word(subscription.plan_code)
    return scene.dice.pick(
        [code for code in SOLD if word(code) != mine and (not weeks or OFFERS[code].interval_weeks == weeks)]
    )


def _refund(taken: History, cents: int, reason: str) -> Step:
    return Step("backoffice_refund_charge", {"charge_id": taken.charge.id, "reason": reason, "amount_cents": cents})
