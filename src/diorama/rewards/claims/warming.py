"""Make what the first text needs, so that no request waits for it."""

from __future__ import annotations

from diorama.kit.lazy_patterns import compile_patterns
from diorama.rewards.claims.case import Case, Text
from diorama.rewards.claims.lexicon import compile_all
from diorama.rewards.claims.reader import read
from diorama.rewards.claims.weakened import compile_weakened

_SAMPLE = (
    "We have refunded forty-nine euros (49.00 EUR) to your card on 3 March 2026 for order LK-10293. It will arrive "
    "tomorrow, unless the parcel is lost. Your plan is paused. If you did not get it, we are sorry."
)


def warm_up() -> None:
    """Compile the patterns that exist, and the lists of words and numbers that a plain text needs."""
    compile_patterns()
    read(Case(), [Text(_SAMPLE, ("someone@example.com",), 1)])


def warm_up_fully() -> None:
    """Compile every list of words and every long pattern of every language; a server does it at its start.

    It takes about 2.7 s of CPU time and 45 MB.
    """
    compile_all()
    compile_weakened()
    warm_up()
