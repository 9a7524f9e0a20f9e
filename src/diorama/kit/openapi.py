"""The OpenAPI document of an app, made from its operations and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec

from diorama.kernel import Reply
from diorama.kit.app import App
from diorama.kit.operation import Operation, Parameter

REF = "#/components/schemas/{name}"


def document(app: App) -> dict[str, Any]:
    """OpenAPI 3.1: every operation with its parameters, body and reply."""
    types = {id(t): t for operation in app.operations for t in _types(operation)}
    schemas, components = msgspec.json.schema_components(list(types.values()), ref_template=REF)
    by_type = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in app.operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": app.title, "version": app.api or "1"},
        "servers": [{"url": f"https://{app.host}"}],
        "paths": paths,
        "components": {"schemas": components},
    }


def answer_type(operation: Operation) -> Any:
    """The declared type of a reply's body, or None where there is no body or it is not JSON."""
    answers = operation.answers
    return None if answers in (None, type(None), Reply, Any) else answers


def _types(operation: Operation) -> list[Any]:
    found = [p.type for p in operation.parameters if p.place != "parsed" and p.type is not bytes]
    answer = answer_type(operation)
    return [*found, *([answer] if answer is not None else [])]


def _operation(operation: Operation, by_type: dict[int, Any]) -> dict[str, Any]:
    answer = answer_type(operation)
    reply: dict[str, Any] = {"description": operation.summary or operation.name}
    if answer is not None:
        reply["content"] = {"application/json": {"schema": by_type[id(answer)]}}
    status = operation.status if answer is not None or operation.status != 200 else 204
    out: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": list(
            {
                (spec["name"], spec["in"]): spec for p in operation.parameters for spec in _parameters(p, by_type)
            }.values()
        ),
        "responses": {str(status): reply},
    }
    if operation.tags:
        out["tags"] = list(operation.tags)
    if operation.body is not None:
        schema = (
            {"type": "string", "format": "binary"} if operation.body.type is bytes else by_type[id(operation.body.type)]
        )
        kind = "application/octet-stream" if operation.body.type is bytes else "application/json"
        out["requestBody"] = {"required": operation.body.required, "content": {kind: {"schema": schema}}}
    return out


def _parameters(parameter: Parameter, by_type: dict[int, Any]) -> list[dict[str, Any]]:
    if parameter.place == "body":
        return []
    if parameter.place == "parsed":
        return [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in getattr(parameter.type, "PARAMETERS", {}).items()
        ]
    return [
        {
            "name": parameter.name,
            "in": parameter.place,
            "required": parameter.required,
            "schema": by_type[id(parameter.type)],
        }
    ]
