"""Size limits of a request: the length of strings, lists and URLs, the depth of bodies, the size of numbers.

A product declares them once (`Product(size_limits=SizeLimits(text=200_000))`); a field's own `msgspec.Meta` may be
stricter, and a `max_length` above the product's bound raises the bound of the whole body. The checks run in linear
time. For most bodies a few counts are enough: a body of 2 KB cannot contain a string of 1 MB.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

_LARGE_NUMBER = re.compile(rb"[0-9](?:[0-9]{18}|[eE])")
"""Where a body may hold a number of more than 18 digits."""
_TEXT = re.compile(rb'"[^"]*"')
_decode = msgspec.json.Decoder(float_hook=float).decode  # 1e400 becomes infinite, which is out of range
_ENDLESS_NUMBER = re.compile(rb"[0-9]{400,}")
_BRACKET = re.compile(rb"[\[\]{}]")


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
    object, parameters of a query or form. `values`: all values of a body together. `depth`: nested objects and lists.
    `number`: the largest integer or float. `url`: characters of path and query together. `parts`: parts of a multipart
    body.
    """

    text: int = 1_000_000
    items: int = 10_000
    fields: int = 10_000
    values: int = 20_000
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
        or data.count(b",") >= min(limits.items, limits.fields, limits.values)
        or data.count(b"{") + data.count(b"[") > limits.depth
        or _LARGE_NUMBER.search(data)
    ):
        _check_structure(data, limits)
        try:
            value = _decoded(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error)) from error
        check_value(value, limits, "body", "")


def _decoded(data: bytes) -> Any:
    try:
        return _decode(data)
    except msgspec.ValidationError:  # a number of thousands of digits: any that is out of range will do
        return _decode(_ENDLESS_NUMBER.sub(b"1e400", data))


def _check_structure(data: bytes, limits: SizeLimits) -> None:
    """Raise Invalid or Malformed if there are too many values or levels, before anything is made of them."""
    plain = data.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in data else data
    if plain.count(b'"') <= 4 * limits.values:  # each field has a name and at most one text
        plain = _TEXT.sub(b"", plain)
        found = plain.count(b",") + plain.count(b"[") + plain.count(b"{")
    else:
        found = limits.values + 1
    if found > limits.values:
        raise Invalid(Detail(f"the body has more than {limits.values} values", "body"))
    level = 0
    for mark in _BRACKET.findall(plain):
        level += 1 if mark in b"[{" else -1
        if level > limits.depth:
            raise Malformed(f"nested deeper than {limits.depth}")


def check_value(value: Any, limits: SizeLimits, where: str, name: str) -> None:
    """Raise Invalid if a decoded value holds something beyond the bounds; `name` is the name of the whole."""
    waiting: list[tuple[str, Any]] = [(name, value)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, str):
            if len(one) > limits.text:
                raise _beyond(path, f"is longer than {limits.text} characters", where)
        elif isinstance(one, bool) or one is None:
            continue
        elif isinstance(one, int | float):
            if not limits.number_fits(one):
                raise _beyond(path, "is a number out of range", where)
        elif isinstance(one, Mapping):
            if len(one) > limits.fields:
                raise _beyond(path, f"has more than {limits.fields} fields", where)
            waiting.extend((f"{path}.{key}" if path else str(key), inner) for key, inner in one.items())
        elif isinstance(one, list | tuple | set | frozenset):
            if len(one) > limits.items:
                raise _beyond(path, f"has more than {limits.items} items", where)
            waiting.extend((f"{path}[{place}]", inner) for place, inner in enumerate(one))
        elif isinstance(one, msgspec.Struct):
            waiting.extend((f"{path}.{field}", getattr(one, field)) for field in one.__struct_fields__)


def _beyond(path: str, text: str, where: str) -> Invalid:
    shown = path if len(path) <= 200 else f"{path[:200]}..."
    return Invalid(Detail(f"{shown or 'the body'} {text}", where, shown))


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
