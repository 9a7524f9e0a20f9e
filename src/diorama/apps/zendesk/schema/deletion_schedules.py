"""Records of deletion schedules."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, ulid


@APP.record("deletion_schedules", ids=ulid())
class DeletionSchedule(Record):
    """Which records are deleted automatically, and when."""

    id: str = ""
    title: str
    description: str | None = None
    object: str = "zen:ticket"
    active: bool = False
    default: bool = False
    conditions: Conditions
    runs_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
