"""Values that a text takes back: `not 43.00 but 34.00`, and a wrong value that a later text puts right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import by_language, words
from diorama.rewards.claims.relations import is_new, roots_of
from diorama.rewards.claims.values import Value, street_at


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    own: str
    wrong: str
    negation: str
    but: str


@lru_cache(maxsize=1)
def _known() -> Mapping[str, _Words]:
    return by_language("corrections", _Words)


# --- two values set against each other

_GROUPS = {
    "amount": "amount",
    "number": "amount",
    "date": "date",
    "day": "date",
    "record": "record",
    "street": "street",
    "postcode": "postcode",
}
"""The kinds of values that are compared with each other."""
BETWEEN = 60
"""How many characters may stand between two values that are set against each other."""


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for a negation right before a value, for `but`, and for `, not` at the end of some words."""
    negations = "|".join(words(one.negation).pattern for one in _known().values())
    but = "|".join(words(one.but).pattern for one in _known().values())
    return (
        re.compile(rf"(?:{negations})\s(?:\w{{1,8}}\s)?$"),
        re.compile(rf"(?:{but})\s(?:\w{{1,8}}\s){{0,3}}$"),
        re.compile(rf"(?:[,(]\s?|\s(?:and|und|et|y|en)\s)(?:{negations})\s(?:\w{{1,8}}\s)?$"),
    )


def denied_values(text: str, values: Sequence[Value]) -> list[tuple[Value, int, int]]:
    """Return the values that a folded text states only to deny them, each with the stretch of text that does so.

    So it is with the first value of `not 43.00 EUR but 34.00 EUR`, and with the last one of `34.00 EUR, not 43.00 EUR`.
    """
    before, but, after = _patterns()
    found = []
    compared = [one for one in values if one.kind in _GROUPS]
    for place, one in enumerate(compared):
        following = compared[place + 1] if place + 1 < len(compared) else None
        cut = _between(but, text, one, following) if following else None
        if following and cut:
            near = before.search(text[max(0, one.start - 24) : one.start])
            if near:
                found.append((one, max(0, one.start - 24) + near.start(), one.end + cut.end()))
                continue
            far = (
                _far_negation(text, one.start) if one.end + cut.end() == following.start and cut.start() <= 2 else None
            )
            if far:
                found += [(one, *far), (one, one.start, following.start)]
                continue
        previous = compared[place - 1] if place else None
        if previous and (cut := _between(after, text, previous, one)):
            found.append((one, previous.end + cut.start(), one.end))
    return found


def _between(pattern: re.Pattern[str], text: str, first: Value, second: Value) -> re.Match[str] | None:
    """Search the words between two values of one group that stand near each other."""
    if _GROUPS[first.kind] != _GROUPS[second.kind] or second.start - first.end > BETWEEN:
        return None
    between = text[first.end : second.start]
    return None if "." in between else pattern.search(between)


def _far_negation(text: str, end: int) -> tuple[int, int] | None:
    """Return the place of the last negation before a value in the same clause: `no hemos reembolsado`."""
    start = max(0, end - BETWEEN)
    found = list(_FAR.finditer(text, start, end))
    if not found or _STOP.search(text, found[-1].end(), end):
        return None
    return found[-1].span()


_FAR = re.compile(r"\b(?:not|nicht|pas|no|niet)\b|n't\b|\bn'(?=\w)|\bne\b")
_STOP = re.compile(r"[.;:!?,]")


# --- a wrong value that a later text puts right

MONEY = frozenset({"refund", "credit", "money", "extra"})


class Wrong(msgspec.Struct, frozen=True):
    """One value that the records contradict, and where: the text, and the place in the folded text."""

    group: str
    """amount, date, record, street, postcode or destination"""
    text: int
    start: int
    value: str = ""
    kinds: frozenset[str] = frozenset()
    """The deeds that its clause claims."""


class Words(msgspec.Struct, frozen=True):
    """One text for this purpose: its clauses without denied values, what it claims, whether it is shown."""

    index: int
    folded: str
    clauses: Sequence[Clause]
    claims: Sequence[Claim]
    shown: bool = True


def corrected(case: Case, texts: Sequence[Words], wrong: Sequence[Wrong]) -> tuple[set[Wrong], set[Wrong]]:
    """Return the wrong values that are put right later, and those that a correction only repeats.

    A later text does so if it says that something was wrong and states the true value, or if it claims the same deed
    with the true value. Within one text the writer has to correct themselves expressly. Nothing is put right if
    a wrong value of the same kind follows. A wrong value that is only left out later stays.
    """
    if not wrong or not any(one.shown for one in texts):
        return set(), set()
    true = _true_values(case)
    stated = {**true, "amount": true["amount"] | {str(one) for one in case.known.amounts}}
    found = {
        bad
        for bad in wrong
        if any(_corrects(true if bad.kinds & MONEY else stated, one, bad, wrong) for one in texts if one.shown)
    }
    return found, {bad for bad in wrong if _is_cited(true, texts, bad, wrong)}


