"""Damage: what the agent's own acts left different, by cell, and nothing that others did."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest

from diorama.kernel import Actor, Defect, Request, World
from diorama.kit.damage import Cell, TableKinds
from diorama.rewards.collateral import row_value
from diorama.rewards.damage import Damage, damage_of, total
from diorama.rewards.history import History, kinds_of
from tests.kernel.high_street import Sale, call, open_shop

KINDS = {
    "shop_sales": TableKinds("money", columns={"name": "identity", "state": "record"}, void={"state": ("void",)}),
    "shop_lines": TableKinds("derived"),
    "shop_stamps": TableKinds("note", word=lambda row: row["text"] == "dear customer"),
}


@pytest.fixture
def world() -> World:
    """Return an empty shop."""
    return open_shop()


def damage(
    world: World, covers: Callable[[Cell], bool] = lambda cell: False, kinds: dict[str, TableKinds] | None = None
) -> list[Damage]:
    """All damage so far."""
    history = History(kinds_of(world.company) if kinds is None else kinds, 0)
    history.read(world.chain)
    return world.read(lambda tx: damage_of(tx, history, covers))


def tables(found: list[Damage]) -> Counter[str]:
    """How much damage each table has."""
    return Counter(one.cell.table for one in found)


def staged_sale(world: World) -> None:
    """A sale of someone else that exists before the agent acts."""
    world.do(lambda tx: tx.add(Sale(name="tea")), "system:tester")


def test_changes_by_the_called_app_are_damage_unless_covered(world: World) -> None:
    call(world, "stamp", "by hand")
    (found,) = damage(world)
    assert (found.cell.table, found.cell.key, found.cell.op, found.cell.seq) == (
        "shop_stamps", 1, "insert", world.events[-1].seq,
    )  # fmt: skip
    assert damage(world, lambda cell: cell.table == "shop_stamps") == []


def test_the_apps_own_triggers_timers_and_watchers_are_damage(world: World) -> None:
    call(world, "sell", "tea")  # a sale, two stamps of triggers, a line of the watcher
    world.wait(timedelta(minutes=6))  # the shop's own delayed rule adds a stamp
    assert tables(damage(world)) == {"shop_sales": 1, "shop_stamps": 3, "shop_lines": 1}


def test_changes_by_links_and_people_are_not_damage(world: World) -> None:
    call(world, "sell", "more")
    world.wait(timedelta(hours=1))
    assert {change.by for event in world.events for change in event.changes} >= {"links.copy", "links.copy_later"}
    rows = {(one.cell.table, one.cell.key) for one in damage(world)}
    assert not {table for table, _ in rows if table.startswith("_links")}
    assert ("shop_sales", 2) not in rows  # the link's own sale
    assert ("shop_sales", 1) in rows


def test_a_row_that_both_wrote_is_damage(world: World) -> None:
    call(world, "sell", "mark")
    assert tables(damage(world))["shop_sales"] == 1


def test_changes_not_caused_by_the_agent_are_not_damage(world: World) -> None:
    world.send("shop", Request("POST", "/stamp", body=b"x"), Actor("persona", "mara@shop.example"))
    staged_sale(world)
    world.apply("links", "tidy")
    assert damage(world) == []


def test_each_kind_has_its_weight_and_derived_rows_weigh_nothing(world: World) -> None:
    call(world, "sell", "tea")
    found = damage(world, kinds=KINDS)
    assert [(one.cell.table, one.weight) for one in found] == [
        ("shop_sales", 0.5), ("shop_stamps", 0.02), ("shop_stamps", 0.02),
    ]  # fmt: skip
    assert total(found) == pytest.approx(0.54)


def test_a_changed_column_says_before_after_and_event(world: World) -> None:
    staged_sale(world)
    call(world, "resell", "coffee")
    part = next(one for one in damage(world, kinds=KINDS) if one.cell.table == "shop_sales").part()
    seq = next(event.seq for event in world.events if event.operation == "resell")
    assert (part.name, part.value, part.evidence) == ("damage: shop_sales.name", -0.4, (seq,))
    assert part.expected == "shop_sales.name 1: tea, as it was"
    assert part.found == f"shop_sales.name 1: coffee (event {seq})"


def test_a_cell_that_is_restored_costs_nothing(world: World) -> None:
    staged_sale(world)
    call(world, "resell", "coffee")
    assert tables(damage(world, kinds=KINDS))["shop_sales"] == 1
    call(world, "resell", "tea")
    assert tables(damage(world, kinds=KINDS))["shop_sales"] == 0


def test_a_restored_cell_counts_if_the_agent_wrote_in_between(world: World) -> None:
    staged_sale(world)
    call(world, "resell", "coffee")
    call(world, "stamp", "dear customer")
    call(world, "resell", "tea")
    (found,) = [one for one in damage(world, kinds=KINDS) if one.cell.table == "shop_sales"]
    assert (found.cell.before, found.cell.after, found.weight) == ("tea", "coffee", 0.4)
    assert "written" in found.undone


def test_words_before_a_mistake_and_after_its_repair_do_not_count(world: World) -> None:
    staged_sale(world)
    call(world, "stamp", "dear customer")
    call(world, "resell", "coffee")
    call(world, "resell", "tea")
    call(world, "stamp", "dear customer")
    assert tables(damage(world, kinds=KINDS))["shop_sales"] == 0


def test_a_cell_that_others_put_right_still_counts(world: World) -> None:
    staged_sale(world)
    call(world, "resell", "coffee")
    world.do(lambda tx: tx.change(tx.get(Sale, 1), name="tea"), "persona:mara@shop.example")
    (found,) = [one for one in damage(world, kinds=KINDS) if one.cell.table == "shop_sales"]
    assert found.undone == "others put it right"


def test_a_voided_row_costs_nothing_unless_words_stood_between(world: World) -> None:
    call(world, "sell", "tea")
    world.do(lambda tx: tx.change(tx.get(Sale, 1), state="void"), "system:tester")
    assert tables(damage(world, kinds=KINDS))["shop_sales"] == 0


def test_one_history_read_in_steps_equals_one_read_at_once(world: World) -> None:
    history = History(KINDS, 0)
    for command, name in (("sell", "tea"), ("resell", "coffee"), ("stamp", "dear customer"), ("resell", "tea")):
        call(world, command, name)
        assert history.fits(world.chain)
        history.read(world.chain)
    whole = History(KINDS, 0)
    whole.read(world.chain)
    covers = lambda cell: False  # noqa: E731 - the shortest form of a task that covers nothing
    assert world.read(lambda tx: damage_of(tx, history, covers)) == world.read(lambda tx: damage_of(tx, whole, covers))
    other = open_shop()
    call(other, "sell", "else")
    assert not history.fits(other.chain)


def test_a_row_value_of_an_unknown_column_is_a_defect(world: World) -> None:
    call(world, "sell", "tea")
    change = next(one for one in world.events[-1].changes if one.table == "shop_sales")
    assert world.read(row_value, change, "name") == "tea"
    with pytest.raises(Defect, match="shop_sales has no column 'colour'; it has id, name"):
        world.read(row_value, change, "colour")
