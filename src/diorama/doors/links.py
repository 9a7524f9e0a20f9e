"""Links: vendor host names inside the world, this server's addresses on the wire.

Only a URL that is a whole value is rewritten: a JSON string, a form or query value, an XML element or attribute, a
Location or Link header. Text that people wrote, signed payloads and unknown content types stay as they are.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from urllib.parse import quote, urlsplit

import msgspec

_SLOT = re.compile(r"\{(\w+)\}")
_SLOT_VALUE = "[a-z0-9._-]+"
_NESTED = re.compile(rb"=https?(?:://|%3a%2f%2f|%3A%2F%2F)")
"""A URL as the value of another URL's query."""


class Address(msgspec.Struct, frozen=True):
    """A vendor host, the URL that stands for it on the wire, and other spellings of that URL that clients send.

    A host with a slot, `{bucket}.s3.example`, has a URL with the same slot.
    """

    host: str
    url: str
    aliases: tuple[str, ...] = ()


class Syntax(msgspec.Struct, frozen=True, eq=False):
    """How a whole value looks in one kind of text."""

    tail: re.Pattern[bytes]
    """What may follow the host name: the rest of the URL, and the end of the value."""
    start: str = ""
    """What opens a value; "" if the text is one value, or name=value pairs."""
    escape: bytes = b""
    """In front of `start` it means that no value is opened."""
    pairs: bool = False
    """Whether the text is a list of name=value pairs."""
    spellings: tuple[Callable[[str], str], ...] = (str,)
    """How a URL may be spelled: with escaped slashes in JSON, with percent signs in forms."""
    urls: re.Pattern[bytes] | None = None
    """Finds every whole URL with a query: what stands before the query, and the query."""


def _escaped(text: str) -> str:
    return text.replace("/", "\\/")


def _percent(text: str) -> str:
    return quote(text, "{}")


def _percent_lower(text: str) -> str:
    return _percent(text).replace("%3A", "%3a").replace("%2F", "%2f")


_REST = rb"[!#-\[\]-\xff]*"  # no space, quote or backslash
JSON = Syntax(
    re.compile(rb'(?:[/?#]%b)?"(?!\s*:)|(?=[/?#\\])%b(?:\\[/u]%b)*"(?!\s*:)' % (_REST, _REST, _REST)),
    start='"',
    escape=b"\\",
    spellings=(str, _escaped),
    urls=re.compile(rb'(?<!\\)("https?:[^\s"\\?]*(?:\\/[^\s"\\?]*)*\?)([^\s"\\]*)(?="(?!\s*:))'),
)
FORM = Syntax(
    re.compile(rb"(?=[/?#]|%2f|%3f|%23|$)(?:(?!%20|%0)[^&+\s])*$", re.IGNORECASE),
    pairs=True,
    spellings=(str, _percent, _percent_lower),
)
ELEMENT = Syntax(
    re.compile(rb"(?:[/?#][^\s<>\"']*)?</"),
    start=">",
    urls=re.compile(rb"(>https?:[^\s<>\"'?]*\?)([^\s<>\"']*)(?=</)"),
)
ATTRIBUTES = (
    Syntax(
        re.compile(rb'(?:[/?#][^\s<>"]*)?"'),
        start='="',
        urls=re.compile(rb'(="https?:[^\s<>"?]*\?)([^\s<>"]*)(?=")'),
    ),
    Syntax(
        re.compile(rb"(?:[/?#][^\s<>']*)?'"),
        start="='",
        urls=re.compile(rb"(='https?:[^\s<>'?]*\?)([^\s<>']*)(?=')"),
    ),
)
WHOLE = Syntax(re.compile(rb"(?:[/?#]\S*)?$"), urls=re.compile(rb"(\Ahttps?:[^\s?]*\?)(\S*)\Z"))
LINK = Syntax(
    re.compile(rb"(?:[/?#][^\s<>]*)?>"),
    start="<",
    urls=re.compile(rb"(<https?:[^\s<>?]*\?)([^\s<>]*)(?=>)"),
)

HEADERS = {b"location": WHOLE, b"content-location": WHOLE, b"link": LINK}
"""Reply headers that hold URLs."""
Syntaxes = tuple[Syntax, ...]


@lru_cache(maxsize=512)
def syntaxes_of(content_type: str) -> Syntaxes:
    """Return how values look in a body of this type; empty for a body that must not be touched."""
    media = content_type.partition(";")[0].strip().lower()
    if media.endswith(("/json", "+json", "ndjson")):
        return (JSON,)
    if media == "application/x-www-form-urlencoded":
        return (FORM,)
    if media.endswith(("/xml", "+xml")):
        return (ELEMENT, *ATTRIBUTES)
    return ATTRIBUTES if media == "text/html" else ()


