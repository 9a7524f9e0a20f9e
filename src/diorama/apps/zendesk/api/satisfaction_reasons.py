"""Satisfaction reasons on the wire."""

from diorama.apps.zendesk.api.request_parts import PLAIN
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.satisfaction_reasons import SatisfactionReason
from diorama.apps.zendesk.wire.satisfaction_reasons import ReasonResponse, ReasonsResponse, reason_object
from diorama.kit.resource import Resource

Resource(
    APP,
    PLAIN,
    "/api/v2/satisfaction_reasons",
    SatisfactionReason,
    singular="reason",
    id="satisfaction_reason_id",
    where="deleted_at IS NULL",
    shape=lambda tx, reason: reason_object(reason),
    response=ReasonResponse,
    responses=ReasonsResponse,
    names={"list": "list_satisfaction_rating_reasons", "show": "show_satisfaction_ratings"},
    summaries={"list": "Why customers may be dissatisfied.", "show": "One reason."},
    reads="admin",
)
