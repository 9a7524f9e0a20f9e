"""Checks of a world: building it twice gives the same image, and its apps and links fit together."""

import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from diorama.check.declaring import check, short
from diorama.check.placeholders import PLACEHOLDER
from diorama.kernel import Company, Tx, World, image_of
from diorama.kernel.image import build
from diorama.kernel.records import Table
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
    """Every link and every person reacts to notices of apps that the company has."""
    present = {id(app.product) for app in company.apps}
    for found in apps().found.values():
        package = found.thing
        if id(package.product) in present:
            continue
        for app in company.apps:
            for subscription in app.product.subscriptions:
                if f"{subscription.notice.__module__}.".startswith(f"{package.module.__name__}."):
                    told = subscription.notice.__name__
                    yield f"{app.name} waits for {told}, but the company has no {package.product.name}"


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
