"""Records of triggers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, sparse


@APP.record("triggers", ids=sparse(18_416_301_770_004, 640), index=[("active", "position")], cached=True)
class Trigger(Record):
    """Run the actions when a ticket was created or updated and the conditions hold."""

    title: str
    active: bool = True
    position: int = 0
    conditions: Conditions
    actions: tuple[Action, ...]
    description: str | None = None
    category_id: str | None = None
    default: bool = False
    revision: int = 1
    created_at: datetime
    updated_at: datetime


@APP.record("trigger_revisions", ids=sparse(18_416_501_276_436, 128), index=[("trigger_id", "number")])
class TriggerRevision(Record):
    """A saved version of a trigger."""

    trigger_id: int
    number: int
    author_id: int
    created_at: datetime
    content: dict[str, Any]
