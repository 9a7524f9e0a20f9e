"""Duplicate tickets: one person, several mails, one or two matters; settle each once, in one ticket."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import amount, day, number
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_threads import (
    OTHER,
    STRANGER,
    Mail,
    ThreadDesk,
    ThreadPlan,
    ThreadTruth,
    another_customer,
)
from diorama.scenarios.larkspur import COFFEE, SMALL, Larkspur
from diorama.scenarios.owed import CREDIT, cancel, refund, reship
from diorama.scenarios.past import (
    charged_again,
    disputed,
    note,
    order,
    refunded,
    second_mailbox,
    subscription,
)
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import ANSWERED, EXPLAINED, NOTHING, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
LOST = order(SMALL, (14, 30), "lost")
OTHER_LOST = order(SMALL, (14, 30), "lost", name=OTHER)
OTHER_IS_PAID = refunded("other_charge", note="Lost parcel", name="other_refund")
MAILBOX = second_mailbox()
TRACED = note(
    "Carrier confirms the parcel of {order} is lost. Customer may have it again or the money.",
    "{order} lost in transit (trace closed). Will be put right once we know what the customer wants.",
)
TWICE = (order(SMALL, (6, 14)), charged_again())
OTHER_TWICE = (order(SMALL, (6, 14), name=OTHER), charged_again("other_order"))
MISSED = (
    order(SMALL, (10, 18), pieces=(2, 4)),
    note("Warehouse: {line} was left out of {order}, none to send. Money for that item is fine.", arrived=True),
)
WANTED_OUT = (
    subscription(COFFEE),
    note("Wanted to end the plan before {order} went out, we forgot. Refund that bag if they ask for it.", left=True),
)
NEVER_CAME = (
    "[my parcel for {which} never came.|nothing has arrived of {which}.]",
    "[The tracking says lost.|The carrier told me on the phone that it is lost.]",
)
PRESS = (
    "[I wrote before and nobody answers.|Did you get my first mail?|Is anybody reading this?]",
    "[It is still about {which}, the lost parcel.|Again: {which} is lost.]",
)
AND_AGAIN = ("[THIRD MAIL.|third time now.]", "[{which}, still nothing here.|So what about {which}?]")
FROM_ELSEWHERE = "[I write from another address because mails seem to vanish.|My other mailbox is full.]"
TWO_BOOKINGS = (
    "[you booked {which} two times.|my bank shows two payments for {which}.]",
    "[Why?|That is one too many.]",
)
STILL_TWO = (
    "[me again.|hello? is anyone there?]",
    "[{which} is still booked twice.|Twice for {which}, once is enough.]",
)
TO_CARD = "[I want the money on my card.|Please put the money back on my card.]"
TO_CREDIT = "[Make it store credit.|Put the money on my account with you, I will use it.]"
AGAIN = "[I do not want money, send me the things again.|Please just send the same again.]"
FOUND = (
    "[please forget my mails|false alarm], {which} [was at the neighbour's after all.|has come after all.]",
    "[No refund needed, sorry for the noise.|You can close it, I keep everything.]",
)
OTHER_CHARGES = (
    "[you charged {order} twice.|{order} is on my statement two times.]",
    "[One of the payments comes back to my card, please.|Return one of the two to my card.]",
)
END_IT = ("[please end my coffee plan|stop the coffee plan], [I asked weeks ago.|once and for all.]",)
CHARGED = "[now {which} was charged|you took money for {which}] [although I had cancelled.|anyway.]"
LATE = ("2nd mail", "NO ANSWER", "Re: my order", "again", "still waiting", "PS")
CARD_CASE = {"facts": ["parcel"], "owed": [refund("charge")], "tell": [number("order")]}


def mails(*letters: Mail | tuple[str, ...]) -> tuple[Mail, ...]:
    """Return mails; those after the first get subjects of people who write again."""
    plain = [one if isinstance(one, Mail) else Mail(letter=one) for one in letters]
    return tuple(replace(one, subjects=one.subjects or LATE) if place else one for place, one in enumerate(plain))


def case(name: str, *letters: Mail | tuple[str, ...], **parts: Any) -> ThreadPlan:
    """Return a plan with these mails."""
    sent = mails(*letters)
    return ThreadPlan(name, letter=sent[0].letter, mails=sent, **parts)


def ends(plan: ThreadPlan, sentence: str) -> ThreadPlan:
    """Return the plan with one more sentence in the last mail about its matter."""
    last = max(place for place, mail in enumerate(plan.mails) if not mail.about)
    sent = [
        replace(mail, letter=(*mail.letter, sentence)) if place == last else mail
        for place, mail in enumerate(plan.mails)
    ]
    return replace(plan, mails=sent, letter=sent[0].letter)


def ways(plan: ThreadPlan, *, again: bool = False) -> tuple[ThreadPlan, ...]:
    """Return twins with the same records and first mails: the last mail wants money, store credit or the goods."""
    first, *rest = plan.owed
    twins = [ends(plan, TO_CARD)]
    credited = [replace(first, destination=CREDIT), *rest]
    twins.append(replace(ends(plan, TO_CREDIT), name=f"{plan.name}_as_credit", owed=credited))
    if again:
        twins.append(replace(ends(plan, AGAIN), name=f"{plan.name}_again", owed=[reship(), *rest]))
    return tuple(twins)


@scenario("zendesk/duplicate-tickets")
class DuplicateTickets(ThreadDesk, Larkspur):
    """One customer has written several times, from one or two addresses.

    Some of the mails are about the same matter and belong in one ticket; another may be about a different matter, or
    come from another customer. The last mail may change what the first one asked for. What is owed is owed once, no
    matter how often it was requested, and a merge cannot be undone.
    """

    tags = ("support", "money", "duplicates")
    subjects = ("Order", "my order", "Hello??", "Complaint", "Question about an order", "Help", "Problem", "parcel")
    plans = (
        *ways(case("same_twice", NEVER_CAME, PRESS, past=[LOST, TRACED], **CARD_CASE), again=True),
        *ways(case("three_mails", NEVER_CAME, PRESS, AND_AGAIN, past=[LOST, TRACED], **CARD_CASE), again=True),
        case(
            "never_mind", NEVER_CAME, PRESS, FOUND, past=[LOST, TRACED], facts=["none"],
            resolution=(NOTHING, ANSWERED, EXPLAINED), tell=[number("order")],
            reply="Glad that order {order} has reached you. As you asked, nothing is refunded, and we close this.",
        ),
        *ways(
            case(
                "two_addresses", NEVER_CAME, Mail(letter=(*PRESS[1:], FROM_ELSEWHERE), sender="mailbox"),
                past=[MAILBOX, LOST, TRACED], **CARD_CASE,
            ),
            again=True,
        ),
        *ways(
            case(
                "one_charge_many_mails", TWO_BOOKINGS, Mail(letter=STILL_TWO, sender="mailbox"),
                ("[I go to my bank tomorrow.|last chance before I call my bank.]", "[{which}, two charges.|{which}!]"),
                past=[MAILBOX, *TWICE], facts=["twice"], owed=[refund("charge", "second")], tell=[number("order")],
            )
        ),
        *ways(
            case(
                "number_in_the_second", ("[my parcel is lost.|the carrier lost my parcel.]", "[Please hurry.|Thanks.]"),
                (
                    "[I forgot the number in my mail: it is {order}.|sorry, I meant the order with the {line}.]",
                    "[Only that one, the other one is settled.|Not the other one, that is arranged already.]",
                ),
                past=[LOST, OTHER_LOST, TRACED, OTHER_IS_PAID], **CARD_CASE,
            ),
            again=True,
        ),
        *ways(
            case(
                "only_a_part",
                ("[half of {which} is missing|{which} is a mess], I want [all my money|all of it] back.",),
                (
                    "[I was too quick|I looked again], [the rest was under the paper|most of it was there after all].",
                    "[Only the {line} is missing in {order}.|In {order} there is no {line}, that is all.]",
                ),
                past=MISSED, facts=["box"], owed=[refund("charge", cents=amount("line"))], tell=[number("order")],
            )
        ),
        *ways(
            case(
                "two_matters", NEVER_CAME,
                Mail(
                    letter=OTHER_CHARGES,
                    about=OTHER, subjects=("another thing", "bank statement", "Hello again"), sender="mailbox",
                ),
                PRESS, past=[MAILBOX, LOST, TRACED, *OTHER_TWICE], **CARD_CASE,
                also=Plan(
                    "twice", past=[], letter=[], facts=["twice"], owed=[refund("charge", "second")],
                    tell=[number("order")],
                ),
            ),
            again=True,
        ),
        *ways(
            case(
                "alike_but_two", ("[my parcel is lost|the carrier lost my parcel], order {order}.",),
                Mail(letter=("[my parcel is lost|the carrier lost my parcel], order {order}.", TO_CARD), about=OTHER),
                past=[LOST, OTHER_LOST, TRACED], **CARD_CASE,
                also=Plan(
                    "lost_too", past=[], letter=[], facts=["parcel"], owed=[refund("charge")], tell=[number("order")]
                ),
            ),
            again=True,
        ),
        *ways(
            case(
                "somebody_alike", NEVER_CAME, Mail(letter=(*NEVER_CAME, TO_CARD), about=STRANGER), PRESS, AND_AGAIN,
                past=[LOST, TRACED, another_customer(SMALL, (14, 30))], **CARD_CASE,
            ),
            again=True,
        ),
        case(
            "paid_in_the_other",
            Mail(
                letter=(*NEVER_CAME, TO_CARD),
                answered="Hi, the money is on its way, I have just looked. Do tell me when you see it.",
            ),
            Mail(letter=(*PRESS, TO_CARD), sender="mailbox"),
            past=[MAILBOX, LOST, refunded(note="Lost parcel")], facts=["refunded"], resolution=NOTHING_DUE,
            tell=[amount("refund"), day("refund")],
            reply="We refunded {refund} for order {order} on {refund.day}; your bank has it now.",
        ),
        *ways(
            case(
                "first_is_done_with",
                Mail(
                    letter=NEVER_CAME, answered="Hello, we will put this right this week. Best,", solved=True,
                ),
                ("[you said this week|I had a promise], [and nothing came.|and nothing happened.]", "It is {which}."),
                Mail(letter=PRESS, sender="mailbox"),
                past=[MAILBOX, LOST, TRACED], **CARD_CASE,
            ),
            again=True,
        ),
        case(
            "stop_the_coffee", END_IT,
            Mail(
                letter=(CHARGED, TO_CARD),
                sender="mailbox",
            ),
            past=[MAILBOX, *WANTED_OUT], facts=["plan"], owed=[cancel(), refund("charge")], tell=[number("order")],
        ),
        case(
            "keep_the_coffee", END_IT,
            Mail(
                letter=(
                    CHARGED, TO_CARD,
                    "[But leave the plan running now, we like the coffee.|The plan itself I want to keep after all.]",
                ),
                sender="mailbox",
            ),
            past=[MAILBOX, *WANTED_OUT], facts=["plan"], owed=[refund("charge")], tell=[number("order")],
        ),
        case(
            "bank_has_it", (*NEVER_CAME, TO_CARD), PRESS, Mail(letter=(*AND_AGAIN, TO_CARD), sender="mailbox"),
            past=[MAILBOX, LOST, TRACED, disputed()], facts=["dispute", "parcel"], resolution=NOTHING_DUE,
            tell=[day("charge", "dispute_day")], split=NEW,
            reply="Your bank opened a dispute about order {order} on {charge.dispute_day}. While the bank holds the "
            "money we cannot pay it out; the bank decides.",
        ),
        case(
            "stranger_and_two_matters", (*NEVER_CAME, AGAIN), Mail(letter=(*NEVER_CAME, TO_CARD), about=STRANGER),
            Mail(letter=OTHER_CHARGES, about=OTHER),
            (*PRESS, AGAIN), past=[LOST, TRACED, *OTHER_TWICE, another_customer(SMALL, (14, 30))], split=NEW,
            facts=["parcel"], owed=[reship()], tell=[number("order")],
            also=Plan(
                "twice", past=[], letter=[], facts=["twice"], owed=[refund("charge", "second")], tell=[number("order")]
            ),
        ),
    )  # fmt: skip

    def brief(self, truth: DeskTruth) -> str:
        """Return the task as a team lead would phrase it."""
        assert isinstance(truth, ThreadTruth)
        return (
            f"You are {self.agent}, support agent at {self.shop}. Take care of the customer behind ticket "
            f"#{truth.asked} in Zendesk, who seems to have written more than once, maybe not always from the same "
            "address; the back office has the customer's records and all their addresses. Everything about one matter "
            "belongs into one ticket: merge it into the oldest one that is not solved yet. A different matter stays a "
            "ticket of its own, and so does whatever somebody else wrote. What the customer wrote last counts. Answer "
            f"each matter once, in the ticket that stays. {self.house_rules}"
        )
