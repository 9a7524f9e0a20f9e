"""Discovery: find apps, worlds and scenarios in this package, through entry points, and in folders of users.

If one of them cannot be loaded, it is reported by name, and the others still work.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import msgspec

from diorama.kernel.location import described, plain
from diorama.kernel.paths import folder_problem
from diorama.kit.product import Product

T = TypeVar("T")
PATH = "DIORAMA_PATH"
"""The folders of users, separated as in PATH."""
PROJECT_FILE = "diorama.toml"
"""A file of this name says that its folder is searched when a command runs in it or below it."""
FOLDERS = {"app": "apps", "world": "worlds", "scenario": "scenarios"}
"""Each kind of thing, and the package or folder in which it is found."""
DECLARED = {
    "app": "its __init__.py must have APP, a diorama.kit.Product",
    "world": "its __init__.py must have COMPANY, a diorama.kernel.Company",
}
OWN_PACKAGE = "diorama"

log = logging.getLogger("diorama.discovery")
log.addHandler(logging.NullHandler())  # who wants to see the reports sets a handler, as the command line does


class WrongDeclaration(ValueError):
    """A module does not declare what its place promises; the message says what is missing."""


class Place(msgspec.Struct, frozen=True):
    """A module that may declare something: its short name, its import name, and where it was found."""

    kind: str
    name: str
    module: str
    origin: str
    """`diorama`, `entry point NAME`, or a folder."""


class Broken(msgspec.Struct, frozen=True):
    """A thing that could not be loaded, and why. The kind is app, world, scenario or path."""

    kind: str
    name: str
    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name} ({self.where}) could not be loaded: {self.reason}"


class Found(msgspec.Struct, Generic[T], frozen=True):
    """A thing that was loaded, and the place that declares it."""

    thing: T
    place: Place


class Catalogue(Generic[T]):
    """All things of one kind: those that were loaded by name, and those that could not be loaded."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.found: dict[str, Found[T]] = {}
        self.broken: list[Broken] = []

    def find(self, name: str) -> T:
        """Return the thing of this name; raise LookupError that says why it is not there."""
        found = self.found.get(name)
        if found is None:
            raise LookupError(self.explain(name))
        return found.thing

    def explain(self, name: str) -> str:
        """Say why a name cannot be used: it could not be loaded, or it does not exist."""
        for broken in self.broken:
            if broken.kind == self.kind and _plain(broken.name) in (_plain(name), _plain(name.rpartition("/")[2])):
                return str(broken)
        return f"There is no {self.kind} {name!r}. There are: {', '.join(self.found) or 'none'}."

    def add(self, name: str, thing: T, place: Place) -> None:
        """Keep a thing; another one of the same name is reported as broken.

        A package may be found twice: through its entry points, and in a folder that is searched.
        """
        first = self.found.get(name)
        if first is None:
            self.found[name] = Found(thing, place)
        elif first.thing != thing:
            reason = f"the name is taken by {first.place.module} ({location(first.place)})"
            self.report(Broken(self.kind, name, location(place), reason))

    def report(self, broken: Broken) -> None:
        """Keep and log a thing that could not be loaded."""
        self.broken.append(broken)
        log.warning("%s", broken)


def _plain(name: str) -> str:
    return name.replace("-", "_")


# --- where to look


@cache
def folders() -> tuple[tuple[Path, ...], tuple[Broken, ...]]:
    """Return the folders of users that are searched, and the entries of DIORAMA_PATH that cannot be."""
    asked = [Path(entry).absolute() for entry in os.environ.get(PATH, "").split(os.pathsep) if entry]
    marked = marked_folder()
    found: dict[Path, None] = {}
    broken = []
    for folder in asked + ([marked] if marked else []):
        roots = roots_in(folder)
        if roots:
            found.update(dict.fromkeys(roots))
        elif folder != marked:  # a new project may be empty
            missing = folder_problem(folder) or f"it has no {', '.join(FOLDERS.values())}"
            broken.append(Broken("path", str(folder), PATH, missing))
            log.warning("%s", broken[-1])
    return tuple(found), tuple(broken)


