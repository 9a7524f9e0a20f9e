"""Restless subscription: every action is easy; the work is to choose the right one for the right plan and day."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.apps.backoffice.schema import Customer
from diorama.scenarios.anatomy import Stage, scenario
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.desk_customers import PRIVATE, QUIET_PAST, with_valid_card, without
from diorama.scenarios.larkspur import Larkspur
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.owed_coffee import change_plan, end, pause, resume, skip
from diorama.scenarios.past import note
from diorama.scenarios.past_coffee import coffee_plans, pause_ends, skipped, until, wanted
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
RENEWAL = day("subscription", "renewal_day")

# --- what happened
RUNNING = coffee_plans()
RESTING = [coffee_plans("paused"), pause_ends((3, 9))]
RESTING_OPEN = [coffee_plans("paused"), pause_ends()]
NOT_SENT = coffee_plans(last="open", last_hours_ago=(1, 3))
ON_THE_ROAD = coffee_plans(last="in_transit", last_hours_ago=(74, 100))
MOVED = [
    coffee_plans(raised=True),
    note(
        "{order} was the first bag after I moved that plan from {former} to a dearer one, as asked by phone. (Right "
        "customer? Check.)",
        "{order} went out with another coffee than {former}, changed by phone before. Not sure it was this customer.",
        about="",
        left=True,
    ),
]
AGREED = [
    coffee_plans(due=(5, 8), last="delivered"),
    until((30, 70)),
    note(
        "The {coffee} plan was to rest until {until.day}, agreed by phone weeks ago, and I never entered it. So "
        "{order} was charged all the same: refund it if they ask, they may keep it.",
        "{coffee} plan rests until {until.day}, promised by phone. {order} should not have gone out: refund it.",
        about="",
        left=True,
    ),
]

# --- what customers write
REST = (
    "[we are off travelling|I am away for work|we will be at the coast], and nobody drinks the coffee at home.",
    "[Please let my {coffee} plan rest and go on on {then}.|Can my {coffee} plan rest until {then}?]",
)
REST_OR_CANCEL = (
    "[I think I have to cancel my {coffee} plan|I want to cancel the {coffee} plan, I am afraid].",
    "[The kitchen is being torn out, no coffee here until {then}.|We have to live elsewhere until {then}.]",
    "[If it can simply rest until then, I would much rather keep it.|Or can it just sleep? I do not want to lose it.]",
)
TOO_MUCH = "[there is so much coffee left|I have not got through the last bag yet|we were ill for weeks]."
SKIP_ONE = (
    TOO_MUCH,
    "[Please leave out the next delivery of my {coffee} plan, after that as always.|Skip my next {coffee}.]",
)
SKIP_TWO = (
    TOO_MUCH,
    "[Please leave out the next two deliveries of my {coffee} plan.|Skip my {coffee} twice, then as ever.]",
)
END = (
    "[please end my {coffee} plan for good, if it is not over yet.|I want out of the {coffee} plan, for good.]",
    "[I thought I had done that on the website.|I am not sure whether my click went through.]",
)
WHY = {
    "too_expensive": "[It has simply become too expensive for us.|Money is tight, and the coffee has to go first.]",
    "too_much": "[The bags pile up faster than we can drink them.|We cannot drink this much coffee.]",
    "taste": "[I never warmed to the taste, and I did try.|The taste is not for me, sorry.]",
    "service": "[Your service wore me out, one late parcel after another.|Poor service, I am tired of asking.]",
}
STOP = (
    "[I do not need the last {coffee} that you charged|the last {coffee} is too much], [we are off|the shelf is full].",
    "If it has not left yet, stop that bag and send the money back to my card.",
    (
        "[If it has left, leave out the next one instead and give me the tracking number.|Should it be on the road, "
        "skip the next one and tell me the tracking number.]"
    ),
    "[The plan itself stays.|The plan goes on after that.]",
)
BACK = (
    "[we are back sooner than planned|I am home again, earlier than I thought].",
    "[Please let my {coffee} plan go on right away.|Can the {coffee} plan start again at once?]",
)
OTHER = (
    "[I would like a change|time for something else|my taste has changed].",
    "[Please move my {coffee} plan to another one: {new_coffee}.|Instead of the {coffee} I would like {new_coffee}.]",
)
GRIND = ("[the coffee stays the same|I am happy with the {coffee}], only the grind has to change: {ground}.",)
BOTH = (*OTHER, "[And please|Oh, and] {ground}.")
CLASSIC = (
    "[I get through my {coffee} too slowly|my {coffee} comes too often].",
    "My [sister|neighbour|brother] used to have the Classic from you, every six weeks: I want that instead.",
    "[If that is not to be had any more, then {new_coffee}.|Otherwise {new_coffee} will do.]",
)
WRONG_BAG = (
    (
        "[the last bag was not the {coffee} that I have a plan for|you sent me something else than my {coffee}], and "
        "it cost more, too."
    ),
    "[I never asked for that.|Nobody asked me.]",
)
AS_BEFORE = "[I want the old plan back, and the difference to my card.|Change it back and refund the difference.]"
KEEPS_NEW = (
    "[But it is good, so leave the plan as it is now. Only the difference of that bag goes back to my card.|"
    "I will stay with the new one. Refund the difference of that one bag to my card, please.]"
)
CHARGED = (
    "[we agreed on the phone that my {coffee} plan rests|I was promised a pause of the {coffee} plan].",
    "[And yet you charged me.|Still the money was taken.]",
)
MONEY_AND_PAUSE = (
    "[I want that money back on my card, and the pause as agreed.|Refund it to my card, and pause it for real.]"
)
ONLY_PAUSE = (
    "[Keep that money, we drank it. But pause it now as agreed.|That bag is fine. Just pause it now, as promised.]"
)


def plan(name: str, past: Any, letter: Any, *owed: Any, **more: Any) -> Plan:
    """Return a plan about a coffee plan."""
    past = past if isinstance(past, list) else [past]
    return Plan(name, past=past, letter=letter, owed=owed, facts=["plan"], **more)


def for_each_reason(one: Plan) -> list[Plan]:
    """Return a plan for each reason that a customer may give for leaving."""
    return [
        replace(one, name=f"{one.name}_{why}", letter=[*one.letter, text], owed=[end(why)]) for why, text in WHY.items()
    ]


def switch(name: str, letter: Any, *, coffee: bool = False, grind: bool = False, **more: Any) -> Plan:
    """Return a plan in which the coffee, the grind or both change from the next renewal on."""
    owed = change_plan(option="new_grind" if grind else "")
    price = "You get {new_coffee} for {new_price}, from the renewal of {subscription.renewal_day} on."
    told = [RENEWAL, *([amount("new_price")] if coffee else [])]
    return plan(
        name, [RUNNING, wanted(coffee=coffee, grind=grind)], letter, owed, closing={"effective": RENEWAL}, tell=told,
        reply=price if coffee else "It counts from the renewal of {subscription.renewal_day} on.", **more,
    )  # fmt: skip


@scenario("zendesk/restless-subscription")
class RestlessSubscription(Larkspur):
    """A customer wants something about one of their coffee plans.

    They want to pause it until a day, extend a pause or end it; skip a delivery, or stop a bag that may already be on
    its way; change the coffee or the grind; have a mistake of the company corrected and refunded; or only learn that
    it has already ended. Some say cancel and mean a pause, and a cancelled plan cannot be restored. Which plan it is,
    and what state it is in, the records say.
    """

    tags = ("support", "subscription", "money")
    customers_where = f"{PRIVATE} AND {without('subscriptions', 'refunds')} AND {QUIET_PAST}"
    rules = (
        "About coffee plans: a cancelled plan cannot be revived, so cancel only what the customer wants to end for "
        "good, at once unless they name a later day, and record the reason that they give. A plan that rests already "
        "and should rest longer is resumed and paused again. Tell the customer the day that matters (of the next "
        "renewal, of the new start, of the end), and the price where the coffee changes. A bag that has left cannot be "
        "stopped. What a colleague agreed in a note counts; what was changed by mistake is changed back if the "
        "customer wants that."
    )
    subjects = (
        "Subscription", "my coffee subscription", "Coffee", "about my next bag", "Hello", "coffee plan", "a question",
        "Re: your coffee", "Please change this", "Next delivery",
    )  # fmt: skip
    plans = (
        plan("rest_a_while", [RUNNING, until()], REST, pause(), tell=[day("until")]),
        plan("rest_longer", [*RESTING, until()], REST, pause(), tell=[day("until")]),
        plan("rest_not_cancel", [RUNNING, until()], REST_OR_CANCEL, pause(), tell=[day("until")]),
        plan("rest_longer_not_cancel", [*RESTING, until()], REST_OR_CANCEL, pause(), tell=[day("until")], split=NEW),
        plan("skip_one", [RUNNING, skipped()], SKIP_ONE, skip(), tell=[day("later")]),
        plan("skip_two", [RUNNING, skipped(2)], SKIP_TWO, skip(), tell=[day("later")]),
        *for_each_reason(plan("end", RUNNING, END)),
        plan(
            "over_already", coffee_plans("cancelled"), [*END, f"[{'|'.join(text[1:-1] for text in WHY.values())}]"],
            tell=[day("subscription", "end_day")], resolution=(EXPLAINED, REFUSED),
            reply="Your {coffee} plan was cancelled on {subscription.end_day}; nothing was charged after that.",
        ),
        plan("bag_not_sent", NOT_SENT, STOP, cancel("order"), refund("charge"), tell=[number("order")]),
        plan(
            "bag_has_left", [ON_THE_ROAD, skipped()], STOP, skip(), tell=[number("parcel"), day("later")],
            reply="Order {order} has left already, tracking number {parcel}.",
        ),
        plan("back_early", [coffee_plans("paused"), pause_ends((30, 60))], BACK, resume()),
        plan("back_from_open_end", RESTING_OPEN, BACK, resume()),
        switch("other_coffee", OTHER, coffee=True),
        switch("other_grind", GRIND, grind=True),
        switch("coffee_and_grind", BOTH, coffee=True, grind=True),
        switch("classic_is_gone", CLASSIC, coffee=True),
        plan(
            "moved_by_mistake", MOVED, [*WRONG_BAG, AS_BEFORE], change_plan("former"),
            refund("charge", cents=amount("difference")), tell=[number("order")],
        ),
        plan(
            "moved_and_stays", MOVED, [*WRONG_BAG, KEEPS_NEW], refund("charge", cents=amount("difference")),
            tell=[number("order")],
        ),
        plan(
            "charged_in_pause", AGREED, [*CHARGED, MONEY_AND_PAUSE], refund("charge"), pause(), tell=[day("until")],
        ),
        plan("only_the_pause", AGREED, [*CHARGED, ONLY_PAUSE], pause(), tell=[day("until")], split=NEW),
    )  # fmt: skip

    def candidates(self, stage: Stage, plan: Plan) -> list[Customer]:
        """Return the customers whose card is valid, so that renewals succeed."""
        return with_valid_card(super().candidates(stage, plan), stage.now)
