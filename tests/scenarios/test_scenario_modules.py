"""Scenario modules state plans: raw SQL, clock rewinding and phrase lists have no place in them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import diorama.scenarios

FOLDER = Path(diorama.scenarios.__file__).parent
SQL = re.compile(r"\b(?:SELECT\b.*\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b", re.DOTALL)
READERS = {"lower", "casefold", "upper"}


def scenario_modules() -> list[Path]:
    """Return the files that declare a scenario, with the other files of their package."""
    found: set[Path] = set()
    for path in FOLDER.rglob("*.py"):
        if re.search(r"^@scenario\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            found |= set(path.parent.glob("*.py")) if path.name == "__init__.py" else {path}
    return sorted(found)


def problems(code: str) -> Iterator[str]:
    """Yield what a scenario module must not contain, with its line."""
    for node in ast.walk(ast.parse(code)):
        line = f"line {getattr(node, 'lineno', 0)}"
        if _is_sql(node):
            yield f"{line}: raw SQL; use tx.all, tx.first or a condition of the kit (desk_customers.py)"
        elif _sets_the_clock(node):
            yield f"{line}: clock rewinding; a past step takes the moment of what it adds"
        elif _reads_words(node):
            yield f"{line}: a list of phrases; words are read by rewards/claims, and deeds and fields decide"


def _is_sql(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("rows", "execute")
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value) is not None


def _sets_the_clock(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "now_us" and isinstance(node.ctx, ast.Store)
    return "backdated" in (getattr(node, "id", ""), getattr(node, "name", ""))


def _reads_words(node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return _imports_patterns(node)
    looks = isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
    return looks and any(_folds(one) for one in getattr(node, "comparators", ()))


def _imports_patterns(node: ast.Import | ast.ImportFrom) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return "re" in names


def _folds(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READERS


@pytest.mark.parametrize("path", scenario_modules(), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_scenario_module_states_plans_only(path: Path) -> None:
    assert list(problems(path.read_text(encoding="utf-8"))) == []


def test_every_scenario_has_a_module() -> None:
    assert len(scenario_modules()) >= 15


@pytest.mark.parametrize(
    "code",
    [
        "tx.rows('SELECT 1')",
        "WHERE = 'id NOT IN (SELECT customer_id FROM backoffice_refunds)'",
        "from diorama.worlds.helpdesk import backdated",
        "tx.now_us = 5",
        "import re",
        "from re import compile",
        "told = any(word in text.lower() for word in ('sorry', 'refunded'))",
    ],
)
def test_the_check_of_scenario_modules_can_fail(code: str) -> None:
    assert list(problems(code))
