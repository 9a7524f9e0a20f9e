"""Wire formats that several vendors share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Any
from urllib.parse import quote

import msgspec

json_encode = msgspec.json.Encoder().encode
JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"


def iso_z(moment: datetime | None) -> str | None:
    """Format a moment like 2026-03-02T09:14:07Z; return None for None."""
    if moment is None:
        return None
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"


def parse_iso(text: str) -> datetime:
    """Parse an ISO 8601 text into a moment in UTC; a text without an offset is taken as UTC.

    Raise ValueError for a moment that UTC cannot express, too.
    """
    moment = datetime.fromisoformat(text)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text} is out of range") from error


def content_disposition(file_name: str, kind: str = "attachment") -> str:
    """Return a Content-Disposition header for any file name (RFC 6266): quoted, on one line, and in ASCII.

    A name with other characters is given a second time, encoded as RFC 5987 says.
    """
    name = "".join(character if character.isprintable() else "_" for character in file_name)
    plain = name.encode("ascii", "replace").decode()
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    header = f'{kind}; filename="{escaped}"'
    if plain != name:
        header += f"; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
    return header


@cache
def shared_fields(shape: Any, kind: Any) -> tuple[str, ...]:
    """Return the names of the fields that a wire shape and a kind of record have in common."""
    return tuple(name for name in shape.__struct_fields__ if hasattr(kind, name))


@cache
def _reader(shape: Any, kind: Any) -> tuple[tuple[str, ...], Callable[[Any], Iterable[Any]]]:
    """Return the names that a wire shape and a kind of record share, and a function that reads them all at once."""
    names = shared_fields(shape, kind)
    return names, attrgetter(*names) if len(names) > 1 else lambda record: [getattr(record, name) for name in names]


def alike(shape: Any, record: Any) -> dict[str, Any]:
    """Return the fields that a record and a wire shape have in common, by name."""
    names, read = _reader(shape, record.__class__)
    return dict(zip(names, read(record), strict=True))
