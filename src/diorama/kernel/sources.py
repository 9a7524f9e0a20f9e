"""The code and data that decide what an image contains: which files count for a company, and their digest."""

from __future__ import annotations

import ast
import gc
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import file_digest, sha256
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path
from typing import Any

import apsw
import msgspec

from diorama.kernel.cache import PACKAGE, cache_folder, held, make_cache_folder, read_plain, replace_private
from diorama.kernel.company import Company
from diorama.kernel.errors import Defect

OURS = PACKAGE.name
ALWAYS = (f"{OURS}.kernel", f"{OURS}.kit")
SHELVES = ("apps", "worlds", "scenarios")
"""Folders whose packages are counted one by one."""
FOLLOWED = ("apps", "worlds", "people")
"""Folders whose code counts where it is imported."""
SCENARIOS = ".scenarios."
"""What the import name of every scenario contains, also of one in a package of a user."""
DATA = (".json", ".txt", ".toml", ".csv")
SKIPPED = {"__pycache__", "node_modules"}
TICK_NS = 2_000_000_000
"""A file may change again without a new time for as long as this: the coarsest clock of a file system."""


class Source(msgspec.Struct, frozen=True, array_like=True):
    """One file: its size and times, the digest of what it says, and the modules that it imports."""

    size: int
    mtime_ns: int
    ctime_ns: int
    digest: str
    imports: tuple[str, ...]
    wording: str
    """A digest of its docstrings and other bare strings, which `digest` leaves out."""


class Part(msgspec.Struct, frozen=True):
    """A package, or a module outside of any package; `shared` ones serve every company."""

    name: str
    path: Path
    shared: bool = False

    def files(self) -> Iterator[tuple[str, str, str]]:
        """Yield the package, the relative name and the path of every code and data file, in order."""
        if self.path.is_file():
            yield self.name.rpartition(".")[0], self.path.name, str(self.path)
            return
        top = str(self.path)
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name not in SKIPPED and not name.startswith("."))
            inner = folder[len(top) :].replace(os.sep, "/")
            package = self.name + inner.replace("/", ".")
            for name in sorted(names):
                if name.endswith((".py", *DATA)):
                    yield package, f"{inner}/{name}", os.path.join(folder, name)


class Known(msgspec.Struct, frozen=True):
    """The file in which digests are kept: what is known of each source file, and a hash of all of that."""

    checksum: str
    files: dict[str, Source]


def checksum_of(files: dict[str, Source]) -> str:
    """Return a hash of known digests: it shows damage, but not a forgery by someone who computes it again."""
    return sha256(msgspec.json.encode(files)).hexdigest()


_TRUSTED = [True]
_PARSED_HERE: dict[str, Source] = {}
"""What this process has parsed since it began to distrust the cache folder."""


@contextmanager
def distrusting() -> Iterator[None]:
    """Parse every source file again inside the block, instead of taking its digest from the cache folder."""
    _TRUSTED.append(False)
    _PARSED_HERE.clear()
    source_digest.cache_clear()
    try:
        yield
    finally:
        _TRUSTED.pop()


