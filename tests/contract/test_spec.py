"""Specs are read from every packaging, and paths are compared as clients see them."""

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from diorama.contract.document import Document
from diorama.contract.source import Foreign, Unreadable, candidates, load
from diorama.contract.spec import gather, normal, read
from diorama.contract.validator import Validator
from tests.contract.specs import MANIFEST, answers, needs_specs, real, spec

TINY: dict[str, Any] = {"openapi": "3.0.0", "info": {}, "paths": {"/things/{id}": {"get": answers({"type": "object"})}}}
YAML = """
swagger: '2.0'
basePath: /v1
paths:
  /countries:
    post:
      parameters:
        - {in: formData, name: code, type: string, enum: [no, se], required: true}
        - {in: formData, name: since, type: string, default: 2020-01-01}
      responses:
        200: {description: fine, schema: {type: object}}
"""


def write(folder: Path, name: str, data: bytes) -> Path:
    file = folder / name
    file.write_bytes(data)
    return file


@pytest.mark.parametrize(
    ("name", "pack"), [("a.json", bytes), ("a.json.gz", gzip.compress), ("a.json.xz", lzma.compress), ("a.txt", bytes)]
)
def test_a_spec_may_be_compressed(tmp_path: Path, name: str, pack: Any) -> None:
    file = write(tmp_path, name, pack(json.dumps(TINY).encode()))
    assert list(read([file]).operations) == [("GET", "/things/{}")]


def test_yaml_reads_country_codes_dates_and_statuses_as_text(tmp_path: Path) -> None:
    operation = read([write(tmp_path, "a.yaml", YAML.encode())]).operations["POST", "/v1/countries"]
    assert operation.body is not None
    assert operation.body.schema is not None
    assert operation.body.schema.tree["properties"]["code"]["enum"] == ["no", "se"]
    assert operation.body.schema.tree["properties"]["since"]["default"] == "2020-01-01"
    assert operation.body.schema.tree["required"] == ["code"]
    assert operation.successes() == ["200"]


def test_references_between_files_of_a_bundle_are_resolved(tmp_path: Path) -> None:
    thing = {"type": "object", "properties": {"id": {"type": "integer"}}}
    bundle = {
        "one.yml": {"openapi": "3.1.0", "paths": {"/a": {"get": answers({"$ref": "#/components/schemas/Thing"})}}},
        "two.yml": {
            "openapi": "3.1.0",
            "paths": {"/b": {"get": answers({})}},
            "components": {"schemas": {"Thing": thing}},
        },
    }
    found = read([write(tmp_path, "all.json", json.dumps(bundle).encode())])
    assert list(found.operations) == [("GET", "/a"), ("GET", "/b")]
    reply = found.operations["GET", "/a"].replies["200"].schema
    assert reply is not None
    assert not Validator(reply).accepts({"id": "seven"})


def test_duplicate_operations_are_merged() -> None:
    gutted = Document("gutted", {"openapi": "3.1.0", "paths": {"/api/things": {"post": answers({"$ref": "#/lost"})}}})
    servers = [{"url": "https://{where}.example.com/api", "variables": {"where": {"default": "eu"}}}]
    whole = Document(
        "whole",
        {"openapi": "3.1.0", "servers": servers, "paths": {"/things": {"post": answers({"type": "object"}, "201")}}},
    )
    whole.tree["paths"]["/things"]["post"]["responses"] |= answers({"type": "array"})["responses"]
    operations = gather("both", [gutted, whole]).operations
    assert list(operations) == [("POST", "/api/things")]
    joined = operations["POST", "/api/things"]
    assert sorted(joined.replies) == ["200", "201"]
    assert joined.replies["200"].schema is not None
    assert joined.replies["200"].schema.tree == {"type": "array"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/tickets/{id}", "/tickets/{ticket_id}"),
        ("/tickets/{id}.json", "/tickets/{id}"),
        ("/tickets/", "/tickets"),
        ("tickets.json?page=1", "/tickets"),
        ("/compare/{base}...{head}", "/compare/{a}...{b}"),
    ],
)
def test_paths_that_differ_only_in_parameter_names_are_equal(one: str, other: str) -> None:
    assert normal(one) == normal(other)


def test_different_paths_stay_different() -> None:
    paths = ["/a/{x}", "/a/x", "/a", "/a/{x}/b", "/A"]
    assert len({normal(path) for path in paths}) == len(paths)


