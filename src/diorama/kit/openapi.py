"""The OpenAPI document of an app, made from its operations and nothing else."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

from diorama.kernel import Missing, Record, Reply
from diorama.kit.app import App
from diorama.kit.operation import Detail, Operation, Parameter
from diorama.kit.product import KINDS, Product

_ABOUT: dict[str, Any] = {"rate_limited": 1, "too_large": 1, "missing": Missing(Record, 1), "invalid": Detail("")}
REF = "#/components/schemas/{name}"


def document(app: App) -> dict[str, Any]:
    """OpenAPI 3.1: every operation with its parameters, body and reply."""
    types = {id(t): t for operation in app.product.operations for t in _types(operation)}
    schemas, components = msgspec.json.schema_components(list(types.values()), ref_template=REF)
    by_type = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    errors = _errors(app.product)
    product = app.product
    for operation in product.operations:
        shown = _operation(operation, by_type, (product.grants.header,) if product.grants is not None else ())
        shown["responses"] |= {
            str(status): errors[status] for status in _refused(product, operation) if status in errors
        }
        if product.idempotency is not None and operation.idempotent:
            header = {
                "name": product.idempotency.header,
                "in": "header",
                "required": False,
                "schema": {"type": "string"},
            }
            shown["parameters"].append(header)
        paths.setdefault(operation.path, {})[operation.method.lower()] = shown
    return {
        "openapi": "3.1.0",
        "info": {"title": app.title, "version": app.product.api or "1"},
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


def _operation(operation: Operation, by_type: dict[int, Any], hidden: tuple[str, ...]) -> dict[str, Any]:
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
                (spec["name"], spec["in"]): spec
                for p in operation.parameters
                if p.name not in hidden
                for spec in _parameters(p, by_type)
            }.values()
        ),
        "responses": {str(status): reply},
    }
    if operation.role:
        out["x-role"] = operation.role
    if operation.tags:
        out["tags"] = list(operation.tags)
    if operation.body is not None:
        schema = (
            {"type": "string", "format": "binary"} if operation.body.type is bytes else by_type[id(operation.body.type)]
        )
        kind = "application/octet-stream" if operation.body.type is bytes else "application/json"
        required = operation.body.required and _needs_body(operation.body.type)
        out["requestBody"] = {"required": required, "content": {kind: {"schema": schema}}}
    return out


def _needs_body(kind: Any) -> bool:
    """Whether nothing at all would be refused: an empty body is read as an object without any fields."""
    if kind is bytes:
        return False
    try:
        msgspec.convert({}, kind)
    except msgspec.ValidationError:
        return True
    return False


def _errors(app: Product) -> dict[int, dict[str, Any]]:
    """A refused request, by status: the vendor's envelope, with the fields that it always has."""
    refusals = [app.refusal(kind, _ABOUT.get(kind, "")) for kind in KINDS]
    shown = [(one.status, *app.envelope(one)) for one in refusals if one.status < 500]
    shapes: dict[int, list[tuple[str, bytes]]] = {status: [] for status in app.refuses}
    for status, content_type, body in shown:
        shapes.setdefault(status, []).append((content_type, body))
    usual = [(content_type, body) for _, content_type, body in shown]
    return {status: _error(status, found or usual) for status, found in sorted(shapes.items())}


def _error(status: int, bodies: list[tuple[str, bytes]]) -> dict[str, Any]:
    out: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    values = [msgspec.json.decode(body) for kind, body in bodies if "json" in kind]
    if values and all(isinstance(value, dict) for value in values):
        always = set.intersection(*(set(value) for value in values))
        schema = {"type": "object", "required": sorted(always)} if always else {"type": "object"}
        out["content"] = {bodies[0][0].partition(";")[0]: {"schema": schema}}
    return out


def _refused(app: Product, operation: Operation) -> list[int]:
    """The statuses with which an operation may refuse: what any of them may, and what only writes meet."""
    kinds = ["malformed", "invalid", "forbidden", "missing", "too_large"]
    kinds += [] if operation.public and operation.method == "GET" else ["unauthorized"]  # a write may know its client
    kinds += ["rate_limited"] if app.limit is not None else []
    kinds += ["conflict"] if operation.method != "GET" else []
    usual = {app.refusal(kind, _ABOUT.get(kind, "")).status for kind in kinds}
    return sorted(usual | set(app.refuses if operation.method != "GET" else ()))


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
