"""VIP near breach: answer before the SLA is breached, then do what is owed and give what the promise gives."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from diorama.apps.backoffice.schema import Customer
from diorama.kernel import Tx
from diorama.people import Persona
from diorama.scenarios.anatomy import Stage, scenario
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk_customers import PRIVATE, without
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_mail import Others
from diorama.scenarios.desk_queue import QueueDesk, QueuePlan
from diorama.scenarios.larkspur import COFFEE, LARGE, SMALL, SMALL_TALK, Larkspur
from diorama.scenarios.owed import CREDIT, credit, refund, reship
from diorama.scenarios.past import Scene, Step, charged_again, disputed, note, order, refunded, returned, subscription
from diorama.scenarios.past_promises import VIP, drawn, goodwill, granted, published, vip
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
ORDERS, BILLING = "Orders & Delivery", "Billing"
SEASON_CENTS, SEASON_DAYS = 5_000, 90
"""The most goodwill for one customer, and the days in which it counts together."""
OLD_PAGE = (
    "<p>Every VIP who complains gets 75 EUR of credit, ask Henrik if in doubt. (Written for the launch of the Duet, "
    "to be looked at again in 2024.)</p>"
)
PROMISE = (
    "<p>Replaces all earlier rules. A VIP is whoever the back office calls vip; if the ticket does not have the tag "
    "vip, add it. The first reply goes out before the clock of the SLA runs out (high: 60 minutes, urgent: 30), even "
    "if the matter itself takes longer. What counts is the priority that the ticket should have by the page "
    "<em>Priorities and who takes what</em>, from when the mail came, whatever is set on it so far.</p><p>Where we "
    "have let a VIP down they get store credit on top of what we owe them, once per case, whether they want money or "
    "goods:</p><ul><li>parcel lost: {for_lost}</li><li>money taken twice, or after the end of a "
    "subscription: {for_money}</li><li>something missing in the box: {for_missing}</li>"
    "<li>a return that is back with us and not paid: {for_waiting}</li></ul><p>All goodwill of the last 90 days "
    "together stays within 50.00 EUR: if they had some, give what is left of it; if nothing is left, nothing. Nothing "
    "either where our refund is already on its way, where a return is not back with us yet, and while a bank decides "
    "about a dispute. What the customer asks for on top does not matter.</p>"
)
PAGE = {"beside": "Refund and credit limits", "author": "ruth@larkspur.coffee"}
SEASON = (
    drawn(
        for_lost=(3_500, 4_000, 4_500), for_money=(2_000, 2_500, 3_000), for_missing=(1_000, 1_200, 1_400),
        for_waiting=(800, 1_800, 2_200),
    ),
    published("VIP gestures", OLD_PAGE, (760, 800), **PAGE),
    published("VIP promise: when we have let a VIP down", PROMISE, (12, 26), **PAGE),
)  # fmt: skip
SOME = (granted((1_850, 2_150, 2_350), (20, 80)), granted((2_500,), (110, 160), name="long_ago"))
MOST = (granted((3_950, 4_150), (20, 80)),)
ALL = (granted((3_000,), (45, 85)), granted((2_000,), (8, 40), name="more"))

LOST = order(SMALL, (16, 30), "lost")
PROMISED = note(
    "Carrier confirms the parcel of {order} is lost. Will be put right this week.",
    "{order} lost in transit (trace closed). Customer called, told them that we take care of it.",
    "lost parcel {order}, promised to settle it by Friday",
)
TWO = order(SMALL, (24, 40), pieces=(2, 3))
IN_THE_BOX = (
    order(SMALL, (10, 18), pieces=(2, 4)),
    note("{line} missing from {order}, warehouse says. None left.", arrived=True),
)
AFTER_THE_END = (
    subscription(COFFEE, status="cancelled", ended="before"),
    note("Cancelled by phone before the renewal; {order} should not have gone out.", left=True),
)
NEVER_CAME = (
    "[nothing has come of {which}, for weeks.|{which} has never arrived here.]",
    "[I was told that it would be settled last Friday.|Somebody on your phone promised to take care of it.]",
    "[Is that how you treat your best customers?|I have spent thousands with you.]",
)
TWICE = (
    "[{which} is on my statement two times.|you took the money for {which} twice.]",
    "[I do not want to explain this to my bank again.|I pay on time, and this is what I get.]",
)
NOT_THERE = (
    "[there was no {line} in the box of {which}.|the box of {which} came without the {line}.]",
    "[I had guests that evening.|I noticed it in front of my guests.]",
)
WENT_BACK = (
    "[I sent back the {line} from {which}.|the {line} from {which} went back to you.]",
    "[No money so far.|And then I heard nothing any more.]",
)
STILL_CHARGED = (
    "[I had ended my coffee plan, and {which} was charged anyway.|{which} came although my coffee plan was over.]",
    "[Does anybody read what is written in your files?|I called about exactly this.]",
)
TO_CARD = "[The money goes back to my card.|I want the money on my card, nothing else.]"
TO_CREDIT = "[Keep the money as store credit for my next order.|Store credit will do, I order every month.]"
AGAIN = "[I do not want money, send the things again.|Just send me the same again, I need it.]"
LAWYER = "[The next letter will come from my lawyer.|My lawyer has seen this.|I have asked a lawyer about this.]"
FAR_MORE = "[I want 200 EUR on top for the trouble.|And 200 EUR compensation, or I write about it in my column.]"
AM_A_VIP = "[You made me a VIP last autumn, does nobody know?|So that is what being a VIP with you is worth.]"
GIFT = credit(amount("goodwill"))
LOUD = (
    ("URGENT URGENT URGENT", "I am your most important customer and nobody tells me which beans go into the Aria???"),
    ("ANSWER ME NOW", "THIRD TIME I ASK. Do you sell the knock box in black or not. Lawyers are called for less."),
    ("complaint to the CEO", "Your newsletter has a typo in it. I expect a personal apology by noon."),
    ("!!! high priority !!!", "my voucher from 2023 does not work any more, this is theft, call me at once"),
)


def a_vip(*past: Step, cause: str = "", known: bool = True) -> list[Step]:
    """Return the past of a VIP in this season; `cause` names the amount of the promise that fits, if one does."""
    gift = [goodwill(cause, most=SEASON_CENTS, days=SEASON_DAYS)] if cause else []
    return [vip(known), *SEASON, *past, *gift]


def case(name: str, **parts: object) -> QueuePlan:
    """Return a plan of high priority."""
    return QueuePlan(name, priority="high", **parts)  # type: ignore[arg-type] # the parts of a plan


def with_lawyer(plan: QueuePlan) -> QueuePlan:
    """Return a twin with the same records whose letter mentions a lawyer: urgent."""
    return replace(plan, name=f"{plan.name}_with_lawyer", letter=[*plan.letter, LAWYER], priority="urgent")


def calm_or_lawyer(plan: QueuePlan) -> tuple[QueuePlan, QueuePlan]:
    """Return twins where nothing is due: without a lawyer, and with one."""
    return plan, with_lawyer(plan)


def ways(plan: QueuePlan) -> tuple[QueuePlan, QueuePlan, QueuePlan]:
    """Return twins with the same records: money to the card, with a lawyer, or as store credit."""
    card = replace(plan, letter=[*plan.letter, TO_CARD])
    credited = [replace(due, destination=CREDIT) if due.kind == "refund" else due for due in plan.owed]
    other = replace(plan, name=f"{plan.name}_as_credit", letter=[*plan.letter, TO_CREDIT], owed=credited)
    return card, with_lawyer(card), other


@scenario("zendesk/vip-near-breach")
class VipNearBreach(QueueDesk, Larkspur):
    """A VIP customer is angry, and the first reply is due in minutes.

    Other customers are louder. The agent must find the ticket and reply first, then do what is owed, then give the
    goodwill of the season's promise, minus what was already given, and none if nothing went wrong. Priority, group
    and tags must follow the company's rules.
    """

    tags = ("support", "sla", "money")
    subjects = (
        "Disappointed", "Order {order}", "This is not what I pay for", "Last warning", "WHERE IS IT", "my account",
        "Question", "unacceptable", "Re: order {order}", "Please read this yourself", "Complaint", "service??",
    )  # fmt: skip
    small_talk = (*SMALL_TALK, *LOUD)
    customers_where = f"{PRIVATE} AND {without('credits')}"
    minutes = {"high": 60, "urgent": 30}
    groups = {
        "reason_lost_parcel": ORDERS, "reason_missing_item": ORDERS, "reason_return": ORDERS,
        "reason_double_charge": BILLING, "reason_subscription": BILLING, "reason_refund": BILLING,
        "reason_dispute": BILLING,
    }  # fmt: skip
    ticket_tags = (VIP,)
    search = "status:new created>2hours"
    plans = (
        *ways(
            case(
                "parcel_lost", past=a_vip(LOST, PROMISED, cause="for_lost"), letter=NEVER_CAME, facts=["parcel"],
                owed=[refund("charge"), GIFT],
            )
        ),
        case(
            "parcel_lost_again", past=a_vip(LOST, PROMISED, cause="for_lost"), letter=[*NEVER_CAME, AGAIN],
            facts=["parcel"], owed=[reship(), GIFT],
        ),
        *ways(
            case(
                "machine_lost", letter=NEVER_CAME, facts=["parcel"], owed=[refund("charge"), GIFT],
                past=a_vip(order(LARGE, (18, 30), "lost", pieces=(1, 1)), PROMISED, cause="for_lost"),
            )
        ),
        *ways(
            case(
                "wants_far_more", past=a_vip(LOST, PROMISED, cause="for_lost"), letter=[*NEVER_CAME, FAR_MORE],
                facts=["parcel"], owed=[refund("charge"), GIFT],
            )
        ),
        *ways(
            case(
                "had_some_already", past=a_vip(*SOME, LOST, PROMISED, cause="for_lost"), letter=NEVER_CAME,
                facts=["parcel"], owed=[refund("charge"), GIFT],
            )
        ),
        case(
            "had_some_already_again", past=a_vip(*SOME, LOST, PROMISED, cause="for_lost"),
            letter=[*NEVER_CAME, AGAIN], facts=["parcel"], owed=[reship(), GIFT],
        ),
        *ways(
            case(
                "not_known_at_the_desk", past=a_vip(LOST, PROMISED, cause="for_lost", known=False), facts=["parcel"],
                letter=[*NEVER_CAME, AM_A_VIP], owed=[refund("charge"), GIFT],
            )
        ),
        *ways(
            case(
                "taken_twice", past=a_vip(order(SMALL, (6, 14)), charged_again(), cause="for_money"), letter=TWICE,
                facts=["twice"], owed=[refund("charge", "second"), GIFT],
            )
        ),
        *ways(
            case(
                "had_it_all", past=a_vip(*ALL, order(SMALL, (6, 14)), charged_again()), letter=TWICE, facts=["twice"],
                owed=[refund("charge", "second")],
            )
        ),
        *ways(
            case(
                "taken_after_the_end", past=a_vip(*AFTER_THE_END, cause="for_money"), letter=STILL_CHARGED,
                facts=["plan"], owed=[refund("charge"), GIFT],
            )
        ),
        *ways(
            case(
                "not_in_the_box", past=a_vip(*IN_THE_BOX, cause="for_missing"), letter=NOT_THERE, facts=["box"],
                owed=[refund("charge", cents=amount("line")), GIFT],
            )
        ),
        *ways(
            case(
                "return_not_paid", past=a_vip(TWO, returned(), cause="for_waiting"), letter=WENT_BACK,
                facts=["goods_back"], owed=[refund("charge", cents=amount("line")), GIFT],
            )
        ),
        *calm_or_lawyer(
            case(
                "paid_days_ago", past=a_vip(LOST, refunded(note="as agreed")), letter=[*NEVER_CAME, TO_CARD],
                facts=["refunded"], resolution=NOTHING_DUE, tell=[amount("refund"), day("refund")],
                reply="Your refund of {refund} for order {order} was made on {refund.day}; your bank has it now.",
            )
        ),
        *calm_or_lawyer(
            case(
                "bank_decides", past=a_vip(LOST, PROMISED, disputed()), letter=[*NEVER_CAME, TO_CARD],
                facts=["dispute", "parcel"], resolution=NOTHING_DUE, tell=[day("charge", "dispute_day")],
                reply="Your bank opened a dispute about order {order} on {charge.dispute_day}. While the bank holds "
                "the money we cannot pay it out; the bank decides.",
            )
        ),
        *(
            replace(plan, split=NEW)
            for plan in (
                *calm_or_lawyer(
                    case(
                        "return_on_the_road", past=a_vip(TWO, returned(days_ago=(2, 5))), facts=["goods_back"],
                        letter=[*WENT_BACK, TO_CARD], resolution=NOTHING_DUE, tell=[number("return")],
                        reply="Return {return} has not reached our warehouse yet; the refund follows once it is here.",
                    )
                ),
                *ways(
                    case(
                        "box_and_little_left", past=a_vip(*MOST, *IN_THE_BOX, cause="for_missing"), letter=NOT_THERE,
                        facts=["box"], owed=[refund("charge", cents=amount("line")), GIFT],
                    )
                ),
            )
        ),
    )  # fmt: skip

    def brief(self, truth: DeskTruth) -> str:
        """Return the task as a team lead would give it; the agent has to find the ticket."""
        return (
            f"You are {self.agent}, support agent at {self.shop}. Among the new tickets in Zendesk that came in within "
            "the last hour is one of a VIP customer, and its first reply is almost due. Find it, answer in time and "
            "take care of it; the others are for your colleagues. The back office has the customer's orders, charges "
            "and credits, and knows who is a VIP; the Help Center has our VIP promise and the priorities, some "
            "articles are out of date. Give the goodwill that the promise gives as store credit, no more and no less. "
            "The ticket's group goes by its contact reason: Orders & Delivery for lost parcels, missing items and "
            "returns, Billing for refunds, double charges, disputes and coffee plans. Goodwill counts into the form's "
            f"amount. {self.house_rules}"
        )

    def others(self, stage: Stage, customer: Customer) -> Others:
        """Return other customers who are not VIPs."""
        found = super().others(stage, customer)
        known = stage.known(_vips)
        found.people = [one for one in found.people if one not in known]
        return found

    def bring_to_life(
        self, stage: Stage, plan: Plan, scene: Scene, truth: DeskTruth, facts: Mapping[str, str]
    ) -> Persona:
        """Add the persona; it does not know of the promise, so it needs no goodwill."""
        asked = replace(truth, owed=tuple(one for one in truth.owed if one.kind != "credit"))
        return super().bring_to_life(stage, plan, scene, asked, facts)

    def look_up(self, clerk: Clerk, truth: DeskTruth) -> None:
        """Read the promise, too, and what goodwill was given."""
        super().look_up(clerk, truth)
        clerk.do("zendesk_search_help_center", query="VIP promise")
        clerk.do("backoffice_list_records", kind="credits", customer_id=truth.customer_id)


def _vips(tx: Tx) -> frozenset[str]:
    """Return the addresses of everyone whom the back office calls a VIP."""
    return frozenset(email for one in tx.all(Customer, "segment = 'vip'") for email in (one.email, *one.emails))
