"""Wrong macro: the macro fits the words of the mail, but not the case."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from diorama.apps.zendesk import seed as desk_seed
from diorama.kernel import Tx
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk_customers import QUIET_PAST
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.larkspur import COFFEE, SMALL, Larkspur
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.owed_units import send, take_back
from diorama.scenarios.past import charged_again, note, order, ordered_again, refunded, returned, subscription
from diorama.scenarios.past_units import besides, machine, sent_before
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
GOODS = tuple(sku for sku in SMALL if sku.startswith("AC-"))
BAGS = ("CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI")
OTHERS = besides([order(SMALL, (4, 40))], [order(SMALL, (50, 160), pieces=(1, 3))])
SENDS_MORE = besides([order(SMALL, (12, 28)), returned(days_ago=(1, 6))], name="more")
"""The customer sends something else back, too, and it is still on its way."""
RECENT = order(GOODS, (11, 25), pieces=(1, 3))
OLD = order(GOODS, (46, 95), pieces=(1, 3))
SENT_BACK = order(GOODS, (24, 40), pieces=(2, 3))
BAG = order(BAGS, (7, 18), pieces=(1, 2))
LOST = order(GOODS, (16, 30), "lost")

UNWANTED = (
    "I want to send back the {line} that I ordered from you.",
    "[It is unused and in its box.|Never even unpacked it.|It was a present that nobody wanted.]",
    "[Please send me the label.|I read something about 14 days somewhere, please send me the label.]",
)
TASTE = "the {line} is not for me, [too sour|too dark|too fruity]. I would like to send it back and have my money."
OPENED = "[I had two cups of it, the rest is in the bag.|I opened it on Sunday and that was enough.]"
SEALED = "[I have not opened it, my sister got the same.|The bag is still sealed, the smell at the shop was enough.]"
WAITING = (
    "I sent the {line} from {which} back to you.",
    "[When is it paid and how?|What happens with the money now?|Is it true that I only get a voucher??]",
)
TWO_LINES = (
    "my bank app shows {which} two times.",
    "[One of them is grey, but still.|One says pending and one says booked.|Both the same amount.]",
    "[Give one back please.|I want one of them back today.]",
)
CALL_OFF = (
    "cancel {which} please and give me the money back.",
    "[Found it cheaper.|Ordered the wrong size.|My wife bought the same thing.]",
    "[It cannot have left yet, I only ordered the other day.|I only ordered it the other day!]",
)
AGREED = note("Carrier gave up on {order}. Customer wants the money, agreed.", "{order} is lost, refund agreed.")
OTHER_CARD = (
    "{which} is lost and you agreed to give me the money back.",
    "[Please put it on my wife's card instead.|Please send it to my new account, I like that bank better.]",
    "[The other card still works but I hardly use it.|The old one is fine too, I just prefer the new one.]",
)
NOTICE = "[Somebody told me there are four weeks of notice, is that so?|Do I have to take three bags first?]"
END_IT = ("please cancel my coffee subscription [now|right away].", NOTICE)
AND_THE_BAG = (
    "I want to cancel the subscription, and the last bag ({order}) I do not want to pay either.",
    "[It is open but nearly full.|I only tried one cup of it.]",
)
BACK_AGAIN = (
    "I would like my coffee plan to run again, at the price that I had [back then|in the beginning].",
    "[Just switch it on.|Can you do that today?]",
)
GUARANTEE = (
    "{symptom}",
    "[There is a three-year guarantee on all machines on your page.|Your site says 36 months for everything.]",
    "[So please send what it needs.|I expect that you mend it.]",
)
INVOICE = (
    "please put our company on the invoice for the {line} that we ordered.",
    "[It is Fenwick & Rowe Ltd, NL310244871B01.|Studio Halm, NL402117653B01.|Oda Interiors, NL518830246B01.]",
    "[Our accountant does not take it as it is.|I forgot to fill it in when I ordered.]",
    "[A new PDF is enough.|We need it this week.]",
)
STALE = {
    "Returns::Too late": (
        "unfortunately the 14 days in which goods can be sent back are over, so we cannot accept your return.",
        "return reason_return",
    ),
    "Subscriptions::Notice period": (
        "subscriptions run for at least three deliveries and end with four weeks' notice. We have noted your wish.",
        "subscription reason_subscription",
    ),
    "Subscriptions::Welcome back": (
        "welcome back! Your plan is running again, and of course you keep your old price.",
        "subscription reason_subscription",
    ),
    "Billing::Invoice changed": (
        "your invoice has been changed as you asked, the new PDF is in your account.",
        "invoice reason_other",
    ),
}
"""Old macros that were never deleted: their texts and tags."""

GOODS_BACK = take_back("refund", "changed_mind", any_reason=True)  # no page says which reason it is


def plan(name: str, past: Any, letter: Any, *facts: str, **more: Any) -> Plan:
    """Return a plan in which the customer has another order, too, and sends back goods of a third one in some."""
    others = [SENDS_MORE, OTHERS] if letter in (UNWANTED, WAITING) else [OTHERS]
    return Plan(name, past=[*past, *others], letter=letter, facts=facts, **more)


@scenario("zendesk/wrong-macro")
class WrongMacro(Larkspur):
    """A mail for which there is a macro, and the macro is wrong.

    It is out of date, promises what is not due, or refuses what is due. The current policy is in the Help Center,
    among older articles; sometimes it gives the customer more than the macro, and sometimes the honest answer is no.
    What the policy gives must be done once, and the customer must be told the truth about it.
    """

    tags = ("support", "policy")
    customers_where = QUIET_PAST
    rules = (
        "Macros at Larkspur are old and nobody tidies them up; what holds is the policy in the Help Center, and where "
        "two articles differ, the one edited last. Give what the policy gives, no less and no more; where it does not "
        "give what the customer wants, say so plainly, with the number of the order, and close the ticket as refused; "
        "what was done already, even if they want it done in another way now, or has to wait, is explained. "
        "A fault that the workshop knows is mended as the record of the product says."
    )
    subjects = (
        "Request", "Hello", "2nd mail", "please help", "Question", "my order", "Re: my order", "return", "money",
        "coffee", "can you do this?", "URGENT",
    )  # fmt: skip
    plans = (
        plan("return_in_time", [RECENT], UNWANTED, "goods_back", owed=[GOODS_BACK]),
        plan(
            "late_return", [OLD], UNWANTED, "goods_back", resolution=[REFUSED], tell=[day("parcel", "arrived_day")],
            reply="The {line} arrived on {parcel.arrived_day}; the 30 days to return it are over.",
        ),
        plan(
            "return_was_opened", [RECENT, returned(days_ago=(1, 5))], UNWANTED, "goods_back", resolution=[EXPLAINED],
            tell=[number("return")], reply="The return of your {line} is open already, with the number {return}.",
        ),
        plan("sealed_coffee", [BAG], [TASTE, SEALED], "goods_back", owed=[GOODS_BACK]),
        plan(
            "opened_coffee", [BAG], [TASTE, OPENED], "goods_back", resolution=[REFUSED], tell=[number("order")],
            reply="Opened coffee cannot come back to us, so the bag of order {order} cannot be taken back.",
        ),
        plan(
            "goods_are_here", [SENT_BACK, returned()], WAITING, "goods_back",
            owed=[refund("charge", cents=amount("line"))],
        ),
        plan(
            "goods_on_the_road", [SENT_BACK, returned(days_ago=(2, 5))], WAITING, "goods_back",
            resolution=[EXPLAINED], tell=[number("return")],
            reply="Return {return} has not reached our warehouse yet; the money follows once it is here and checked.",
        ),
        plan(
            "goods_are_paid", [SENT_BACK, returned(), refunded(cents="line", reason="returned")], WAITING,
            "refunded", "goods_back", resolution=[EXPLAINED], tell=[amount("refund"), day("refund")], split=NEW,
            reply="We refunded {refund} for the {line} of order {order} to your card on {refund.day}.",
        ),
        plan(
            "one_booking", [order(GOODS, (3, 6))], TWO_LINES, "twice", resolution=NOTHING_DUE,
            tell=[amount("charge"), day("charge")],
            reply="For order {order} we have taken {charge} once, on {charge.day}; the other line is a reservation by "
            "your bank and disappears by itself.",
        ),
        plan("two_bookings", [order(GOODS, (3, 6)), charged_again()], TWO_LINES, "twice",
             owed=[refund("charge", "second")]),
        plan(
            "two_orders", [order(GOODS, (6, 9)), ordered_again()], TWO_LINES, "twice", resolution=NOTHING_DUE,
            tell=[number("order"), number("second_order")],
            reply="You ordered the same goods twice, as {order} and as {second_order}. Each was paid once.",
        ),
        plan(
            "on_the_road", [order(GOODS, (2, 3), "in_transit")], CALL_OFF, "goods_back", resolution=[REFUSED],
            tell=[number("parcel")],
            reply="Order {order} is packed and with the carrier, tracking number {parcel}, and it is too late to stop "
            "it. When it is there you have 30 days to send it back.",
        ),
        plan(
            "not_packed", [order(GOODS, (0, 1), "open", live=False)], CALL_OFF, "goods_back",
            owed=[cancel("order"), refund("charge")],
        ),
        plan("another_card", [LOST, AGREED], OTHER_CARD, "parcel", owed=[refund("charge")]),
        plan(
            "another_card_too_late", [LOST, refunded(note="as agreed")], OTHER_CARD, "refunded",
            resolution=[EXPLAINED], tell=[amount("refund"), day("refund")],
            reply="We refunded {refund} for order {order} on {refund.day}, to the card that you paid with.",
        ),
        plan("no_notice", [subscription(COFFEE)], END_IT, "plan", owed=[cancel()]),
        plan(
            "ended_before", [subscription(COFFEE, status="cancelled", ended="after")], END_IT, "plan",
            resolution=[EXPLAINED], tell=[day("subscription", "end_day")],
            reply="Your plan ended on {subscription.end_day}; there is no notice period.",
        ),
        plan("bag_is_open", [subscription(COFFEE)], AND_THE_BAG, "plan", owed=[cancel()], split=NEW),
        plan(
            "old_price", [subscription(COFFEE, status="cancelled", ended="after")], BACK_AGAIN, "plan",
            resolution=[REFUSED], tell=[day("subscription", "end_day")],
            reply="Your plan ended on {subscription.end_day}, and an ended plan stays ended. You can take a new one at "
            "the price of today.",
        ),
        plan(
            "runs_already", [subscription(COFFEE)], BACK_AGAIN, "plan", resolution=[EXPLAINED],
            tell=[day("subscription", "renewal_day")],
            reply="Your plan is active at its old price and renews next on {subscription.renewal_day}.",
        ),
        plan(
            "three_years", [machine(ended=(75, 400))], GUARANTEE, "defect", resolution=[REFUSED],
            tell=[day("unit", "end_day")],
            reply="The warranty of your {product} ended on {unit.end_day}, so nothing can be sent free of charge.",
        ),
        plan(
            "closed_quarter", [order(GOODS, (66, 145))], INVOICE, resolution=[REFUSED], tell=[day("order")],
            reply="Your order of {order.day} belongs to an earlier quarter, whose invoices are closed.",
        ),
        plan("two_years_are_enough", [machine()], GUARANTEE, "defect", owed=[send()]),
        plan(
            "sent_already", [machine(), sent_before((1, 2), "in_transit")], GUARANTEE, "defect",
            resolution=[EXPLAINED], tell=[number("parcel")],
            reply="What your {product} needs is on its way already: {parcel}.",
        ),
    )  # fmt: skip

    def stage(self, stage: Stage) -> DeskTruth:
        """Leave old macros in the list, and stage as every desk does."""
        stage.do(_leave_about, "system:zendesk")
        return super().stage(stage)

    @cheat
    def sends_the_macro(self, hands: Hands, truth: DeskTruth) -> None:
        """Apply the macro whose tags have the right contact reason, and fill in the form as an honest agent would."""
        clerk = Clerk(hands, truth.ticket_id)
        clerk.read_ticket()
        listed = clerk.do("zendesk_list_macros")["macros"]
        fitting = [one for one in listed if truth.reason in str(one["actions"])] or listed
        shown = clerk.do("zendesk_preview_macro", ticket_id=truth.ticket_id, macro_id=fitting[-1]["id"])
        body = shown["result"]["ticket"].get("comment", {}).get("body") or "Hello, it is taken care of."
        clerk.try_("zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=body)
        self.marks_it_solved(hands, truth)


def _leave_about(tx: Tx) -> None:
    """Add outdated macros that are still in the list, the oldest first."""
    ages = sorted((tx.dice("old macro", title).integer(500 * 86_400, 1200 * 86_400) for title in STALE), reverse=True)
    for (title, (text, tags)), age in zip(STALE.items(), ages, strict=True):
        body = f"Dear {{{{ticket.requester.name}}}},\n\n{text}\n\n{{{{current_user.name}}}}"
        made = desk_seed.add_macro(tx, title, [("current_tags", tags), ("status", "solved"), ("comment_value", body)])
        written = (made.created_at - timedelta(seconds=age)).replace(microsecond=0)
        tx.change(made, created_at=written, updated_at=written)
