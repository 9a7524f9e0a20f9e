"""The identity of an image: which edits change it, which do not, and how its digests are cached."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from diorama.kernel import Company, Product, sources
from diorama.kernel.sources import SourceCache, part_digests, source_digest
from diorama.worlds import company_of
from tests.kernel.building import ROOT, SOURCES

LAYERS = ("kernel", "kit", "apps", "people", "worlds", "scenarios")
Make = Callable[[dict[str, str]], Path]


# --- this package


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that may be edited, and a cache folder beside it."""
    folder = tmp_path_factory.mktemp("copied")
    for layer in LAYERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "src" / "diorama" / layer, folder / "diorama" / layer, ignore=ignored)
    for layer in ("worlds", "apps"):
        (folder / "diorama" / layer / "elsewhere").mkdir()
        (folder / "diorama" / layer / "elsewhere" / "__init__.py").write_text("NAME = 'elsewhere'\n")
    return folder


@pytest.fixture
def package(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "PACKAGE", copied / "diorama")
    monkeypatch.setenv("DIORAMA_CACHE", str(copied / "cache"))
    return copied / "diorama"


def identity(company: Company) -> str:
    """Return the digest as a process that starts now would compute it."""
    source_digest.cache_clear()
    importlib.invalidate_caches()
    return source_digest(company)


def changes(company: Company, file: Path, old: str, new: str) -> bool:
    """Tell whether an edit of a file changes the identity, and undo it."""
    before, text = identity(company), file.read_text() if file.exists() else ""
    assert old in text
    file.write_text(text.replace(old, new, 1) if old else text + new)
    try:
        return identity(company) != before
    finally:
        file.write_text(text)
        assert identity(company) == before


IRRELEVANT = {
    "module docstring": ("kernel/world.py", '"""', '"""Edited. '),
    "function docstring": ("worlds/larkspur/history.py", '    """', '    """Edited. '),
    "class docstring": ("kernel/dice.py", ':\n    """', ':\n    """Edited. '),
    "attribute docstring": ("kernel/image.py", '\n"""How many', '\n"""Edited: how many'),
    "new docstring": ("worlds/larkspur/__init__.py", "COMPANY = ", '"""Edited."""\nCOMPANY = '),
    "comment": ("kit/app.py", "", "# edited\n"),
    "comment of an app": ("apps/zendesk/schema/app.py", "", "# edited\n"),
    "empty lines and brackets": ("worlds/larkspur/__init__.py", "COMPANY = Company(\n", "COMPANY = Company(\n\n\n"),
    "README": ("apps/zendesk/README.md", "", "Edited.\n"),
    "another world": ("worlds/elsewhere/__init__.py", "NAME", "TITLE"),
    "data of another world": ("worlds/elsewhere/desk.toml", "", "edited = true\n"),
    "another app": ("apps/elsewhere/__init__.py", "NAME", "TITLE"),
    "scenario": ("scenarios/wrong_macro.py", "", "EDITED = True\n"),
    "code of all scenarios": ("scenarios/anatomy.py", "", "EDITED = True\n"),
    "shared module that this world does not import": ("worlds/profile.py", "", "EDITED = True\n"),
}
RELEVANT = {
    "kernel": ("kernel/world.py", "", "EDITED = True\n"),
    "kit": ("kit/rate_limits.py", "", "EDITED = True\n"),
    "app": ("apps/backoffice/rules/stock.py", "", "EDITED = True\n"),
    "app's seed": ("apps/zendesk/seed/tickets.py", "", "EDITED = True\n"),
    "people": ("people/names.py", "", "EDITED = True\n"),
    "world": ("worlds/larkspur/orders.py", "", "EDITED = True\n"),
    "a string that is used": ("worlds/larkspur/company.py", '"Larkspur Coffee"', '"Larkspur Tea"'),
    "data of the world": ("worlds/larkspur/material/desk.toml", "", "\n# every byte of data counts\n"),
    "data of people": ("people/material/names.toml", "", "\n"),
    "new data: json": ("worlds/larkspur/material/new.json", "", "{}"),
    "new data: txt": ("worlds/larkspur/material/new.txt", "", "x"),
    "new data: csv": ("apps/zendesk/new.csv", "", "x"),
    "new module": ("worlds/larkspur/new.py", "", "EDITED = True\n"),
}


@pytest.mark.parametrize("edit", IRRELEVANT)
def test_an_edit_that_cannot_reach_an_image_keeps_its_identity(edit: str, package: Path) -> None:
    file, old, new = IRRELEVANT[edit]
    with_file(package / file)
    assert not changes(company_of("larkspur"), package / file, old, new)


