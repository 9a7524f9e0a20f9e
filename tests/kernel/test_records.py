"""Records: every field type is stored in a row and loaded unchanged."""

from datetime import UTC, datetime
from typing import Any, Literal

import apsw
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Defect, Missing, Notice, Product, Record, Tx, counter, from_us, table_of, to_us, token, ulid
from diorama.kernel.testing import fresh
from tests.kernel.workshop import ANA, TESTER, Label, Page, Part, open_shop, stocked, weighed

APP = Product("cabinet")


class Point(msgspec.Struct, frozen=True):
    """A place."""

    x: int
    y: float = 0.0
    name: str | None = None


@APP.record("drawers", ids=counter(1))
class Drawer(Record):
    """One of every type that a record may have."""

    whole: int
    maybe_whole: int | None
    real: float
    maybe_real: float | None
    text: str
    maybe_text: str | None
    yes: bool
    maybe_yes: bool | None
    when: datetime
    maybe_when: datetime | None
    word: Literal["a", "b"]
    maybe_word: Literal["a", "b"] | None
    number: Literal[1, 2]
    raw: bytes
    many: tuple[str, ...]
    lists: list[int]
    table: dict[str, float]
    nested: dict[str, list[Point]]
    point: Point
    maybe_point: Point | None
    either: int | str
    moments: tuple[datetime, ...]
    anything: Any


whole = st.integers(-(2**63), 2**63 - 1)
real = st.floats(allow_nan=False)
text = st.text()
moment = st.datetimes(timezones=st.just(UTC))
point = st.builds(Point, x=whole, y=st.floats(allow_nan=False, allow_infinity=False), name=st.none() | text)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
drawers = st.builds(
    Drawer,
    id=st.integers(1, 2**62), whole=whole, maybe_whole=st.none() | whole, real=real, maybe_real=st.none() | real,
    text=text, maybe_text=st.none() | text, yes=st.booleans(), maybe_yes=st.none() | st.booleans(), when=moment,
    maybe_when=st.none() | moment, word=st.sampled_from(["a", "b"]), maybe_word=st.sampled_from(["a", "b", None]),
    number=st.sampled_from([1, 2]), raw=st.binary(), many=st.lists(text).map(tuple), lists=st.lists(whole),
    table=st.dictionaries(text, st.floats(allow_nan=False, allow_infinity=False)),
    nested=st.dictionaries(text, st.lists(point, max_size=2), max_size=2), point=point, maybe_point=st.none() | point,
    either=st.integers(-(2**53), 2**53) | text, moments=st.lists(moment, max_size=3).map(tuple), anything=plain,
)  # fmt: skip


@settings(max_examples=100)
@given(drawers)
def test_a_record_is_read_as_it_was_written(drawer: Drawer) -> None:
    table = table_of(Drawer)
    connection = apsw.Connection(":memory:")
    for statement in table.ddl():
        connection.execute(statement)
    connection.execute(table.insert, table.dump(drawer))
    [row] = connection.execute(table.select).fetchall()
    assert table.load(row) == drawer
    assert {type(cell) for cell in row} <= {int, float, str, bytes, type(None)}


@settings(max_examples=30)
@given(drawers, drawers)
def test_every_field_of_a_record_can_be_changed(one: Drawer, other: Drawer) -> None:
    world = fresh([APP])
    world.do(lambda tx: tx.add(one), TESTER)
    fields = {name: getattr(other, name) for name in Drawer.__struct_fields__}
    changed = world.do(lambda tx: tx.change(tx.get(Drawer, one.id), **fields), TESTER)
    assert changed == other
    assert world.read(lambda tx: tx.all(Drawer)) == [other]
    world.do(lambda tx: tx.remove(other), TESTER)
    assert world.state == fresh([APP]).state


@given(moment)
def test_a_time_is_stored_to_the_microsecond(when: datetime) -> None:
    assert from_us(to_us(when)) == when


def test_the_key_comes_first_whatever_the_order_of_the_fields() -> None:
    assert table_of(Label).names[0] == "id"
    assert table_of(Part).names == (
        "id",
        "name",
        "stock",
        "price",
        "code",
        "remark",
        "size",
        "state",
        "made_at",
        "tags",
    )


def test_reading_by_id_condition_order_and_page() -> None:
    world = stocked(20)

    def look(tx: Tx) -> None:
        assert tx.get(Part, 3).name == "part 2"
        assert tx.find(Part, 99) is None
        with pytest.raises(Missing, match="no Part with id 99") as caught:
            tx.get(Part, 99)
        assert (caught.value.record, caught.value.id) == (Part, 99)
        assert [part.id for part in tx.all(Part, "stock = ?", 2, order="id DESC", limit=2, offset=1)] == [13, 8]
        assert tx.count(Part, "stock = ?", 2) == 4
        first = tx.first(Part, "price > ?", 1.0)
        assert first is not None
        assert first.id == 6
        assert tx.first(Part, "price > ?", 99.0) is None

    world.read(look)