def marked_folder() -> Path | None:
    """Return the nearest folder around the current one that has a diorama.toml, or None."""
    try:
        here = Path.cwd()
    except OSError:  # the current folder was deleted
        return None
    return next((folder for folder in (here, *here.parents) if os.path.isfile(folder / PROJECT_FILE)), None)


def roots_in(folder: Path) -> list[Path]:
    """Return the folder if it holds apps, worlds or scenarios, else the packages in it that do."""
    if _holds(folder):
        return [folder]
    if folder_problem(folder):
        return []
    return sorted(inner for inner in folder.iterdir() if os.path.isfile(inner / "__init__.py") and _holds(inner))


def _holds(folder: Path) -> bool:
    return any(os.path.isdir(folder / name) for name in FOLDERS.values())


def places(kind: str) -> Iterator[Place]:
    """Yield every module that may declare a thing of this kind, in the order in which names are given away."""
    package = importlib.import_module(f"{OWN_PACKAGE}.{FOLDERS[kind]}")
    yield from _children(kind, package.__name__, list(package.__path__), OWN_PACKAGE)
    for point in sorted(
        entry_points(group=f"{OWN_PACKAGE}.{FOLDERS[kind]}"), key=lambda point: (point.name, point.value)
    ):
        seller = point.dist.name if point.dist is not None else point.value
        yield Place(kind, point.name, point.module, f"entry point {point.name} of {seller}")
    for root in folders()[0]:
        if os.path.isdir(root / FOLDERS[kind]):
            yield from _children(kind, f"{package_of(root)}.{FOLDERS[kind]}", [str(root / FOLDERS[kind])], str(root))


def _children(kind: str, package: str, path: Sequence[str], origin: str) -> Iterator[Place]:
    """Yield the packages of a folder; a scenario may also be a single module."""
    for info in sorted(pkgutil.iter_modules(path), key=lambda info: info.name):
        if not info.name.startswith("_") and (info.ispkg or kind == "scenario"):
            yield Place(kind, info.name, f"{package}.{info.name}", origin)


@cache
def package_of(root: Path) -> str:
    """Return the import name of a user's folder, which no other folder has.

    A package keeps its own name, so that its absolute imports work, unless something else has that name.
    A plain folder gets a name made from its path; its modules import each other with leading dots.
    """
    path = os.fspath(root)
    if os.path.isfile(root / "__init__.py"):
        known = sys.modules.get(root.name) or _spec(root.name)
        if known is None:
            spec = importlib.util.spec_from_file_location(
                root.name, root / "__init__.py", submodule_search_locations=[path]
            )
            if spec is not None and spec.loader is not None:
                module = importlib.util.module_from_spec(spec)
                sys.modules[root.name] = module
                spec.loader.exec_module(module)
                return root.name
        elif any(Path(one).resolve() == root.resolve() for one in _search_path(known)):
            return root.name
    word = re.sub(r"\W+", "_", root.name.lower())
    name = f"{OWN_PACKAGE}_{word}_{sha256(path.encode()).hexdigest()[:8]}"
    module = ModuleType(name, f"Apps, worlds and scenarios of {path}.")
    module.__path__ = [path]
    module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    module.__spec__.submodule_search_locations = module.__path__
    sys.modules[name] = module
    return name


def _spec(name: str) -> importlib.machinery.ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def _search_path(known: ModuleType | importlib.machinery.ModuleSpec) -> list[str]:
    places = known.submodule_search_locations if isinstance(known, importlib.machinery.ModuleSpec) else None
    return list(places or getattr(known, "__path__", None) or ())


# --- loading


def collect(
    kind: str,
    declared: Callable[[ModuleType], Iterable[tuple[str, T]]],
    failed: Callable[[str], None] = lambda module: None,
) -> Catalogue[T]:
    """Load everything of one kind. `declared` lists what a module declares; `failed` undoes half of an import."""
    catalogue: Catalogue[T] = Catalogue(kind)
    catalogue.broken.extend(folders()[1])
    for place in places(kind):
        _load(catalogue, place, declared, failed)
    for root in folders()[0]:
        for folder in _without_init(root / FOLDERS[kind]):
            reason = "it has no __init__.py, so it cannot be imported"
            catalogue.report(Broken(kind, folder.name, str(folder), reason))
    catalogue.found = dict(sorted(catalogue.found.items()))
    return catalogue


