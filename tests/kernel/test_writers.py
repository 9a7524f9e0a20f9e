"""Every changed row says who wrote it: the app that was called, or the handler that reacted to it."""

from datetime import timedelta

import pytest

from diorama.kernel import World
from tests.kernel.high_street import Stamp, call, open_shop


@pytest.fixture
def world() -> World:
    """Return an empty shop."""
    return open_shop()


def written(world: World, *, after: int = 0) -> set[tuple[str, str]]:
    """What each row says, and who wrote it."""
    out = set()
    for event in world.events[after:]:
        for change in event.changes:
            row = change.after or {}
            if change.table != "_agenda":
                out.add((row.get("text") or row.get("state") or row.get("name", ""), change.by))
    return out


def test_rows_written_by_a_request_belong_to_the_called_app(world: World) -> None:
    call(world, "stamp", "by hand")
    assert written(world) == {("by hand", "shop")}


def test_an_apps_own_triggers_write_as_the_app(world: World) -> None:
    call(world, "sell", "tea")
    assert written(world) >= {("new", "shop"), ("sold 1", "shop"), ("sold again", "shop")}


def test_an_apps_own_timer_writes_as_the_app(world: World) -> None:
    call(world, "remind", "tea time")
    world.wait(timedelta(minutes=2))
    assert written(world) == {("tea time", "shop")}


def test_an_apps_own_delayed_rule_writes_as_the_app(world: World) -> None:
    call(world, "sell", "tea")
    world.wait(timedelta(minutes=6))
    assert ("thanks", "shop") in written(world)


def test_a_link_and_its_reactions_write_as_the_link(world: World) -> None:
    call(world, "sell", "tea")
    assert written(world) >= {("tea", "links.copy"), ("copied", "links.copy")}


def test_a_delayed_subscription_of_another_app_is_a_reaction(world: World) -> None:
    call(world, "sell", "tea")
    world.wait(timedelta(minutes=8))
    assert written(world) >= {("later", "links.copy_later"), ("late", "links.copy_later")}
    (event,) = (event for event in world.events if event.operation == "copy_later")
    assert {change.by for change in event.changes} == {"links.copy_later"}
    assert event.root == next(event.seq for event in world.events if event.operation == "sell")


def test_a_timer_that_a_link_set_is_not_the_apps_own_work(world: World) -> None:
    call(world, "sell", "tea")
    world.wait(timedelta(minutes=3))
    assert ("planned by the link", "shop.stamp") in written(world)


def test_a_row_that_both_wrote_counts_for_the_called_app(world: World) -> None:
    call(world, "sell", "mark")
    sales = [change for change in world.events[-1].changes if change.table == "shop_sales"]
    assert [(change.after or {}).get("state") for change in sales] == ["new copied"]
    assert [change.by for change in sales] == ["shop"]


def test_the_called_app_owns_a_row_that_a_link_wrote_first(world: World) -> None:
    call(world, "sell", "mark")
    call(world, "resell", "mark two")
    (change,) = (change for change in world.events[-1].changes if change.table == "shop_sales")
    assert (change.by, change.after) == ("shop", {"name": "mark two", "state": "new copied copied"})


def test_a_watcher_writes_as_the_author_of_the_changes(world: World) -> None:
    call(world, "sell", "tea")
    assert ("insert 1", "shop") in written(world)
    seen = len(world.events)
    world.wait(timedelta(minutes=8))
    assert ("update 1", "links.copy_later") in written(world, after=seen)


def test_a_watcher_that_saw_both_writes_as_the_called_app(world: World) -> None:
    call(world, "sell", "more")
    assert written(world) >= {("insert 1", "shop"), ("insert 2", "shop"), ("new", "links.copy"), ("new", "shop")}


def test_a_rolled_back_attempt_restores_the_writer(world: World) -> None:
    call(world, "try_twice", "mine")
    assert written(world) == {("mine", "shop")}


def test_staging_outside_any_app_writes_as_the_world(world: World) -> None:
    world.do(lambda tx: tx.add(Stamp(text="staged")), "system:tester")
    event = world.events[-1]
    assert (event.app, [change.by for change in event.changes]) == ("world", ["world"])


def test_an_app_writes_as_itself_in_work_from_outside(world: World) -> None:
    world.apply("links", "tidy")
    assert [change.by for change in world.events[-1].changes] == ["links"]


def test_agenda_rows_say_who_planned_them(world: World) -> None:
    call(world, "sell", "tea")
    planned = world.read(lambda tx: tx.control("SELECT command, writer FROM _agenda ORDER BY id"))
    assert planned == [("thank", "shop"), ("stamp", "links.copy"), ("copy_later", "links.copy_later")]


def test_a_refusal_in_a_link_undoes_only_the_link(world: World) -> None:
    call(world, "sell", "refused")
    event = world.events[-1]
    assert event.reply["status"] == 200
    assert {change.table for change in event.changes} >= {"shop_sales"}
    assert "links_copies" not in {change.table for change in event.changes}
    assert any("copy refused" in name and "channel_not_found" in name for name in event.notices)
