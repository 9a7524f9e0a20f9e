"""Pieces of the configuration that were set up together, and go together."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


class Resource(msgspec.Struct, frozen=True):
    """One piece, by the name that its collection gave it."""

    type: str
    identifier: str
    resource_id: int | str


@APP.record("resource_collections", ids=sparse(18_416_303_990_548, 384))
class ResourceCollection(Record):
    """What somebody set up in one go."""

    resources: tuple[Resource, ...] = ()
    created_at: datetime
    updated_at: datetime
