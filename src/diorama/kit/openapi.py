"""The OpenAPI document of an app, generated only from its operations."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec

from diorama.kernel import Missing, Record, Reply
from diorama.kit.app import App
from diorama.kit.arguments import FORM, MULTIPART, Parameter, is_list
from diorama.kit.bounds import Detail, SizeLimits
from diorama.kit.dispatch import ByField, ByHeader
from diorama.kit.operation import Operation
from diorama.kit.product import ALL_REFUSAL_KINDS, Product

_ABOUT: dict[str, Any] = {"rate_limited": 1, "too_large": 1, "missing": Missing(Record, 1), "invalid": Detail("")}
REF = "#/components/schemas/{name}"
_IN_URL = ("path", "query", "header", "cookie")
_FILE = {"type": "string", "format": "binary"}


def document(app: App) -> dict[str, Any]:
    """Return OpenAPI 3.1: every operation with its parameters, bodies, replies and bounds."""
    product = app.product
    types = {id(t): t for operation in product.operations for t in _types(operation)}
    schemas, components = msgspec.json.schema_components(list(types.values()), ref_template=REF)
    by_type = dict(zip(types, schemas, strict=True))
    _bound_bodies(product, by_type, components)
    paths: dict[str, dict[str, Any]] = {}
    errors = _errors(product)
    for operation in product.operations:
        shown = _operation(product, operation, by_type)
        for status in _refused(product, operation):
            if status in errors:
                shown["responses"][str(status)] = _either(shown["responses"].get(str(status)), errors[status])
        if operation.host:
            shown["servers"] = [{"url": f"https://{app.hosts.get(operation.host, operation.host)}"}]
        paths.setdefault(operation.documented, {})[operation.method.lower()] = shown
    return {
        "openapi": "3.1.0",
        "info": {"title": app.title, "version": product.api or "1"},
        "servers": [{"url": f"https://{app.host}"}],
        "paths": paths,
        "components": {"schemas": components},
    }


def answer_type(operation: Operation) -> Any:
    """Return the declared type of a reply's body, or None if it has no body or the handler makes the reply itself."""
    answers = operation.answers
    return None if answers in (None, type(None), Reply, Any) else answers


def _types(operation: Operation) -> list[Any]:
    found = [p.type for p in operation.parameters if p.place not in ("parsed", "file") and p.type is not bytes]
    answer = answer_type(operation)
    return [*found, *([answer] if answer is not None else [])]


def _operation(product: Product, operation: Operation, by_type: dict[int, Any]) -> dict[str, Any]:
    answer = answer_type(operation)
    reply: dict[str, Any] = {"description": operation.summary or operation.name}
    if answer is not None:
        reply["content"] = {(operation.encoder or product.encoder).media: {"schema": by_type[id(answer)]}}
    empty = operation.answers in (None, type(None)) and operation.status == 200
    status = 204 if empty else operation.status
    out: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": _all_parameters(product, operation, by_type),
        "responses": {str(one): reply for one in (status, *operation.also)},
    }
    if operation.role:
        out["x-role"] = operation.role
    if operation.tags:
        out["tags"] = list(operation.tags)
    if operation.media:
        out["requestBody"] = _request_body(operation, by_type)
    return out


# --- parameters


def _all_parameters(product: Product, operation: Operation, by_type: dict[int, Any]) -> list[dict[str, Any]]:
    """Return the parameters outside the body, each once."""
    hidden = (product.grants.header,) if product.grants is not None else ()
    listed = [spec for p in operation.parameters if p.name not in hidden for spec in _parameters(operation, p, by_type)]
    if isinstance(operation.when, ByHeader | ByField) and (isinstance(operation.when, ByHeader) or not operation.media):
        place = "header" if isinstance(operation.when, ByHeader) else "query"
        listed.append(_spec(operation.when.name, place, True, {"type": "string", "enum": [operation.when.value]}))
    if product.idempotency is not None and operation.idempotent:
        listed.append(_spec(product.idempotency.header, "header", False, {"type": "string"}))
    return list({(spec["name"], spec["in"]): spec for spec in listed}.values())


def _parameters(operation: Operation, parameter: Parameter, by_type: dict[int, Any]) -> list[dict[str, Any]]:
    if parameter.place == "parsed":
        listed = getattr(parameter.type, "PARAMETERS", {}).items()
        return [_spec(name, "query", False, bounded(schema, operation.size_limits.in_url)) for name, schema in listed]
    if parameter.place in _IN_URL:
        schema = bounded(by_type[id(parameter.type)], operation.size_limits.in_url)
        return [_spec(parameter.name, parameter.place, parameter.required, schema)]
    if parameter.place in ("field", "json field") and "query" in (
        operation.arguments.places if operation.arguments is not None else ()
    ):
        required = parameter.required and not operation.media
        text = parameter.place == "json field"
        schema = {"type": "string"} if text else by_type[id(parameter.type)]
        return [_spec(parameter.name, "query", required, bounded(schema, operation.size_limits.in_url))]
    return []


