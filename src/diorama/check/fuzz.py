"""Requests made from an app's own OpenAPI document: some fit it, some almost fit, some cannot fit."""

import re
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from diorama.contract.pool import fill
from diorama.kernel import Dice, Request, World
from diorama.kit import App, Operation
from diorama.kit.arguments import FORM
from diorama.kit.openapi import document

WRONG: tuple[Any, ...] = (
    None, True, 0, -1, 7.5, 2**31, 2**53, 2**62, 10**19, 10**30, "", "x", "\x00", "7", "2026-13-45", "a" * 3000,
    [], [None], [[]], {}, {"x": 1}, "2026-03-02T10:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59",
    "\N{PILE OF POO}", "'; DROP TABLE x; --", '"', "*", "(", "NEAR(",
)  # fmt: skip
STRINGS = ("", "x", "0", "-1", "open", "a b", "null", "true", "2026-03-02", "\x00", "é" * 40, "%", '"', "*", "NOT")
URLS = ("https://example.com/hook", "http://hooks.example.org:8080/a/b?c=d#e", "https://example.com", "ftp://x", "//x")
TEXTS = (
    *URLS, "ana@example.com", "Ana <ana@example.com>", "ana@", "2026-03-02T10:00:00Z", "2026-02-30", "2026-03-02",
)  # fmt: skip
"""What texts often are, right and almost right: addresses of pages and people, moments and days."""
URL_NAME = re.compile(r"url|uri|endpoint|link|callback|href", re.IGNORECASE)


JSON_MEDIA = "application/json"

document_of = cache(document)
"""Return an app's own document, made once per process: that of a large app takes a tenth of a second."""


class Fuzz:
    """A source of requests for one app in one world."""

    def __init__(self, app: App, world: World, dice: Dice) -> None:
        self.app = app
        self.dice = dice
        self.document = document_of(app)
        self.pool = fill(world, app, dice.child("pool"))
        self.known = [key for keys in self.pool.ids.values() for key in list(keys)[:3]] + [0, 1, -1, 10**18, "x"]

    def drawing_from(self, dice: Dice) -> "Fuzz":
        """Return the same source with other dice: what is known of the world is found out once."""
        twin = copy(self)
        twin.dice = dice
        return twin

    def requests(self, operation: Operation, count: int) -> Iterator[Request]:
        """Yield requests that more or less fit an operation."""
        declared = self.document["paths"][operation.documented][operation.method.lower()]
        content = declared.get("requestBody", {}).get("content", {})
        media = next((one for one in (JSON_MEDIA, FORM) if one in content), "")
        schema = content[media]["schema"] if media else None
        for number in range(count):
            spoiled = number % 3 == 2
            about = operation.path.partition("{")[0].strip("/").rpartition("/")[2]
            path = operation.path
            share = self.dice.pick([0.0, 0.15, 0.5])
            query: dict[str, str] = {}
            headers: dict[str, str] = {}
            for parameter in declared["parameters"]:
                if parameter["in"] == "path":
                    value = self.named(parameter["name"], about, object)
                    path = path.replace(f"{{{parameter['name']}}}", quote(str(value), safe="") or "x")
                elif parameter["required"] or self.dice.chance(share):
                    fits = self.value(parameter["schema"], parameter["name"], about)
                    value = self.spoil(fits) if spoiled and self.dice.chance(0.5) else fits
                    place = query if parameter["in"] == "query" else headers
                    place[parameter["name"] if place is query else parameter["name"].lower()] = _plain(value)
            body = b""
            if schema is not None:
                fits = self.value(schema, "", about)
                body = encoded(media, self.spoil(fits) if spoiled else fits)
                headers["content-type"] = media
            elif content:
                body = bytes(self.dice.integer(0, 255) for _ in range(20))
            yield Request(operation.method, path, urlencode(query), headers, body, host_of(self.app, operation))

    def named(self, name: str, about: str, kind: type) -> Any:
        """Return something of this world that has such a name, most of the time."""
        found = [one for one in self.pool.named(name, about) or self.pool.last_part(name) if isinstance(one, kind)]
        if found and self.dice.chance(0.85):
            return self.dice.pick(found)
        return self.dice.pick([one for one in self.known if isinstance(one, kind)])

    def value(self, schema: Mapping[str, Any], name: str = "", about: str = "", depth: int = 0) -> Any:
        """Return something that fits a schema; `name` is its field, `about` the thing around it."""
        dice = self.dice
        if "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return dice.pick(schema["enum"])
        if choices := schema.get("anyOf") or schema.get("oneOf"):
            return self.value(dice.pick(choices), name, about, depth)
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            must, share = schema.get("required", ()), dice.pick([0.0, 0.1, 0.5, 0.95])
            fields = {
                key: self.value(inner, key, name or about, depth + 1)
                for key, inner in schema.get("properties", {}).items()
                if key in must or (depth < 4 and dice.chance(share)) or len(schema["properties"]) == 1
            }
            extra = schema.get("additionalProperties")
            if isinstance(extra, dict) and dice.chance(0.7):
                fields[dice.pick(STRINGS)] = self.value(extra, name, about, depth + 1)
            return fields
        if kind == "array":
            return [self.value(schema.get("items", {}), name, about, depth + 1) for _ in range(dice.integer(0, 3))]
        if kind == "integer":
            return self.named(name, about, int) if dice.chance(0.7) else dice.pick([0, 1, 2, 3, 40, 10_000, 2**40])
        if kind == "number":
            return dice.pick([0.5, -2.5, 1e6, 3])
        if kind == "boolean":
            return dice.chance(0.5)
        if kind == "null":
            return None
        if kind == "string":
            return self.text(schema, name, about)
        return dice.pick(WRONG)

    def text(self, schema: Mapping[str, Any], name: str, about: str) -> str:
        """Return a text: one of this world, an id of it, a URL, an address, a date, or something odd."""
        dice = self.dice
        if (schema.get("format") in ("uri", "url") or URL_NAME.search(name)) and dice.chance(0.6):
            return dice.pick(URLS)
        if dice.chance(0.6):
            return str(self.named(name, about, str))
        known = [str(one) for one in self.known]
        return dice.pick(dice.pick([STRINGS, TEXTS, known]))

    def spoil(self, value: Any) -> Any:
        """Return the same value with one part of it wrong."""
        dice = self.dice
        if isinstance(value, dict) and value and dice.chance(0.85):
            key = dice.pick(sorted(value))
            return {**value, key: self.spoil(value[key])}
        if isinstance(value, list) and value and dice.chance(0.6):
            at = dice.integer(0, len(value) - 1)
            return [*value[:at], self.spoil(value[at]), *value[at + 1 :]]
        return dice.pick(WRONG)


def host_of(app: App, operation: Operation) -> str:
    """Return the host name of an operation, with something in place of every slot; "" is the main host."""
    return re.sub(r"\{\w+\}", "example", app.hosts.get(operation.host, "")) if operation.host else ""


def encoded(media: str, value: Any) -> bytes:
    """Return a body of this media type: a form if it is one and the value has fields, else JSON."""
    if media == FORM and isinstance(value, dict):
        return urlencode({key: _plain(one) for key, one in value.items()}).encode()
    return msgspec.json.encode(value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
