"""Parse an expression such as JQL or a SOQL condition: errors have a position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, cast

import msgspec

from diorama.kit.query.errors import QueryError, QueryLimits
from diorama.kit.query.grammar import Grammar, quoted_text
from diorama.kit.query.tree import FunctionCall, Node, Not, Order, ParsedQuery, Test, Text, Value, all_of, any_of

ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
"""What an escape character and a letter stand for; any other character stands for itself."""


class _Token(msgspec.Struct, frozen=True):
    kind: Literal["word", "quoted", "symbol", "end"]
    text: str
    at: int


class Lexicon(msgspec.Struct, frozen=True):
    """What a strict grammar makes of single tokens."""

    token: re.Pattern[str]
    reserved: frozenset[str]
    """Words that are neither fields nor values unless they are quoted."""
    longest: int
    """How many words the longest operator has."""


@lru_cache(maxsize=64)
def lexicon(grammar: Grammar) -> Lexicon:
    """Return the tokens of a grammar."""
    written = (*grammar.operators, *grammar.ands, *grammar.ors, *grammar.nots)
    symbols = sorted({one for one in written if not one[0].isalpha()} | {"(", ")", ","}, key=len, reverse=True)
    words = {word.lower() for one in written if one[0].isalpha() for word in one.split()}
    stops = re.escape(grammar.quotes + "".join(sorted({symbol[0] for symbol in symbols})))
    quoted = quoted_text(grammar, "quoted") + "(?P=quote)"
    pattern = rf"{quoted}|(?P<symbol>{'|'.join(map(re.escape, symbols))})|(?P<word>[^\s{stops}]+)"
    return Lexicon(
        re.compile(pattern, re.DOTALL),
        frozenset(words | ({"order"} if grammar.order else set()) | {one.lower() for one in grammar.clauses}),
        max(len(one.split()) for one in grammar.operators),
    )


def parse_strict(grammar: Grammar, text: str, limits: QueryLimits) -> ParsedQuery:
    """Return the query that a text means; raise QueryError where it is not well formed."""
    return _Reader(grammar, text, limits).query()


def _tokens(grammar: Grammar, text: str) -> list[_Token]:
    token, out, at = lexicon(grammar).token, [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = token.match(text, at)
        if found is None:
            raise QueryError("syntax", text[at], position=at)
        if found["quoted"] is not None:
            out.append(_Token("quoted", _unescaped(grammar, found["quoted"]), at))
        elif found["symbol"] is not None:
            out.append(_Token("symbol", found["symbol"], at))
        else:
            out.append(_Token("word", found["word"], at))
        at = found.end()
    out.append(_Token("end", "", len(text)))
    return out


def _unescaped(grammar: Grammar, text: str) -> str:
    if not grammar.escape:
        return text
    pattern = re.escape(grammar.escape) + "(.)"
    return re.sub(pattern, lambda found: ESCAPED.get(found[1], found[1]), text, flags=re.DOTALL)


class _Reader:
    """Read tokens by recursive descent: or, and, not, then a group, a call or a test."""

    def __init__(self, grammar: Grammar, text: str, limits: QueryLimits) -> None:
        self.grammar = grammar
        self.limits = limits
        self.lexicon = lexicon(grammar)
        self.tokens = _tokens(grammar, text)
        self.index = 0
        self.terms = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.index]

    def fail(self, expected: str) -> QueryError:
        return QueryError("syntax", self.token.text, expected=expected, position=self.token.at)

    def at_word(self, words: Sequence[str]) -> bool:
        """Return whether the next token is one of these words or symbols."""
        kind, text = self.token.kind, self.token.text.lower()
        return kind in ("word", "symbol") and any(text == word.lower() for word in words)

    def take(self, *words: str) -> bool:
        """Skip the next token if it is one of these words or symbols."""
        found = self.at_word(words)
        self.index += found
        return found

    def need(self, word: str) -> None:
        if not self.take(word):
            raise self.fail(word)

    def count(self) -> None:
        """Count one more value or call."""
        self.terms += 1
        if self.terms > self.limits.terms:
            raise QueryError("too_complex", "terms")

    def query(self) -> ParsedQuery:
        """Read everything."""
        grammar = self.grammar
        starts = ("order",) if grammar.order else ()
        empty = self.token.kind == "end" or self.at_word((*starts, *grammar.clauses))
        where = None if empty else self.expression(0)
        order = self.order() if grammar.order and self.take("order") else ()
        clauses = []
        while self.at_word(grammar.clauses):
            name = self.token.text.lower()
            self.index += 1
            clauses.append((name, self.word("value").text))
        if self.token.kind != "end":
            raise self.fail("end")
        return ParsedQuery(where, order, tuple(clauses))

    def order(self) -> tuple[Order, ...]:
        """Read the items after ORDER."""
        self.need("by")
        items = []
        while True:
            field = self.grammar.name(self.word("field").text)
            descending = self.take("desc")
            if not descending:
                self.take("asc")
            nulls: Literal["", "first", "last"] = ""
            if self.take("nulls"):
                nulls = "first" if self.take("first") else "last"
                if nulls == "last":
                    self.need("last")
            items.append(Order(field, descending, nulls))
            if not self.take(","):
                return tuple(items)

    def expression(self, depth: int) -> Node:
        """Read parts that are joined with OR."""
        if depth > self.limits.depth:
            raise QueryError("too_complex", "nested groups")
        parts: list[Node] = []
        used: set[str] = set()
        while True:
            joined = [self.negation(depth)]
            while self.joins(self.grammar.ands, used):
                joined.append(self.negation(depth))
            parts.append(cast(Node, all_of(joined)))  # there is at least one
            if not self.joins(self.grammar.ors, used):
                return cast(Node, any_of(parts))

    def joins(self, words: Sequence[str], used: set[str]) -> bool:
        """Skip one of these words, unless it may not stand beside the other ones of this expression."""
        if not self.at_word(words):
            return False
        used.add(words[0])
        if len(used) > 1 and not self.grammar.mixed:
            raise self.fail("parentheses")
        self.index += 1
        return True

    def negation(self, depth: int) -> Node:
        """Read a group, a call or a test, and the NOTs before it."""
        times = 0
        while self.take(*self.grammar.nots):
            times += 1
            if depth + times > self.limits.depth:
                raise QueryError("too_complex", "negations")
        if self.take("("):
            node: Node = self.expression(depth + times + 1)
            self.need(")")
        else:
            node = self.condition(depth)
        for _ in range(times):
            node = Not(node)
        return node

    def condition(self, depth: int) -> Node:
        """Read a test, or a call that stands alone."""
        start = self.word("field")
        name = start.text
        if not start.quoted and self.grammar.calls and self.at_word(("(",)):
            return self.call(name, depth)
        operator = self.operator()
        if operator not in self.grammar.list_operators:
            return Test(self.grammar.name(name), operator, (self.value(depth),))
        if self.take("("):
            return Test(self.grammar.name(name), operator, self.values(depth))
        value = self.value(depth) if self.grammar.calls else None
        if not isinstance(value, FunctionCall):
            self.index -= value is not None
            raise self.fail("list")
        return Test(self.grammar.name(name), operator, (value,))

    def operator(self) -> str:
        """Read an operator: a symbol, or as many words as possible."""
        if self.token.kind == "symbol" and self.token.text in self.grammar.operators:
            self.index += 1
            return self.grammar.operators[self.tokens[self.index - 1].text]
        for length in range(self.lexicon.longest, 0, -1):
            part = self.tokens[self.index : self.index + length]
            written = " ".join(token.text.lower() for token in part)
            if written in self.grammar.operators and all(token.kind == "word" for token in part):
                self.index += length
                return self.grammar.operators[written]
        raise self.fail("operator")

    def word(self, expected: str) -> Text:
        """Read a word that is not reserved, or quoted text."""
        token = self.token
        quoted = token.kind == "quoted"
        if not quoted and (token.kind != "word" or token.text.lower() in self.lexicon.reserved):
            raise self.fail(expected)
        self.index += 1
        return Text(token.text, quoted)

    def value(self, depth: int) -> Value:
        """Read a value."""
        self.count()
        text = self.word("value")
        return self.call(text.text, depth) if not text.quoted and self.grammar.calls and self.at_word(("(",)) else text

    def values(self, depth: int) -> tuple[Value, ...]:
        """Read values with commas between them and the closing parenthesis."""
        out = [self.value(depth)]
        while self.take(","):
            out.append(self.value(depth))
        self.need(")")
        return tuple(out)

    def call(self, name: str, depth: int) -> FunctionCall:
        """Read the arguments of a function."""
        self.count()
        if depth > self.limits.depth:
            raise QueryError("too_complex", "nested calls")
        self.need("(")
        return FunctionCall(name, () if self.take(")") else self.values(depth + 1))