class SourceCache:
    """The digests of files that have not changed since they were last parsed, kept in the cache folder."""

    def __init__(self) -> None:
        self.path = cache_folder() / f"sources-{sys.implementation.cache_tag}.json"  # trees differ between Pythons
        self.changed = False
        self.known: dict[str, Source] = {} if _TRUSTED[-1] else dict(_PARSED_HERE)
        with suppress(OSError, msgspec.MsgspecError):  # none yet, or damaged: every file is parsed again
            known = msgspec.json.decode(read_plain(self.path), type=Known) if _TRUSTED[-1] else Known("", {})
            settled = self.path.stat().st_mtime_ns - TICK_NS
            if _TRUSTED[-1] and known.checksum == checksum_of(known.files):
                self.known = {path: source for path, source in known.files.items() if source.ctime_ns < settled}

    def read(self, part: Part) -> tuple[str, set[str]]:
        """Return the digest of a part, and the modules that it imports."""
        digest = sha256(part.name.encode())
        imports: set[str] = set()
        for package, name, path in part.files():
            with suppress(FileNotFoundError):  # deleted while we look
                source = self._source(path)
                digest.update(f"{name}\0{source.digest}\n".encode())
                imports.update(_absolute(package, imported) for imported in source.imports)
        return digest.hexdigest(), imports

    def digest(self, path: str) -> str:
        """Return the digest of one file: of code its syntax tree without docstrings, of data every byte."""
        return self._source(path).digest

    def wording(self, path: str) -> str:
        """Return a digest of the docstrings of one file: tools, operations and facts are described by them."""
        return self._source(path).wording

    def _source(self, path: str) -> Source:
        now = os.stat(path)
        times = (now.st_size, now.st_mtime_ns, now.st_ctime_ns)
        found = self.known.get(path)
        if found is None or (found.size, found.mtime_ns, found.ctime_ns) != times:
            found = self.known[path] = Source(*times, *_parsed(path))
            self.changed = True
            if not _TRUSTED[-1]:
                _PARSED_HERE[path] = found
        return found

    def save(self) -> None:
        """Write the digests for the next process, unless another process is writing them."""
        if self.changed:
            with suppress(OSError, Defect):  # a folder that cannot be written makes this slower, not wrong
                make_cache_folder()
                with held(self.path.with_suffix(".lock"), wait=False) as alone:
                    if alone:
                        there = {path: source for path, source in self.known.items() if os.path.exists(path)}
                        replace_private(self.path, msgspec.json.encode(Known(checksum_of(there), there)))


@cache
def source_digest(company: Company) -> str:
    """Return a digest of all code and data that decide what an image of the company contains."""
    digest = sha256(f"{apsw.sqlite_lib_version()} {sys.implementation.cache_tag}".encode())
    for _, part in part_digests(company):
        digest.update(part.encode())
    return digest.hexdigest()


def part_digests(company: Company) -> list[tuple[str, str]]:
    """Return name and digest of each package or module that decides what an image of the company contains."""
    known = SourceCache()
    found = sorted((part.name, digest) for part, digest in _parts(company, known).items())
    known.save()
    return found


def wording_digest(company: Company) -> str:
    """Return a digest of the docstrings in all code that decides what an image of the company contains."""
    known = SourceCache()
    digest = sha256()
    for part in sorted(_parts(company, known), key=lambda part: part.name):
        for _, name, path in part.files():
            with suppress(FileNotFoundError):  # deleted while we look
                digest.update(f"{part.name} {name} {known.wording(path)}\n".encode())
    known.save()
    return digest.hexdigest()


def _parts(company: Company, known: SourceCache) -> dict[Part, str]:
    """Return every package or module that decides what an image of the company contains, with its digest."""
    waiting = [Part(name, PACKAGE / name.partition(".")[2]) for name in ALWAYS]
    waiting.extend(_declared_part(name) for name in _declaring_modules(company))
    found: dict[Part, str] = {}
    with _without_collection():
        while waiting:
            part = waiting.pop()
            if part not in found:
                found[part], imports = known.read(part)
                waiting.extend(one for name in imports if (one := _part(name, _spec(name))) and _reaches(part, one))
    return found


def _declaring_modules(company: Company) -> set[str]:
    """Return the modules that declare the company, its build function, and the tables and handlers of its apps."""
    of_apps: set[str] = set()
    for app in company.apps:
        of_apps.update((type(app).__module__, type(app.product).__module__))
        of_apps.update(table.record.__module__ for table in app.product.tables)
        of_apps.update(_module_of(command) for command in app.product.commands.values())
        of_apps.update(_module_of(subscription.handler) for subscription in app.product.subscriptions)
        of_apps.update(_module_of(watcher.handler) for watcher in app.product.watchers)
        of_apps.update(_module_of(waker) for waker in app.product.wakers.values())
    built_by = {_module_of(company.build)} if company.build else set()
    scenarios = {name for name in of_apps if SCENARIOS in name}  # staged after the image was opened
    return (of_apps - scenarios) | built_by | {company.module, type(company).__module__}


