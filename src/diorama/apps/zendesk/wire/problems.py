"""The search for problem tickets as the API takes it."""

from __future__ import annotations

from msgspec import Struct


class AutocompleteRequest(Struct):
    text: str | None = None
