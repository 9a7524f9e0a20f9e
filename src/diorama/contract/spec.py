"""A vendor's contract: its operations with parameters, bodies and replies, read from OpenAPI 2 or 3."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diorama.contract import source
from diorama.contract.document import Document, Schema

METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
PARAMETER = re.compile(r"\{[^{}]*\}")
FORM = "application/x-www-form-urlencoded"


class Parameter(Struct, frozen=True):
    """One declared parameter of an operation."""

    name: str
    where: str
    required: bool
    schema: Schema
    example: Any = None


class Content(Struct, frozen=True):
    """A body or a reply: its schema if it is JSON, its examples, and whether it is required."""

    schema: Schema | None = None
    examples: tuple[Any, ...] = ()
    required: bool = False
    media: str = "application/json"


class Operation(Struct, frozen=True):
    """One method on one path, as a document declares it."""

    method: str
    path: str
    name: str
    area: str
    document: Document
    parameters: tuple[Parameter, ...] = ()
    body: Content | None = None
    replies: dict[str, Content] = {}

    @property
    def key(self) -> tuple[str, str]:
        """The method and normalised path that identify an operation."""
        return self.method, normal(self.path)

    @property
    def title(self) -> str:
        """The name in reports: `GET /api/v2/tickets/{ticket_id}`."""
        return f"{self.method} {self.path}"

    def parameter(self, where: str, name: str) -> Parameter | None:
        """Return the declared parameter with this name and place."""
        return next((p for p in self.parameters if p.where == where and p.name == name), None)

    def path_parameters(self) -> list[Parameter]:
        """Return the path's parameters in path order, declared or not."""
        names = [part[1:-1].split(":")[0].strip("+*.") for part in PARAMETER.findall(self.path)]
        anything = Schema(self.document, {})
        return [self.parameter("path", name) or Parameter(name, "path", True, anything) for name in names]

    def successes(self) -> list[str]:
        """Return the documented statuses that mean success."""
        return [status for status in self.replies if status[:1] == "2"]

    def reply(self, status: int) -> Content | None:
        """Return the documented reply for this status: exact, by class (`2XX`), or the default if alone."""
        for name in (str(status), f"{status // 100}XX", f"{status // 100}xx"):
            if name in self.replies:
                return self.replies[name]
        return None if self.successes() else self.replies.get("default")


class Spec(Struct, frozen=True):
    """All operations of one vendor's API, without duplicates."""

    name: str
    operations: dict[tuple[str, str], Operation]


def read(files: Sequence[Path], ours: Iterable[str] = ()) -> Spec:
    """Read the spec in these files; the paths that we serve decide if the base path is unclear."""
    documents = []
    for file in files:
        members = source.load(file)
        documents += [Document(name, tree, members) for name, tree in members.items()]
    spec = gather(" + ".join(file.name for file in files), documents, ours)
    if not spec.operations:
        raise source.Unreadable(", ".join(map(str, files)), "it declares no operation")
    return spec


def gather(name: str, documents: Sequence[Document], ours: Iterable[str] = ()) -> Spec:
    """Build one spec from several documents; duplicate declarations are merged, the more complete schema wins."""
    paths = {normal(path) for path in ours}
    operations: dict[tuple[str, str], Operation] = {}
    for document in documents:
        for operation in _operations(document, resolve_base_path(document.tree, paths)):
            known = operations.get(operation.key)
            operations[operation.key] = operation if known is None else _joined(known, operation)
    return Spec(name, operations)


def normal(path: str) -> str:
    """Return a path template without what clients do not see: parameter names, `.json`, the last slash, a query.

    A fragment stays: `/#Action=ListUsers` identifies one of several operations at a path.
    """
    plain, mark, fragment = path.partition("#")
    bare = PARAMETER.sub("{}", plain.split("?")[0]).rstrip("/")
    return "/" + bare.removesuffix(".json").strip("/") + mark + fragment


