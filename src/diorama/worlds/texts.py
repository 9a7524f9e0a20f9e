"""How repetitive a desk's texts are: sentences in many tickets, and identical first messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set

LONG = 40
"""A shorter sentence is small talk, and small talk repeats."""
OFTEN = 0.01
"""A sentence in more than this share of all tickets is one that a reader notices."""

_TOKEN = re.compile(r"[\w@#€£.'’-]*\w")
_ENDS = re.compile(r"(?<=[.!?…])\s+|\n+")


def masked(text: str, names: Set[str]) -> str:
    """Mask what naturally differs in a text: names, and every token with a digit or an @."""
    return _TOKEN.sub(lambda found: "~" if _particular(found[0], names) else found[0], text).strip()


def _particular(token: str, names: Set[str]) -> bool:
    if any(letter.isdigit() or letter == "@" for letter in token):
        return True
    return token[:1].isupper() and token.lower().strip(".'’-") in names


def sentences(text: str, names: Set[str]) -> set[str]:
    """Return the long sentences of a text, masked and without quoted lines."""
    own = "\n".join(line for line in text.split("\n") if not line.startswith(">"))
    return {one for one in _ENDS.split(masked(own, names)) if len(one) > LONG}


def repeated(tickets: Iterable[tuple[int, str]], names: Set[str]) -> tuple[float, list[tuple[str, int]]]:
    """Return the share of sentences that occur in more than 1 % of tickets, and these; input: (ticket, text)."""
    found: dict[int, set[str]] = {}
    for ticket, text in tickets:
        found.setdefault(ticket, set()).update(sentences(text, names))
    counts = Counter(one for some in found.values() for one in some)
    limit = max(2.0, OFTEN * len(found))
    often = sorted(((one, count) for one, count in counts.items() if count > limit), key=lambda pair: -pair[1])
    total = sum(counts.values())
    return (sum(count for _, count in often) / total if total else 0.0), often


def distinct(firsts: Sequence[str], names: Set[str]) -> int:
    """Count the different texts, ignoring names and numbers."""
    return len({masked(text, names).lower() for text in firsts})
