"""Tags as Zendesk stores them."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk import refusals

LONGEST = 5_096
"""The documented length of all tags together, with a blank between two."""


def tidy_tags(tags: Iterable[str] | str) -> tuple[str, ...]:
    """Normalize tags as Zendesk does: lower case, one word each, sorted, no duplicates; raise 422 if too long."""
    text = tags if isinstance(tags, str) else " ".join(tags)
    cleaned = {
        "".join(c for c in word if c.isalnum() or c in "_-/.:") for word in text.lower().replace(",", " ").split()
    }
    tags = tuple(sorted(cleaned - {""}))
    if sum(map(len, tags)) + len(tags) - 1 > LONGEST:
        raise refusals.invalid("tags", f"Tags: is too long (maximum is {LONGEST} characters)", "ValueTooLong")
    return tags
