"""Compiling: SQL selects the same rows as the naive evaluator, whatever is asked."""

import json
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import functions, to_us
from diorama.kit import query as kit
from diorama.kit.query import (
    Not,
    Order,
    QueryError,
    QueryLimits,
    Row,
    Sql,
    compile_order,
    compile_query,
    evaluate,
    parse,
)
from tests.kit.query.test_parse import TREES
from tests.kit.query.vendors import GITHUB, GMAIL, JQL, NOW, ODATA, SCHEMA, SLACK, SOQL, VENDORS, Context, Vendor

HOURS = (-72, -60, -37, -36.5, -24, -12.5, -1, 0, 5)
TITLES = ("Steam wand", "steam WAND", "wand leaks", "Leaky steamer", "x", "", None)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "title": st.sampled_from(TITLES),
            "body": st.sampled_from(TITLES),
            "owner": st.sampled_from(["mara", "oleg", "Ana", None]),
            "points": st.sampled_from([None, 0, 1, 2, 3, 4, 5]),
            "done": st.sampled_from([0, 1, None]),
            "labels": st.lists(st.sampled_from(["bug", "ui", "needs work", "buggy"]), max_size=2),
            "created": st.sampled_from([None, *(to_us(NOW) + round(hours * 3_600_000_000) for hours in HOURS)]),
        }
    ),
    max_size=6,
)


INSERT = "INSERT INTO issues VALUES (:id, :title, :body, :owner, :points, :done, :labels, :created)"


def filled(rows: list[dict[str, Any]]) -> apsw.Connection:
    """Return a database with these rows, numbered from 1."""
    connection = apsw.Connection(":memory:")
    functions.register(connection, lambda rows: None)
    connection.execute(SCHEMA)
    for number, row in enumerate(rows, 1):
        stored = {**row, "id": number, "labels": json.dumps(row["labels"])}
        connection.execute(INSERT, stored)
    connection.execute("INSERT INTO issues_search(issues_search) VALUES ('rebuild')")
    return connection


def selected(connection: apsw.Connection, condition: Sql, order: str = "id") -> list[int]:
    found = connection.execute(f"SELECT id FROM issues WHERE {condition.text} ORDER BY {order}", condition.args)
    return [row[0] for row in found]


@pytest.mark.parametrize("name", VENDORS)
@settings(max_examples=60)
@given(data=st.data(), rows=ROWS)
def test_sql_and_evaluator_find_the_same_rows(name: str, data: st.DataObject, rows: list[dict[str, Any]]) -> None:
    table, connection = VENDORS[name].table, filled(rows)
    for tree in data.draw(st.lists(TREES[name], min_size=1, max_size=3)):
        condition = compile_query(table, Context(), tree)
        expected = [number for number, row in enumerate(rows, 1) if evaluate(table, Context(), tree, row)]
        assert selected(connection, condition) == expected


@given(
    rows=ROWS,
    order=st.lists(
        st.builds(
            Order, st.sampled_from(["story points", "created"]), st.booleans(), st.sampled_from(["", "first", "last"])
        ),
        min_size=1,
        max_size=2,
    ),
)
def test_order_by_sorts_as_the_evaluator_does(rows: list[dict[str, Any]], order: list[Order]) -> None:
    numbered: list[Row] = [{**row, "id": number} for number, row in enumerate(rows, 1)]
    found = selected(filled(rows), kit.TRUE, compile_order(JQL.table, order) + ", id")
    assert found == [row["id"] for row in kit.ordered(JQL.table, order, numbered)]


LEAK = {
    "title": "Steam wand",
    "body": "wand leaks",
    "owner": "mara",
    "points": 3,
    "done": 0,
    "labels": ["bug"],
    "created": to_us(NOW),
}
NOTHING: dict[str, Any] = {**dict.fromkeys(LEAK), "labels": []}


@pytest.mark.parametrize(
    ("vendor", "text", "found"),
    [
        (JQL, "summary ~ 'steam wand' AND assignee = currentUser()", [1]),
        (JQL, "assignee is EMPTY", [2]),
        (JQL, "NOT assignee = oleg", [1]),
        (JQL, "assignee not in membersOf(x) OR created <= -1h", []),
        (JQL, "created >= startOfDay() AND created < 1d", [1]),
        (SOQL, "Name != 'x'", [1, 2]),
        (SOQL, "NOT Amount > 3", [1, 2]),
        (SOQL, "CreatedDate = TODAY AND Name LIKE 'STEAM%'", [1]),
        (GMAIL, "subject:(steam -leaks) {label:bug label:ui}", [1]),
        (GMAIL, "-steam", [2]),
        (GMAIL, "after:nonsense", []),
        (GMAIL, "-after:nonsense", [1, 2]),
        (SLACK, "from:me on:today", [1]),
        (GITHUB, "comments:2..3 label:ui,bug created:*..2026-03-02", [1]),
        (GITHUB, "no:label OR comments:>many", [2]),
        (ODATA, "startswith(owner, 'ma') and points in (3, 4)", [1]),
    ],
)
def test_conditions_select_the_expected_rows(vendor: Vendor, text: str, found: list[int]) -> None:
    condition = compile_query(vendor.table, Context(), parse(vendor.grammar, text).where)
    assert selected(filled([LEAK, NOTHING]), condition) == found


