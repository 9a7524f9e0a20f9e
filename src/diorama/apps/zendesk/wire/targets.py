"""Targets as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE, Target
from diorama.apps.zendesk.wire.pagination import Listing


def target_object(target: Target) -> dict[str, Any]:
    """Return the API object of a target; its fields depend on its type."""
    return {
        "url": f"{BASE}/targets/{target.id}.json",
        "id": target.id,
        "type": target.type,
        "title": target.title,
        "active": target.active,
        "created_at": target.created_at,
        **{name: None if name == "password" else value for name, value in target.settings.items()},
    }


class TargetRequest(Struct):
    target: dict[str, Any] | UnsetType = UNSET


class TargetResponse(Struct):
    target: dict[str, Any]


class TargetsResponse(Listing, kw_only=True):
    targets: list[dict[str, Any]]


class TargetFailureObject(Struct, kw_only=True):
    url: str
    id: int
    target_name: str
    status_code: int | None
    consecutive_failure_count: int
    raw_request: str
    raw_response: str
    created_at: datetime


class TargetFailureResponse(Struct):
    target_failure: TargetFailureObject


class TargetFailuresResponse(Struct):
    target_failures: list[TargetFailureObject]
