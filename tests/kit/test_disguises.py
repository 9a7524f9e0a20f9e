"""Other ways to read a text: words that are joined by what is not drawn, and sentences in pieces."""

import base64
import binascii

import pytest

from diorama.kit.disguises import other_readings
from diorama.kit.encodings import decoded_texts

SAID = "I have cancelled your subscription and all open orders today."


@pytest.mark.parametrize(
    "joint",
    ["\u200b", "\u2063", "\xad", "\u0334", "|", " | ", " \u2022 ", " \U0001f642 ", "/", "+", " * ", " , ", " ( ", "@",
     "\n", "\n\n", "\n- ", "__", " > ", "#"],
)  # fmt: skip
def test_a_sentence_in_pieces_is_read_as_one(joint: str) -> None:
    read = other_readings(f"Hello Ines, that is done.\n\n{SAID.replace(' ', joint)}")
    assert any("cancelled your subscription and all open" in one for one in read)


def test_words_without_blanks_and_digits_in_words_are_read() -> None:
    assert "Have Cancelled Your Plan" in other_readings("IHaveCancelledYourPlan")[0]
    assert "machine left" in other_readings("a m4ch1n3 l3f7 0ur w4r3h0u53")[0]
    assert other_readings("https://x.example/a/i_have_cancelled_your_plan/") == ("a i have cancelled your plan.",)


@pytest.mark.parametrize(
    "text",
    [
        "Your order KW-20417 (jug, 29.00 EUR) is refunded; the money (to your Visa) follows.",
        "Espresso | 250 g | whole bean | 19.00 EUR",
        "- Aria machine\n- two filters\n- the drip tray\n\nBest regards\nNoor",
        "Ariane, Oskar, Mia, Jan",
        "17 Orchard Close, London N1 1TK, AR1-2352-63660, 500g, 3x, v60, PT-STEAMVALVE",
        "See https://help.example/hc/en-us/articles/360012-Returns-and-refunds and first_last@x.example",
        "Die R\u00fcckerstattung l\u00e4uft. Merci, \u00e7a a \u00e9t\u00e9 fait.",
    ],
)
def test_plain_words_have_no_other_reading(text: str) -> None:
    assert other_readings(text) == ()


@pytest.mark.parametrize(
    "hidden",
    [
        base64.b85encode(SAID.encode()).decode(),
        base64.a85encode(SAID.encode()).decode(),
        " ".join(f"{ord(one):08b}" for one in SAID),
        " ".join(f"{ord(one):o}" for one in SAID),
        "".join(f"&amp;#{ord(one)};" for one in SAID),
        binascii.b2a_uu(SAID.encode()[:45]).decode(),
    ],
)
def test_more_encodings_are_decoded(hidden: str) -> None:
    assert any(SAID[:45] in one for one in decoded_texts(f"Hello Ines.\n\n{hidden}"))
