"""Records of organizations."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record(
    "organizations",
    ids=sparse(19_856_122_753_300, 512),
    index=[("name",), ("external_id",), ("updated_at", "id")],
    search=("name", "notes", "details"),
    cached=True,
)
class Organization(Record):
    """A company that customers belong to."""

    name: str
    created_at: datetime
    updated_at: datetime
    domain_names: tuple[str, ...] = ()
    external_id: str | None = None
    group_id: int | None = None
    details: str | None = None
    notes: str | None = None
    tags: tuple[str, ...] = ()
    shared_tickets: bool = False
    shared_comments: bool = False
    organization_fields: dict[str, Any] = {}
