"""Search languages: whatever people type is read, and never becomes SQL."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit.query import Term, full_text, parse, plain


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("leak", [Term("leak")]),
        ('"steam wand" leak', [Term("steam wand", quoted=True), Term("leak")]),
        ("status:open", [Term("open", "status")]),
        ("Status:Open", [Term("Open", "status")]),
        ("status<solved priority>=high", [Term("solved", "status", "<"), Term("high", "priority", ">=")]),
        ("created:>=2026-01-01", [Term("2026-01-01", "created", ">=")]),
        (
            '-tags:vip -"lost parcel"',
            [Term("vip", "tags", negated=True), Term("lost parcel", negated=True, quoted=True)],
        ),
        ('group:"Level 2" x', [Term("Level 2", "group", quoted=True), Term("x")]),
        ("mara@example.com", [Term("mara@example.com")]),
        ('"never closed', [Term("never closed", quoted=True)]),
        ("", []),
        ("a - b", [Term("a"), Term("-"), Term("b")]),
    ],
)
def test_a_query_is_read_as_people_mean_it(text: str, terms: list[Term]) -> None:
    assert parse(text) == terms


def test_a_sign_that_negates_nothing_here_belongs_to_the_word() -> None:
    assert parse("!important", negations="-") == [Term("!important")]
    assert parse("!important", negations="-!") == [Term("important", negated=True)]


def test_an_unknown_field_can_be_read_as_words() -> None:
    assert plain(Term("//x.example", "https")) == Term("https://x.example", quoted=True)
    assert plain(Term("word")) == Term("word")


@given(st.text(max_size=60))
def test_reading_never_fails_and_writing_back_reads_the_same(text: str) -> None:
    terms = parse(text)
    assert parse(" ".join(map(str, terms))) == terms or any('"' in term.value for term in terms)


@given(st.text(min_size=1, max_size=40), st.booleans())
def test_no_text_is_ever_full_text_syntax(text: str, prefix: bool) -> None:
    match = full_text(text, prefix=prefix)
    if match is None:
        return
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
    connection.execute("INSERT INTO t VALUES (?)", (text,))
    connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (match,)).fetchall()


def test_a_star_asks_for_beginnings() -> None:
    assert full_text("esp*") == '"esp" *'
    assert full_text("esp", prefix=True, column="name") == 'name : "esp" *'
    assert full_text("***") is None
