"""Arguments: what a handler takes from a request, declared by its signature.

    def post_message(
        tx: Tx,
        channel: Annotated[str, Field()],                        # query, form or JSON: the product's order
        blocks: Annotated[list[Block] | None, JsonField()] = None,  # JSON, also as text inside a form field
        file: Annotated[Upload | None, File("file")] = None,     # a part of a multipart form
        team: Annotated[str, Header("X-Team")] = "",
    ) -> Posted: ...

An argument without a marker is a path parameter if the path names it, and the body if it is a Struct or is named
`body`. A class with a `parse(query, request)` method is built by that method; everything else is a query parameter.
`msgspec.Meta` limits single arguments.
"""

from __future__ import annotations

import codecs
import inspect
import math
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from urllib.parse import unquote

import msgspec

from diorama.kernel import Request
from diorama.kit.bounds import Detail, Invalid, Malformed, SizeLimits, check_json, check_value
from diorama.kit.multipart import Parts, Upload, parse_multipart

EMPTY = inspect.Parameter.empty
Arguments = Mapping[str, list[str]]
"""A parsed query or form: every value of every name."""
Place = Literal[
    "path", "query", "header", "cookie", "host", "form", "field", "json field", "file", "body", "parsed", "caller"
]

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_CHARSET = re.compile(r';\s*charset\s*=\s*"?([^\s;"]+)', re.IGNORECASE)
_PARTS_OF_NAME = re.compile(r"([^\[\]]+)|\[([^\[\]]*)\]")
_NOTHING: Any = object()


class Query(msgspec.Struct, frozen=True):
    """A parameter of the query by its name on the wire: Annotated[int, Query("page[size]")]."""

    name: str = ""


class Header(msgspec.Struct, frozen=True):
    """A header that a handler reads: Annotated[str | None, Header("If-Match")]."""

    name: str


class Cookie(msgspec.Struct, frozen=True):
    """A cookie; only cookies that an operation declares reach the world."""

    name: str = ""


class Host(msgspec.Struct, frozen=True):
    """A variable of the host pattern at which the operation answers: `bucket` of `{bucket}.s3.amazonaws.com`."""

    name: str = ""


class Form(msgspec.Struct, frozen=True):
    """A field of a form, url-encoded or multipart."""

    name: str = ""


class Field(msgspec.Struct, frozen=True):
    """An argument that may come from the query, a form or a JSON body, in the order of the product's `arguments`."""

    name: str = ""


class JsonField(msgspec.Struct, frozen=True):
    """A typed value that clients send as JSON text in a form or query, or as plain JSON in a JSON body."""

    name: str = ""


class File(msgspec.Struct, frozen=True):
    """A file of a multipart form: Annotated[Upload, File("attachment")]."""

    name: str = ""


class Caller(msgspec.Struct, frozen=True):
    """Marks the argument that gets what the operation's role returned: me: Annotated[User, Caller()]."""


PLACES: dict[type, Place] = {
    Query: "query", Header: "header", Cookie: "cookie", Host: "host", Form: "form", Field: "field",
    JsonField: "json field", File: "file", Caller: "caller",
}  # fmt: skip


class Merged:
    """Where a product's Field arguments come from; the first place that has a value wins."""

    def __init__(self, *places: Literal["query", "form", "json"]) -> None:
        unknown = [place for place in places if place not in ("query", "form", "json")]
        if unknown or not places or len(set(places)) != len(places):
            raise ValueError(f"Merged takes some of query, form and json, each once; got {places}")
        self.places = places


class Parameter(msgspec.Struct, frozen=True):
    """One argument of a handler: where it stands on the wire and what type it has."""

    argument: str
    name: str
    place: Place
    type: Any
    default: Any = EMPTY

    @property
    def required(self) -> bool:
        """Whether a request must include it."""
        return self.default is EMPTY