@pytest.mark.parametrize("edit", RELEVANT)
def test_an_edit_of_code_or_data_changes_the_identity(edit: str, package: Path) -> None:
    file, old, new = RELEVANT[edit]
    new_file = not (package / file).exists()
    assert new_file == edit.startswith("new")
    before = identity(company_of("larkspur"))
    try:
        assert new_file or changes(company_of("larkspur"), package / file, old, new)
        if new_file:
            (package / file).write_text(new)
            assert identity(company_of("larkspur")) != before
    finally:
        if new_file:
            (package / file).unlink()
    assert identity(company_of("larkspur")) == before


def with_file(file: Path) -> None:
    """Create a file that is not there, so that only its content changes."""
    if not file.exists():
        file.touch()


def test_a_renamed_file_changes_the_identity(package: Path) -> None:
    before = identity(company_of("larkspur"))
    old, new = (package / "worlds" / "larkspur" / "material" / name for name in ("desk.toml", "office.toml"))
    old.rename(new)
    try:
        assert identity(company_of("larkspur")) != before
    finally:
        new.rename(old)


def test_a_shared_module_counts_only_where_it_is_imported(package: Path) -> None:
    new = package / "worlds" / "larkspur" / "reader.py"
    new.write_text("def read():\n    from diorama.worlds import profile\n")
    try:
        names = {name for name, _ in part_digests(company_of("larkspur"))}
        assert {"diorama.worlds.profile", "diorama.worlds.features", "diorama.worlds.texts"} <= names
        assert changes(company_of("larkspur"), package / "worlds" / "profile.py", "", "EDITED = True\n")
        assert changes(company_of("larkspur"), package / "worlds" / "texts.py", "", "EDITED = True\n")  # by profile
        assert not changes(company_of("larkspur"), package / "worlds" / "threads.py", "", "EDITED = True\n")
    finally:
        new.unlink()


def test_a_shared_module_does_not_lead_to_the_world_that_it_serves(package: Path) -> None:
    importlib.import_module("diorama.worlds.profile")  # it imports larkspur inside a function
    shared = Company("shared", [])
    shared.module = "diorama.worlds.profile"
    names = [name for name, _ in part_digests(shared)]
    assert {"diorama.worlds.profile", "diorama.worlds.features", "diorama.worlds.texts"} <= set(names)
    assert not [name for name in names if name.startswith(("diorama.worlds.larkspur", "diorama.worlds.kittiwake"))]


def test_a_company_without_people_does_not_depend_on_them(package: Path) -> None:
    desk = Company("desk", [importlib.import_module("diorama.apps.backoffice").APP.install("backoffice.example.com")])
    desk.module = "diorama.worlds.elsewhere"
    sys.modules["diorama.worlds.elsewhere"] = stand_in("diorama.worlds.elsewhere", package / "worlds" / "elsewhere")
    try:
        names = [name for name, _ in part_digests(desk)]
        assert names == ["diorama.apps.backoffice", "diorama.kernel", "diorama.kit", "diorama.worlds.elsewhere"]
        assert not changes(desk, package / "people" / "names.py", "", "EDITED = True\n")
        assert not changes(desk, package / "worlds" / "larkspur" / "stories.py", "", "EDITED = True\n")
        assert changes(desk, package / "worlds" / "elsewhere" / "__init__.py", "NAME", "TITLE")
    finally:
        del sys.modules["diorama.worlds.elsewhere"]


def stand_in(name: str, folder: Path) -> ModuleType:
    """Load a module of the copied package."""
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    assert spec is not None
    return importlib.util.module_from_spec(spec)


# --- packages of users


