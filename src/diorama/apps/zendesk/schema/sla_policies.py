"""Records of SLA policies."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, sparse, ulid


class PolicyMetric(msgspec.Struct, frozen=True, kw_only=True):
    """The target time of one metric at one priority, in seconds."""

    priority: str
    metric: str
    target: int
    business_hours: bool = False


@APP.record("sla_policies", ids=sparse(18_416_455_302_164, 320), index=[("position", "id")], cached=True)
class SlaPolicy(Record):
    """Targets for tickets that match a filter; a ticket gets the first policy that matches."""

    title: str
    description: str | None = None
    position: int = 0
    filter: Conditions
    policy_metrics: tuple[PolicyMetric, ...] = ()
    created_at: datetime
    updated_at: datetime


@APP.record("group_sla_policies", ids=ulid(), index=[("position", "id")], cached=True)
class GroupSlaPolicy(Record):
    """How long a ticket may stay with one of these groups."""

    id: str = ""
    title: str
    description: str | None = None
    position: int = 0
    filter: Conditions
    policy_metrics: tuple[PolicyMetric, ...] = ()
    created_at: datetime
    updated_at: datetime
