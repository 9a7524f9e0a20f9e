"""Operation: one declaration that serves router, tools, OpenAPI document, coverage and docs."""

from __future__ import annotations

import inspect
import math
import re
import typing
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from urllib.parse import parse_qs, unquote

import msgspec

from diorama.kernel import Request
from diorama.kit.limits import RateLimit

EMPTY = inspect.Parameter.empty
DEEPEST = 100
"""How deep a body may be nested (Ruby's JSON reads no deeper by default): what was read can be written again."""
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


class Query(msgspec.Struct, frozen=True):
    """The wire's name of a query parameter: Annotated[int, Query("page[size]")]."""

    name: str


class Header(msgspec.Struct, frozen=True):
    """A header that a handler reads: Annotated[str | None, Header("If-Match")]."""

    name: str


class Caller(msgspec.Struct, frozen=True):
    """Marks the argument that gets what the operation's role check returned: me: Annotated[User, Caller()]."""


class Detail(str):
    """What is wrong with a request, and where: path, query, header or body."""

    where: str
    name: str

    def __new__(cls, text: str, where: str = "", name: str = "") -> Detail:
        made = super().__new__(cls, text)
        made.where = where
        made.name = name
        return made


class Invalid(Exception):
    """A parameter or body of the wrong type."""

    def __init__(self, detail: Detail) -> None:
        super().__init__(detail)
        self.detail = detail


class Malformed(Exception):
    """A body that cannot be parsed at all."""


Arguments = Mapping[str, list[str]]


class Parameter(msgspec.Struct, frozen=True):
    """One argument of a handler: where it stands on the wire, what type it has."""

    argument: str
    name: str
    place: str  # path | query | header | body | parsed | caller
    type: Any
    default: Any = EMPTY

    @property
    def required(self) -> bool:
        """Whether a request must carry it."""
        return self.default is EMPTY


class Operation:
    """Method, path, parameters, body, reply, cost: everything that is known of one call of the wire."""

    def __init__(
        self,
        handler: Callable[..., Any],
        method: str,
        path: str,
        *,
        name: str = "",
        answers: Any = None,
        status: int = 200,
        seconds: float = 0.4,
        idempotent: bool = False,
        public: bool = False,
        role: str = "",
        strict: bool = True,
        tags: tuple[str, ...] = (),
        limits: tuple[RateLimit, ...] = (),
    ) -> None:
        """`role`: who may call it, as the product's role of this name checks; "" means everybody with a credential."""
        self.handler = handler
        self.method = method
        self.path = path
        self.name = name or handler.__name__
        self.summary = (inspect.getdoc(handler) or "").split("\n\n")[0].replace("\n", " ")
        self.status = status
        self.seconds = seconds
        self.idempotent = idempotent
        self.public = public
        self.role = role
        self.tags = tags
        self.limits = limits  # those of its own, besides the app's
        self.strict = strict
        hints = typing.get_type_hints(handler, include_extras=True)
        returned = hints.pop("return", None)
        self.answers = answers if answers is not None else returned
        in_path = {part[1:-1] for part in path.split("/") if part.startswith("{")}
        declared = [
            _parameter(p, hints[p.name], in_path) for p in list(inspect.signature(handler).parameters.values())[1:]
        ]
        self.parameters = [p for p in declared if p.place != "caller"]
        self.caller = next((p.argument for p in declared if p.place == "caller"), "")
        if self.caller and not role:
            raise ValueError(f"{self.name} asks for the caller in {self.caller!r}, but has no role that finds one")
        if role and public:
            raise ValueError(f"{self.name} is public, so it cannot ask for the role {role!r}")
        self.body = next((p for p in self.parameters if p.place == "body"), None)
        self._decode = (
            msgspec.json.Decoder(self.body.type, strict=strict).decode
            if self.body and self.body.type is not bytes
            else None
        )
        self._simple = not [p for p in self.parameters if p.place not in ("path", "body")]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.method} {self.path}>"

    def bind(self, request: Request, in_path: dict[str, str]) -> dict[str, Any]:
        """The handler's arguments, typed; Invalid or Malformed where the request does not fit."""
        out: dict[str, Any] = {}
        query: Arguments = {} if self._simple or not request.query else parse_qs(request.query, keep_blank_values=True)
        for parameter in self.parameters:
            place, name = parameter.place, parameter.name
            if place == "body":
                out[parameter.argument] = self._body(request, parameter)
            elif place == "parsed":
                out[parameter.argument] = parameter.type.parse(query, request)
            else:
                if place == "path":
                    raw: str | list[str] | None = in_path[name]
                elif place == "query":
                    values = query.get(name)
                    raw = None if values is None else values if _is_list(parameter.type) else values[-1]
                else:
                    raw = request.headers.get(name.lower())
                if raw is None:
                    if parameter.required:
                        raise Invalid(Detail(f"{name} is required", place, name))
                    out[parameter.argument] = parameter.default
                else:
                    out[parameter.argument] = _typed(raw, parameter)
        return out

    def _body(self, request: Request, parameter: Parameter) -> Any:
        if parameter.type is bytes or self._decode is None:
            return request.body
        if not request.body:
            if not parameter.required:
                return parameter.default
            data = b"{}"
        else:
            data = request.body
        try:
            if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
                form = {key: values[-1] for key, values in parse_qs(data.decode(), keep_blank_values=True).items()}
                return msgspec.convert(form, parameter.type, strict=False)
            if _too_deep(data):
                raise Malformed(f"nested deeper than {DEEPEST}")
            return self._decode(data)
        except msgspec.ValidationError as error:
            text, _, where = str(error).partition(" - at ")
            raise Invalid(Detail(text, "body", where.strip("`").removeprefix("$.").removeprefix("$"))) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(str(error)) from error