COMPANY = """
from diorama.kernel import Company, Product, Record
APP = Product("{name}")
@APP.record("things")
class Thing(Record):
    '''A thing.'''
    name: str
def fill(tx, size):
    '''Add things.'''
    tx.add(Thing(name="first"))
COMPANY = Company("{name}", [APP], fill)
"""


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Write files into a folder from which modules can be imported."""
    monkeypatch.setenv("DIORAMA_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path / "own"))
    loaded = set(sys.modules)

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "own" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        importlib.invalidate_caches()
        return tmp_path / "own"

    yield write
    for name in set(sys.modules) - loaded:
        del sys.modules[name]


def loaded(module: str) -> Company:
    company: Company = importlib.import_module(module).COMPANY
    return company


def names_of(company: Company) -> list[str]:
    return [name for name, _ in part_digests(company) if name not in ("diorama.kernel", "diorama.kit")]


def test_a_package_outside_of_diorama_counts_as_a_whole(make: Make) -> None:
    files = {
        "acme/__init__.py": "",
        "acme/worlds/__init__.py": "",
        "acme/worlds/shop.py": COMPANY.format(name="shop"),
        "acme/worlds/goods.csv": "tea,3\n",
        "acme/notes.md": "Hello.\n",
        "acme/rules/__init__.py": "LIMIT = 3\n",
        "acme/node_modules/x/package.json": "{}",
        "acme/.hidden/x.json": "{}",
    }
    own = make(files)
    shop = loaded("acme.worlds.shop")
    assert names_of(shop) == ["acme"]
    assert changes(shop, own / "acme" / "worlds" / "shop.py", '"first"', '"second"')
    assert changes(shop, own / "acme" / "worlds" / "goods.csv", "3", "4")
    assert changes(shop, own / "acme" / "rules" / "__init__.py", "3", "4")
    assert not changes(shop, own / "acme" / "worlds" / "shop.py", "Add things.", "Add some things.")
    for name in ("notes.md", "node_modules/x/package.json", ".hidden/x.json"):
        assert not changes(shop, own / "acme" / name, "", " ")


def test_each_package_of_an_app_and_of_its_handlers_counts(make: Make) -> None:
    handlers = "from acme_shop.world import APP, Thing\n{}\ndef act(*args):\n    pass\n"
    own = make(
        {
            "acme_shop/__init__.py": "",
            "acme_shop/world.py": COMPANY.format(name="shop"),
            "acme_commands/__init__.py": handlers.format("@APP.command"),
            "acme_watchers/__init__.py": handlers.format("@APP.watch(Thing)"),
            "acme_links/__init__.py": (
                "from diorama.kernel import Notice\nclass Rang(Notice):\n    at: int\n"
                + handlers.format("@APP.on(Rang)")
            ),
            "acme_world/__init__.py": (
                "from functools import partial\nfrom diorama.kernel import Company\n"
                "import acme_commands, acme_watchers, acme_links\nfrom acme_shop.world import APP\n"
                "from acme_building import fill\nCOMPANY = Company('built', [APP], partial(partial(fill, 1), 2))\n"
            ),
            "acme_building/__init__.py": "def fill(one, two, tx, size):\n    pass\n",
        }
    )
    built = loaded("acme_world")
    packages = ["acme_building", "acme_commands", "acme_links", "acme_shop", "acme_watchers", "acme_world"]
    assert names_of(built) == packages
    for name in packages:
        assert changes(built, own / name / "__init__.py", "", "EDITED = True\n")
    (own / "acme_world" / "__init__.py").write_text("COMPANY = None\n")
    assert names_of(built) == packages, "known by its declarations, not by imports"


def test_what_an_own_package_imports_counts_unless_it_is_installed(make: Make) -> None:
    lazy = "    from . import late\n    from .deep.deeper import x\n    import acme_library.inner\n    import json\n"
    own = make(
        {
            "acme/__init__.py": "",
            "acme/world.py": COMPANY.format(name="shop").replace("    tx.add", f"{lazy}    tx.add"),
            "acme/late.py": "from ...too_far import x\nfrom .... import y\n",
            "acme/broken.py": "this is not Python\n",
            "acme/deep/deeper.py": "import acme_module\nimport installed_library\nimport missing_library\n",
            "acme_library/__init__.py": "",
            "acme_library/inner.py": "from diorama.people import names\nfrom diorama.scenarios import cast\n",
            "acme_module.py": "from diorama.worlds import open_world\n",
            "acme_stranger/__init__.py": "",
            "site-packages/installed_library/__init__.py": "",
        }
    )
    sys.path.insert(1, str(own / "site-packages"))
    try:
        shop = loaded("acme.world")
        assert names_of(shop) == ["acme", "acme_library", "acme_module", "diorama.people", "diorama.worlds"]
        assert changes(shop, own / "acme_library" / "inner.py", "", "EDITED = True\n")
        assert changes(shop, own / "acme_module.py", "", "EDITED = True\n")
        assert changes(shop, own / "acme" / "broken.py", "not", "really not")
        for name in ("acme_stranger", "site-packages/installed_library"):
            assert not changes(shop, own / name / "__init__.py", "", "EDITED = True\n")
        assert "acme_library" not in sys.modules
    finally:
        sys.path.remove(str(own / "site-packages"))


def test_an_installed_package_that_declares_the_company_counts(make: Make) -> None:
    own = make({"site-packages/acme_sold/__init__.py": COMPANY.format(name="sold")})
    sys.path.insert(1, str(own / "site-packages"))
    try:
        sold = loaded("acme_sold")
        assert names_of(sold) == ["acme_sold"]
        assert changes(sold, own / "site-packages" / "acme_sold" / "__init__.py", '"first"', '"second"')
    finally:
        sys.path.remove(str(own / "site-packages"))


def test_a_folder_without_init_counts_as_a_package(make: Make) -> None:
    own = make({"plain/worlds/shop.py": COMPANY.format(name="shop"), "plain/worlds/a/goods.toml": "", "plain/x.py": ""})
    shop = loaded("plain.worlds.shop")
    assert names_of(shop) == ["plain.worlds"]
    assert changes(shop, own / "plain" / "worlds" / "a" / "goods.toml", "", "x = 1\n")
    assert not changes(shop, own / "plain" / "x.py", "", "EDITED = True\n")


def test_a_package_in_two_folders_counts_twice(make: Make) -> None:
    own = make({"halves/shop.py": COMPANY.format(name="shop") + "import halves.other\n", "second/halves/other.py": ""})
    sys.path.insert(1, str(own / "second"))
    try:
        shop = loaded("halves.shop")
        assert names_of(shop) == ["halves", "halves"]
        assert changes(shop, own / "second" / "halves" / "other.py", "", "EDITED = True\n")
    finally:
        sys.path.remove(str(own / "second"))


def test_a_module_outside_of_any_package_counts_alone(make: Make) -> None:
    own = make({"acme_alone.py": COMPANY.format(name="shop"), "acme_beside.py": ""})
    shop = loaded("acme_alone")
    assert names_of(shop) == ["acme_alone"]
    assert changes(shop, own / "acme_alone.py", '"first"', '"second"')
    assert not changes(shop, own / "acme_beside.py", "", "EDITED = True\n")


PRINT = """
if __name__ == "__main__":
    from diorama.kernel.sources import part_digests
    import json
    print(json.dumps(part_digests(COMPANY)))
