"""The tools of the tool door: each is a function from arguments to the vendor's own request."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

import msgspec

from diorama.kernel import Reply

EMPTY = inspect.Parameter.empty


class Call(msgspec.Struct, frozen=True):
    """The vendor's request that a tool call becomes.

    `body` is sent as JSON, `form` as a url-encoded form. `host` is a host's alias or name, "" for the main one.
    """

    method: str
    path: str
    body: Any = None
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    form: dict[str, Any] = {}
    host: str = ""


class WrongArguments(Exception):
    """The arguments of a tool call do not fit its schema."""


class Tool:
    """One tool: name, description, JSON schema of its arguments, and the request it makes.

    `credential` is the kind of credential that the request uses, one of the product's `seats`; "" is the first one that
    the agent's seat holds.
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
        fields = [
            (p.name, hints[p.name]) if p.default is EMPTY else (p.name, hints[p.name], p.default)
            for p in inspect.signature(build).parameters.values()
        ]
        self.arguments = msgspec.defstruct(self.name, fields, forbid_unknown_fields=True, kw_only=True)
        self.schema = _schema(self.arguments)

    def call(self, arguments: dict[str, Any]) -> Call:
        """Return the request for these arguments; raise WrongArguments if they do not fit."""
        try:
            parsed = msgspec.convert(arguments, self.arguments)
        except msgspec.ValidationError as error:
            raise WrongArguments(f"{self.name}: {error}") from error
        return self.build(**{name: getattr(parsed, name) for name in parsed.__struct_fields__})

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
