"""The command reports its findings as text or JSON, and its exit code says whether the contract is met."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from diorama.cli import contract as verb
from diorama.cli.errors import Misuse
from diorama.contract import stage
from diorama.kit import App
from diorama.kit.openapi import document
from tests.contract.shelf import break_it, shelf, stocked


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> App:
    """Return the shelf app, registered with the command."""
    made = shelf()
    monkeypatch.setattr(verb, "find_app", lambda name: made)
    monkeypatch.setattr(verb, "world_of", stocked)
    monkeypatch.setattr(verb, "excuses_of", lambda name: [])
    monkeypatch.setattr(verb, "stories_of", lambda name: [])
    monkeypatch.setenv("DIORAMA_SPECS", "nowhere")
    return made


def call(*arguments: str) -> Any:
    alone = typer.Typer()
    alone.command()(verb.contract)
    return CliRunner().invoke(alone, list(arguments))


def test_json_is_one_document_with_the_documented_keys(app: App) -> None:
    result = call("shelf", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found.keys() >= {"app", "served", "total", "missing", "extra", "mismatched", "invalid"}
    assert (found["app"], found["served"], found["total"]) == ("shelf", 8, 8)


def test_a_broken_contract_is_exit_code_1_and_shows_the_place(app: App) -> None:
    break_it(app)
    result = call("shelf", "--json")
    assert result.exit_code == 1
    (lie,) = [each for each in json.loads(result.stdout)["invalid"] if each["pointer"] == "/books/0/id"]
    assert lie["operation"] == "GET /v1/lies"
    assert lie["sample"] == {"method": "GET", "path": "/v1/lies"}
    told = call("shelf")
    assert told.exit_code == 1
    assert "contract broken" in told.stdout
    assert "GET /v1/lies 200 /books/0/id" in told.stdout


def test_the_summary_shows_coverage_and_shortens_long_lists(app: App, tmp_path: Path) -> None:
    tree = document(app)
    tree["paths"] |= {f"/v1/rooms/{n}": {"get": {"responses": {}}} for n in range(30)}
    spec = tmp_path / "vendor.json"
    spec.write_text(json.dumps(tree))
    short = call("shelf", "--spec", str(spec))
    assert "shelf serves 8 of 38 operations (21.1%) of vendor.json" in short.stdout
    assert "and 20 more (--all shows them)" in short.stdout
    assert "books" in short.stdout
    assert "/v1/rooms/29" not in short.stdout
    assert "/v1/rooms/29" in call("shelf", "--spec", str(spec), "--all").stdout


def test_an_unreadable_spec_is_wrong_usage_and_is_named(app: App, tmp_path: Path) -> None:
    spec = tmp_path / "broken.json"
    spec.write_text("{")
    for file, why in ((spec, "neither JSON nor YAML"), (tmp_path / "none.yaml", "no such file")):
        result = call("shelf", "--spec", str(file))
        assert isinstance(result.exception, Misuse)
        assert str(file) in str(result.exception)
        assert why in str(result.exception)


def test_an_unknown_app_is_wrong_usage_and_lists_the_apps() -> None:
    with pytest.raises(stage.NoSuchApp, match=r"no app 'nosuch'\. There are: .*zendesk"):
        stage.find_app("nosuch")
    assert isinstance(call("nosuch").exception, Misuse)


def test_without_a_file_only_specs_served_in_part_count(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shelf_api.json").write_text(json.dumps(document(app)))
    (tmp_path / "shelf_events.json").write_text('{"asyncapi": "2.0.0"}')
    (tmp_path / "shelf_server.json").write_text(json.dumps({"swagger": "2.0", "paths": {"/other": {"get": {}}}}))
    monkeypatch.setenv("DIORAMA_SPECS", str(tmp_path))
    assert [file.name for file in stage.specs_for(app)] == ["shelf_api.json"]
