"""Rental deposit: the records say how much of it goes back, the letter for which rental and where to."""

from __future__ import annotations

from msgspec.structs import replace

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import Worded, amount, day, number
from diorama.scenarios.kittiwake import Kittiwake
from diorama.scenarios.owed import CREDIT, cancel, refund
from diorama.scenarios.past import note, refunded
from diorama.scenarios.past_rentals import booked, kit_back, kit_on_its_way, rented
from diorama.scenarios.past_units import besides
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
DEPOSIT = refund("charge", cents=amount("back"))
PAID = refunded(cents="back", reason="returned", days_ago=(1, 2))
SHORT, LATE = kit_back(pieces=(1, 2)), kit_back(late=(1, 2))
ANOTHER = besides(
    [rented(weeks_ago=(-2, -1))], [rented(), kit_back()], [rented(), SHORT], [rented(), LATE], [rented()],
    [rented(), kit_back(), PAID], [rented(), kit_on_its_way()],
)  # fmt: skip
"""Another kit of the same customer, which the mail is not about."""
CALLED = note(
    "Called: wants to cancel {order}. Will do it tomorrow, with the money.",
    "{order} to be cancelled, they cannot go. Promised to see to it this week.",
)

# --- what customers write
ASKING = (
    Worded(
        "[we sent back the kit of {which}|the kit from {which} went back to you].",
        fr="[j'ai renvoyé l'équipement de {which}|l'équipement de {which} est reparti chez vous].",
    ),
    Worded(
        "The deposit [isn't back yet|still hasn't shown up].",
        fr="Le dépôt [n'est pas revenu|n'est toujours pas là].",
    ),
    Worded(
        "[Everything was in the bag as far as I know.|I fear something stayed behind in the woods.|"
        "We may have been a bit late.|We took good care of it.]",
        fr="[Tout y était, il me semble.|J'ai peur que quelque chose soit resté dans le bois.|"
        "On était peut-être un peu en retard.|On en a pris soin.]",
    ),
)
CANCELLED = (
    Worded(
        "[we had cancelled {which}|{which} was supposed to be cancelled, we told you on the phone].",
        fr="[on avait annulé {which}|{which} devait être annulée, on vous l'avait dit au téléphone].",
    ),
    Worded(
        "[I never saw the money again.|Rent and deposit are not back.]",
        fr="[Je n'ai jamais revu l'argent.|La location et le dépôt ne sont pas revenus.]",
    ),
)
AFTER_ALL = (
    CANCELLED[0],
    Worded(
        "[By now we want to go after all: is it still booked, and how much have we paid?|"
        "If it is still booked, leave it so, we are going after all. What have we paid for it?]",
        fr="[Finalement on part quand même : est-ce encore réservé, et combien a-t-on payé ?|"
        "Si c'est encore réservé, laissez-le comme ça, on part finalement. Combien a-t-on payé ?]",
    ),
)
TWO_KITS = (
    Worded(
        "[we rented twice|we have two rentals with you], [{order} and {second_order}|{second_order} and {order}].",
        fr="[on a loué deux fois chez vous|on a deux locations], "
        "[{order} et {second_order}|{second_order} et {order}].",
    ),
    Worded("[Where are the deposits?|Neither deposit is back.]", fr="[Où sont les dépôts ?|Aucun dépôt n'est revenu.]"),
)
TO_CARD = Worded(
    "[Please send the money back to my card.|I want it back on my card.]",
    fr="[Remboursez-le sur ma carte svp.|Je le veux sur ma carte.]",
)
TO_CREDIT = Worded(
    "[Please make it store credit, we will rent again anyway.|Store credit is fine with me.]",
    fr="[Mettez-le en crédit d'achat, on louera encore.|Un crédit d'achat me va.]",
)
ANY_WAY = Worded(
    "[Please send the money back to my card.|Store credit is fine with me.]",
    fr="[Remboursez-le sur ma carte svp.|Un crédit d'achat me va.]",
)
BOOKING_STAYS = Worded(
    "[The kit that we booked next stays booked, of course.|Leave our next booking as it is, please.]",
    fr="[Notre prochaine réservation reste, bien sûr.|Laissez notre prochaine réservation comme elle est svp.]",
)
BOOKING_ENDS = Worded(
    "[And cancel our next booking, please, its money goes back to my card.|"
    "Our next booking, the one that has not left yet: cancel it and put that money on my card.]",
    fr="[Et annulez notre prochaine réservation svp, l'argent retourne sur ma carte.|"
    "Notre prochaine réservation, celle qui n'est pas partie : annulez-la et remboursez-la sur ma carte.]",
)

