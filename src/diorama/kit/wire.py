"""Small words of the wire that several vendors spell alike."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

json_encode = msgspec.json.Encoder().encode
JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"


def iso_z(moment: datetime | None) -> str | None:
    """2026-03-02T09:14:07Z, or None for None."""
    if moment is None:
        return None
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"


def parse_iso(text: str) -> datetime:
    """The moment that an ISO 8601 text names, in UTC; a text without an offset is taken as UTC."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
