"""Ids in texts: paths, lists and values of fields."""

from __future__ import annotations

LARGEST = (1 << 63) - 1
"""The largest id, and the largest integer that SQLite can store."""


def parse_id(text: str) -> int | None:
    """Parse a 64-bit id, or return None."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        return None
    found = int(text)
    return found if found <= LARGEST else None
