"""Whether a smaller case gives the same verdict as the whole one, so that letters and pages need not be read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from diorama.rewards.claims.case import Case, Grounds, Text
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.taking_apart import CHECKED, WITHOUT_NAMES, values_in, values_of
from diorama.rewards.claims.values import Value, families_in, may_name_a_street


def suffices(case: Case, texts: Sequence[Text], left_out: Sequence[str]) -> bool:
    """Check whether the verdict about texts stays the same if a case also knows what other texts and pages state.

    So it does if it knows everything that the texts state, and the others add no street and no kind of record number:
    by these, values are found. The values of `left_out` would be known; pages only tell what the company says.
    """
    if case.private != Grounds() or case.private_words or not all(_adds_nothing(case, one) for one in left_out):
        return False
    for text in texts:
        folded, _, values = values_of(text.body, case.day)
        if not all(_is_plainly_known(case, one, folded.text) for one in values if one.kind in WITHOUT_NAMES):
            return False
        _, _, values = values_in(case, text.body)
        if not all(_is_plainly_known(case, one, folded.text) for one in values):
            return False
    return True


def _is_plainly_known(case: Case, one: Value, text: str) -> bool:
    """Check whether a value stands among those that are known, just as it is written."""
    if one.kind in {"amount", "number"}:
        return int(one.value) in case.known.amounts
    if one.kind in {"date", "day"}:
        return any(day in case.known.dates for day in one.readings)
    if one.kind == "record" and text[one.start : one.end].upper() != one.value:
        return False
    return one.kind not in CHECKED or one.value in getattr(case.known, CHECKED[one.kind])


KEPT_LETTERS = 512
"""How many letters and notes are kept: those of a customer are compared with every text."""


def _adds_nothing(case: Case, text: str) -> bool:
    """Check whether a text names no street, and only kinds of record numbers that are known."""
    streets, families = _names_in(text)
    return not streets and all(length in case.families.get(name, ()) for name, length in families)


@lru_cache(maxsize=KEPT_LETTERS)
def _names_in(text: str) -> tuple[bool, tuple[tuple[str, int], ...]]:
    """Return whether a text may name a street, and the letters and lengths of its record numbers."""
    folded = fold(text)
    return may_name_a_street(folded), tuple(families_in(folded))
