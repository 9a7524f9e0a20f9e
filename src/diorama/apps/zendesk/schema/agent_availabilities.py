"""Records of agent availabilities."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse

Presence = Literal["online", "away", "transfers_only", "offline"]
PRESENCES: tuple[Presence, ...] = ("online", "away", "transfers_only", "offline")


@APP.record("agent_availabilities", ids=sparse(24_880_913_554_196, 64), index=[("status",)], unique=[("user_id",)])
class Availability(Record):
    """An agent's availability, and how many open tickets they can take."""

    user_id: int
    status: Presence = "offline"
    capacity: int = 5
    version: int = 1
    updated_at: datetime
