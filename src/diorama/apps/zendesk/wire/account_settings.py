"""Account settings as the API shows and takes them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType


class SettingsRequest(Struct):
    settings: dict[str, Any] | UnsetType = UNSET


class SettingsResponse(Struct):
    settings: dict[str, dict[str, Any]]
