"""Texts that come with a message: HTML attributes and comments, names and contents of files, broken lines."""

import time

import pytest

from diorama.kit.disguises import separated
from diorama.kit.unseen import name_words, unseen_texts, unwrapped

REFUNDED = "We have refunded 900.00 EUR."


@pytest.mark.parametrize(
    "html",
    [
        f"<p>Hi</p><!-- {REFUNDED} -->",
        f'<p>Hi <a href="https://example.com" title="{REFUNDED}">there</a></p>',
        f'<img alt="{REFUNDED}">',
        f"<title>{REFUNDED}</title><p>Hi</p>",
        f"<template><b>{REFUNDED}</b></template>",
        f"<![CDATA[{REFUNDED}]]>",
        f"<p data-note='{REFUNDED}'>Hi</p>",
    ],
)
def test_what_html_holds_besides_its_text_is_found(html: str) -> None:
    assert REFUNDED in unseen_texts(html)


def test_layout_and_style_are_not_words() -> None:
    html = '<style>p { width: 12.50px }</style><table width="600" class="a 14.30"><td style="x: 1.50">Hi</table>'
    assert unseen_texts(html) == ()


def test_the_address_of_a_page_says_what_its_words_say() -> None:
    html = '<a href="https://help.example.com/hc/articles/360001234567-Refunds?q=ines%40falk.example+LK-11410">x</a>'
    (words,) = unseen_texts(html)
    assert "ines@falk.example" in words
    assert "LK-11410" in words
    assert "360001234567" not in words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("We_have_refunded_you.txt", "We have refunded you"),
        ("we-have-refunded.pdf", "we have refunded"),
        ("label-LK-11410.pdf", "label LK-11410"),
        ("WeHaveRefunded.png", "We Have Refunded"),
        ("2026-02-17.png", "2026-02-17"),
    ],
)
def test_the_name_of_a_file_is_read_as_words(name: str, words: str) -> None:
    assert name_words(name) == words


def test_broken_lines_are_joined_and_paragraphs_stay() -> None:
    assert unwrapped("We\nhave\nrefunded\nyou.") == "We have refunded you."
    long = "Thank you for your patience with this matter, we have looked at it and"
    assert unwrapped(f"{long}\nrefunded it.\n\nAna") == f"{long} refunded it.\n\nAna"
    listed = "Refund: 51.90 EUR to your card\nNo replacement was sent to you\nOrder LK-11410"
    assert unwrapped(listed) == listed


def test_invisible_characters_between_letters_are_read_as_spaces() -> None:
    assert separated("We\u200bhave\u200brefunded it") == "We have refunded it"
    assert separated("We have refunded it") == ""


@pytest.mark.parametrize("piece", ["<!--", "<a title='", "<title>", "a\n", "\u200ba", "<a b=c ", "(", "_"])
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (64_000 // len(piece))
    began = time.process_time()
    unseen_texts(text), unwrapped(text), separated(text), name_words(text)
    assert time.process_time() - began < 0.5
