"""The changes in an event equal those reported by SQLite's session extension on another connection."""

from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Change, Refusal, Tx
from tests.kernel.plain import Attempt, Plain, Sql, Step, act
from tests.kernel.test_histories import transactions
from tests.kernel.workshop import ANA, TESTER, Entry, Label, Part, Rang, names, open_shop, ring, stocked

THREE = Sql("INSERT INTO workshop_parts (id, name, code) VALUES (1, 'a', 'A'), (2, 'b', 'B'), (3, 'c', 'C')")
CASES: dict[str, list[Step]] = {
    "a row that came and went": [THREE, Sql("DELETE FROM workshop_parts WHERE id = 2")],
    "a row that was replaced": [THREE, Sql("INSERT OR REPLACE INTO workshop_parts (id, name) VALUES (2, 'z')")],
    "a row replaced by its unique code": [
        THREE,
        Sql("INSERT OR REPLACE INTO workshop_parts (id, name, code) VALUES (9, 'z', 'B')"),
    ],
    "a key that moved": [THREE, Sql("UPDATE workshop_parts SET id = id + 10 WHERE id = 3")],
    "a key that moved and came back": [
        THREE,
        Sql("UPDATE workshop_parts SET id = 30 WHERE id = 3"),
        Sql("UPDATE workshop_parts SET id = 3 WHERE id = 30"),
    ],
    "a change and its opposite": [
        THREE,
        Sql("UPDATE workshop_parts SET stock = 5"),
        Sql("UPDATE workshop_parts SET stock = 0"),
    ],
    "a statement that a constraint broke half-way": [
        Sql("INSERT INTO workshop_parts (id, name) VALUES (5, 'e'), (6, 'f'), (5, 'again')", broken=True),
        Sql("INSERT INTO workshop_labels VALUES ('k', 'kept', 1)"),
    ],
    "an attempt that was undone, inside one that was not": [
        Attempt((THREE, Attempt((Sql("DELETE FROM workshop_parts"),), undone=True)), undone=False),
        Attempt((Sql("UPDATE workshop_parts SET name = 'x'"),), undone=True),
    ],
    "a table emptied at once": [THREE, Sql("DELETE FROM workshop_parts")],
}


@pytest.mark.parametrize("first", [True, False], ids=["within", "across"])
@pytest.mark.parametrize("case", CASES)
def test_net_changes_of_a_known_case(case: str, first: bool) -> None:
    world, plain = open_shop(), Plain()
    steps = CASES[case]
    parts = [steps] if first else [[step] for step in steps]
    for part in parts:
        assert act(world, part, False) == plain.act(part, False)
        assert world.state == plain.weighed()


@settings(max_examples=100)
@given(st.lists(transactions, min_size=1, max_size=4))
def test_net_changes_equal_sqlites_session_extension(history: list[tuple[list[Any], bool]]) -> None:
    world, plain = open_shop(), Plain()
    for steps, refused in history:
        assert act(world, steps, refused) == plain.act(steps, refused)


def test_an_update_names_only_the_columns_that_differ() -> None:
    world = stocked(3)
    world.do(lambda tx: tx.change(tx.get(Part, 2), name="part 1", stock=9, remark="new"), TESTER)
    [change] = world.events[-1].changes
    assert change == Change(
        "workshop_parts", 2, "update", {"stock": 1, "remark": None}, {"stock": 9, "remark": "new"}, by="world"
    )  # fmt: skip


def test_changes_are_sorted_by_table_and_key() -> None:
    def shuffle(tx: Tx) -> None:
        for number in (3, 1, 2):
            tx.change(tx.get(Part, number), stock=50)
            tx.add(Label(id=f"k{number}"))
            tx.add(Entry(id=10 - number, cents=number))

    world = stocked(3)
    world.do(shuffle, TESTER)
    found = [(change.table, change.key) for change in world.events[-1].changes]
    assert found == sorted(found)
    assert len(found) == 9


def test_a_refusal_rolls_back_rows_notices_plans_and_ids() -> None:
    world = stocked(3)
    before = world.state

    def refused(tx: Tx) -> None:
        tx.add(Part(name="four"))
        ring(tx, bell="alarm")
        raise Refusal(409, "Busy")

    with pytest.raises(Refusal, match="409 Busy"):
        world.do(refused, ANA)
    event = world.events[-1]
    assert (world.state, event.changes, event.notices, event.reply["status"]) == (before, [], [], 409)
    assert world.do(lambda tx: tx.add(Part(name="next")), ANA).id == 4


def test_a_rolled_back_attempt_sends_no_notices() -> None:
    def tries(tx: Tx) -> None:
        tx.emit(Rang(bell="kept"))
        with pytest.raises(apsw.ConstraintError):
            half(tx)

    def half(tx: Tx) -> None:
        with tx.attempt():
            tx.add(Part(name="lost"))
            tx.emit(Rang(bell="lost"))
            tx.add(Part(name="twin", code="P1"))

    world = stocked(3)
    world.do(tries, TESTER)
    assert names(world) == ["part 0", "part 1", "part 2"]
    assert world.events[-1].notices == ["Rang", "Echoed"]


def test_replacing_a_row_does_not_bypass_append_only() -> None:
    world = open_shop()
    world.do(lambda tx: tx.add(Entry(id=1, cents=500)), TESTER)

    def forge(tx: Tx, sql: str) -> None:
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            tx.rows(sql)

    for sql in (
        "UPDATE workshop_entries SET cents = 1",
        "DELETE FROM workshop_entries",
        "INSERT OR REPLACE INTO workshop_entries VALUES (1, 1)",
        "INSERT INTO workshop_entries VALUES (1, 1) ON CONFLICT DO UPDATE SET cents = 1",
    ):
        world.do(forge, ANA, sql)
    assert world.read(lambda tx: [entry.cents for entry in tx.all(Entry)]) == [500]
