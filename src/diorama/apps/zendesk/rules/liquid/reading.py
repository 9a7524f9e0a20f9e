"""Reading Liquid: from a text to a tree of what it says, decides and repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

DEEPEST = 40
"""So deep tags may lie in each other."""

_TOKENS = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>-?\d+(?:\.\d+)?(?!\w))|(?P<range>\.\.)"""
    r"""|(?P<sign>==|!=|<>|<=|>=|<|>|\||:|,|\(|\)|\[|\]|\.)|(?P<name>[\w-]+\??)|(?P<bad>\S))"""
)
_RAW_END = re.compile(r"\{%-?\s*endraw\s*-?%\}")
_COMPARISONS = ("==", "!=", "<>", "<", ">", "<=", ">=", "contains")


class Unread(Exception):
    """A text that is no Liquid, and why."""


# --- what a text is made of


class Words(msgspec.Struct, frozen=True):
    """Something that is said as it stands."""

    text: str


class Value(msgspec.Struct, frozen=True):
    """A literal, or a name with the steps behind it."""

    literal: Any = None
    path: tuple[Any, ...] = ()


class Span(msgspec.Struct, frozen=True):
    """All whole numbers from one to another."""

    first: Value
    last: Value


class Filtered(msgspec.Struct, frozen=True):
    """A value and what is made of it."""

    value: Value | Span
    filters: tuple[tuple[str, tuple[Value | Span, ...]], ...] = ()


class Test(msgspec.Struct, frozen=True):
    """A comparison; `sign` is empty where the value alone decides, `and` or `or` where two tests do."""

    left: Any
    sign: str = ""
    right: Any = None


class Say(msgspec.Struct, frozen=True):
    """A value is said."""

    what: Filtered


class Choose(msgspec.Struct, frozen=True):
    """The first branch whose test holds is spoken; one without a test always is."""

    branches: tuple[tuple[Test | None, tuple[Any, ...]], ...]


class Case(msgspec.Struct, frozen=True):
    """The branch that lists the value is spoken."""

    value: Value | Span
    branches: tuple[tuple[tuple[Value | Span, ...] | None, tuple[Any, ...]], ...]


class For(msgspec.Struct, frozen=True):
    """The body is spoken for every item."""

    name: str
    over: Value | Span
    body: tuple[Any, ...]
    empty: tuple[Any, ...] = ()
    limit: Value | Span | None = None
    offset: Value | Span | None = None
    backwards: bool = False


class Assign(msgspec.Struct, frozen=True):
    """A name gets a value."""

    name: str
    what: Filtered


class Capture(msgspec.Struct, frozen=True):
    """A name gets what would have been said."""

    name: str
    body: tuple[Any, ...]


class Jump(msgspec.Struct, frozen=True):
    """`break` or `continue`."""

    where: str


# --- reading


class _Tokens:
    """The pieces of one tag."""

    def __init__(self, text: str) -> None:
        self.listed: list[tuple[str, str]] = []
        place = 0
        while place < len(text.rstrip()):
            found = _TOKENS.match(text, place)
            if found is None or found.lastgroup in (None, "bad"):
                raise Unread(f"{text.strip()!r} cannot be read")
            kind = str(found.lastgroup)
            self.listed.append((kind, found[kind]))
            place = found.end()
        self.at = 0

    def peek(self) -> str:
        """The next piece, empty at the end."""
        return self.listed[self.at][1] if self.at < len(self.listed) else ""

    def next(self) -> tuple[str, str]:
        """Take the next piece."""
        if self.at >= len(self.listed):
            raise Unread("something is missing")
        self.at += 1
        return self.listed[self.at - 1]

    def take(self, *texts: str) -> bool:
        """Take the next piece if it is one of these."""
        if self.at < len(self.listed) and self.listed[self.at][1] in texts and self.listed[self.at][0] != "text":
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        """Take the next piece, which must be this."""
        if not self.take(text):
            raise Unread(f"{text!r} is missing")

    def end(self) -> None:
        """Nothing may follow."""
        if self.at < len(self.listed):
            raise Unread(f"{self.peek()!r} is too much")


_LITERALS = {"true": True, "false": False, "nil": None, "null": None, "empty": "", "blank": ""}


def _value(tokens: _Tokens) -> Value | Span:
    if tokens.take("("):
        first = _plain(tokens)
        tokens.need("..")
        last = _plain(tokens)
        tokens.need(")")
        return Span(first, last)
    return _plain(tokens)


def _plain(tokens: _Tokens) -> Value:
    kind, text = tokens.next()
    if kind == "text":
        return Value(text[1:-1])
    if kind == "number":
        return Value(float(text) if "." in text else int(text))
    if kind != "name":
        raise Unread(f"{text!r} is no value")
    if text in _LITERALS:
        return Value(_LITERALS[text])
    path: list[Any] = [text]
    while True:
        if tokens.take("."):
            path.append(tokens.next()[1])
        elif tokens.take("["):
            path.append(_plain(tokens))
            tokens.need("]")
        else:
            return Value(None, tuple(path))


def _filtered(tokens: _Tokens) -> Filtered:
    value, filters = _value(tokens), []
    while tokens.take("|"):
        name, args = tokens.next()[1], []
        if tokens.take(":"):
            args.append(_value(tokens))
            while tokens.take(","):
                args.append(_value(tokens))
        filters.append((name, tuple(args)))
    tokens.end()
    return Filtered(value, tuple(filters))


