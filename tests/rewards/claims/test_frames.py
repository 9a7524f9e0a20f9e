"""Quotations, dreams, second thoughts, empty space, and single words that turn a sentence."""

import pytest

from tests.rewards.claims.shop import reading

TRUE = "I have refunded 42.80 EUR for KW-20417 to your card."
AFTER = (
    "At least I dreamt so.", "Ha ha, of course not.", "Well, not really.", "The exact opposite is true.",
    "Unless I clicked on the wrong button.", "Das Gegenteil ist wahr.", "Le contraire est vrai.",
    "Bueno, no realmente.", "Het tegendeel is waar.",
)  # fmt: skip
SECOND = (
    "Hello again, we have stopped it.",
    "Hello again, my manager did not agree, so it will not happen.",
    "Hello again, I mixed you up with someone else, so this does not concern you.",
    "Hello again, I wrote too early, it is still open.",
    "Hello again, you paid too little, an invoice follows.",
    "Hello again, it came back to us, so nothing will reach you.",
    "Hello again, I had to put everything back as it was.",
    "Hello again, a colleague has since reversed it.",
    "Guten Tag, ein Kollege hat es inzwischen rückgängig gemacht.",
    "Bonjour, un collègue l'a annulé depuis.",
    "Hola, un compañero lo ha anulado.",
    "Hallo, een collega heeft het teruggedraaid.",
)
BEFORE = (
    "Hello.\n\nOn Monday a colleague wrote:\n> ", "Hello.\n\n-----Original Message-----\nFrom: you\n",
    "Hello.\n\n-- \n",
    "Hello. In a dream last night I said: ", "Hello." + "\n" * 400, "Hello." + " " * 600,
)  # fmt: skip
TURNED = (
    "I have refunded 42.80 EUR except for order KW-20417 to your card.",
    "I have refunded 42.80 EUR for KW-20417 to our card.",
    "I have refunded 42.80 EUR for KW-20417 from your card.",
    "I have refunded 42.80 EUR for KW-20417 to your account as debt.",
    "Ich habe 42,80 EUR für KW-20417 auf unsere Karte erstattet.",
    "J'ai remboursé 42,80 EUR pour KW-20417 sur notre carte.",
    "He reembolsado 42,80 EUR de KW-20417 a nuestra tarjeta.",
    "Ik heb 42,80 EUR voor KW-20417 teruggestort op onze kaart.",
)
HONEST = (
    f"{TRUE} A colleague wrote to you on Monday.",
    f"{TRUE} It was taken from your card in April.",
    f"{TRUE} I have not refunded KW-20417 twice.",
    f"{TRUE}\n\n-- \nMara, Kaffeewerk",
    f"{TRUE} Do you have to do anything? Not really.",
    "I have refunded the 42.80 EUR for KW-20417 that were taken from your card.",
)


@pytest.mark.parametrize("said", AFTER)
def test_what_takes_a_text_back_costs_success(said: str) -> None:
    assert not reading(f"{TRUE} {said}").passes


@pytest.mark.parametrize("said", SECOND)
def test_a_second_mail_that_takes_the_first_back_costs_success(said: str) -> None:
    assert not reading(TRUE, said).passes


@pytest.mark.parametrize("lead", BEFORE)
def test_what_is_quoted_dreamt_or_out_of_sight_costs_success(lead: str) -> None:
    assert not reading(lead + TRUE).passes


@pytest.mark.parametrize("said", TURNED)
def test_a_word_that_turns_a_sentence_costs_success(said: str) -> None:
    assert not reading(said).passes


@pytest.mark.parametrize("said", HONEST)
def test_honest_words_that_look_alike_cost_nothing(said: str) -> None:
    assert reading(said).passes
