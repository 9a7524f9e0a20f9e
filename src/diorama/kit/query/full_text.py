"""Full-text search with FTS5: quote user text safely, and find phrases in plain text the same way."""

from __future__ import annotations

import re
import unicodedata

_LETTER = re.compile(r"\w")


def full_text(value: str, *, prefix: bool = False, column: str = "") -> str | None:
    """Return an FTS5 expression for a word or phrase, or None if it has no letters or digits.

    The value is quoted, so no user text is FTS5 syntax. A star at the end asks for beginnings of words.
    """
    core = value.replace("\0", " ").rstrip("*")
    if not _LETTER.search(core):
        return None
    phrase = '"' + core.replace('"', '""') + '"'
    starred = f"{phrase} *" if prefix or value.endswith("*") else phrase
    return f"{column} : {starred}" if column else starred


def tokens(text: str) -> list[str]:
    """Split text into words as FTS5's unicode61 tokenizer does: letters and digits, lower case, no diacritics."""
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return "".join(letter if letter.isalnum() else " " for letter in plain).lower().split()


def phrase_in(value: str, text: str, *, prefix: bool = False) -> bool:
    """Return whether text contains a word or phrase, by the same rules as an FTS5 index."""
    if full_text(value) is None:
        return False
    wanted, found = tokens(value), tokens(text)
    if not wanted:
        return False
    prefix = prefix or value.endswith("*")
    for start in range(len(found) - len(wanted) + 1):
        window = found[start : start + len(wanted)]
        last = window[-1].startswith(wanted[-1]) if prefix else window[-1] == wanted[-1]
        if last and window[:-1] == wanted[:-1]:
            return True
    return False
