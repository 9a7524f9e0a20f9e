"""The router: patterns within a segment, the rest of a path, hosts, and dispatch at one path."""

from typing import Any

import pytest

from diorama.kernel import Tx
from diorama.kit import ByField, ByGraphQL, ByHeader, Operation
from diorama.kit.dispatch import root_field
from diorama.kit.openapi import document
from diorama.kit.router import Pattern, Router
from tests.kit.parlour import APP, FORM, ask

BUCKET = "photos.files.parlour.example"


@pytest.mark.parametrize(
    ("method", "path", "host", "said"),
    [
        ("GET", "/repos/a/b", "", {"show": "a/b"}),
        ("GET", "/repos/a/b.git", "", {"clone": "a/b"}),
        ("GET", "/repos/a/.git", "", {"show": "a/.git"}),
        ("GET", "/repos/a/b.git.json", "", {"clone": "a/b"}),
        ("GET", "/repos/a/b%2Fc.git", "", {"clone": "a/b/c"}),
        ("GET", "/repos/a/b/contents/src/main.py", "", {"path": "src/main.py"}),
        ("GET", "/repos/a/b/contents/data.json", "", {"path": "data.json"}),
        ("GET", "/repos/a/b/contents/src/", "", {"path": "src/"}),
        ("GET", "/repos/a/b/contents", "", {"path": ""}),
        ("GET", "/repos/a/b/contents/caf%C3%A9/x", "", {"path": "café/x"}),
        ("GET", "/repos/a/b/compare/v1.0...v2.0", "", {"base": "v1.0", "head": "v2.0"}),
        ("POST", "/jobs/7:cancel", "", {"cancelled": 7}),
        ("POST", "/jobs/7%3Acancel", "", {"cancelled": 7}),
        ("GET", "/2026/a//b.jpg", BUCKET, {"bucket": "photos", "key": "2026/a//b.jpg"}),
        ("GET", "/2026", BUCKET.upper() + ":443", {"bucket": "photos", "key": "2026"}),
        ("GET", "/repos/a/b", BUCKET, {"bucket": "photos", "key": "repos/a/b"}),
        ("GET", "/repos/a/b", "parlour.example", {"show": "a/b"}),
        ("GET", "/repos/a/b", "elsewhere.example", {"show": "a/b"}),
    ],
)
def test_an_operation_is_found_by_path_and_host(method: str, path: str, host: str, said: Any) -> None:
    assert ask(method, path, host=host) == said


@pytest.mark.parametrize(
    ("method", "path", "error"),
    [
        ("GET", "/2026/a.jpg", "unknown_path"),
        ("POST", "/jobs/:cancel", "unknown_path"),
        ("POST", "/jobs/x:cancel", "invalid"),
        ("GET", "/jobs/7:cancel", "wrong_method"),
        ("POST", "/jobs/7:stop", "unknown_path"),
    ],
)
def test_a_request_that_matches_nothing_is_refused(method: str, path: str, error: str) -> None:
    assert ask(method, path)["error"] == error


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("x", "it starts with / and has neither query nor fragment"),
        ("/x?a=1", "it starts with / and has neither query nor fragment"),
        ("/{a}{b}", "two parameters without a separator"),
        ("/{a*}/b", "so it must be the whole last segment"),
        ("/x{a*}", "so it must be the whole last segment"),
        ("/{a}/{a}", "two parameters named a"),
        ("/{a}/{a*}", "two parameters named a"),
        ("/{a", "a brace without its partner"),
        ("/a}", "a brace without its partner"),
        ("/{a-b}", "'a-b' is not a name of a parameter"),
        ("/{}", "'' is not a name of a parameter"),
        ("/a//b", "an empty segment"),
    ],
)
def test_an_unsupported_pattern_is_refused(path: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Pattern.parse(path)


def operation(path: str, name: str = "one", when: Any = None, **taken: type) -> Operation:
    """Return an operation that takes nothing, or one text."""

    def nothing(tx: Tx) -> None:
        """Take nothing."""

    def one(tx: Tx, x: str) -> None:
        """Take one text."""

    return Operation(one if "{" in path else nothing, "POST", path, name=name, when=when)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (
            operation("/a/{x}"),
            operation("/a/{x}", "two"),
            r"two operations answer POST /a/{x}: one \(.*test_router.py:\d+\) and two",
        ),
        (operation("/{x}.git"), operation("/{x}.git", "two"), "two operations answer"),
        (operation("/{x*}"), operation("/{x*?}"), "says otherwise whether the rest may be empty"),
        (operation("/{x}.git"), operation("/pre{x}"), ""),
        (operation("/pre-{x}"), operation("/{x}.git"), "ambiguous: {}.git and pre-{} can match the same text"),
        (operation("/a{x}"), operation("/b{x}"), ""),
        (
            operation("/q", when=ByField("Action", "A")),
            operation("/q", "two", when=ByField("Action", "A")),
            r"two operations answer POST /q with field Action 'A': one \(.*test_router.py:\d+\) and two",
        ),
        (
            operation("/q", when=ByField("Action", "A")),
            operation("/q", when=ByHeader("X", "A")),
            "selected by field Action and by header x",
        ),
        (operation("/q", when=ByGraphQL("a")), operation("/q", when=ByGraphQL("b")), ""),
        (operation("/q", when=ByGraphQL("a")), operation("/q"), ""),
    ],
)
def test_two_operations_for_one_request_are_refused(first: Operation, second: Operation, message: str) -> None:
    router = Router()
    router.add(first)
    if message:
        with pytest.raises(ValueError, match=message.replace("{", r"\{").replace("}", r"\}")):
            router.add(second)
    else:
        router.add(second)


