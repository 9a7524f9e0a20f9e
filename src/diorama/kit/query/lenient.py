"""Parse a search box: every input is a valid query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec

from diorama.kit.query.errors import QueryError, QueryLimits
from diorama.kit.query.full_text import tokens
from diorama.kit.query.grammar import Grammar, quoted_text
from diorama.kit.query.tree import Node, Not, Test, Text, all_of, any_of

Known = Callable[[str], bool]

_CLOSING = {"(": ")", "{": "}"}


class _Token(msgspec.Struct, frozen=True):
    """A term, or the beginning of a group where `opens` is set; `closes` and `word` stand alone."""

    values: tuple[Text, ...] = ()
    field: str = ""
    operator: str = ""
    negated: bool = False
    opens: str = ""
    closes: str = ""
    word: str = ""


class _Patterns(msgspec.Struct, frozen=True):
    token: re.Pattern[str]
    item: re.Pattern[str]


@lru_cache(maxsize=64)
def _patterns(grammar: Grammar) -> _Patterns:
    brackets = ("()" if grammar.groups else "") + ("{}" if grammar.braces else "")
    stops = r"\s" + re.escape(grammar.quotes + brackets)
    value = rf"[^{stops},]+" if grammar.commas else rf"[^{stops}]+"
    quoted = quoted_text(grammar, "phrase") + "(?P=quote)?"  # quotes may stay open to the end
    operators = "|".join(re.escape(written) for written in sorted(grammar.operators, key=len, reverse=True))
    term = (
        rf"(?P<sign>{_one_of(grammar.signs)})?(?:(?P<field>{grammar.field_name})(?P<operator>{operators}))?"
        rf"(?:(?P<opens>{_one_of(brackets[::2])})|{quoted}|(?P<value>(?(field){value}|[^{stops}]+)))"
        rf"|(?P<closes>{_one_of(brackets[1::2])})"
    )
    item = rf",(?:{quoted}|(?P<value>{value}))?"
    return _Patterns(re.compile(term, re.DOTALL), re.compile(item, re.DOTALL))


def _one_of(characters: str) -> str:
    return f"[{re.escape(characters)}]" if characters else "(?!)"


def parse_lenient(grammar: Grammar, text: str, known: Known | None, limits: QueryLimits) -> Node | None:
    """Return the condition that a text means; fields that `known` does not accept are read as words."""
    return _Reader(grammar, _tokens(grammar, text, known), limits).group("", None, 0)


def _tokens(grammar: Grammar, text: str, known: Known | None) -> Iterator[_Token]:
    patterns, words = _patterns(grammar), frozenset((*grammar.ands, *grammar.ors, *grammar.nots))
    end = 0
    while found := patterns.token.search(text, end):
        end = found.end()
        sign, field, operator, opens, closes = found.group("sign", "field", "operator", "opens", "closes")
        negated = sign is not None
        if closes:
            yield _Token(closes=closes)
        elif field is None:
            if opens:
                yield _Token(negated=negated, opens=opens)
            elif not negated and found["value"] in words:
                yield _Token(word=found["value"])
            else:
                yield _Token((_text(grammar, found),), negated=negated)
        elif known is not None and not known(grammar.name(field)):
            if opens:
                yield _Token((Text(field + operator),), negated=negated)
                yield _Token(opens=opens)
                continue
            values, end = _listed(grammar, found)
            whole = grammar.name(field) + grammar.operators[operator] + ",".join(value.text for value in values)
            yield _Token((Text(whole, quoted=True),), negated=negated)
        else:
            values, end = ((), end) if opens else _listed(grammar, found)
            yield _Token(values, grammar.name(field), grammar.operators[operator], negated, opens or "")


def _listed(grammar: Grammar, found: re.Match[str]) -> tuple[tuple[Text, ...], int]:
    """Return the value of a term, with the values behind it that commas connect, and where they end."""
    if not grammar.commas:
        return (_text(grammar, found),), found.end()
    pattern, values, end = _patterns(grammar).item, [_text(grammar, found)], found.end()
    while item := pattern.match(found.string, end):
        end = item.end()
        if end > item.start() + 1:
            values.append(_text(grammar, item))
    return tuple(values), end


def _text(grammar: Grammar, found: re.Match[str]) -> Text:
    phrase = found["phrase"]
    if phrase is None:
        return Text(found["value"])
    if grammar.escape:
        phrase = re.sub(re.escape(grammar.escape) + "(.)", r"\1", phrase, flags=re.DOTALL)
    return Text(phrase, quoted=True)


class _Reader:
    """Put tokens together. Words and brackets that connect nothing are skipped."""

    def __init__(self, grammar: Grammar, tokens: Iterator[_Token], limits: QueryLimits) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.limits = limits
        self.terms = 0

    def group(self, closing: str, scope: tuple[str, str] | None, depth: int) -> Node | None:
        """Read to the closing bracket or to the end; `scope` is the field and operator that bare words belong to."""
        if depth > self.limits.depth:
            raise QueryError("too_complex", "nested groups")
        found: list[Node | None] = []  # None stands for OR
        nots = 0
        for token in self.tokens:
            if token.closes == closing and closing:
                break
            if token.word in self.grammar.ors:
                found.append(None)
            elif token.word in self.grammar.nots:
                nots += 1
            elif not token.closes and not token.word:
                node = self._node(token, scope, depth)
                if node is not None:
                    found.append(self._negated(node, nots + token.negated))
                nots = 0
        return self._joined(found, closing)

    def _node(self, token: _Token, scope: tuple[str, str] | None, depth: int) -> Node | None:
        if token.opens:
            inner = (token.field, token.operator) if token.field else scope
            return self.group(_CLOSING[token.opens], inner, depth + 1)
        self.terms += sum(max(1, len(tokens(value.text))) for value in token.values)
        if self.terms > self.limits.terms:
            raise QueryError("too_complex", "terms")
        if token.field:
            return Test(token.field, token.operator, token.values)
        return Test(*scope, token.values) if scope else token.values[0]

    def _negated(self, node: Node, times: int) -> Node:
        if times > self.limits.depth:
            raise QueryError("too_complex", "negations")
        for _ in range(times):
            node = Not(node)
        return node

    def _joined(self, found: list[Node | None], closing: str) -> Node | None:
        if closing == "}":
            return any_of(node for node in found if node is not None)
        rows: list[list[Node]] = [[]]
        if not self.grammar.or_first:
            for node in found:
                if node is None:
                    rows.append([])
                else:
                    rows[-1].append(node)
            return any_of(node for row in rows if (node := all_of(row)) is not None)
        joining = False
        for node in found:
            if node is None:
                joining = True
            elif joining and rows[-1]:
                rows[-1].append(node)
                joining = False
            else:
                rows.append([node])
                joining = False
        return all_of(node for row in rows if (node := any_of(row)) is not None)
