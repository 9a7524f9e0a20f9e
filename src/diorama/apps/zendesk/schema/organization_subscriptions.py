"""Records of organization subscriptions."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record(
    "organization_subscriptions",
    ids=sparse(22_740_118_206_484, 256),
    index=[("organization_id",)],
    unique=[("user_id", "organization_id")],
)
class OrganizationSubscription(Record):
    """A user's subscription to new tickets of an organization."""

    user_id: int
    organization_id: int
    created_at: datetime
