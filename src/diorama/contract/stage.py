"""Where an app is checked: in which company's world, and against which of the vendor's files."""

from collections.abc import Sequence
from pathlib import Path

from diorama import worlds
from diorama.contract.source import candidates
from diorama.contract.spec import normal, read
from diorama.kernel import App as KernelApp
from diorama.kernel import World
from diorama.kernel.testing import fresh
from diorama.kit import App
from diorama.kit.discovery import apps


class NoSuchApp(LookupError):
    """There is no such app."""


def find_app(name: str) -> App:
    """Return the app of this name as the company with the most of its data has it, or installed for no company."""
    try:
        package = apps().find(name.replace("-", "_"))
    except LookupError as error:
        raise NoSuchApp(str(error)) from None
    installed = [app for company in worlds.companies() for app in company.apps if app.product is package.product]
    found = max(installed, key=_filled_tables) if len(installed) > 1 else next(iter(installed), package.installed())
    if not isinstance(found, App):
        raise NoSuchApp(f"{name} has no API that could be checked.")
    return found


def world_of(app: KernelApp) -> World:
    """Open a small world of the company that has the app, or an empty one if no company has it."""
    for company in worlds.companies():
        if any(one is app for one in company.apps):
            return worlds.open_world(company.name, size=next(iter(company.sizes)), seed=0)
    return fresh([app])


def _filled_tables(app: KernelApp) -> int:
    """Count the app's tables that have rows in its company's smallest world."""
    records = [table.record for table in app.product.tables]
    return sum(world_of(app).read(lambda tx: [tx.count(record) > 0 for record in records]))


def folder_of(name: str) -> Path:
    """Return the folder of the app of this name."""
    return apps().find(name.replace("-", "_")).folder


def specs_for(app: App) -> Sequence[Path]:
    """Return the vendor's files on this machine, except files with no operation that the app serves."""
    ours = [operation.path for operation in app.product.operations]
    paths = {normal(path) for path in ours}
    files = candidates(app.name)
    return [file for file in files if any(path in paths for _, path in read([file], ours).operations)]
