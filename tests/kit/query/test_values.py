"""Values and full text: dates as vendors write them, and user text that is never FTS5 syntax."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit.query import Dates, full_text
from diorama.kit.query.full_text import phrase_in
from tests.kit.query.vendors import NOW

DATES = Dates({"d": timedelta(days=1), "hours": timedelta(hours=1)}, {"today": 0, "yesterday": -1})


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2d", at("2026-02-28T12:30"), at("2026-02-28T12:30")),
        ("+2 hours", at("2026-03-02T14:30"), at("2026-03-02T14:30")),
        ("Today", at("2026-03-02"), at("2026-03-03")),
        ("yesterday", at("2026-03-01"), at("2026-03-02")),
        ("2026-01-31", at("2026-01-31"), at("2026-02-01")),
        ("2026-01-31T10:00:00+02:00", at("2026-01-31T08:00"), at("2026-01-31T08:00")),
    ],
)
def test_a_date_is_a_day_or_a_time(text: str, start: datetime, end: datetime) -> None:
    assert DATES.span(text, NOW) == (start, end)


@pytest.mark.parametrize("text", ["", "soon", "2 fortnights", "999999d", "0001-01-01", "2026-13-01"])
def test_a_text_that_is_not_a_date_gives_none(text: str) -> None:
    assert DATES.span(text, NOW) is None


def test_days_begin_in_the_callers_time_zone() -> None:
    late, zone = datetime(2026, 3, 2, 23, 30, tzinfo=UTC), ZoneInfo("Europe/Berlin")
    found = DATES.span("today", late, zone)
    assert found is not None
    assert found[0].astimezone(UTC) == at("2026-03-02T23:00")


def test_a_number_without_a_sign_may_mean_the_future() -> None:
    future = Dates({"d": timedelta(days=1)}, unsigned="future")
    assert future.span("1d", NOW) == (NOW + timedelta(days=1),) * 2
    assert future.span("-1d", NOW) == (NOW - timedelta(days=1),) * 2
    assert Dates({"d": timedelta(days=1)}, signed=False).span("-1d", NOW) is None


# --- full text


@given(st.text(min_size=1, max_size=40), st.booleans())
def test_no_text_is_ever_full_text_syntax(text: str, prefix: bool) -> None:
    match = full_text(text, prefix=prefix)
    if match is None:
        return
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
    connection.execute("INSERT INTO t VALUES (?)", (text,))
    connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (match,)).fetchall()


def test_a_star_matches_prefixes() -> None:
    assert full_text("esp*") == '"esp" *'
    assert full_text("esp", prefix=True, column="name") == 'name : "esp" *'
    assert full_text("***") is None


TEXTS = st.lists(st.sampled_from(["a", "ab", "É", "e", "b_c", "'", "-", "*", " ", " ", '"', "1"]), max_size=8).map(
    "".join
)


@given(TEXTS, TEXTS, st.booleans())
def test_phrases_are_found_as_the_index_finds_them(value: str, text: str, prefix: bool) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
    connection.execute("INSERT INTO t VALUES (?)", (text,))
    match = full_text(value, prefix=prefix)
    found = match is not None and list(connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (match,))) != []
    assert phrase_in(value, text, prefix=prefix) == found
