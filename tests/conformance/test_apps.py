"""Every app that exists passes every check of an app, of its operations, its tools and its doors."""

from typing import Any

import pytest

from diorama.check import Check
from diorama.check.subjects import app_subject
from diorama.kit import Operation
from diorama.kit.discovery import apps
from tests.conformance.proving import each, prove

APPS = list(apps().found)
MODULES = ("schema", "rules", "api", "tools", "seed", "faults")
OPERATIONS = [
    pytest.param(name, operation, id=f"{name}: {operation.method} {operation.path}")
    for name, found in apps().found.items()
    for operation in found.thing.product.operations
]
TOOLS = [
    pytest.param(name, tool, id=tool.name) for name, found in apps().found.items() for tool in found.thing.product.tools
]


def test_every_app_loads() -> None:
    assert {"zendesk", "backoffice"} <= set(APPS)
    assert apps().broken == []


@each("app", "door")
@pytest.mark.parametrize("name", APPS)
def test_each_app_passes_its_checks(name: str, check: Check) -> None:
    prove(check, app_subject(name))


@each("operation")
@pytest.mark.parametrize(("name", "operation"), OPERATIONS)
def test_each_operation_passes_its_checks(name: str, operation: Operation, check: Check) -> None:
    prove(check, app_subject(name), operation)


@each("tool")
@pytest.mark.parametrize(("name", "tool"), TOOLS)
def test_each_tool_passes_its_checks(name: str, tool: Any, check: Check) -> None:
    prove(check, app_subject(name), tool)


@pytest.mark.parametrize("name", APPS)
def test_every_app_of_this_package_has_the_same_modules(name: str) -> None:
    folder = app_subject(name).folder
    assert [one for one in MODULES if not (folder / f"{one}.py").exists() and not (folder / one).is_dir()] == []
