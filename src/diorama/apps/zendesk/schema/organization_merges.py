"""Records of organization merges."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, ulid


@APP.record("organization_merges", ids=ulid(), index=[("winner_id",), ("loser_id",)])
class OrganizationMerge(Record):
    """A merge of one organization into another, in the background."""

    id: str = ""
    winner_id: int
    loser_id: int
    status: Literal["new", "in_progress", "error", "complete"] = "new"
    created_at: datetime
