"""Differences between our declarations and the vendor's that a client would notice."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from diorama.contract.document import Schema
from diorama.contract.match import Pair
from diorama.contract.shape import Types, contradicts, shape, spelled
from diorama.contract.spec import Content, Operation

Kind = Literal[
    "path_parameter_type",
    "query_parameter_type",
    "query_parameter_unknown",
    "query_parameter_required",
    "status_undocumented",
    "body_unknown",
    "body_type",
    "body_property_unknown",
    "body_property_required",
    "reply_absent",
    "reply_type",
    "reply_property_missing",
    "unused_excuse",
]
CREDENTIALS = {"token", "access_token", "api_key", "apikey", "key"}  # read by the door, not by the operation
DEPTH = 10


class Mismatch(Struct, frozen=True):
    """One contradiction between our declaration and the vendor's."""

    operation: str
    kind: Kind
    where: str
    message: str


def drift(pair: Pair) -> list[Mismatch]:
    """Return all contradictions of one operation."""
    return [*_path(pair), *_query(pair), *_body(pair), *_replies(pair)]


def _path(pair: Pair) -> Iterator[Mismatch]:
    for theirs, ours in zip(pair.theirs.path_parameters(), pair.ours.path_parameters(), strict=False):
        wanted, got = shape(theirs.schema).solid, shape(ours.schema).solid
        if _narrower(got, wanted):
            message = f"the vendor's is {spelled(wanted)}, ours {spelled(got)}"
            yield Mismatch(pair.theirs.title, "path_parameter_type", theirs.name, message)


def _query(pair: Pair) -> Iterator[Mismatch]:
    title = pair.theirs.title
    for theirs in (p for p in pair.theirs.parameters if p.where == "query" and p.name not in CREDENTIALS):
        ours = pair.ours.parameter("query", theirs.name)
        if ours is None:
            if theirs.required and not _in_body(pair.ours, theirs.name):
                yield Mismatch(
                    title, "query_parameter_unknown", theirs.name, "the vendor requires it, we do not read it"
                )
            continue
        wanted, got = shape(theirs.schema).solid, shape(ours.schema).solid
        if _narrower(got, wanted):
            message = f"the vendor's is {spelled(wanted)}, ours {spelled(got)}"
            yield Mismatch(title, "query_parameter_type", theirs.name, message)
    for ours in (p for p in pair.ours.parameters if p.where == "query" and p.required):
        known = pair.theirs.parameter("query", ours.name)
        if not (known and known.required):
            yield Mismatch(title, "query_parameter_required", ours.name, "we require it, the vendor does not")


def _in_body(operation: Operation, name: str) -> bool:
    return bool(operation.body and operation.body.schema and name in shape(operation.body.schema).properties)


def _narrower(ours: Types | None, theirs: Types | None) -> bool:
    """Check whether we refuse what the vendor accepts; in a URL, text accepts anything and an array is a list."""
    return contradicts(ours, theirs) and not (ours or frozenset()) & {"string", "array"}


def _body(pair: Pair) -> Iterator[Mismatch]:
    theirs, ours = pair.theirs.body, pair.ours.body
    if theirs is None or theirs.schema is None:
        return
    if ours is None or ours.schema is None:
        if theirs.required and ours is None:
            yield Mismatch(pair.theirs.title, "body_unknown", "", "the vendor requires a body, we read none")
        return
    yield from _Comparison(pair.theirs.title, "body").walk(ours.schema, theirs.schema)


def _replies(pair: Pair) -> Iterator[Mismatch]:
    title = pair.theirs.title
    documented = pair.theirs.successes()
    for status in pair.ours.successes():
        theirs = pair.theirs.reply(int(status)) if status.isdigit() else None
        if theirs is None and documented:
            yield Mismatch(
                title, "status_undocumented", status, f"we answer {status}, the vendor {', '.join(documented)}"
            )
            theirs = next((pair.theirs.replies[name] for name in documented), None)
        yield from _reply(title, pair.ours.replies[status], theirs)


def _reply(title: str, ours: Content, theirs: Content | None) -> Iterator[Mismatch]:
    if theirs is None or theirs.schema is None:
        return
    if ours.schema is None:
        if ours.media == theirs.media and shape(theirs.schema).types is not None:
            yield Mismatch(title, "reply_absent", "", "the vendor documents a reply body, we declare none")
        return
    yield from _Comparison(title, "reply").walk(ours.schema, theirs.schema)


class _Comparison:
    """Walks over two schemas at once, in the direction in which the data flows."""

    def __init__(self, title: str, direction: Literal["body", "reply"]) -> None:
        self.title = title
        self.direction = direction
        self.seen: set[tuple[str, str]] = set()

    def walk(self, ours: Schema, theirs: Schema, pointer: str = "", depth: int = 0) -> Iterator[Mismatch]:
        names = (_reference(ours), _reference(theirs))
        if depth > DEPTH or (all(names) and names in self.seen):
            return
        self.seen.add(names)
        mine, vendors = shape(ours), shape(theirs)
        if contradicts(mine.solid, vendors.solid):
            message = f"the vendor's is {spelled(vendors.solid)}, ours {spelled(mine.solid)}"
            yield Mismatch(self.title, "reply_type" if self.direction == "reply" else "body_type", pointer, message)
            return
        if mine.properties:
            yield from self.required(mine.properties, mine.required, vendors.properties, vendors.required, pointer)
        for name, schema in vendors.properties.items():
            if name in mine.properties:
                yield from self.walk(mine.properties[name], schema, f"{pointer}/{name}", depth + 1)
        if mine.items and vendors.items:
            yield from self.walk(mine.items, vendors.items, f"{pointer}/*", depth + 1)

    def required(
        self,
        mine: dict[str, Schema],
        we_require: frozenset[str],
        vendors: dict[str, Schema],
        they_require: frozenset[str],
        pointer: str,
    ) -> Iterator[Mismatch]:
        """Yield fields that the vendor requires and we do not have, and fields that only we require."""
        hidden = "writeOnly" if self.direction == "reply" else "readOnly"
        for name in sorted(they_require - mine.keys() - we_require):
            tree = vendors[name].document.follow(vendors[name].tree) if name in vendors else {}
            if isinstance(tree, dict) and tree.get(hidden) is True:
                continue
            if self.direction == "reply":
                yield Mismatch(
                    self.title, "reply_property_missing", f"{pointer}/{name}", "the vendor always sends it, we never do"
                )
            else:
                yield Mismatch(
                    self.title,
                    "body_property_unknown",
                    f"{pointer}/{name}",
                    "the vendor requires it, we do not read it",
                )
        if self.direction == "body" and they_require:  # a spec without any `required` leaves it open
            for name in sorted(we_require - they_require):
                yield Mismatch(
                    self.title, "body_property_required", f"{pointer}/{name}", "we require it, the vendor does not"
                )


def _reference(schema: Schema) -> str:
    return str(schema.tree.get("$ref", "")) if isinstance(schema.tree, dict) else ""
