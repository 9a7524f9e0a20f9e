"""Broken machine: what the warranty owes depends on the machine, and the mail says little about it."""

from __future__ import annotations

from typing import Any

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.desk_customers import QUIET_PAST
from diorama.scenarios.larkspur import Larkspur
from diorama.scenarios.owed import refund, reship
from diorama.scenarios.owed_units import send, take_back
from diorama.scenarios.past import note, returned
from diorama.scenarios.past_units import besides, machine, misread, moved_house, out_of_stock, sent_before
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
LEAD_MAY_SIGN_CENTS = 100_000

# --- what a machine has behind it
COVERED = [machine()]
NEEDS_A_PART = [machine(["part"])]
JUST_OVER = [machine(ended=(4, 26))]
PART_JUST_OVER = [machine(["part"], ended=(4, 26))]
LONG_OVER = [machine(ended=(75, 400))]
ON_ITS_WAY = [machine(), sent_before((1, 2), "in_transit")]
SAME_PART = [machine(["part"]), sent_before((18, 45))]
PART_ON_ITS_WAY = [machine(["part"]), sent_before((1, 2), "in_transit")]
OTHERS = [besides(COVERED, JUST_OVER, LONG_OVER, PART_ON_ITS_WAY, SAME_PART, name=name) for name in ("second", "third")]
"""The customer has two more machines, of other kinds, which the mail is not about."""
DAMAGED = machine(arrived=(1, 4))

# --- what customers write
TRIED = (
    "[I unplugged it overnight, no change.|I cleaned everything, it made no difference.|I did not dare to open it.|]"
)
WISH = (
    "[What can you do?|Please sort this out, I need my coffee.|Please send me a new one.|Is that covered?|"
    "Repair, part, new one, I don't mind, as long as it works again.]"
)
FAILS = ("{symptom}", "[It is from {which}.|It was {which}.|I bought it in your shop.]", TRIED, WISH)
UNREADABLE = ("{symptom}", "[Serial number {typed}, if I read it right.|S/N {typed}, the sticker is half gone.]", WISH)
MOVED = (
    "{symptom}", TRIED, WISH,
    "[We have moved since. If you send anything, the address is {goal}.|I have moved, everything goes to {goal} now.]",
)  # fmt: skip
PROMISED = (
    "{symptom}", "[Your colleague wanted to see to it.|I was told that you would take care of it.]",
    "[I have not heard from you since.|That was a while ago.]", "[So what now?|Please get on with it.]",
)  # fmt: skip
PRESENT = (
    "{symptom}", "[It was a present.|I got it as a present, no papers.]",
    "[The order number on the box is {order}.|On the box it says {order}.]", WISH,
)  # fmt: skip
ONE_OF_MANY = (
    "{symptom}", "[We have several of them here, it is only the one.|There are more of them in the office, one fails.]",
    WISH,
)  # fmt: skip
DENTED = (
    "[the {product} arrived with a dent the size of my fist and the side panel bent.|"
    "the {product} came with a cracked housing, the box had a hole in it, too.|"
    "the carton of the {product} must have fallen from a lorry, a corner of it is broken off.]"
)
MONEY_BACK = "[I want to send it back and get my money back.|I would rather send it back for the money.]"
SWAP = "[I want to send it back and get an undamaged one.|Please swap it for one in one piece, I send it back.]"
STORE_CREDIT = "[I'd like to send it back for store credit.|Let me return it, store credit is fine with me.]"
ANY_WAY = f"{MONEY_BACK[:-1]}|{SWAP[1:-1]}|{STORE_CREDIT[1:]}"
ADVISED = note(
    "{product} {serial_number}: gave the workshop's advice for it on the phone, step by step. Fault is still there.",
    "Went through the known fix for {serial_number} with the customer twice. It did not help.",
    days_ago=(4, 15),
)
WANTED_TO_SEND = note(
    "{serial_number} ({product}) fails, fault is known to the workshop. Will send what it needs this week.",
    "Promised to send what the workshop prescribes for {serial_number}. To do!",
    days_ago=(6, 12),
)
COMES = "What your {product} needs is on its way already: {parcel}."
ENDED = "The warranty of your {product} ended on {unit.end_day}, so nothing can be sent free of charge."


def plan(name: str, past: Any, letter: Any, *facts: str, **more: Any) -> Plan:
    """Return a plan in which the customer has other machines, too."""
    return Plan(name, past=[*past, *OTHERS], letter=letter, facts=facts or ("defect",), **more)


