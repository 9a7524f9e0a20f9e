"""Links: the vendor's own addresses inside the world, this machine's addresses on the wire."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote

_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-@")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

Pair = tuple[bytes, bytes]


class Links:
    """Writes `https://<vendor host>` as this door's address on the way out, and back on the way in."""

    def __init__(self, origins: Mapping[str, str], aliases: Mapping[str, Iterable[str]] | None = None) -> None:
        """`origins`: vendor host -> `http://127.0.0.1:8701`; `aliases`: vendor host -> other ways to spell that."""
        self._out: list[Pair] = []
        self._in: list[Pair] = []
        for host, origin in origins.items():
            if host:
                self._out += _forms(f"https://{host}", origin)
                for spelling in dict.fromkeys((origin, *(aliases or {}).get(host, ()))):
                    self._in += _forms(spelling, f"https://{host}")
        self._hosts = tuple(dict.fromkeys(host.encode() for host in origins if host))
        self._marks = tuple(dict.fromkeys(_authority(pattern) for pattern, _ in self._in))

    def outward(self, data: bytes) -> bytes:
        """What the client is sent for what the world wrote."""
        for host in self._hosts:
            if host in data:
                return _swap(data, self._out)
        return data

    def inward(self, data: bytes) -> bytes:
        """What the world is told for what the client wrote."""
        for mark in self._marks:
            if mark in data:
                return _swap(data, self._in)
        return data


def _forms(old: str, new: str) -> list[Pair]:
    """The ways an address is spelled inside a body: plain, with JSON's escaped slashes, percent-encoded."""
    spellings = [(old, new), (old.replace("/", "\\/"), new.replace("/", "\\/")), (quote(old, ""), quote(new, ""))]
    spellings.append((quote(old, "").replace("%3A", "%3a").replace("%2F", "%2f"), quote(new, "")))
    return [(a.encode(), b.encode()) for a, b in spellings]


def _authority(pattern: bytes) -> bytes:
    """The host name in a pattern: what must be present before any spelling can be."""
    name = pattern.replace(b"\\/", b"/").replace(b"%3A", b":").replace(b"%3a", b":").replace(b"%2F", b"/")
    return name.replace(b"%2f", b"/").split(b"//", 1)[1].rsplit(b":", 1)[0]


def _swap(data: bytes, pairs: list[Pair]) -> bytes:
    for old, new in pairs:
        if old in data:
            parts = data.split(old)
            rest = parts[1:]
            if any(map(_goes_on, rest)):
                data = parts[0] + b"".join((old if _goes_on(part) else new) + part for part in rest)
            else:
                data = new.join(parts)
    return data


def _goes_on(part: bytes) -> bool:
    """Whether the host name continues here, so that this is another host altogether."""
    if not part:
        return False
    first = part[0]
    if first in _NAME:
        return True
    return first in b".:" and len(part) > 1 and part[1] in _WORD
