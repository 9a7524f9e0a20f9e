"""Before the trip: where the parcel is decides what can be done, and the letter what is wanted."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.scenarios.anatomy import scenario
from diorama.scenarios.cast import Worded, day, number
from diorama.scenarios.desk_customers import NO_OPEN_ORDER, QUIET_PAST
from diorama.scenarios.kittiwake import SMALL, Kittiwake
from diorama.scenarios.owed import CREDIT, cancel, move, refund, reship
from diorama.scenarios.owed_units import take_back
from diorama.scenarios.past import order, returned
from diorama.scenarios.past_places import fresh_order
from diorama.scenarios.past_trips import comes_before, elsewhere, trip
from diorama.scenarios.past_units import besides
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
MINE, OTHERS = SMALL[::2], SMALL[1::2]
WAITING_HOURS = (3, 200)
"""How long an order may have waited for its goods: it is not always the customer's newest one."""
OPEN = fresh_order(MINE, WAITING_HOURS, waits=True)
LEFT = fresh_order(MINE, (60, 110), "in_transit", due_days=(2, 6))
LOST = order(MINE, (18, 26), "lost")
CAME_BACK = order(MINE, (16, 24), "returned")
BOUGHT = order(MINE, (12, 18))
HERE_LONG_AGO = order(MINE, (46, 80))
MOVING = fresh_order(OTHERS, (30, 100), "in_transit", due_days=(2, 6))
ANOTHER = besides([MOVING], [MOVING], [order(OTHERS, (12, 18))], [order(OTHERS, (18, 26), "lost")], name="another")
"""Another order of the same customer, which the mail is not about."""
ALSO_MOVING = besides([fresh_order(OTHERS, (50, 120), "in_transit", due_days=(2, 6))], name="third")
"""One more parcel on its way, so that the newest or second parcel is not always the one that the mail is about."""
NEXT = besides([fresh_order(OTHERS, WAITING_HOURS, waits=True)], name="other")
"""Another order that has not left: some letters want it cancelled, too. No other one of the customer is open."""

# --- what customers write
LEAVING = Worded(
    "[we leave on {leaves.day}|our trip starts on {leaves.day}].",
    fr="[on part le {leaves.day}|notre voyage commence le {leaves.day}].",
)
CANCEL = (
    LEAVING,
    Worded(
        "[My brother lends us his, so please cancel {which}.|We don't need {which} any more, cancel it please.]",
        fr="[Mon frère nous prête le sien, alors annulez {which} svp.|On n'a plus besoin de {which}, annulez svp.]",
    ),
)
ELSEWHERE = (
    LEAVING,
    Worded(
        "[Nobody is home by then: {which} has to go to {goal}.|Please send {which} to {goal}, we will be there.]",
        fr="[Il n'y aura personne : {which} doit aller au {goal}.|Envoyez {which} au {goal} plutôt, on sera là.]",
    ),
)
NOT_HERE = (
    LEAVING,
    Worded(
        "[{which} is not here.|{which} has not come.] [I have heard nothing for days.|Something must be wrong.|]",
        fr="[{which} n'est pas là.|{which} n'est pas arrivée.] [Aucune nouvelle depuis des jours.|C'est louche.|]",
    ),
)
WHEN = (
    LEAVING,
    Worded(
        "[When does {which} come, or did it come already?|My partner waits for {which}: is it there yet, which day?]",
        fr="[Quand arrive {which}, ou est-elle déjà livrée ?|Ma blonde attend {which} : est-ce arrivé, et quel jour ?]",
    ),
)
WENT_BACK = (
    LEAVING,
    Worded(
        "[the post office says that {which} went back to you|{which} was returned to you], the address was wrong.",
        fr="[la poste dit que {which} est retournée chez vous|{which} vous est revenue], l'adresse était fausse.",
    ),
)
TRIP_IS_OFF = (
    Worded(
        "[our trip fell through.|we're not going after all.]", fr="[le voyage est annulé.|finalement on reste ici.]"
    ),
    Worded(
        "I'd like to send back the {line} from {which}. [It's unused.|Never opened.]",
        fr="J'aimerais retourner « {line} », c'est dans {which}. [Jamais utilisé.|Pas ouvert.]",
    ),
)
TO_CARD = Worded(
    "[The money goes back to my card, please.|Put the money back on my card.]",
    fr="[L'argent sur ma carte svp.|Remettez l'argent sur ma carte.]",
)
TO_CREDIT = Worded(
    "[Store credit is fine with me.|Make it store credit, we will shop again.]",
    fr="[Un crédit d'achat me va.|Mettez ça en crédit d'achat, on reviendra.]",
)
NO_LONGER = Worded(
    "[I bought one in town.|We don't need it any more.]", fr="[J'en ai acheté un en ville.|Plus besoin.]"
)
AGAIN = Worded(
    "[We still need it, please send another.|Send it again, please.]",
    fr="[Renvoyez-en un svp.|On en a encore besoin, renvoyez svp.]",
)
AGAIN_THERE = Worded("Send it again, this time to {goal}.", fr="Renvoyez-la, cette fois au {goal}.")
OTHER_STAYS = Worded(
    "[My other order can come as planned.|Leave my other order as it is.]",
    fr="[Mon autre commande peut venir comme prévu.|Laissez mon autre commande comme elle est.]",
)
OTHER_ENDS = Worded(
    "[And cancel my other order, the one that has not left yet, its money goes back to my card.|"
    "The other order that is still with you: cancel it and put that money on my card.]",
    fr="[Et annulez mon autre commande, celle qui n'est pas partie, l'argent retourne sur ma carte.|"
    "L'autre commande qui est encore chez vous : annulez-la et remboursez-la sur ma carte.]",
)
OTHER_ENDS_AS_CREDIT = Worded(
    "[And cancel my other order, the one that has not left yet, store credit for it is fine.|"
    "The other order that is still with you: cancel it and make that store credit.]",
    fr="[Et annulez mon autre commande, celle qui n'est pas partie, un crédit d'achat me va.|"
    "L'autre commande qui est encore chez vous : annulez-la et mettez ça en crédit d'achat.]",
)
ANY_PLACE = Worded(
    f"[{TO_CARD[1:-1]}|{TO_CREDIT[1:-1]}]", fr=f"[{TO_CARD.others['fr'][1:-1]}|{TO_CREDIT.others['fr'][1:-1]}]"
)
ANY_WAY = Worded(
    f"[{AGAIN[1:-1]}|{TO_CARD[1:-1]}|{TO_CREDIT[1:-1]}]",
    fr=f"[{AGAIN.others['fr'][1:-1]}|{TO_CARD.others['fr'][1:-1]}|{TO_CREDIT.others['fr'][1:-1]}]",
)