@scenario("zendesk/broken-machine")
class BrokenMachine(Larkspur):
    """A customer's machine fails, and the right remedy depends on facts that the mail does not state.

    The remedy may be a new machine, a part, advice, a refund, a return, a second parcel, an exception approved by a
    lead, a question which machine it is, or only an honest answer. Warranty, owner, known faults, stock and earlier
    actions of colleagues decide. The result is judged by what leaves the warehouse: the right goods, once, for the
    right machine, to the right address, and a true reply about it.
    """

    tags = ("support", "warranty", "goods")
    customers_where = QUIET_PAST
    patience_hours = 54.0
    rules = (
        "Warranty at Larkspur: it belongs to the registered owner of a serial number; anybody else who has the "
        "machine is refused, as a matter of warranty, and never learns who owns it. The record of a product lists the "
        "faults that the workshop knows: send the part where the remedy is part; send a whole machine where it is "
        "replacement, where the same part was sent for the same fault before, or where a note says that the advice "
        "did not help; where it is advice, pass the advice on, send nothing and close the ticket as explained. Up to "
        "30 days after the end of the warranty (60 for VIPs) a lead may agree to an exception; after that nothing is "
        "sent, and the ticket is closed as refused. If the shelf is empty and more are due within a week, tell the "
        "customer, wait for them and send it then; otherwise refund the price of the machine to the card. What was "
        "damaged on the way comes back within 30 days under a return with reason damaged_in_transit and the "
        "resolution that the customer asks for; its money waits until the goods are here. A parcel of ours that the "
        "carrier lost is sent again."
    )
    subjects = (
        "{product}", "{product} broken", "machine broken", "No coffee!!", "Warranty", "HELP", "my {product}",
        "Problem with {product}", "Defective", "it's broken", "Re: my machine", "Guarantee case?", "2nd mail",
        "Monday without coffee", "Question about my {product}", "any news?",
    )  # fmt: skip
    plans = (
        plan("covered", COVERED, FAILS, owed=[send()]),
        plan("misread", [*NEEDS_A_PART, misread()], UNREADABLE, owed=[send()]),
        plan(
            "misread_long_over", [*LONG_OVER, misread()], UNREADABLE, resolution=[REFUSED],
            tell=[day("unit", "end_day")], reply=ENDED,
        ),
        plan("just_over", JUST_OVER, FAILS, owed=[send()]),
        plan(
            "long_over", LONG_OVER, FAILS, resolution=[REFUSED], tell=[day("unit", "end_day")], reply=ENDED,
        ),
        plan(
            "on_its_way", ON_ITS_WAY, FAILS, resolution=NOTHING_DUE, tell=[number("parcel")], reply=COMES,
        ),
        plan("part_did_not_help", SAME_PART, FAILS, owed=[send(whole=True)]),
        plan(
            "part_for_another_fault", [machine(["part"], several_parts=True), sent_before((18, 45), another_part=True)],
            FAILS, owed=[send()], split=NEW,
        ),
        plan(
            "nothing_on_the_shelf", [machine(["replacement"], below_cents=LEAD_MAY_SIGN_CENTS), out_of_stock()], FAILS,
            owed=[refund("charge", cents=amount("line"))],
        ),
        plan(
            "shelf_fills_tomorrow", [machine(["replacement"]), out_of_stock((20, 27))], FAILS, owed=[send()],
        ),
        plan(
            "needs_advice", [machine(["advice"])], FAILS, resolution=[EXPLAINED], tell=[number("unit")],
            reply="Our workshop knows this of your {product} with the serial number {unit}: {advice}. Nothing is "
            "broken, so nothing has to be sent.",
        ),
        plan("advice_did_not_help", [machine(["advice"]), ADVISED], FAILS, owed=[send(whole=True)]),
        plan(
            "one_of_many", [machine(["replacement"], pieces=3, below_cents=LEAD_MAY_SIGN_CENTS)], ONE_OF_MANY,
            owed=[send()], tells=["serial_number"],
            asks="Hello, sorry to hear that. Which one is it? Please send me the serial number from its plate.",
        ),
        plan("moved", [*COVERED, moved_house()], MOVED, "defect", "address", owed=[send(to="goal")]),
        plan("moved_just_over", [*JUST_OVER, moved_house()], MOVED, "defect", "address", owed=[send(to="goal")]),
        plan(
            "moved_part_did_not_help", [*SAME_PART, moved_house()], MOVED, "defect", "address",
            owed=[send(whole=True, to="goal")],
        ),
        plan(
            "moved_long_over", [*LONG_OVER, moved_house()], MOVED, "defect", "address", resolution=[REFUSED],
            tell=[day("unit", "end_day")], reply=ENDED, split=NEW,
        ),
        plan(
            "replacement_lost", [machine(), sent_before((15, 24), "lost")], PROMISED, "parcel", "defect",
            owed=[reship()],
        ),
        plan("never_sent", [*NEEDS_A_PART, WANTED_TO_SEND], PROMISED, owed=[send()]),
        plan("promised_just_over", [*PART_JUST_OVER, WANTED_TO_SEND], PROMISED, owed=[send()]),
        plan("a_present", NEEDS_A_PART, PRESENT, owed=[send()]),
        plan("present_just_over", PART_JUST_OVER, PRESENT, owed=[send()]),
        plan(
            "present_on_its_way", PART_ON_ITS_WAY, PRESENT, resolution=NOTHING_DUE, tell=[number("parcel")],
            reply=COMES,
        ),
        plan(
            "somebody_elses", [machine(whose="stranger")], PRESENT, resolution=[REFUSED], withholds=True,
            reply="This machine is not registered to you, so the warranty cannot be used for your request.",
        ),
        plan("arrived_damaged", [DAMAGED], [DENTED, MONEY_BACK], "goods_back", owed=[take_back("refund")]),
        plan("damaged_swap", [DAMAGED], [DENTED, SWAP], "goods_back", owed=[take_back("replacement")]),
        plan("damaged_credit", [DAMAGED], [DENTED, STORE_CREDIT], "goods_back", owed=[take_back("store_credit")]),
        plan(
            "damaged_long_ago", [machine(arrived=(34, 44))], [DENTED, ANY_WAY], "goods_back",
            resolution=NOTHING_DUE, tell=[day("parcel", "arrived_day")],
            reply="Your {product} was delivered on {parcel.arrived_day}; the 30 days to return it are over.",
        ),
        plan(
            "return_is_open", [DAMAGED, returned(days_ago=(0, 1), reason="damaged_in_transit")], [DENTED, MONEY_BACK],
            "goods_back", resolution=NOTHING_DUE, tell=[number("return")],
            reply="A return for your {product} is open already, with the number {return}.",
        ),
    )  # fmt: skip
