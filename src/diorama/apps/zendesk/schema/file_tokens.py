"""Tokens of files in links: 25 letters and digits that look random, and contain the file's id."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from diorama.kit.credential_kinds import ALPHABETS

LENGTH = 25
_LETTERS = ALPHABETS["alnum"]
_ID_BITS = 64
_CHECK_BITS = 84


def _check(number: int) -> int:
    digest = sha256(b"file" + number.to_bytes(8, "big")).digest()
    return int.from_bytes(digest, "big") >> (256 - _CHECK_BITS)


def _mask(check: int) -> int:
    return int.from_bytes(sha256(b"mask" + check.to_bytes(11, "big")).digest()[:8], "big")


@lru_cache(maxsize=4096)
def file_token(number: int) -> str:
    """Return the token of a file, as in `/attachments/token/kObGC9P2IjP1ate0NexwFNiXz/?name=ip.jpg`."""
    check = _check(number)
    value, out = check << _ID_BITS | number ^ _mask(check), []
    for _ in range(LENGTH):
        value, digit = divmod(value, len(_LETTERS))
        out.append(_LETTERS[digit])
    return "".join(out)


def file_of_token(token: str) -> int | None:
    """Return the id of a token's file, or None for a token that was never given out."""
    if len(token) != LENGTH or not (token.isascii() and token.isalnum()):
        return None
    value = 0
    for letter in reversed(token):
        value = value * len(_LETTERS) + _LETTERS.index(letter)
    check = value >> _ID_BITS
    if check >> _CHECK_BITS:
        return None
    number = (value & (1 << _ID_BITS) - 1) ^ _mask(check)
    return number if number < 1 << 63 and _check(number) == check else None
