"""Size limits of a request: the length of strings, lists and URLs, the depth of bodies, the size of numbers.

A product declares them once (`Product(size_limits=SizeLimits(text=200_000))`); a field's own `msgspec.Meta` may be
stricter, and a `max_length` above the product's bound raises the bound of the whole body. The checks run in linear
time. For most bodies a few counts are enough: a body of 2 KB cannot contain a string of 1 MB.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec

_LARGE_NUMBER = re.compile(rb"[0-9](?:[0-9]{18}|[eE])")
"""Where a body may hold a number of more than 18 digits."""
_TOKEN = re.compile(
    rb'"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"?(?P<colon>\s*:)?|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)'
    rb"|(?P<number>-?\d[\d.eE+-]*)",
    re.DOTALL,
)


class Detail(str):
    """What is wrong with a request, and where: path, query, header, cookie, host, form or body."""

    where: str
    name: str

    def __new__(cls, text: str, where: str = "", name: str = "") -> Detail:
        made = super().__new__(cls, text)
        made.where = where
        made.name = name
        return made


class Invalid(Exception):
    """An argument of the wrong type, or beyond a bound."""

    def __init__(self, detail: Detail) -> None:
        super().__init__(detail)
        self.detail = detail


class Malformed(Exception):
    """A body that cannot be parsed at all."""


class SizeLimits(msgspec.Struct, frozen=True):
    """The largest parts of a request that a product reads; the body as a whole is bounded by `max_body`.

    `text`: characters of a string. `items`: elements of a list, also of a repeated parameter. `fields`: members of an
    object, parameters of a query or form. `depth`: nested objects and lists. `number`: the largest integer or float.
    `url`: characters of path and query together. `parts`: parts of a multipart body.
    """

    text: int = 1_000_000
    items: int = 10_000
    fields: int = 10_000
    depth: int = 100  # Ruby's JSON parser reads no deeper by default
    number: int = 2**63 - 1  # SQLite's integers end there, and those of most vendors
    url: int = 65_536
    parts: int = 1_000

    @property
    def in_url(self) -> SizeLimits:
        """The bounds of what stands in a URL or header."""
        return msgspec.structs.replace(self, text=min(self.text, self.url))

    def number_fits(self, number: float) -> bool:
        """Return whether a number is finite and within the bound."""
        return -self.number - 1 <= number <= self.number


def check_json(data: bytes, limits: SizeLimits) -> None:
    """Raise Invalid or Malformed if JSON text holds something beyond the bounds; syntax errors are not looked for."""
    if (
        len(data) > limits.text
        or data.count(b",") >= min(limits.items, limits.fields)
        or data.count(b"{") + data.count(b"[") > limits.depth
        or _LARGE_NUMBER.search(data)
    ):
        _Scan(limits).run(data)


class _Scan:
    """One pass over JSON text with the path to the current value."""

    def __init__(self, limits: SizeLimits) -> None:
        self.limits = limits
        self.path: list[Any] = []  # the key or the index of each open object or list

    def run(self, data: bytes) -> None:
        limits = self.limits
        counts: list[int] = []
        for token in _TOKEN.finditer(data):
            kind = token.lastgroup
            if kind == "colon":
                if self.path:
                    self.path[-1] = token["text"].decode("utf-8", "replace")[:100]
            elif kind == "text":
                if len(token["text"]) > limits.text and _length(token["text"]) > limits.text:
                    raise self.invalid(f"is longer than {limits.text} characters")
            elif kind == "open":
                if len(counts) >= limits.depth:
                    raise Malformed(f"nested deeper than {limits.depth}")
                counts.append(1)
                self.path.append(0 if token[0] == b"[" else "")
            elif kind == "close":
                if counts:
                    counts.pop()
                    self.path.pop()
            elif kind == "comma":
                if counts:
                    counts[-1] += 1
                    self.step(counts[-1])
            elif not limits.number_fits(_number(token["number"])):
                raise self.invalid("is a number out of range")

    def step(self, count: int) -> None:
        """Go on to the next element of the innermost object or list."""
        in_list = isinstance(self.path[-1], int)
        most = self.limits.items if in_list else self.limits.fields
        if count > most:
            self.path.pop()
            raise self.invalid(f"has more than {most} {'items' if in_list else 'fields'}")
        if in_list:
            self.path[-1] += 1

    def invalid(self, text: str) -> Invalid:
        name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path).lstrip(".")
        return Invalid(Detail(f"{name or 'the body'} {text}", "body", name))


def _length(raw: bytes) -> int:
    try:
        return len(msgspec.json.decode(b'"' + raw + b'"', type=str))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return 0  # the decoder will refuse the body


def _number(raw: bytes) -> float:
    if len(raw) > 400:
        return math.inf
    try:
        return int(raw)
    except ValueError:
        pass
    try:
        return float(raw)
    except ValueError:
        return 0  # the decoder will refuse the body


def check_value(value: Any, limits: SizeLimits, where: str, name: str) -> None:
    """Raise Invalid if a decoded value holds something beyond the bounds."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if len(one) > limits.text:
                raise Invalid(Detail(f"{name} is longer than {limits.text} characters", where, name))
        elif isinstance(one, bool) or one is None:
            continue
        elif isinstance(one, int | float):
            if not limits.number_fits(one):
                raise Invalid(Detail(f"{name}: {str(one)[:40]} is a number out of range", where, name))
        elif isinstance(one, Mapping):
            if len(one) > limits.fields:
                raise Invalid(Detail(f"{name} has more than {limits.fields} fields", where, name))
            waiting.extend(one.values())
        elif isinstance(one, list | tuple | set | frozenset):
            if len(one) > limits.items:
                raise Invalid(Detail(f"{name} has more than {limits.items} items", where, name))
            waiting.extend(one)
        elif isinstance(one, msgspec.Struct):
            waiting.extend(getattr(one, field) for field in one.__struct_fields__)


def raised_by(type_: Any, limits: SizeLimits) -> SizeLimits:
    """Return the bounds of a body of a type: fields that declare a longer text or list raise them."""
    text, items, seen = limits.text, limits.items, set[int]()
    waiting = [msgspec.inspect.type_info(type_)]
    while waiting:
        one: Any = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        longest = getattr(one, "max_length", None) or 0
        if isinstance(one, msgspec.inspect.StrType):
            text = max(text, longest)
        else:
            items = max(items, longest)
        for name in ("types", "item_types"):
            waiting.extend(getattr(one, name, ()))
        for name in ("item_type", "key_type", "value_type"):
            if (inner := getattr(one, name, None)) is not None:
                waiting.append(inner)
        waiting.extend(field.type for field in getattr(one, "fields", ()) if hasattr(field, "type"))
    if (text, items) == (limits.text, limits.items):
        return limits
    return msgspec.structs.replace(limits, text=text, items=items)
