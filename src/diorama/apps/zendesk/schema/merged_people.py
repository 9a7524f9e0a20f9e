"""What stays behind of people who were merged or deleted, who follows an organization, and passwords."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Notice, Record, sparse, ulid


@APP.record("organization_merges", ids=ulid(), index=[("winner_id",), ("loser_id",)])
class OrganizationMerge(Record):
    """One organization goes into another, in the background."""

    id: str = ""
    winner_id: int
    loser_id: int
    status: Literal["new", "in_progress", "error", "complete"] = "new"
    created_at: datetime


@APP.record(
    "organization_subscriptions",
    ids=sparse(22_740_118_206_484, 256),
    index=[("organization_id",)],
    unique=[("user_id", "organization_id")],
)
class OrganizationSubscription(Record):
    """A user wants to hear of every new ticket of an organization."""

    user_id: int
    organization_id: int
    created_at: datetime


@APP.record("compliance_deletions", ids=sparse(24_102_560_331_028, 256), index=[("user_id", "id")])
class ComplianceDeletion(Record):
    """One step of forgetting a user for good."""

    user_id: int
    executer_id: int
    action: Literal["request_deletion", "started", "complete"]
    application: str = "all"
    created_at: datetime


@APP.record("passwords", ids=sparse(24_338_004_112_148, 128), unique=[("user_id",)])
class Password(Record):
    """The password of a user, as a digest."""

    user_id: int
    digest: str
    updated_at: datetime


class VerificationRequested(Notice):
    """A mail left that asks somebody whether an address is theirs."""

    user: int
    to: str