def test_a_base_path_that_is_not_served_is_replaced() -> None:
    tree: dict[str, Any] = {
        "swagger": "2.0",
        "basePath": "/jira/rest/",
        "paths": {"/api/2/issue/{key}": {"get": {"responses": {}}}},
    }
    assert list(gather("x", [Document("x", tree)]).operations) == [("GET", "/jira/rest/api/2/issue/{}")]
    ours = ["/rest/api/2/issue/{issueIdOrKey}"]
    assert list(gather("x", [Document("x", tree)], ours).operations) == [("GET", "/rest/api/2/issue/{}")]
    bare: dict[str, Any] = {"openapi": "3.0.0", "paths": {"/tickets": {"get": {}}, "/users": {"get": {}}}}
    assert list(gather("x", [Document("x", bare)], ["/api/v2/tickets"]).operations) == [
        ("GET", "/api/v2/tickets"),
        ("GET", "/api/v2/users"),
    ]


def test_parameters_of_the_path_item_and_references_to_parameters_count() -> None:
    found = spec(
        {"/a/{id}": {"parameters": [{"$ref": "#/components/parameters/Id"}], "get": {"responses": {}}}},
        components={
            "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}}
        },
    )
    (parameter,) = found.operations["GET", "/a/{}"].path_parameters()
    assert (parameter.name, parameter.schema.tree) == ("id", {"type": "integer"})


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.json", b"{", "neither JSON nor YAML"),
        ("a.json", b"[1]", "an OpenAPI document is an object, this is list"),
        ("a.json", b'{"a": 1}', "neither an OpenAPI document"),
        ("a.json", b'{"openapi": "4.0.0"}', "OpenAPI 4.0.0; only 2 and 3 are read"),
        ("a.json", b'{"openapi": "3.0.0", "paths": []}', "`paths` is not an object"),
        ("a.json", b'{"openapi": "3.0.0", "paths": {}}', "it declares no operation"),
        ("a.json", b'{"asyncapi": "2.0.0"}', "an AsyncAPI document"),
        ("a.json.xz", b"{}", "named .xz but not compressed so"),
        ("a.json.gz", gzip.compress(b"{}", mtime=0)[:-4], "damaged archive"),
        ("a.json.xz", lzma.compress(b"{}")[:-4], "damaged archive"),
        ("a.yaml", b"a: [1", "neither JSON nor YAML"),
    ],
)
def test_an_unreadable_spec_is_named_with_the_reason(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    file = write(tmp_path, name, data)
    with pytest.raises(Unreadable) as caught:
        read([file])
    assert str(file) in str(caught.value)
    assert why in str(caught.value)


def test_a_missing_spec_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no such file"):
        read([tmp_path / "nowhere.json"])
    with pytest.raises(Unreadable, match="directory"):
        read([tmp_path])


@needs_specs
@pytest.mark.parametrize("entry", [e for e in MANIFEST if e["file"]], ids=lambda e: e["file"])
def test_every_real_openapi_spec_is_read_completely(entry: dict[str, Any]) -> None:
    file = real(entry["file"])
    if any(word in entry["file"] for word in ("discovery", "asyncapi")):
        with pytest.raises(Foreign):
            load(file)
        return
    found = read([file])
    if not entry["file"].startswith("zendesk"):  # its bundle names some operations twice, under two base paths
        assert len(found.operations) == entry["operations"]
    for operation in found.operations.values():
        for reply in operation.replies.values():
            if reply.schema is not None:
                Validator(reply.schema).accepts({})


@needs_specs
def test_zendesks_bundle_counts_every_operation_once() -> None:
    found = read([real("zendesk_support_openapi_split.json.xz")])
    assert len(found.operations) == 495
    show = found.operations["GET", "/api/v2/tickets/{}"].replies["200"].schema
    assert show is not None
    assert not show.unresolved_references()


@needs_specs
def test_an_app_finds_its_vendors_specs_by_name() -> None:
    assert [file.name for file in candidates("slack")] == ["slack_web_openapi_v2.json.xz"]
    assert [file.name for file in candidates("pagerduty")] == ["pagerduty_events_v2.json.xz", "pagerduty_rest.json.xz"]
    assert candidates("backoffice") == []
