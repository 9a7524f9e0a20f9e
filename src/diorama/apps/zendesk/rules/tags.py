"""Tags as Zendesk stores them."""

from __future__ import annotations

from collections.abc import Iterable


def tidy_tags(tags: Iterable[str] | str) -> tuple[str, ...]:
    """Normalize tags as Zendesk does: lower case, one word each, sorted, no duplicates."""
    text = tags if isinstance(tags, str) else " ".join(tags)
    cleaned = {
        "".join(c for c in word if c.isalnum() or c in "_-/.:") for word in text.lower().replace(",", " ").split()
    }
    return tuple(sorted(cleaned - {""}))
