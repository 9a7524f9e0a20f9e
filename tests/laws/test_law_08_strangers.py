"""Law 8. Apps do not know each other: an app announces notices, a world wires apps together."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import diorama.apps
from diorama.kernel import Actor, Request, World
from diorama.kernel.testing import fresh
from diorama.kit import App
from tests.laws.village import BANK, LINKS, POST, VILLAGERS, Account, Letter, village

SOURCE = Path(__file__).parents[2] / "src" / "diorama"
APPS = [info.name for info in pkgutil.iter_modules(diorama.apps.__path__) if info.ispkg]
ALLOWED_BELOW = ("kernel", "kit")


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every module that a file imports, in any form."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from ((node.lineno, str(one.value)) for one in node.args if isinstance(one, ast.Constant))


def strangers(app: str, code: str) -> list[str]:
    """Return the project modules that an app imports and that are neither its own nor in a lower layer."""
    found = []
    for line, name in imports(ast.parse(code)):
        parts = name.split(".")
        if name.startswith(".") or parts[0] != "diorama" or len(parts) < 2:
            continue
        if parts[1] == "apps" and (len(parts) < 3 or parts[2] == app):
            continue
        if parts[1] not in ALLOWED_BELOW:
            found.append(f"{line}: {name}")
    return found


@pytest.mark.parametrize("app", APPS)
def test_law_08_an_app_imports_nothing_of_another(app: str) -> None:
    found = []
    for path in sorted((SOURCE / "apps" / app).rglob("*.py")):
        found += [f"{path.name}:{line}" for line in strangers(app, path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(found)


def test_law_08_the_check_can_fail() -> None:
    for code in (
        "from diorama.apps.bank import pay",
        "from diorama.apps import bank",
        "import diorama.apps.bank.rules",
        "importlib.import_module('diorama.apps.bank')",
        "from diorama.worlds import open_world",
        "from diorama.rewards import fact",
    ):
        assert strangers("post", code), code
    assert not strangers("post", "from diorama.apps.post.schema import Letter\nfrom diorama.kit import App")


@pytest.mark.parametrize("app", APPS)
def test_law_08_no_app_names_another_apps_tables(app: str) -> None:
    others = [other for other in APPS if other != app]
    for path in sorted((SOURCE / "apps" / app).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named = [other for other in others if f" {other}_" in f" {node.value}"]
                assert not named, f"{path.name}:{node.lineno}: {node.value[:80]!r}"


@pytest.mark.parametrize("app", APPS)
def test_law_08_an_app_runs_in_a_world_of_its_own(app: str) -> None:
    target = importlib.import_module(f"diorama.apps.{app}").app("alone")
    assert isinstance(target, App)
    world = fresh([target])
    for operation in target.product.operations:
        if operation.method == "GET" and "{" not in operation.path:
            reply = world.fork().send(app, Request("GET", operation.path), Actor("agent", "nobody@x.example"))
            assert reply.status < 500, operation


def paid(world: World) -> int:
    """Make a payment; return the number of letters two days later."""
    body = b'{"to": "v1@village.example", "cents": 5}'
    assert world.send("bank", Request("POST", "/payments", body=body), Actor("agent", "x@x.example")).status == 201
    world.wait(timedelta(days=2))
    return int(world.read(lambda tx: tx.count(Letter)))


def test_law_08_notices_reach_other_apps_through_links_only() -> None:
    wired = village()
    letters = wired.read(lambda tx: tx.count(Letter))
    assert paid(wired) == letters + 1
    unwired = fresh([BANK.install("bank.example"), POST.install("post.example"), VILLAGERS])
    unwired.do(lambda tx: tx.add(Account(owner="v1@village.example")), "system:test")
    assert paid(unwired) == 0
    assert {subscription.notice.__name__ for subscription in LINKS.subscriptions} == {"Paid"}
    assert not BANK.subscriptions + POST.subscriptions
