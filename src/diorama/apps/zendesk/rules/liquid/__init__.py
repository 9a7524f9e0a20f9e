"""Liquid in the texts of rules: python-liquid, with the clock of the world and limits on work and output."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

LONGEST = 200_000
"""Characters that a text may grow to."""
TOO_MUCH = "Liquid error: Memory limits exceeded"
"""The vendor's words at the end of a text that was cut off."""

Lookup = Callable[[str], Any]
"""Return the value of a dotted name, or None if it is unknown."""


def text_of(value: Any) -> str:
    """Return a value as Liquid prints it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "".join(text_of(item) for item in value)
    if isinstance(value, range):
        return f"{value.start}..{value.stop - 1}"
    if isinstance(value, datetime):
        return value.strftime("%B %d, %Y")
    return str(value)


def _free(steps: int) -> None:
    """Count nothing."""


def load() -> None:
    """Load python-liquid, which takes 0.25 s: a server does it at its start, other programs at the first template."""
    from diorama.apps.zendesk.rules.liquid import engine  # noqa: F401 # see above


def render(
    text: str, lookup: Lookup, escape: Callable[[str], str] = str, spend: Callable[[int], None] = _free
) -> str | None:
    """Render a text, or return None if it is not valid Liquid.

    `escape` is applied to every value that is printed; `spend` is told the steps that were taken.
    """
    from diorama.apps.zendesk.rules.liquid import engine  # see `load`

    return engine.render(text, lookup, escape, spend)
