"""Regular expressions that are compiled when they are first used.

A module with many patterns writes `from diorama.kit.lazy_patterns import re` instead of `import re`. It is imported
faster, and patterns that a program never uses cost nothing.
"""

from __future__ import annotations

import re as _re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    import re as re


class LazyPattern:
    """A pattern that is compiled with the first use of a method or attribute, which it then keeps."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = pattern, flags
        self._compiled: _re.Pattern[str] | None = None
        _WAITING.add(self)

    def __getattr__(self, name: str) -> Any:
        """Return the compiled pattern's own; later uses find it without this call."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._compiled is None:
            self._compiled = _re.compile(*self._source)
        found = self.__dict__[name] = getattr(self._compiled, name)
        return found


_WAITING: WeakSet[LazyPattern] = WeakSet()
"""Every lazy pattern."""

if not TYPE_CHECKING:
    re = SimpleNamespace(**{name: getattr(_re, name) for name in _re.__all__})
    re.compile = LazyPattern


def compile_patterns() -> None:
    """Compile every pattern now, so that no request waits for it."""
    for one in list(_WAITING):
        one.search  # noqa: B018 - the attribute is kept


__all__ = ["LazyPattern", "compile_patterns", "re"]
