"""The tools of the tool door: each is a function from arguments to the vendor's own request."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec

from diorama.kernel import Reply, Tx
from diorama.kit.wire import json_encode

EMPTY = inspect.Parameter.empty
FormStyle = Literal["json", "brackets"]
"""How a vendor takes lists and objects in a form: as JSON text (Slack), or as names with brackets (Stripe)."""


class Call(msgspec.Struct, frozen=True):
    """The vendor's request that a tool call becomes.

    `body` is sent as JSON, `form` as a url-encoded form: lists and objects in it as the product's `form_style` says. A
    list in `query` is written with commas. True and False are written `true` and `false`; None is left out. `host` is a
    host's alias or name, "" for the main one.
    """

    method: str
    path: str
    body: Any = None
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    form: dict[str, Any] = {}
    host: str = ""


Look = Callable[[Callable[[Tx], Any]], Any]
"""Run a function on a read-only transaction; a tool uses it to turn a name into the id that the vendor's API wants."""


class WrongArguments(Exception):
    """The arguments of a tool call do not fit its schema."""


class Tool:
    """One tool: name, description, JSON schema of its arguments, and the request it makes.

    A parameter named `look` is not an argument: it is what the tool door hands over to look up names, or None.
    `credential` is the kind of credential that the request uses, one of the product's `credential_kinds`; "" is the
    first one that the agent's seat holds.
    """

    def __init__(
        self,
        app: str,
        build: Callable[..., Call],
        show: Callable[[Reply], str] | None = None,
        credential: str = "",
    ) -> None:
        self.app = app
        self.credential = credential
        self.name = f"{app}_{build.__name__}"
        self.description = inspect.getdoc(build) or ""
        self.build = build
        self.show = show
        hints = typing.get_type_hints(build, include_extras=True)
        hints.pop("return", None)
        parameters = inspect.signature(build).parameters
        self.looks = "look" in parameters
        fields = [
            (p.name, hints[p.name]) if p.default is EMPTY else (p.name, hints[p.name], p.default)
            for p in parameters.values()
            if p.name != "look"
        ]
        self.arguments = msgspec.defstruct(self.name, fields, forbid_unknown_fields=True, kw_only=True)
        self.schema = _schema(self.arguments)

    def call(self, arguments: dict[str, Any], look: Look | None = None) -> Call:
        """Return the request for these arguments; raise WrongArguments if they do not fit."""
        try:
            parsed = msgspec.convert(arguments, self.arguments)
        except msgspec.ValidationError as error:
            raise WrongArguments(f"{self.name}: {error}") from error
        given = {name: getattr(parsed, name) for name in parsed.__struct_fields__}
        return self.build(**given, look=look) if self.looks else self.build(**given)

    def describe(self) -> dict[str, Any]:
        """Return the description of the tool for agents."""
        return {"name": self.name, "description": self.description, "parameters": self.schema}


def _schema(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of the arguments, with the outermost reference opened."""
    found = msgspec.json.schema(arguments)
    definitions = found.get("$defs", {})
    schema = dict(definitions.pop(arguments.__name__))
    schema.pop("title", None)
    if definitions:
        schema["$defs"] = definitions
    return schema


# --- values in queries and forms


def query_text(values: Mapping[str, Any]) -> str:
    """Return values as a query: a list of plain values with commas, other structured values as JSON text."""
    return urlencode({name: _commas(msgspec.to_builtins(value)) for name, value in values.items() if value is not None})


def form_text(values: Mapping[str, Any], style: FormStyle = "json") -> str:
    """Return values as a url-encoded form, with lists and objects in the vendor's style."""
    plain = {name: msgspec.to_builtins(value) for name, value in values.items() if value is not None}
    if style == "json":
        return urlencode({name: _text(value) for name, value in plain.items()})
    return urlencode([pair for name, value in plain.items() for pair in _bracketed(name, value)])


def _text(value: Any) -> str:
    """Return a plain value as text, a structured one as JSON."""
    return value if isinstance(value, str) else json_encode(value).decode()


def _commas(value: Any) -> str:
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return ",".join(_text(item) for item in value)
    return _text(value)


def _bracketed(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _bracketed(f"{name}[{key}]", inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _bracketed(f"{name}[{place}]" if isinstance(inner, list | dict) else f"{name}[]", inner)
    elif value is not None:
        yield name, _text(value)
