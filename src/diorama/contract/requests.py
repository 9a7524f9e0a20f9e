"""Meaningful requests: real addresses, the required parameters, and useful bodies."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from diorama.contract.document import Document, Schema
from diorama.contract.findings import Target
from diorama.contract.generator import ValueGenerator
from diorama.contract.pool import ID, Pool, noun, unique
from diorama.contract.shape import shape
from diorama.contract.spec import FORM, Parameter, normal
from diorama.kernel import Dice, Refusal, Request
from diorama.kit import App, WrongArguments

ADDRESSES = 3
PARENTS = 12
FIRST = 2

Read = Callable[[Target, Request], Any]


class Requests:
    """Builds requests for the operations of one app; `read` fetches a list from the world when ids are needed."""

    def __init__(
        self, app: App, targets: list[Target], pool: Pool, draft: ValueGenerator, dice: Dice, read: Read
    ) -> None:
        self.app = app
        self.by_key = {target.ours.key: target for target in targets}
        self.pool = pool
        self.draft = draft
        self.dice = dice
        self.read = read
        self._listed: dict[str, list[Any]] = {}

    def reads(self, target: Target) -> Iterator[Request]:
        """Yield a GET at several real addresses, and at the first one with each parameter that can be guessed."""
        addresses = self.addresses(target, ADDRESSES)
        for address in addresses:
            yield self.request(target, address)
        for parameter in self.optional(target):
            value = self.guess(parameter, target, optional=True)
            if value is not None and addresses:
                yield self.request(target, addresses[0], {parameter.name: value})

    def queries(self, target: Target) -> list[dict[str, Any]]:
        """Return the query strings of a write: none, and one with the ids it is about (`?ids=1,2`)."""
        named = {p.name: self.guess(p, target) for p in self.optional(target) if ID.search(p.name) or p.name == "ids"}
        return [{}, named] if named else [{}]

    def bodies(self, target: Target, attempt: int) -> list[Any]:
        """Return the vendor's examples, and bodies generated from both schemas; fewer of them after some attempts."""
        about = resource(target.ours.path)
        draft = self.draft.variant(attempt)
        found: list[Any] = []
        for declared in (target.theirs.body if target.theirs else None, target.ours.body):
            if declared is None:
                continue
            found += [draft.filled(example, about=about) for example in declared.examples]
            if declared.schema is not None and attempt < FIRST:
                found += draft.bodies(declared.schema, about)
            elif declared.schema is not None:
                made = draft.bodies(declared.schema, about)
                found += [made[0], made[-1]]
        return unique(found)

    def about(self, thing: str, method: str = "") -> list[Target]:
        """Return the operations at the address of one such object, or directly below it."""
        single = [target for target in self.by_key.values() if target.ours.path.count("{") == 1]
        return [
            target
            for target in single
            if target.ours.method.startswith(method) and noun(_before_parameter(target.ours.path)) == noun(thing)
        ]

    def tool_calls(self) -> Iterator[tuple[Target, Request]]:
        """Yield the requests that the app's tools build from generated arguments."""
        for tool in self.app.product.tools:
            schema = Schema(Document(tool.name, tool.schema), tool.schema)
            drafts = [self.draft.variant(attempt) for attempt in range(ADDRESSES)]
            for arguments in unique(arguments for draft in drafts for arguments in draft.bodies(schema, "")):
                try:
                    request = self.app.request_of(tool.call(arguments))
                except WrongArguments:
                    continue
                target = self.by_key.get((request.method, self.template(request)))
                if target is not None:
                    yield target, request

    def template(self, request: Request) -> str:
        """Return the normalised path of the operation that a request reaches."""
        try:
            return normal(self.app.route(request)[0].documented)
        except Refusal:
            return ""

    def request(
        self, target: Target, address: str, query: Mapping[str, Any] | None = None, body: Any = None
    ) -> Request:
        """Build one request with everything that the operation requires."""
        asked = {p.name: self.guess(p, target) for p in self.demanded(target, "query")} | dict(query or {})
        headers = {p.name.lower(): _only_value(p) or "contract-sample" for p in self.demanded(target, "header")}
        payload = b""
        if body is not None and target.ours.body is not None and target.ours.body.media == FORM:
            headers["content-type"] = FORM
            payload = urlencode({name: _text(value) for name, value in body.items()}).encode()
        elif body is not None:
            headers["content-type"] = "application/json"
            payload = msgspec.json.encode(body)
        text = urlencode({name: _text(value) for name, value in asked.items()})
        return Request(target.ours.method, address.partition("#")[0], text, headers, payload)

    def demanded(self, target: Target, where: str) -> list[Parameter]:
        """Return the parameters that either side requires, with the vendor's description if possible."""
        declared = [*(target.theirs.parameters if target.theirs else ()), *target.ours.parameters]
        wanted = {p.name for p in declared if p.where == where and p.required}
        known = {p.name for p in target.ours.parameters if p.where == where}
        return list({p.name: p for p in reversed(declared) if p.where == where and p.name in wanted & known}.values())

    def optional(self, target: Target) -> list[Parameter]:
        """Return our optional query parameters, with the vendor's description if there is one."""
        ours = [p for p in target.ours.parameters if p.where == "query" and not p.required]
        return [(target.theirs.parameter("query", p.name) if target.theirs else None) or p for p in ours]

    def guess(self, parameter: Parameter, target: Target, optional: bool = False) -> Any:
        """Return a value for a parameter: an existing value, the vendor's example, or a value of its type."""
        about = resource(target.ours.path)
        name = parameter.name
        if name in {"query", "q", "search"} and self.pool.words:
            return self.dice.child("word", target.title).pick(self.pool.words)
        found = self.pool.named(name, about) or self.pool.last_part(name)
        if found:
            picked = self.dice.child("parameter", target.title, name).sample(found, 2 if name.endswith("ids") else 1)
            return ",".join(map(str, picked))
        if parameter.example is not None:
            return parameter.example
        kinds = shape(parameter.schema).solid or frozenset()
        tree = parameter.schema.document.follow(parameter.schema.tree)
        is_vague = not isinstance(tree, Mapping) or not ({"enum", "default", "const"} & tree.keys())
        if optional and is_vague and kinds <= {"string", "object", "array"}:
            return None
        return self.draft.value(parameter.schema, about, name)

    def addresses(self, target: Target, count: int) -> list[str]:
        """Return concrete paths of an operation: parameters are real, children are found under their parents."""
        known = self.pool.with_all(p.name for p in target.ours.path_parameters()) if "{" in target.ours.path else []
        rows = self.dice.child("rows", target.title).sample(known, count)
        filled = [_filled(target.ours.path, row) for row in rows]
        found = self.looked_up(target, count)
        mixed = [address for pair in zip_longest(found, filled) for address in pair if address is not None]
        return unique(mixed)[:count]

    def looked_up(self, target: Target, count: int) -> list[str]:
        """Return addresses found by following the app's own lists."""
        parameters = {p.name: p for p in target.ours.path_parameters()}
        prefixes, template, before = [""], "", ""
        parts = [part for part in target.ours.path.split("/") if part]
        last = max((i for i, part in enumerate(parts) if "{" in part), default=-1)
        for i, part in enumerate(parts):
            found = re.fullmatch(r"\{([^{}:]+)[^{}]*\}", part)
            if found is None:
                prefixes = [f"{prefix}/{part}" for prefix in prefixes]
                before = part
            else:
                wide = count if i == last else PARENTS
                parameter = parameters.get(found[1].strip("+*.")) or target.ours.path_parameters()[0]
                prefixes = self.extended(target, prefixes, template, parameter, before, wide)
            template += f"/{part}"
        return prefixes[:count]

    def extended(
        self, target: Target, prefixes: list[str], template: str, parameter: Parameter, before: str, wide: int
    ) -> list[str]:
        """Extend each path with real values of its next parameter, up to `wide` paths in total."""
        dice = self.dice.child("address", target.title, parameter.name)
        out: list[str] = []
        for prefix in prefixes:
            if len(out) < wide:
                share = 1 if len(prefixes) >= wide else wide
                values = dice.sample(self.children(template, prefix, parameter.name, before), share)
                out += [f"{prefix}/{quote(str(value), safe='@')}" for value in values]
        if not out:
            known = self.pool.named(parameter.name, before) or self.pool.last_part(parameter.name)
            values = dice.sample(known, wide) or [self.guess(parameter, target)]
            out = [f"{prefix}/{quote(str(value), safe='@')}" for prefix in prefixes[:1] for value in values]
        return out[:wide]

    def children(self, template: str, prefix: str, name: str, before: str) -> list[Any]:
        """Return the ids in the list at this path, if the app has such a list."""
        if prefix not in self._listed:
            target = self.by_key.get(("GET", normal(template)))
            self._listed[prefix] = _items(self.read(target, self.request(target, prefix)), before) if target else []
        rows = self._listed[prefix]
        for field in (name, "id", "key", noun(name)):
            if found := [row[field] for row in rows if isinstance(row.get(field), str | int)]:
                return unique(found)
        return []


