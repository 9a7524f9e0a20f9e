"""Satisfaction reasons on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.apps.zendesk.wire.satisfaction_reasons import ReasonResponse, ReasonsResponse, reason_object
from diorama.kernel import Tx


@APP.get("/api/v2/satisfaction_reasons", role="admin")
def list_satisfaction_rating_reasons(tx: Tx, page: Page) -> ReasonsResponse:
    """Why customers may be dissatisfied."""
    reasons, around = page_of(tx, page, SatisfactionReason, "deleted_at IS NULL", ())
    return ReasonsResponse(reasons=[reason_object(reason) for reason in reasons], **around)


@APP.get("/api/v2/satisfaction_reasons/{satisfaction_reason_id}", role="admin")
def show_satisfaction_ratings(tx: Tx, satisfaction_reason_id: int) -> ReasonResponse:
    """One reason."""
    return ReasonResponse(reason_object(tx.get(SatisfactionReason, satisfaction_reason_id)))
