"""Address change: decide which goods may go to which address, and who may ask for it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.scenarios.anatomy import Hands, cheat, scenario
from diorama.scenarios.cast import day, number
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk import DeskTruth
from diorama.scenarios.desk_customers import NOTHING_OPEN, PRIVATE, QUIET_PAST, UNIQUE_NAME
from diorama.scenarios.larkspur import CHEAP, COFFEE, Larkspur
from diorama.scenarios.owed import CARD, CREDIT, cancel, move, refund, reship
from diorama.scenarios.past import note, order, second_mailbox, subscription
from diorama.scenarios.past_places import fresh_order, new_address, present, unknown_mailbox, wintered
from diorama.scenarios.plan import Plan
from diorama.scenarios.proving import NEVER, WHEN_ASKED
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
HERE, ABROAD = new_address(), new_address(abroad=True)
PRESENT = present(CHEAP)
PLAN = subscription(COFFEE, name="plan")
OPEN = fresh_order(CHEAP, (2, 10))
LABELLED = fresh_order(CHEAP, (14, 22), "label_created")
LEFT = fresh_order(CHEAP, (74, 88), "in_transit", due_days=(1, 3))
WAITS = fresh_order(CHEAP, (20, 40), waits=True)
MOVE = move("order", "address")
WHY = (
    "[I typed the old address without thinking.|The browser filled in the old address and I did not look.|"
    "I will be at my sister's that week.|Nobody is at home in the daytime, so the office is safer.|"
    "We got the keys earlier than planned.|I no longer live there, long story.]"
)
ELSEWHERE = (
    "{which} [should go somewhere else|is going to the wrong place|needs another address].",
    WHY,
    "[Please send it to|The right address is|It has to go to] {address}.",
)
STAYS = "[Only this one parcel, my coffee plan keeps coming home.|Just this once, the coffee plan stays as it is.]"
FOLLOWS = "[And my coffee plan goes there from now on, too.|The coffee plan has to follow me there as well.]"
STILL = ("could {which} still go to {address} instead?", WHY)
OR_MONEY = (
    "[If that cannot be done, cancel it and give me my money back.|Otherwise please cancel it and refund my card.]"
)
OR_CREDIT = (
    "[If that cannot be done, cancel it and turn it into store credit.|Otherwise cancel it, as credit on my account.]"
)
OR_NOT = "[If that cannot be done, leave everything as it is.|Otherwise it may come as planned, somebody will take it.]"
COFFEE_MOVES = (
    "[we have moved house|I have moved] and the coffee still goes to the old place.",
    "[From now on it has to go to|Please send it to] {address}.",
)
COFFEE_HOME = (
    "[we are back from {city}|the winter in {city} is over|our months in {city} are over].",
    "[Please send the coffee home again|Can the coffee come home again], [as before|you know the address].",
)
OTHER_MAILBOX = (
    "the {line} that I ordered [should go somewhere else|is going to the wrong place].",
    "[Please send it to|It has to go to] {address}.",
    "[I cannot get into my old mailbox right now.|Do not wonder about the mail address, it is the one I have at hand.]",
)
WENT_BACK = (
    "{which} never came. [Your carrier says that it went back to you.|I think it has gone back to you.]",
    "[No wonder, I have moved to {address}.|My mistake, that was the old address; I live at {address} now.]",
)
SEND_AGAIN = "[Please send it once more, to the new one.|Could you send it again, to the right place this time.]"
NO_MORE = "[Do not send it again, I want the money back on my card.|I do not need it any more, please refund my card.]"
AS_CREDIT = "[Keep it, but please give me store credit for it.|Do not send it again, store credit is fine.]"
BACK = ("parcel", "address")
RETURNED = (
    HERE,
    order(CHEAP, (13, 20), "returned"),
    PRESENT,
    note("Parcel of {order} is back: moved, address unknown to the carrier. Waiting for the customer."),
)
CONFIRM = (
    "Hello, thank you for writing. You are writing from an e-mail address that is not on the account. We change "
    "nothing yet: please write to us from the e-mail address of the account."
)
GONE = (
    "I am sorry: it was handed to the carrier before your mail came, and its address can no longer be changed. "
    "It is expected on {parcel.day}; the tracking number is {parcel}."
)


def stays_or_follows(plan: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records and a coffee plan: it keeps its address, or goes to the new one as well."""
    past = [*plan.past, PLAN]
    owed = [*plan.owed, move("subscription", "address")]
    return (
        replace(plan, past=past, letter=[*plan.letter, STAYS]),
        plan.twin(
            f"{plan.name}_plan_follows", past=past, letter=[*plan.letter, FOLLOWS], owed=owed, resolution=()
        ),
    )  # fmt: skip


