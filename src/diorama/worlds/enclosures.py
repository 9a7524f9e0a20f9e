"""Files that a text promises."""

from __future__ import annotations

import re

ENCLOSED = re.compile(
    r"attach(?!ments are confidential)|\banbei|anhang|hängt an|hängen an|ci-joint|jointes?\b|(?:relevé|cv) joint"
    r"|sont joints|adjunt|bijlage|bijgevoegd|foto's (?:erbij|toegevoegd)|afschrift toegevoegd",
    re.IGNORECASE,
)
"""Words that announce an attachment."""
LABEL = re.compile(r"label|etikett|étiquette|etiqueta", re.IGNORECASE)


def promised(text: str) -> bool:
    """Return whether a text says that something is attached."""
    return ENCLOSED.search(text) is not None
