"""Needless mails: texts to the same people that nearly repeat each other, and more of them than a matter needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from diorama.kit.lazy_patterns import re

ALIKE = 0.8
"""From this share of common words on, two texts are nearly equal; numbers do not count as words."""
ALIKE_FREE = 1
"""How many texts that are nearly equal to an earlier one are free: a copy with a value put right."""
MAILS_FREE = 6
"""How many mails one person may get about a matter: questions, interim answers, the outcome, a correction."""
COMPARED_AT_MOST = 24
"""How many mails to the same people are compared with each other: later ones are needless anyway."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class Needless:
    """What has been sent so far, and which new mail is needless."""

    def __init__(self) -> None:
        self._sent: dict[tuple[str, ...], list[str]] = {}
        self._exact: dict[tuple[str, ...], set[str]] = {}
        self._alike: Counter[tuple[str, ...]] = Counter()
        self._count: Counter[tuple[str, ...]] = Counter()

    def why(self, folded: str, to: tuple[str, ...]) -> str:
        """Count a folded text that went to some people; return why it is needless, or ""."""
        said, exact = " ".join(folded.split()), self._exact.setdefault(to, set())
        known = self._sent.setdefault(to, [])
        self._count[to] += 1
        if said in exact:
            return "the same text again"
        exact.add(said)
        compared = known if self._count[to] <= COMPARED_AT_MOST else ()
        if any(_are_alike(_words_of(folded), _words_of(one)) for one in compared):
            self._alike[to] += 1
            if self._alike[to] > ALIKE_FREE:
                return "nearly the same text again"
        else:
            known.append(folded)
        return f"more than {MAILS_FREE} mails to the same people" if self._count[to] > MAILS_FREE else ""


@lru_cache(maxsize=128)
def _words_of(folded: str) -> Counter[str]:
    return Counter(_WORD.findall(folded))


def _are_alike(one: Counter[str], other: Counter[str]) -> bool:
    """Check whether two texts have most of their words in common."""
    count, total = one.total() + other.total(), min(one.total(), other.total())
    if 2 * total < ALIKE * count:
        return False
    return 2 * (one & other).total() >= ALIKE * count


def needless_mails(mails: Iterable[tuple[tuple[str, ...], str]]) -> int:
    """Count the needless ones among mails: to whom, and the folded text."""
    known = Needless()
    return sum(known.why(body, to) != "" for to, body in mails)
