"""What is found, where, and what is said about a thing that cannot be loaded."""

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diorama.kit import discovery
from diorama.kit.discovery import Broken, Catalogue, Place, collect

Write = Callable[[dict[str, str]], Path]
APP = """
from diorama.kernel import Refusal
from diorama.kit import Product
from diorama.kit.product import REFUSAL_KINDS
NO = dict.fromkeys(REFUSAL_KINDS, Refusal(400, "no"))
APP = Product("{name}", title="{name}", refusals=NO, envelope=lambda one: ("text/plain", b"no"))
"""
POINTS = "[diorama.apps]\n{}\n"


def forget() -> None:
    """Let discovery look again."""
    for cached in (discovery.folders, discovery.package_of, discovery.apps):
        cached.cache_clear()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write files into a folder that is searched."""
    loaded = set(sys.modules)
    monkeypatch.setenv("DIORAMA_PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    forget()

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        forget()
        return tmp_path

    yield write
    for name in set(sys.modules) - loaded:
        del sys.modules[name]
    forget()


def own(catalogue: Catalogue[discovery.AppPackage]) -> list[str]:
    """Return the names that do not belong to this package."""
    return [name for name, found in catalogue.found.items() if found.place.origin != "diorama"]


def test_apps_of_this_package_are_found() -> None:
    found = discovery.apps().found
    assert {"zendesk", "backoffice"} <= set(found)
    assert found["zendesk"].place == Place("app", "zendesk", "diorama.apps.zendesk", "diorama")
    assert found["zendesk"].thing.folder.name == "zendesk"
    assert found["zendesk"].thing.installed("acme").host == "acme.zendesk.com"


def test_an_app_in_a_folder_is_found(write: Write) -> None:
    folder = write({"apps/crm/__init__.py": APP.format(name="crm")})
    found = discovery.apps().found["crm"]
    assert found.place.origin == str(folder)
    assert found.thing.module.__name__.startswith("diorama_")
    assert discovery.location(found.place) == str(folder / "apps" / "crm")
    assert discovery.apps().broken == []


def test_two_folders_may_have_modules_of_the_same_name(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = "from .parts import NAME\n" + APP.replace('"{name}"', "NAME")
    folder = write(
        {
            "one/apps/shop/__init__.py": inside,
            "one/apps/shop/parts.py": "NAME = 'first'\n",
            "two/apps/shop/__init__.py": inside,
            "two/apps/shop/parts.py": "NAME = 'second'\n",
        }
    )
    monkeypatch.setenv("DIORAMA_PATH", os.pathsep.join([str(folder / "one"), str(folder / "two")]))
    forget()
    assert own(discovery.apps()) == ["first", "second"]
    modules = {discovery.apps().found[name].thing.module.__name__ for name in ("first", "second")}
    assert len(modules) == 2


def test_a_package_keeps_its_name_so_that_its_own_imports_work(write: Write) -> None:
    files = {
        "acme_tools/__init__.py": "",
        "acme_tools/names.py": "NAME = 'crm'\n",
        "acme_tools/apps/crm/__init__.py": "from acme_tools.names import NAME\n" + APP.replace('"{name}"', "NAME"),
    }
    write(files)
    assert discovery.apps().found["crm"].thing.module.__name__ == "acme_tools.apps.crm"


def test_a_package_with_a_taken_name_is_renamed(write: Write) -> None:
    write({"json/__init__.py": "", "json/apps/crm/__init__.py": APP.format(name="crm")})
    assert discovery.apps().found["crm"].thing.module.__name__.startswith("diorama_json_")
    import json

    assert json.loads("1") == 1


def test_a_marked_folder_is_searched_from_inside(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write({"apps/crm/__init__.py": APP.format(name="crm"), "deep/down/x": ""})
    monkeypatch.delenv("DIORAMA_PATH")
    monkeypatch.chdir(folder / "deep" / "down")
    forget()
    assert own(discovery.apps()) == []
    write({"diorama.toml": ""})
    assert own(discovery.apps()) == ["crm"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def x(:\n", r"SyntaxError: invalid syntax \(.*apps/bad/__init__.py:1\)"),
        ("import no_such_library\n", r"ModuleNotFoundError: No module named 'no_such_library' \(.*:1\)"),
        ("\n\n1 / 0\n", r"ZeroDivisionError: division by zero \(.*:3\)"),
        ("raise SystemExit(7)\n", r"SystemExit: 7 \(.*:1\)"),
        ("X = 1\n", r"apps\.bad declares no app: its __init__\.py must have APP, a diorama\.kit\.Product"),
        ("APP = 7\n", r".*\.APP is a int, not a diorama\.kit\.Product"),
    ],
)
def test_an_app_that_cannot_be_loaded_is_reported(
    text: str, reason: str, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    folder = write({"apps/bad/__init__.py": text, "apps/good/__init__.py": APP.format(name="good")})
    with caplog.at_level(logging.WARNING):
        catalogue = discovery.apps()
    assert own(catalogue) == ["good"]
    assert [(one.kind, one.name, one.where) for one in catalogue.broken] == [
        ("app", "bad", str(folder / "apps" / "bad"))
    ]
    assert re.fullmatch(reason, catalogue.broken[0].reason)
    assert [record.getMessage() for record in caplog.records] == [str(catalogue.broken[0])]
    with pytest.raises(LookupError, match=r"app bad \(.*\) could not be loaded: "):
        catalogue.find("bad")
    with pytest.raises(LookupError, match=r"There is no app 'other'\. There are: backoffice, good, zendesk\."):
        catalogue.find("other")


def test_a_folder_without_init_is_reported(write: Write) -> None:
    folder = write({"apps/plain/schema.py": ""})
    assert discovery.apps().broken == [
        Broken("app", "plain", str(folder / "apps/plain"), "it has no __init__.py, so it cannot be imported")
    ]


def test_a_name_that_is_taken_is_reported_with_both_places(write: Write) -> None:
    folder = write({"apps/zendesk/__init__.py": APP.format(name="zendesk")})
    catalogue = discovery.apps()
    assert catalogue.found["zendesk"].place.origin == "diorama"
    assert catalogue.broken[0].where == str(folder / "apps" / "zendesk")
    assert "the name is taken by diorama.apps.zendesk (" in catalogue.broken[0].reason


def test_a_path_that_does_not_exist_is_reported(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write({"empty/readme": "", "good/apps/crm/__init__.py": APP.format(name="crm")})
    entries = [str(folder / name) for name in ("missing", "empty", "good")]
    monkeypatch.setenv("DIORAMA_PATH", os.pathsep.join(entries))
    forget()
    assert own(discovery.apps()) == ["crm"]
    assert [(one.name, one.reason) for one in discovery.apps().broken] == [
        (entries[0], "there is no such folder"),
        (entries[1], "it has no apps, worlds, scenarios"),
    ]


def test_an_entry_point_names_a_module_or_a_package_of_several(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(
        {
            "site/acme_crm/__init__.py": APP.format(name="crm"),
            "site/acme_many/__init__.py": "",
            "site/acme_many/one/__init__.py": APP.format(name="one"),
            "site/acme_many/two/__init__.py": APP.format(name="two"),
            "site/acme-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n",
            "site/acme-1.0.dist-info/entry_points.txt": POINTS.format(
                "crm = acme_crm\nmany = acme_many\ngone = acme_gone"
            ),
        }
    )
    monkeypatch.delenv("DIORAMA_PATH")
    monkeypatch.syspath_prepend(str(folder / "site"))
    forget()
    catalogue = discovery.apps()
    assert own(catalogue) == ["crm", "one", "two"]
    assert catalogue.found["crm"].place.origin == "entry point crm of acme"
    assert catalogue.found["two"].place.module == "acme_many.two"
    assert [(one.name, one.reason) for one in catalogue.broken] == [
        ("gone", "ModuleNotFoundError: No module named 'acme_gone'")
    ]


def test_a_failed_import_is_undone(write: Write) -> None:
    write({"apps/bad/__init__.py": "from . import inner\n1 / 0\n", "apps/bad/inner.py": ""})
    undone: list[str] = []
    collect("app", lambda module: [(module.__name__, 1)], undone.append)
    assert [name.partition(".")[2] for name in undone] == ["apps.bad"]
    assert not [name for name in sys.modules if ".apps.bad" in name]
