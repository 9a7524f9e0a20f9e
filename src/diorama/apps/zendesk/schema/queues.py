"""Records of queues."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, ulid


@APP.record("queues", ids=ulid(), index=[("position", "id")], cached=True)
class Queue(Record):
    """Tickets that match conditions, and the groups that take them; a ticket gets the first queue that matches."""

    id: str = ""
    name: str
    description: str = ""
    definition: Conditions
    priority: int = 1
    position: int = 0
    primary_group_ids: tuple[int, ...] = ()
    secondary_group_ids: tuple[int, ...] = ()
    created_at: datetime
    updated_at: datetime