def resolve_base_path(tree: Mapping[str, Any], ours: set[str]) -> str:
    """Return the base path of a document: as declared, unless only a shorter one (or one of ours) has any match."""
    declared = _base(tree)
    paths = list(tree.get("paths") or ())

    def matches(base: str) -> int:
        return sum(normal(base + path) in ours for path in paths)

    if not ours or matches(declared):
        return declared
    parts = [part for part in declared.split("/") if part]
    shorter = ["".join(f"/{part}" for part in parts[cut:]) for cut in range(1, len(parts) + 1)]
    fixed = [path.split("/{}")[0].split("/") for path in sorted(ours)]
    leading = dict.fromkeys("/".join(part[:length]) for part in fixed for length in (2, 3, 4) if length < len(part))
    best = max([*shorter, *leading], key=matches, default=declared)
    return best if matches(best) * 10 >= max(len(paths), 1) else declared  # fewer is a coincidence


def _base(tree: Mapping[str, Any]) -> str:
    if "swagger" in tree:
        return str(tree.get("basePath") or "").rstrip("/")
    for server in tree.get("servers") or ():
        if isinstance(server, Mapping):
            url = str(server.get("url") or "")
            for name, variable in (server.get("variables") or {}).items():
                url = url.replace("{" + name + "}", str(variable.get("default", name)))
            return urlsplit(url).path.rstrip("/")
    return ""


def _operations(document: Document, base: str) -> Iterator[Operation]:
    for path, raw in (document.tree.get("paths") or {}).items():
        item = document.follow(raw)
        if not isinstance(item, Mapping):
            continue
        shared = item.get("parameters") or ()
        for method in METHODS:
            declared = item.get(method)
            if isinstance(declared, Mapping):
                near = next((_base(level) for level in (declared, item) if level.get("servers")), base)
                yield _operation(document, method, near + path, declared, shared)


def _operation(document: Document, method: str, path: str, tree: Mapping[str, Any], shared: Iterable[Any]) -> Operation:
    declared: dict[tuple[str, str], Mapping[str, Any]] = {}
    for raw in [*shared, *(tree.get("parameters") or ())]:
        parameter = document.follow(raw)
        if isinstance(parameter, Mapping) and "name" in parameter and "in" in parameter:
            declared[(str(parameter["in"]), str(parameter["name"]))] = parameter
    plain = [p for (where, _), p in declared.items() if where not in {"formData", "body"}]
    return Operation(
        method=method.upper(),
        path=path,
        name=str(tree.get("operationId") or ""),
        area=_area(tree, path),
        document=document,
        parameters=tuple(_parameter(document, p) for p in plain),
        body=_body(document, tree, list(declared.values())),
        replies={status: _reply(document, reply) for status, reply in (tree.get("responses") or {}).items()},
    )


def _parameter(document: Document, tree: Mapping[str, Any]) -> Parameter:
    schema = tree.get("schema")
    if schema is None and tree.get("content"):
        schema = next((media.get("schema") for media in tree["content"].values() if isinstance(media, Mapping)), {})
    examples = _examples(document, tree) or [tree[key] for key in ("x-example",) if key in tree]
    return Parameter(
        name=str(tree["name"]),
        where=str(tree["in"]),
        required=tree.get("required") is True,
        schema=Schema(document, _inline(tree) if schema is None else schema),
        example=examples[0] if examples else None,
    )


