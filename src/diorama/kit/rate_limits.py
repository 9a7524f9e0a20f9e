"""Rate limits in virtual time: windows counted in the image but outside the state digest."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diorama.kernel import Refusal, Request, Tx


class RateLimit:
    """A number of requests per window of seconds, and the headers in which the vendor says how many are left.

    The number may depend on the account's plan: then `requests` has one for each plan, and `plan` is the SQL query that
    finds the plan; an account without one may send the fewest.
    A window belongs to a person, or to all callers (`shared`), and to the things in the path that `each` names.
    """

    def __init__(
        self,
        requests: int | Mapping[str, int],
        per_seconds: int = 60,
        headers: Callable[[int, int, int], dict[str, str]] | None = None,
        name: str = "",
        *,
        plan: str = "NULL",
        shared: bool = False,
        each: tuple[str, ...] = (),
        applies: Callable[[Request], bool] | None = None,
        worded: Callable[[int], Refusal] | None = None,
    ) -> None:
        self._fewest = requests if isinstance(requests, int) else min(requests.values())
        self._by_plan = {} if isinstance(requests, int) else requests
        self._plan = f"SELECT ({plan})"
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
        since, used = tx.count_in_window(name, self.per_seconds * 1_000_000)
        allowed = self._fewest
        if self._by_plan:
            allowed = self._by_plan.get(tx.rows(self._plan)[0][0], allowed)
        reset = self.per_seconds - (tx.now_us - since) // 1_000_000
        if self.headers is not None:
            tx.headers.update(self.headers(allowed, max(0, allowed - used), reset))
        return 0 if used <= allowed else max(1, reset)
