"""The edge of Zendesk: the headers that Cloudflare and the application servers add to every reply.

Names, spelling and order are those of the recorded replies of node-zendesk (October 2023) and of documented examples:
https://developer.zendesk.com/documentation/api-basics/best-practices/best-practices-for-avoiding-rate-limiting
`Report-To` and `NEL` are left out: a browser would send reports to Cloudflare.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from diorama.kernel import Reply
from diorama.kit.edge import Edge, http_date

_RAY_EPOCH = 135_000_000_000
"""Ray ids count hundredths of a second from here; five recorded replies agree with their `Date` within 3 seconds."""
_UPPER = 0xFFFFFFFFF << 28
_POD_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_PODS = 24
_FRESH = "max-age=0, private, must-revalidate"
_HSTS = "max-age=31536000; includeSubDomains"
_OFTEN = frozenset(
    (
        "content-type", "x-request-id", "x-runtime", "etag", "x-rate-limit", "x-rate-limit-remaining",
        "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset",
    )
)  # fmt: skip
_LATE = ("etag", "cache-control")
"""What stands behind `strict-transport-security`; everything else of the product stands before it."""
_FIRST = ("retry-after", "location")
_PLACED = frozenset(("content-type", "x-request-id", "x-runtime", *_FIRST, *_LATE))


def ray_id(now_us: int, drawn: int) -> str:
    """Return the id of a request: the time in its upper 36 bits, random bits below, then the nearest data centre."""
    return "%016x-FRA" % ((now_us // 10_000 - _RAY_EPOCH) << 28 & _UPPER | drawn & 0xFFFFFFF)


def _letters(*about: object, length: int) -> str:
    digest = sha256(repr(about).encode()).digest()
    return "".join(_POD_LETTERS[byte % len(_POD_LETTERS)] for byte in digest[:length])


@lru_cache(maxsize=256)
def _release(hour: int) -> tuple[str, list[str], list[str]]:
    """Return the application's version in an hour, and the names of the servers that run it and the Help Center.

    The vendor released v9983 on 2021-10-19 and v18457 on 2023-09-23.
    """
    version = 18_457 + (hour - 470_952) * 12 // 24
    set_name, guide_name = _letters("classic", version, length=10), _letters("guide", version // 5, length=10)
    classic = [f"classic-app-server-{set_name}-{_letters(version, pod, length=5)}" for pod in range(_PODS)]
    guide = [f"app-server-{guide_name}-{_letters('guide', version, pod, length=5)}" for pod in range(_PODS)]
    return f"v{version}", classic, guide


class CloudflareEdge(Edge):
    """The headers of a reply through Cloudflare."""

    def lines(self, reply: Reply, now_us: int) -> tuple[str, str] | None:
        """Return the headers of a successful call of the API as text."""
        known = reply.headers
        if known.keys() != _OFTEN or reply.status >= 300:
            return None
        second = now_us // 1_000_000
        version, servers, _ = _release(second // 3600)
        ray = known["x-request-id"]
        before = f"Date: {http_date(second)}\r\nContent-Type: {known['content-type']}\r\n"
        after = (
            "x-zendesk-api-version: v2\r\n"
            f"x-zendesk-application-version: {version}\r\n"
            "x-frame-options: SAMEORIGIN\r\n"
            f"x-rate-limit: {known['x-rate-limit']}\r\n"
            f"ratelimit-limit: {known['ratelimit-limit']}\r\n"
            f"x-rate-limit-remaining: {known['x-rate-limit-remaining']}\r\n"
            f"ratelimit-remaining: {known['ratelimit-remaining']}\r\n"
            f"ratelimit-reset: {known['ratelimit-reset']}\r\n"
            f"strict-transport-security: {_HSTS}\r\n"
            f"etag: {known['etag']}\r\n"
            f"cache-control: {_FRESH}\r\n"
            f"x-zendesk-origin-server: {servers[int(ray[13:16], 16) % _PODS]}\r\n"
            f"x-request-id: {ray}\r\n"
            f"X-Request-ID: {ray}\r\n"
            f"x-runtime: {known['x-runtime']}\r\n"
            "X-Zendesk-Zorg: yes\r\n"
            "CF-Cache-Status: DYNAMIC\r\n"
            "Server: cloudflare\r\n"
            f"CF-RAY: {ray}\r\n"
        )
        return before, after

    def headers(self, reply: Reply, now_us: int, number: int = 0) -> dict[str, str]:
        """Return the headers of any reply."""
        known = {name.lower(): value for name, value in reply.headers.items()}
        second = now_us // 1_000_000
        version, classic, guide = _release(second // 3600)
        drawn = int.from_bytes(sha256(b"%d %d" % (now_us, number)).digest()[:8], "big")
        ray = known.get("x-request-id") or ray_id(now_us, drawn)
        made = {"Date": http_date(second)}
        if "content-type" in known:
            made["Content-Type"] = known["content-type"]
        if reply.status in (502, 504):  # the servers behind the edge did not answer
            return {**made, "cache-control": "no-store", "Server": "cloudflare", "CF-RAY": ray}
        from_guide = "zendesk-service" in known
        if not from_guide and not (reply.status == 429 and known.get("content-type") == "text/plain"):
            made["x-zendesk-api-version"] = "v2"
            made["x-zendesk-application-version"] = version
        made["x-frame-options"] = "SAMEORIGIN"
        made |= {name: known[name] for name in _FIRST if name in known}
        made |= {name: value for name, value in known.items() if name not in _PLACED}
        made["strict-transport-security"] = _HSTS
        made |= {name: known[name] for name in _LATE if name in known}
        made.setdefault("cache-control", _FRESH if reply.status in (200, 201, 304) else "no-cache")
        made["x-zendesk-origin-server"] = (guide if from_guide else classic)[int(ray[13:16], 16) % _PODS]
        made["x-request-id"] = made["X-Request-ID"] = ray
        made["x-runtime"] = known.get("x-runtime") or f"0.0{10_000 + drawn % 60_000}"
        made |= {"X-Zendesk-Zorg": "yes", "CF-Cache-Status": "DYNAMIC", "Server": "cloudflare", "CF-RAY": ray}
        return made

    def unreadable(self, status: int, phrase: str, now_us: int) -> tuple[dict[str, str], bytes]:
        """Return the page with which Cloudflare answers what is not HTTP; it gives such requests no ray id."""
        title = f"{status} {phrase}"
        page = (
            f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n<center><h1>{title}</h1></center>\r\n"
            "<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n"
        )
        head = {"Server": "cloudflare", "Date": http_date(now_us // 1_000_000), "Content-Type": "text/html"}
        return {**head, "CF-RAY": "-"}, page.encode()
