"""Rate limits in virtual time: a window per person, counted in the image but outside the state digest."""

from __future__ import annotations

from collections.abc import Callable

from diorama.kernel import Tx

COUNT = (
    "INSERT INTO _meters VALUES (?1, ?2, 1) ON CONFLICT (name) DO UPDATE SET "
    "count = CASE WHEN ?2 - since >= ?3 THEN 1 ELSE count + 1 END, "
    "since = CASE WHEN ?2 - since >= ?3 THEN ?2 ELSE since END RETURNING since, count"
)


class RateLimit:
    """So many requests in so many seconds, and the headers in which the vendor says how many are left."""

    def __init__(
        self,
        requests: int,
        per_seconds: int = 60,
        headers: Callable[[int, int, int], dict[str, str]] = lambda limit, remaining, reset_seconds: {},
        name: str = "",
    ) -> None:
        self.requests = requests
        self.per_seconds = per_seconds
        self.headers = headers
        self.name = name

    def count(self, tx: Tx) -> int:
        """Count one request; 0 if it may pass, else the seconds after which to come back."""
        since, used = tx.control(
            COUNT, f"{tx.app.name}:{self.name}:{tx.by.name}", tx.now_us, self.per_seconds * 1_000_000
        )[0]
        reset = self.per_seconds - (tx.now_us - since) // 1_000_000
        tx.headers.update(self.headers(self.requests, max(0, self.requests - used), reset))
        return 0 if used <= self.requests else max(1, reset)