def or_something_else(plan: Plan) -> tuple[Plan, ...]:
    """Return twins with the same records: an order that cannot change its country stays as it is, or is cancelled."""
    why = "The country of an order cannot be changed."
    return (
        replace(plan, letter=[*plan.letter, OR_NOT]),
        *(
            plan.twin(
                f"{plan.name}_or_{name}", letter=[*plan.letter, words], owed=[cancel("order"), refund("charge", to=to)],
                resolution=(), tell=(), reply=why,
            )
            for name, words, to in (("money", OR_MONEY, CARD), ("credit", OR_CREDIT, CREDIT))
        ),
    )  # fmt: skip


@scenario("zendesk/address-change")
class AddressChange(Larkspur):
    """A customer wants goods sent to another address.

    The right action differs: print a new label; change the address of the order, the coffee plan, or both; send a
    returned parcel again; ask first, because part of the address is missing or the account does not know the sender;
    cancel, because an order cannot change its country; explain that the carrier has the parcel; or refuse, because
    the sender is not the customer who ordered. The result is judged by where the goods go.
    """

    tags = ("support", "delivery", "identity")
    customers_where = f"{PRIVATE} AND {NOTHING_OPEN} AND {QUIET_PAST} AND {UNIQUE_NAME}"
    rules = (
        "About addresses: send only those things elsewhere that the customer means, and tell them the address to which "
        "they go now. What the carrier has, or has delivered, cannot be changed: then give the tracking number and the "
        "day. A parcel that came back can be sent again, also to another address; an order cannot change its country. "
        "Change addresses, and speak about an account, only with its owner: somebody who writes from an e-mail address "
        "that the account does not have must first write from one that it has. If no such mail comes by the evening, "
        "refuse."
    )
    subjects = (
        "Change of address", "new address", "Order {order}", "Wrong delivery address!", "Delivery", "URGENT address",
        "quick question about my delivery", "Can you still change this?", "adress change", "where my parcel goes",
    )  # fmt: skip
    plans = (
        *stays_or_follows(
            Plan("not_packed", past=[HERE, OPEN, PRESENT], letter=ELSEWHERE, facts=["address"], owed=[MOVE])
        ),
        *stays_or_follows(
            Plan("on_the_ramp", past=[HERE, LABELLED, PRESENT], letter=ELSEWHERE, facts=["address"], owed=[MOVE])
        ),
        *stays_or_follows(
            Plan(
                "with_the_carrier", past=[HERE, LEFT, PRESENT], letter=ELSEWHERE, facts=["address"],
                resolution=NOTHING_DUE, tell=[number("parcel"), day("parcel")], reply=GONE,
            )
        ),
        *stays_or_follows(
            Plan(
                "already_delivered", split=NEW, past=[HERE, order(CHEAP, (5, 9)), PRESENT], letter=ELSEWHERE,
                facts=["address"], resolution=NOTHING_DUE, tell=[number("parcel"), day("parcel", "arrived_day")],
                reply="The parcel {parcel} was delivered to the old address on {parcel.arrived_day}, so its address "
                "can no longer be changed.",
            )
        ),
        Plan(
            "still_here", past=[HERE, OPEN, PRESENT], facts=["address"], owed=[MOVE],
            letter=[*STILL, f"{OR_NOT[:-1]}|{OR_MONEY[1:-1]}|{OR_CREDIT[1:]}"],
        ),
        *or_something_else(
            Plan(
                "abroad", past=[ABROAD, OPEN, PRESENT], letter=STILL, facts=["address"], resolution=NOTHING_DUE,
                tell=[number("order")], reply="The country of an order cannot be changed, so {order} stays as it is.",
            )
        ),
        Plan(
            "still_here_plan_follows", past=[HERE, OPEN, PRESENT, PLAN], letter=[*STILL, OR_MONEY, FOLLOWS],
            facts=["address"], owed=[MOVE, move("subscription", "address")],
        ),
        Plan(
            "already_gone", past=[HERE, LEFT, PRESENT, PLAN], letter=[*STILL, OR_MONEY, FOLLOWS], facts=["address"],
            owed=[move("subscription", "address")], tell=[number("parcel"), day("parcel")], reply=GONE,
        ),
        Plan(
            "plan_moves", past=[HERE, PLAN, PRESENT], letter=COFFEE_MOVES, facts=["address", "plan"], about="",
            owed=[move("subscription", "address")], subjects=("Moving", "new address", "Coffee", "my coffee plan"),
        ),
        Plan(
            "plan_has_ended", letter=COFFEE_MOVES, facts=["address", "plan"], about="", resolution=NOTHING_DUE,
            past=[HERE, subscription(COFFEE, status="cancelled", ended="after", name="plan"), PRESENT],
            subjects=("Moving", "new address", "Coffee", "my coffee plan"), tell=[day("subscription", "end_day")],
            reply="Your coffee plan ended on {subscription.end_day}, so nothing more will be sent.",
        ),
        Plan(
            "home_again", past=[PLAN, wintered(), PRESENT], letter=COFFEE_HOME, facts=["address", "plan"], about="",
            owed=[move("subscription", "home")], subjects=("back home", "Coffee", "we are back!"),
        ),
        Plan(
            "home_already", past=[PLAN, wintered(home_again=True), PRESENT], letter=COFFEE_HOME, about="",
            facts=["address", "plan"], subjects=("back home", "Coffee", "we are back!"), resolution=NOTHING_DUE,
            tell=[day("subscription", "renewal_day")],
            reply="Your coffee plan goes to your home address already; the next delivery is due on "
            "{subscription.renewal_day}.",
        ),
        Plan(
            "number_missing", past=[HERE, WAITS, PRESENT], facts=["address"], owed=[MOVE], tells=["address"],
            letter=[ELSEWHERE[0], WHY, "[Please send it to|It has to go to] {street}."],
            asks="Hello, the new address has no house number yet: what is the house number, please?",
        ),
        Plan(
            "postcode_missing", past=[HERE, PLAN, PRESENT], facts=["address", "plan"], about="", tells=["address"],
            letter=[COFFEE_MOVES[0], "[From now on it has to go to|Please send it to] {house}."],
            owed=[move("subscription", "address")], subjects=("Moving", "new address", "Coffee"),
            asks="Hello, for the label we need the postcode of the new flat: what is it, please?",
        ),
        Plan(
            "unknown_sender", past=[HERE, WAITS, PRESENT, unknown_mailbox()], letter=OTHER_MAILBOX, facts=["address"],
            writes_from="mailbox", proves=WHEN_ASKED, owed=[MOVE], asks=CONFIRM,
        ),
        Plan(
            "stranger", past=[HERE, WAITS, PRESENT, unknown_mailbox()], letter=OTHER_MAILBOX, facts=["unproven"],
            writes_from="mailbox", proves=NEVER, resolution=(REFUSED,), asks=CONFIRM,
            reply="no mail from the address of the account has come, so nothing was changed.",
        ),
        Plan(
            "other_mailbox", past=[HERE, WAITS, PRESENT, second_mailbox()], letter=OTHER_MAILBOX, facts=["address"],
            writes_from="mailbox", owed=[MOVE],
        ),
        Plan("came_back", past=RETURNED, letter=[*WENT_BACK, SEND_AGAIN], facts=BACK, owed=[reship(to="address")]),
        Plan("came_back_no_more", past=RETURNED, letter=[*WENT_BACK, NO_MORE], facts=BACK, owed=[refund("charge")]),
        Plan(
            "came_back_as_credit", past=RETURNED, letter=[*WENT_BACK, AS_CREDIT], facts=BACK,
            owed=[refund("charge", to=CREDIT)],
        ),
        Plan(
            "for_a_friend", past=[new_address(friend=True), LABELLED, PRESENT], facts=["address"], owed=[MOVE],
            letter=[
                "{which} is a present after all.",
                "[Please send it straight to {friend}|Could it go directly to {friend}], {address}.",
                "[It has to be the name on the bell.|With that name on it, please, not mine.]",
            ],
        ),
    )  # fmt: skip

    @cheat
    def changes_every_address(self, hands: Hands, truth: DeskTruth) -> None:
        """Send everything that the customer has to the first new address that fits, then do what the oracle does."""
        clerk = Clerk(hands, truth.ticket_id)
        clerk.read_ticket()
        clerk.find_customer(truth.customer_id)
        goal: dict[str, Any] = {"line1": "1 Harbour Lane"}
        goal |= next((dict(one.to) for one in truth.owed if one.to), {})
        for kind, what in (("orders", "order"), ("subscriptions", "subscription")):
            for row in clerk.do("backoffice_list_records", kind=kind, customer_id=truth.customer_id)["data"]:
                if row["status"] in ("open", "active"):
                    place = {**row["shipping_address"], **goal}
                    clerk.try_("backoffice_change_address", what=what, id=row["id"], address=place)
        self.oracle(hands, truth)
