"""Heads of HTTP/1.1 requests: a strict parser that refuses every head which two programs could read differently."""

import re
from typing import Any

HEAD_BYTES = 64 << 10
"""The largest request line and headers together."""
FIELDS_AT_MOST = 256
REMEMBERED_BLOCKS = 2000
REMEMBERED_BYTES = 2048

_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]"
_VALUE = rb"[\t -~\x80-\xff]"
_LINE = re.compile(rb"(" + _TOKEN + rb"{1,40}) ([!-~\x80-\xff]+) HTTP/1\.([01])")
_FIELDS = re.compile(rb"(?:" + _TOKEN + rb"+:" + _VALUE + rb"*\r\n)*")
_HOST = re.compile(rb"[0-9A-Za-z._~:\[\]%!$&'()*+;={}-]*")
_LENGTH = re.compile(rb"[0-9]{1,15}")
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)", re.IGNORECASE)


_BARE_LINE_FEED = re.compile(rb"(?<!\r)\n")


def has_bare_line_feed(data: bytes | bytearray, start: int = 0) -> bool:
    """Return whether a line feed without a carriage return before it stands at or after a place."""
    return _BARE_LINE_FEED.search(data, start) is not None


class Malformed(Exception):
    """A request that no client library sends: the status and the reason of a plain refusal."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Fields:
    """The headers of a request, and what they say about its body and its connection."""

    __slots__ = ("chunked", "closes", "continues", "host", "length", "pairs", "seen")

    def __init__(self, pairs: list[tuple[bytes, bytes]]) -> None:
        """`pairs` have lower-case names; raise Malformed if they contradict each other."""
        self.pairs = pairs
        self.host: bytes | None = None
        self.length = 0
        self.chunked = self.closes = self.continues = False
        self.seen: Any = None  # what the server of these headers has worked out about them
        has_length = False
        for name, value in pairs:
            if name == b"host":
                if self.host is not None or not _HOST.fullmatch(value):
                    raise Malformed(400, "The Host header is not one host name.")
                self.host = value
            elif name == b"content-length":
                if has_length or not _LENGTH.fullmatch(value):
                    raise Malformed(400, "The Content-Length header is not one number.")
                has_length, self.length = True, int(value)
            elif name == b"transfer-encoding":
                if self.chunked or value.lower() != b"chunked":
                    raise Malformed(400, "The Transfer-Encoding header can only be `chunked`.")
                self.chunked = True
            elif name == b"connection":
                self.closes = self.closes or b"close" in [part.strip() for part in value.lower().split(b",")]
            elif name == b"expect":
                self.continues = value.lower() == b"100-continue"
        if self.chunked and has_length:
            raise Malformed(400, "Send Content-Length or Transfer-Encoding, not both.")


class Head:
    """The request line and the headers of one request."""

    __slots__ = ("episode", "fields", "host", "keeps", "method", "path", "query", "secure")

    def __init__(
        self, method: str, path: bytes, query: bytes, fields: Fields, host: bytes = b"", keeps: bool = True
    ) -> None:
        self.method = method
        self.path = path
        self.query = query
        self.fields = fields
        self.host = host or fields.host or b""
        self.keeps = keeps
        self.secure = False
        self.episode: str | None = None  # of earlier requests of the same connection

    @property
    def has_body(self) -> bool:
        """Whether bytes of a body follow."""
        return self.fields.length > 0 or self.fields.chunked


class Heads:
    """Parses heads; equal blocks of headers, as clients repeat them, are parsed once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Fields] = {}

    def parse(self, raw: bytes) -> Head:
        """Parse a head without its last empty line; raise Malformed if it is not exactly what the standard says."""
        line, _, block = raw.partition(b"\r\n")
        match = _LINE.fullmatch(line)
        if match is None:
            raise Malformed(400, "The request line is not `METHOD TARGET HTTP/1.1`.")
        method, target, minor = match.groups()
        fields = self._known.get(block)
        if fields is None:
            fields = Fields(parse_fields(block))
            if len(block) <= REMEMBERED_BYTES:
                if len(self._known) >= REMEMBERED_BLOCKS:
                    self._known.clear()
                self._known[block] = fields
        if minor == b"0":
            if fields.chunked:
                raise Malformed(400, "HTTP/1.0 has no Transfer-Encoding.")
        elif fields.host is None:
            raise Malformed(400, "HTTP/1.1 needs a Host header.")
        host = b""
        if not target.startswith(b"/"):
            host, target = _origin_form(method, target)
        path, _, query = target.partition(b"?")
        if b"#" in target:
            path, query = path.partition(b"#")[0], query.partition(b"#")[0]
        return Head(method.decode("ascii"), path, query, fields, host, minor == b"1" and not fields.closes)


def parse_fields(block: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers of a block of lines, names in lower case; the last line has no line end."""
    if not block:
        return []
    if not _FIELDS.fullmatch(block + b"\r\n"):
        raise Malformed(400, "A header line is not `name: value`.")
    lines = block.split(b"\r\n")
    if len(lines) > FIELDS_AT_MOST:
        raise Malformed(431, f"There are more than {FIELDS_AT_MOST} header lines.")
    pairs = []
    for line in lines:
        name, _, value = line.partition(b":")
        pairs.append((name.lower(), value.strip(b" \t")))
    return pairs


def _origin_form(method: bytes, target: bytes) -> tuple[bytes, bytes]:
    """Return the host of a target with a scheme, and its path; raise Malformed for a target of another form."""
    if target == b"*" and method == b"OPTIONS":
        return b"", target
    match = _ABSOLUTE.match(target)
    if match is None or not match[1] or not _HOST.fullmatch(match[1]):
        raise Malformed(400, "The target of a request starts with `/`.")
    rest = target[match.end() :]
    return match[1], rest if rest.startswith(b"/") else b"/" + rest
