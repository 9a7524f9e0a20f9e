"""Dispatch: several operations at one method and path, selected by a header, a field or a GraphQL field.

@APP.post("/", when=ByHeader("X-Amz-Target", "DynamoDB_20120810.GetItem"))
@APP.post("/", when=ByField("Action", "ListUsers"))
@APP.post("/graphql", when=ByGraphQL("viewer"))
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from diorama.kit.arguments import ParsedRequest


class ByHeader(msgspec.Struct, frozen=True):
    """The operation whose header has this value."""

    name: str
    value: str

    @property
    def about(self) -> str:
        """What is asked; operations at one place must ask the same."""
        return f"header {self.name.lower()}"

    def read(self, given: ParsedRequest) -> str:
        """Return the value in a request, "" if there is none."""
        return given.request.headers.get(self.name.lower(), "")

    @property
    def fragment(self) -> str:
        """How documents identify the operation, as in the published descriptions of AWS."""
        return f"#{self.name}={self.value}"


class ByField(msgspec.Struct, frozen=True):
    """The operation that a field of the query, form or JSON body names, such as `Action` or `operationName`."""

    name: str
    value: str

    @property
    def about(self) -> str:
        """What is asked."""
        return f"field {self.name}"

    def read(self, given: ParsedRequest) -> str:
        """Return the value in a request, "" if there is none."""
        sent = given.query.get(self.name) or given.form.get(self.name)
        found: Any = sent[-1] if sent else given.json.get(self.name)
        return found if isinstance(found, str) else ""

    @property
    def fragment(self) -> str:
        """How documents identify the operation."""
        return f"#{self.name}={self.value}"


class ByGraphQL(msgspec.Struct, frozen=True):
    """The operation that answers a root field of a GraphQL document: `viewer` of `query Me { viewer { login } }`."""

    value: str

    @property
    def about(self) -> str:
        """What is asked."""
        return "GraphQL root field"

    def read(self, given: ParsedRequest) -> str:
        """Return the first root field of the operation that a request runs, "" if there is none."""
        text = given.json.get("query") or (given.query.get("query") or [""])[-1]
        name = given.json.get("operationName") or (given.query.get("operationName") or [""])[-1]
        return root_field(text, name) if isinstance(text, str) and isinstance(name, str) else ""

    @property
    def fragment(self) -> str:
        """How documents identify the operation."""
        return f"#{self.value}"


When = ByHeader | ByField | ByGraphQL

_GRAPHQL = re.compile(
    r'"""(?:[^"]|"(?!""))*(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*|\.\.\.|[A-Za-z_]\w*|[{}():]', re.DOTALL
)


_NAME = re.compile(r"[A-Za-z_]\w*")


def root_field(document: str, operation: str = "") -> str:
    """Return the first root field of an operation in a GraphQL document (the first one if it is not named).

    An alias does not count: `me: viewer` asks for `viewer`. Return "" if there is no such operation, or if it starts
    with a fragment.
    """
    words = [word for word in _GRAPHQL.findall(document) if word[0] not in '"#']
    at = 0
    while at < len(words):
        kind, at = words[at], at + 1
        name = ""
        if kind != "{":
            name = words[at] if at < len(words) and words[at] not in "{(" else ""
            at = _next_brace(words, at)
        if kind != "fragment" and operation in ("", name):
            first = [*words[at : at + 3], "", "", ""]
            field = first[2] if first[1] == ":" else first[0]
            return field if _NAME.fullmatch(field) else ""
        at = _closing(words, at)
    return ""


def _next_brace(words: list[str], at: int) -> int:
    """Return the place behind the next opening brace outside parentheses (default values of variables hold braces)."""
    inside = 0
    while at < len(words) and (inside or words[at] != "{"):
        inside += (words[at] == "(") - (words[at] == ")")
        at += 1
    return at + 1


def _closing(words: list[str], at: int) -> int:
    """Return the place behind the brace that closes an open selection."""
    inside = 1
    while at < len(words) and inside:
        inside += (words[at] == "{") - (words[at] == "}")
        at += 1
    return at
