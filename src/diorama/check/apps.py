"""Checks of an app as a whole: its declaration is complete, errors are worded as the vendor's, no request breaks it."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from msgspec import structs

from diorama.check.declaring import check
from diorama.check.fuzz import document_of, host_of
from diorama.check.subjects import AppSubject, answer
from diorama.kernel import ANONYMOUS, Missing, Notice, Reply, Request
from diorama.kernel.location import declared_at
from diorama.kit import Credential, Detail, Operation, SizeLimits
from diorama.kit.openapi import answer_type
from diorama.kit.product import ALL_REFUSAL_KINDS

CLASSES = {
    "unknown_path": {404}, "wrong_method": {404, 405}, "malformed": {400, 422}, "invalid": {400, 404, 422},
    "unauthorized": {401}, "forbidden": {403}, "missing": {404}, "too_large": {413, 400}, "rate_limited": {429},
    "down": {503, 502}, "failing": {500, 502, 503}, "timeout": {504, 503}, "conflict": {400, 409, 422},
    "over_budget": {400, 413, 422, 429, 503},
}  # fmt: skip
"""The statuses of each kind of refusal; some vendors say 200 to all of them."""
GENERAL = SizeLimits()
LARGEST_BODY = 10_000_000
NO_BODIES = (b"{", b"\xff\xfe\x00", b"[" * 4000, b'{"a":' * 900 + b"1" + b"}" * 900, b"nul", b"'x'", b"{}}", b"\x00")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE")
README_AT_LEAST = 500
MISSING_AT_LEAST = 40
"""Characters of a README, and of its section about what is missing."""


def request_for(subject: AppSubject, operation: Operation, **fields: Any) -> Request:
    """Return a request to an operation, with something in place of every parameter of its path and host."""
    path = re.sub(r"\{\w+\}", "1", operation.path)
    return Request(**{"method": operation.method, "path": path, "host": host_of(subject.app, operation), **fields})


@check("app")
def operations_are_declared(subject: AppSubject) -> Iterator[str]:
    """Every operation says what it does and what it answers."""
    for operation in subject.product.operations:
        at = f"{operation.name} ({declared_at(operation.handler)})"
        returns = inspect.signature(operation.handler).return_annotation
        if not re.fullmatch(r"[A-Z].{4,120}[.?!]?", operation.summary):
            yield f"{at}: the docstring is not one sentence of 5 to 120 characters: {operation.summary!r}"
        if returns is inspect.Parameter.empty or operation.answers is Any:
            yield f"{at}: the type of the answer is not declared: write `-> Type`"
        elif answer_type(operation) is None and returns not in (None, "None", Reply, "Reply"):
            yield f"{at}: the answer has no type that a document could show"
        if operation.seconds <= 0:
            yield f"{at}: takes no time: seconds must be above 0"


@check("app")
def nouns_are_described(subject: AppSubject) -> Iterator[str]:
    """Every record, notice and command has a docstring."""
    product, package = subject.product, subject.package.module.__name__
    nouns: list[Any] = [*(table.record for table in product.tables), *product.commands.values()]
    told = {one.notice for one in product.subscriptions} | set(product.wakers) | set(_notices(Notice))
    nouns += [one for one in told if f"{one.__module__}.".startswith(f"{package}.")]
    for noun in sorted(nouns, key=lambda one: one.__qualname__):
        if not vars(noun).get("__doc__") and not (inspect.isfunction(noun) and noun.__doc__):
            yield f"{noun.__qualname__} ({declared_at(noun)}) has no docstring that says what it is"


@check("app")
def changes_have_a_meaning(subject: AppSubject) -> Iterator[str]:
    """Every table says what a change of it means if a task does not ask for it: money, identity, a note."""
    said = subject.product.damage_kinds
    unsaid = [table for table in subject.product.tables if not table.control and table.name not in said]
    for table in unsaid:
        name = table.name.removeprefix(f"{subject.name}_")
        yield f'{table.name} ({declared_at(table.record)}): say it with APP.damage({{"{name}": TableKinds(...)}})'


def _notices(above: type[Notice]) -> Iterator[type[Notice]]:
    for below in above.__subclasses__():
        yield below
        yield from _notices(below)


@check("app")
def openapi_document_is_valid(subject: AppSubject) -> Iterator[str]:
    """The OpenAPI document is valid."""
    made = document_of(subject.app)
    schemas = made["components"]["schemas"]
    yield from (
        f"the schema {name} is not valid" for name, one in schemas.items() if not jsonschema_rs.meta.is_valid(one)
    )
    ids, shapes = [], []
    for path, item in made["paths"].items():
        shapes.append(re.sub(r"\{\w+\}", "{}", path))
        for method, operation in item.items():
            ids.append(operation["operationId"])
            yield from _declared_wrongly(path, method, operation)
    yield from (f"two operations are named {name}" for name in _repeated(ids))
    yield from (f"two paths differ only in the names of their parameters: {shape}" for shape in _repeated(shapes))
    for reference in re.findall(r"'\$ref': '#/components/schemas/([^']+)'", repr(made)):
        if reference not in schemas:
            yield f"the schema {reference} is not in the document"


def _declared_wrongly(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    name, parameters = operation["operationId"], operation["parameters"]
    in_path = [one for one in parameters if one["in"] == "path"]
    if method not in ("get", "post", "put", "patch", "delete"):
        yield f"{name}: unknown method {method}"
    yield from (f"{name}: two parameters {one}" for one in _repeated([f"{p['name']} in {p['in']}" for p in parameters]))
    if {one["name"] for one in in_path} != set(re.findall(r"\{(\w+)\}", path)):
        yield f"{name}: its arguments are not the parameters of {path}"
    if not all(one["required"] for one in in_path):
        yield f"{name}: a parameter of the path is optional"
    if not all(re.fullmatch(r"[1-5]\d\d", status) for status in operation["responses"]):
        yield f"{name}: {', '.join(operation['responses'])} are not all statuses"
    if method == "get" and "requestBody" in operation:
        yield f"{name}: a GET with a body"


def _repeated(names: list[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


@check("app")
def readme_says_what_is_missing(subject: AppSubject) -> Iterator[str]:
    """The README (500 characters or more) has a section about what is not faithful (40), and names the API version."""
    readme = subject.folder / "README.md"
    if not readme.is_file():
        yield f"{readme} does not exist"
        return
    text = readme.read_text(encoding="utf-8")
    if len(text) < README_AT_LEAST:
        said = f"{readme} has {len(text)} characters, and must have at least {README_AT_LEAST}"
        yield f"{said}: say what the product is, what is faithful and what is not"
    missing = len(_section(text, "not faithful"))
    if missing < MISSING_AT_LEAST:
        said = f"{readme} has {missing} characters in a section 'What is not faithful' (or '**Not faithful:**')"
        yield f"{said}, and must have at least {MISSING_AT_LEAST}: list what is missing"
    if subject.product.api and subject.product.api not in text:
        yield f"{readme} does not name the version of the API, {subject.product.api!r}"


def _section(text: str, title: str) -> str:
    """Return the text below a heading, or behind a bold label, whose words contain a title; "" if there is none."""
    for label, end in ((r"^#+ [^\n]*", r"^#"), (r"^\*\*[^*\n]*", r"^#|^\*\*")):
        found = re.search(rf"{label}\b{title}\b[^\n*]*(?:\*\*:?)?", text, re.IGNORECASE | re.MULTILINE)
        if found:
            return re.split(end, text[found.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip()
    return ""


@check("app")
def app_is_installed_at_a_host(subject: AppSubject) -> Iterator[str]:
    """The app has a title, and is installed at a host name."""
    if not subject.app.title or not subject.app.host:
        yield f"title {subject.app.title!r}, host {subject.app.host!r}"


@check("app")
def refusals_are_worded(subject: AppSubject) -> Iterator[str]:
    """Every kind of refusal is worded, with a status that fits."""
    app, product = subject.app, subject.product
    about: dict[str, Any] = {
        "missing": Missing(product.tables[0].record, 7), "invalid": Detail("x is required", "query", "x"),
        "too_large": 10**7, "rate_limited": 30,
    }  # fmt: skip
    for kind in ALL_REFUSAL_KINDS:
        reply = app.refuse(product.refusal(kind, about.get(kind, "x")))
        if reply.status not in {*CLASSES[kind], 200}:
            yield f"{kind}: status {reply.status}"
        if reply.refused != kind or not reply.body or not reply.headers.get("content-type"):
            yield f"{kind}: refused {reply.refused!r}, headers {reply.headers}, body {reply.body!r}"
        elif "json" in reply.headers["content-type"] and not reply.json():
            yield f"{kind}: the body is empty"
    told = {name.lower(): value for name, value in app.refuse(product.refusal("rate_limited", 30)).headers.items()}
    if "30" not in told.get("retry-after", "30"):
        yield f"rate_limited: retry-after {told['retry-after']!r} after 30 seconds"


@check("app")
def arguments_are_bounded(subject: AppSubject) -> Iterator[str]:
    """No text, list, number or body that a request may hold is larger than the general limits."""
    if subject.product.max_body > LARGEST_BODY:
        yield f"max_body is {subject.product.max_body}; at most {LARGEST_BODY} fit into a request's budget"
    for operation in subject.product.operations:
        for declared in (operation.size_limits, operation.body_limits):
            for name, most in structs.asdict(GENERAL).items():
                if getattr(declared, name) > most:
                    yield f"{operation}: {name} is {getattr(declared, name)}, the general limit is {most}"


@check("app")
def credentials_are_read_as_written(subject: AppSubject) -> Iterator[str]:
    """Credentials are read as they are written."""
    auth = subject.product.auth
    for kind in subject.product.credential_kinds.values():
        issued = kind.issue("ana@example.com", lambda length, alphabet: alphabet[-1] * length)
        if issued.shown not in issued.credentials.values():
            yield f"credential kind {kind.name!r}: what the client shows is not among its credentials"
        read = auth.read(auth.write(Request(), Credential("ana@example.com", issued.shown, scheme=kind.scheme)))
        if read is None or read.secret != issued.shown:
            yield f"credential kind {kind.name!r}: written and read again, a secret becomes {read}"
    if auth.read(Request()) is not None:
        yield "a request without headers has a credential"


@check("app")
def broken_bodies_are_refused(subject: AppSubject) -> Iterator[str]:
    """A body that cannot be parsed, or is too large, is refused and changes nothing."""
    before = subject.world.state
    for operation in subject.product.operations:
        if operation.method not in ("POST", "PUT", "PATCH") or operation.body is None or operation.body.type is bytes:
            continue
        for body in NO_BODIES:
            fork = subject.world.fork()
            request = request_for(subject, operation, headers={"content-type": operation.media[0]}, body=body)
            reply = subject.send(request, fork)
            if not reply.refused or reply.status >= 500 or fork.state != before:
                yield f"{operation.method} {operation.path} with {body[:20]!r}: {answer(reply)}"
        reply = subject.send(request_for(subject, operation, body=b" " * (subject.product.max_body + 1)))
        if reply.refused != "too_large":
            yield f"{operation.method} {operation.path} with a huge body: {answer(reply)}"


@check("app")
def strangers_are_refused(subject: AppSubject) -> Iterator[str]:
    """A request without credentials is refused, except at public operations."""
    before = subject.world.state
    for operation in subject.product.operations:
        fork = subject.world.fork()
        reply = subject.send(request_for(subject, operation), fork, ANONYMOUS)
        kept_out = reply.refused == "unauthorized" and fork.state == before
        if not (reply.status < 500 if operation.public else kept_out):
            yield f"{operation.method} {operation.path}: {answer(reply)}"


@check("app")
def wrong_paths_are_refused(subject: AppSubject) -> Iterator[str]:
    """A wrong method or path is refused in the vendor's words."""
    asked: dict[tuple[str, str, str], None] = {}
    rooted = {one.method for one in subject.product.operations if one.path == "/"}
    for operation in subject.product.operations:
        fits = request_for(subject, operation)
        known = {one.method for one in subject.product.operations if one.path == operation.path}
        asked.update(dict.fromkeys((method, fits.path, fits.host) for method in METHODS if method not in known))
        if not operation.pattern.rest:  # it takes every path below it
            wrong = (f"{fits.path}/and/on/and/on", f"/x{fits.path}", "/", "", "//", "/%2e%2e/", "/\x00")
            refused = (one for one in wrong if one.strip("/") or operation.method not in rooted)
            asked.update(dict.fromkeys((operation.method, one, fits.host) for one in refused))
    for method, path, host in asked:
        reply = subject.send(Request(method, path, host=host))
        if not reply.refused or reply.status >= 500:
            yield f"{method} {path!r}: {answer(reply)}"


@check("app")
def tools_are_a_handful(subject: AppSubject) -> Iterator[str]:
    """An agent gets 6 to 15 tools, each described, each with a valid schema."""
    tools = subject.product.tools
    if not 6 <= len(tools) <= 15:
        yield f"it has {len(tools)} tools; declare 6 to 15 functions with @APP.tool"
    for tool in tools:
        if not tool.name.startswith(f"{subject.name}_"):
            yield f"{tool.name} does not begin with {subject.name}_"
        if len(tool.description) <= 10:
            yield f"{tool.name} ({declared_at(tool.build)}) does not say what it does: write a docstring"
        if not jsonschema_rs.meta.is_valid(tool.schema):
            yield f"the schema of {tool.name} ({declared_at(tool.build)}) is not valid"