# --- what is said
GONE = Worded(
    "The parcel {parcel} of order {order} is with the carrier and can no longer be stopped or sent elsewhere; it is "
    "expected on {parcel.day}.",
    fr="Le colis {parcel} de la commande {order} est chez le transporteur et ne peut plus être arrêté ni redirigé ; il "
    "est attendu le {parcel.day}.",
)
COMING = Worded(
    "The parcel {parcel} of order {order} is on its way and expected on {parcel.day}.",
    fr="Le colis {parcel} de la commande {order} est en chemin et attendu le {parcel.day}.",
)
ARRIVED = Worded(
    "The parcel {parcel} of order {order} was delivered on {parcel.arrived_day}.",
    fr="Le colis {parcel} de la commande {order} a été livré le {parcel.arrived_day}.",
)
TOO_LATE = Worded(
    "Order {order} was delivered on {parcel.arrived_day}; the 30 days to return it are over.",
    fr="La commande {order} a été livrée le {parcel.arrived_day} ; les 30 jours pour la retourner sont passés.",
)
IS_OPEN = Worded(
    "A return is open already for order {order}: {return}.",
    fr="Un retour est déjà ouvert pour la commande {order} : {return}.",
)
EXPECTED = [number("parcel"), day("parcel")]


def plan(name: str, past: Any, letter: Any, *facts: str, **more: Any) -> Plan:
    """Return a plan in which the customer leaves soon, has another order, and knows where they will be."""
    if "owed" not in more:
        more.setdefault("resolution", NOTHING_DUE)
    return Plan(name, past=[trip(), elsewhere(), *past, ANOTHER], letter=letter, facts=facts, **more)


def card_or_credit(one: Plan) -> tuple[Plan, Plan]:
    """Return twins with the same records: the letter asks for the money on the card, or as store credit."""
    credited = [replace(due, destination=CREDIT) if due.kind == "refund" else due for due in one.owed]
    return (
        replace(one, letter=[*one.letter, TO_CARD]),
        one.twin(f"{one.name}_as_credit", letter=[*one.letter, TO_CREDIT], owed=credited),
    )


def other_stays_or_ends(one: Plan, credit: bool = False) -> tuple[Plan, Plan]:
    """Return twins with the same records and another order that has not left: the letter keeps it, or cancels it.

    Then its money goes back to the card; with `credit` the letter asks for store credit.
    """
    past, back = [*one.past, NEXT], refund("other_charge", to=CREDIT) if credit else refund("other_charge")
    ends = {"owed": [*one.owed, cancel("other_order"), back], "resolution": (), "tells": ["other_order"]}
    letter = [*one.letter, OTHER_ENDS_AS_CREDIT if credit else OTHER_ENDS]
    return (
        replace(one, past=past, letter=[*one.letter, OTHER_STAYS]),
        one.twin(f"{one.name}_ends_other", past=past, letter=letter, facts=[*one.facts, "cancel"], **ends),
    )


