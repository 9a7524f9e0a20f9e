"""Errors for wrong usage, such as an unknown scenario or agent."""

from collections.abc import Iterable


class Misuse(Exception):
    """An invalid request: the message says what happened, to what, and what to do. Commands exit with code 2."""


LARGEST_SEED = 2**63 - 1


def check_variant(seed: object, split: str, splits: Iterable[str]) -> None:
    """Raise TypeError or ValueError with one line unless these name a variant, in one of these splits."""
    known = tuple(splits)
    if split not in known:
        raise ValueError(f"split is {' or '.join(map(repr, known))}, not {split!r}")
    if type(seed) is not int:
        raise TypeError(f"seed is a whole number, not {type(seed).__name__} {seed!r}")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed is from 0 to {LARGEST_SEED}, not {seed}")


def check_size(size: str, sizes: Iterable[str]) -> None:
    """Raise ValueError with the choices unless a world comes in this size."""
    if size not in sizes:
        raise ValueError(f"size is one of {', '.join(map(repr, sizes))}, not {size!r}")
