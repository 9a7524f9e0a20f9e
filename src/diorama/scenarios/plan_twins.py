"""Plans that no one can tell apart: the same past and the same letter, and another answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice, product
from typing import Any

from diorama.people.grammar import Branch, Choice, Part, parse
from diorama.scenarios.cast import Value, Worded
from diorama.scenarios.past import Step
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import ClosingForm

JUDGED = ("owed", "tell", "resolution", "closing", "hand_over")
"""The parts of a plan that say what a right answer is, besides the contact reason that follows from `facts`."""
UNSEEN = frozenset({"name", "split", "reply", "offers", "asks", "facts", "withholds", *JUDGED})
"""The parts of a plan that neither the letter nor the records show."""

WORDINGS = 2_000
"""How many wordings of one sentence are compared."""


def undecidable(plans: Sequence[Plan], form: ClosingForm) -> Iterator[tuple[Plan, Plan, str]]:
    """Yield two plans that can have the same records and the same letter, and in what their right answers differ."""
    for one, other in combinations(plans, 2):
        if shows_the_same(one, other) and _can_be_equal(one.past, other.past):
            differs = answers_differ(one, other, form)
            if differs:
                yield one, other, differs


def shows_the_same(one: Plan, other: Plan) -> bool:
    """Check whether two plans differ in nothing that the customer writes or does; their pasts may differ."""
    if type(one) is not type(other) or len(one.letter) != len(other.letter):
        return False
    if any(getattr(one, key) != getattr(other, key) for key in _shown(type(one))):
        return False
    return all(_same_words(getattr(one, key), getattr(other, key)) for key in ("letter", "retort"))


@cache
def _shown(kind: type[Plan]) -> tuple[str, ...]:
    """Return the parts of a plan that are seen and that have no ranges or choices."""
    return tuple(key for key in kind.__struct_fields__ if key not in UNSEEN and key not in ("past", "letter", "retort"))


def answers_differ(one: Plan, other: Plan, form: ClosingForm) -> str:
    """Return the parts in which the right answers of two plans differ, or ""."""
    parts = [key for key in JUDGED if _plain(getattr(one, key)) != _plain(getattr(other, key))]
    try:
        parts += ["contact reason"] if form.reason_of(one.facts) != form.reason_of(other.facts) else []
    except ValueError:  # an unknown fact is a mistake of its own
        return ""
    return ", ".join(parts)


def may_be_offered(plan: Plan, plans: Sequence[Plan]) -> list[Value]:
    """Return the amounts that a true reply may name without paying them: the plan's offers, and what twins are owed.

    A plan with the same past grants the amount by the same rule; here the customer has declined it, or not met it.
    """
    twins = [one for one in plans if one is not plan and _plain(one.past) == _plain(plan.past)]
    granted = [due.cents for one in twins for due in one.owed if due.cents is not None and due.cents.row]
    return list(dict.fromkeys((*plan.offers, *granted)))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Check whether two letters have a wording in common, sentence by sentence."""
    return len(one) == len(other) and all(_words(left) & _words(right) for left, right in zip(one, other, strict=True))


def _words(text: str) -> set[str]:
    return set(islice(_wordings(parse(str(text))), WORDINGS))


def _wordings(branch: Branch) -> Iterator[str]:
    """Yield every wording of a sentence."""
    parts = [_of_part(part) for part in branch.parts]
    return ("".join(chosen) for chosen in product(*parts))


def _of_part(part: Part) -> list[str]:
    if isinstance(part, str):
        return [part]
    if isinstance(part, Choice):
        return [text for branch in part.branches for text in _wordings(branch)]
    return [f"{{{part.name}}}"]


def _can_be_equal(one: Any, other: Any) -> bool:
    """Check whether two parts of a past can give the same rows: ranges that overlap, choices that are shared."""
    if one == other:
        return True
    if isinstance(one, Step) and isinstance(other, Step):
        if one.what is not other.what:
            return False
        left, right = one.arguments(), other.arguments()
        return left.keys() == right.keys() and all(_can_be_equal(left[key], right[key]) for key in left)
    if isinstance(one, str) or isinstance(other, str) or isinstance(one, Mapping | Worded):
        return False
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        if _is_range(one) and _is_range(other):
            return bool(one[0] <= other[1] and other[0] <= one[1])
        if any(isinstance(each, str) for each in (*one, *other)):
            return bool({*map(str, one)} & {*map(str, other)})
        return len(one) == len(other) and all(map(_can_be_equal, one, other))
    return False


def _is_range(value: Sequence[Any]) -> bool:
    return len(value) == 2 and all(type(one) is int for one in value)


__all__ = ["answers_differ", "may_be_offered", "shows_the_same", "undecidable"]
