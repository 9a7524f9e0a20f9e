"""The app door: one ASGI app per product, at the vendor's own paths; the token in a request picks the world."""

import logging
from bisect import bisect_left
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any, Protocol

from diorama.doors.links import Links
from diorama.doors.meter import BUCKETS, DoorFigures
from diorama.kernel import Reply, Request
from diorama.kit import App, grants

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

log = logging.getLogger("diorama.door")

DRAIN_BYTES = 64 << 20  # of a refused body we read (and drop) this much, so that the client gets to see the answer


OURS = ("authorization", "cookie", "content-length", "transfer-encoding")  # what the door itself reads
BODILESS = (204, 304)
LINKING = frozenset((b"location", b"content-location", b"link", b"refresh"))  # headers that hold addresses
UNTOLD = -1  # a body whose length only its end will tell


class Seat(Protocol):
    """What a token stands for: one person in one live episode."""

    login: str
    live: bool
    mark: str
    """The name of the episode on tokens that its world mints; empty where none leave it."""

    def send(self, app: str, request: Request) -> Reply:
        """Ask as this person; what the vendor would answer, never an exception."""
        ...


class House(Protocol):
    """One live episode, as the tokens that its world minted reach it."""

    def bearer(self, token: str) -> Seat:
        """The seat of whoever a token stands for; of nobody for no token."""
        ...


class Guests:
    """Who holds which token at which app. Memory of the control plane: no world knows a secret."""

    def __init__(self) -> None:
        self._seats: dict[tuple[str, str], Seat] = {}
        self._houses: dict[str, House] = {}

    def open(self, mark: str, house: House) -> None:
        """From now on tokens with this mark lead here."""
        self._houses[mark] = house

    def close(self, mark: str) -> None:
        """Forget a mark."""
        self._houses.pop(mark, None)

    def bearer(self, shown: bytes, token: bool = True) -> Seat | None:
        """The seat behind a token that a world minted, or of nobody in the world that some text has a token of."""
        mark = grants.mark_in(shown)
        house = self._houses.get(mark) if mark else None
        return None if house is None else house.bearer(grants.inward(shown, mark).decode() if token else "")

    def admit(self, app: str, secret: str, seat: Seat) -> None:
        """From now on this secret sits here."""
        self._seats[app, secret] = seat

    def dismiss(self, app: str, secret: str) -> None:
        """Forget a secret."""
        self._seats.pop((app, secret), None)

    def seat(self, app: str, login: str, secret: str) -> Seat | None:
        """The seat behind a credential, if it is known, alive and the login name fits."""
        seat = self._seats.get((app, secret))
        if seat is None or not seat.live or (login and login.casefold() != seat.login.casefold()):
            return None
        return seat


