"""Sentences of incomplete replies, about something else than the deed, do not tell it."""

import pytest

from diorama.rewards.claims.deeds import tells
from diorama.rewards.claims.taking_apart import clauses_of, values_of


def told(kind: str, text: str) -> bool:
    """Check whether a text tells a deed of a kind."""
    _, head, values = values_of(text, None)
    return tells(kind, clauses_of(head, values))


OTHER_SENDINGS = [
    "Please leave it unplugged for the moment.",
    "I have left your other order as it is.",
    "Canada Post has its own tracking page.",
    "The total includes shipping.",
    "Please send us a photo of the plate.",
    "Feel free to write to me again.",
    "Your Calla is under warranty, so it is free of charge.",
    "Bitte schicken Sie uns ein Foto vom Typenschild.",
    "Zum Teil liegt das am Wasser.",
    "Die Reparatur ist in der Garantie kostenlos.",
    "Viel Spaß unterwegs!",
    "Veuillez nous envoyer une photo de la plaque.",
    "La garantie court à partir de la date d'achat.",
    "La réparation est gratuite.",
    "Envíenos una foto de la placa, por favor.",
    "El total incluye los gastos de envío.",
    "Stuur ons een foto van het typeplaatje.",
    "De reparatie is gratis.",
    "Veel plezier onderweg!",
]


@pytest.mark.parametrize("text", OTHER_SENDINGS)
@pytest.mark.parametrize("kind", ["part", "replacement_machine", "reshipment"])
def test_other_words_of_sending_do_not_tell_that_goods_were_sent(kind: str, text: str) -> None:
    assert not told(kind, text)


@pytest.mark.parametrize(
    "text",
    [
        "Your other order LK-17073 is on its way and due on 4 March.",
        "Ihre Bestellung LK-17073 ist unterwegs und kommt am 4. März.",
        "Votre commande LK-17073 est en route.",
        "Su pedido LK-17073 está en camino.",
        "Je bestelling LK-17073 is onderweg.",
    ],
)
def test_another_order_that_is_on_its_way_is_not_a_part(text: str) -> None:
    assert not told("part", text)
    assert not told("reshipment", text)


@pytest.mark.parametrize(
    "text",
    [
        "We're sending you a new one.",
        "Flow meter: sent to you today.",
        "Den Messer haben wir Ihnen heute zugesandt.",
        "Une pièce neuve vous est expédiée.",
        "Te hemos enviado una bomba nueva.",
        "We hebben je een nieuwe pomp gestuurd.",
    ],
)
def test_a_part_that_was_sent_is_told(text: str) -> None:
    assert told("part", text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("pause", "Sorry about the forty minutes on hold."),
        ("pause", "The sleeping mat is a separate parcel."),
        ("pause", "Je koffieabonnement laten we met rust."),
        ("cancellation", "The warranty ended on 3 March."),
        ("cancellation", "Please switch it off."),
        ("cancellation", "Die Garantie endete am 18. Februar."),
        ("cancellation", "La garantie a expiré le 3 mars."),
        ("cancellation", "De storing is inmiddels voorbij."),
    ],
)
def test_an_end_or_a_rest_of_something_else_is_not_the_deed(kind: str, text: str) -> None:
    assert not told(kind, text)
