"""Multipart forms: fields and files of one body, parsed by python-multipart within the product's size limits.

The standard library's mail parser was tried first: it reads parts of the type `message/rfc822` or `multipart/mixed` as
messages of their own, so an uploaded mail would be lost.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from diorama.kit.bounds import Detail, Invalid, Malformed, SizeLimits

UNTYPED = "application/octet-stream"


class Upload(msgspec.Struct, frozen=True):
    """A file of a multipart form."""

    filename: str
    content_type: str
    content: bytes


class Parts(msgspec.Struct):
    """A multipart form: the text fields and the files, each by name in the order sent."""

    fields: dict[str, list[str]]
    files: dict[str, list[Upload]]


def parse_multipart(body: bytes, content_type: str, limits: SizeLimits, charset: str = "utf-8") -> Parts:
    """Return the parts of a body; raise Malformed if it is cut off or has no boundary, Invalid beyond the bounds."""
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    boundary = parse_options_header(content_type)[1].get(b"boundary")
    if not boundary:
        raise Malformed("the content type of a multipart body names no boundary")
    reading = _Reading(limits, charset)
    try:
        parser = MultipartParser(boundary, reading.callbacks())  # type: ignore[arg-type] # a TypedDict of the same keys
        parser.write(body)
        parser.finalize()
    except FormParserError as error:
        raise Malformed(str(error)) from error
    if not reading.ended:
        raise Malformed("the multipart body ends before its last boundary")
    return reading.parts


def add_field(body: bytes, content_type: str, name: str, value: str) -> bytes:
    """Return a body with one more text field in front."""
    part = f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
    return _delimiter(content_type) + b"\r\n" + part.encode() + (body or _delimiter(content_type) + b"--\r\n")


def drop_field(body: bytes, content_type: str, name: str) -> bytes:
    """Return a body without the text fields of a name; the other parts are left as they were sent."""
    from python_multipart.multipart import parse_options_header

    delimiter = _delimiter(content_type)
    first, *parts = body.split(delimiter)
    kept = [first]
    for part in parts:
        head = part.partition(b"\r\n\r\n")[0]
        placed = re.search(rb"^content-disposition:\s*(.*?)\r?$", head, re.IGNORECASE | re.MULTILINE)
        options = parse_options_header(placed[1])[1] if placed else {}
        if options.get(b"name") != name.encode() or b"filename" in options:
            kept.append(part)
    return delimiter.join(kept)


def _delimiter(content_type: str) -> bytes:
    from python_multipart.multipart import parse_options_header

    return b"--" + parse_options_header(content_type)[1].get(b"boundary", b"")


class _Reading:
    """Collects the parts while the parser calls back."""

    def __init__(self, limits: SizeLimits, charset: str) -> None:
        self.limits = limits
        self.charset = charset
        self.parts = Parts({}, {})
        self.ended = False
        self.count = 0
        self.name, self.value, self.content = b"", b"", bytearray()
        self.headers: dict[bytes, bytes] = {}

    def callbacks(self) -> dict[str, Any]:
        return {
            "on_part_begin": self.begin, "on_part_data": self.data, "on_part_end": self.end, "on_end": self.finish,
            "on_header_field": self.header_name, "on_header_value": self.header_value, "on_header_end": self.header,
        }  # fmt: skip

    def begin(self) -> None:
        self.count += 1
        if self.count > self.limits.parts:
            raise Invalid(Detail(f"the form has more than {self.limits.parts} parts", "form"))
        self.headers, self.content = {}, bytearray()

    def header_name(self, data: bytes, start: int, end: int) -> None:
        self.name += data[start:end]

    def header_value(self, data: bytes, start: int, end: int) -> None:
        self.value += data[start:end]

    def header(self) -> None:
        self.headers[self.name.lower()] = self.value
        self.name, self.value = b"", b""

    def data(self, data: bytes, start: int, end: int) -> None:
        self.content += data[start:end]

    def end(self) -> None:
        from python_multipart.multipart import parse_options_header

        kind, options = parse_options_header(self.headers.get(b"content-disposition", b""))
        if kind != b"form-data" or b"name" not in options:
            raise Malformed("a part of the form has no name")
        name = _text(options[b"name"], "utf-8")
        filename = options.get(b"filename")
        if filename is None:
            value = _text(bytes(self.content), self.charset)
            if len(value) > self.limits.text:
                raise Invalid(Detail(f"{name} is longer than {self.limits.text} characters", "form", name))
            self.parts.fields.setdefault(name, []).append(value)
        else:
            content_type = self.headers.get(b"content-type", UNTYPED.encode()).decode("latin-1")
            upload = Upload(_text(filename, "utf-8"), content_type, bytes(self.content))
            self.parts.files.setdefault(name, []).append(upload)

    def finish(self) -> None:
        self.ended = True


def _text(raw: bytes, charset: str) -> str:
    try:
        return raw.decode(charset)
    except UnicodeDecodeError as error:
        raise Malformed(f"a part of the form is not {charset} text") from error
