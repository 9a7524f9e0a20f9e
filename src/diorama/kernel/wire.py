"""Requests and replies on the vendor's wire, and the actors who send them."""

from __future__ import annotations

from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode


class Actor(msgspec.Struct, frozen=True):
    """Who acts: a kind (agent, persona, staff, system, anonymous), the person's address, and what they showed.

    `seat` is the kind of credential that was shown, as the product names it: `bot`, for example. A client that
    does not choose uses the first kind, whose name is recorded. "" means that there is no name: the product has one
    unnamed kind, a token that the world minted is of no declared kind, or the actor shows no credential.
    """

    kind: str
    name: str
    seat: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}#{self.seat}" if self.seat else f"{self.kind}:{self.name}"

    @classmethod
    def named(cls, text: str) -> Actor:
        """Parse what str() wrote."""
        kind, _, name = text.partition(":")
        start, mark, seat = name.rpartition("#")
        return cls(kind, start, seat) if mark and "@" not in seat else cls(kind, name)


ANONYMOUS = Actor("anonymous", "")
FATE = Actor("system", "fate")
"""The actor of what no person does: staging, timers, input from outside."""


class Request(msgspec.Struct, frozen=True):
    """What one turn sends: the query is the raw text behind the question mark, header names are lower case.

    `host` is the vendor's host name; "" means the app's main host.
    """

    method: str = "GET"
    path: str = "/"
    query: str = ""
    headers: dict[str, str] = {}
    body: bytes = b""
    host: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What the vendor answers. `refused` is the kind or code of a refusal, "" for a success; never on the wire."""

    status: int
    headers: dict[str, str]
    body: bytes = b""
    refused: str = ""

    def json(self) -> Any:
        """Decode the body as JSON."""
        return _decode(self.body)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")