# --- dispatch


def test_a_header_selects_the_operation() -> None:
    assert ask("POST", "/target", x_target="Get") == {"did": "get"}
    assert ask("POST", "/target", x_target="Put") == {"did": "put"}
    assert ask("POST", "/target", x_target="Drop")["error"] == "unknown_path"
    assert ask("POST", "/target")["error"] == "unknown_path"


@pytest.mark.parametrize(
    ("query", "body", "kind"),
    [
        ("?Action=List&Marker=m", b"", ""),
        ("", b"Action=List&Marker=m", FORM),
        ("", b'{"Action": "List", "Marker": "m"}', "application/json"),
    ],
)
def test_a_field_selects_the_operation(query: str, body: bytes, kind: str) -> None:
    assert ask("POST", f"/action{query}", body, kind) == {"did": "list", "marker": "m"}


def test_the_operation_without_a_condition_is_the_default() -> None:
    assert ask("POST", "/action?Action=Else") == {"did": "other"}
    assert ask("POST", "/action", b"{", "application/json")["error"] == "malformed"


def test_a_graphql_field_selects_the_operation() -> None:
    asked = b'{"query": "query Me($n: Int = 1) { me: viewer { login } }", "variables": {"n": 2}}'
    assert ask("POST", "/graphql", asked, "application/json") == {"data": {"viewer": {"n": 2}}}
    made = b'{"query": "mutation { issueCreate(input: {title: \\"viewer {\\"}) { id } }"}'
    assert ask("POST", "/graphql", made, "application/json") == {"data": {"issueCreate": True}}
    assert ask("POST", "/graphql", b'{"query": "{ nothing }"}', "application/json")["error"] == "unknown_path"


@pytest.mark.parametrize(
    ("text", "name", "field"),
    [
        ("{ viewer { login } }", "", "viewer"),
        ("query { a: viewer }", "", "viewer"),
        ("# viewer\nquery Q($x: In = {a: {b: 1}}) @live { issues(first: 1) { nodes { id } } }", "", "issues"),
        ("query A { a } mutation B { b }", "B", "b"),
        ("fragment F on X { f } query A { a { ...F } }", "", "a"),
        ("query A { a }", "Z", ""),
        ("query A { ...F }", "", ""),
        ('{ say(text: "} query { x") { ok } }', "", "say"),
        ('{ say(text: """a "quoted" } """) { ok } }', "", "say"),
        ("query A {", "", ""),
        ("", "", ""),
        ("}}}}", "", ""),
    ],
)
def test_the_root_field_of_a_graphql_document_is_found(text: str, name: str, field: str) -> None:
    assert root_field(text, name) == field


# --- the document


def test_the_document_shows_patterns_hosts_and_conditions() -> None:
    paths = document(APP)["paths"]
    assert "/repos/{owner}/{repo}/contents/{path}" in paths
    assert "/repos/{owner}/{repo}.git" in paths
    assert paths["/{key}"]["get"]["servers"] == [{"url": "https://{bucket}.files.parlour.example"}]
    [header] = paths["/target#X-Target=Get"]["post"]["parameters"]
    assert (header["name"], header["in"], header["schema"]["enum"]) == ("X-Target", "header", ["Get"])
    listed = paths["/action#Action=List"]["post"]["requestBody"]["content"][FORM]["schema"]
    assert (listed["properties"]["Action"]["enum"], listed["required"]) == (["List"], ["Action"])
    assert "/graphql#viewer" in paths


def test_the_document_shows_fields_in_every_place_with_their_bounds() -> None:
    post = document(APP)["paths"]["/api/chat.post"]["post"]
    kinds = ["application/json", FORM, "multipart/form-data"]
    assert list(post["requestBody"]["content"]) == kinds
    shown = {kind: post["requestBody"]["content"][kind]["schema"]["properties"] for kind in kinds}
    assert {one["text"]["maxLength"] for one in shown.values()} == {2_000}
    assert shown[FORM]["blocks"]["contentMediaType"] == "application/json"
    assert {p["name"] for p in post["parameters"]} == {"channel", "text", "blocks", "reply_count", "users"}
    listed = document(APP)["paths"]["/api/chat.list"]["get"]
    assert [(p["name"], p["required"]) for p in listed["parameters"]] == [("channel", True), ("limit", False)]
    assert "requestBody" not in listed
    upload = document(APP)["paths"]["/api/files.upload"]["post"]["requestBody"]
    assert upload["content"]["multipart/form-data"]["schema"]["required"] == ["file"]


def test_the_document_bounds_bodies_but_not_replies() -> None:
    made = document(APP)
    assert made["components"]["schemas"]["Block"]["properties"]["text"]["maxLength"] == 2_000
    assert "maxLength" not in made["components"]["schemas"]["Topic"]["properties"]["title"]  # replies have it, too
