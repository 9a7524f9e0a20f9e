"""Checks of a world: building it twice gives the same image, and its apps and links fit together."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from diorama import people
from diorama.check.declaring import check, short
from diorama.check.placeholders import PLACEHOLDER
from diorama.check.reach import records_used_by
from diorama.kernel import Company, Notice, Product, Tx, World, image_of
from diorama.kernel.image import build
from diorama.kernel.location import declared_at
from diorama.kernel.records import TABLES, Table
from diorama.kit import App
from diorama.kit.discovery import apps

DAY = timedelta(days=1)


def smallest(company: Company) -> str:
    """Return the first size that a company declares."""
    return next(iter(company.sizes))


@check("world")
def images_are_equal(company: Company) -> Iterator[str]:
    """An image is built twice with the same content."""
    first = image_of(company, smallest(company)).digest
    with tempfile.TemporaryDirectory() as folder:
        second = build(company, smallest(company), 0, Path(folder) / "second.db").digest
    if first != second:
        yield f"the digests of two images differ: {first} and {second}; something outside the world decides its content"


@check("world")
def no_placeholder_is_stored(company: Company) -> Iterator[str]:
    """No row holds the placeholder of a host name."""
    world = World.open(company, image_of(company, smallest(company)), 0)
    for app in company.apps:
        for table in app.product.tables:
            for column in (column.name for column in table.columns if column.sql == "TEXT"):
                found = world.read(_with_placeholder, table, column)
                if found:
                    yield f"{table.name}.{column} of row {found[0][0]}: {short(found[0][1])}"


def _with_placeholder(tx: Tx, table: Table, column: str) -> list[Any]:
    run = tx.control if table.name.startswith("_") else tx.rows
    return run(f'SELECT id, "{column}" FROM {table.name} WHERE instr("{column}", ?) LIMIT 1', PLACEHOLDER)


@check("world")
def links_lead_to_apps_that_are_there(company: Company) -> Iterator[str]:
    """Every link, reaction and command uses only notices and tables of products that the company has."""
    present = {id(app.product) for app in company.apps}
    tables = {table.record for app in company.apps for table in app.product.tables}
    for app in company.apps:
        for subscription in app.product.subscriptions:
            owner = _owner_of(subscription.notice)
            if owner is not None and id(owner) not in present:
                yield f"{app.name} waits for {subscription.notice.__name__}, but the company has no {owner.name}"
        for handler in dict.fromkeys(_handlers_of(app.product)):
            absent = sorted({TABLES[one].name for one in records_used_by(handler) if one not in tables})
            if absent:
                at = f"{app.name}.{handler.__name__} ({declared_at(handler)})"
                yield (
                    f"{at} uses the tables {', '.join(absent)}, which the company does not have: add their product "
                    "to the company, or declare it with PRODUCT.needs(...)"
                )


def _owner_of(notice: type[Notice]) -> Product | None:
    """Return the product that declares a notice: the one whose package holds its module, or None."""
    known: list[Product] = [found.thing.product for found in apps().found.values()]
    known += [one for one in vars(sys.modules[notice.__module__]).values() if isinstance(one, Product)]
    return next((one for one in known if f"{notice.__module__}.".startswith(f"{one.package}.")), None)


def _handlers_of(product: Product) -> Iterator[Callable[..., Any]]:
    """Return everything of a product that runs without a request."""
    delayed = {one.command for one in product.subscriptions if one.after is not None}
    yield from (one.handler for one in product.subscriptions)
    yield from (one for name, one in product.commands.items() if name not in delayed)
    yield from (one.handler for one in product.watchers)
    yield from product.wakers.values()


@check("world")
def people_know_their_company(company: Company) -> Iterator[str]:
    """If the company has people, its history says what they call the company, and in which time zone they live."""
    if all(app.product is not people.APP for app in company.apps):
        return
    world = World.open(company, image_of(company, smallest(company)), 0)
    if world.read(lambda tx: tx.find(people.Settings, 1)) is None:
        call = "people.set_up(tx, shop=..., shop_name=..., time_zone=...)"
        yield f"the history of {company.name} does not say whose customers its people are: call {call} in fill"


@check("world")
def apps_are_the_ones_that_were_found(company: Company) -> Iterator[str]:
    """Every app with an API is one that `diorama apps` lists, installed at a host name of its own."""
    known = {id(found.thing.product) for found in apps().found.values()}
    hosts: dict[str, str] = {}
    for app in company.apps:
        if not isinstance(app, App):
            continue
        if id(app.product) not in known:
            yield f"{app.name} is not an app that was found; its package is in no place that is searched"
        for host in app.hosts.values():
            if host in hosts:
                yield f"{app.name} and {hosts[host]} are both installed at {host}"
            hosts[host] = app.name


@check("world")
def forks_and_replays_are_equal(company: Company) -> Iterator[str]:
    """A week passes equally in two worlds of one seed, and not in the image."""
    image = image_of(company, smallest(company))
    one, other = (World.open(company, image, 7) for _ in range(2))
    before = one.state
    for world in (one, other):
        for _ in range(7):
            world.wait(DAY)
    if (one.state, one.trace) != (other.state, other.trace):
        yield "two worlds of one seed differ after a week"
    if World.open(company, image, 7).state != before:
        yield "waiting changed the image"
