"""Tokens that a world mints for itself: at a door they end with the name of their episode, so that forks share none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from msgspec import structs

from diorama.kernel import Actor, Refusal, Request, Tx, World
from diorama.kit.operation import Operation

Holder = Callable[[Tx, str], "tuple[str, str] | None"]
"""(transaction, token) -> whom it stands for and the id of its row, or None where it is worth nothing."""
Check = Callable[[Tx, Operation, Request], None]
H = TypeVar("H", bound=Holder)
C = TypeVar("C", bound=Check)

START = "0d1a"
INSIDE = 48
"""Hexadecimal digits of a token inside the world; at a door there are sixteen more."""
MARK = 16

_INSIDE = re.compile(rb"(?<![0-9a-f])%s[0-9a-f]{%d}(?![0-9a-f])" % (START.encode(), INSIDE - len(START)))
_OUTSIDE = re.compile(rb"(?<![0-9a-f])(%s[0-9a-f]{%d})([0-9a-f]{%d})(?![0-9a-f])" % (
    START.encode(), INSIDE - len(START), MARK,
))  # fmt: skip


class Grants:
    """How an app lets people in by tokens of its own making."""

    def __init__(self, header: str, refused: Refusal) -> None:
        """`header`: in which the gateway is told the row of the token that was shown; no client can send it."""
        self.header = header
        self.refused = refused
        self._holder: Holder | None = None
        self._check: Check | None = None

    def holder(self, function: H) -> H:
        """Declare who finds the person behind a token."""
        self._holder = function
        return function

    def check(self, function: C) -> C:
        """Declare who refuses what a token does not allow."""
        self._check = function
        return function

    def held(self, tx: Tx, token: str) -> tuple[str, str] | None:
        """Whom a token stands for, and the id of its row."""
        return self._holder(tx, token) if self._holder is not None else None

    def admit(self, world: World, request: Request, token: str) -> tuple[Request, Actor] | None:
        """A request as it comes from the person behind a token, or None where the token is worth nothing."""
        found = world.read(self.held, token, boundary="app")
        if found is None:
            return None
        headers = {**request.headers, self.header: found[1]}
        return structs.replace(request, headers=headers), Actor("agent", found[0])

    def guard(self, tx: Tx, operation: Operation, request: Request) -> None:
        """Refuse what the token that was shown does not allow."""
        if self._check is not None:
            self._check(tx, operation, request)


def mint(tx: Tx, purpose: str, number: int) -> str:
    """A new token of the world."""
    return START + tx.dice(purpose, number, tx.now_us).hex(INSIDE - len(START))


def is_token(text: str) -> bool:
    """Whether a text is a token as worlds mint them."""
    return _INSIDE.fullmatch(text.encode("utf-8", "replace")) is not None


def outward(data: bytes, mark: str) -> bytes:
    """What the client is sent: every token with the name of its episode."""
    if START.encode() not in data:
        return data
    return _INSIDE.sub(lambda found: found[0] + mark.encode(), data)


def inward(data: bytes, mark: str) -> bytes:
    """What the world is told: its own tokens as it minted them, those of others as they are."""
    if START.encode() not in data:
        return data
    return _OUTSIDE.sub(lambda found: found[1] if found[2] == mark.encode() else found[0], data)


def mark_in(data: bytes) -> str:
    """The name of the episode of the first token in some text, or nothing."""
    found = _OUTSIDE.search(data) if START.encode() in data else None
    return found[2].decode() if found else ""
