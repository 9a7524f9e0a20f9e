"""Late refund: closing the ticket is easy; the work is to refund the right amount once."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import Value, amount, day, number
from diorama.scenarios.larkspur import COFFEE, LARGE, SMALL, Larkspur
from diorama.scenarios.owed import CREDIT, Due, cancel, refund, reship
from diorama.scenarios.owed_coffee import pause, skip
from diorama.scenarios.past import (
    charged_again,
    disputed,
    note,
    order,
    ordered_again,
    refunded,
    returned,
    second_mailbox,
    subscription,
)
from diorama.scenarios.past_coffee import skipped, until
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
LOST = order(SMALL, (16, 30), "lost")
LOST_MACHINE = order(LARGE, (18, 30), "lost", pieces=(1, 1))
DELIVERED = order(SMALL, (6, 14), pieces=(1, 3))
PROMISED = note(
    "Carrier confirms the parcel of {order} is lost. Customer wants the money back. Promised refund by Friday.",
    "{order} lost in transit (trace closed). Refund agreed on the phone, will do it tomorrow.",
    "lost parcel {order}, refund promised for this week",
)
NEVER_CAME = (
    "my parcel for {which} never arrived.",
    "[Your colleague|Somebody from your team] promised [the refund for Friday|to sort it out by Friday].",
    "[It is Monday and nothing has happened.|Nothing has come so far.]",
)
TWICE = (
    "you took the money for {which} twice.",
    "[I was told it would be put right within days.|I wrote about this last week already.]",
    "[My bank statement shows both.|Both are still booked.]",
)
MISSING = (
    "there was no {line} in the box of {which}.",
    "[You said I get the money for it back.|The refund for it was promised.]",
    "[Days later: nothing.|I have not seen it yet.]",
)
SENT_BACK = (
    "I sent back the {line} from {which}.",
    "[You should have had it for days.|It must be with you by now.]",
    "[The refund was supposed to follow right away.|No refund so far.]",
)
STILL_CHARGED = (
    "I asked you weeks ago to end my coffee plan and now {which} was charged anyway.",
    "[Somebody promised to take care of it.|I was told you would look into it.]",
)
TO_CARD = "[Please send the money back to my card.|I want the money back on my card.]"
TO_CREDIT = "[Please make it store credit, I will order again anyway.|Store credit is fine with me.]"
AGAIN = "[I do not want the money any more, please send the things again.|Please just send it again instead.]"
CARD_CLOSED = "[That card does not exist any more.|I closed that card.]"
FAILED = refunded(failed="card_closed", note="Lost parcel")
WANTED_OUT = note("Wants to cancel the subscription. Promised to do it and to refund {order} if it still renews.")
BOTH = "[Cancel it this time and give me that money back.|End it for good, and where is my refund?]"
ONLY_MONEY = (
    "[By now I want to keep it after all, but that one charge goes back to my card.|"
    "Leave it running, the coffee is good. But refund that one as you promised.]"
)
ONLY_THE_END = "[I drank that one, keep the money. Just end it now.|Never mind the refund, but cancel it today.]"
ANY_WAY = "[Please send the money back to my card.|Please make it store credit.|Please just send it again instead.]"
WISHES: dict[str, tuple[Due | None, tuple[Value, ...], str]] = {
    "keeps": (None, (), "[My coffee plan can go on as it is.|Leave my coffee plan alone, please.]"),
    "ends": (
        cancel(), (), "[And please end my coffee plan, I have had enough.|Cancel my coffee plan as well, please.]",
    ),
    "pauses": (
        pause(), (day("until"),),
        "[And please let my coffee plan rest until {then}.|Also, my coffee plan can rest until {then}, we are away.]",
    ),
    "skips": (
        skip(), (day("later"),),
        "[And please leave out the next delivery of my coffee plan.|Also, skip the next bag of my coffee plan.]",
    ),
}  # fmt: skip
"""What a customer may want about a coffee plan besides: what is owed then, what must be told, and the words."""


def card_or_credit(plan: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records: the letter asks for the money on the card, or as store credit."""
    credited = [replace(due, destination=CREDIT) if due.kind == "refund" else due for due in plan.owed]
    return (
        replace(plan, letter=[*plan.letter, TO_CARD]),
        plan.twin(f"{plan.name}_as_credit", letter=[*plan.letter, TO_CREDIT], owed=credited),
    )


