"""Links: the vendor's own addresses inside the world, this machine's addresses on the wire."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlsplit

_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-@")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

ENDS = frozenset((b"/", b'"', b"?", b" ", b""))  # what mostly follows a host name, and ends it

Pair = tuple[bytes, bytes]


class Links:
    """Writes `https://<vendor host>` as this door's address on the way out, and back on the way in."""

    def __init__(self, origins: Mapping[str, str], aliases: Mapping[str, Iterable[str]] | None = None) -> None:
        """`origins`: vendor host -> `http://127.0.0.1:8701`; `aliases`: vendor host -> other ways to spell that."""
        out: dict[bytes, list[Pair]] = {}
        back: dict[bytes, list[Pair]] = {}
        for host, origin in origins.items():
            if host:
                out[host.encode()] = _forms(f"https://{host}", origin)
                for spelling in dict.fromkeys((origin, *(aliases or {}).get(host, ()))):
                    mark = (urlsplit(spelling).hostname or "").encode()
                    back.setdefault(mark, []).extend(_forms(spelling, f"https://{host}"))
        self._out = list(out.items())
        self._back = list(back.items())

    def outward(self, data: bytes) -> bytes:
        """What the client is sent for what the world wrote."""
        for host, pairs in self._out:
            if host in data:
                data = _swap(data, pairs)
        return data

    def inward(self, data: bytes) -> bytes:
        """What the world is told for what the client wrote."""
        for host, pairs in self._back:
            if host in data:
                data = _swap(data, pairs)
        return data


def _forms(old: str, new: str) -> list[Pair]:
    """The ways an address is spelled inside a body: plain, with JSON's escaped slashes, percent-encoded."""
    spellings = [(old, new), (old.replace("/", "\\/"), new.replace("/", "\\/")), (quote(old, ""), quote(new, ""))]
    spellings.append((quote(old, "").replace("%3A", "%3a").replace("%2F", "%2f"), quote(new, "")))
    return [(a.encode(), b.encode()) for a, b in spellings]


def _swap(data: bytes, pairs: list[Pair]) -> bytes:
    for old, new in pairs:
        parts = data.split(old)
        if len(parts) == 1:
            continue
        for part in parts[1:]:
            if part[:1] not in ENDS and _goes_on(part):
                data = parts[0] + b"".join((old if _goes_on(part) else new) + part for part in parts[1:])
                break
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
