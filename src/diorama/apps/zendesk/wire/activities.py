"""Activities as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from diorama.apps.zendesk.wire.pagination import Listing


class ActivityObject(Struct, kw_only=True):
    url: str
    id: int
    title: str
    verb: str
    user_id: int
    actor_id: int
    created_at: datetime
    updated_at: datetime
    object: dict[str, Any]
    target: dict[str, Any]
    user: dict[str, Any]
    actor: dict[str, Any]


class ActivityResponse(Struct):
    activity: ActivityObject


class ActivitiesResponse(Listing, kw_only=True):
    activities: list[ActivityObject]
    users: list[Any]
    actors: list[Any]
