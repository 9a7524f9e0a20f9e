"""Claims that something works again: read from one text, to be compared with the state when it was said."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from diorama.rewards.claims.clauses import Clause, quotations, read_clauses
from diorama.rewards.claims.folding import fold, fold_places
from diorama.rewards.claims.lexicon import by_language, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.values import CHARACTERS, read_values


class Working(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of one language."""

    says: str
    """One of these alternatives says that it is in order."""
    without: str
    """Words that make it a hope, a promise or another matter."""


@lru_cache(maxsize=1)
def _known() -> dict[str, Working]:
    return by_language("working", Working)


def says_it_works(body: str, thread: str = "") -> str:
    """Return the first sentence that says that something is in order now, or ""."""
    return working_words(body, thread)[0]


def working_words(body: str, thread: str = "") -> tuple[str, str]:
    """Return the first sentence that says that something is in order now, and the words in it that say so.

    Conditions, questions, negations, hopes and promises say nothing, and neither does what is still being repaired or
    a quotation from the thread. Both are "" if no sentence says it.
    """
    folded = fold_places(body)
    text = folded.text[:CHARACTERS]
    for start, end in quotations(text, " ".join(fold(thread).replace(">", " ").split())):
        text = text[:start] + " " * (end - start) + text[end:]
    for clause in read_clauses(text, read_values(text, None)):
        if said := _says(clause):
            first, last = (min(folded.place(one), len(body)) for one in clause.sentence)
            return body[first:last].strip(), said
    return "", ""


def _says(clause: Clause) -> str:
    """Return the words of a clause that say that something is in order now, or ""."""
    if clause.conditional or clause.depends or clause.question:
        return ""
    known = _known()[clause.language]
    found = words(known.says).search(clause.words)
    if found is None or words(known.without).search(clause.words):
        return ""
    return found[0] if "no longer" in found[0] or not is_negated(clause, found.end()) else ""
