"""Every app keeps the house's promises: declared in full, never broken by a request, in its vendor's words."""

import inspect
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

import diorama.apps
from diorama.contract.pool import people
from diorama.contract.stage import find_app
from diorama.episodes.agents.random_agent import Seen, value_for
from diorama.kernel import ANONYMOUS, Actor, Defect, Dice, Missing, Reply, Request, World
from diorama.kernel.testing import fresh
from diorama.kit import App, Credential, Detail, Operation
from diorama.kit.openapi import answer_type
from diorama.kit.product import KINDS
from diorama.scenarios import load_all
from diorama.worlds import companies, open_world
from tests.conformance.fuzz import Fuzz, document_of
from tests.conformance.placeholders import shows_placeholder

APPS: dict[str, App] = {
    info.name: find_app(info.name) for info in pkgutil.iter_modules(diorama.apps.__path__) if info.ispkg
}
ROOMS = ("schema", "rules", "api", "tools", "seed", "faults")
CLASSES = {
    "unknown_path": {404}, "wrong_method": {404, 405}, "malformed": {400, 422}, "invalid": {400, 404, 422},
    "unauthorized": {401}, "forbidden": {403}, "missing": {404}, "too_large": {413, 400}, "rate_limited": {429},
    "down": {503, 502}, "failing": {500, 502, 503}, "timeout": {504, 503}, "conflict": {400, 409, 422},
}  # fmt: skip

every_app = pytest.mark.parametrize("name", APPS)


@cache
def inhabited(name: str) -> tuple[World, Actor]:
    """A world in which the app has data, and somebody who may use it."""
    for scenario in load_all().values():
        if name in scenario.apps:
            return open_world(scenario.world, scenario.size, 0), Actor("agent", scenario.person)
    for company in companies():
        if any(app.name == name for app in company.apps):
            return open_world(company.name, next(iter(company.sizes)), 0), Actor("agent", "nobody@example.com")
    return fresh([APPS[name]]), Actor("agent", "nobody@example.com")


@cache
def fuzz_of(name: str) -> Fuzz:
    """Requests about what there is in that world; each test draws from it with dice of its own."""
    return Fuzz(APPS[name], inhabited(name)[0], Dice(name))


@cache
def actors(name: str) -> list[Actor]:
    """The mightiest people whom the app tells apart."""
    world, somebody = inhabited(name)
    return [Actor("agent", person) for person in people(world, APPS[name])[:2]] or [somebody]


def send(name: str, request: Request, world: World | None = None, by: Actor | None = None) -> Reply:
    """One request, on a fork unless a world is given; a defect fails the test and says which request it was."""
    inside, somebody = inhabited(name)
    asked = f"{request.method} {request.path}?{request.query} {request.body!r}"
    try:
        reply = (world or inside.fork()).send(name, request, by or somebody)
    except Defect as defect:
        raise AssertionError(f"{asked}: {defect}") from defect
    assert not shows_placeholder((reply.headers, reply.body)), asked
    return reply


def operations(*methods: str) -> pytest.MarkDecorator:
    """One case per operation of every app."""
    cases = [
        pytest.param(name, operation, id=f"{name}: {operation.method} {operation.path}")
        for name, app in APPS.items()
        for operation in app.product.operations
        if not methods or operation.method in methods
    ]
    return pytest.mark.parametrize(("name", "operation"), cases)


def filled(operation: Operation, value: str = "1") -> str:
    """A path with something in place of every parameter."""
    return re.sub(r"\{\w+\}", value, operation.path)


# --- declared in full


@every_app
def test_every_operation_says_what_it_does_and_what_it_answers(name: str) -> None:
    for operation in APPS[name].product.operations:
        assert re.fullmatch(r"[A-Z].{4,120}[.?!]?", operation.summary), operation
        returns = inspect.signature(operation.handler).return_annotation
        assert returns is not inspect.Parameter.empty, operation
        assert operation.answers is not Any, operation
        assert operation.seconds > 0, operation
        if answer_type(operation) is None:
            assert returns in (None, "None", Reply, "Reply"), operation


