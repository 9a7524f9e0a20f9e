"""The app door: one ASGI app per product and host alias, at the vendor's own paths.

The credential in a request, or the origin that it came to, picks the episode and with it the company.
"""

import re
from bisect import bisect_left
from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any

from diorama.doors.credentials import Credentials, Session
from diorama.doors.hosts import Place, origin_domain, place_of, vendor_host
from diorama.doors.links import HEADERS, Links
from diorama.doors.meter import BUCKETS, DoorFigures
from diorama.kernel import Reply, Request
from diorama.kit import Credential, Product
from diorama.kit.auth import credential_in
from diorama.kit.product import HERE
from diorama.kit.tokens import Tokens

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Raw = list[tuple[bytes, bytes]]

DRAIN_BYTES = 64 << 20  # read and drop this much of a refused body, so that the client reads the reply
REMEMBERED = 20_000

READ_HERE = ("authorization", "cookie", "content-length", "transfer-encoding", "content-encoding", "host")
"""Headers that the door reads itself; the world does not see them unless the product declares them."""
BODILESS = (204, 304)
WITH_TOKENS = frozenset((b"location", b"link", b"set-cookie"))
"""Reply headers in which a world may hand out its tokens."""
UNKNOWN_LENGTH = -1
_HOST_SLOT = re.compile(HERE.format(product=r"[^.]*", alias=r"[^\ue001]*"))
_DOMAIN = re.compile(r";\s*domain=[^;]*", re.IGNORECASE)


