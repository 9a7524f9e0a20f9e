"""SQL functions for texts of any length: what they read is counted against the budget of the transaction.

SQLite's own functions count as one step however long their arguments are, so a scan with `lower`, `instr` or
`json_each` over long texts could take seconds within any number of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import apsw

SEPARATOR = "\x1f"
COUNTING = frozenset({"weigh", "includes_any"})
"""The functions. Results of statements with them are never kept: they count at each run."""
LONG = 1024
"""Shorter texts are not weighed."""
WEIGHT_SHIFT = 7
"""128 characters that are weighed count as one row read."""
LIST_SHIFT = 5
"""So do 32 characters of a list whose items become rows."""
WORD_SHIFT = 12
"""So do 4,096 characters in which a word is looked for."""
WORDS_SHIFT = 6
"""So do 64 words that are looked for, however short the text is."""


def weighed(column: str) -> str:
    """Return SQL for a column with texts of any length, for functions that read all of it, such as `json_each`."""
    return f"iif(length({column}) < {LONG}, {column}, weigh({column}, {WEIGHT_SHIFT}))"


def weighed_list(column: str) -> str:
    """Return SQL for a column with a JSON list of any length, for `json_each` over all rows of a table."""
    return f"weigh({column}, {LIST_SHIFT})"


@lru_cache(maxsize=256)
def _parts(joined: str) -> list[str]:
    return joined.split(SEPARATOR)


def register(connection: apsw.Connection, spend: Callable[[int], None]) -> None:
    """Add the functions to a connection."""

    def weigh(text: str | None, shift: int) -> str | None:
        """Return a text unchanged, and count its length."""
        if text is not None:
            spend(len(text) >> shift)
        return text

    def includes_any(text: str | None, words: str) -> bool:
        """Return whether a text contains one of several words in lower case, joined by SEPARATOR."""
        if text is None:
            return False
        lowered, found, read = text.lower(), False, 0
        for word in _parts(words):
            read += 1
            if word in lowered:
                found = True
                break
        spend((len(text) * read >> WORD_SHIFT) + (read >> WORDS_SHIFT))
        return found

    both: list[Any] = [weigh, includes_any]
    for function in both:
        connection.create_scalar_function(function.__name__, function, 2, deterministic=True)
