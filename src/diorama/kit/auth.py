"""How credentials look on the wire: each scheme reads them from a request and writes them into one."""

from __future__ import annotations

import base64
import binascii
import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from functools import lru_cache, partial
from typing import Literal
from urllib.parse import quote_plus, unquote, unquote_plus

import msgspec
from msgspec import structs

from diorama.kernel import Request
from diorama.kit.arguments import FORM, MULTIPART, ParsedRequest, media_type
from diorama.kit.bounds import SizeLimits
from diorama.kit.multipart import add_field, drop_field

log = logging.getLogger("diorama.auth")

Reads = Literal["authorization", "headers", "request"]
CUT = "[secret]"
"""What stands in a request where a client wrote a secret outside of the place that the vendor reads."""


class Credential(msgspec.Struct, frozen=True):
    """What a client showed: who it says it is (may be empty) and the secret.

    A client that signs shows the id of its key as `secret`, and `proof` checks whether a secret made the signature.
    `scheme` names the scheme in which it was shown, or must be written: `bearer`; "" leaves it open.
    """

    login: str
    secret: str
    proof: Callable[[str], bool] | None = None
    scheme: str = ""


class AuthScheme(ABC):
    """A way to carry a credential in a request. Doors read the request as it was sent, before any rewriting."""

    reads: Reads = "authorization"
    """What decides: the Authorization header alone, any headers, or the whole request with its body."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the schemes in which a credential may be shown."""
        return (type(self).__name__.lower(),)

    @abstractmethod
    def read(self, request: Request) -> Credential | None:
        """Return the credential in a request, or None. Header names are lower case."""

    @abstractmethod
    def write(self, request: Request, credential: Credential) -> Request:
        """Return the request as a client with this credential sends it."""

    def shown(self, request: Request) -> str:
        """Return the name of the scheme in which a request shows a credential, as in `bearer`; "" if it shows none."""
        return type(self).__name__.lower() if self.read(request) is not None else ""

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
        if not colon or not secret or not login.endswith(self.suffix) or login == self.suffix != "":
            return None
        return Credential(login.removesuffix(self.suffix), secret)

    def write(self, request: Request, credential: Credential) -> Request:
        """Add the Authorization header."""
        pair = f"{credential.login}{self.suffix}:{credential.secret}"
        return with_headers(request, authorization=f"Basic {base64.b64encode(pair.encode()).decode()}")


class TokenField(AuthScheme):
    """`token=SECRET` as a field of the query or of a form: TokenField("token", "form", "query").

    The places are tried in order, and the first field of that name counts. A client writes into the form if its request
    has one (or has no body and is not a GET), else into the query.
    """

    def __init__(self, name: str, *places: Literal["form", "query"]) -> None:
        if not name or not places or not set(places) <= {"form", "query"}:
            given = ", ".join(map(repr, (name, *places)))
            raise ValueError(f'TokenField({given}): give a name and places, as in TokenField("token", "form", "query")')
        self.name, self.places = name, places
        self.reads: Reads = "request" if "form" in places else "headers"

    def read(self, request: Request) -> Credential | None:
        """Return the first value of the field."""
        parsed = ParsedRequest(request, {}, SizeLimits())
        for place in self.places:
            found = (parsed.form if place == "form" else parsed.query).get(self.name)
            if found and found[0]:
                return Credential("", found[0])
        return None

    def write(self, request: Request, credential: Credential) -> Request:
        """Add the field to the form or to the query."""
        header = request.headers.get("content-type", "")
        kind = media_type(header)[0]
        pair = f"{quote_plus(self.name)}={quote_plus(credential.secret)}"
        if "form" in self.places and kind == MULTIPART:
            return structs.replace(request, body=add_field(request.body, header, self.name, credential.secret))
        empty = not request.body and (request.method not in ("GET", "HEAD") or "query" not in self.places)
        if "form" in self.places and (kind == FORM or empty):
            filled = structs.replace(request, body=b"&".join(filter(None, (request.body, pair.encode()))))
            return with_headers(filled, content_type=header if kind == FORM else FORM)
        if "query" not in self.places:
            raise ValueError(f"a body of the type {kind!r} has no form field {self.name!r} for the credential")
        return structs.replace(request, query="&".join(filter(None, (request.query, pair))))

    def strip(self, request: Request) -> Request:
        """Remove every field of that name; what stands beside it is left as it was sent."""
        if "query" in self.places and request.query:
            request = structs.replace(request, query=self._without(request.query))
        if "form" in self.places and request.body:
            header = request.headers.get("content-type", "")
            kind = media_type(header)[0]
            if kind == FORM:
                rest = self._without(request.body.decode("latin-1")).encode("latin-1")
                request = structs.replace(request, body=rest)
            elif kind == MULTIPART:
                request = structs.replace(request, body=drop_field(request.body, header, self.name))
        return super().strip(request)

    def _without(self, pairs: str) -> str:
        return "&".join(pair for pair in pairs.split("&") if unquote_plus(pair.partition("=")[0]) != self.name)