def test_no_condition_selects_everything() -> None:
    assert compile_query(JQL.table, Context(), None) == kit.TRUE
    assert evaluate(JQL.table, Context(), None, NOTHING)


@pytest.mark.parametrize(
    ("vendor", "text", "kind", "subject"),
    [
        (JQL, "priority = 1", "unknown_field", "priority"),
        (JQL, "assignee > 1", "unsupported_operator", ">"),
        (JQL, "created > yesterday", "bad_value", "yesterday"),
        (JQL, "'story points' = 99999999999999999999", "bad_value", "99999999999999999999"),
        (JQL, "assignee = whoever()", "unknown_function", "whoever"),
        (JQL, "title ~ now()", "bad_value", "now"),
        (SOQL, "IsClosed = maybe", "bad_value", "maybe"),
        (ODATA, "endswith(owner, 'a')", "unknown_function", "endswith"),
        (ODATA, "startswith(owner)", "bad_value", "startswith"),
    ],
)
def test_a_strict_table_reports_errors(vendor: Vendor, text: str, kind: str, subject: str) -> None:
    node = parse(vendor.grammar, text).where
    with pytest.raises(QueryError) as compiled:
        compile_query(vendor.table, Context(), node)
    with pytest.raises(QueryError) as evaluated:
        evaluate(vendor.table, Context(), node, LEAK)
    for error in (compiled.value, evaluated.value):
        assert (error.kind, error.subject) == (kind, subject)


def test_only_columns_can_be_sorted_by() -> None:
    for field, kind in (("labels", "not_sortable"), ("nothing", "unknown_field")):
        with pytest.raises(QueryError) as caught:
            compile_order(JQL.table, [Order(field)])
        assert caught.value.kind == kind


# --- limits


def _deepest(levels: int, width: int) -> str:
    """Nested groups, each at the start of a chain, so that SQLite counts every part as a level."""
    text = "is:read"
    for _ in range(levels):
        text = "-(" + " ".join([f"({text} OR is:unread)", *["is:read"] * width]) + ")"
    return text


@pytest.mark.parametrize(
    "text",
    [
        " ".join(["steam"] * 500),
        " OR ".join(["-steam"] * 500),
        "subject:" + "(" * 25 + "x" + ")" * 25,
        _deepest(12, 39),
        " ".join(["-(a OR is:read)"] * 250),
    ],
    ids=["chain", "alternatives", "nested", "deepest", "negations"],
)
def test_the_largest_queries_run(text: str) -> None:
    limits = QueryLimits(terms=500)
    condition = compile_query(GMAIL.table, Context(), parse(GMAIL.grammar, text, limits=limits).where)
    selected(filled([LEAK]), condition)


@pytest.mark.parametrize("vendor", [JQL, GITHUB], ids=["jql", "github"])
@pytest.mark.parametrize(
    "text",
    ["x" * 10_001, "(" * 26, "NOT " * 26 + "a = 1", " AND ".join(["a=1"] * 501), f"a in ({', '.join('1' * 501)})"],
    ids=["long", "deep", "negated", "wide", "listed"],
)
def test_a_query_beyond_the_limits_is_too_complex(vendor: Vendor, text: str) -> None:
    if vendor is GITHUB:
        text = text.replace("a in (", "a:").replace(", ", ",")
    with pytest.raises(QueryError) as caught:
        parse(vendor.grammar, text)
    assert caught.value.kind == "too_complex"


def test_too_many_bound_values_are_too_complex() -> None:
    node = parse(JQL.grammar, "'story points' in (1, 2, 3)").where
    assert len(compile_query(JQL.table, Context(), node, QueryLimits(bindings=3)).args) == 3
    with pytest.raises(QueryError, match="too complex"):
        compile_query(JQL.table, Context(), node, QueryLimits(bindings=2))


def test_too_complex_is_an_error_in_search_boxes_too() -> None:
    def refuse(context: Context, test: kit.Test) -> Sql:
        raise QueryError("too_complex", "values")

    table = kit.Table(fields={"x": kit.QueryField(refuse)}, lenient=True)
    with pytest.raises(QueryError, match="too complex"):
        compile_query(table, Context(), Not(kit.Test("x", ":", (kit.Text("a"),))))


def test_long_chains_are_joined_in_a_tree() -> None:
    parts = [Sql("x = ?", (number,)) for number in range(5000)]
    assert kit.both(parts).args == tuple(range(5000))
    connection = apsw.Connection(":memory:")
    functions.register(connection, lambda rows: None)
    assert list(connection.execute(f"SELECT 1 FROM (SELECT 7 AS x) WHERE {kit.either(parts).text}", range(5000))) == [
        (1,)
    ]