class Door:
    """The ASGI callable of one host alias of a product, for every company that has the product."""

    def __init__(self, product: Product, credentials: Credentials, alias: str = "") -> None:
        self.product = product
        self.alias = alias
        self.figures = DoorFigures(latency=[0] * (len(BUCKETS) + 1))
        self._credentials = credentials
        self._domain = origin_domain(product.name, alias)
        self._names: dict[bytes, str | None] = {name.encode(): name for name in READ_HERE}
        self._encoded: dict[str, tuple[str, tuple[bytes, bytes]]] = {}  # header -> its last value, in bytes too
        self._known: dict[str, Session] = {}  # raw Authorization header -> session, so that it is decoded once
        self._places: dict[str, Place] = {}
        self._remember = product.auth.reads == "authorization"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request: authenticate it as it was sent, pass it to the episode, answer with links that work."""
        if scope["type"] != "http":
            return
        began = perf_counter()
        headers = self._headers(scope["headers"])
        length = _size(headers.pop("content-length", ""))
        if headers.pop("transfer-encoding", ""):
            length = UNKNOWN_LENGTH
        asked = headers.pop("host", "")
        place = self._places.get(asked) or self._place(asked)
        try:
            session, body = await self._admit(scope, receive, headers, place, length)
        except ConnectionError:
            return
        headers.pop("authorization", None)
        if not self.product.cookies:
            headers.pop("cookie", None)
        links: Links | None = None
        tokens: Tokens | None = None
        mark = ""
        if session is None:
            unread = body is None and self.product.auth.reads == "request"  # the credential may be in it
            reply = self._refusal("too_large" if unread else "unauthorized", asked)
        elif body is None:
            reply = session.app.refuse(self.product.refusal("too_large", ""))
        else:
            if scope.get("scheme") != "https":  # real host names need no rewriting
                links = session.links(place.mark != "")
            tokens, mark = session.tokens, session.mark
            reply = session.send(self._request(scope, headers, body, session, place, links))

        status, content = reply.status, reply.body
        if links is not None and content and "content-encoding" not in reply.headers:
            content = links.body_out(content, reply.headers.get("content-type", ""))
        if tokens is not None and content:
            content = tokens.outward(content, mark)
        raw = self._raw(reply, links, tokens, mark)
        if content or (status not in BODILESS and scope["method"] != "HEAD"):
            raw.append((b"content-length", b"%d" % len(content)))
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": content})
        self._count(status, perf_counter() - began)

    # --- who is asking

    async def _admit(
        self, scope: Scope, receive: Receive, headers: dict[str, str], place: Place, length: int
    ) -> tuple[Session | None, bytes | None]:
        """Return the session of a request and its body; a body that is too large is None.

        The body is read before the credential only if the vendor's scheme looks into it. Of a stranger's body nothing
        is kept.
        """
        if self.product.auth.reads == "request":
            body = await _body(receive, length, self.product.max_body) if length else b""
            return self._session(scope, headers, place, body or b""), body
        session = self._session(scope, headers, place, b"")
        may_show_token = session is None and self.product.grants is not None and "authorization" not in headers
        limit = self.product.max_body if session is not None or may_show_token else 0
        body = await _body(receive, length, limit) if length else b""
        if may_show_token and body and not place.mark:
            session = self._by_token_in(body)
        return session, body

    def _session(self, scope: Scope, headers: dict[str, str], place: Place, body: bytes) -> Session | None:
        """Return who sends a request: the holder of its credential, or an anonymous client of an episode's origin."""
        name = self.product.name
        raw = headers.get("authorization")
        if raw is not None and self._remember:
            known = self._known.get(raw)
            if known is not None and known.live:
                return known if place.mark in ("", known.mark) else None
            self._known.pop(raw, None)
        credential = self._credential(scope, headers, place, body)
        if credential is not None:
            session = self._credentials.find(name, credential)
            if session is not None and raw is not None and self._remember:
                if len(self._known) > REMEMBERED:
                    self._known.clear()
                self._known[raw] = session
            if session is None and self.product.grants is not None and credential.proof is None:
                tokens, shown = self.product.grants.tokens, credential.secret.encode("utf-8", "replace")
                mark = tokens.mark_in(shown)
                session = self._credentials.with_token(name, mark, tokens.inward(shown, mark).decode())
            return session if session is not None and place.mark in ("", session.mark) else None
        if raw is not None:
            return None
        if place.mark:
            return self._credentials.anonymous(name, place.mark)
        return self._by_token_in(scope["raw_path"] + b" " + scope["query_string"] + b" " + body)

    def _by_token_in(self, data: bytes) -> Session | None:
        """Return an anonymous session in the episode of the first token that a request holds."""
        if self.product.grants is None:
            return None
        return self._credentials.anonymous(self.product.name, self.product.grants.tokens.mark_in(data))

    def _credential(self, scope: Scope, headers: dict[str, str], place: Place, body: bytes) -> Credential | None:
        """Return the credential that the vendor's scheme finds in a request as it was sent."""
        host = place.host
        if not self._remember:
            headers = {}
            for key, value in scope["headers"]:
                text, known = value.decode("latin-1"), key.decode("latin-1")
                headers[known] = f"{headers[known]}, {text}" if known in headers else text
            if place.mark and (there := self._credentials.anonymous(self.product.name, place.mark)) is not None:
                host = vendor_host(there.app, self.alias, place)
        path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
        request = Request(scope["method"], path, query, headers, body, host)
        return credential_in(self.product.auth, request)

    # --- what is asked

    def _request(
        self,
        scope: Scope,
        headers: dict[str, str],
        body: bytes,
        session: Session,
        place: Place,
        links: Links | None,
    ) -> Request:
        """Return the request as the world gets it: no secrets, vendor host names, the world's own tokens."""
        path, query = scope["raw_path"].decode("latin-1"), scope["query_string"]
        packed = headers.pop("content-encoding", "")
        if links is not None:
            if b"http" in query:
                query = links.query_in(query)
            if b"http" in body and not packed:
                body = links.body_in(body, headers.get("content-type", ""))
            for name, value in headers.items():
                if value.startswith("http"):
                    headers[name] = links.header_in(value)
        tokens, mark = session.tokens, session.mark
        if tokens is not None:
            path = tokens.inward(scope["raw_path"], mark).decode("latin-1")
            query, body = tokens.inward(query, mark), tokens.inward(body, mark) if body else body
            if "cookie" in headers:
                headers["cookie"] = tokens.inward(headers["cookie"].encode("latin-1"), mark).decode("latin-1")
        if packed and "content-encoding" in self.product.recorded:
            headers["content-encoding"] = packed
        host = vendor_host(session.app, self.alias, place)
        request = Request(scope["method"], path, query.decode("latin-1"), headers, body, host)
        return session.app.without_credential(request)

    def _headers(self, raw: Raw) -> dict[str, str]:
        """Return the headers that the door or the product reads, by lower-case name."""
        names = self._names
        headers: dict[str, str] = {}
        for name, value in raw:
            known = names[name] if name in names else self._name(name)
            if known is not None:
                text = value.decode("latin-1")
                between = "; " if known == "cookie" else ", "
                headers[known] = f"{headers[known]}{between}{text}" if known in headers else text
        return headers

    def _name(self, name: bytes) -> str | None:
        """Return the name of a header that the product reads, or None; decided once per name."""
        text = name.decode("latin-1")
        known = text if text in self.product.recorded else None
        if self.product.grants is not None and text == self.product.grants.header:
            known = None  # only the door says which token was shown
        if len(self._names) < 1000:
            self._names[name] = known
        return known

    def _place(self, asked: str) -> Place:
        """Read a Host header; decided once per value."""
        place = place_of(asked, self._domain)
        if len(self._places) < REMEMBERED:
            self._places[asked] = place
        return place

    # --- what is answered

    def _refusal(self, kind: str, asked: str) -> Reply:
        """Return the vendor's words for a refusal that belongs to no company; links in it name the host asked for."""
        refusal = self.product.refusal(kind, "")
        content_type, body = self.product.worded(refusal)
        here = asked if asked.isascii() and asked.isprintable() else ""
        headers = {"content-type": content_type, **refusal.headers}
        return Reply(
            refusal.status,
            {name: _HOST_SLOT.sub(lambda _: here, value) for name, value in headers.items()},
            _HOST_SLOT.sub(lambda _: here, body.decode()).encode() if b"\xee\x80\x80" in body else body,
            kind,
        )

    def _raw(self, reply: Reply, links: Links | None, tokens: Tokens | None, mark: str) -> Raw:
        """Return the reply's headers as bytes; the length is written with the body."""
        encoded = self._encoded
        raw: Raw = []
        for name, value in reply.headers.items():
            known = encoded.get(name)
            if known is None or known[0] != value:  # most headers have the same value in every reply
                known = encoded[name] = (value, (name.lower().encode("ascii"), _header_bytes(value)))
            pair = known[1]
            if pair[0] == b"content-length":
                continue
            if pair[0] in WITH_TOKENS or pair[0] in HEADERS:
                pair = (pair[0], self._linked(pair[0], pair[1], links, tokens, mark))
            raw.append(pair)
        return raw

    def _linked(self, name: bytes, value: bytes, links: Links | None, tokens: Tokens | None, mark: str) -> bytes:
        """Return a header with URLs and tokens that work for the client."""
        if links is not None:
            value = links.header_out(name, value)
            if name == b"set-cookie":  # a cookie belongs to one origin, so that no two episodes share it
                value = _DOMAIN.sub("", value.decode("latin-1")).encode("latin-1")
        return tokens.outward(value, mark) if tokens is not None else value

    def _count(self, status: int, seconds: float) -> None:
        figures = self.figures
        figures.replies[status] = figures.replies.get(status, 0) + 1
        figures.latency[bisect_left(BUCKETS, seconds)] += 1
        figures.seconds += seconds


def _header_bytes(value: str) -> bytes:
    """Return a header's value as it can go over the wire; characters that do not print are left out."""
    if value.isascii() and value.isprintable():
        return value.encode("ascii")
    return "".join(c for c in value if c.isprintable()).encode("utf-8")


async def _body(receive: Receive, length: int, limit: int) -> bytes | None:
    """Return the whole body, or None if it is larger than the limit.

    A body that is too large is read and dropped, up to DRAIN_BYTES: a client that is still sending does not listen.
    """
    if length > DRAIN_BYTES:
        return None
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError("the client left before its request was complete")
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
    """Return a declared body length; anything but a number counts as unknown."""
    if not length:
        return 0
    return int(length) if length.isdecimal() and length.isascii() and len(length) < 19 else UNKNOWN_LENGTH
