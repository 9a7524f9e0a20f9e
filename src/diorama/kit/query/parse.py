"""Parse a query by a grammar."""

from __future__ import annotations

from collections.abc import Callable

from diorama.kit.query.errors import LIMITS, QueryError, QueryLimits
from diorama.kit.query.grammar import Grammar
from diorama.kit.query.lenient import parse_lenient
from diorama.kit.query.strict import parse_strict
from diorama.kit.query.tree import ParsedQuery


def parse(
    grammar: Grammar, text: str, *, known: Callable[[str], bool] | None = None, limits: QueryLimits = LIMITS
) -> ParsedQuery:
    """Return the query that a text means.

    A lenient grammar reads a field that `known` does not accept as words, as search boxes do with `https://example`;
    a strict one leaves fields to the compiler. Raises QueryError: `too_complex` for any grammar, `syntax` for a strict
    one.
    """
    if len(text) > limits.length:
        raise QueryError("too_complex", "length")
    if grammar.strict:
        return parse_strict(grammar, text, limits)
    return ParsedQuery(parse_lenient(grammar, text, known, limits))
