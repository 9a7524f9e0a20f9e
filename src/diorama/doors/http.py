"""The app door: one server per product and host alias, at the vendor's own paths.

The credential in a request, or the origin that it came to, picks the episode and with it the company.
"""

import logging
import re
import time
from bisect import bisect_left
from http import HTTPStatus
from time import perf_counter
from typing import Any

from diorama.doors.connection import Admission, Answer, Done, head_of, plain_refusal
from diorama.doors.credentials import Credentials, Session
from diorama.doors.heads import Fields, Head
from diorama.doors.hosts import Place, origin_domain, place_of, vendor_host
from diorama.doors.links import HEADERS, Links
from diorama.doors.meter import BUCKETS, DoorFigures
from diorama.doors.turns import Task, Turns
from diorama.kernel import Reply, Request
from diorama.kit import Credential, Product
from diorama.kit.auth import credential_in, scheme_shown, without_secrets
from diorama.kit.product import HOST_PLACEHOLDER
from diorama.kit.tokens import Tokens

log = logging.getLogger("diorama.door")

TOKEN_BODY_BYTES = 64 << 10
"""A stranger's body is kept up to this size, if it may show a token that a world minted."""
HEAVY_BYTES = 16 << 10
"""A larger request counts as expensive before it is served."""
REMEMBERED = 20_000

READ_HERE = ("authorization", "cookie", "content-encoding")
"""Headers that the door reads itself; the world does not see them unless the product declares them."""
OF_THE_CONNECTION = (b"content-length", b"transfer-encoding", b"host")
"""Headers that no world sees."""
WITH_TOKENS = frozenset((b"location", b"link", b"set-cookie"))
"""Reply headers in which a world may hand out its tokens."""
_HOST_SLOT = re.compile(HOST_PLACEHOLDER.format(product=r"[^.]*", alias=r"[^\ue001]*"))
_DOMAIN = re.compile(r";\s*domain=[^;]*", re.IGNORECASE)