def with_coffee_plan(plan: Plan, *wishes: str) -> list[Plan]:
    """Return twins with the same records and a coffee plan: the letter wants one thing or another about that plan."""
    past = [*plan.past, subscription(COFFEE, name="plan"), until(), skipped()]
    found = []
    for wish in wishes:
        owed, told, letter = WISHES[wish]
        more: dict[str, Any] = {"past": past, "letter": [*plan.letter, letter]}
        if owed:
            more |= {"owed": [*plan.owed, owed], "facts": [*plan.facts, "plan"], "resolution": ()}
            more |= {"tell": [*plan.tell, *told], "name": f"{plan.name}_{wish}_plan"}
        found.append(replace(plan, **more))
    return found


@scenario("zendesk/late-refund")
class LateRefund(Larkspur):
    """A refund was promised and has not arrived.

    The cause differs: no one made the refund, the amount needs a lead's approval, the bank refused it, the processor
    is down, the refund is already on its way, the bank holds the money, or the subscription is still active. The
    customer only knows that the money is missing, and some want something else by now. The ledger decides: the right
    amount is refunded once, to the right place, and the customer is told the truth about it.
    """

    tags = ("support", "money", "outage")
    subjects = (
        "refund {order}", "WHERE IS MY MONEY", "Refund", "Still waiting", "Re: Re: order {order}", "Question",
        "promised for friday!!", "Money back", "Order {order}", "no refund yet", "Complaint", "2nd mail",
    )  # fmt: skip
    plans = (
        *card_or_credit(
            Plan("lost_parcel", past=[LOST, PROMISED], letter=NEVER_CAME, facts=["parcel"], owed=[refund("charge")])
        ),
        Plan(
            "lost_parcel_again", past=[LOST, PROMISED], letter=[*NEVER_CAME, AGAIN], facts=["parcel"], owed=[reship()]
        ),
        *card_or_credit(
            Plan(
                "lost_machine", past=[LOST_MACHINE, PROMISED], letter=NEVER_CAME, facts=["parcel"],
                owed=[refund("charge")],
            )
        ),
        Plan(
            "lost_machine_again", past=[LOST_MACHINE, PROMISED], letter=[*NEVER_CAME, AGAIN], facts=["parcel"],
            owed=[reship()],
        ),
        Plan(
            "processor_down", past=[LOST, PROMISED], letter=[*NEVER_CAME, TO_CARD], facts=["parcel"],
            owed=[refund("charge")], outage_minutes=(70, 240),
        ),
        Plan(
            "other_mailbox", past=[LOST, PROMISED, second_mailbox()], letter=[*NEVER_CAME, TO_CREDIT], facts=["parcel"],
            owed=[refund("charge", to=CREDIT)], writes_from="mailbox",
        ),
        Plan(
            "bank_refused", past=[LOST, FAILED], letter=[*NEVER_CAME, CARD_CLOSED, TO_CREDIT],
            facts=["refunded"], owed=[refund("charge", to=CREDIT)],
            reply="The bank had sent back our first refund.",
        ),
        Plan(
            "bank_refused_again", past=[LOST, FAILED], letter=[*NEVER_CAME, CARD_CLOSED, AGAIN],
            facts=["refunded"], owed=[reship()], split=NEW,
        ),
        *with_coffee_plan(
            Plan(
                "already_on_its_way", past=[LOST, refunded(note="as agreed")], letter=[*NEVER_CAME, ANY_WAY],
                facts=["refunded"], resolution=NOTHING_DUE, tell=[amount("refund"), day("refund")],
                reply="Your refund of {refund} for order {order} was made on {refund.day}; your bank has it now.",
            ),
            "keeps", "ends",
        ),
        *with_coffee_plan(
            Plan(
                "disputed", past=[LOST, PROMISED, disputed()], letter=[*NEVER_CAME, ANY_WAY],
                facts=["dispute", "parcel"], resolution=NOTHING_DUE, tell=[day("charge", "dispute_day")],
                reply="Your bank opened a dispute about order {order} on {charge.dispute_day}. While the bank holds "
                "the money we cannot pay it out; the bank decides.",
            ),
            "keeps", "ends",
        ),
        *card_or_credit(
            Plan(
                "charged_twice", past=[DELIVERED, charged_again()], letter=TWICE, facts=["twice"],
                owed=[refund("charge", "second")],
            )
        ),
        *with_coffee_plan(
            Plan(
                "second_paid_back", letter=TWICE,
                past=[DELIVERED, charged_again(), refunded("second", reason="duplicate")],
                facts=["refunded", "twice"], resolution=NOTHING_DUE, tell=[amount("refund"), day("refund")],
                reply="The second payment for order {order}, {refund}, went back to your card on {refund.day}.",
            ),
            "pauses", "skips",
        ),
        *with_coffee_plan(
            Plan(
                "two_orders", past=[DELIVERED, ordered_again()], letter=TWICE, facts=["twice"], resolution=NOTHING_DUE,
                tell=[number("order"), number("second_order")],
                reply="These are two orders, {order} of {order.day} and {second_order} of {second_order.day}, and both "
                "were delivered. Each was paid once.",
            ),
            "keeps", "ends",
        ),
        *card_or_credit(
            Plan(
                "item_missing", letter=MISSING, facts=["box"], owed=[refund("charge", cents=amount("line"))],
                past=[
                    order(SMALL, (10, 18), pieces=(2, 4)),
                    note("{line} missing from {order}, warehouse confirmed. Refund promised for it.", arrived=True),
                ],
            )
        ),
        Plan(
            "item_paid_back", split=NEW, letter=[*MISSING, ANY_WAY], facts=["refunded", "box"], resolution=NOTHING_DUE,
            past=[order(SMALL, (12, 18), pieces=(2, 4)), refunded(cents="line", reason="wrong_item")],
            tell=[amount("refund"), day("refund")],
            reply="The {refund} for the {line} of order {order} went back to your card on {refund.day}.",
        ),
        *card_or_credit(
            Plan(
                "goods_returned", past=[order(SMALL, (24, 40), pieces=(2, 3)), returned()], letter=SENT_BACK,
                facts=["goods_back"], owed=[refund("charge", cents=amount("line"))],
            )
        ),
        *with_coffee_plan(
            Plan(
                "not_back_yet", past=[order(SMALL, (24, 40), pieces=(2, 3)), returned(days_ago=(2, 5))],
                letter=[*SENT_BACK, TO_CARD], facts=["goods_back"], resolution=NOTHING_DUE, tell=[number("return")],
                reply="Return {return} has not reached our warehouse yet; the refund follows once it is here.",
            ),
            "keeps", "ends",
        ),
        *with_coffee_plan(
            Plan(
                "return_paid", letter=[*SENT_BACK, TO_CARD], facts=["refunded", "goods_back"], resolution=NOTHING_DUE,
                past=[order(SMALL, (24, 40), pieces=(2, 3)), returned(), refunded(cents="line", reason="returned")],
                tell=[amount("refund"), day("refund")],
                reply="We refunded {refund} for the {line} of order {order} to your card on {refund.day}.",
            ),
            "pauses", "skips",
        ),
        Plan(
            "never_cancelled", past=[subscription(COFFEE), WANTED_OUT], letter=[*STILL_CHARGED, BOTH],
            facts=["plan"], owed=[cancel(), refund("charge")],
        ),
        Plan(
            "keeps_the_plan", past=[subscription(COFFEE), WANTED_OUT], letter=[*STILL_CHARGED, ONLY_MONEY],
            facts=["plan"], owed=[refund("charge")],
        ),
        Plan(
            "only_ends_it", past=[subscription(COFFEE), WANTED_OUT], letter=[*STILL_CHARGED, ONLY_THE_END],
            facts=["plan"], owed=[cancel()],
        ),
        *card_or_credit(
            Plan(
                "charged_after_the_end", letter=STILL_CHARGED, facts=["plan"], owed=[refund("charge")],
                past=[
                    subscription(COFFEE, status="cancelled", ended="before"),
                    note(
                        "Cancelled by phone before the renewal; {order} should not have gone out. Refund promised.",
                        left=True,
                    ),
                ],
            )
        ),
        Plan(
            "ended_too_late", letter=[*STILL_CHARGED, TO_CARD], facts=["plan"], resolution=NOTHING_DUE,
            past=[subscription(COFFEE, status="cancelled", ended="after")], tell=[day("subscription", "end_day")],
            reply="Your plan ended on {subscription.end_day}, after order {order} was charged, so that charge is right "
            "and is not refunded.",
        ),
    )  # fmt: skip
