"""Satisfaction ratings on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk.api.pagination import Page, count_records, page_of
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import permissions, satisfaction_ratings
from diorama.apps.zendesk.schema import APP, SatisfactionRating, Ticket
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.satisfaction_ratings import (
    RatingObject,
    RatingRequest,
    SatisfactionRatingResponse,
    SatisfactionRatingsResponse,
    rating_object,
)
from diorama.kernel import Tx


@APP.post("/api/v2/tickets/{ticket_id}/satisfaction_rating", role="user")
def create_ticket_satisfaction_rating(
    tx: Tx, me: Me, ticket_id: int, body: RatingRequest
) -> SatisfactionRatingResponse:
    """Say whether the help was good; only the requester may."""
    asked = required(body.satisfaction_rating, "satisfaction_rating")
    rating = satisfaction_ratings.rate_as(tx, me, ticket_id, asked.score, asked.comment, asked.reason_code)
    return SatisfactionRatingResponse(_ratings_shown(tx, (rating,))[0])


def _ratings_shown(tx: Tx, ratings: Sequence[SatisfactionRating]) -> list[RatingObject]:
    """Ratings with the reasons that customers gave."""
    codes = {rating.reason_code for rating in ratings if rating.reason_code is not None}
    reasons = {one.reason_code: one for one in tx.all(SatisfactionReason)} if codes else {}
    return [rating_object(rating, reasons.get(rating.reason_code or 0) if codes else None) for rating in ratings]


FOREVER_SECONDS = 253_402_300_799  # the end of the year 9999: later moments fit no column


@APP.get("/api/v2/satisfaction_ratings", role="agent")
def list_satisfaction_ratings(
    tx: Tx, page: Page, score: str | None = None, start_time: int | None = None, end_time: int | None = None
) -> SatisfactionRatingsResponse:
    """What customers thought of the help."""
    parts, args = permissions.restrict_related(tx, *_ratings(score, start_time, end_time))
    ratings, around = page_of(tx, page, SatisfactionRating, parts, args, orders={"created_at": "created_at"})
    return SatisfactionRatingsResponse(satisfaction_ratings=_ratings_shown(tx, ratings), **around)


def _ratings(score: str | None, start_time: int | None, end_time: int | None) -> tuple[str, tuple[Any, ...]]:
    parts: list[str] = ["1"]
    args: list[Any] = []
    if score in ("received_with_comment", "good_with_comment", "bad_with_comment"):
        parts.append("coalesce(comment, '') <> ''")
    elif score in ("received_without_comment", "good_without_comment", "bad_without_comment"):
        parts.append("coalesce(comment, '') = ''")
    if score and score.partition("_")[0] in ("good", "bad"):
        parts.append("score = ?")
        args.append(score.partition("_")[0])
    elif score in ("offered", "unoffered"):
        parts.append("0")
    for sign, moment in ((">=", start_time), ("<=", end_time)):
        if moment is not None:
            parts.append(f"created_at {sign} ?")
            args.append(max(-FOREVER_SECONDS, min(moment, FOREVER_SECONDS)) * 1_000_000)
    return " AND ".join(parts), tuple(args)


@APP.get("/api/v2/satisfaction_ratings/count", role="agent")
def count_satisfaction_ratings(tx: Tx, score: str | None = None) -> CountResponse:
    """How many ratings there are."""
    where, args = permissions.restrict_related(tx, *_ratings(score, None, None))
    return count_records(tx, SatisfactionRating, where, *args)


@APP.get("/api/v2/satisfaction_ratings/{satisfaction_rating_id}", role="agent")
def show_satisfaction_rating(tx: Tx, satisfaction_rating_id: int) -> SatisfactionRatingResponse:
    """One rating."""
    rating = tx.get(SatisfactionRating, satisfaction_rating_id)
    permissions.check_ticket(tx, tx.get(Ticket, rating.ticket_id))
    return SatisfactionRatingResponse(_ratings_shown(tx, (rating,))[0])