"""


def test_a_script_counts_under_the_name_that_it_runs_by(make: Make) -> None:
    own = make({"acme/__init__.py": "", "acme/world.py": COMPANY.format(name="shop") + PRINT})
    for command, names in ((["acme/world.py"], ["__main__"]), (["-m", "acme.world"], ["acme"])):
        done = subprocess.run([sys.executable, *command], cwd=own, capture_output=True, text=True, check=True)
        found = [name for name, _ in json.loads(done.stdout) if not name.startswith("diorama.")]
        assert found == names


def test_a_company_without_a_source_file_is_refused(make: Make) -> None:
    own = make({})
    own.mkdir()
    code = COMPANY.format(name="shop") + "from diorama.kernel import image_of\nimage_of(COMPANY)\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=own, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ValueError: __main__ has no source file, so its image cannot be named: declare the company in a module"
    )


# --- the cached digests


@pytest.fixture
def shop(make: Make) -> tuple[Company, Path]:
    own = make({"acme/__init__.py": "", "acme/world.py": COMPANY.format(name="shop")})
    return loaded("acme.world"), own.parent / "cache" / SOURCES


def parsed_files(company: Company, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Compute the identity, and return the files that had to be parsed."""
    found: list[str] = []
    parse = sources._parsed

    def note(path: str) -> tuple[str, tuple[str, ...], str]:
        found.append(os.path.basename(path))
        return parse(path)

    with monkeypatch.context() as patched:
        patched.setattr(sources, "_parsed", note)
        identity(company)
    return found


def age(path: Path) -> None:
    """Make a cache file newer than it is, as if the files in it had been edited long before."""
    now = path.stat().st_mtime_ns
    os.utime(path, ns=(now, now + 10 * sources.TICK_NS))