def _inline(parameter: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an OpenAPI 2 parameter, which is the parameter itself."""
    return {key: value for key, value in parameter.items() if key not in {"name", "in", "required", "description"}}


def _body(document: Document, tree: Mapping[str, Any], parameters: list[Mapping[str, Any]]) -> Content | None:
    request = document.follow(tree.get("requestBody"))
    if request:
        return _content(document, request.get("content"), request.get("required") is True)
    form = {str(p["name"]): p for p in parameters if p["in"] == "formData"}
    for whole in (p for p in parameters if p["in"] == "body"):
        return Content(schema=Schema(document, whole.get("schema")), required=whole.get("required") is True)
    if not form:
        return None
    required = [name for name, p in form.items() if p.get("required") is True]
    fields = {name: _inline(p) for name, p in form.items()}
    schema = Schema(document, {"type": "object", "properties": fields, "required": required})
    return Content(schema=schema, required=bool(required), media=FORM)


def _reply(document: Document, raw: Any) -> Content:
    tree = document.follow(raw)
    if not isinstance(tree, Mapping):
        return Content()
    if "content" in tree:
        return _content(document, tree["content"], required=False) or Content()
    shown = tree.get("examples")
    examples = [_value(shown[media]) for media in shown if "json" in media] if isinstance(shown, Mapping) else []
    schema = Schema(document, tree["schema"]) if tree.get("schema") else None
    return Content(schema=schema, examples=tuple(examples))


def _content(document: Document, content: Any, required: bool) -> Content | None:
    """Return the JSON form of a body or reply, or the first other form without a schema."""
    if not isinstance(content, Mapping) or not content:
        return None
    media = min(content, key=lambda name: (_rank(name), list(content).index(name)))
    tree = document.follow(content[media])
    if not isinstance(tree, Mapping):
        return Content(required=required, media=media)
    schema = Schema(document, tree["schema"]) if tree.get("schema") and _rank(media) < len(RANKS) else None
    return Content(schema=schema, examples=tuple(_examples(document, tree)), required=required, media=media)


RANKS = (("application/json",), ("*/*", "application/*"), (FORM, "multipart/form-data"))


def _rank(media: str) -> int:
    bare = media.split(";")[0].strip().lower()
    if bare.endswith("+json"):
        return 0
    return next((rank for rank, names in enumerate(RANKS) if bare in names), len(RANKS))


def _examples(document: Document, tree: Mapping[str, Any]) -> list[Any]:
    named = tree.get("examples")
    shown = [document.follow(example) for example in named.values()] if isinstance(named, Mapping) else []
    values = [example["value"] for example in shown if isinstance(example, Mapping) and "value" in example]
    return [_value(value) for value in ([tree["example"], *values] if "example" in tree else values)]


def _value(example: Any) -> Any:
    """Return an example as a value: some vendors write JSON inside a string."""
    if isinstance(example, str) and example[:1] in {"{", "["}:
        try:
            return msgspec.json.decode(example)
        except msgspec.DecodeError:
            return example
    return example


def _area(tree: Mapping[str, Any], path: str) -> str:
    tags = tree.get("tags")
    if isinstance(tags, list) and tags and isinstance(tags[0], str):
        return tags[0]
    fixed = [part for part in normal(path).split("/") if part and "{" not in part and part not in {"api", "rest"}]
    named = [part for part in fixed if not re.fullmatch(r"v?\d+(\.\d+)*", part)]
    return named[0] if named else "/"


def _joined(first: Operation, second: Operation) -> Operation:
    """Merge two declarations of an operation: all statuses, and of two schemas the one with fewer open references."""
    known = {(p.where, p.name) for p in first.parameters}
    fits = {("path", p.name) for p in first.path_parameters()}
    fresh = [p for p in second.parameters if (p.where, p.name) not in known]
    added = [p for p in fresh if p.where != "path" or ("path", p.name) in fits]
    return replace(
        first,
        parameters=(*first.parameters, *added),
        body=_fuller(first.body, second.body),
        replies={
            status: _fuller(first.replies.get(status), second.replies.get(status)) or Content()
            for status in [*first.replies, *(status for status in second.replies if status not in first.replies)]
        },
    )


def _fuller(first: Content | None, second: Content | None) -> Content | None:
    if first is None or second is None:
        return first or second
    if first.schema is None or second.schema is None:
        return first if first.schema else second
    return second if len(second.schema.unresolved_references()) < len(first.schema.unresolved_references()) else first
