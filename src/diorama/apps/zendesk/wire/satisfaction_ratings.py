"""Satisfaction ratings as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import SatisfactionRating
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class RatingObject(Struct, kw_only=True):
    url: str
    id: int
    assignee_id: int | None
    group_id: int | None
    requester_id: int
    ticket_id: int
    score: str
    created_at: datetime
    updated_at: datetime
    comment: str | None
    reason: str | None
    reason_id: int | None
    reason_code: int | None


def rating_object(rating: SatisfactionRating, reason: SatisfactionReason | None = None) -> RatingObject:
    """A customer's rating of a ticket."""
    return shaped(
        RatingObject,
        rating,
        f"satisfaction_ratings/{rating.id}",
        reason=reason.value if reason else None,
        reason_id=reason.id if reason else None,
    )


class RatingInput(Struct, kw_only=True):
    score: str = ""
    comment: str | None = None
    reason_code: int | None = None


class RatingRequest(Struct):
    satisfaction_rating: RatingInput | UnsetType = UNSET


class SatisfactionRatingResponse(Struct):
    satisfaction_rating: RatingObject


class SatisfactionRatingsResponse(Listing, kw_only=True):
    satisfaction_ratings: list[RatingObject]
