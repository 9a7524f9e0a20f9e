"""The two families of errors: a Refusal is the vendor's error, a Defect is our bug."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

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
        """Wrap an unexpected exception, with its boundary and the line that raised it."""
        if isinstance(error, Defect):
            return error
        trace = error.__traceback__
        where = ""
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename.endswith(".py"):  # tracebacks of SQLite errors end in lines of C
                where = f" ({code.co_filename.rpartition('/diorama/')[2]}:{trace.tb_lineno} in {code.co_name})"
            trace = trace.tb_next
        defect = cls(
            f"{what}: {type(error).__name__}: {error}{where}", boundary=boundary, kind=type(error).__name__, at=at
        )
        defect.__cause__ = error
        return defect