def _before_parameter(path: str) -> str:
    return path.split("/{")[0].rpartition("/")[2]


def _filled(path: str, row: Mapping[str, Any]) -> str:
    return re.sub(r"\{([^{}]+)\}", lambda found: quote(str(row[found[1]]), safe="@"), path)


def _items(value: Any, before: str) -> list[Mapping[str, Any]]:
    """Return the rows of a list reply: the list itself, the one named like the path, or the first one."""
    if isinstance(value, Mapping):
        lists = {name: rows for name, rows in value.items() if isinstance(rows, list)}
        value = lists.get(before) or next(iter(lists.values()), None)
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def resource(path: str) -> str:
    """Return the resource of a path: its last fixed word before the last parameter, or its last word."""
    parts = [part for part in path.removesuffix(".json").split("/") if part]
    fixed = [part for part in parts if "{" not in part]
    for i in range(len(parts) - 1, 0, -1):
        if "{" in parts[i] and "{" not in parts[i - 1]:
            return parts[i - 1] if i == len(parts) - 1 else parts[-1] if "{" not in parts[-1] else parts[i - 1]
    plural = [part for part in fixed if part.endswith("s")]
    return (plural or fixed or [""])[-1]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return str(value)


def _only_value(parameter: Parameter) -> str:
    """Return the first value that a parameter may have, "" if it may have any."""
    tree = parameter.schema.tree
    listed = tree.get("enum") if isinstance(tree, Mapping) else None
    return str(listed[0]) if listed else ""
