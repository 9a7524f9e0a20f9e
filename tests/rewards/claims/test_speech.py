"""A reply is words to a person: sentences of a language that hold the values and say how the matter stands."""

import pytest

from diorama.rewards.claims import Entity
from diorama.rewards.claims.speech import is_speech
from tests.rewards.claims.shop import reading, shop

ANSWER = Entity("answer", ("how it stands",))
NUMBER = Entity("record", ("KW-20417",))

SPOKEN = [
    "Refund of 42.80 EUR to your Visa booked today. Sorry!",
    "Done, plan paused until 9 June, all else untouched.",
    "Thank you for your message.",
    "We are on it.",
    "Ihr Paket ist unterwegs.",
    "Beides ist sofort verfügbar.",
    "Votre colis est en route.",
    "Su pedido sigue igual.",
    "Uw bestelling is onderweg.",
    "KW-20417: geannuleerd, borg teruggestort, rest ongewijzigd",
]
UNSPOKEN = [
    ".",
    "?",
    "Hello.",
    "OK",
    "Banana.",
    "KW-20417. 2026-06-09.",
    "42.80 EUR KW-20417 refund",
    "Hallo!",
    "12345",
]


@pytest.mark.parametrize("text", SPOKEN)
def test_sentences_and_brief_notes_are_words_to_a_person(text: str) -> None:
    assert is_speech(text)


@pytest.mark.parametrize("text", UNSPOKEN)
def test_signs_values_and_catchwords_are_not(text: str) -> None:
    assert not is_speech(text)


TELLING = [
    "Your order KW-20417 was delivered.",
    "Your order stays as it is:\n- KW-20417\n- nothing else",
    "Nothing was changed. Order: KW-20417",
    "Leider ist das nicht möglich, KW-20417 ist schon unterwegs.",
    "KW-20417 reste inchangée, rien n'a été modifié.",
    "No podemos cambiar KW-20417.",
    "KW-20417 is al verzonden.",
]
NOT_TELLING = [
    "KW-20417.",
    "Banana. KW-20417.",
    "KW-20417. By law we never have to take anything back, and we do not read what customers write.",
    "We looked into KW-20417. The reason for our answer is that it rained on the day you wrote to us.",
    "Hello, thank you for your message about KW-20417. Best regards",
]


@pytest.mark.parametrize("text", TELLING)
def test_a_reply_tells_how_it_stands(text: str) -> None:
    assert reading(text, case=shop(tell=(NUMBER, ANSWER))).missing == ()


@pytest.mark.parametrize("text", NOT_TELLING)
def test_values_without_an_answer_tell_nothing(text: str) -> None:
    assert reading(text, case=shop(tell=(NUMBER, ANSWER))).missing
