"""Satisfaction reasons as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class ReasonObject(Struct, kw_only=True):
    url: str
    id: int
    reason_code: int
    value: str
    raw_value: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


def reason_object(reason: SatisfactionReason) -> ReasonObject:
    """Return the API object of a reason for a bad rating."""
    return shaped(ReasonObject, reason, f"satisfaction_reasons/{reason.id}", raw_value=reason.value)


class ReasonsResponse(Listing, kw_only=True):
    reasons: list[ReasonObject]


class ReasonResponse(Struct):
    reason: ReasonObject
