"""Arguments: from query, form, JSON, multipart, cookies and hosts, in the vendor's order and within its bounds."""

from typing import Annotated, Any
from urllib.parse import parse_qs

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Request, Tx
from diorama.kit import Caller, Cookie, Field, File, Form, Header, Host, JsonField, Merged, Operation, Query, SizeLimits
from diorama.kit.arguments import media_type, nested, parse_pairs
from diorama.kit.bounds import Invalid, Malformed
from tests.kit.parlour import ANONYMOUS, APP, FORM, ask, parlour

JSON = "application/json"


@pytest.mark.parametrize(
    ("query", "body", "kind"),
    [
        ("?channel=C1&text=hi&reply_count=3", b"", ""),
        ("", b"channel=C1&text=hi&reply_count=3", FORM),
        ("", b'{"channel": "C1", "text": "hi", "reply_count": 3}', JSON),
        ("", b'{"channel": "C1", "text": "hi", "reply_count": "3"}', "application/json; charset=utf-8"),
        ("?channel=C1", b"text=hi&reply_count=3", "Application/X-WWW-Form-Urlencoded ; charset=UTF-8"),
        ("?text=no&channel=C1", b'{"text": "hi", "reply_count": 3}', "application/vnd.api+json"),
    ],
)
def test_a_field_may_come_from_query_form_or_json(query: str, body: bytes, kind: str) -> None:
    said = ask("POST", f"/api/chat.post{query}", body, kind)
    assert (said["channel"], said["text"], said["count"]) == ("C1", "hi", 3)


@given(st.text("ab=&+%41é", max_size=20))
def test_a_query_is_read_as_urllib_reads_it(text: str) -> None:
    assert parse_pairs(text, SizeLimits(), "query") == parse_qs(text, keep_blank_values=True)


def test_the_first_declared_place_wins() -> None:
    assert ask("POST", "/api/chat.post?channel=query", b'{"channel": "json"}', JSON)["channel"] == "json"
    assert ask("POST", "/api/chat.post?channel=query", b"channel=form", FORM)["channel"] == "form"


def test_a_missing_field_is_named() -> None:
    said = ask("POST", "/api/chat.post", b"{}", JSON)
    assert (said["ok"], said["error"], said["name"]) == (False, "invalid", "channel")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"channel=C1&users=a&users=b&blocks=%5B%7B%22type%22%3A%22section%22%7D%5D", FORM),
        (b'{"channel": "C1", "users": ["a", "b"], "blocks": [{"type": "section"}]}', JSON),
        (b'{"channel": "C1", "users": ["a", "b"], "blocks": "[{\\"type\\": \\"section\\"}]"}', JSON),
    ],
)
def test_json_inside_a_form_field_is_typed(body: bytes, kind: str) -> None:
    said = ask("POST", "/api/chat.post", body, kind)
    assert said["blocks"] == [{"type": "section", "text": ""}]
    assert said["users"] == ["a", "b"]


@pytest.mark.parametrize("blocks", ["[{", "[{}]", "7", "[[[[[[[[]]]]]]]]", '[{"type": 99999999999999999999999999}]'])
def test_wrong_json_inside_a_form_field_is_refused(blocks: str) -> None:
    said = ask("POST", "/api/chat.post", b"channel=C&blocks=" + blocks.encode(), FORM)
    assert (said["error"], said["name"]) == ("invalid", "blocks")


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("text/plain", "malformed"),
        ("application/xml", "malformed"),
        ("application/json; charset=klingon", "malformed"),
        ("application/json; charset=base64", "malformed"),
        ("multipart/form-data", "malformed"),
    ],
)
def test_a_wrong_content_type_is_refused(kind: str, error: str) -> None:
    assert ask("POST", "/api/chat.post", b'{"channel": "C1"}', kind)["error"] == error
    if not kind.startswith("multipart"):
        assert ask("PUT", "/api/topics/1", b'{"title": "x"}', kind)["error"] == error


def test_a_body_is_read_in_its_own_charset() -> None:
    said = ask("PUT", "/api/topics/1", '{"title": "café"}'.encode("latin-1"), "application/json; charset=ISO-8859-1")
    assert said["title"] == "café"
    assert ask("POST", "/api/chat.post", b"channel=caf%E9", f"{FORM}; charset=latin1")["channel"] == "café"
    assert ask("PUT", "/api/topics/1", b'{"title": "caf\xe9"}', JSON)["error"] == "malformed"


