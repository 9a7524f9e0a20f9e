"""A query language as a declaration: how a vendor writes fields, operators, quotes, groups and negation."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec


class Grammar(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """How a vendor writes queries.

    A lenient grammar is a search box: terms stand side by side (`status:open refund -"lost parcel"`), a field, its
    operator and its value are written without spaces, all of them must hold, and nothing is a syntax error.
    A strict grammar is an expression (`status = open AND NOT assignee in (a, b) ORDER BY created`): spaces do not
    matter, words such as AND are recognised in any case, and a mistake raises QueryError with its position.
    Field names are lower case in the tree.
    """

    strict: bool = False
    operators: Mapping[str, str]
    """Operators as written, and as they are called in the tree; symbols, or words (`not in`) in a strict grammar.
    Of several spellings, `write` uses the first."""
    list_operators: frozenset[str] = frozenset()
    """Operators that are followed by a list in parentheses, or by a function that returns one (strict)."""
    aliases: Mapping[str, str] = {}
    """Other names of fields."""
    field_name: str = r"[A-Za-z_][\w.]*"
    """A regular expression for the names of fields (lenient); a strict grammar takes any word or quoted text."""
    quotes: str = '"'
    escape: str = ""
    """The character that escapes quotes inside quoted text, if any."""
    signs: str = ""
    """Characters that negate the term or group right after them (lenient)."""
    ands: tuple[str, ...] = ()
    ors: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    groups: bool = False
    """Whether parentheses group terms; `field:(a b)` applies the field to each bare word (lenient). Strict grammars
    always have groups."""
    braces: bool = False
    """Whether `{a b}` means "a or b" (lenient)."""
    commas: bool = False
    """Whether `field:a,b` is a list of values (lenient)."""
    or_first: bool = False
    """Whether `a b OR c` means "a and (b or c)"; otherwise AND binds tighter (lenient)."""
    mixed: bool = True
    """Whether AND and OR may stand side by side without parentheses (strict)."""
    calls: bool = False
    """Whether `name(a, b)` is a function call (strict)."""
    order: bool = False
    """Whether an ORDER BY clause may follow (strict)."""
    clauses: tuple[str, ...] = ()
    """Words that introduce a clause with one value, such as LIMIT (strict)."""

    def name(self, written: str) -> str:
        """Return the name that a field has in the tree."""
        lower = written.lower()
        return self.aliases.get(lower, lower)


def quoted_text(grammar: Grammar, name: str) -> str:
    """Return a regular expression for an opening quote (as group `quote`) and the text after it (as group `name`)."""
    quotes, escape = re.escape(grammar.quotes), re.escape(grammar.escape)
    if len(grammar.quotes) == 1:
        plain = f"[^{quotes}{escape}]"
    else:  # quotes of the other kind are part of the text
        plain = f"(?:(?!(?P=quote))[^{escape}])" if escape else "(?:(?!(?P=quote)).)"
    inside = f"(?:{plain}|{escape}.)*" if escape else f"{plain}*"
    return f"(?P<quote>[{quotes}])(?P<{name}>{inside})"
