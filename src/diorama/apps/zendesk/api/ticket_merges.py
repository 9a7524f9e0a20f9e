"""Ticket merges on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.request_parts import Me, required_list
from diorama.apps.zendesk.rules import permissions, ticket_merges
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.ticket_merges import MergeRequest
from diorama.kernel import Tx


@APP.post("/api/v2/tickets/{ticket_id}/merge", role="merge_tickets")
def merge_tickets_into_target_ticket(tx: Tx, me: Me, ticket_id: int, body: MergeRequest) -> JobStatusResponse:
    """Merge tickets into this one, in the background."""
    target = desk.visible_ticket(tx, ticket_id)
    numbers = required_list(body.ids, "ids")
    if not numbers:
        raise refusals.parameter_missing("ids")
    for number in numbers:
        if (source := tx.find(Ticket, number)) is not None:
            permissions.check_ticket(tx, source, me)
    words = {
        "target_comment": body.target_comment,
        "source_comment": body.source_comment,
        "target_public": body.target_comment_is_public,
        "source_public": body.source_comment_is_public,
    }
    item = {"id": target.id, "ids": body.ids, "words": words}
    return enqueue_job(tx, me, "Ticket Merge", [item])


@JOBS.worker("Ticket Merge", "Merging tickets")
def merge_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One merge: all or nothing."""
    ticket_merges.merge(tx, item["id"], item["ids"], tx.get(User, job.shared["user_id"]), **item["words"])
    return {"index": place, "id": item["id"], "action": "update", "success": True, "status": "Updated"}
