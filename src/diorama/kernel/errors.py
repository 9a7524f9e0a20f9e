"""The two families of errors: a Refusal is the vendor's error, a Defect is our bug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from diorama.kernel.location import described

Boundary = Literal["reset", "app", "door", "grader", "persona", "provider", "sandbox", "browser", "engine"]

_NONE: Mapping[str, Any] = {}


class Refusal(Exception):
    """The simulated vendor refuses; the agent sees the vendor's own error."""

    stopped = False
    """Whether the backstop of the budget stopped the work: a replay follows the record instead of counting again."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str = "",
        *,
        fields: Mapping[str, Any] = _NONE,
        headers: Mapping[str, str] = _NONE,
        kind: str = "",
    ) -> None:
        super().__init__(f"{status} {code}: {detail}" if detail else f"{status} {code}")
        self.status = status
        self.code = code
        self.detail = detail
        self.fields = fields
        self.headers = headers
        self.kind = kind


class Missing(LookupError):
    """There is no record with the requested id; the app words the vendor's error."""

    def __init__(self, record: type, id: int | str) -> None:
        super().__init__(f"no {record.__name__} with id {id!r}")
        self.record = record
        self.id = id


class Interrupted(Exception):
    """Work was stopped from outside because it took too long; readers that survive every error let it pass."""


class Defect(Exception):
    """The harness is broken: the episode is void, poisoned, counted, and never scored."""

    def __init__(self, message: str, *, boundary: Boundary = "engine", kind: str = "", at: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.boundary: Boundary = boundary
        self.kind = kind or type(self).__name__
        self.at = at

    @classmethod
    def around(cls, error: BaseException, boundary: Boundary, what: str, at: int | None = None) -> Defect:
        """Wrap an unexpected exception, with its boundary and the line of the author that it comes from."""
        if isinstance(error, Defect):
            return error
        defect = cls(f"{what}: {described(error)}", boundary=boundary, kind=type(error).__name__, at=at)
        defect.__cause__ = error
        return defect
