"""Router: from a method, path and host to the operation.

A segment of a path is fixed text, a parameter `{id}`, or text around parameters: `{repo}.git`, `{id}:cancel`,
`{base}...{head}`. The last segment may be the rest of the path: `{key*}`, or `{key*?}` where it may be empty. If
several patterns match, the order of preference is: fixed text, text around parameters, one parameter, the rest of the
path. A pattern that no request can reach raises ValueError when it is declared.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import msgspec

from diorama.kernel.location import declared_at
from diorama.kit.arguments import ParsedRequest
from diorama.kit.dispatch import When

if TYPE_CHECKING:
    from diorama.kit.operation import Operation

_SLOT = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*")
_REST = re.compile(r"\{([A-Za-z_]\w*)\*(\??)\}")


class Pattern(msgspec.Struct, frozen=True):
    """A parsed path: its segments, the names in it, and the name of the rest, if it has one."""

    text: str
    segments: tuple[str, ...]
    names: tuple[str, ...]
    rest: str = ""
    rest_may_be_empty: bool = False

    @classmethod
    def parse(cls, path: str) -> Pattern:
        """Parse a path; raise ValueError if it is invalid."""
        if not path.startswith("/") or "?" in path.replace("*?}", "") or "#" in path:
            raise ValueError(f"{path!r} is not a path: it starts with / and has neither query nor fragment")
        segments = path.strip("/").split("/") if path.strip("/") else []
        rest, may_be_empty = "", False
        if segments and (found := _REST.fullmatch(segments[-1])):
            rest, may_be_empty = found[1], bool(found[2])
            segments.pop()
        names = [name for segment in segments for name in _names(segment, path)] + ([rest] if rest else [])
        double = {name for name in names if names.count(name) > 1}
        if double:
            raise ValueError(f"{path!r} has two parameters named {', '.join(sorted(double))}")
        return cls(path, tuple(segments), tuple(names), rest, may_be_empty)

    @property
    def documented(self) -> str:
        """The path as OpenAPI writes it."""
        return self.text.replace("*?}", "}").replace("*}", "}")


def _names(segment: str, path: str) -> list[str]:
    """Return the parameters of one segment."""
    names = _SLOT.findall(segment)
    plain = _SLOT.sub("\0", segment)
    if not segment:
        raise ValueError(f"{path!r} has an empty segment")
    if "{" in plain or "}" in plain:
        raise ValueError(f"{path!r} has a brace without its partner")
    if "\0\0" in plain:
        raise ValueError(f"{path!r} has two parameters without a separator between them")
    for name in names:
        if name.endswith(("*", "*?")):
            raise ValueError(f"{path!r}: {{{name}}} takes the rest of the path, so it must be the whole last segment")
        if not _NAME.fullmatch(name):
            raise ValueError(f"{path!r}: {name!r} is not a name of a parameter")
    return names


class Switch:
    """Several operations at one method and path, by the value that a request names."""

    def __init__(self) -> None:
        self.when: When | None = None
        self.by_value: dict[str, Entry] = {}
        self.general: Entry | None = None

    def add(self, entry: Entry) -> None:
        """Add an operation; raise ValueError if a request could mean two."""
        operation, when = entry[0], entry[0].when
        at = f"{operation.method} {operation.pattern.text}"
        if when is None:
            if self.general is not None:
                raise ValueError(f"two operations answer {at}: {_named(self.general[0])} and {operation.name}")
            self.general = entry
            return
        if self.when is not None and self.when.about != when.about:
            raise ValueError(f"operations at {at} are selected by {self.when.about} and by {when.about}: choose one")
        if when.value in self.by_value:
            twin = _named(self.by_value[when.value][0])
            raise ValueError(
                f"two operations answer {at} with {when.about} {when.value!r}: {twin} and {operation.name}"
            )
        self.when = when
        self.by_value[when.value] = entry

    def choose(self, given: ParsedRequest) -> tuple[Entry | None, str]:
        """Return the operation that a request means, and the value that it names."""
        value = self.when.read(given) if self.when is not None else ""
        return self.by_value.get(value) or self.general, value


def _named(operation: Operation) -> str:
    """Return an operation's name and where it is declared."""
    return f"{operation.name} ({declared_at(operation.handler)})"


Entry = tuple["Operation", tuple[str, ...], Switch | None]
"""What a method at a path leads to: an operation, its parameter names, and the switch if there are several."""
Methods = dict[str, Entry]
Found = tuple[Methods, tuple[str, ...]] | None


