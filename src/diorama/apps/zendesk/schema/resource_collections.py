"""Collections of configuration that are installed and deleted together."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


class Resource(msgspec.Struct, frozen=True):
    """One resource, by its name in the collection."""

    type: str
    identifier: str
    resource_id: int | str


@APP.record("resource_collections", ids=sparse(18_416_303_990_548, 384))
class ResourceCollection(Record):
    """Resources that were created together."""

    resources: tuple[Resource, ...] = ()
    created_at: datetime
    updated_at: datetime
