"""Regular expressions that come from a request: they run in linear time, and what they cost is counted.

RE2 knows neither backreferences nor lookarounds, which need backtracking: such patterns are not valid here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from diorama.kernel import Tx

MEMORY_BYTES = 1 << 20
"""What a compiled pattern may take; longer ones are not valid."""
COMPILE_SHIFT = 3
"""Eight instructions of a compiled pattern count as one row read."""
SEARCH_SHIFT = 8
"""So do 256 instructions times bytes of the text: the worst that RE2 does."""


class Pattern:
    """A compiled regular expression."""

    __slots__ = ("_pattern", "_size")

    def __init__(self, pattern: Any) -> None:
        self._pattern = pattern
        self._size = int(pattern.programsize)

    def search(self, tx: Tx, text: str) -> bool:
        """Return whether the pattern matches somewhere in a text; count the work of compiling and matching."""
        tx.spend((self._size >> COMPILE_SHIFT) + (self._size * len(text.encode()) >> SEARCH_SHIFT))
        return self._pattern.search(text) is not None


@lru_cache(maxsize=512)
def pattern_of(text: str) -> Pattern | None:
    """Compile a regular expression of a few hundred characters; None if it is not valid, or too large."""
    import re2

    options = re2.Options()
    options.max_mem = MEMORY_BYTES
    options.log_errors = False
    try:
        return Pattern(re2.compile(text, options))
    except re2.error:
        return None
