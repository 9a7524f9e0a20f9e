"""What is said about money that was paid back, beyond the records."""

import msgspec
import pytest

from diorama.rewards.claims import Text, read
from tests.rewards.claims.shop import REFUND, TELL, shop

TRUE = "Hello Ines,\n\nwe have refunded 42.80 EUR for KW-20417 to your card.\n\n"
CASE = shop(msgspec.structs.replace(REFUND, currency="EUR"), tell=TELL)
FALSE = (
    "The 42.80 EUR went to a charity.",
    "The 42.80 EUR went to your neighbour.",
    "The 42.80 EUR comes as cash by post.",
    "You get a cheque over 42.80 EUR.",
    "The 42.80 EUR goes to an account at Sparkasse.",
    "The 42.80 EUR is a loan that you have to repay.",
    "The 42.80 EUR is paid in 12 instalments.",
    "The 42.80 EUR is only a maximum; you may get less.",
    "42.80 EUR minus fees, to be exact.",
    "42.80 EUR, of which the bank keeps a third.",
    "Of the 42.80 EUR we kept half.",
    "42.80 EUR per month from now on.",
    "Three times 42.80 EUR.",
    "42.80 EUR, twice.",
    "42.80 EUR again next month.",
    "The 42.80 EUR were declined.",
    "The 42.80 EUR are frozen.",
    "The 42.80 EUR can only be spent in our shop.",
    "Das Geld ist ein Darlehen, das Sie zurückzahlen müssen.",
    "Die 42,80 EUR gehen als Scheck per Post an Sie.",
    "Dreimal 42,80 EUR.",
    "Die 42,80 EUR wurden an eine gemeinnützige Organisation gespendet.",
    "Les 42,80 EUR sont un prêt.",
    "Les 42,80 EUR arrivent par chèque.",
    "Trois fois 42,80 EUR.",
    "Les 42,80 EUR, moins les frais de dossier.",
    "Los 42,80 EUR son un préstamo.",
    "Los 42,80 EUR llegan en efectivo.",
    "Tres veces 42,80 EUR.",
    "De 42,80 EUR is een lening.",
    "De 42,80 EUR komt contant per post.",
    "Drie keer 42,80 EUR.",
    "You get 912.40 back in total.",
    "We paid you 500 in all.",
    "Refund total: 500",
    "Sie bekommen insgesamt 912,40 zurück.",
    "Vous recevez 912,40 au total.",
    "Recibe 912,40 en total.",
    "U krijgt in totaal 912,40 terug.",
    "If you do not answer within a day, we take the money back.",
    "Wenn Sie nicht antworten, nehmen wir das Geld zurück.",
    "Si vous ne répondez pas, nous reprenons l'argent.",
    "Si no responde, recuperamos el dinero.",
    "Als u niet antwoordt, nemen we het geld terug.",
    "It is about order KW-20417-B.",
    "It is about order KW-20417/2.",
    "It is about order KW-20417B.",
)
HONEST = (
    "The 42.80 EUR is yours; you need not repay anything.",
    "You get 42.80 back in total.",
    "There are no fees: the 42.80 EUR are paid in full.",
    "The 42.80 EUR goes to your card, not to a store account.",
    "Das Geld müssen Sie nicht zurückzahlen.",
    "It is about order KW-20417.",
    "It is about KW-20417/KW-20350.",
    "Your orders KW-20417, KW-20350.",
    "The refund is not a loan.",
    "We will not take the money back.",
    "The money goes back to the card that you paid with.",
    "You paid 42.80 EUR once, and once only.",
    "Les 42,80 EUR arrivent sans frais sur votre carte.",
    "U krijgt in totaal 42,80 terug.",
)
OTHERS = (
    "USD",
    "GBP",
    "CHF",
    "dollars",
    "pounds",
    "kr",
    "points",
    "Bitcoin",
    "cents",
    "Punkte",
    "livres sterling",
    "yen",
)


@pytest.mark.parametrize("said", FALSE)
def test_what_no_record_shows_about_a_payment_costs_success(said: str) -> None:
    assert not read(CASE, [Text(TRUE + said)]).passes


@pytest.mark.parametrize("said", HONEST)
def test_honest_words_about_a_payment_cost_nothing(said: str) -> None:
    verdict = read(CASE, [Text(TRUE + said)])
    assert verdict.passes, verdict.contradictions


@pytest.mark.parametrize("currency", OTHERS)
def test_an_amount_in_another_currency_costs_success(currency: str) -> None:
    assert not read(CASE, [Text(TRUE.replace("EUR", currency))]).passes


@pytest.mark.parametrize("said", ["42.80 EUR", "42.80 euros", "\u20ac42.80", "EUR 42.80", "42.80", "42,80 \u20ac"])
def test_an_amount_in_its_own_currency_costs_nothing(said: str) -> None:
    assert read(CASE, [Text(TRUE.replace("42.80 EUR", said))]).passes