def _true_values(case: Case) -> dict[str, frozenset[str]]:
    """Return the true values of each group: what must be told, and what the deeds of the episode show."""
    new = [one for one in case.deeds if is_new(case, one)]
    told = {
        kind: {value for one in case.tell if one.kind == kind for value in one.values} for kind in ("amount", "date")
    }
    cents = [one.cents for one in new if one.cents]
    days = told["date"] | {one.day for one in new if one.day}
    return {
        "amount": frozenset(told["amount"] | {str(one) for one in (*cents, sum(cents)) if one}),
        "date": frozenset(days | {"-" + one[4:] for one in days if not one.startswith("--")}),
        "record": case.known.records,
        "street": frozenset(street_at(one.to) for one in new) | case.known.streets,
        "postcode": frozenset(str(one.to.get("postal_code") or "").replace(" ", "").upper() for one in new)
        | case.known.postcodes,
    }


def _states(true: Mapping[str, AbstractSet[str]], group: str, clauses: Iterable[Clause], other: str) -> bool:
    """Check whether a clause states a true value of a group, other than this one."""
    if group == "destination":
        return any(
            words(root).search(one.words) for one in clauses for root in (roots_of(one).card, roots_of(one).store)
        )
    return any(
        _GROUPS.get(value.kind) == group and value.value != other and true[group] & set(value.readings)
        for one in clauses
        for value in one.values
    )


def _correcting(text: Words, after: int, own_only: bool) -> list[tuple[int, int]]:
    """Return the sentences after a place that correct something."""
    found = []
    for span in sorted({one.sentence for one in text.clauses}):
        if span[0] < after:
            continue
        said = text.folded[span[0] : span[1]]
        known = _known()[next(one.language for one in text.clauses if one.sentence == span)]
        if words(known.own).search(said) or (not own_only and words(known.wrong).search(said)):
            found.append(span)
    return found


def _corrects(true: Mapping[str, AbstractSet[str]], text: Words, bad: Wrong, wrong: Sequence[Wrong]) -> bool:
    """Check whether a text puts a wrong value right."""
    same = text.index == bad.text
    if text.index < bad.text:
        return False
    spans = _correcting(text, bad.start if same else 0, own_only=same)
    if same:
        spans = [one for one in spans if one[0] > bad.start]
    others = [one for one in wrong if one.text == text.index and one.group == bad.group and one != bad]
    for start, _ in spans:
        near = _following(text, start)
        if _states(true, bad.group, near, bad.value) and not any(one.start >= start for one in others):
            return True
        if _states(true, bad.group, near, bad.value) and all(
            _cites(true, text, one, bad) for one in others if one.start >= start
        ):
            return True
    if same or others:
        return False
    kinds = bad.kinds | MONEY if bad.kinds & MONEY else bad.kinds
    return _states(true, bad.group, [one.clause for one in text.claims if one.says and one.kind in kinds], bad.value)


FOLLOWING = 6
"""How many clauses from the beginning of a correction on may hold the true value."""


def _following(text: Words, start: int) -> list[Clause]:
    """Return the first clauses from a place on; readings of one place count as one clause."""
    after = [one for one in text.clauses if start <= one.start]
    places = sorted({one.start for one in after})[:FOLLOWING]
    return [one for one in after if one.start in places]


def _cites(true: Mapping[str, AbstractSet[str]], text: Words, cited: Wrong, bad: Wrong) -> bool:
    """Check whether a text repeats a wrong value only to say that it was wrong: `the 43.00 I wrote is wrong, it is`."""
    if not cited.value or (bad.value and cited.value != bad.value):
        return False
    span = next((one for one in _correcting(text, 0, own_only=False) if one[0] <= cited.start < one[1]), None)
    return span is not None and _states(true, bad.group, _following(text, span[0]), bad.value)


def _is_cited(true: Mapping[str, AbstractSet[str]], texts: Sequence[Words], bad: Wrong, wrong: Sequence[Wrong]) -> bool:
    """Check whether a wrong value is only a repetition of an earlier one, in a sentence that says that it was wrong."""
    earlier = [one for one in wrong if one.text < bad.text and one.group == bad.group and one.value == bad.value]
    text = next((one for one in texts if one.index == bad.text), None)
    return bool(earlier) and text is not None and text.shown and _cites(true, text, bad, earlier[0])