def _module_of(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(function.__module__)


def _declared_part(name: str) -> Part:
    """Return the part that a loaded module belongs to."""
    module = sys.modules.get(name)
    spec: ModuleSpec | None = getattr(module, "__spec__", None)
    file = getattr(module, "__file__", None)
    if spec is None and file:  # a script
        spec = ModuleSpec(name, None, origin=file)
        spec.has_location = True
    found = _part(spec.name, spec) if spec else None
    if found is None:
        raise ValueError(
            f"{name or 'a company'} has no source file, so its image cannot be named: declare the company in a module"
        )
    return found


def _absolute(package: str, name: str) -> str:
    """Return an imported name without leading dots."""
    try:
        return resolve_name(name, package)
    except ImportError:  # it leaves its package, so it cannot be imported
        return name.lstrip(".")


def _reaches(part: Part, imported: Part) -> bool:
    """Tell whether an import counts: shared code only leads to shared code, and installed libraries do not count."""
    if imported.name.startswith(f"{OURS}."):
        return imported.name.split(".")[1] in FOLLOWED and (imported.shared or not part.shared)
    installed = {"site-packages", "dist-packages"} & set(imported.path.parts)
    return not part.shared and not installed


def _spec(name: str) -> ModuleSpec | None:
    """Find a module without importing anything; None if the name is not a module."""
    spec: ModuleSpec | None = None
    for number, prefix in enumerate(accumulate(name.split("."), "{}.{}".format)):
        folders = spec.submodule_search_locations if spec else None
        if number and folders is None:
            return None
        spec = getattr(sys.modules.get(prefix), "__spec__", None) or PathFinder.find_spec(prefix, folders)
        if spec is None:
            return None
    return spec


def _part(name: str, spec: ModuleSpec | None) -> Part | None:
    """Return the part that contains a module; None for modules without source and for the top of this package."""
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        return None
    file = Path(str(spec.origin))
    names = name.split(".")
    if names[0] == OURS:
        return _part_of_ours(names)
    if file.name != "__init__.py":
        names.pop()
        if not names:
            return Part(name, file)
    folder = file.parent
    while len(names) > 1 and (folder.parent / "__init__.py").exists():
        folder = folder.parent
        names.pop()
    return Part(".".join(names), folder)


def _part_of_ours(names: list[str]) -> Part | None:
    if len(names) == 1:
        return None
    on_shelf = names[1] in SHELVES
    names = names[: 3 if on_shelf else 2]
    folder = PACKAGE.joinpath(*names[1:])
    if on_shelf and len(names) == 2:
        return Part(".".join(names), folder / "__init__.py", shared=True)
    if folder.is_dir():
        return Part(".".join(names), folder, shared=names[1] == "people")
    return Part(".".join(names), folder.with_suffix(".py"), shared=True)


def _parsed(path: str) -> tuple[str, tuple[str, ...], str]:
    """Return the digest of a file, what it imports, and the digest of its docstrings.

    Of code its syntax tree counts, of data every byte.
    """
    with open(path, "rb") as file:
        if not path.endswith(".py"):
            return file_digest(file, "sha256").hexdigest(), (), ""
        text = file.read()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python has warned when it imported the module
            tree = ast.parse(text)
    except (SyntaxError, ValueError):  # nothing can import it, but it may be read
        return sha256(text).hexdigest(), (), ""
    said: list[str] = []
    imports = tuple(sorted(set(_strip(tree, said))))
    digests = [sha256(made.encode("utf-8", "surrogatepass")).hexdigest() for made in (ast.dump(tree), repr(said))]
    return digests[0], imports, digests[1]


def _strip(node: ast.AST, said: list[str]) -> Iterator[str]:
    """Move docstrings and other bare strings from a tree to a list, and yield the names that it imports."""
    if isinstance(node, ast.Import):
        yield from (_short(alias.name) for alias in node.names if not _standard(alias.name))
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        if node.level or not _standard(module):
            yield _short(module)
            yield from (
                _short(f"{module}.{alias.name}" if node.module else module + alias.name) for alias in node.names
            )
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            said.extend(text for statement in block if (text := _bare_string(statement)) is not None)
            block[:] = [statement for statement in block if _bare_string(statement) is None]
            for statement in block:
                yield from _strip(statement, said)


def _short(name: str) -> str:
    """Return a name of this package without what does not matter: three levels tell which part it is."""
    return ".".join(name.split(".", 3)[:3]) if name.startswith(f"{OURS}.") else name


def _bare_string(statement: ast.AST) -> str | None:
    """Return the text of a statement that is nothing but a string."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


@contextmanager
def _without_collection() -> Iterator[None]:
    """Pause the garbage collector: syntax trees have no cycles, and collecting while parsing doubles the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
