"""Collateral damage: what the agent's own acts changed, once for each act, and nothing that others did."""

from collections import Counter
from datetime import timedelta

import pytest

from diorama.kernel import Actor, Change, Defect, Request, World
from diorama.rewards.collateral import Collateral, collateral, row_value
from tests.kernel.high_street import Sale, call, open_shop


@pytest.fixture
def world() -> World:
    """Return an empty shop."""
    return open_shop()


def damage(world: World, *allowed: str) -> list[Collateral]:
    """All damage so far, where only some tables may change."""
    return collateral(list(world.events), lambda change: change.table in allowed)


def tables(found: list[Collateral]) -> Counter[str]:
    """How much damage each table has."""
    return Counter(one.table for one in found)


def test_changes_by_the_called_app_are_damage_unless_allowed(world: World) -> None:
    call(world, "stamp", "by hand")
    assert damage(world) == [Collateral("shop_stamps", 1, "insert", world.events[-1].seq)]
    assert damage(world, "shop_stamps") == []


def test_the_apps_own_triggers_timers_and_watchers_are_damage(world: World) -> None:
    call(world, "sell", "tea")  # a sale, two stamps of triggers, a line of the watcher
    world.wait(timedelta(minutes=6))  # the shop's own delayed rule adds a stamp
    assert tables(damage(world)) == {"shop_sales": 1, "shop_stamps": 3, "shop_lines": 1}


def test_changes_by_links_and_people_are_not_damage(world: World) -> None:
    call(world, "sell", "more")
    world.wait(timedelta(hours=1))
    assert {change.by for event in world.events for change in event.changes} >= {"links.copy", "links.copy_later"}
    rows = {(one.table, one.key) for one in damage(world)}
    assert not {table for table, _ in rows if table.startswith("_links")}
    assert ("shop_sales", 2) not in rows  # the link's own sale
    assert ("shop_sales", 1) in rows


def test_a_row_that_both_wrote_is_damage(world: World) -> None:
    call(world, "sell", "mark")
    assert tables(damage(world))["shop_sales"] == 1


def test_a_row_counts_once_per_act(world: World) -> None:
    call(world, "sell", "tea")
    call(world, "resell", "coffee")
    world.wait(timedelta(hours=1))
    sales = [one for one in damage(world) if one.table == "shop_sales"]
    assert [(one.key, one.op) for one in sales] == [(1, "insert"), (1, "update")]


def test_repeating_an_act_is_damage_again(world: World) -> None:
    call(world, "sell", "tea")
    for name in ("a", "b", "c"):
        call(world, "resell", name)
    sales = [one for one in damage(world) if one.table == "shop_sales"]
    assert len(sales) == 4
    assert len({one.seq for one in sales}) == 4


def test_changes_not_caused_by_the_agent_are_not_damage(world: World) -> None:
    world.send("shop", Request("POST", "/stamp", body=b"x"), Actor("persona", "mara@shop.example"))
    world.do(lambda tx: tx.add(Sale(name="staged")), "system:tester")
    world.apply("links", "tidy")
    assert damage(world) == []


def test_only_own_changes_are_checked_by_the_task(world: World) -> None:
    asked: list[Change] = []

    def ask(change: Change) -> bool:
        asked.append(change)
        return False

    call(world, "sell", "tea")
    world.wait(timedelta(hours=1))
    collateral(list(world.events), ask)
    assert asked
    assert {change.by for change in asked} == {"shop"}
    assert not [change for change in asked if change.table.startswith("_")]


def test_a_row_value_of_an_unknown_column_is_a_defect(world: World) -> None:
    call(world, "sell", "tea")
    change = next(one for one in world.events[-1].changes if one.table == "shop_sales")
    assert world.read(row_value, change, "name") == "tea"
    with pytest.raises(Defect, match="shop_sales has no column 'colour'; it has id, name"):
        world.read(row_value, change, "colour")