class _Mixed:
    """A segment of text around parameters."""

    def __init__(self, segment: str, node: _Node) -> None:
        self.literals = _SLOT.split(segment)[::2]
        self.fixed = sum(map(len, self.literals))
        self.match = re.compile("(.+?)".join(map(re.escape, self.literals))).fullmatch
        self.node = node

    def overlaps(self, other: _Mixed) -> bool:
        """Return whether some text could match both, as far as their ends tell."""
        first, last = (self.literals[0], other.literals[0]), (self.literals[-1], other.literals[-1])
        starts = first[0].startswith(first[1]) or first[1].startswith(first[0])
        return starts and (last[0].endswith(last[1]) or last[1].endswith(last[0]))


class _Node:
    """One place in the tree of paths."""

    __slots__ = ("any", "fixed", "methods", "mixed", "rest", "rest_may_be_empty")

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.mixed: dict[str, _Mixed] = {}
        self.any: _Node | None = None
        self.rest: _Node | None = None
        self.rest_may_be_empty = False
        self.methods: Methods = {}


KNOWN_PATHS, KNOWN_PATH = 4096, 200
"""How many paths a router remembers, and how long they may be."""


class Router:
    """Finds the operations at a path of one host."""

    def __init__(self) -> None:
        self._root = _Node()
        self._known: dict[str, Found] = {}

    def add(self, operation: Operation) -> None:
        """Make an operation reachable; raise ValueError if another one always answers in its place."""
        self._known.clear()
        pattern, node = operation.pattern, self._root
        for segment in pattern.segments:
            node = _child(node, segment, pattern.text)
        if pattern.rest:
            if node.rest is not None and node.rest_may_be_empty != pattern.rest_may_be_empty:
                raise ValueError(f"{pattern.text!r}: another operation says otherwise whether the rest may be empty")
            node.rest_may_be_empty = pattern.rest_may_be_empty
            node.rest = node.rest or _Node()
            node = node.rest
        known = node.methods.get(operation.method)
        entry: Entry = (operation, pattern.names, None)
        if known is None and operation.when is None:
            node.methods[operation.method] = entry
            return
        switch = known[2] if known is not None else None
        if switch is None:
            switch = Switch()
            if known is not None:
                switch.add(known)
        switch.add(entry)
        shown = (switch.general or next(iter(switch.by_value.values())))[0]
        node.methods[operation.method] = (shown, pattern.names, switch)

    def find(self, path: str) -> Found:
        """Return the operations at a path by method, and the values of its parameters."""
        known = self._known.get(path)
        if known is not None:
            return known
        bare = path.strip("/")
        found = _walk(self._root, bare.split("/") if bare else [], 0, (), "/" if bare and path[-1] == "/" else "")
        if found is not None and len(path) <= KNOWN_PATH:
            if len(self._known) >= KNOWN_PATHS:
                self._known.clear()
            self._known[path] = found
        return found


def _child(node: _Node, segment: str, path: str) -> _Node:
    """Return the node below another one for a segment, made if it is new."""
    plain = _SLOT.sub("{}", segment)
    if plain == "{}":
        node.any = node.any or _Node()
        return node.any
    if plain == segment:
        return node.fixed.setdefault(segment, _Node())
    known = node.mixed.get(plain)
    if known is None:
        known = _Mixed(segment, _Node())
        rivals = [shape for shape, one in node.mixed.items() if one.fixed == known.fixed and one.overlaps(known)]
        if rivals:
            raise ValueError(f"{path!r} is ambiguous: {plain} and {rivals[0]} can match the same text")
        node.mixed = dict(sorted([*node.mixed.items(), (plain, known)], key=lambda item: -item[1].fixed))
    return known.node


def _walk(node: _Node, parts: list[str], at: int, values: tuple[str, ...], tail: str) -> Found:
    if at == len(parts):
        if node.methods:
            return node.methods, values
        if node.rest is not None and node.rest_may_be_empty:
            return node.rest.methods, (*values, "")
        return None
    part = parts[at]
    child = node.fixed.get(part)
    if child is not None:
        found = _walk(child, parts, at + 1, values, tail)
        if found is not None:
            return found
    if node.mixed:
        found = _walk_mixed(node, parts, at, values, tail)
        if found is not None:
            return found
    if node.any is not None and part:
        found = _walk(node.any, parts, at + 1, (*values, unquote(part) if "%" in part else part), tail)
        if found is not None:
            return found
    if node.rest is not None:
        return node.rest.methods, (*values, unquote("/".join(parts[at:]) + tail))
    return None


def _walk_mixed(node: _Node, parts: list[str], at: int, values: tuple[str, ...], tail: str) -> Found:
    part = parts[at].replace("%3A", ":").replace("%3a", ":")  # some clients escape the colon before a verb
    for mixed in node.mixed.values():
        matched = mixed.match(part)
        if matched is not None:
            found = _walk(mixed.node, parts, at + 1, (*values, *map(unquote, matched.groups())), tail)
            if found is not None:
                return found
    return None
