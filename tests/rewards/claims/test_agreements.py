"""Amounts, days and records that do not belong together, beside true sentences of nearly the same words."""

from collections.abc import Sequence

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Thing
from tests.rewards.claims.shop import reading, shop

ORDER, OTHER = "ord_Zx5cVb8nMq2wEr4t", "ord_Pl9oKi8uJy7hTg6f"
PARCEL = "JVGL100000000000000001"
CARD = Deed(
    "refund", "ch_Mn3bVc5xZl7kJh9g", cents=4280, destination="original_payment", day="2026-05-04", seq=12,
    names=("KW-20417",),
)  # fmt: skip
STORE = msgspec.structs.replace(CARD, destination="store_credit")
EARLIER = msgspec.structs.replace(CARD, day="2026-04-28", seq=0)
ENDED = Deed("cancellation", "sub_Qw4rTy7uIo1pAs3d", day="2026-05-04", seq=15)
PART = Deed("part", "BR2-2501-11873", day="2026-05-04", seq=16, to={"sku": "PT-1"})
RETURN = Deed(
    "label", ORDER, day="2026-05-02", to={"resolution": "refund"}, names=("RMA-4711", "KW-20417"), key="rma_1"
)
GIFT = Deed("credit", "cus_Ab3dEf6hIj9kLm2n", cents=600, destination="store_credit", day="2026-04-02")


def case(*deeds: Deed, status: str = "active", held: int = 0) -> Case:
    """Return the shop with these deeds, two orders with a parcel each, a plan and a return."""
    things = (
        Thing("order", ORDER, ("KW-20417", PARCEL), status="delivered", cents=4280, goods=("milk jug",)),
        Thing("order", OTHER, ("KW-20350", PARCEL[:-1] + "2"), status="delivered", cents=1900, goods=("tamper",)),
        Thing("plan", "sub_Qw4rTy7uIo1pAs3d", name="harbour blend", status=status),
        Thing("return", "RMA-4711", ("RMA-4711",), status="awaited"),
        Thing("account", "cus_Ab3dEf6hIj9kLm2n", cents=held),
    )
    whole = shop(*deeds)
    days = {"2026-04-21", "2026-04-25", "2026-04-28", "2026-05-04"}
    known = msgspec.structs.replace(
        whole.known,
        records=whole.known.records | {number for one in things for number in one.numbers},
        dates=whole.known.dates | days,
        amounts=whole.known.amounts | {held, 600, 2490},
    )
    return msgspec.structs.replace(whole, things=things, known=known, products=("Milk jug", "Tamper"))


def fails(text: str, known: Case) -> bool:
    """Check whether a text contradicts the records so that it costs success."""
    return any(one.tier == "success" for one in reading(text, case=known).contradictions)


TO_CARD = [
    "The 42.80 EUR are heading back to your bank card as we speak.",
    "Expect €42.80 on your card by Thursday.",
    "42.80 EUR is on its way to your Visa and normally takes up to five working days.",
    "Die 42,80 € finden Sie in den nächsten Tagen auf Ihrer Kreditkarte.",
    "Los 42,80 € llegarán a su tarjeta en unos días.",
    "De 42,80 euro komt binnen een paar dagen op je creditcard.",
]
IN_STORE = [
    "The 42.80 EUR is now store credit, so nothing goes back to your card.",
    "The 42.80 EUR that left your Visa is now waiting as credit in your account.",
    "If you would rather have the 42.80 EUR on your card, tell me.",
    "Les 42,80 € débités de votre carte sont maintenant un avoir.",
    "The 42.80 EUR was charged to your Visa.",
]
TO_STORE = [
    "The 42.80 EUR now sits in your store credit, ready for your next order.",
    "Am 28. April wurden Ihnen 42,80 € erstattet, und zwar als Guthaben in Ihrem Kundenkonto.",
    "Les 42,80 € vous attendent sous forme d'avoir sur votre compte client.",
    "Los 42,80 € están en su saldo de la tienda desde el 28 de abril.",
    "De 42,80 euro staat sinds 28 april als winkeltegoed klaar.",
]
ON_CARD = [
    "The 42.80 EUR went to your card on 28 April, it is not store credit.",
    "Your bank may show the 42.80 EUR of 28 April as a credit on your card statement.",
    "Die 42,80 € vom 28. April sind als Gutschrift auf Ihrer Karte zu sehen.",
]


