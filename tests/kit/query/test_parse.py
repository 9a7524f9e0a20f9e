"""Parsing: what six vendors' queries mean, and what a strict grammar refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit import query as kit
from diorama.kit.query import And, FunctionCall, Node, Not, Or, Order, ParsedQuery, QueryError, Text, parse, write
from tests.kit.query.vendors import GITHUB, GMAIL, JQL, ODATA, SLACK, SOQL, VENDORS, Vendor


def is_(field: str, value: str, operator: str = ":", quoted: bool = False) -> kit.Test:
    return kit.Test(field, operator, (Text(value, quoted),))


A, B, C = Text("a"), Text("b"), Text("c")


@pytest.mark.parametrize(
    ("vendor", "text", "node"),
    [
        (JQL, "", None),
        (JQL, "status = Open", is_("status", "Open", "=")),
        (JQL, "STATUS=Open and not x > 1", And((is_("status", "Open", "="), Not(is_("x", "1", ">"))))),
        (JQL, "a = 1 OR b = 2 AND c = 3", Or((is_("a", "1", "="), And((is_("b", "2", "="), is_("c", "3", "=")))))),
        (JQL, "(a = 1 || b = 2) && !c = 3", And((
            Or((is_("a", "1", "="), is_("b", "2", "="))), Not(is_("c", "3", "="))))),
        (JQL, "summary ~ 'it\\'s \"x\"'", is_("title", "it's \"x\"", "~", quoted=True)),
        (JQL, '"Epic Link" is not EMPTY', is_("epic link", "EMPTY", "is not")),
        (JQL, "x NOT IN (a, 'b c')", kit.Test("x", "not in", (A, Text("b c", quoted=True)))),
        (JQL, "x in f(a, g()) ", kit.Test("x", "in", (FunctionCall("f", (A, FunctionCall("g"))),))),
        (SOQL, "Name LIKE 'a%' AND NOT (x <> 1)", And((
            is_("name", "a%", "like", quoted=True), Not(is_("x", "1", "!="))))),
        (GMAIL, "a b OR c", And((A, Or((B, C))))),
        (GMAIL, "{a b} -c", And((Or((A, B)), Not(C)))),
        (GMAIL, "subject:(a -b) from:{b c}", And((
            is_("subject", "a"), Not(is_("subject", "b")), Or((is_("from", "b"), is_("from", "c")))))),
        (GMAIL, "OR a ) OR ( b", Or((A, B))),
        (GMAIL, "-(a b) () OR", Not(And((A, B)))),
        (SLACK, 'from:me "steam wand" -has::x:', And((
            is_("from", "me"), Text("steam wand", True), Not(is_("has", ":x:"))))),
        (SLACK, "a (b) OR", And((A, Text("(b)"), Text("OR")))),
        (GITHUB, 'label:bug,"help wanted" stars:>=10', And((
            kit.Test("label", ":", (Text("bug"), Text("help wanted", True))), is_("stars", "10", ">=")))),
        (GITHUB, "a b OR NOT c", Or((And((A, B)), Not(C)))),
        (GITHUB, "review-requested:x (a OR -b)", And((is_("review-requested", "x"), Or((A, Not(B)))))),
        (ODATA, "startswith(name, 'A') or not points gt 3", Or((
            FunctionCall("startswith", (Text("name"), Text("A", True))), Not(is_("points", "3", ">"))))),
    ],
)  # fmt: skip
def test_a_query_means_what_its_vendor_says(vendor: Vendor, text: str, node: Node | None) -> None:
    assert parse(vendor.grammar, text).where == node


def test_clauses_follow_the_condition() -> None:
    query = parse(SOQL.grammar, "x = 1 ORDER BY Name DESC NULLS LAST, y LIMIT 10 OFFSET 5")
    assert query.order == (Order("name", descending=True, nulls="last"), Order("y"))
    assert query.clauses == (("limit", "10"), ("offset", "5"))
    assert parse(JQL.grammar, "order by created asc") == ParsedQuery(order=(Order("created"),))


@pytest.mark.parametrize(
    ("vendor", "text", "subject", "expected", "position"),
    [
        (JQL, "status = ", "", "value", 9),
        (JQL, "status Open", "Open", "operator", 7),
        (JQL, "= Open", "=", "field", 0),
        (JQL, "status = Open AND", "", "field", 17),
        (JQL, "(a = 1", "", ")", 6),
        (JQL, "a = 1)", ")", "end", 5),
        (JQL, "a in b", "b", "list", 5),
        (JQL, "a in (b,)", ")", "value", 8),
        (JQL, "a = and", "and", "value", 4),
        (JQL, "a = 'open", "'", "", 4),
        (JQL, "a = 1 ORDER created", "created", "by", 12),
        (JQL, "a = 1 LIMIT 3", "LIMIT", "end", 6),
        (SOQL, "a = 1 OR b = 2 AND c = 3", "AND", "parentheses", 15),
        (SOQL, "a in f()", "f", "list", 5),
        (SOQL, "a = 1 ORDER BY a NULLS 3", "3", "last", 23),
    ],
)
def test_a_syntax_error_has_a_position(vendor: Vendor, text: str, subject: str, expected: str, position: int) -> None:
    with pytest.raises(QueryError) as caught:
        parse(vendor.grammar, text)
    error = caught.value
    assert (error.kind, error.subject, error.expected, error.position) == ("syntax", subject, expected, position)


def test_an_error_message_says_what_and_where() -> None:
    with pytest.raises(QueryError, match="syntax: end of query, expected value at character 3"):
        parse(JQL.grammar, "a =")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("https://x.example", Text("https://x.example", quoted=True)),
        ("-foo:bar", Not(Text("foo:bar", quoted=True))),
        ("from:(foo:bar)", is_("from", "foo:bar", quoted=True)),
        ("foo:(a)", And((Text("foo:"), A))),
    ],
)
def test_an_unknown_field_is_read_as_words(text: str, node: Node) -> None:
    assert parse(GMAIL.grammar, text, known=GMAIL.table.fields.__contains__).where == node


def test_repeated_fields_can_be_alternatives() -> None:
    parts = kit.parts_of(parse(SLACK.grammar, "from:a x from:b -from:c on:today").where)
    joined = kit.alternatives(parts, lambda test: True)
    assert joined == [Text("x"), Not(is_("from", "c")), Or((is_("from", "a"), is_("from", "b"))), is_("on", "today")]


def test_leaves_are_all_conditions_in_order() -> None:
    node = parse(GITHUB.grammar, "a OR -(b x:1)").where
    assert list(kit.leaves(node)) == [A, B, is_("x", "1")]
    assert list(kit.leaves(None)) == []


# --- writing


def trees(vendor: Vendor) -> st.SearchStrategy[Node]:
    """Queries of a vendor's sample conditions, as deep as its language allows."""
    leaf = st.sampled_from(vendor.conditions())
    if not vendor.grammar.strict and not vendor.grammar.groups:
        flat = st.lists(leaf | leaf.map(Not), min_size=1, max_size=5)
        return flat.map(lambda parts: kit.all_of(parts) or parts[0])

    def deeper(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        several = st.lists(inner, min_size=2, max_size=3)
        return st.one_of(
            inner.map(Not),
            several.map(lambda parts: kit.all_of(parts) or parts[0]),
            several.map(lambda parts: kit.any_of(parts) or parts[0]),
        )

    return st.recursive(leaf, deeper, max_leaves=8)


TREES = {name: trees(vendor) for name, vendor in VENDORS.items()}


@pytest.mark.parametrize("name", VENDORS)
@given(data=st.data())
def test_a_written_tree_is_parsed_as_the_same_tree(name: str, data: st.DataObject) -> None:
    vendor, query = VENDORS[name], ParsedQuery(data.draw(TREES[name]))
    assert parse(vendor.grammar, write(vendor.grammar, query)) == query


ALPHABET = st.sampled_from(
    [
        *"abc(){}:<>=~,-'1\
",
        '"',
        "OR",
        "AND",
        "NOT",
        "or",
        "and",
        "not",
        "in",
        "is",
        "order",
        "by",
        "!=",
        "'",
        "é",
        "",
    ]
)


PIECES = st.lists(ALPHABET, max_size=20)


@pytest.mark.parametrize("vendor", VENDORS.values(), ids=VENDORS)
@given(text=PIECES.map(" ".join) | PIECES.map("".join) | st.text(max_size=30))
def test_any_text_is_refused_or_written_back_the_same(vendor: Vendor, text: str) -> None:
    try:
        query = parse(vendor.grammar, text)
    except QueryError:
        assert vendor.grammar.strict
        return
    assert parse(vendor.grammar, write(vendor.grammar, query)) == query


def test_clauses_are_written_back() -> None:
    text = "a = 1 ORDER BY 'order' DESC, b NULLS FIRST LIMIT 3"
    query = parse(SOQL.grammar, text)
    assert write(SOQL.grammar, query) == text


@pytest.mark.parametrize(
    "node", [Or((A, B)), Not(And((A, B))), Text('say "x"', quoted=True), is_("a", "b", "="), FunctionCall("f")]
)
def test_a_tree_that_a_language_cannot_express_is_an_error(node: Any) -> None:
    with pytest.raises(ValueError, match="this language"):
        write(SLACK.grammar, ParsedQuery(node))
