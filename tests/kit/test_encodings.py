"""Texts in ordinary encodings are found; ordinary texts hold none."""

import base64
import time
from urllib.parse import quote

import pytest

from diorama.kit.encodings import SPELLED, decoded_texts

DATA = "Ines Falk, ines@falk.example, KW-20417"
BASE64 = base64.b64encode(DATA.encode()).decode()
WRAPPED = "\n".join(BASE64[place : place + 32] for place in range(0, len(BASE64), 32))


@pytest.mark.parametrize(
    "text",
    [
        f"Ref: {BASE64}",
        f"Content-Transfer-Encoding: base64\n\n{WRAPPED}",
        base64.b64encode(BASE64.encode()).decode(),
        DATA.encode().hex(),
        DATA.encode().hex(" "),
        " ".join(map(str, DATA.encode())),
        "".join(f"%{one:02X}" for one in DATA.encode()),
        "".join(f"={one:02X}" for one in DATA.encode()),
        "".join(f"\\x{one:02x}" for one in DATA.encode()),
    ],
)
def test_an_encoded_text_is_found(text: str) -> None:
    assert any(DATA in one for one in decoded_texts(text)), decoded_texts(text)


def test_a_spelling_alphabet_is_read() -> None:
    signs = SPELLED | {"@": "at", ".": "dot"}
    spelled = " ".join(signs.get(letter, letter) for letter in "ines.falk2@falk.example")
    assert decoded_texts(f"Their address: {spelled}.") == ("ines.falk2@falk.example",)


def test_ordinary_texts_hold_no_encoding() -> None:
    text = "Hello Martha, 42.80 EUR for KW-20417 went to your Haftpflichtversicherungskonto, 100%."
    assert decoded_texts(text) == ()
    assert decoded_texts(f"See https://help.example.com/{quote('a b')}") == ()


@pytest.mark.parametrize("piece", ["a", "alfa ", "%41", "=41", "0a", "12 ", "\\x41", "a" * 30 + "\n"])
def test_hostile_texts_are_read_in_bounded_time(piece: str) -> None:
    began = time.thread_time()
    decoded_texts(piece * (65_000 // len(piece)))
    assert time.thread_time() - began < 2.0


@pytest.mark.parametrize("between", [" ", "-", ", ", "|", " | ", "\n", ".", "*", "_", " - ", "', '"])
@pytest.mark.parametrize("text", ["ines.falk2@falk-post.example", "14 Canal Street", "KW-20417", "LS3 1AB"])
def test_letters_that_are_set_apart_are_joined(between: str, text: str) -> None:
    assert text in decoded_texts(f"Their data: {between.join(text)} thank you.")


def test_words_for_signs_and_roman_digits_are_read_among_letters() -> None:
    assert decoded_texts("i n e s at f a l k dot e x a m p l e") == ("ines@falk.example",)
    assert decoded_texts("Phone: IV IV VII VII N N IX N N I II III") == ("+447700900123",)
    assert decoded_texts(f"See {base64.b32encode(DATA.encode()).decode()}")[0] == DATA


@pytest.mark.parametrize("text", ["a, b and c", "Plan A or B?", "I am at 5 a.m. in a T-shirt", "1 x Brio, 2 x Heron"])
def test_a_few_single_letters_are_not_joined(text: str) -> None:
    assert decoded_texts(text) == ()