class Door:
    """An app's ASGI callable."""

    def __init__(self, app: App, guests: Guests, links: Links | None = None) -> None:
        self.app = app
        self.figures = DoorFigures(latency=[0] * (len(BUCKETS) + 1))
        self._guests = guests
        self._links = links
        self._heard: dict[bytes, str | None] = {name.encode(): name for name in OURS}
        self._coded: dict[str, tuple[str, tuple[bytes, bytes]]] = {}  # header -> what it last said, in bytes too
        self._known: dict[str, Seat] = {}  # raw Authorization header -> seat, so that it is decoded once

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request: authenticate, read the body, pass the gateway, answer with links that work here."""
        if scope["type"] != "http":
            return
        began = perf_counter()
        heard = self._heard
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            known = heard[name] if name in heard else self._hears(name)
            if known is not None:
                text = value.decode("latin-1")
                headers[known] = f"{headers[known]}, {text}" if known in headers else text
        length = _size(headers.pop("content-length", ""))
        if headers.pop("transfer-encoding", ""):
            length = UNTOLD
        links = None if scope.get("scheme") == "https" else self._links  # true host names need no rewriting

        open_door = self.app.product.grants is not None and "authorization" not in headers
        seat = self._seat(headers)
        try:
            limit = self.app.product.max_body if seat or open_door else 0
            body = await _body(receive, length, limit) if length else b""
        except ConnectionError:
            return
        if seat is None and open_door and body:
            seat = self._guests.bearer(body, token=False)  # who asks for a token shows a secret, or an older token
        mark = seat.mark if seat is not None and self.app.product.grants is not None else ""
        if seat is None:
            reply = self._refused("unauthorized")
        elif body is None:
            reply = self._refused("too_large")
        else:
            query = scope["query_string"]
            if links is not None:
                query = links.inward(query)
                body = links.inward(body) if body else body
            path = scope["raw_path"].decode("latin-1")
            if mark:
                query, body = grants.inward(query, mark), grants.inward(body, mark) if body else body
            request = Request(scope["method"], path, query.decode("latin-1"), headers, body)
            reply = seat.send(self.app.name, request)

        status = reply.status
        content = reply.body
        if links is not None and content:
            content = links.outward(content)
        if mark and content:
            content = grants.outward(content, mark)
        raw = self._raw(reply, links)
        if content or (status not in BODILESS and scope["method"] != "HEAD"):
            raw.append((b"content-length", b"%d" % len(content)))
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": content})

        figures = self.figures
        seconds = perf_counter() - began
        figures.replies[status] = figures.replies.get(status, 0) + 1
        figures.latency[bisect_left(BUCKETS, seconds)] += 1
        figures.seconds += seconds

    def _hears(self, name: bytes) -> str | None:
        """The name of a header that this app takes notice of, or None; learned once per name."""
        text = name.decode("latin-1")
        heard = text if self.app.recorded_headers({text: ""}) else None
        if self.app.product.grants is not None and text == self.app.product.grants.header:
            heard = None  # it is ours to write
        if len(self._heard) < 1000:
            self._heard[name] = heard
        return heard

    def _refused(self, kind: str) -> Reply:
        """The vendor's own words for a refusal that no episode ever sees."""
        return self.app.refuse(self.app.product.refusal(kind, ""))

    def _seat(self, headers: dict[str, str]) -> Seat | None:
        """Who is asking; credentials leave the headers here and go no further."""
        raw = headers.get("authorization")
        if raw is not None:
            seat = self._known.get(raw)
            if seat is not None:
                if seat.live:
                    del headers["authorization"]
                    headers.pop("cookie", None)
                    return seat
                del self._known[raw]
        try:
            credential = self.app.product.auth.read(headers)
        except Exception:  # whatever a stranger sends as a credential, it is no credential
            log.debug("unreadable credential at %s", self.app.name, exc_info=True)
            credential = None
        headers.pop("authorization", None)
        headers.pop("cookie", None)
        if credential is None:
            return None
        seat = self._guests.seat(self.app.name, credential.login, credential.secret)
        if seat is None and self.app.product.grants is not None:
            return self._guests.bearer(credential.secret.encode())
        if seat is not None and raw is not None:
            if len(self._known) > 20_000:
                self._known.clear()
            self._known[raw] = seat
        return seat

    def _raw(self, reply: Reply, links: Links | None) -> list[tuple[bytes, bytes]]:
        """The reply's headers as bytes; whoever writes the body says its length."""
        coded = self._coded
        raw: list[tuple[bytes, bytes]] = []
        for name, value in reply.headers.items():
            known = coded.get(name)
            if known is None or known[0] != value:  # most headers say the same in every reply
                known = coded[name] = (value, (name.lower().encode("ascii"), _header_bytes(value)))
            pair = known[1]
            if pair[0] == b"content-length":
                continue
            if links is not None and pair[0] in LINKING:
                pair = (pair[0], links.outward(pair[1]))
            raw.append(pair)
        return raw


def _header_bytes(value: str) -> bytes:
    """A header's value as it can go over the wire: what does not print is left out."""
    if value.isascii() and value.isprintable():
        return value.encode("ascii")
    return "".join(c for c in value if c.isprintable()).encode("utf-8")


async def _body(receive: Receive, length: int, limit: int) -> bytes | None:
    """The whole body, before the request takes its place in the queue; None when it is larger than the limit.

    What is too much is read and dropped, within reason: a client that is still sending does not listen.
    """
    if length > DRAIN_BYTES:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError("half a request is no request")
        part = message.get("body", b"")
        size += len(part)
        if size <= limit:
            parts.append(part)
        else:
            parts.clear()
        if not message.get("more_body"):
            return (parts[0] if len(parts) == 1 else b"".join(parts)) if size <= limit else None
        if size > DRAIN_BYTES:
            return None


def _size(length: str) -> int:
    """A declared body length; what is not a number tells nothing."""
    if not length:
        return 0
    return int(length) if length.isdecimal() and length.isascii() and len(length) < 19 else UNTOLD
