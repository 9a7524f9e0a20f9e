"""Rate limits in virtual time: windows counted in the image but outside the state digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diorama.kernel import Refusal, Request, Tx

COUNT = (
    "INSERT INTO _meters VALUES (?1, ?2, 1) ON CONFLICT (name) DO UPDATE SET "
    "count = CASE WHEN ?2 - since >= ?3 THEN 1 ELSE count + 1 END, "
    "since = CASE WHEN ?2 - since >= ?3 THEN ?2 ELSE since END RETURNING since, count"
)


class RateLimit:
    """So many requests in so many seconds, and the headers in which the vendor says how many are left.

    A window belongs to a person, or to everybody (`shared`), and to the things in the path that `each` names.
    """

    def __init__(
        self,
        requests: int,
        per_seconds: int = 60,
        headers: Callable[[int, int, int], dict[str, str]] | None = None,
        name: str = "",
        *,
        shared: bool = False,
        each: tuple[str, ...] = (),
        applies: Callable[[Request], bool] | None = None,
        worded: Callable[[int], Refusal] | None = None,
    ) -> None:
        self.requests = requests
        self.per_seconds = per_seconds
        self.headers = headers
        self.name = name
        self.shared = shared
        self.each = each
        self.applies = applies
        self.worded = worded

    def count(self, tx: Tx, app: str, in_path: Mapping[str, str] | None = None) -> int:
        """Count one request; return 0 if it may pass, else the seconds until the next one may."""
        name = f"{app}:{self.name}:{'' if self.shared else tx.actor.name}"
        if in_path:
            name = ":".join((name, *(in_path[part] for part in self.each)))
        since, used = tx.control(COUNT, name, tx.now_us, self.per_seconds * 1_000_000)[0]
        reset = self.per_seconds - (tx.now_us - since) // 1_000_000
        if self.headers is not None:
            tx.headers.update(self.headers(self.requests, max(0, self.requests - used), reset))
        return 0 if used <= self.requests else max(1, reset)