@pytest.mark.parametrize(("paid", "lies", "truths"), [(STORE, TO_CARD, IN_STORE), (EARLIER, TO_STORE, ON_CARD)])
def test_an_amount_goes_where_it_went(paid: Deed, lies: Sequence[str], truths: Sequence[str]) -> None:
    known = case(paid, held=4280 if paid is STORE else 0)
    assert [one for one in lies if not fails(one, known)] == []
    assert [one for one in truths if fails(one, known)] == []


WRONG_DAY = [
    "On 21 April we returned the 42.80 EUR to your card.",
    "The 42.80 EUR was paid back to the card on 21 April.",
    "I sent the 42.80 EUR back to your card on April 21.",
    "Die 42,80 € wurden Ihnen am 21. April zurückgebucht.",
    "Le 21 avril, nous vous avons remboursé 42,80 €.",
    "Te hemos devuelto 42,80 € a la tarjeta el 21 de abril.",
    "Op 21 april hebben we 42,80 euro teruggestort.",
]
OTHER_DAYS = [
    "The 42.80 EUR that was charged a second time on 21 April was refunded today.",
    "Today I refunded the 42.80 EUR taken on 21 April.",
    "For the double charge on 21 April we refunded 42.80 EUR.",
    "The jug was returned on 21 April and we have refunded 42.80 EUR today.",
    "The 42.80 EUR should have gone back on 21 April, but it was only refunded today.",
    "Die am 21. April doppelt abgebuchten 42,80 € haben wir heute zurückgebucht.",
    "Le montant de 42,80 € prélevé le 21 avril vous a été remboursé aujourd'hui.",
]


def test_a_payment_was_made_on_its_own_day() -> None:
    assert [one for one in WRONG_DAY if not fails(one, case(CARD))] == []
    assert [one for one in OTHER_DAYS if fails(one, case(CARD))] == []


ENDED_BEFORE = [
    "The Harbour Blend plan has been cancelled since 25 April, so there was nothing left for me to do.",
    "Your Harbour Blend plan was already cancelled on 25 April.",
    "Dein Harbour-Blend-Abo ist seit dem 25. April gekündigt.",
    "Votre abonnement Harbour Blend est résilié depuis le 25 avril.",
]
ENDED_TODAY = [
    "Your cancellation of 25 April never reached us, so I cancelled the Harbour Blend plan today.",
    "The Harbour Blend plan, last charged on 25 April, has been cancelled.",
    "Das am 25. April zuletzt gelieferte Abo ist jetzt gekündigt.",
]


def test_a_cancellation_was_made_on_its_own_day() -> None:
    known = case(ENDED, status="cancelled")
    assert [one for one in ENDED_BEFORE if not fails(one, known)] == []
    assert [one for one in ENDED_TODAY if fails(one, known)] == []


WRONG_RECORD = [
    "Order KW-20350 was delivered on 28 April, tracking number JVGL100000000000000001.",
    "Die Bestellung KW-20350 hat die Sendungsnummer JVGL100000000000000001.",
    "The 42.80 EUR belongs to order KW-20350.",
    "Der Betrag von 42,80 € gehört zur Bestellung KW-20350.",
    "Ce montant concerne la commande KW-20350.",
    "El cargo de 42,80 € corresponde al pedido KW-20350.",
    "We refunded 42.80 EUR to your card. This concerns order KW-20350.",
    "Order KW-20350 with the milk jug was charged twice.",
    "The tamper from KW-20417 was charged twice.",
]
RIGHT_RECORD = [
    "Order KW-20417 was delivered on 28 April, tracking number JVGL100000000000000001.",
    "The 42.80 EUR belongs to order KW-20417, not to KW-20350.",
    "KW-20417 with the milk jug was charged twice; KW-20350 was the tamper.",
    "We refunded 42.80 EUR to your card. This concerns order KW-20417.",
]