def _load(
    catalogue: Catalogue[T],
    place: Place,
    declared: Callable[[ModuleType], Iterable[tuple[str, T]]],
    failed: Callable[[str], None],
) -> None:
    before = set(sys.modules)
    try:
        module = importlib.import_module(place.module)
        things = list(declared(module))
        inner = [] if things or not place.origin.startswith("entry point") else _inside(place, module)
        if not things and not inner and place.kind != "scenario":  # scenarios may share code in modules of their own
            raise WrongDeclaration(f"{place.module} declares no {place.kind}: {DECLARED[place.kind]}")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's module raises is reported by name
        _undo(place.module, before, failed)
        catalogue.report(Broken(place.kind, place.name, location(place), reason_of(error)))
        return
    for name, thing in things:
        catalogue.add(name, thing, place)
    for child in inner:
        _load(catalogue, child, declared, failed)


def _undo(module: str, before: set[str], failed: Callable[[str], None]) -> None:
    """Forget a failed import: the module, those inside it, and whatever else of a user's package it loaded.

    They must be loaded again where they are needed: a product that was declared in part refuses to be declared again.
    """
    top = module.partition(".")[0]
    others = (
        []
        if top == OWN_PACKAGE
        else [name for name in sys.modules if name not in before and name.startswith(f"{top}.")]
    )
    others = [name for name in others if not f"{module}.".startswith(f"{name}.") and not _is_inside(name, module)]
    for name in (module, *others):
        failed(name)
    for name in [name for name in sys.modules if name in others or name == module or _is_inside(name, module)]:
        del sys.modules[name]


def _is_inside(name: str, package: str) -> bool:
    return name.startswith(f"{package}.")


def _inside(place: Place, module: ModuleType) -> list[Place]:
    """Return the modules of a package that an entry point names."""
    return list(_children(place.kind, module.__name__, list(getattr(module, "__path__", ())), place.origin))


def _without_init(folder: Path) -> list[Path]:
    if folder_problem(folder):
        return []
    inner = (one for one in folder.iterdir() if os.path.isdir(one) and one.name.isidentifier())
    return sorted(one for one in inner if not os.path.exists(one / "__init__.py") and any(one.glob("*.py")))


def location(place: Place) -> str:
    """Return the file or folder of a place, or its import name if it has none."""
    module = sys.modules.get(place.module)
    spec = getattr(module, "__spec__", None) or _spec(place.module)
    file = str(getattr(spec, "origin", None) or "")
    if not file or not os.path.exists(file):
        return place.module
    return os.path.dirname(file) if file.endswith("__init__.py") else file


def reason_of(error: BaseException) -> str:
    """Return one line: what went wrong, and in which file and line of the author."""
    return plain(next(iter(str(error).splitlines()), "")) if isinstance(error, WrongDeclaration) else described(error)


# --- apps


class AppPackage(msgspec.Struct, frozen=True):
    """An app that was found: its product, and the module that declares it."""

    product: Product
    module: ModuleType

    def installed(self, company: str = "example") -> Any:
        """Return the app as a company has it: by the package's own `app(...)` if it has one."""
        install = getattr(self.module, "app", None)
        return install(company) if callable(install) else self.product.install()

    @property
    def folder(self) -> Path:
        """The folder of the package."""
        return Path(str(self.module.__file__)).parent


@cache
def apps() -> Catalogue[AppPackage]:
    """Load every app."""
    return collect("app", _declared_app)


def _declared_app(module: ModuleType) -> list[tuple[str, AppPackage]]:
    product = getattr(module, "APP", None)
    if product is None:
        return []
    if not isinstance(product, Product):
        raise WrongDeclaration(f"{module.__name__}.APP is a {type(product).__name__}, not a diorama.kit.Product")
    return [(product.name, AppPackage(product, module))]