@every_app
def test_the_openapi_document_is_valid(name: str) -> None:
    made = document_of(APPS[name])
    for schema in made["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    ids, shapes = [], []
    for path, item in made["paths"].items():
        shapes.append(re.sub(r"\{\w+\}", "{}", path))
        in_path = set(re.findall(r"\{(\w+)\}", path))
        for method, operation in item.items():
            assert method in ("get", "post", "put", "patch", "delete")
            ids.append(operation["operationId"])
            declared = [(p["name"], p["in"]) for p in operation["parameters"]]
            assert len(declared) == len(set(declared)), operation["operationId"]
            assert {p["name"] for p in operation["parameters"] if p["in"] == "path"} == in_path
            assert all(p["required"] for p in operation["parameters"] if p["in"] == "path")
            assert all(re.fullmatch(r"[1-5]\d\d", status) for status in operation["responses"])
            assert method not in ("get", "delete") or "requestBody" not in operation or method == "delete"
    assert len(ids) == len(set(ids))
    assert len(shapes) == len(set(shapes)), "two paths that differ only in the names of their parameters"
    for reference in re.findall(r"'\$ref': '#/components/schemas/([^']+)'", repr(made)):
        assert reference in made["components"]["schemas"]


@every_app
def test_the_house_has_its_rooms(name: str) -> None:
    folder = Path(diorama.apps.__path__[0]) / name
    for room in ROOMS:
        assert (folder / f"{room}.py").exists() or (folder / room).is_dir(), room
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert len(readme) > 500
    assert re.search(r"\bnot\b|\bno\b", readme), "it says what is missing"
    assert APPS[name].title
    assert APPS[name].host


@every_app
def test_every_refusal_is_worded_as_the_vendor_does(name: str) -> None:
    app = APPS[name]
    about: dict[str, Any] = {
        "missing": Missing(app.product.tables[0].record, 7), "invalid": Detail("x is required", "query", "x"),
        "too_large": 10**7, "rate_limited": 30,
    }  # fmt: skip
    for kind in KINDS:
        reply = app.refuse(app.product.refusal(kind, about.get(kind, "x")))
        assert reply.status in CLASSES[kind], kind
        assert reply.headers["content-type"]
        assert reply.body, kind
        if "json" in reply.headers["content-type"]:
            assert reply.json()
    assert "30" in app.refuse(app.product.refusal("rate_limited", 30)).headers.get("retry-after", "30")


@every_app
def test_credentials_are_read_as_they_are_written(name: str) -> None:
    app = APPS[name]
    auth = app.product.auth
    for seat in app.product.seats.values():
        issued = seat.issue("ana@example.com", lambda length, alphabet: alphabet[-1] * length)
        assert issued.shown in issued.credentials.values()
        read = auth.read(auth.write(Request(), Credential("ana@example.com", issued.shown)))
        assert read is not None
        assert read.secret == issued.shown
    assert auth.read(Request()) is None


# --- never broken by a request


@operations()
def test_no_request_breaks_an_operation(name: str, operation: Operation) -> None:
    fork = inhabited(name)[0].fork()
    fuzz = fuzz_of(name).anew(Dice(f"{name} {operation.name}"))
    for number, request in enumerate(fuzz.requests(operation, 24)):
        reply = send(name, request, fork, actors(name)[number % len(actors(name))])
        assert reply.status < 500, (request, reply.text)
        assert fork.events[-1].operation == operation.name or fork.events[-1].door == "agenda" or reply.status == 404


NO_BODIES = (b"{", b"\xff\xfe\x00", b"[" * 4000, b'{"a":' * 900 + b"1" + b"}" * 900, b"nul", b"'x'", b"{}}", b"\x00")


@every_app
def test_a_body_that_is_no_body_is_the_vendors_error(name: str) -> None:
    world, _ = inhabited(name)
    before = world.state
    faults: dict[tuple[str, str, bytes], tuple[int, str]] = {}
    for operation in APPS[name].product.operations:
        if operation.method not in ("POST", "PUT", "PATCH") or operation.body is None or operation.body.type is bytes:
            continue
        for body in NO_BODIES:
            fork = world.fork()
            request = Request(operation.method, filled(operation), "", {"content-type": "application/json"}, body)
            reply = send(name, request, fork)
            if not 400 <= reply.status < 500 or fork.state != before:
                faults[operation.method, operation.path, body[:20]] = (reply.status, reply.text)
        huge = Request(operation.method, filled(operation), "", {}, b" " * (APPS[name].product.max_body + 1))
        reply = send(name, huge)
        if reply.status not in CLASSES["too_large"]:
            faults[operation.method, operation.path, b"huge"] = (reply.status, reply.text)
    assert faults == {}


@every_app
def test_nobody_gets_in_without_credentials(name: str) -> None:
    world, _ = inhabited(name)
    before = world.state
    faults: dict[tuple[str, str], tuple[int, str]] = {}
    for operation in APPS[name].product.operations:
        fork = world.fork()
        reply = send(name, Request(operation.method, filled(operation)), fork, ANONYMOUS)
        kept_out = reply.status == 401 and fork.state == before
        if not (reply.status < 500 if operation.public else kept_out):
            faults[operation.method, operation.path] = (reply.status, reply.text)
    assert faults == {}


@every_app
def test_a_wrong_method_or_path_is_the_vendors_error(name: str) -> None:
    app = APPS[name]
    asked: dict[tuple[str, str], None] = {}
    for operation in app.product.operations:
        path = filled(operation)
        known = {one.method for one in app.product.operations if one.path == operation.path}
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"):
            if method not in known:
                asked[method, path] = None
        for wrong in (f"{path}/and/on/and/on", f"/x{path}", "/", "", "//", "/%2e%2e/", "/\x00"):
            asked[operation.method, wrong] = None
    replies = {request: send(name, Request(*request)) for request in asked}
    assert {one: reply.text for one, reply in replies.items() if not 400 <= reply.status < 500} == {}


ACTING_READS = {("zendesk", "/api/v2/users/me/session/renew"), ("zendesk", "/api/v2/views/{view_id}/export")}
"""Reads by which a vendor acts: Zendesk renews a session and starts an export on GET."""


@operations("GET")
def test_reading_changes_nothing(name: str, operation: Operation) -> None:
    if (name, operation.path) in ACTING_READS:
        return
    fork = inhabited(name)[0].fork()
    fuzz = fuzz_of(name).anew(Dice(f"read {operation.name}"))
    for request in fuzz.requests(operation, 6):
        send(name, request, fork)
        asked = next(event for event in reversed(fork.events) if event.door == "python")
        assert asked.changes == [], request


@operations("GET")
def test_an_answer_has_its_declared_type(name: str, operation: Operation) -> None:
    if answer_type(operation) is None:
        return
    made = document_of(APPS[name])
    content = made["paths"][operation.path]["get"]["responses"][str(operation.status)]["content"]
    schema = {**content["application/json"]["schema"], "components": made["components"]}
    declared = jsonschema_rs.Draft202012Validator(schema)
    fuzz = fuzz_of(name).anew(Dice(f"shape {operation.name}"))
    for request in fuzz.requests(operation, 9):
        reply = send(name, request)
        if reply.status == operation.status:
            declared.validate(reply.json())


# --- tools


@every_app
def test_an_app_has_a_handful_of_tools(name: str) -> None:
    tools = APPS[name].product.tools
    assert 6 <= len(tools) <= 15
    for tool in tools:
        assert tool.name.startswith(f"{name}_")
        assert len(tool.description) > 10
        jsonschema.Draft202012Validator.check_schema(tool.schema)


@pytest.mark.parametrize(
    "tool", [tool for app in APPS.values() for tool in app.product.tools], ids=lambda tool: tool.name
)
def test_a_tool_takes_what_its_schema_says_and_reaches_an_operation(tool: Any) -> None:
    app = APPS[tool.app]
    fits = jsonschema.Draft202012Validator(tool.schema)
    seen = Seen()
    seen.values["id"] = list(fuzz_of(tool.app).known)
    statuses = set()
    for number in range(25):
        arguments = value_for("", tool.schema, tool.schema.get("$defs", {}), seen, Dice(f"{tool.name} {number}"))
        fits.validate(arguments)
        request = app.request_of(tool.call(arguments))
        app.route(request)
        reply = send(tool.app, request)
        assert reply.status < 500, (arguments, reply.text)
        statuses.add(reply.status)
    assert statuses - {401, 403, 405}, "nobody may use this tool"