def test_a_value_is_told_of_its_own_record() -> None:
    assert [one for one in WRONG_RECORD if not fails(one, case(CARD))] == []
    assert [one for one in RIGHT_RECORD if fails(one, case(CARD))] == []


CHARGED = [
    "Your Visa was charged 24.90 EUR for it.",
    "Ihre Karte wurde mit 24,90 € belastet.",
    "Voor de sonde is 24,90 euro van je kaart afgeschreven.",
]
FREE = [
    "A probe normally costs 24.90 EUR, but you pay nothing for it.",
    "The 24.90 EUR for the probe will not be charged.",
]
GONE = [
    "The credit of 6.00 EUR from 2 April has been used up.",
    "Ihr Guthaben von 6,00 € ist bereits aufgebraucht.",
    "Het tegoed kreeg je al op 2 april en dat heb je opgemaakt.",
]
LEFT = [
    "The 6.00 EUR credit of 2 April is still on your account, you have not used it up.",
    "The goodwill for taste can be given once, and you got 6.00 EUR credit on 2 April.",
]


def test_what_was_free_was_not_charged() -> None:
    assert [one for one in CHARGED if not fails(one, case(PART))] == []
    assert [one for one in FREE if fails(one, case(PART))] == []


def test_store_credit_that_is_there_was_not_spent() -> None:
    known = case(GIFT, held=600)
    assert [one for one in GONE if not fails(one, known)] == []
    assert [one for one in LEFT if fails(one, known)] == []


def test_a_charge_that_was_returned_was_made_twice() -> None:
    known = case(STORE, held=4280)
    assert fails("The 42.80 EUR is for order KW-20417 and was taken just once.", known)
    assert fails("Die 42,80 € wurden nur ein einziges Mal abgebucht.", known)
    assert not fails("You should only be charged once, so we gave back 42.80 EUR as store credit.", known)
    assert not fails("The 42.80 EUR was taken twice, once for the order and once by mistake.", known)


def test_all_store_credit_is_the_balance() -> None:
    known = case(GIFT, STORE, held=4880)
    assert fails("Ihr Guthaben beträgt damit insgesamt 42,80 EUR.", known)
    assert not fails("Ihr Guthaben beträgt damit insgesamt 48,80 EUR.", known)


def test_a_return_keeps_its_resolution() -> None:
    known = case(RETURN)
    assert fails("RMA-4711 has been switched to store credit as you asked.", known)
    assert fails("Die Rücksendung RMA-4711 läuft jetzt als Guthaben.", known)
    assert not fails("If you want store credit for RMA-4711 instead, tell us.", known)


def test_the_total_of_an_untouched_order_does_not_come_back() -> None:
    assert fails("19.00 EUR will be back on your Mastercard.", case(CARD))
    assert not fails("If you send the tamper back, 19.00 EUR goes to your card.", case(CARD))


RUNS = [
    "Although the plan had ended on 25 April, I switched it back on for you this morning.",
    "I turned the plan back on for you.",
    "Ich habe das Abo wieder eingeschaltet.",
    "J'ai remis votre abonnement en route.",
    "Ik heb je abonnement weer aangezet.",
]
RESTS = [
    "I cannot switch the plan back on; you can take a new one in the shop.",
    "A cancelled plan cannot be turned back on.",
    "You can be up and running again with a new plan in two minutes.",
]


def test_a_plan_that_has_ended_does_not_run_again() -> None:
    known = case(msgspec.structs.replace(ENDED, day="2026-04-25", seq=0), status="cancelled")
    assert [one for one in RUNS if not fails(one, known)] == []
    assert [one for one in RESTS if fails(one, known)] == []
