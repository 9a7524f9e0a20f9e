"""Replies come from a real world, on forks: every operation is called, mismatches are found, nothing is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from diorama.contract.check import check
from diorama.contract.excuse import Excuse
from diorama.contract.pool import Pool, noun
from diorama.contract.report import Report
from diorama.kernel import Reply, Tx
from diorama.kit import App
from diorama.kit.openapi import document
from tests.contract.shelf import break_it, shelf, stocked
from tests.contract.specs import answers


@pytest.fixture
def app() -> App:
    return shelf()


def vendors(app: App, tmp_path: Path, **changes: Any) -> Path:
    """Write the app's own document as a vendor's file, with changes at `path method` keys."""
    tree = document(app)
    for place, value in changes.items():
        method, path = place.split(" ")
        if value is None:
            del tree["paths"][path][method]
        else:
            tree["paths"].setdefault(path, {}).setdefault(method, {}).update(value)
    file = tmp_path / "vendor.json"
    file.write_text(json.dumps(tree))
    return file


def found(report: Report) -> list[tuple[str, str, str]]:
    return [(each.operation, each.pointer, each.against) for each in report.invalid]


def test_every_operation_is_sampled_with_real_ids(app: App) -> None:
    report = check(app, stocked(app))
    assert report.unsampled == []
    assert found(report) == []
    assert (report.served, report.total, report.sampled) == (8, 8, 8)
    assert report.kept


def test_sampling_is_repeatable_and_changes_nothing(app: App) -> None:
    world = stocked(app)
    before = (world.state, world.trace, world.now)
    first, second = check(app, world), check(app, world)
    assert (world.state, world.trace, world.now) == before
    assert first.json() == second.json()


def test_a_reply_that_breaks_its_declaration_is_found(app: App) -> None:
    break_it(app)
    report = check(app, stocked(app))
    assert found(report) == [
        ("GET /v1/lies", "", "declared"),
        ("GET /v1/lies", "/books/0/id", "declared"),
        ("GET /v1/lies", "/books/0/title", "declared"),
        ("GET /v1/crash", "", "gateway"),
    ]
    lie = report.invalid[1]
    assert lie.message == '"seven" is not of type "integer"'
    assert lie.times == 2
    assert str(lie.sample) == "GET /v1/lies"
    assert "crash on purpose" in report.invalid[-1].message
    assert not report.kept


def test_replies_are_validated_against_the_vendors_schema(app: App, tmp_path: Path) -> None:
    strict = {
        "type": "object",
        "required": ["book"],
        "properties": {
            "book": {
                "type": "object",
                "required": ["isbn"],
                "properties": {"author": {"type": "string"}, "pages": {"type": "integer", "minimum": 1}},
            }
        },
    }
    spec = vendors(app, tmp_path, **{"get /v1/books/{book_id}": answers(strict)})
    report = check(app, stocked(app), [spec])
    assert [(each.operation, each.pointer, each.message) for each in report.invalid] == [
        ("GET /v1/books/{book_id}", "/book", '"isbn" is a required property'),
        ("GET /v1/books/{book_id}", "/book/author", 'null is not of type "string"'),
        ("GET /v1/books/{book_id}", "/book/pages", "0 is less than the minimum of 1"),
    ]
    assert {each.against for each in report.invalid} == {"spec"}
    assert [(each.kind, each.where) for each in report.mismatched] == [("reply_property_missing", "/book/isbn")]


def test_an_unused_exception_is_reported(app: App, tmp_path: Path) -> None:
    wrong = {"type": "object", "properties": {"books": {"items": {"properties": {"pages": {"type": "string"}}}}}}
    spec = vendors(app, tmp_path, **{"get /v1/books": answers(wrong)})
    excuse = Excuse("GET /v1/books", "recorded replies show numbers", "/books/*/pages")
    assert not check(app, stocked(app), [spec]).kept
    report = check(app, stocked(app), [spec], [excuse])
    assert report.kept
    assert {(each.where, each.because) for each in report.excused} == {(excuse.where, excuse.because)}
    late = check(app, stocked(app), [spec], [excuse, Excuse("GET /v1/books", "once it was so", "/count")])
    assert [(each.kind, each.where) for each in late.mismatched] == [("unused_excuse", "/count")]


def test_what_a_write_created_is_read_back_and_validated(app: App, tmp_path: Path) -> None:
    short = {
        "type": "object",
        "properties": {"book": {"properties": {"title": {"type": "string", "pattern": "^Travels"}}}},
    }
    spec = vendors(app, tmp_path, **{"get /v1/books/{book_id}": answers(short)})
    report = check(app, stocked(app), [spec])
    (only,) = report.invalid
    assert only.pointer == "/book/title"
    assert "Sample title" in only.message
    assert only.sample.method == "GET"


def test_coverage_counts_the_vendors_operations(app: App, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"get /v1/shelves": answers({}), "post /v1/books/{book_id}/loans": None}
    report = check(app, stocked(app), [vendors(app, tmp_path, **changes)])
    assert (report.served, report.total) == (7, 8)
    assert report.missing == ["GET /v1/shelves"]
    assert report.extra == ["POST /v1/books/{book_id}/loans"]
    assert json.loads(report.json()).keys() >= {"app", "served", "total", "missing", "extra", "mismatched", "invalid"}


def test_a_success_that_the_vendor_documents_as_its_error_is_a_refusal(app: App, tmp_path: Path) -> None:
    wanted = answers({"type": "object", "required": ["ok"], "properties": {"ok": {"enum": [True]}}})
    error = answers({"type": "object", "required": ["books"], "properties": {"books": {"type": "array"}}}, "default")
    wanted["responses"] |= error["responses"]
    report = check(app, stocked(app), [vendors(app, tmp_path, **{"get /v1/search": wanted})])
    assert report.invalid == []
    assert [each.operation for each in report.unsampled] == ["GET /v1/search"]


def test_an_undocumented_status_and_a_body_that_is_not_json_are_invalid(app: App, tmp_path: Path) -> None:
    break_it(app)
    spec = vendors(app, tmp_path, **{"get /v1/odd": answers({"type": "object"})})
    tree = json.loads(spec.read_text())
    tree["paths"]["/v1/odd"]["get"]["responses"] = answers({"type": "object"})["responses"]
    spec.write_text(json.dumps(tree))
    report = check(app, stocked(app), [spec])
    odd = [each.message for each in report.invalid if each.operation == "GET /v1/odd"]
    assert odd[0] == "status 202 is not documented (200)"
    assert odd[1].startswith("the reply is not JSON")


def test_a_success_status_that_the_app_does_not_declare_is_invalid(app: App) -> None:
    @app.product.get("/v1/late", answers=dict[str, int])
    def answer_late(tx: Tx) -> Reply:
        """Answer with another status than declared."""
        return Reply(202, {}, b"{}")

    @app.product.get("/v1/declared", also=(202,), answers=dict[str, int])
    def answer_declared(tx: Tx) -> Reply:
        """Answer with a declared status."""
        return Reply(202, {}, b"{}")

    report = check(app, stocked(app))
    assert [(each.operation, each.message) for each in report.invalid] == [
        ("GET /v1/late", "status 202 is not declared (200)")
    ]


def test_an_empty_world_leaves_operations_unsampled_with_the_reason(app: App) -> None:
    from diorama.kernel.testing import fresh

    report = check(app, fresh([app]))
    assert {each.operation for each in report.unsampled} >= {"GET /v1/books/{book_id}"}
    assert all(each.why for each in report.unsampled)
    assert report.invalid == []


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("tickets", "ticket"),
        ("ticket_id", "ticket"),
        ("ticketIds", "ticket"),
        ("categories", "category"),
        ("statuses", "status"),
        ("status", "status"),
        ("addresses", "address"),
        ("boxes", "box"),
        ("group-memberships", "group_membership"),
    ],
)
def test_different_id_names_map_to_one_noun(name: str, about: str) -> None:
    assert noun(name) == about


def test_a_pool_finds_values_by_the_name_and_the_resource_around_it() -> None:
    pool = Pool()
    pool.harvest({"tickets": [{"id": 7, "requester_id": 9, "email": "a@b.c", "solved": True}]})
    assert pool.named("ticket_id") == [7]
    assert pool.named("id", "tickets") == [7]
    assert pool.named("requester_id") == [9]
    assert pool.named("email") == ["a@b.c"]
    assert pool.last_part("original_ticket_id") == [7]
    assert pool.named("order_id") == []
