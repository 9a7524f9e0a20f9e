"""Lists of words: they find what one pattern of all their alternatives finds, whatever is compiled."""

import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from diorama.rewards.claims.lexicon.lists import Words, alternatives, needed_by, said_in

PIECES = (
    "we",
    "refund",
    "refunded",
    "refunding",
    "not",
    "n't",
    "don't",
    "e-mail",
    "r",
    "re",
    "back",
    "to you",
    "x",
    "'",
)
LISTS = (
    "refund* | we refund | we+refund*",
    "not | n't | no+back",
    "*fund | e-mail | re*+to you",
    "r* | back",
    "we have not | refunded to you | 's",
)


@given(
    st.sampled_from(LISTS),
    st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join),
    st.integers(0, 40),
    st.integers(0, 90),
)
def test_a_list_finds_what_its_pattern_finds(text: str, said: str, start: int, end: int) -> None:
    found, pattern = Words(text), re.compile(Words(text).pattern)

    def spans(of: Words | re.Pattern[str], first: int, last: int) -> list[tuple[int, int]]:
        return [one.span() for one in of.finditer(said, first, last)]

    for first, last in ((0, sys.maxsize), (start, sys.maxsize), (start, end)):
        one, other = found.search(said, first, last), pattern.search(said, first, last)
        assert (one and one.span()) == (other and other.span())
        assert spans(found, first, last) == spans(pattern, first, last)
    assert bool(found.match(said, start)) == bool(pattern.match(said, start))
    assert bool(found.fullmatch(said)) == bool(pattern.fullmatch(said))
    assert found.sub("_", said) == pattern.sub("_", said)
    assert found.may_stand_in(said) or pattern.search(said) is None


def test_an_alternative_needs_its_longest_word() -> None:
    assert needed_by("we+refunded") == "refunded"
    assert needed_by("refunding*") == "refun*"
    assert needed_by("*fund") == ""
    assert {"refunded", "re*", "refun*"} <= said_in("we refunded it")
    assert alternatives("a | b\nc") == ["a", "b", "c"]