def _spec(name: str, place: str, required: bool, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": schema}


# --- bodies


def _request_body(operation: Operation, by_type: dict[int, Any]) -> dict[str, Any]:
    body = operation.body
    if body is not None:
        whole = _FILE if body.type is bytes else by_type[id(body.type)]
        required = body.required and _needs_body(body.type)
        return {"required": required, "content": {media: {"schema": whole} for media in operation.media}}
    anywhere = operation.arguments is not None and "query" in operation.arguments.places
    fields = [p for p in operation.parameters if p.place in ("form", "field", "json field", "file")]
    demanded = {p.name for p in fields if p.required and (p.place in ("form", "file") or not anywhere)}
    fixed: dict[str, Any] = {}
    if isinstance(operation.when, ByField):
        fixed[operation.when.name] = {"type": "string", "enum": [operation.when.value]}
    content = {}
    for media in operation.media:
        members = {p.name: _member(operation, p, media, by_type) for p in fields}
        schema: dict[str, Any] = {"type": "object", "properties": members | fixed}
        if demanded or fixed:
            schema["required"] = sorted({*demanded, *fixed})
        content[media] = {"schema": schema}
    return {"required": bool(demanded or fixed), "content": content}


def _member(operation: Operation, parameter: Parameter, media: str, by_type: dict[int, Any]) -> dict[str, Any]:
    """Return the schema of one field of a body."""
    if parameter.place == "file":
        return {"type": "array", "items": _FILE} if is_list(parameter.type) else _FILE
    schema: dict[str, Any] = by_type[id(parameter.type)]
    if parameter.place == "json field" and media in (FORM, MULTIPART):
        return {
            "type": "string",
            "maxLength": operation.size_limits.text,
            "contentMediaType": "application/json",
            "contentSchema": schema,
        }
    return bounded(schema, operation.size_limits)


def _needs_body(kind: Any) -> bool:
    """Return whether an empty body would be refused: it is read as an object without any fields."""
    if kind is bytes:
        return False
    try:
        msgspec.convert({}, kind)
    except msgspec.ValidationError:
        return True
    return False


# --- bounds


def bounded(schema: dict[str, Any], limits: SizeLimits) -> dict[str, Any]:
    """Return a schema with the bounds of a request, wherever it says nothing stricter or wider itself."""
    if "$ref" in schema or "enum" in schema or "const" in schema:
        return schema
    out = dict(schema)
    kind = schema.get("type")
    if kind == "string" and "format" not in schema:
        out.setdefault("maxLength", limits.text)
    elif kind in ("integer", "number"):
        if "exclusiveMaximum" not in out:
            out.setdefault("maximum", limits.number)
        if "exclusiveMinimum" not in out:
            out.setdefault("minimum", -limits.number - 1)
    elif kind == "array":
        out.setdefault("maxItems", limits.items)
    elif kind == "object" and "properties" not in out:
        out.setdefault("maxProperties", limits.fields)
    for name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        if name in out:
            out[name] = [bounded(part, limits) for part in out[name]]
    for name in ("items", "additionalProperties"):
        if isinstance(out.get(name), dict):
            out[name] = bounded(out[name], limits)
    if "properties" in out:
        out["properties"] = {key: bounded(part, limits) for key, part in out["properties"].items()}
    return out


def _bound_bodies(product: Product, by_type: dict[int, Any], components: dict[str, Any]) -> None:
    """Write the bounds into the shapes of request bodies; a shape that replies have too stays as it is."""
    sent, answered = list[Any](), list[Any]()
    for operation in product.operations:
        sent.extend(by_type[id(p.type)] for p in operation.parameters if id(p.type) in by_type)
        answer = answer_type(operation)
        answered.extend([by_type[id(answer)]] if answer is not None else [])
    for name in _reachable(sent, components) - _reachable(answered, components):
        components[name] = bounded(components[name], product.size_limits)


def _reachable(schemas: Iterable[Any], components: dict[str, Any]) -> set[str]:
    """Return the names of the components that some schemas refer to, directly or not."""
    found: set[str] = set()
    waiting = list(schemas)
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name = str(one.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                waiting.append(components[name])
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return found


# --- refusals


def _errors(product: Product) -> dict[int, dict[str, Any]]:
    """Return a refused request by status: the vendor's envelope, with the fields that it always has."""
    refusals = [product.refusal(kind, _ABOUT.get(kind, "")) for kind in ALL_REFUSAL_KINDS]
    shown = [(one.status, *product.worded(one)) for one in refusals if one.status < 500]
    shapes: dict[int, list[tuple[str, bytes]]] = {status: [] for status in product.refuses}
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


def _either(answer: dict[str, Any] | None, error: dict[str, Any]) -> dict[str, Any]:
    """Return a reply that is an answer or a refusal: some vendors refuse with the status of a success."""
    if answer is None:
        return error
    content = dict(answer.get("content", {}))
    for media, shape in error.get("content", {}).items():
        known = content.get(media)
        content[media] = shape if known is None else {"schema": {"anyOf": [known["schema"], shape["schema"]]}}
    return {**answer, "content": content} if content else answer


def _refused(product: Product, operation: Operation) -> list[int]:
    """Return the statuses with which an operation may refuse: those of all operations, and those of writes."""
    kinds = ["malformed", "invalid", "forbidden", "missing", "too_large"]
    kinds += [] if operation.public and operation.method == "GET" else ["unauthorized"]  # writes may check the client
    kinds += ["rate_limited"] if product.rate_limit is not None else []
    kinds += ["conflict"] if operation.method != "GET" else []
    usual = {product.refusal(kind, _ABOUT.get(kind, "")).status for kind in kinds}
    return sorted(usual | set(product.refuses if operation.method != "GET" else ()))