# --- what is said
KEPT_SHORT = Worded(
    "We keep {kept} of the deposit, because not every piece of the kit came back.",
    fr="Nous gardons {kept} du dépôt, parce que l'équipement n'est pas revenu au complet.",
)
KEPT_LATE = Worded(
    "We keep {kept} of the deposit, because the kit came back late.",
    fr="Nous gardons {kept} du dépôt, parce que l'équipement est revenu en retard.",
)
STILL_OUT = Worded(
    "The kit of order {second_order} is due on {second_due.day}; its deposit stays until it is back.",
    fr="L'équipement de la commande {second_order} est attendu le {second_due.day} ; son dépôt reste jusque-là.",
)
PAID_BEFORE = Worded(
    "We refunded {refund} for order {order} on {refund.day}.",
    fr="Nous avons remboursé {refund} pour la commande {order} le {refund.day}.",
)


def card_or_credit(plan: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records: the letter asks for the money on the card, or as store credit."""
    credited = [replace(due, destination=CREDIT) if due.kind == "refund" else due for due in plan.owed]
    return (
        replace(plan, letter=[*plan.letter, TO_CARD]),
        plan.twin(f"{plan.name}_as_credit", letter=[*plan.letter, TO_CREDIT], owed=credited),
    )


def with_next_booking(plan: Plan) -> tuple[Plan, Plan, Plan]:
    """Return the twins `card_or_credit` of a customer who has booked again, and one who cancels that booking, too."""
    past = [*plan.past, booked(name="next")]
    to_card, to_credit = card_or_credit(replace(plan, past=past, letter=[*plan.letter, BOOKING_STAYS]))
    ends = to_card.twin(
        f"{plan.name}_ends_booking", letter=[*plan.letter, TO_CARD, BOOKING_ENDS],
        owed=[*plan.owed, cancel("next_order"), refund("next_charge")], facts=[*plan.facts, "cancel"],
    )  # fmt: skip
    return to_card, to_credit, ends


def booking_stays_or_ends(plan: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records and a booking that has not left: the letter keeps it, or cancels it."""
    past = [*plan.past, booked(name="next")]
    ends = {"owed": [cancel("next_order"), refund("next_charge")], "facts": [*plan.facts, "cancel"], "resolution": ()}
    return (
        replace(plan, past=past, letter=[*plan.letter, ANY_WAY, BOOKING_STAYS], resolution=NOTHING_DUE),
        plan.twin(f"{plan.name}_ends_booking", past=past, letter=[*plan.letter, ANY_WAY, BOOKING_ENDS], **ends),
    )


@scenario("zendesk/rental-deposit")
class RentalDeposit(Kittiwake):
    """A customer of a rental shop asks for the deposit of a kit, in English or in French.

    The kit is back whole, short, late, or late with permission; or it is not back, the deposit was refunded days ago,
    the booking was cancelled or should have been, or one of two kits is still out. The customer has other rentals,
    too, and wants the money here or there. The refund must be right to the cent, and the customer must be told the
    truth in their own language.
    """

    tags = ("support", "money", "french")
    rules = (
        "Rental terms: a kit carries a deposit of 100.00 CAD, a line of its own in the order. A note says when the kit "
        "is due; the return says when it came and what the warehouse counted. Once the kit is back its deposit goes "
        "back, less 25.00 CAD for each missing piece and 20.00 CAD for each day that it came late; we never keep more "
        "than 60.00 CAD. Wear and dirt cost nothing, nor does a delay that a colleague allowed in a note. If we keep "
        "something, say how much. While a kit is not back its deposit stays: give the number of its return, or if it "
        "has none the day on which it is due. A booking that is cancelled before the kit leaves is paid back whole, "
        "rent and deposit. Money goes to the card unless the customer asks for store credit; if it went back before "
        "today, say how much and when. Settle what the letter is about: other rentals and bookings of the same "
        "customer stay as they are."
    )
    subjects = (
        Worded("deposit", fr="dépôt"), Worded("My deposit", fr="Mon dépôt"), Worded("Rental", fr="location"),
        Worded("rental deposit??", fr="dépôt de location"), Worded("where's my money", fr="Où est mon argent"),
        Worded("Kit", fr="équipement"), Worded("hi", fr="Bonjour"), Worded("2nd mail", fr="2e courriel"),
        Worded("Our rental", fr="Notre location"), Worded("Question", fr="Question"),
    )  # fmt: skip
    plans = (
        *with_next_booking(
            Plan("back_whole", past=[rented(), kit_back(), ANOTHER], letter=ASKING, facts=["rental"], owed=[DEPOSIT])
        ),
        *card_or_credit(
            Plan(
                "piece_missing", past=[rented(), SHORT, ANOTHER], letter=ASKING, facts=["rental"], owed=[DEPOSIT],
                tell=[amount("kept")], reply=KEPT_SHORT,
            )
        ),
        *card_or_credit(
            Plan(
                "came_late", past=[rented(), LATE, ANOTHER], letter=ASKING, facts=["rental"], owed=[DEPOSIT],
                tell=[amount("kept")], reply=KEPT_LATE,
            )
        ),
        *card_or_credit(
            Plan(
                "short_and_late", past=[rented(), kit_back(pieces=(2, 2), late=(1, 2)), ANOTHER], letter=ASKING,
                facts=["rental"], owed=[DEPOSIT], tell=[amount("kept")], reply=KEPT_SHORT,
            )
        ),
        *with_next_booking(
            Plan(
                "late_with_leave", past=[rented(), kit_back(late=(1, 2), leave=True), ANOTHER], letter=ASKING,
                facts=["rental"], owed=[DEPOSIT],
            )
        ),
        *card_or_credit(
            Plan(
                "short_with_leave", past=[rented(), kit_back(pieces=(1, 2), late=(1, 2), leave=True), ANOTHER],
                letter=ASKING, facts=["rental"], owed=[DEPOSIT], tell=[amount("kept")], reply=KEPT_SHORT, split=NEW,
            )
        ),
        *booking_stays_or_ends(
            Plan(
                "on_its_way", past=[rented(), kit_on_its_way(), ANOTHER], letter=ASKING, facts=["rental"],
                tell=[number("return")],
                reply=Worded(
                    "The kit of order {order} has not reached us yet: its return {return} is still open. The deposit "
                    "stays until the kit is here and counted.",
                    fr="L'équipement de la commande {order} n'est pas encore arrivé : son retour {return} est encore "
                    "ouvert. Le dépôt reste jusqu'à ce que tout soit ici et compté.",
                ),
            )
        ),
        *booking_stays_or_ends(
            Plan(
                "never_sent", past=[rented(), ANOTHER], letter=ASKING, facts=["rental"], tell=[day("due")],
                reply=Worded(
                    "The kit of order {order} was due on {due.day} and is not back, so its deposit stays for now.",
                    fr="L'équipement de la commande {order} était attendu le {due.day} et n'est pas revenu, donc son "
                    "dépôt reste pour l'instant.",
                ),
            )
        ),
        *booking_stays_or_ends(
            Plan(
                "paid_already", past=[rented(), kit_back(), PAID, ANOTHER], letter=ASKING,
                facts=["refunded", "rental"], tell=[amount("refund"), day("refund")], reply=PAID_BEFORE,
            )
        ),
        *booking_stays_or_ends(
            Plan(
                "paid_in_part", past=[rented(), SHORT, PAID, ANOTHER], letter=ASKING, facts=["refunded", "rental"],
                tell=[amount("refund"), day("refund"), amount("kept")],
                reply=Worded(f"{PAID_BEFORE} {KEPT_SHORT}", fr=f"{PAID_BEFORE.others['fr']} {KEPT_SHORT.others['fr']}"),
            )
        ),
        *card_or_credit(
            Plan(
                "booking_cancelled", past=[rented(outcome="cancelled"), ANOTHER], letter=CANCELLED,
                facts=["cancel", "rental"], owed=[refund("charge")],
            )
        ),
        *card_or_credit(
            Plan(
                "never_cancelled", past=[booked((6, 12)), CALLED, ANOTHER], letter=CANCELLED,
                facts=["cancel", "rental"], owed=[cancel("order"), refund("charge")],
            )
        ),
        Plan(
            "going_after_all", past=[booked((6, 12)), CALLED, ANOTHER], letter=AFTER_ALL, facts=["rental"],
            resolution=NOTHING_DUE, tell=[amount("charge")],
            reply=Worded(
                "Order {order} is still booked; you have paid {charge} for it.",
                fr="La commande {order} est encore réservée ; vous avez payé {charge}.",
            ),
        ),
        *booking_stays_or_ends(
            Plan(
                "cancelled_and_paid", letter=CANCELLED, facts=["refunded", "cancel", "rental"], split=NEW,
                past=[rented(outcome="cancelled"), refunded(reason="cancelled_order", days_ago=(1, 4)), ANOTHER],
                tell=[amount("refund"), day("refund")], reply=PAID_BEFORE,
            )
        ),
        *card_or_credit(
            Plan(
                "one_still_out", past=[rented(), SHORT, rented(weeks_ago=(-2, -1), name="second")],
                letter=TWO_KITS, facts=["rental"], owed=[DEPOSIT], tell=[amount("kept"), day("second_due")],
                reply=Worded(f"{KEPT_SHORT} {STILL_OUT}", fr=f"{KEPT_SHORT.others['fr']} {STILL_OUT.others['fr']}"),
            )
        ),
        *card_or_credit(
            Plan(
                "both_back", past=[rented(), kit_back(), rented(name="second"), kit_back(name="second")],
                letter=TWO_KITS, facts=["rental"],
                owed=[DEPOSIT, refund("second_charge", cents=amount("second_back"))],
            )
        ),
    )  # fmt: skip