class Door:
    """The server of one host alias of a product, for every company that has the product."""

    def __init__(self, product: Product, credentials: Credentials, alias: str = "", turns: Turns | None = None) -> None:
        """`turns` shares the process between the episodes; without it every request is answered at once."""
        self.product = product
        self.alias = alias
        self.figures = DoorFigures(latency=[0] * (len(BUCKETS) + 1))
        self._credentials = credentials
        self._turns = turns
        self._domain = origin_domain(product.name, alias)
        self._names: dict[bytes, str | None] = {name.encode(): name for name in READ_HERE}
        self._names |= dict.fromkeys(OF_THE_CONNECTION)
        self._plain: dict[str, str] = {}  # headers that are written as they are -> how their line begins
        self._known: dict[str, Session] = {}  # raw Authorization header -> session, so that it is decoded once
        self._places: dict[bytes, Place] = {}
        self._remember = product.auth.reads == "authorization"
        self._outside = 0  # replies that no world gave

    # --- what a listener serves

    def admit(self, head: Head) -> Admission:
        """Say who asks and how large a body may be.

        A stranger's body is kept only if the credential may be in it.
        """
        place = self._places.get(head.host) or self._place(head.host)
        if self.product.auth.reads == "request":
            return Admission(None, None, self.product.max_body)
        headers = self._headers(head.fields)
        session = self._session(head, headers, place, b"")
        if session is not None:
            return Admission(session, session.mark, self.product.max_body)
        may_show_token = self.product.grants is not None and "authorization" not in headers
        return Admission(None, None, min(TOKEN_BODY_BYTES, self.product.max_body) if may_show_token else 0)

    def answer(self, head: Head, admission: Admission, body: bytes | None, done: Done) -> None:
        """Answer a request as the vendor: at once if it reaches no episode, else in the episode's turn."""
        began = perf_counter()
        place = self._places.get(head.host) or self._place(head.host)
        headers = dict(self._headers(head.fields))
        session: Session | None = admission.session
        if session is None and (self.product.auth.reads == "request" or body):
            session = self._session_of_body(head, headers, place, body or b"")
        if session is None:
            unread = body is None and self.product.auth.reads == "request"  # the credential may be in it
            shown = "" if unread else scheme_shown(self.product.auth, self._as_sent(head, headers, place, body or b""))
            reply = self._refusal("too_large" if unread else "unauthorized", head.host.decode("latin-1"), shown)
            self._finish(self._own_answer(reply, head.episode), began, done)
            return
        if body is None:
            reply = session.app.refuse(self.product.refusal("too_large", ""))
            self._finish(self._own_answer(reply, session.mark), began, done)
            return

        def run(session: Session = session, body: bytes = body) -> Answer:
            return self._serve(head, headers, body, session, place)

        if self._turns is None:
            self._finish(run(), began, done)
            return
        task = Task(run, lambda made, error: self._finish(made or self._broken(error, session.mark), began, done))
        task.heavy = len(body) + len(head.query) + len(head.path) > HEAVY_BYTES
        task.costly = lambda: session.is_costly(len(body))
        task.limit = self._turns.limit
        if not self._turns.put(session.mark, task):
            self._finish(self._busy(session.mark), began, done)

    def crowded(self, admission: Admission) -> Answer:
        """Refuse an episode that has too many connections or sends too much at once."""
        made = self._busy(admission.episode)
        self._count(made.status, 0.0)
        return made

    def unreadable(self, status: int, reason: str, episode: str | None) -> Answer:
        """Refuse what is not HTTP, as the vendor's front end does."""
        if self.product.edge is None:
            return plain_refusal(status, reason)
        known = {one.value: one.phrase for one in HTTPStatus}
        headers, body = self.product.edge.unreadable(status, known.get(status, ""), self._time(episode))
        head, tail = self._in_order(dict(headers), None, None, "")
        return Answer(status, head, body, tail)

    def _finish(self, made: Answer, began: float, done: Done) -> None:
        done(made)
        self._count(made.status, perf_counter() - began)

    def _busy(self, episode: str | None) -> Answer:
        return self._own_answer(self._refusal("rate_limited", "", 1), episode)

    def _broken(self, error: Exception | None, episode: str) -> Answer:
        """Word a failure of this door itself; a session never raises."""
        log.error("the door of %s failed: %s: %s", self.product.name, type(error).__name__, error)
        return self._own_answer(self._refusal("failing", ""), episode)

    def _serve(self, head: Head, headers: dict[str, str], body: bytes, session: Session, place: Place) -> Answer:
        """Send a request to its episode and return the reply, with links and tokens that work for the client."""
        if not session.live:  # it ended while the request waited
            shown = scheme_shown(self.product.auth, self._as_sent(head, headers, place, body))
            return self._own_answer(self._refusal("unauthorized", head.host.decode("latin-1"), shown), session.mark)
        headers.pop("authorization", None)
        if not self.product.cookies:
            headers.pop("cookie", None)
        links = None if head.secure else session.links(place.mark != "")  # real host names need no rewriting
        request = self._request(head, headers, body, session, place, links)
        reply = session.send(request)
        now_us = session.now_us if self.product.edge is not None else 0
        return self._answer_of(reply, now_us, links, session.tokens, session.mark)

    def _own_answer(self, reply: Reply, episode: str | None) -> Answer:
        """Return a reply that no world gave; it shows the time of the client's episode."""
        self._outside += 1
        return self._answer_of(reply, self._time(episode))

    def _time(self, episode: str | None) -> int:
        """Return the time of an episode, of the newest one if the client has none, or else the wall time."""
        if self.product.edge is None:
            return 0
        known = self._credentials.anonymous(self.product.name, episode or "")
        known = known if known is not None and known.now_us else self._credentials.newest(self.product.name)
        return (known.now_us if known is not None else 0) or time.time_ns() // 1000

    def _answer_of(
        self, reply: Reply, now_us: int, links: Links | None = None, tokens: Tokens | None = None, mark: str = ""
    ) -> Answer:
        content = reply.body
        if links is not None and content and "content-encoding" not in reply.headers:
            content = links.body_out(content, reply.headers.get("content-type", ""))
        if tokens is not None and content:
            content = tokens.outward(content, mark)
        edge = self.product.edge
        if edge is None:
            return Answer(reply.status, self._head(reply.headers, links, tokens, mark), content)
        lines = edge.lines(reply, now_us)
        if lines is not None:
            return Answer(reply.status, lines[0].encode("ascii"), content, lines[1].encode("ascii"))
        headers = edge.headers(reply, now_us or self._time(mark), self._outside)
        head, tail = self._in_order(headers, links, tokens, mark)
        return Answer(reply.status, head, content, tail)

    # --- who is asking

    def _session_of_body(self, head: Head, headers: dict[str, str], place: Place, body: bytes) -> Session | None:
        """Return the session of a request whose credential may be in its body."""
        if self.product.auth.reads == "request":
            return self._session(head, headers, place, body)
        if self.product.grants is None or "authorization" in headers or place.mark:
            return None
        return self._by_token_in(body)

    def _session(self, head: Head, headers: dict[str, str], place: Place, body: bytes) -> Session | None:
        """Return who sends a request: the holder of its credential, or an anonymous client of an episode's origin."""
        name = self.product.name
        raw = headers.get("authorization")
        if raw is not None and self._remember:
            known = self._known.get(raw)
            if known is not None and known.live:
                return known if place.mark in ("", known.mark) else None
            self._known.pop(raw, None)
        credential = self._credential(head, headers, place, body)
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
        if head.episode and (known := self._visitor(head)) is not None:
            return known
        return self._by_token_in(head.path + b" " + head.query + b" " + body)

    def _visitor(self, head: Head) -> Session | None:
        """Return an anonymous session in the episode of earlier requests of the connection, for what all may see."""
        session = self._credentials.anonymous(self.product.name, head.episode or "")
        path, query = head.path.decode("latin-1"), head.query.decode("latin-1")
        if session is None or not session.app.is_public(Request(head.method, path, query)):
            return None
        return session

    def _by_token_in(self, data: bytes) -> Session | None:
        """Return an anonymous session in the episode of the first token that a request holds."""
        if self.product.grants is None:
            return None
        return self._credentials.anonymous(self.product.name, self.product.grants.tokens.mark_in(data))

    def _credential(self, head: Head, headers: dict[str, str], place: Place, body: bytes) -> Credential | None:
        """Return the credential that the vendor's scheme finds in a request as it was sent."""
        return credential_in(self.product.auth, self._as_sent(head, headers, place, body))

    def _as_sent(self, head: Head, headers: dict[str, str], place: Place, body: bytes) -> Request:
        """Return a request as the vendor's scheme reads it: before any rewriting, with the headers that it may read."""
        host = place.host
        if not self._remember:
            headers = {}
            for key, value in head.fields.pairs:
                text, known = value.decode("latin-1"), key.decode("latin-1")
                headers[known] = f"{headers[known]}, {text}" if known in headers else text
            if place.mark and (there := self._credentials.anonymous(self.product.name, place.mark)) is not None:
                host = vendor_host(there.app, self.alias, place)
        path, query = head.path.decode("latin-1"), head.query.decode("latin-1")
        return Request(head.method, path, query, headers, body, host)

    # --- what is asked

    def _request(
        self,
        head: Head,
        headers: dict[str, str],
        body: bytes,
        session: Session,
        place: Place,
        links: Links | None,
    ) -> Request:
        """Return the request as the world gets it: no secrets, vendor host names, the world's own tokens."""
        path, query = head.path, head.query
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
            path = tokens.inward(path, mark)
            query, body = tokens.inward(query, mark) if query else query, tokens.inward(body, mark) if body else body
            if "cookie" in headers:
                headers["cookie"] = tokens.inward(headers["cookie"].encode("latin-1"), mark).decode("latin-1")
        if packed and "content-encoding" in self.product.recorded:
            headers["content-encoding"] = packed
        host = vendor_host(session.app, self.alias, place)
        request = Request(head.method, path.decode("latin-1"), query.decode("latin-1"), headers, body, host)
        return without_secrets(session.app.without_credential(request), session.issued)

    def _headers(self, fields: Fields) -> dict[str, str]:
        """Return the headers that the door or the product reads, by lower-case name; do not change them."""
        known: dict[str, str] | None = fields.seen
        if known is not None:
            return known
        names = self._names
        headers: dict[str, str] = {}
        for name, value in fields.pairs:
            wanted = names[name] if name in names else self._name(name)
            if wanted is not None:
                text = value.decode("latin-1")
                between = "; " if wanted == "cookie" else ", "
                headers[wanted] = f"{headers[wanted]}{between}{text}" if wanted in headers else text
        fields.seen = headers
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

    def _place(self, asked: bytes) -> Place:
        """Read a Host header; decided once per value."""
        place = place_of(asked.decode("latin-1"), self._domain)
        if len(self._places) < REMEMBERED:
            self._places[asked] = place
        return place

    # --- what is answered

    def _refusal(self, kind: str, asked: str, about: Any = "") -> Reply:
        """Return the vendor's words for a refusal that belongs to no company; links in it name the host asked for."""
        refusal = self.product.refusal(kind, about)
        content_type, body = self.product.worded(refusal)
        here = asked if asked.isascii() and asked.isprintable() else ""
        headers = {"content-type": content_type, **refusal.headers}
        return Reply(
            refusal.status,
            {name: _HOST_SLOT.sub(lambda _: here, value) for name, value in headers.items()},
            _HOST_SLOT.sub(lambda _: here, body.decode()).encode() if b"\xee\x80\x80" in body else body,
            kind,
        )

    def _head(self, headers: dict[str, str], links: Links | None, tokens: Tokens | None, mark: str) -> bytes:
        """Return the reply's header lines; the length is written with the body."""
        values = "".join(headers.values())
        if values.isascii() and values.isprintable():
            try:
                lines = [f"{self._plain[name]}{value}\r\n" for name, value in headers.items()]
                return "".join(lines).encode("ascii")
            except KeyError:  # a name that is new, or whose value may hold a link or a token
                pass
        pairs = []
        for name, value in headers.items():
            low, raw = name.lower().encode("ascii"), _header_bytes(value)
            if low in WITH_TOKENS or low in HEADERS:
                raw = self._linked(low, raw, links, tokens, mark)
            elif low != b"content-length" and len(self._plain) < 1000:
                self._plain[name] = f"{name.lower()}: "
            if low != b"content-length":
                pairs.append((low, raw))
        return head_of(pairs)

    def _in_order(
        self, headers: dict[str, str], links: Links | None, tokens: Tokens | None, mark: str
    ) -> tuple[bytes, bytes]:
        """Return header lines as the vendor's front end writes them: those before and those behind the length."""
        pairs, split = [], 0
        for name, value in headers.items():
            low, raw = name.lower().encode("ascii"), _header_bytes(value)
            if low == b"content-length":
                continue
            if low in WITH_TOKENS or low in HEADERS:
                raw = self._linked(low, raw, links, tokens, mark)
            pairs.append((name.encode("ascii"), raw))
            if low in (b"date", b"content-type"):
                split = len(pairs)
        return head_of(pairs[:split]), head_of(pairs[split:])

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


def ask(door: Door, request: Request) -> Reply:
    """Send one request through a door without a socket, and return the reply."""
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers.items()]
    if request.host:
        pairs.append((b"host", request.host.encode()))
    fields = Fields(pairs)
    fields.length = len(request.body)
    head = Head(request.method, request.path.encode("latin-1"), request.query.encode("latin-1"), fields)
    answers: list[Answer] = []
    admission = door.admit(head)
    door.answer(head, admission, request.body if len(request.body) <= admission.limit else None, answers.append)
    (made,) = answers
    text = (made.head + (made.tail or b"")).decode()
    lines = [line.partition(": ") for line in text.split("\r\n") if line]
    return Reply(made.status, {name.lower(): value for name, _, value in lines}, made.content)
