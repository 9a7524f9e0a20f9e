"""A server compiles everything at its start, so that no text waits for it."""

from __future__ import annotations

from itertools import islice

from diorama.kit import lazy_patterns
from diorama.rewards.claims.case import Case, Text
from diorama.rewards.claims.lexicon import compile_all, every_text
from diorama.rewards.claims.lexicon.lists import alternatives
from diorama.rewards.claims.reader import read
from diorama.rewards.claims.warming import warm_up_fully
from diorama.rewards.claims.weakened import compile_weakened

FEW = 30
"""How many patterns a text may need that stand in no file of the lexicon."""


def _waiting() -> int:
    return sum(one._compiled is None for one in list(lazy_patterns._WAITING))


def test_compiling_all_lists_leaves_no_pattern_for_later() -> None:
    compile_all()
    assert _waiting() == 0
    compile_weakened()
    assert _waiting() == 0


def test_rare_words_compile_next_to_nothing_in_a_warm_process() -> None:
    warm_up_fully()
    known = len(lazy_patterns._WAITING)
    rare = [one.replace("*", "").replace("+", " ") for text in every_text() for one in alternatives(text)]
    read(Case(), [Text(". ".join(islice(rare, place, None, 97)), ("someone@example.com",), 1) for place in range(2)])
    assert len(lazy_patterns._WAITING) - known <= FEW