def test_a_time_in_a_condition_is_compared_as_stored() -> None:
    world = open_shop()
    world.do(lambda tx: tx.add(Part(name="x", made_at=tx.now)), TESTER)
    assert world.read(lambda tx: tx.count(Part, "made_at <= ?", tx.now)) == 1
    assert world.read(lambda tx: tx.count(Part, "made_at < ?", tx.now)) == 0


def test_full_text_search_follows_every_change() -> None:
    world = open_shop()

    def fill(tx: Tx) -> None:
        tx.add(Part(name="Espresso boiler", remark="it leaks"))
        tx.add(Part(name="Café grinder"))
        tx.add(Page(id="p1", body="A leaking boiler"))

    def found(tx: Tx, words: str) -> list[Any]:
        return [one.id for one in [*tx.match(Part, words), *tx.match(Page, words)]]

    world.do(fill, TESTER)
    assert world.read(found, "boiler") == [1, "p1"]
    assert world.read(found, "cafe") == [2]
    world.do(lambda tx: tx.change(tx.get(Part, 1), name="Espresso kettle"), TESTER)
    world.do(lambda tx: tx.change(tx.get(Page, "p1"), body="Nothing"), TESTER)
    assert world.read(found, "boiler") == []
    world.do(lambda tx: tx.change(tx.get(Part, 2), id=40), TESTER)
    assert world.read(found, "grinder") == [40]
    world.do(lambda tx: tx.rows("REPLACE INTO workshop_parts (id, name, tags) VALUES (40, 'lever', '[]')"), TESTER)
    assert world.read(found, "grinder") == []
    world.do(lambda tx: tx.remove(tx.get(Part, 1)), TESTER)
    assert world.read(found, "kettle OR lever") == [40]
    assert world.state == weighed(world)


def test_a_unique_index_refuses_a_duplicate() -> None:
    world = stocked(3)

    def twin(tx: Tx) -> None:
        with pytest.raises(apsw.ConstraintError, match=r"workshop_parts\.code"):
            tx.add(Part(name="twin", code="P1"))

    world.do(twin, ANA)


def test_an_undeclared_record_has_no_table() -> None:
    class Stray(Record):
        """A record that is not declared."""

    with pytest.raises(TypeError, match="decorate it"):
        table_of(Stray)


def test_records_and_notices_are_frozen_and_keyword_only() -> None:
    part = Part(name="x")
    with pytest.raises(AttributeError):
        part.name = "y"  # type: ignore[misc] # the point of the test

    class Said(Notice):
        """Something was said."""

        text: str

    with pytest.raises(TypeError):
        Said("positional")  # type: ignore[call-arg] # the point of the test
    said = Said(text="x")
    with pytest.raises(AttributeError):
        said.text = "y"  # type: ignore[misc] # the point of the test


def test_a_record_without_a_required_field_is_refused() -> None:
    with pytest.raises(TypeError, match="Missing required argument 'whole'"):
        Drawer()  # type: ignore[call-arg] # the point of the test


def test_ids_that_do_not_fit_the_key_are_refused_at_declaration() -> None:
    class Untyped(Record):
        name: str = ""

    class Named(Record):
        id: str = ""
        name: str = ""

    for ids in (token("ord_"), ulid("msg_")):
        with pytest.raises(ValueError, match="declare `id: str = ''` in the record"):
            APP.record("orders", ids=ids)(Untyped)
    with pytest.raises(ValueError, match="declare `id: int = 0` in the record"):
        APP.record("orders", ids=counter())(Named)
    product = Product("shelf")
    product.record("names")(Named)
    world = fresh([product])
    assert world.do(lambda tx: tx.add(Named(id="a")).id, TESTER) == "a"
    with pytest.raises(Defect, match="Named was added without an id"):
        world.do(lambda tx: tx.add(Named()), TESTER)


def test_an_index_of_an_unknown_field_is_refused_at_declaration() -> None:
    class Box(Record):
        name: str = ""

    for wrong in ({"index": [("name", "colour")]}, {"unique": [("colour DESC",)]}, {"search": ("colour",)}):
        with pytest.raises(ValueError, match="names 'colour', which is not one of its fields"):
            APP.record("boxes", **wrong)(Box)


def test_an_unknown_column_in_quotes_is_an_error_not_a_text() -> None:
    world = open_shop()
    for wrong in (lambda tx: tx.rows('SELECT "colour" FROM workshop_parts'), lambda tx: tx.all(Part, '"colour" = 1')):
        with pytest.raises(apsw.SQLError, match="no such column"):
            world.read(wrong)