def test_only_edited_files_are_parsed_again(
    shop: tuple[Company, Path], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    company, file = shop
    assert {"world.py", "image.py", "app.py"} <= set(parsed_files(company, monkeypatch))
    age(file)
    assert parsed_files(company, monkeypatch) == []
    make({"acme/world.py": COMPANY.format(name="shop") + "\n"})
    assert parsed_files(company, monkeypatch) == ["world.py"]


def test_a_digest_of_a_file_just_edited_is_not_trusted(
    shop: tuple[Company, Path], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "TICK_NS", 60 * 10**9)  # longer than a slow machine takes here
    company, file = shop
    own = make({"acme/world.py": COMPANY.format(name="shop").replace("first", "third")})
    first = identity(company)
    world = str(own / "acme" / "world.py")
    assert world not in SourceCache().known  # it may change again within one tick of the clock
    make({"acme/world.py": COMPANY.format(name="shop").replace("first", "forth")})
    assert identity(company) != first
    age(file)
    assert world in SourceCache().known


def test_a_file_of_the_same_size_and_time_is_parsed_again(shop: tuple[Company, Path], make: Make) -> None:
    company, file = shop
    first = identity(company)
    age(file)
    own = make({})
    world = own / "acme" / "world.py"
    before = world.stat()
    while world.stat().st_ctime_ns == before.st_ctime_ns:
        make({"acme/world.py": COMPANY.format(name="shop").replace("first", "third")})
        os.utime(world, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (world.stat().st_size, world.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert identity(company) != first


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"x": [1, 2]}', '{"x": [1, 2, 3, 4, 5]}', "\0"])
def test_damaged_digests_are_computed_again(text: str, shop: tuple[Company, Path]) -> None:
    company, file = shop
    first = identity(company)
    good = file.read_bytes()
    file.write_text(text)
    assert identity(company) == first
    assert file.read_bytes() == good


def forge(file: Path, path: Path, reseal: bool) -> None:
    """Write a wrong digest of a file into the cache, with the right size and times."""
    known = msgspec.json.decode(file.read_bytes(), type=sources.Known)
    wrong = msgspec.structs.replace(known.files[str(path)], digest="0" * 64)
    files = known.files | {str(path): wrong}
    checksum = sources.checksum_of(files) if reseal else known.checksum
    file.write_bytes(msgspec.json.encode(sources.Known(checksum, files)))
    age(file)


def test_a_changed_digest_is_not_taken_from_the_cache(shop: tuple[Company, Path], make: Make) -> None:
    company, file = shop
    first = identity(company)
    forge(file, make({}) / "acme" / "world.py", reseal=False)
    assert identity(company) == first


def test_who_distrusts_the_cache_parses_everything(shop: tuple[Company, Path], make: Make) -> None:
    company, file = shop
    first = identity(company)
    forge(file, make({}) / "acme" / "world.py", reseal=True)
    with sources.distrusting():
        assert identity(company) == first


def test_digests_of_deleted_files_are_dropped(shop: tuple[Company, Path], make: Make) -> None:
    company, file = shop
    own = make({"acme/short_lived.py": "X = 1\n"})
    identity(company)
    assert "short_lived" in file.read_text()
    (own / "acme" / "short_lived.py").unlink()
    make({"acme/world.py": COMPANY.format(name="shop") + "\n"})
    identity(company)
    assert "short_lived" not in file.read_text()
    assert "world.py" in file.read_text()


def test_digests_that_cannot_be_saved_do_not_matter(
    shop: tuple[Company, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    company, _ = shop
    first = identity(company)
    (tmp_path / "file").touch()
    monkeypatch.setenv("DIORAMA_CACHE", str(tmp_path / "file" / "cache"))
    assert identity(company) == first


def test_processes_that_save_digests_at_once_leave_a_good_file(shop: tuple[Company, Path]) -> None:
    _, file = shop
    code = "from acme.world import COMPANY; from diorama.kernel.sources import source_digest as s; print(s(COMPANY))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(file.parents[1] / "own"), os.environ["PYTHONPATH"]))}
    children = [
        subprocess.Popen([sys.executable, "-c", code], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert len({child.communicate()[0] for child in children}) == 1
    assert [child.returncode for child in children] == [0, 0, 0, 0]
    assert sorted(path.name for path in file.parent.iterdir()) == [SOURCES]
    age(file)
    assert any(path.endswith("acme/world.py") for path in SourceCache().known)


def test_identity_is_computed_once_per_process(shop: tuple[Company, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    company, _ = shop
    first = identity(company)
    monkeypatch.setattr(sources, "part_digests", None)
    assert source_digest(company) == first


def test_an_app_without_records_counts_by_its_class(make: Make) -> None:
    make({"acme/__init__.py": "from diorama.kernel import Product\nclass Special(Product):\n    pass\n"})
    special: Product = importlib.import_module("acme").Special("special")
    assert names_of(Company("x", [special])) == ["acme", "diorama.worlds", "tests.kernel"]
