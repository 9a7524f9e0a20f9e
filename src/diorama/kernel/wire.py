"""Requests and replies, as the vendor's wire has them, and the actors who send them."""

from __future__ import annotations

from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode


class Actor(msgspec.Struct, frozen=True):
    """Who acts: a kind (agent, persona, staff, system, anonymous) and a name, which is the person's address."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def named(cls, text: str) -> Actor:
        """The actor that str() wrote."""
        kind, _, name = text.partition(":")
        return cls(kind, name)


ANONYMOUS = Actor("anonymous", "")


class Request(msgspec.Struct, frozen=True):
    """What one turn sends: the query is the raw text behind the question mark, header names are lower case."""

    method: str = "GET"
    path: str = "/"
    query: str = ""
    headers: dict[str, str] = {}
    body: bytes = b""


class Reply(msgspec.Struct, frozen=True):
    """What comes back."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    def json(self) -> Any:
        """The body as JSON."""
        return _decode(self.body)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")
