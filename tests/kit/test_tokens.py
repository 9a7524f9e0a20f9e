"""Tokens that a world mints: in the vendor's format, with the mark of the episode outside."""

import re

import pytest

from diorama.kernel import Dice, Refusal
from diorama.kit import Grants
from diorama.kit.grants import FORM
from diorama.kit.tokens import MARK, TokenForm, Tokens

BOT, KEY = "xoxb-{digits:12}-{digits:13}-{alnum:24}", "{hex:64}"
PLACED = "gh_{alnum:30}_{digits:9}"  # the mark is not at the end
SHAPES = {
    BOT: r"xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}",
    KEY: r"[0-9a-f]{64}",
    PLACED: r"gh_[0-9A-Za-z]{30}_\d{9}",
    FORM: r"0d1a[0-9a-f]{60}",
}
MINE, OTHER = "0123456789abcdef", "fedcba9876543210"


def minted(form: str, seed: str = "a") -> bytes:
    return TokenForm(form).mint(Dice(seed).text).encode()


@pytest.mark.parametrize("form", SHAPES)
def test_outside_a_token_has_the_declared_form(form: str) -> None:
    tokens, inside = Tokens([TokenForm(form)]), minted(form)
    outside = tokens.outward(inside, MINE)
    assert re.fullmatch(SHAPES[form], outside.decode())
    assert len(outside) == len(inside) + MARK
    assert (tokens.mark_in(b"x " + outside), tokens.mark_in(inside)) == (MINE, "")
    assert tokens.inward(outside, MINE) == inside
    assert tokens.inward(outside, OTHER) == outside, "another episode's token stays as it is"
    assert tokens.is_token(inside.decode())
    assert not tokens.is_token(outside.decode())
    assert inside == minted(form) != minted(form, "b")


@pytest.mark.parametrize("around", [b'{"t":"%b"}', b"a=1&token=%b&b=2", b'{"t":"so:\\n%b"}', b"token=%b; Path=/"])
def test_tokens_of_several_forms_are_found_in_data(around: bytes) -> None:
    tokens = Tokens(map(TokenForm, SHAPES))
    for form in SHAPES:
        data = around % minted(form)
        out = tokens.outward(data, MINE)
        assert out != data
        assert tokens.inward(out, MINE) == data


def test_other_text_is_left_alone() -> None:
    tokens = Tokens([TokenForm(BOT), TokenForm(FORM)])
    for text in (b"xoxb-1-2-abc", b"ab" + minted(FORM), minted(FORM) + b"0", minted(BOT)[:-1], b"0d1a"):
        assert tokens.outward(text, MINE) == text


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("xoxb-{digits:24}", "needs a hex, alnum or url slot of at least 16"),
        ("{alnum:20}", "could be guessed"),
        ("00D!{alnum:40}", "characters that URLs escape"),
        ("{runes:40}", "unknown slot"),
    ],
)
def test_a_form_that_cannot_work_is_refused_at_declaration(form: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Grants("x-token", Refusal(401, "no"), {"": form})
