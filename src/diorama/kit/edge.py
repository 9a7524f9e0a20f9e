"""The edge of a vendor: the headers that its front end adds to every reply, in the vendor's order and spelling.

They follow from the reply and the world's time, so no event records them, and a replay gives the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from diorama.kernel import Reply

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@lru_cache(maxsize=512)
def http_date(second: int) -> str:
    """Return a time in seconds since 1970 as HTTP writes it: `Sun, 08 Oct 2023 17:58:51 GMT`."""
    at = datetime.fromtimestamp(second, UTC)
    return f"{_DAYS[at.weekday()]}, {at.day:02} {_MONTHS[at.month - 1]} {at.year:04} {at:%H:%M:%S} GMT"


class Edge:
    """What stands between a product's servers and its clients."""

    def headers(self, reply: Reply, now_us: int, number: int = 0) -> dict[str, str]:
        """Return all headers of a reply, in the vendor's order and spelling; `Content-Length` is left out.

        `number` tells apart the replies that no world gave, such as one to an unknown credential.
        """
        raise NotImplementedError

    def lines(self, reply: Reply, now_us: int) -> tuple[str, str] | None:
        """Return the same as text, before and after `Content-Length`; None if the headers may hold links or tokens.

        A short cut for the most frequent replies.
        """
        return None

    def unreadable(self, status: int, phrase: str, now_us: int) -> tuple[Mapping[str, str], bytes]:
        """Return headers and body for a request that is not valid HTTP, or came too slowly."""
        raise NotImplementedError

    def dressed(self, reply: Reply, now_us: int) -> Reply:
        """Return a reply as a client gets it, with names in lower case as in HTTP/2; for doors without a socket."""
        headers = {name.lower(): value for name, value in self.headers(reply, now_us).items()}
        return Reply(reply.status, headers, reply.body, reply.refused)