@scenario("zendesk/before-the-trip")
class BeforeTheTrip(Kittiwake):
    """A customer of an outdoor shop writes about an order before a trip, in English or in French.

    Depending on where the parcel is, the order can be cancelled, sent elsewhere, sent again or returned, or nothing can
    be done except to say truthfully where it is and when it comes. The customer has other orders, too. The result is
    judged by what happens to the goods and the money, and by what the customer was told.
    """

    tags = ("support", "delivery", "french")
    customers_where = f"{QUIET_PAST} AND {NO_OPEN_ORDER}"
    rules = (
        "About parcels: what has not left the warehouse can be cancelled (then the whole order is refunded) or sent to "
        "another address. What the carrier has cannot be stopped or sent elsewhere: give the tracking number and the "
        "expected day. Of what has arrived, give the tracking number and the day on which it came. A lost parcel, or "
        "one that came back, is sent again or refunded, as the customer wishes. What has arrived can go back within 30 "
        "days: open a return with reason changed_mind and the resolution that the customer asks for; if one is open "
        "already, give its number; after the 30 days nothing goes back, and you say on which day it came. Money goes "
        "to the card unless the customer asks for store credit. Settle what the letter is about: other orders of the "
        "same customer stay as they are."
    )
    subjects = (
        Worded("leaving soon", fr="on part bientôt"), Worded("parcel before our trip", fr="colis avant le départ"),
        Worded("question", fr="question"), Worded("my order", fr="ma commande"), Worded("Hello", fr="Bonjour"),
        Worded("our trip", fr="notre voyage"), Worded("Order", fr="Commande"), Worded("URGENT", fr="URGENT"),
        Worded("2nd mail", fr="2e courriel"),
    )  # fmt: skip
    plans = (
        *card_or_credit(plan("cancel_it", [OPEN, NEXT], CANCEL, "cancel", owed=[cancel("order"), refund("charge")])),
        plan("cancel_too_late", [LEFT], [*CANCEL, ANY_PLACE], "cancel", tell=EXPECTED, reply=GONE),
        *other_stays_or_ends(plan("send_ahead", [OPEN], ELSEWHERE, "address", owed=[move("order")])),
        *other_stays_or_ends(
            plan("redirect_too_late", [LEFT], ELSEWHERE, "address", "where", tell=EXPECTED, reply=GONE)
        ),
        other_stays_or_ends(
            plan("in_time", [LEFT, comes_before()], WHEN, "where", tell=EXPECTED, reply=COMING), credit=True
        )[1],
        *other_stays_or_ends(
            plan(
                "there_already", [BOUGHT], WHEN, "where", reply=ARRIVED,
                tell=[number("parcel"), day("parcel", "arrived_day")],
            )
        ),
        *other_stays_or_ends(plan("lost_again", [LOST], [*NOT_HERE, AGAIN], "lost", owed=[reship()]), credit=True),
        *card_or_credit(plan("lost_and_bought", [LOST], [*NOT_HERE, NO_LONGER], "lost", owed=[refund("charge")])),
        *other_stays_or_ends(
            plan("not_lost", [LEFT, ALSO_MOVING], [*NOT_HERE, ANY_WAY], "where", tell=EXPECTED, reply=COMING),
            credit=True,
        ),
        *other_stays_or_ends(
            plan("came_back", [CAME_BACK], [*WENT_BACK, AGAIN_THERE], "address", owed=[reship(to="goal")])
        ),
        *card_or_credit(
            plan("came_back_late", [CAME_BACK], [*WENT_BACK, NO_LONGER], "address", owed=[refund("charge")], split=NEW)
        ),
        plan(
            "send_it_back", [BOUGHT], [*TRIP_IS_OFF, TO_CARD], "goods_back", owed=[take_back("refund", "changed_mind")],
        ),
        plan(
            "send_it_back_as_credit", [BOUGHT], [*TRIP_IS_OFF, TO_CREDIT], "goods_back",
            owed=[take_back("store_credit", "changed_mind")],
        ),
        *other_stays_or_ends(
            plan(
                "too_late_to_return", [HERE_LONG_AGO], [*TRIP_IS_OFF, ANY_PLACE], "goods_back",
                tell=[day("parcel", "arrived_day")], reply=TOO_LATE,
            )
        ),
        *other_stays_or_ends(
            plan(
                "return_is_open", [BOUGHT, returned(days_ago=(1, 3))], [*TRIP_IS_OFF, ANY_PLACE], "goods_back",
                tell=[number("return")], reply=IS_OPEN, split=NEW,
            )
        ),
    )  # fmt: skip