def test_a_form_may_describe_an_object_with_brackets() -> None:
    said = ask("PUT", "/api/topics/1", b"title=x&tags[]=a&tags[]=b&extra[deep][0][name]=n&extra[deep][1][name]=m", FORM)
    assert said == {"title": "x", "tags": ["a", "b"], "notes": "", "extra": {"deep": [{"name": "n"}, {"name": "m"}]}}


@pytest.mark.parametrize("form", [{"a": ["1"], "a[b]": ["2"]}, {"a[b]": ["2"], "a": ["1"]}, {"[": ["1"]}])
def test_a_form_that_contradicts_itself_is_refused(form: dict[str, list[str]]) -> None:
    with pytest.raises(Invalid):
        nested(form, SizeLimits())


def test_only_declared_cookies_reach_the_world() -> None:
    world = parlour()
    headers = {"cookie": "a=secret; d=xoxd%2Fy; d=second", "authorization": "no"}
    reply = world.send("parlour", Request("GET", "/session", "", headers), ANONYMOUS)
    assert reply.json() == {"session": "xoxd/y"}
    assert world.events[-1].request["headers"] == {"cookie": "d=xoxd/y"}
    assert ask("GET", "/session") == {"session": "none"}


# --- bounds


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "error"),
    [
        ("GET", "/api/chat.list?channel=" + "x" * 3_000, b"", "", "too_large"),
        ("GET", "/api/" + "x" * 3_000, b"", "", "too_large"),
        ("GET", "/api/chat.list?channel=a&limit=51", b"", "", "invalid"),
        ("GET", "/api/chat.list?channel=a&limit=" + "9" * 30, b"", "", "invalid"),
        ("GET", "/api/chat.list?" + "&".join(f"a{n}=1" for n in range(11)), b"", "", "invalid"),
        ("POST", "/api/chat.post?channel=a", b"text=" + b"x" * 2_001, FORM, "invalid"),
        ("POST", "/api/chat.post?channel=a", b"users=a&" * 5 + b"users=a", FORM, "invalid"),
        ("POST", "/api/chat.post", b"&".join(b"a%d=1" % n for n in range(11)), FORM, "invalid"),
        ("POST", "/api/chat.post", b'{"channel": "%s"}' % (b"x" * 2_001), JSON, "invalid"),
        ("POST", "/api/chat.post", b'{"channel": "a", "users": ["a", "a", "a", "a", "a", "a"]}', JSON, "invalid"),
        ("POST", "/api/chat.post", b'{"channel": "a", "reply_count": 9223372036854775808}', JSON, "invalid"),
        ("PUT", "/api/topics/9223372036854775808", b'{"title": "a"}', JSON, "invalid"),
        ("PUT", "/api/topics/1", b'{"title": "a", "tags": ["a", "a", "a", "a", "a", "a"]}', JSON, "invalid"),
        ("PUT", "/api/topics/1", b'{"title": "a", "extra": 1e300}', JSON, "invalid"),
        ("PUT", "/api/topics/1", b'{"title": "a", "extra": -9223372036854775809}', JSON, "invalid"),
        ("PUT", "/api/topics/1", b'{"title": "a", "notes": "%s"}' % (b"x" * 4_001), JSON, "invalid"),
        ("PUT", "/api/topics/1", b'{"title": "a", "extra": [[[[[[1]]]]]]}', JSON, "malformed"),
        ("PUT", "/api/topics/1", b"title=a&extra[a][b][c][d][e][f][g]=1", FORM, "invalid"),
    ],
)
def test_everything_beyond_a_bound_is_refused(method: str, path: str, body: bytes, kind: str, error: str) -> None:
    assert ask(method, path, body, kind)["error"] == error


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("9223372036854775807", b'{"title": "a", "tags": ["a", "a", "a", "a", "a"]}', JSON),
        ("-9223372036854775808", b'{"title": "99999999999999999999", "extra": -9223372036854775808}', JSON),
        ("1", b'{"title": "a", "notes": "%s"}' % (b"x" * 4_000), JSON),
        ("1", b'{"title": "%s"}' % (b"\\u00e9" * 2_000), JSON),
        ("1", b'{"title": "a", "extra": [[[[["[[[[[["]]]]]}', JSON),
        ("1", b"title=99999999999999999999", FORM),
    ],
)
def test_everything_within_the_bounds_is_read(path: str, body: bytes, kind: str) -> None:
    assert "error" not in ask("PUT", f"/api/topics/{path}", body, kind)


