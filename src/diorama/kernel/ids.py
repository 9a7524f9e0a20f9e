"""Ids in each vendor's format, minted from counters in the image."""

from __future__ import annotations

from collections.abc import Callable

from diorama.kernel.dice import Dice

Draw = Callable[[], Dice]
IdMaker = Callable[[int, Draw, int], int | str]
"""(number of ids minted before, factory of dice keyed by table and that number, now in microseconds) -> id."""

ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def counter(start: int = 1, step: int = 1) -> IdMaker:
    """Make small numbers in order: 1, 2, 3."""
    return lambda n, draw, now_us: start + n * step


def sparse(start: int, spread: int) -> IdMaker:
    """Make large numbers with random gaps, like ids of a shared service."""
    return lambda n, draw, now_us: start + n * spread + draw().integer(0, spread - 1)


def token(prefix: str = "", alphabet: str = ALPHANUMERIC, length: int = 16) -> IdMaker:
    """Make a prefix and random characters: ord_9fK2..."""
    return lambda n, draw, now_us: prefix + draw().text(length, alphabet)


def ulid(prefix: str = "") -> IdMaker:
    """Make ULIDs: ten characters of time, sixteen random ones."""

    def make(n: int, draw: Draw, now_us: int) -> str:
        stamp = now_us // 1000
        head = "".join(CROCKFORD[stamp >> shift & 31] for shift in range(45, -1, -5))
        return prefix + head + draw().text(16, CROCKFORD)

    return make
