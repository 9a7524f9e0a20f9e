"""Encoders: how a product writes its replies, JSON or XML; declared per product, or per operation.

    APP = Product("storage", encoder=Xml(xmlns="http://s3.amazonaws.com/doc/2006-03-01/"), ...)

XML takes its names from the types: the root element is the Struct's name (or its tag: `Struct, tag="ListUsersResult"`),
the others are the fields' names on the wire (`rename=`). A list repeats its element; with
`Annotated[list[User], Item("member")]` it has an element of its own. `Annotated[str, Attribute()]` is an attribute,
`Annotated[str, Content()]` the text of the element itself. None and UNSET are left out.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from xml.sax.saxutils import escape, quoteattr

import msgspec

from diorama.kit.wire import JSON, json_encode

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document can hold."""
_ELEMENT = re.compile(r"[A-Za-z_][\w.:-]*")


class Encoder(msgspec.Struct, frozen=True):
    """A way to write what handlers return: the content type, and the function that makes the bytes."""

    content_type: str
    encode: Callable[[Any], bytes]

    @property
    def media(self) -> str:
        """The content type without its parameters."""
        return self.content_type.partition(";")[0]


AS_JSON = Encoder(JSON, json_encode)


class Attribute(msgspec.Struct, frozen=True):
    """Marks a field that is an attribute of its element."""


class Content(msgspec.Struct, frozen=True):
    """Marks the field that is the text of its element."""


class Item(msgspec.Struct, frozen=True):
    """The element of each item of a list that has an element of its own."""

    name: str


def Xml(root: str = "", content_type: str = "application/xml", **attributes: str) -> Encoder:  # noqa: N802 - reads as a type
    """Return an encoder that writes XML; `root` names the outermost element, `attributes` belong to it (xmlns)."""

    def encode(value: Any) -> bytes:
        return xml_encode(value, root, attributes)

    return Encoder(content_type, encode)


def xml_encode(value: Any, root: str = "", attributes: Mapping[str, str] = {}) -> bytes:
    """Return an XML document; the root element is called `root`, else as the value's type."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    _write(out, root or _root(value), value, "".join(f" {key}={quoteattr(text)}" for key, text in attributes.items()))
    return "".join(out).encode()


def _root(value: Any) -> str:
    if isinstance(value, msgspec.Struct):
        return str(value.__struct_config__.tag or type(value).__name__)
    return "Response"


class _Field(msgspec.Struct, frozen=True):
    """One field of a Struct on the wire: what it is (element, attribute, content), and the element of its items."""

    field: str
    name: str
    kind: str
    item: str


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    names = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return tuple(_field(field, name, hints[field]) for field, name in names.items())


def _field(field: str, name: str, hint: Any) -> _Field:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    kind, item = "element", ""
    for mark in marks:
        if isinstance(mark, Attribute) or mark is Attribute:
            kind = "attribute"
        elif isinstance(mark, Content) or mark is Content:
            kind = "content"
        elif isinstance(mark, Item):
            item = mark.name
    return _Field(field, name, kind, item)


def _write(out: list[str], name: str, value: Any, attributes: str = "") -> None:
    """Write one element."""
    if not _ELEMENT.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of an XML element")
    if isinstance(value, msgspec.Struct):
        _write_struct(out, name, value, attributes)
    elif isinstance(value, Mapping):
        out.append(f"<{name}{attributes}>")
        for key, inner in value.items():
            _write_field(out, str(key), inner, "")
        out.append(f"</{name}>")
    elif value is None or value is msgspec.UNSET or value == "":
        out.append(f"<{name}{attributes}/>")
    else:
        out.append(f"<{name}{attributes}>{escape(_text(value))}</{name}>")


def _write_struct(out: list[str], name: str, value: msgspec.Struct, attributes: str) -> None:
    inside: list[str] = []
    for field in _fields(type(value)):
        found = getattr(value, field.field)
        if found is None or found is msgspec.UNSET:
            continue
        if field.kind == "attribute":
            attributes += f" {field.name}={quoteattr(_text(found))}"
        elif field.kind == "content":
            inside.append(escape(_text(found)))
        else:
            _write_field(inside, field.name, found, field.item)
    out.append(f"<{name}{attributes}>{''.join(inside)}</{name}>" if inside else f"<{name}{attributes}/>")


def _write_field(out: list[str], name: str, value: Any, item: str) -> None:
    if isinstance(value, list | tuple | set | frozenset):
        if item:
            inside: list[str] = []
            for one in value:
                _write(inside, item, one)
            out.append(f"<{name}>{''.join(inside)}</{name}>" if inside else f"<{name}/>")
        else:
            for one in value:
                _write(out, name, one)
    else:
        _write(out, name, value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        moment = value if value.tzinfo is None else value.astimezone(UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return _text(value.value)
    return _NOT_XML.sub("\ufffd", str(value))
