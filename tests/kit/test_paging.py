"""Paging: for every page size, the pages together are the whole list."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Actor, Product, Record, Tx, World
from diorama.kernel.testing import fresh
from diorama.kit.paging import (
    BadCursor,
    Cursor,
    Offset,
    Order,
    by,
    by_ids,
    link,
    page,
    read_cursor,
    window,
    write_cursor,
)

APP = Product("shelf")
START = datetime(2026, 1, 1, tzinfo=UTC)


@APP.record("books")
class Book(Record):
    """Something on a shelf."""

    title: str
    bought_at: datetime


def shelf(days: list[int]) -> World:
    world = fresh([APP])

    def fill(tx: Tx) -> None:
        for number, day in enumerate(days):
            tx.add(Book(title=f"book {number % 3}", bought_at=START + timedelta(days=day)))

    world.do(fill, Actor("staff", "stage"))
    return world


def walk(world: World, order: Order, size: int) -> list[int]:
    seen: list[int] = []
    after = ""
    while True:
        found = world.read(lambda tx, after=after: window(tx, Book, "", (), order, Cursor(size, after=after)))
        seen.extend(book.id for book in found.items)
        if not found.has_more or found.last is None:
            return seen
        after = found.last


@settings(max_examples=25)
@given(
    st.lists(st.integers(0, 4), max_size=12),
    st.integers(1, 5),
    st.sampled_from(["id", "title", "bought_at"]),
    st.booleans(),
)
def test_cursor_pages_cover_the_whole_list_once(days: list[int], size: int, column: str, descending: bool) -> None:
    world, order = shelf(days), by(column, descending)
    whole = world.read(lambda tx: [book.id for book in tx.all(Book, order=order.sql())])
    assert walk(world, order, size) == whole


@settings(max_examples=15)
@given(st.lists(st.integers(0, 4), min_size=3, max_size=12), st.integers(1, 4))
def test_paging_back_shows_the_previous_page(days: list[int], size: int) -> None:
    world, order = shelf(days), by("bought_at", True)
    whole = world.read(lambda tx: tx.all(Book, order=order.sql()))
    place = len(whole) - 1
    before = order.cursor(whole[place])
    found = world.read(lambda tx: window(tx, Book, "", (), order, Cursor(size, before=before)))
    assert found.items == whole[max(0, place - size) : place]


def test_conditions_filter_every_page() -> None:
    world = shelf([0, 1, 2, 3])
    found = world.read(lambda tx: window(tx, Book, "title = ?", ("book 0",), by("id"), Cursor(1)))
    assert [book.title for book in found.items] == ["book 0"]
    assert found.has_more


@pytest.mark.parametrize("text", ["nonsense", "WyJpZCJd", "", write_cursor("other", [1])])
def test_a_cursor_of_another_list_is_refused(text: str) -> None:
    with pytest.raises(BadCursor):
        read_cursor(text, "id")


@pytest.mark.parametrize("cell", [2**63, -(2**63) - 1, 10**40])
def test_a_forged_cursor_with_a_huge_number_is_refused(cell: int) -> None:
    with pytest.raises(BadCursor):
        read_cursor(write_cursor("id", [cell]), "id")
    assert read_cursor(write_cursor("id", [2**63 - 1]), "id") == [2**63 - 1]


def test_a_cursor_with_the_wrong_number_of_cells_is_refused() -> None:
    world = shelf([0, 1])
    with pytest.raises(BadCursor):
        world.read(lambda tx: window(tx, Book, "", (), by("id"), Cursor(1, after=write_cursor("id", [1, 2]))))


def test_an_ordered_list_is_paged_by_number() -> None:
    world = shelf([3, 1, 2, 0])
    offset = Offset(2, 2)
    found = world.read(lambda tx: page(tx, Book, "", (), "bought_at, id", offset.size, offset.skip))
    assert [book.id for book in found] == [3, 1]
    assert [book.id for book in world.read(lambda tx: page(tx, Book, "id > ?", (1,), "id DESC"))] == [4, 3, 2]


def test_records_follow_the_order_of_the_given_ids() -> None:
    world = shelf([0, 0, 0])
    assert [book.id for book in world.read(lambda tx: by_ids(tx, Book, [3, 9, 1]))] == [3, 1]
    assert world.read(lambda tx: by_ids(tx, Book, [])) == []


def test_links_are_escaped_as_browsers_do() -> None:
    assert link("https://x/y", [("page[size]", 2), ("q", "a b")]) == "https://x/y?page%5Bsize%5D=2&q=a%20b"