def _test(tokens: _Tokens) -> Test:
    """Liquid reads `and` and `or` from the right."""
    left = _value(tokens)
    test = Test(left)
    if tokens.peek() in _COMPARISONS:
        sign = tokens.next()[1]
        test = Test(left, sign, _value(tokens))
    if tokens.peek() in ("and", "or"):
        return Test(test, tokens.next()[1], _test(tokens))
    return test


class _Reader:
    """Reads the pieces of a text into a tree."""

    def __init__(self, pieces: list[tuple[str, bool]]) -> None:
        self.pieces = pieces
        self.at = 0
        self.depth = 0

    def body(self, *ends: str) -> tuple[tuple[Any, ...], str, str]:
        """Everything up to one of these tags: the tree, the tag, and what stood behind its name."""
        out: list[Any] = []
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unread("too deep")
        while self.at < len(self.pieces):
            piece, is_tag = self.pieces[self.at]
            self.at += 1
            if not is_tag:
                out.append(Words(piece))
            elif piece.startswith("{{"):
                out.append(Say(_filtered(_Tokens(piece[2:-2].strip().strip("-")))))
            else:
                name, _, rest = piece[2:-2].strip("-").strip().partition(" ")
                if name in ends:
                    self.depth -= 1
                    return tuple(out), name, rest
                out.extend(self.tag(name, rest))
        if ends:
            raise Unread(f"{ends[-1]} is missing")
        self.depth -= 1
        return tuple(out), "", ""

    def tag(self, name: str, rest: str) -> Iterator[Any]:
        """One tag with all that belongs to it."""
        reader = getattr(self, f"_{name}", None) if name in _TAGS else None
        if reader is None:
            raise Unread(f"unknown tag {name!r}")
        found = reader(rest)
        return iter(() if found is None else (found,))

    def _if(self, rest: str, name: str = "if") -> Choose:
        branches: list[tuple[Test | None, tuple[Any, ...]]] = []
        test: Test | None = _whole(rest)
        if name == "unless":
            test = Test(test, "not")
        while True:
            body, tag, more = self.body("elsif", "else", f"end{name}")
            branches.append((test, body))
            if tag == f"end{name}":
                return Choose(tuple(branches))
            test = _whole(more) if tag == "elsif" else None

    def _unless(self, rest: str) -> Choose:
        return self._if(rest, "unless")

    def _case(self, rest: str) -> Case:
        value, branches = _value(_Tokens(rest)), []
        _, tag, more = self.body("when", "else", "endcase")
        while tag != "endcase":
            listed: tuple[Value | Span, ...] | None = None
            if tag == "when":
                tokens, values = _Tokens(more), []
                values.append(_value(tokens))
                while tokens.take(",", "or"):
                    values.append(_value(tokens))
                listed = tuple(values)
            body, tag, more = self.body("when", "else", "endcase")
            branches.append((listed, body))
        return Case(value, tuple(branches))

    def _for(self, rest: str) -> For:
        tokens = _Tokens(rest)
        name = tokens.next()[1]
        tokens.need("in")
        over, more, backwards = _value(tokens), {}, False
        while tokens.peek():
            if tokens.take("reversed"):
                backwards = True
                continue
            option = tokens.next()[1]
            tokens.need(":")
            more[option] = _value(tokens)
        body, tag, _ = self.body("else", "endfor")
        empty = self.body("endfor")[0] if tag == "else" else ()
        return For(name, over, body, empty, more.get("limit"), more.get("offset"), backwards)

    def _assign(self, rest: str) -> Assign:
        name, sign, value = rest.partition("=")
        if not sign or not name.strip():
            raise Unread("assign needs a name and a value")
        return Assign(name.strip(), _filtered(_Tokens(value)))

    def _capture(self, rest: str) -> Capture:
        return Capture(rest.strip().strip("'\""), self.body("endcapture")[0])

    def _comment(self, rest: str) -> None:
        self.body("endcomment")

    def _break(self, rest: str) -> Jump:
        return Jump("break")

    def _continue(self, rest: str) -> Jump:
        return Jump("continue")


_TAGS = frozenset({"if", "unless", "case", "for", "assign", "capture", "comment", "break", "continue"})


def _whole(text: str) -> Test:
    tokens = _Tokens(text)
    test = _test(tokens)
    tokens.end()
    return test


def _next_tag(text: str, place: int) -> tuple[int, int]:
    """Where the next tag begins and ends; both at the end of the text where there is none."""
    starts = [found for found in (text.find("{{", place), text.find("{%", place)) if found >= 0]
    if not starts:
        return len(text), len(text)
    start = min(starts)
    end = text.find("}}" if text[start + 1] == "{" else "%}", start + 2)
    if end < 0:
        raise Unread("a tag is not closed")
    return start, end + 2


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Words and tags, which are marked; a dash inside a tag takes the space beside it, and raw parts stay words."""
    out: list[tuple[str, bool]] = []
    trim = False
    place = 0
    while place < len(text):
        start, end = _next_tag(text, place)
        words, tag = text[place:start], text[start:end]
        place = end
        if trim:
            words = words.lstrip()
        if tag[2:3] == "-":
            words = words.rstrip()
        trim = tag[-3:-2] == "-"
        if words:
            out.append((words, False))
        if tag.startswith("{%") and tag[2:-2].strip("-").strip() == "raw":
            closing = _RAW_END.search(text, place)
            if closing is None:
                raise Unread("endraw is missing")
            out.append((text[place : closing.start()], False))
            place = closing.end()
        elif tag:
            out.append((tag, True))
    return out


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[Any, ...] | None:
    """A text as a tree; None where it is no Liquid. The same text is read once."""
    try:
        return _Reader(_pieces(text)).body()[0]
    except Unread:
        return None
