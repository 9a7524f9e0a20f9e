"""Resource collections in API format."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Listing


class ResourceObject(Struct, kw_only=True):
    type: str
    identifier: str
    resource_id: int | str
    deleted: bool


class CollectionObject(Struct, kw_only=True):
    id: int
    resources: list[ResourceObject]
    created_at: datetime
    updated_at: datetime


class CollectionRequest(Struct):
    payload: dict[str, Any] | UnsetType = UNSET


class CollectionResponse(Struct):
    resource_collection: CollectionObject


class CollectionsResponse(Listing, kw_only=True):
    resource_collections: list[CollectionObject]
