"""OpenAPI documents and the schemas inside them, with references that may reach into the same bundle."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

DEEP = 64


class Document:
    """One OpenAPI document; in a bundle, missing references are looked up in the other members."""

    def __init__(self, name: str, tree: Mapping[str, Any], siblings: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self.tree = tree
        self.version = str(tree.get("openapi") or tree.get("swagger") or "3.1.0")
        self.siblings = siblings or {}
        self.outlines: dict[int, tuple[Any, Any]] = {}
        """Computed outlines by the identity of the schema tree; the tree is kept so that its identity stays valid."""
        self._found: dict[str, Any] = {}

    def at(self, reference: str) -> Any:
        """Return the target of a reference (`#/components/schemas/Ticket`), or None."""
        if reference not in self._found:
            self._found[reference] = self._search(reference)
        return self._found[reference]

    def follow(self, thing: Any) -> Any:
        """Follow references to the thing itself; return {} if they lead nowhere."""
        for _ in range(DEEP):
            if not isinstance(thing, Mapping) or not isinstance(thing.get("$ref"), str):
                return {} if thing is None else thing
            thing = self.at(thing["$ref"])
        return {}

    def _search(self, reference: str) -> Any:
        file, _, pointer = reference.partition("#")
        if file:
            named = file.rsplit("/", 1)[-1]
            return _point(self.siblings[named], pointer) if named in self.siblings else None
        found = _point(self.tree, pointer)
        siblings = iter(self.siblings.values())
        while found is None and (sibling := next(siblings, None)) is not None:
            found = _point(sibling, pointer)
        return found


class Schema(Struct, frozen=True):
    """A schema and the document that its references refer to."""

    document: Document
    tree: Any

    def inside(self, tree: Any) -> "Schema":
        """Return another schema of the same document."""
        return Schema(self.document, tree)

    def unresolved_references(self) -> set[str]:
        """Return the reachable references that lead nowhere: the spec says nothing there."""
        seen: set[str] = set()
        waiting, lost = [self.tree], set()
        while waiting:
            for reference in _references(waiting.pop()):
                if reference in seen:
                    continue
                seen.add(reference)
                target = self.document.at(reference)
                if target is None:
                    lost.add(reference)
                else:
                    waiting.append(target)
        return lost


def _point(tree: Any, pointer: str) -> Any:
    for part in pointer.lstrip("/").split("/"):
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(tree, Mapping):
            tree = tree.get(key)
        elif isinstance(tree, list) and key.isdigit() and int(key) < len(tree):
            tree = tree[int(key)]
        else:
            return None
    return tree


def _references(tree: Any) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        place = waiting.pop()
        if isinstance(place, Mapping):
            if isinstance(place.get("$ref"), str):
                yield place["$ref"]
            waiting += [value for key, value in place.items() if key not in {"example", "examples", "default", "enum"}]
        elif isinstance(place, list):
            waiting += place