class ParsedRequest:
    """One request as its operation reads it: each part is parsed once, when it is first asked for."""

    __slots__ = ("_form", "_json", "_parts", "_query", "in_path", "limits", "request")

    def __init__(self, request: Request, in_path: Mapping[str, str], limits: SizeLimits) -> None:
        self.request = request
        self.in_path = in_path
        self.limits = limits
        self._query: Arguments | None = None
        self._form: Arguments | None = None
        self._parts: Parts | None = None
        self._json: Any = _NOTHING

    @property
    def query(self) -> Arguments:
        """The parsed query."""
        if self._query is None:
            self._query = parse_pairs(self.request.query, self.limits, "query") if self.request.query else {}
        return self._query

    @property
    def form(self) -> Arguments:
        """The fields of a form; empty if the body is not a form."""
        if self._form is None:
            kind, charset = media_type(self.request.headers.get("content-type", ""))
            if kind == FORM:
                self._form = parse_form(self.request.body, charset, self.limits)
            else:
                self._form = self.parts.fields if kind == MULTIPART else {}
        return self._form

    @property
    def parts(self) -> Parts:
        """The fields and files of a multipart form; empty if the body is not one."""
        if self._parts is None:
            header = self.request.headers.get("content-type", "")
            kind, charset = media_type(header)
            if kind == MULTIPART:
                self._parts = parse_multipart(self.request.body, header, self.limits, charset)
            else:
                self._parts = Parts({}, {})
        return self._parts

    @property
    def json(self) -> Mapping[str, Any]:
        """The members of a JSON body; empty if the body is not JSON."""
        if self._json is _NOTHING:
            kind, charset = media_type(self.request.headers.get("content-type", ""))
            self._json = decode_json(self.request.body, charset, self.limits) if is_json(kind) else {}
        if not isinstance(self._json, Mapping):
            raise Invalid(Detail("Expected `object`", "body"))
        return self._json

    @property
    def cookies(self) -> Mapping[str, str]:
        """The cookies by name."""
        return cookies_of(self.request.headers.get("cookie", ""))


# --- requests over the API


@lru_cache(maxsize=256)
def media_type(header: str) -> tuple[str, str]:
    """Return the media type of a Content-Type header in lower case, and its charset (utf-8 if it names none)."""
    kind = header.partition(";")[0].strip().lower()
    named = _CHARSET.search(header)
    try:
        charset = codecs.lookup(named[1]) if named else None
        "".encode(charset.name if charset else "utf-8")  # a codec that is not a character set cannot do that
    except (LookupError, ValueError):
        raise Malformed(f"the charset of {header!r} is unknown") from None
    return kind, charset.name if charset else "utf-8"


def is_json(kind: str) -> bool:
    """Return whether a media type is JSON: `application/json` or `application/x+json`; none at all counts as JSON."""
    return not kind or kind in ("application/json", "text/json") or kind.endswith("+json")


def decode_json(body: bytes, charset: str, limits: SizeLimits) -> Any:
    """Return a JSON body within the bounds; an empty body is an empty object."""
    if not body:
        return {}
    body = as_utf8(body, charset)
    check_json(body, limits)
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error


def as_utf8(body: bytes, charset: str) -> bytes:
    """Return a body in UTF-8; raise Malformed if it is not text of its charset."""
    if charset == "utf-8":
        return body
    try:
        return body.decode(charset).encode()
    except UnicodeError as error:
        raise Malformed(str(error)) from error


def parse_pairs(text: str, limits: SizeLimits, where: str, charset: str = "utf-8") -> Arguments:
    """Return a query or url-encoded form by name, within the bounds."""
    if text.count("&") >= limits.fields:
        raise Invalid(Detail(f"the {where} has more than {limits.fields} fields", where))
    found: dict[str, list[str]] = {}
    for pair in text.replace("+", " ").split("&") if text else ():
        if pair:
            name, _, value = pair.partition("=")
            value = unquote(value, charset) if "%" in value else value
            found.setdefault(unquote(name, charset) if "%" in name else name, []).append(value)
    for name, values in found.items():
        if len(values) > limits.items:
            raise Invalid(Detail(f"{name} has more than {limits.items} items", where, name))
        if len(text) > limits.text and any(len(value) > limits.text for value in values):
            raise Invalid(Detail(f"{name} is longer than {limits.text} characters", where, name))
    return found


def parse_form(body: bytes, charset: str, limits: SizeLimits) -> Arguments:
    """Return the fields of a url-encoded body."""
    try:
        return parse_pairs(body.decode("utf-8" if charset == "utf-8" else "latin-1"), limits, "form", charset)
    except UnicodeDecodeError as error:
        raise Malformed(str(error)) from error


def cookies_of(header: str) -> dict[str, str]:
    """Return the cookies of a Cookie header; the first of a name counts, as in RFC 6265."""
    found: dict[str, str] = {}
    for pair in header.split(";"):
        name, mark, value = pair.strip().partition("=")
        if mark:
            found.setdefault(name, unquote(value.strip('"')))
    return found


