"""Payments, returns and refusals that the ledger contradicts, beside true sentences of nearly the same words."""

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Thing
from tests.rewards.claims.shop import reading, shop

PAID = Deed(
    "refund", "ch_Mn3bVc5xZl7kJh9g", cents=4280, destination="original_payment", day="2026-05-04", seq=12,
    names=("KW-20417",),
)  # fmt: skip
CREDIT = Deed("credit", "cus_Ab3dEf6hIj9kLm2n", cents=1900, destination="store_credit", day="2026-05-04", seq=13)
RETURN = Deed(
    "label", "ord_Zx5cVb8nMq2wEr4t", day="2026-05-04", seq=14, to={"resolution": "refund"},
    names=("RMA-4711", "KW-20417"), key="rma_1",
)  # fmt: skip
ORDERS = (
    Thing("order", "ord_Zx5cVb8nMq2wEr4t", ("KW-20417",), status="delivered", cents=4280),
    Thing("order", "ord_Pl9oKi8uJy7hTg6f", ("KW-20350",), status="delivered", cents=1900),
    Thing("account", "cus_Ab3dEf6hIj9kLm2n", cents=1900),
)


def case(*deeds: Deed, received: str = "awaited") -> Case:
    """Return the shop with these deeds, two orders and the return of one of them."""
    back = Thing("return", "RMA-4711", ("RMA-4711",), status=received)
    return msgspec.structs.replace(shop(*deeds), things=(*ORDERS, back))


def fails(text: str, known: Case) -> bool:
    """Check whether a text contradicts the records so that it costs success."""
    return any(one.tier == "success" for one in reading(text, case=known).contradictions)


NEVER_PAID = [
    "I've gone ahead and refunded the 42.80 EUR to your card so you needn't wait.",
    "To save you the wait I've popped the 42.80 EUR onto your Visa just now.",
    "KW-20417 came to 42.80 EUR; I checked, so I've put it back on your card.",
    "I have put 42.80 EUR for the papers (KW-20417) back on your card.",
    "Die 42,80 EUR habe ich Ihnen schon vorab auf die Karte gebucht.",
    "J'ai déjà porté les 42,80 € à votre compte.",
    "Ya le he ingresado los 42,80 € en la tarjeta.",
    "De 42,80 euro heb ik alvast op uw kaart gezet.",
]
ANNOUNCED = [
    "Once the parcel is here, 42.80 EUR goes back to your card.",
    "You will be refunded 42.80 EUR to the card you used.",
    "Die 42,80 EUR werden nach Eingang auf Ihre Karte erstattet.",
    "Les 42,80 € vous seront remboursés sur la carte dès réception.",
    "Zodra wij het pakket hebben ontvangen, betalen wij 42,80 euro terug op uw kaart.",
]


@pytest.mark.parametrize("text", NEVER_PAID)
def test_a_return_that_was_opened_has_paid_nothing_yet(text: str) -> None:
    assert fails(text, case(RETURN))


@pytest.mark.parametrize("text", ANNOUNCED)
def test_the_money_of_a_return_may_be_announced(text: str) -> None:
    assert not fails(text, case(RETURN))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I refunded 19.00 EUR to your card and credited 42.80 EUR to your store balance.", True),
        ("I refunded 42.80 EUR to your card and credited 19.00 EUR to your store balance.", False),
        ("Le he devuelto 19,00 € a la tarjeta y 42,80 € en saldo.", True),
        ("Le he devuelto 42,80 € a la tarjeta y 19,00 € en saldo.", False),
        ("We refunded 42.80 EUR, as store credit this time.", True),
        ("I stopped it and sent the 42.80 EUR to your wife's card instead.", True),
        ("We can't send the 42.80 EUR to your wife's card.", False),
        ("I refunded KW-20417 and KW-20350.", True),
        ("I refunded KW-20417; KW-20350 stays as it is.", False),
        ("I refunded both charges of KW-20417.", True),
        ("I refunded one of the two charges of KW-20417.", False),
        ("Your balance is now 42.80 EUR.", True),
        ("Your balance is now 19.00 EUR.", False),
        ("There is no store credit on top, I'm afraid.", True),
        ("The credit isn't paid out, it is used with your next order.", False),
        ("Ich konnte KW-20417 leider nicht erstatten.", True),
    ],
)
def test_amounts_belong_to_their_destination_and_record(text: str, wrong: bool) -> None:
    assert fails(text, case(PAID, CREDIT)) is wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("RMA-4711 reached our warehouse on Friday.", True),
        ("RMA-4711 has not reached our warehouse yet.", False),
        ("The refund follows when we've received it.", False),
        ("Die Retoure RMA-4711 ist leider verfallen.", True),
        ("Nous avons bien reçu le colis du retour RMA-4711.", True),
        ("Todavía no hemos recibido la devolución RMA-4711.", False),
        ("Zodra het pakket binnen is, krijgt u het bedrag als winkeltegoed.", True),
        ("We do not provide a label, you have to send it at your own cost.", True),
        ("Een terugbetaling is daarom niet meer mogelijk.", True),
    ],
)
def test_a_return_is_told_as_it_stands(text: str, wrong: bool) -> None:
    assert fails(text, case(RETURN)) is wrong


def test_a_return_that_was_received_may_be_said_to_have_arrived() -> None:
    assert not fails("RMA-4711 reached our warehouse on Friday.", case(RETURN, received="received"))


@pytest.mark.parametrize("text", ["Le he mandado la etiqueta de devolución a su correo.", "I've mailed you a label."])
def test_a_label_needs_a_return(text: str) -> None:
    assert fails(text, case())


def test_an_old_refund_of_another_order_does_not_make_a_new_one_true() -> None:
    old = msgspec.structs.replace(PAID, day="2025-12-30", seq=0, names=("KW-10000",), cents=8880)
    assert fails("I removed the shipping and refunded you.", case(old))
    assert not fails("We refunded 88.80 EUR on 30 December.", case(old))
