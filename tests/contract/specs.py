"""Small specs written in each test, and the vendors' real ones where this machine has them."""

import json
from pathlib import Path
from typing import Any

import pytest

from diorama.contract import source
from diorama.contract.document import Document, Schema
from diorama.contract.spec import Spec, gather

FOLDER = source.folder()
MANIFEST: list[dict[str, Any]] = json.loads((FOLDER / "MANIFEST.json").read_text()) if FOLDER else []
needs_specs = pytest.mark.skipif(
    FOLDER is None, reason="the vendors' specs are not on this machine (DIORAMA_SPECS names their folder)"
)


def real(name: str) -> Path:
    """Return the path of a vendor's spec file, or skip the test."""
    if FOLDER is None or not (FOLDER / name).is_file():
        pytest.skip(f"{name} is not on this machine (DIORAMA_SPECS names the folder of the vendors' specs)")
    return FOLDER / name


def spec(paths: dict[str, Any], ours: tuple[str, ...] = (), **more: Any) -> Spec:
    """Return a spec with these paths."""
    return gather("test", [Document("test", {"openapi": "3.0.3", "paths": paths, **more})], ours)


def schema(tree: Any, components: dict[str, Any] | None = None, version: str = "3.0.3") -> Schema:
    """Return a schema in a document with these component schemas."""
    return Schema(Document("test", {"openapi": version, "components": {"schemas": components or {}}}), tree)


def answers(tree: Any, status: str = "200") -> dict[str, Any]:
    """Return the `responses` of an operation that replies with this schema."""
    return {"responses": {status: {"description": "", "content": {"application/json": {"schema": tree}}}}}
