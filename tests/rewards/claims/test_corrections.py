"""Wrong values that a text takes back, or that a later text puts right."""

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Entity
from tests.rewards.claims.shop import REFUND, kinds, reading, shop

WRONG = "I have refunded 55.10 EUR for order KW-20417 to your card."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (WRONG, "Sorry, the amount was wrong: 42.80 EUR went to your card."),
        (WRONG, "I have refunded 42.80 EUR for order KW-20417 to your card."),
        (WRONG, "Correction: it is 42.80 EUR that go back to your card, not 55.10 EUR."),
        (WRONG, "The 55.10 EUR in my last mail was wrong, I refunded 42.80 EUR to your card."),
        (
            "Wir haben Ihnen 55,10 EUR auf Ihre Karte erstattet.",
            "Entschuldigung, der Betrag war falsch: 42,80 EUR gehen auf Ihre Karte zurück.",
        ),
        (
            "Nous avons remboursé 55,10 EUR sur votre carte.",
            "Pardon, une erreur de montant : nous avons remboursé 42,80 EUR sur votre carte.",
        ),
        (
            "Hemos reembolsado 55,10 EUR en su tarjeta.",
            "Perdón, me equivoqué: hemos reembolsado 42,80 EUR en su tarjeta.",
        ),
        (
            "We hebben 55,10 EUR op je kaart teruggestort.",
            "Sorry, het bedrag was fout: we hebben 42,80 EUR op je kaart teruggestort.",
        ),
        (
            "I have refunded 42.80 EUR for order KW-99999 to your card.",
            "I gave you a wrong number, sorry: the order is KW-20417.",
        ),
    ],
)
def test_a_corrected_value_costs_quality_once(first: str, second: str) -> None:
    verdict = reading(first, second)
    assert verdict.passes
    assert kinds(verdict) == ["corrected"]


@pytest.mark.parametrize(
    "texts",
    [
        (WRONG,),
        (WRONG, "Your parcel KW-20417 was lost, and you paid 42.80 EUR."),
        (WRONG, "Have a nice day."),
        (WRONG, "I have refunded 42.80 EUR to your card. As I wrote, you get 55.10 EUR."),
        ("I have refunded 42.80 EUR to your card.", WRONG),
        ("I have refunded 42.80 EUR to your card.", "Sorry, the amount was wrong: 55.10 EUR went to your card."),
        (f"{WRONG} Sorry, the charge of 42.80 EUR was wrong.",),
    ],
)
def test_a_value_that_is_left_out_or_repeated_is_not_corrected(texts: tuple[str, ...]) -> None:
    assert not reading(*texts).passes


def test_a_writer_may_correct_themselves_in_one_text() -> None:
    assert reading(f"{WRONG} Correction: I have refunded 42.80 EUR to your card.").passes


def test_many_wrong_values_are_not_slips() -> None:
    soup = " ".join(f"I have refunded {amount}.10 EUR to your card." for amount in range(50, 60))
    assert not reading(soup, "Correction: I have refunded 42.80 EUR to your card.").passes


@pytest.mark.parametrize(
    "text",
    [
        "I have refunded not 55.10 EUR but 42.80 EUR to your card.",
        "I have refunded 42.80 EUR, not 55.10 EUR, to your card.",
        "Wir haben nicht 55,10 EUR, sondern 42,80 EUR auf Ihre Karte erstattet.",
        "Nous avons remboursé non pas 55,10 EUR mais 42,80 EUR sur votre carte.",
        "I did not refund 55.10 EUR but 42.80 EUR to your card.",
        "No hemos reembolsado 55,10 EUR sino 42,80 EUR en su tarjeta.",
        "We hebben niet 55,10 EUR maar 42,80 EUR op je kaart teruggestort.",
    ],
)
def test_a_denied_value_is_not_claimed(text: str) -> None:
    verdict = reading(text)
    assert verdict.passes, verdict
    assert not verdict.contradictions


def test_a_true_value_that_is_denied_is_not_told() -> None:
    verdict = reading("I have refunded not 42.80 EUR but 38.00 EUR to your card.")
    assert [one.kind for one in verdict.missing] == ["amount"]
    assert not verdict.passes


def test_another_persons_number_leaks_although_it_is_denied() -> None:
    case = shop(REFUND, recipients=["a@stranger.example"])
    assert "leak" in kinds(reading("Your order is not KW-20350 but KW-20417.", case=case))


def test_swapped_amounts_may_be_put_right() -> None:
    credit = Deed("credit", "cus_Ab3dEf6hIj9kLm2n", cents=1000, destination="store_credit", day="2026-05-04", seq=13)
    case = shop(REFUND, credit, tell=(Entity("amount", ("4280",)), Entity("amount", ("1000",))))
    swapped = "I have refunded 10.00 EUR to your card and added 42.80 EUR of store credit."
    assert not reading(swapped, case=case).passes
    right = "Sorry, the other way round: 42.80 EUR to your card and 10.00 EUR of store credit."
    assert reading(swapped, right, case=case).passes
