"""Every changed row says who wrote it: the app that was called, or the handler that reacted to it."""

from contextlib import suppress
from datetime import timedelta

import pytest

from diorama.kernel import (
    Actor,
    App,
    Change,
    Company,
    Notice,
    Product,
    Record,
    Refusal,
    Reply,
    Request,
    Tx,
    World,
    counter,
)
from diorama.kernel.testing import image_for

ANA = Actor("agent", "ana@shop.example")


class Shop(App):
    """The path names the command, the body its argument."""

    def serve(self, tx: Tx, request: Request) -> Reply:
        """Run a command now."""
        tx.operation = request.path.strip("/")
        self.product.commands[tx.operation](tx, request.body.decode())
        return Reply(200, {})


class ShopProduct(Product):
    """What is installed is a Shop."""

    def install(self) -> App:
        """Return the shop."""
        return Shop(self)


SHOP = ShopProduct("shop")
LINKS = Product("links", control=True)
"""Copies what the shop sells to a ledger of its own and back."""


@SHOP.record("sales", ids=counter(1))
class Sale(Record):
    """What was sold."""

    name: str
    state: str = "new"


@SHOP.record("lines", ids=counter(1))
class Line(Record):
    """What the watcher wrote down."""

    text: str


@SHOP.record("stamps", ids=counter(1))
class Stamp(Record):
    """What the shop's own rules write."""

    text: str


@LINKS.record("copies", ids=counter(1))
class Copy(Record):
    """What the link keeps."""

    text: str


class Sold(Notice):
    """Something was sold."""

    sale: int


class Stamped(Notice):
    """The shop's own rule has run."""

    text: str


class Copied(Notice):
    """The link has copied a sale."""

    text: str


@SHOP.command
def sell(tx: Tx, name: str) -> None:
    """Sell something, and announce it."""
    tx.emit(Sold(sale=tx.add(Sale(name=name)).id))


@SHOP.command
def resell(tx: Tx, name: str) -> None:
    """Announce the first sale again, and rename it once the others have reacted."""
    tx.emit(Sold(sale=1))
    tx.deliver_notices()
    tx.change(tx.get(Sale, 1), name=name)


@SHOP.command
def try_twice(tx: Tx, name: str) -> None:
    """Fail in the middle of what another wrote, then write."""
    with suppress(Refusal), tx.attempt():
        tx.writer = "links.copy"
        raise Refusal(409, "Busy")
    tx.add(Stamp(text=name))


@SHOP.command
def remind(tx: Tx, name: str) -> None:
    """Plan the shop's own timer."""
    tx.later(timedelta(minutes=1), stamp, text=name)


@SHOP.command
def stamp(tx: Tx, text: str) -> None:
    """Write a stamp."""
    tx.add(Stamp(text=text))


@SHOP.on(Sold)
def stamp_sale(tx: Tx, notice: Sold) -> None:
    """The shop's own trigger."""
    tx.add(Stamp(text=f"sold {notice.sale}"))
    tx.emit(Stamped(text="sold"))


@SHOP.on(Stamped)
def stamp_twice(tx: Tx, notice: Stamped) -> None:
    """A trigger that a trigger set off."""
    tx.add(Stamp(text=f"{notice.text} again"))


@SHOP.on(Sold, after=timedelta(minutes=5))
def thank(tx: Tx, notice: Sold) -> None:
    """The shop's own delayed rule."""
    tx.add(Stamp(text="thanks"))


@SHOP.on(Copied)
def acknowledge(tx: Tx, notice: Copied) -> None:
    """The shop reacts to the link."""
    tx.add(Stamp(text="copied"))


@SHOP.watch(Sale)
def write_down(tx: Tx, changes: list[Change]) -> None:
    """Write a line for every changed sale."""
    for change in changes:
        tx.add(Line(text=f"{change.op} {change.key}"))


@LINKS.on(Sold)
def copy(tx: Tx, notice: Sold) -> None:
    """Copy a sale at once; the name says what else to do."""
    sale = tx.get(Sale, notice.sale)
    tx.add(Copy(text=sale.name))
    if sale.name == "mark":
        tx.change(sale, state=f"{sale.state} copied")
    if sale.name == "more":
        tx.add(Sale(name="a second one"))
    tx.emit(Copied(text=sale.name))
    tx.later(timedelta(minutes=2), stamp, text="planned by the link")


@LINKS.on(Sold, after=timedelta(minutes=7))
def copy_later(tx: Tx, notice: Sold) -> None:
    """Copy a sale, and mark it, some time later."""
    tx.add(Copy(text="later"))
    tx.change(tx.get(Sale, notice.sale), state="late")


@LINKS.command
def tidy(tx: Tx) -> None:
    """The link's own work."""
    tx.add(Copy(text="tidy"))


COMPANY = Company("high street", [SHOP, LINKS])


@pytest.fixture
def world() -> World:
    """An empty shop."""
    return World.open(COMPANY, image_for(COMPANY), 0)


def call(world: World, command: str, name: str) -> None:
    """One request of Ana's."""
    world.send("shop", Request("POST", f"/{command}", body=name.encode()), ANA)


def written(world: World, *, after: int = 0) -> set[tuple[str, str]]:
    """What each row says, and who wrote it."""
    out = set()
    for event in world.events[after:]:
        for change in event.changes:
            row = change.after or {}
            if change.table != "_agenda":
                out.add((row.get("text") or row.get("state") or row.get("name", ""), change.by))
    return out


def test_what_a_request_writes_is_the_called_apps(world: World) -> None:
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


def test_a_link_writes_as_itself_and_so_does_what_it_sets_off(world: World) -> None:
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


def test_a_watcher_writes_as_the_one_whose_changes_it_saw(world: World) -> None:
    call(world, "sell", "tea")
    assert ("insert 1", "shop") in written(world)
    seen = len(world.events)
    world.wait(timedelta(minutes=8))
    assert ("update 1", "links.copy_later") in written(world, after=seen)


def test_a_watcher_that_saw_both_writes_as_the_called_app(world: World) -> None:
    call(world, "sell", "more")
    assert written(world) >= {("insert 1", "shop"), ("insert 2", "shop"), ("new", "links.copy"), ("new", "shop")}


def test_after_an_undone_attempt_the_writer_is_the_one_before_it(world: World) -> None:
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
