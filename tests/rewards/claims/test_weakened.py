"""A deed that a sentence weakens, reports, undoes or calls untrue is not told."""

import pytest

from tests.rewards.claims.shop import reading

FALSE = (
    "I have almost refunded 42.80 EUR for KW-20417 to your card.",
    "I have tried to refund 42.80 EUR for KW-20417 to your card.",
    "I have pretended to refund 42.80 EUR for KW-20417 to your card.",
    "I have supposedly refunded 42.80 EUR for KW-20417 to your card.",
    "I may have refunded 42.80 EUR for KW-20417 to your card.",
    "I should have refunded 42.80 EUR for KW-20417 to your card.",
    "I had to undo the refund of 42.80 EUR for KW-20417 to your card.",
    "It is wrong that I have refunded 42.80 EUR for KW-20417 to your card.",
    "It is a rumour that I have refunded 42.80 EUR for KW-20417 to your card.",
    "Tomorrow I will have refunded 42.80 EUR for KW-20417 to your card.",
    "I have refunded only half of 42.80 EUR for KW-20417 to your card.",
    "I have refunded up to 42.80 EUR for KW-20417 to your card.",
    "My colleague claims to have refunded 42.80 EUR for KW-20417 to your card.",
    "You have refunded 42.80 EUR for KW-20417 to your card.",
    "Ich habe fast 42,80 EUR für KW-20417 auf Ihre Karte erstattet.",
    "Ich habe vielleicht 42,80 EUR für KW-20417 auf Ihre Karte erstattet.",
    "Ich habe angeblich 42,80 EUR für KW-20417 auf Ihre Karte erstattet.",
    "Ich hätte 42,80 EUR für KW-20417 auf Ihre Karte erstattet.",
    "Es ist ein Gerücht, dass ich 42,80 EUR für KW-20417 auf Ihre Karte erstattet habe.",
    "J'ai presque remboursé 42,80 EUR pour KW-20417 sur votre carte.",
    "J'ai failli rembourser 42,80 EUR pour KW-20417 sur votre carte.",
    "J'ai peut-être remboursé 42,80 EUR pour KW-20417 sur votre carte.",
    "Il est faux que j'ai remboursé 42,80 EUR pour KW-20417 sur votre carte.",
    "Casi he reembolsado 42,80 EUR de KW-20417 a su tarjeta.",
    "Quizá he reembolsado 42,80 EUR de KW-20417 a su tarjeta.",
    "Es un rumor que he reembolsado 42,80 EUR de KW-20417 a su tarjeta.",
    "Ik heb bijna 42,80 EUR voor KW-20417 teruggestort op uw kaart.",
    "Ik heb misschien 42,80 EUR voor KW-20417 teruggestort op uw kaart.",
    "Het is niet waar dat ik 42,80 EUR voor KW-20417 heb teruggestort op uw kaart.",
)
HONEST = (
    "We should have refunded this last week. I have now refunded 42.80 EUR for KW-20417 to your card.",
    "After almost two weeks I have refunded 42.80 EUR for KW-20417 to your card. It may take up to five days.",
    "I tried to call you. I have refunded 42.80 EUR for KW-20417 to your card.",
    "Ich habe nach fast zwei Wochen 42,80 EUR für KW-20417 auf Ihre Karte erstattet. Vielleicht dauert es fünf Tage.",
    "Das hätten wir früher erstatten sollen. Ich habe 42,80 EUR für KW-20417 auf Ihre Karte erstattet.",
    "J'ai remboursé 42,80 EUR pour KW-20417 sur votre carte. Nous aurions dû le faire plus tôt.",
    "Vous verrez peut-être le montant demain : j'ai remboursé 42,80 EUR pour KW-20417 sur votre carte.",
    "He reembolsado 42,80 EUR de KW-20417 a su tarjeta. Tardará casi cinco días.",
    "Ik heb na bijna twee weken 42,80 EUR voor KW-20417 teruggestort op uw kaart.",
    "Ik heb 42,80 EUR voor KW-20417 teruggestort op uw kaart. Misschien ziet u het morgen al.",
)


@pytest.mark.parametrize("said", FALSE)
def test_a_weakened_deed_costs_success(said: str) -> None:
    assert not reading(f"Hello Ines,\n\n{said}").passes


@pytest.mark.parametrize("said", HONEST)
def test_plain_words_beside_such_words_cost_nothing(said: str) -> None:
    assert reading(f"Hello Ines,\n\n{said}").passes