def nested(form: Arguments, limits: SizeLimits) -> Any:
    """Return the object that names with brackets describe: `a[b]=1&c[]=2&d[0][e]=3`, as Rails and Stripe read them."""
    tree: dict[str, Any] = {}
    for name, values in form.items():
        keys = [plain or inner for plain, inner in _PARTS_OF_NAME.findall(name)]
        if not keys or len(keys) > limits.depth:
            raise Invalid(Detail(f"{name[:100]} is not a name of a field", "form", name[:100]))
        node = tree
        for key in keys[:-1]:
            inner = node.setdefault(key, {})
            if not isinstance(inner, dict):
                raise Invalid(Detail(f"{name} is both a value and an object", "form", name))
            node = inner
        if isinstance(node.get(keys[-1]), dict):
            raise Invalid(Detail(f"{name} is both a value and an object", "form", name))
        node[keys[-1]] = values if keys[-1] == "" else values[-1]
    return _lists(tree)


def _lists(node: dict[str, Any]) -> Any:
    """Turn objects whose keys are list places into lists."""
    if node and all(key == "" or (key.isascii() and key.isdigit() and len(key) < 6) for key in node):
        ordered = [node[key] for key in sorted(node, key=lambda key: int(key or 0))]
        flat = [one for value in ordered for one in (value if isinstance(value, list) else [value])]
        return [_lists(one) if isinstance(one, dict) else one for one in flat]
    return {key: _lists(value) if isinstance(value, dict) else value for key, value in node.items()}


# --- reading one argument


Reader = Callable[[ParsedRequest], Any]


def reader_of(parameter: Parameter, limits: SizeLimits, merged: Merged | None, strict: bool) -> Reader:
    """Return the function that reads one argument of a request; bodies are the operation's own business."""
    name, type_ = parameter.name, parameter.type
    if parameter.place == "parsed":
        parse = type_.parse
        return lambda given: parse(given.query, given.request)
    if parameter.place == "path" or parameter.place == "host":
        place = parameter.place
        return lambda given: typed(given.in_path[name], type_, place, name, limits)
    if parameter.place in ("header", "cookie"):
        limits = limits.in_url
    find = _finder(parameter, merged)
    read = _from_text(parameter, limits, strict)
    default, where = parameter.default, _WHERE.get(parameter.place, parameter.place)
    missing = Detail(f"{name} is required", where, name)

    def read_or_default(given: ParsedRequest) -> Any:
        raw = find(given)
        if raw is not _NOTHING:
            return read(raw)
        if default is EMPTY:
            raise Invalid(missing)
        return default

    return read_or_default


_WHERE: dict[str, str] = {"field": "body", "json field": "body", "file": "form"}


class _Decoded(msgspec.Struct, frozen=True):
    """A value of a JSON body, which has a type already."""

    value: Any


def _from_text(parameter: Parameter, limits: SizeLimits, strict: bool) -> Callable[[Any], Any]:
    """Return the function that makes the declared type of a raw value."""
    name, place, type_ = parameter.name, parameter.place, parameter.type
    where = _WHERE.get(place, place)
    if place == "file":
        return lambda raw: raw
    if place == "json field":
        return lambda raw: _from_json(raw, type_, where, name, limits, strict)
    if place == "field":
        return lambda raw: (
            converted(raw.value, type_, where, name, strict)
            if isinstance(raw, _Decoded)
            else typed(raw, type_, where, name, limits)
        )
    plain = str if type_ == str | None else type_  # a text that was sent is never None
    return lambda raw: typed(raw, plain, where, name, limits)


def _finder(parameter: Parameter, merged: Merged | None) -> Reader:
    """Return the function that finds the raw value of an argument: text, a list of texts, or a decoded value."""
    name, place = parameter.name, parameter.place
    many = place != "json field" and is_list(parameter.type)
    if place == "header":
        lower = name.lower()
        return lambda given: given.request.headers.get(lower, _NOTHING)
    if place == "cookie":
        return lambda given: given.cookies.get(name, _NOTHING)
    if place == "file":
        return lambda given: _one_of(given.parts.files, name, many)
    if place == "query":
        return lambda given: _one_of(given.query, name, many)
    places = merged.places if merged is not None and place != "form" else ("form",)

    def search(given: ParsedRequest) -> Any:
        for each in places:
            if each == "json":
                if name in given.json:
                    return _Decoded(given.json[name])
            else:
                found = _one_of(given.query if each == "query" else given.form, name, many)
                if found is not _NOTHING:
                    return found
        return _NOTHING

    return search


def _one_of(values: Mapping[str, list[Any]], name: str, many: bool) -> Any:
    found = values.get(name)
    return _NOTHING if found is None else found if many else found[-1]


