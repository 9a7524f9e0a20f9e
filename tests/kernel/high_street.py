"""A shop with triggers, timers and a watcher, and a link that reacts to it: who writes which row?"""

from contextlib import suppress
from datetime import timedelta

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
    if sale.name == "refused":
        raise Refusal(404, "channel_not_found", "there is no such channel")
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


def open_shop() -> World:
    """Return an empty shop."""
    return World.open(COMPANY, image_for(COMPANY), 0)


def call(world: World, command: str, name: str) -> None:
    """One request of Ana's."""
    world.send("shop", Request("POST", f"/{command}", body=name.encode()), ANA)
