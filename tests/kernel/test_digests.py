"""The state digest: a sum over all rows, updated incrementally."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Tx, World
from tests.kernel.workshop import ANA, TESTER, Label, Part, bells, open_shop, ring, stocked, weighed


def built(*orders: list[int]) -> World:
    """Return a workshop that got the same parts in these orders and transactions."""
    world = open_shop()
    for order in orders:
        world.do(lambda tx, order=order: [tx.add(Part(id=number, name=f"part {number}")) for number in order], TESTER)
    return world


@settings(max_examples=25)
@given(st.permutations(range(1, 9)), st.integers(0, 8))
def test_the_digest_does_not_depend_on_row_order(order: list[int], cut: int) -> None:
    assert built(order[:cut], order[cut:]).state == built(list(range(1, 9))).state


def test_undoing_a_change_restores_the_digest() -> None:
    world = stocked(5)
    values = [world.state]
    world.do(lambda tx: tx.change(tx.get(Part, 2), price=7.0), TESTER)
    values.append(world.state)
    world.do(lambda tx: tx.remove(tx.get(Part, 3)), TESTER)
    values.append(world.state)
    world.do(lambda tx: tx.add(Part(id=3, name="part 2", stock=2, price=0.5, code="P2")), TESTER)
    assert world.state == values[1]
    world.do(lambda tx: tx.change(tx.get(Part, 2), price=0.25), TESTER)
    assert world.state == values[0]
    assert len(set(values)) == 3


def test_the_same_cells_in_another_table_or_row_are_another_state() -> None:
    states = {
        built([1]).state,
        built([2]).state,
        built([1, 2]).state,
        open_shop().state,
    }
    assert len(states) == 4


def test_agenda_and_outages_are_part_of_the_state() -> None:
    world = open_shop()
    empty = world.state

    def trouble(tx: Tx) -> None:
        tx.fault("workshop", "down", timedelta(hours=1), timedelta(hours=1))

    world.do(trouble, TESTER)
    assert world.state != empty
    number = world.plan(timedelta(minutes=5), ring, bell="tea")
    planned = world.state
    assert planned == weighed(world)
    world.do(lambda tx: tx.cancel(number), TESTER)
    assert world.state != planned
    assert world.state == weighed(world)


def test_the_digest_equals_a_recomputation() -> None:
    world = stocked(10)
    world.plan(timedelta(minutes=5), ring, bell="tea")
    world.wait(timedelta(hours=1))
    assert bells(world) == [("08:05:00", "tea")]
    assert world.state == weighed(world)


def test_reads_and_no_op_writes_do_not_change_the_state() -> None:
    world = stocked(10)
    before = world.state
    world.read(lambda tx: tx.all(Part))
    world.do(lambda tx: tx.get(Part, 1), ANA)
    world.do(lambda tx: tx.change(tx.get(Part, 1), name="part 0", stock=0), ANA)
    world.do(lambda tx: tx.rows("UPDATE workshop_parts SET stock = stock"), ANA)
    world.do(lambda tx: tx.remove(tx.add(Label(text="short-lived"))), ANA)
    assert world.state == before
    assert [event.changes for event in world.events[-4:]] == [[], [], [], []]


@settings(max_examples=25)
@given(st.floats(allow_nan=False))
def test_a_float_is_hashed_as_sqlite_stores_it(price: float) -> None:
    world = open_shop()
    empty = world.state
    world.do(lambda tx: tx.add(Part(name="x", price=price)), TESTER)
    assert world.state == weighed(world)
    world.do(lambda tx: tx.rows("DELETE FROM workshop_parts"), TESTER)
    assert world.state == empty
