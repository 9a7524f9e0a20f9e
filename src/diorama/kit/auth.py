"""How credentials look on the wire: each scheme reads them from headers and writes them into headers."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Protocol

import msgspec


class Credential(msgspec.Struct, frozen=True):
    """What a client showed: who it says it is (may be empty) and the secret."""

    login: str
    secret: str


class AuthScheme(Protocol):
    """A way to carry a credential in a request."""

    def read(self, headers: Mapping[str, str]) -> Credential | None:
        """The credential in these headers (lower-case names), or None."""
        ...

    def write(self, credential: Credential) -> dict[str, str]:
        """The headers that carry a credential."""
        ...


class Bearer:
    """`Authorization: Bearer SECRET`; some clients say `token` instead."""

    def __init__(self, *words: str) -> None:
        self.words = tuple(word.lower() for word in words) or ("bearer",)

    def read(self, headers: Mapping[str, str]) -> Credential | None:
        word, _, secret = headers.get("authorization", "").partition(" ")
        return Credential("", secret.strip()) if word.lower() in self.words and secret.strip() else None

    def write(self, credential: Credential) -> dict[str, str]:
        return {"authorization": f"{self.words[0].capitalize()} {credential.secret}"}


class Basic:
    """`Authorization: Basic base64(login + suffix : secret)`; Zendesk's suffix is `/token`."""

    def __init__(self, suffix: str = "") -> None:
        self.suffix = suffix

    def read(self, headers: Mapping[str, str]) -> Credential | None:
        word, _, encoded = headers.get("authorization", "").partition(" ")
        if word.lower() != "basic":
            return None
        try:
            login, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        if not colon or not secret or not login.endswith(self.suffix):
            return None
        return Credential(login.removesuffix(self.suffix), secret)

    def write(self, credential: Credential) -> dict[str, str]:
        pair = f"{credential.login}{self.suffix}:{credential.secret}"
        return {"authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}


class Either:
    """Several schemes: the first that finds a credential counts; the first one writes."""

    def __init__(self, *schemes: AuthScheme) -> None:
        self.schemes = schemes

    def read(self, headers: Mapping[str, str]) -> Credential | None:
        for scheme in self.schemes:
            found = scheme.read(headers)
            if found is not None:
                return found
        return None

    def write(self, credential: Credential) -> dict[str, str]:
        return self.schemes[0].write(credential)
