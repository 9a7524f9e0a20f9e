"""Where an app is checked: which app, in which company's world, against which of the vendor's files."""

import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path

from diorama import apps, worlds
from diorama.contract.source import candidates
from diorama.contract.spec import normal, read
from diorama.kernel import World
from diorama.kernel.testing import fresh
from diorama.kit import App, Product


class NoSuchApp(LookupError):
    """An app that is not here."""


def find_app(name: str) -> App:
    """Return the app of this name as the first company that uses it has it installed, or at a host of its own."""
    known = [module.name for module in pkgutil.iter_modules(apps.__path__) if module.ispkg]
    if name not in known:
        raise NoSuchApp(f"there is no app {name!r}; there are {', '.join(known)}.")
    product = importlib.import_module(f"diorama.apps.{name}").APP
    if not isinstance(product, Product):
        raise NoSuchApp(f"{name} has no API that could be checked.")
    for company in worlds.companies():
        for app in company.apps:
            if isinstance(app, App) and app.product is product:
                return app
    return product.install(f"{name}.example")


def world_of(app: App) -> World:
    """A small world of the first company that uses the app, or an empty one for an app that nobody uses yet."""
    for company in worlds.companies():
        if any(one is app for one in company.apps):
            return worlds.open_world(company.name, size="small", seed=0)
    return fresh([app])


def specs_for(app: App) -> Sequence[Path]:
    """The vendor's files on this machine, without those of other products of which the app serves nothing."""
    ours = [operation.path for operation in app.product.operations]
    paths = {normal(path) for path in ours}
    files = candidates(app.name)
    return [file for file in files if any(path in paths for _, path in read([file], ours).operations)]