def test_a_bound_names_the_part_of_the_body() -> None:
    said = ask("PUT", "/api/topics/1", b'{"title": "a", "extra": {"x": [1, {"y": 99999999999999999999}]}}', JSON)
    assert (said["where"], said["name"]) == ("body", "extra.x[1].y")
    assert ask("PUT", "/api/topics/1", b'{"title": "a", "tags": [1,2,3,4,5,6]}', JSON)["name"] == "tags"


def test_headers_and_cookies_are_bounded_like_urls() -> None:
    assert ask("GET", "/session", cookie="d=" + "x" * 2_001)["error"] == "invalid"
    assert ask("GET", "/session", cookie="d=" + "x" * 2_000)["session"] == "x" * 2_000


# --- declaration


def _operation(method: str = "POST", path: str = "/x", hint: Any = str, **options: Any) -> Operation:
    def handler(tx: Tx, x: Any) -> None:
        """Take one argument."""

    handler.__annotations__["x"] = hint
    return Operation(handler, method, path, **options)


class Shape(msgspec.Struct):
    """A body."""

    a: int = 0


@pytest.mark.parametrize(
    ("method", "path", "hint", "message"),
    [
        ("GET", "/x", Shape, "a GET has no body"),
        ("GET", "/x", Annotated[str, Form()], "a GET has no body"),
        ("GET", "/x", Annotated[Shape, JsonField()], "'x' is nowhere in the request: it has only a query"),
        ("POST", "/x", Annotated[str, Field()], "a Field needs the product's order"),
        ("POST", "/x", dict[str, int], "text in the query cannot become dict"),
        ("POST", "/x", Annotated[Shape | None, Form()], "text in the form cannot become"),
        ("POST", "/x", Annotated[list[str], Header("X")], "a header has one value, not a list"),
        ("POST", "/x", Annotated[str, File()], "a file is an Upload, not"),
        ("POST", "/x", Annotated[str, Host()], "answers at the main host"),
        ("POST", "/x", Annotated[str, Query(), Cookie()], "'x' is declared in 2 places"),
        ("POST", "/{x}", Annotated[str, Form()], "'x' is in the path and cannot be form as well"),
        ("POST", "/{x}/{y}", str, "the path names 'y', but the handler does not take it"),
        ("POST", "/x", Annotated[str, Caller()], "asks for the caller, but there is no role"),
    ],
)
def test_an_argument_that_no_request_can_carry_is_refused(method: str, path: str, hint: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _operation(method, path, hint)


def test_two_bodies_or_a_body_and_its_parts_are_refused() -> None:
    def two(tx: Tx, body: Shape, other: Shape) -> None:
        """Take two bodies."""

    def both(tx: Tx, body: Shape, other: Annotated[str, Form()]) -> None:
        """Take a body and a part of it."""

    with pytest.raises(ValueError, match="the handler takes two bodies"):
        Operation(two, "POST", "/x")
    with pytest.raises(ValueError, match="'other' is part of the body, which the handler takes as a whole"):
        Operation(both, "POST", "/x")


@pytest.mark.parametrize("places", [(), ("query", "query"), ("query", "xml")])
def test_the_order_lists_each_known_place_once(places: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="Merged takes some of query, form and json, each once"):
        Merged(*places)


def test_an_app_needs_the_hosts_that_its_operations_answer_at() -> None:
    with pytest.raises(
        ValueError, match=r"get_object answers at the host 'bucket'; install the product with bucket=\.\.\."
    ):
        APP.product.install("parlour.example")
    with pytest.raises(ValueError, match="get_object asks for 'bucket', which"):
        APP.product.install("parlour.example", bucket="files.parlour.example")


def test_media_types_are_read_exactly() -> None:
    assert media_type('Text/HTML; charset="UTF-8"; x=1') == ("text/html", "utf-8")
    assert media_type("") == ("", "utf-8")
    with pytest.raises(Malformed, match="charset"):
        media_type("text/plain; charset=nothing")
