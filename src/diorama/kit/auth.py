"""How credentials look on the wire: each scheme reads them from a request and writes them into one."""

from __future__ import annotations

import base64
import binascii
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal
from urllib.parse import unquote

import msgspec
from msgspec import structs

from diorama.kernel import Request

log = logging.getLogger("diorama.auth")

Reads = Literal["authorization", "headers", "request"]


class Credential(msgspec.Struct, frozen=True):
    """What a client showed: who it says it is (may be empty) and the secret.

    A client that signs shows the id of its key as `secret`, and `proof` checks whether a secret made the signature.
    """

    login: str
    secret: str
    proof: Callable[[str], bool] | None = None


class AuthScheme(ABC):
    """A way to carry a credential in a request. Doors read the request as it was sent, before any rewriting."""

    reads: Reads = "authorization"
    """What decides: the Authorization header alone, any headers, or the whole request with its body."""

    @abstractmethod
    def read(self, request: Request) -> Credential | None:
        """Return the credential in a request, or None. Header names are lower case."""

    @abstractmethod
    def write(self, request: Request, credential: Credential) -> Request:
        """Return the request as a client with this credential sends it."""

    def strip(self, request: Request) -> Request:
        """Return the request without the credential: no secret reaches a world or a log.

        A cookie that holds it is removed, and headers that the app does not read are dropped anyway; override this for
        a credential in the query or body.
        """
        shown = self.read(request) if "cookie" in request.headers else None
        return without_cookies(request, shown.secret) if shown is not None else request


class Bearer(AuthScheme):
    """`Authorization: Bearer SECRET`; some clients write `token` instead."""

    def __init__(self, *words: str) -> None:
        self.words = tuple(word.lower() for word in words) or ("bearer",)

    def read(self, request: Request) -> Credential | None:
        """Return the secret after the scheme's word."""
        word, _, secret = request.headers.get("authorization", "").partition(" ")
        return Credential("", secret.strip()) if word.lower() in self.words and secret.strip() else None

    def write(self, request: Request, credential: Credential) -> Request:
        """Add the Authorization header."""
        return with_headers(request, authorization=f"{self.words[0].capitalize()} {credential.secret}")


class Basic(AuthScheme):
    """`Authorization: Basic base64(login + suffix : secret)`; Zendesk's suffix is `/token`."""

    def __init__(self, suffix: str = "") -> None:
        self.suffix = suffix

    def read(self, request: Request) -> Credential | None:
        """Return the login without its suffix, and the secret."""
        word, _, encoded = request.headers.get("authorization", "").partition(" ")
        if word.lower() != "basic":
            return None
        try:
            login, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        if not colon or not secret or not login.endswith(self.suffix):
            return None
        return Credential(login.removesuffix(self.suffix), secret)

    def write(self, request: Request, credential: Credential) -> Request:
        """Add the Authorization header."""
        pair = f"{credential.login}{self.suffix}:{credential.secret}"
        return with_headers(request, authorization=f"Basic {base64.b64encode(pair.encode()).decode()}")


class Either(AuthScheme):
    """Several schemes: read with the first that finds a credential; write with the first."""

    def __init__(self, *schemes: AuthScheme) -> None:
        self.schemes = schemes
        order: tuple[Reads, ...] = ("authorization", "headers", "request")
        self.reads = max((scheme.reads for scheme in schemes), key=order.index)

    def read(self, request: Request) -> Credential | None:
        """Return the first credential that a scheme finds."""
        for scheme in self.schemes:
            found = scheme.read(request)
            if found is not None:
                return found
        return None

    def write(self, request: Request, credential: Credential) -> Request:
        """Write as the first scheme does."""
        return self.schemes[0].write(request, credential)

    def strip(self, request: Request) -> Request:
        """Remove what any of the schemes reads."""
        for scheme in self.schemes:
            request = scheme.strip(request)
        return request


def credential_in(scheme: AuthScheme, request: Request) -> Credential | None:
    """Return the credential in a request; bytes that the scheme cannot read are not a credential."""
    try:
        return scheme.read(request)
    except Exception:  # whatever a scheme trips over, a stranger may have sent
        log.debug("unreadable credential", exc_info=True)
        return None


def without_credential(scheme: AuthScheme, request: Request) -> Request:
    """Return a request as every door passes it on; one that the scheme cannot read holds no credential."""
    try:
        return scheme.strip(request)
    except Exception:  # as in credential_in
        log.debug("unreadable credential", exc_info=True)
        return request


def without_cookies(request: Request, secret: str) -> Request:
    """Return a request without the cookies that hold a secret."""
    pairs = [pair.strip() for pair in request.headers["cookie"].split(";")]
    kept = [pair for pair in pairs if secret not in pair and secret not in unquote(pair)]
    return structs.replace(request, headers={**request.headers, "cookie": "; ".join(kept)})


def with_headers(request: Request, **headers: str) -> Request:
    """Return a request with more headers; underscores in their names stand for hyphens."""
    added = {name.replace("_", "-"): value for name, value in headers.items()}
    return structs.replace(request, headers={**request.headers, **added})