class Swap:
    """Replaces one URL prefix, in one spelling, by another where it begins a whole value. Takes linear time."""

    def __init__(self, syntax: Syntax, old: str, new: str) -> None:
        self._syntax = syntax
        self._old = (syntax.start + old).encode()
        self._new = (syntax.start + new).encode()
        self._slots: re.Pattern[bytes] | None = None
        if _SLOT.search(old):
            pieces = _SLOT.split(re.escape(syntax.start) + _regex(old))
            marked = (f"(?P<{piece}>{_SLOT_VALUE})" if at % 2 else piece for at, piece in enumerate(pieces))
            tail = syntax.tail
            self._slots = re.compile("".join(marked).encode() + b"(?=%b)" % tail.pattern, tail.flags)

    def apply(self, data: bytes) -> tuple[bytes, int]:
        """Return the rewritten text, and how often the prefix opens a value in it."""
        if self._syntax.pairs:
            pairs = [pair.partition(b"=") for pair in data.split(b"&")]
            return b"&".join(name + sign + self._value(value) for name, sign, value in pairs), 0
        if not self._syntax.start:
            return self._value(data), 0
        if self._slots is not None:
            return self._slots.sub(self._filled, data), 0
        return self._enclosed(data)

    def _enclosed(self, data: bytes) -> tuple[bytes, int]:
        """Rewrite every value between its `start` and its end."""
        old, size, whole, escape = self._old, len(self._old), self._syntax.tail.match, self._syntax.escape
        parts: list[bytes] = []
        end, at = 0, data.find(old)
        while at >= 0:
            parts.append(data[end:at])
            end = at + size
            following = data.find(old, end)
            fits = whole(data, end, following if following >= 0 else len(data)) is not None
            if not fits or (escape and data[at - 1 : at] == escape):
                return self._some_enclosed(data)
            at = following
        if not parts:
            return data, 0
        parts.append(data[end:])
        return self._new.join(parts), len(parts) - 1

    def _some_enclosed(self, data: bytes) -> tuple[bytes, int]:
        """Rewrite those values that end as they should; the prefix also stands in other text."""
        old, new, whole, escape = self._old, self._new, self._syntax.tail.match, self._syntax.escape
        parts = data.split(old)
        out = parts[:1]
        for before, part in itertools.pairwise(parts):
            fits = whole(part) is not None and not (escape and before.endswith(escape))
            out += (new if fits else old, part)
        return b"".join(out), len(parts) - 1

    def _value(self, value: bytes) -> bytes:
        """Rewrite a value that stands alone."""
        if self._slots is not None:
            found = self._slots.match(value)
            return value if found is None else self._filled(found) + value[found.end() :]
        if value.startswith(self._old) and self._syntax.tail.match(value, len(self._old)):
            return self._new + value[len(self._old) :]
        return value

    def _filled(self, found: re.Match[bytes]) -> bytes:
        """Return the new prefix with the values that stand in the slots of the old one."""
        escape = self._syntax.escape
        if escape and found.string[: found.start()][-1:] == escape:
            return found[0]
        return _SLOT.sub(lambda slot: found[slot[1]].decode(), self._new.decode()).encode()


def _regex(text: str) -> str:
    """Escape a text for a regular expression, but not its slots."""
    return "".join(part if at % 2 else re.escape(part) for at, part in enumerate(re.split(r"(\{\w+\})", text)))


class Rewriter:
    """One direction of the rewriting: every old URL prefix with its new one."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._pairs = list(dict.fromkeys(pairs))
        self._swaps: dict[Syntax, list[tuple[bytes, list[Swap]]]] = {}

    def apply(self, data: bytes, syntaxes: Syntaxes) -> bytes:
        """Return the text with every whole value rewritten."""
        for syntax in syntaxes:
            others = False
            for name, swaps in self._of(syntax):
                left = data.count(name)
                for swap in swaps if left else ():
                    data, seen = swap.apply(data)
                    left -= seen
                    if left <= 0:
                        break
                others |= left > 0
            if others and syntax.urls is not None and _NESTED.search(data):
                data = syntax.urls.sub(self._with_query, data)
        return data

    def _with_query(self, url: re.Match[bytes]) -> bytes:
        """Rewrite the query values of a URL."""
        return url[1] + self.apply(url[2], (FORM,))

    def _of(self, syntax: Syntax) -> list[tuple[bytes, list[Swap]]]:
        """Return what to replace, by the host name without which there is nothing to do."""
        found = self._swaps.get(syntax)
        if found is None:
            by_name: dict[bytes, list[Swap]] = {}
            for spell in syntax.spellings:
                for old, new in self._pairs:
                    name = (_SLOT.split(urlsplit(old).netloc)[-1].partition(":")[0]).encode()
                    by_name.setdefault(name, []).append(Swap(syntax, spell(old), spell(new)))
            found = self._swaps[syntax] = list(by_name.items())
        return found


class Links:
    """The addresses of one episode's apps: `https://<vendor host>` inside, this server's URLs on the wire."""

    def __init__(self, addresses: Iterable[Address]) -> None:
        known = list(addresses)
        self._out = Rewriter((f"https://{one.host}", one.url) for one in known)
        self._in = Rewriter((url, f"https://{one.host}") for one in known for url in (one.url, *one.aliases))

    def body_out(self, body: bytes, content_type: str) -> bytes:
        """Return a reply's body as the client gets it."""
        return self._out.apply(body, syntaxes_of(content_type))

    def header_out(self, name: bytes, value: bytes) -> bytes:
        """Return a reply's header as the client gets it."""
        syntax = HEADERS.get(name)
        return value if syntax is None else self._out.apply(value, (syntax,))

    def body_in(self, body: bytes, content_type: str) -> bytes:
        """Return a request's body as the world gets it; a body without a type is JSON if it looks like JSON."""
        syntaxes = syntaxes_of(content_type) if content_type else (JSON,) if body[:1] in (b"{", b"[") else ()
        return self._in.apply(body, syntaxes)

    def query_in(self, query: bytes) -> bytes:
        """Return a query string as the world gets it."""
        return self._in.apply(query, (FORM,))

    def header_in(self, value: str) -> str:
        """Return a request's header as the world gets it."""
        return self._in.apply(value.encode("latin-1", "replace"), (WHOLE,)).decode("latin-1")
