"""Tokens that a world mints; outside, they end with the mark of their episode, so that forks never share one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from msgspec import structs

from diorama.kernel import Actor, Refusal, Request, Tx, World
from diorama.kit.operation import Operation

Holder = Callable[[Tx, str], "tuple[str, str] | tuple[str, str, str] | None"]
"""(transaction, token) -> the user, the id of the token's row and its kind of credential; None for an invalid token.

The kind is one of the product's; it may be left out if the token is of none of them.
"""
Check = Callable[[Tx, Operation, Request], None]
H = TypeVar("H", bound=Holder)
C = TypeVar("C", bound=Check)

START = "0d1a"
INSIDE = 48
"""The number of hexadecimal digits of a token inside the world; outside there are sixteen more."""
MARK = 16

_INSIDE = re.compile(rb"(?<![0-9a-f])%s[0-9a-f]{%d}(?![0-9a-f])" % (START.encode(), INSIDE - len(START)))
_OUTSIDE = re.compile(rb"(?<![0-9a-f])(%s[0-9a-f]{%d})([0-9a-f]{%d})(?![0-9a-f])" % (
    START.encode(), INSIDE - len(START), MARK,
))  # fmt: skip


class Grants:
    """How an app authenticates people by tokens that it issued."""

    def __init__(self, header: str, refused: Refusal) -> None:
        """`header`: passes the row id of the request's token to the gateway; no client can send it."""
        self.header = header
        self.refused = refused
        self._holder: Holder | None = None
        self._check: Check | None = None

    def holder(self, function: H) -> H:
        """Declare the function that finds the user of a token."""
        self._holder = function
        return function

    def check(self, function: C) -> C:
        """Declare the function that refuses what a token does not allow."""
        self._check = function
        return function

    def held(self, tx: Tx, token: str) -> tuple[str, str, str] | None:
        """Return the user of a token, the id of its row and its kind of credential, or None."""
        found = self._holder(tx, token) if self._holder is not None else None
        if found is None:
            return None
        return found if len(found) == 3 else (*found, "")

    def admit(self, world: World, request: Request, token: str) -> tuple[Request, Actor] | None:
        """Return the request and actor for a token's user, or None if the token is invalid."""
        found = world.read(self.held, token, boundary="app")
        if found is None:
            return None
        headers = {**request.headers, self.header: found[1]}
        return structs.replace(request, headers=headers), Actor("agent", found[0], found[2])

    def guard(self, tx: Tx, operation: Operation, request: Request) -> None:
        """Refuse what the request's token does not allow."""
        if self._check is not None:
            self._check(tx, operation, request)


def mint(tx: Tx, purpose: str, number: int) -> str:
    """Return a new token of the world."""
    return START + tx.dice(purpose, number, tx.now_us).hex(INSIDE - len(START))


def is_token(text: str) -> bool:
    """Check whether a text has the form of a minted token."""
    return _INSIDE.fullmatch(text.encode("utf-8", "replace")) is not None


def outward(data: bytes, mark: str) -> bytes:
    """Add the episode's mark to every token in data for the client."""
    if START.encode() not in data:
        return data
    return _INSIDE.sub(lambda found: found[0] + mark.encode(), data)


def inward(data: bytes, mark: str) -> bytes:
    """Remove the episode's mark from its own tokens in data for the world; leave other tokens unchanged."""
    if START.encode() not in data:
        return data
    return _OUTSIDE.sub(lambda found: found[1] if found[2] == mark.encode() else found[0], data)


def mark_in(data: bytes) -> str:
    """Return the episode mark of the first token in a text, or an empty string."""
    found = _OUTSIDE.search(data) if START.encode() in data else None
    return found[2].decode() if found else ""
