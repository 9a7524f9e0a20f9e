"""Triggers of custom objects."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, sparse


@APP.record("object_triggers", ids=sparse(18_416_302_880_276, 384), index=[("object_key", "active", "position")])
class ObjectTrigger(Record):
    """Run the actions when a record of an object was created or updated and the conditions hold."""

    object_key: str
    title: str
    active: bool = True
    position: int = 0
    conditions: Conditions
    actions: tuple[Action, ...]
    description: str | None = None
    default: bool = False
    created_at: datetime
    updated_at: datetime
