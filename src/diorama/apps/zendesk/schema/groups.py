"""Records of groups."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("groups", ids=sparse(18_416_262_917_908, 1024), search=("name", "description"), cached=True)
class Group(Record):
    """A team of agents."""

    name: str
    description: str = ""
    default: bool = False
    is_public: bool = True
    deleted: bool = False
    created_at: datetime
    updated_at: datetime