def typed(raw: str | list[str], type_: Any, where: str, name: str, limits: SizeLimits) -> Any:
    """Return a value of a type from its text on the wire."""
    if type_ is str:
        if len(raw) > limits.text:
            raise Invalid(Detail(f"{name} is longer than {limits.text} characters", where, name))
        return raw
    if type_ is int and isinstance(raw, str):
        digits = raw.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 20 and limits.number_fits(int(raw)):
            return int(raw)
        raise Invalid(Detail(f"{name}: {raw[:100]!r} is not a number", where, name))
    try:
        value = msgspec.convert(raw, type_, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(Detail(f"{name}: {error}", where, name)) from error
    if isinstance(value, float) and not math.isfinite(value):
        raise Invalid(Detail(f"{name}: {str(raw)[:100]!r} is not a number", where, name))
    if not isinstance(value, str) or get_origin(type_) is not Annotated:  # an own max_length was checked already
        check_value(value, limits, where, name)
    return value


def converted(value: Any, type_: Any, where: str, name: str, strict: bool) -> Any:
    """Return a decoded value as the declared type."""
    if isinstance(type_, type) and isinstance(value, type_):
        return value
    try:
        return msgspec.convert(value, type_, strict=strict)
    except msgspec.ValidationError as error:
        raise Invalid(Detail(f"{name}: {error}", where, name)) from error


def _from_json(raw: Any, type_: Any, where: str, name: str, limits: SizeLimits, strict: bool) -> Any:
    value = raw.value if isinstance(raw, _Decoded) else raw
    if isinstance(value, str):
        try:
            value = decode_json(value.encode(), "utf-8", limits)
        except Malformed as error:
            raise Invalid(Detail(f"{name}: {error}", where, name)) from error
        except Invalid as error:
            raise Invalid(Detail(f"{name}: {error.detail}", where, name)) from error
    return converted(value, type_, where, name, strict)


@cache
def is_list(type_: Any) -> bool:
    """Return whether a parameter may be given several times, also where it may be left out."""
    origin = get_origin(type_)
    if origin in (Annotated, Union, UnionType):
        return any(is_list(part) for part in get_args(type_)[: 1 if origin is Annotated else None])
    return origin in (list, tuple)


# --- declaring one argument


def declared(parameter: inspect.Parameter, hint: Any, in_path: set[str]) -> Parameter:
    """Return how a handler's argument is declared; raise ValueError if no request can carry it."""
    plain, marks = (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())
    metas = tuple(mark for mark in marks if isinstance(mark, msgspec.Meta))
    type_: Any = Annotated[(plain, *metas)] if metas else plain
    argument, default = parameter.name, parameter.default
    known = [(PLACES.get(mark if isinstance(mark, type) else type(mark)), mark) for mark in marks]
    kinds = [(place, mark) for place, mark in known if place is not None]
    if len(kinds) > 1:
        raise ValueError(f"argument {argument!r} is declared in {len(kinds)} places")
    if argument in in_path:
        if kinds:
            raise ValueError(f"argument {argument!r} is in the path and cannot be {kinds[0][0]} as well")
        place, name, default = "path", argument, EMPTY
    elif kinds:
        place, name = kinds[0][0], getattr(kinds[0][1], "name", "") or argument
        name = argument if isinstance(kinds[0][1], type) else name
    elif hasattr(plain, "parse") and isinstance(plain, type):
        place, name = "parsed", argument
    elif argument == "body" or (isinstance(plain, type) and issubclass(plain, msgspec.Struct)):
        place, name = "body", argument
    else:
        place, name = "query", argument
    made = Parameter(argument, name, place, type_, default)  # type: ignore[arg-type] # one of the places
    _check_type(made)
    return made


def _check_type(parameter: Parameter) -> None:
    """Raise ValueError if text cannot become the declared type."""
    place, name = parameter.place, parameter.argument
    if place in ("path", "query", "header", "cookie", "host", "form"):
        for part in _alternatives(parameter.type):
            if (
                get_origin(part) is dict
                or part is dict
                or (isinstance(part, type) and issubclass(part, msgspec.Struct))
            ):
                raise ValueError(
                    f"argument {name!r}: text in the {place} cannot become {part}; use JsonField or a body"
                )
        if is_list(parameter.type) and place in ("path", "header", "cookie", "host"):
            raise ValueError(f"argument {name!r}: a {place} has one value, not a list")
    if place == "file" and not any(_is_upload(part) for part in _alternatives(parameter.type)):
        raise ValueError(f"argument {name!r}: a file is an Upload, not {parameter.type}")


def _is_upload(part: Any) -> bool:
    return part is Upload or (get_origin(part) is list and get_args(part) == (Upload,))


def _alternatives(type_: Any) -> list[Any]:
    origin = get_origin(type_)
    if origin is Annotated:
        return _alternatives(get_args(type_)[0])
    if origin in (Union, UnionType):
        return [inner for part in get_args(type_) if part is not NoneType for inner in _alternatives(part)]
    return [type_]
