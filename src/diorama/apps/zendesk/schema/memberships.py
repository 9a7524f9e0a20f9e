"""Group and organization memberships."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record(
    "organization_memberships",
    ids=sparse(22_310_554_870_676, 256),
    index=[("organization_id", "user_id")],
    unique=[("user_id", "organization_id")],
    cached=True,
)
class OrganizationMembership(Record):
    """A user's membership in an organization; one of them is the default."""

    user_id: int
    organization_id: int
    default: bool = False
    view_tickets: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "group_memberships",
    ids=sparse(18_977_403_221_524, 256),
    index=[("group_id", "user_id")],
    unique=[("user_id", "group_id")],
    cached=True,
)
class GroupMembership(Record):
    """An agent's membership in a group; one of them is the default."""

    user_id: int
    group_id: int
    default: bool = False
    created_at: datetime
    updated_at: datetime