def _too_deep(data: bytes) -> bool:
    if data.count(b"{") + data.count(b"[") <= DEEPEST:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(data):
        sign = found[0][:1]
        depth += (sign in b"{[") - (sign in b"}]")
        if depth > DEEPEST:
            return True
    return False


@cache
def _is_list(type_: Any) -> bool:
    """Whether a parameter may be given several times, also where it may be left out."""
    origin = get_origin(type_)
    if origin in (Annotated, Union, UnionType):
        return any(_is_list(part) for part in get_args(type_)[: 1 if origin is Annotated else None])
    return origin in (list, tuple)


def _typed(raw: str | list[str], parameter: Parameter) -> Any:
    if parameter.type is str:
        return raw
    if parameter.type is int and isinstance(raw, str):
        digits = raw.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 19:
            return int(raw)
        raise Invalid(Detail(f"{parameter.name}: {raw!r} is not a number", parameter.place, parameter.name))
    try:
        value = msgspec.convert(raw, parameter.type, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(Detail(f"{parameter.name}: {error}", parameter.place, parameter.name)) from error
    if isinstance(value, int) and not -(2**63) <= value < 2**63:  # SQLite's integers end there
        raise Invalid(Detail(f"{parameter.name}: {raw!r} is too large", parameter.place, parameter.name))
    if isinstance(value, float) and not math.isfinite(value):  # nor does it keep what is no number
        raise Invalid(Detail(f"{parameter.name}: {raw!r} is not a number", parameter.place, parameter.name))
    return value


def _parameter(parameter: inspect.Parameter, hint: Any, in_path: set[str]) -> Parameter:
    name, default = parameter.name, parameter.default
    marks: tuple[Any, ...] = ()
    plain = hint
    if get_origin(hint) is Annotated:
        plain, *rest = get_args(hint)
        marks = tuple(rest)
    if name in in_path:
        return Parameter(name, name, "path", plain)
    for mark in marks:
        if isinstance(mark, Caller) or mark is Caller:
            return Parameter(name, name, "caller", plain)
        if isinstance(mark, Header):
            return Parameter(name, mark.name, "header", plain, default)
        if isinstance(mark, Query):
            return Parameter(name, mark.name, "query", hint if len(marks) > 1 else plain, default)
    if hasattr(plain, "parse") and isinstance(plain, type):
        return Parameter(name, name, "parsed", plain, default)
    if name == "body" or (isinstance(plain, type) and issubclass(plain, msgspec.Struct)):
        return Parameter(name, name, "body", plain, default)
    return Parameter(name, name, "query", plain, default)


class Router:
    """Finds the operation of a method and path; fixed words win over parameters."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}

    def add(self, operation: Operation) -> None:
        """Make an operation reachable."""
        node = self._root
        for part in operation.path.strip("/").split("/"):
            node = node.setdefault("{}" if part.startswith("{") else part, {})
        names = [part[1:-1] for part in operation.path.strip("/").split("/") if part.startswith("{")]
        methods = node.setdefault("", {})
        if operation.method in methods:
            raise ValueError(f"two operations answer {operation.method} {operation.path}")
        methods[operation.method] = (operation, names)

    def find(self, path: str) -> Found:
        """The operations at a path by method, and the values of its parameters."""
        return _walk(self._root, path.strip("/").split("/"), 0, [])


Found = tuple[dict[str, tuple[Operation, list[str]]], list[str]] | None


def _walk(node: dict[str, Any], parts: list[str], at: int, values: list[str]) -> Found:
    if at == len(parts):
        methods = node.get("")
        return (methods, values) if methods else None
    part = parts[at]
    if part and part != "{}":
        child = node.get(part)
        if child is not None:
            found = _walk(child, parts, at + 1, values)
            if found is not None:
                return found
    child = node.get("{}")
    if child is not None and part:
        return _walk(child, parts, at + 1, [*values, unquote(part)])
    return None
