"""Ids in each vendor's format, minted from counters that live in the image."""

from __future__ import annotations

from collections.abc import Callable

from diorama.kernel.dice import Dice

Draw = Callable[[], Dice]
IdMaker = Callable[[int, Draw, int], int | str]
"""(how many were minted before, what gives dice keyed by table and that number, now in microseconds) -> the id."""

ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def counter(start: int = 1, step: int = 1) -> IdMaker:
    """Small numbers in order: 1, 2, 3."""
    return lambda n, draw, now_us: start + n * step


def sparse(start: int, spread: int) -> IdMaker:
    """Large numbers that grow by drawn gaps, as ids of a shared service do."""
    return lambda n, draw, now_us: start + n * spread + draw().integer(0, spread - 1)


def token(prefix: str = "", alphabet: str = ALPHANUMERIC, length: int = 16) -> IdMaker:
    """A prefix and drawn characters: ord_9fK2..."""
    return lambda n, draw, now_us: prefix + draw().text(length, alphabet)


def ulid(prefix: str = "") -> IdMaker:
    """A ULID: ten characters of time, sixteen drawn ones."""

    def make(n: int, draw: Draw, now_us: int) -> str:
        stamp = now_us // 1000
        head = "".join(CROCKFORD[stamp >> shift & 31] for shift in range(45, -1, -5))
        return prefix + head + draw().text(16, CROCKFORD)

    return make
