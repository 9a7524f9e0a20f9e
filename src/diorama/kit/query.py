"""A toolkit for vendors' search languages: words, quoted phrases, fields, comparisons and negation."""

from __future__ import annotations

import re

import msgspec

OPERATORS = (":", "<", ">", "<=", ">=")

_TOKEN = re.compile(
    r"""(?P<negated>[-!])?
        (?:(?P<field>[A-Za-z_][\w.]*)(?P<operator><=|>=|[:<>](?:<=|>=|[<>])?))?
        (?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))""",
    re.VERBOSE,
)
_LETTER = re.compile(r"\w")


class Term(msgspec.Struct, frozen=True):
    """One part of a query: a bare word or phrase where `field` is empty, else a comparison."""

    value: str
    field: str = ""
    operator: str = ":"
    negated: bool = False
    quoted: bool = False

    def __str__(self) -> str:
        value = f'"{self.value}"' if self.quoted else self.value
        return f"{'-' if self.negated else ''}{self.field}{self.operator if self.field else ''}{value}"


def parse(text: str, negations: str = "-") -> list[Term]:
    """The terms of a query in order; nothing is ever a syntax error, as in the vendors' search boxes."""
    return [_term(found, negations) for found in _TOKEN.finditer(text)]


def _term(found: re.Match[str], negations: str) -> Term:
    sign, field, operator = found["negated"] or "", found["field"] or "", found["operator"] or ":"
    if len(operator) > 1 and operator[0] == ":":
        operator = operator[1:]  # created:>=2026-01-01
    quoted = found["phrase"] is not None
    value = found["phrase"] if quoted else found["word"]
    negated = bool(sign) and sign in negations
    if sign and not negated:
        value = value if field else sign + value
    return Term(value, field.lower(), operator, negated, quoted)


def plain(term: Term) -> Term:
    """A term whose field the vendor does not know, read as words instead."""
    return Term(f"{term.field}{term.operator}{term.value}", negated=term.negated, quoted=True) if term.field else term


def full_text(value: str, *, prefix: bool = False, column: str = "") -> str | None:
    """An FTS5 expression for a word or phrase, quoted so that no user text is syntax; None when it has no letters."""
    core = value.replace("\0", " ").rstrip("*")
    if not _LETTER.search(core):
        return None
    phrase = '"' + core.replace('"', '""') + '"'
    starred = f"{phrase} *" if prefix or value.endswith("*") else phrase
    return f"{column} : {starred}" if column else starred