class Either(AuthScheme):
    """Several schemes: read with the first that finds a credential; write with the first."""

    def __init__(self, *schemes: AuthScheme) -> None:
        self.schemes = schemes
        order: tuple[Reads, ...] = ("authorization", "headers", "request")
        self.reads = max((scheme.reads for scheme in schemes), key=order.index)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its schemes."""
        return tuple(name for scheme in self.schemes for name in scheme.names)

    def read(self, request: Request) -> Credential | None:
        """Return the first credential that a scheme finds."""
        return next(filter(None, (_read(scheme, request) for scheme in self.schemes)), None)

    def write(self, request: Request, credential: Credential) -> Request:
        """Write as the credential's scheme does, or as the first."""
        fitting = (scheme for scheme in self.schemes if credential.scheme in scheme.names)
        return next(fitting, self.schemes[0]).write(request, credential)

    def shown(self, request: Request) -> str:
        """Return the name of the first scheme that finds a credential."""
        return next(filter(None, (scheme.shown(request) for scheme in self.schemes)), "")

    def strip(self, request: Request) -> Request:
        """Remove what any of the schemes reads."""
        for scheme in self.schemes:
            request = scheme.strip(request)
        return request


def _read(scheme: AuthScheme, request: Request) -> Credential | None:
    """Return the credential that a scheme finds, with the scheme's name."""
    found = scheme.read(request)
    return found if found is None or found.scheme else structs.replace(found, scheme=scheme.names[0])


def credential_in(scheme: AuthScheme, request: Request) -> Credential | None:
    """Return the credential in a request; bytes that the scheme cannot read are not a credential."""
    try:
        return _read(scheme, request)
    except Exception:  # whatever a scheme trips over, a stranger may have sent
        log.debug("unreadable credential", exc_info=True)
        return None


def scheme_shown(scheme: AuthScheme, request: Request) -> str:
    """Return the name of the scheme in which a request shows a credential, "" if it shows none that can be read."""
    try:
        return scheme.shown(request)
    except Exception:  # as in credential_in
        log.debug("unreadable credential", exc_info=True)
        return ""


def without_credential(scheme: AuthScheme, request: Request) -> Request:
    """Return a request as every door passes it on; one that the scheme cannot read holds no credential."""
    try:
        return scheme.strip(request)
    except Exception:  # as in credential_in
        log.debug("unreadable credential", exc_info=True)
        return request


# --- secrets outside of their place


def without_secrets(request: Request, secrets: Collection[str]) -> Request:
    """Return a request with CUT in place of these secrets wherever they stand, also percent-encoded or in JSON escapes.

    A client may write its token twice, for example into a header and into a form; no copy may reach a world or a log.
    """
    body = request.body.decode("latin-1")
    whole = "\n".join((request.method, request.host, request.path, request.query, *request.headers.values(), body))
    if "%" in whole or "\\u00" in whole:
        whole += _ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), whole)
    for secret in secrets:
        if secret in whole:
            cut = partial(_pattern(secret).sub, CUT)
            body = cut(body)
            request = Request(
                cut(request.method),
                cut(request.path),
                cut(request.query),
                {name: cut(value) for name, value in request.headers.items()},
                body.encode("latin-1"),
                cut(request.host),
            )
    return request


_ESCAPED = re.compile(r"%([2-7][0-9a-fA-F])|\\u00([2-7][0-9a-fA-F])")


@lru_cache(maxsize=1024)
def _pattern(secret: str) -> re.Pattern[str]:
    """Return what matches a secret, each of its characters as it is or escaped."""
    characters = (rf"(?:{re.escape(one)}|(?i:%{ord(one):02x}|\\u00{ord(one):02x}))" for one in secret)
    return re.compile("".join(characters))


def without_cookies(request: Request, secret: str) -> Request:
    """Return a request without the cookies that hold a secret."""
    pairs = [pair.strip() for pair in request.headers["cookie"].split(";")]
    kept = [pair for pair in pairs if secret not in pair and secret not in unquote(pair)]
    return structs.replace(request, headers={**request.headers, "cookie": "; ".join(kept)})


def with_headers(request: Request, **headers: str) -> Request:
    """Return a request with more headers; underscores in their names stand for hyphens."""
    added = {name.replace("_", "-"): value for name, value in headers.items()}
    return structs.replace(request, headers={**request.headers, **added})
