"""Merges, problems and redaction on the wire."""

from __future__ import annotations

from typing import Annotated, Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.bulk import queued
from diorama.apps.zendesk.api.configuring import need, several, within
from diorama.apps.zendesk.api.listing import Page
from diorama.apps.zendesk.api.tickets import LIVE, listed
from diorama.apps.zendesk.rules import merging, redaction, roles, sight
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import agent, agents_only
from diorama.apps.zendesk.rules.bulk import JOBS
from diorama.apps.zendesk.schema import APP, Audit, Comment, Ticket, User
from diorama.apps.zendesk.wire.business import JobStatusResponse
from diorama.apps.zendesk.wire.comments import EMPTY, comment_object
from diorama.apps.zendesk.wire.marks import (
    AutocompleteRequest,
    CommentRedactionRequest,
    MergeRequest,
    RedactedCommentResponse,
    RedactRequest,
)
from diorama.apps.zendesk.wire.tickets import TicketsResponse
from diorama.kernel import Tx
from diorama.kit import Query


@APP.post("/api/v2/tickets/{ticket_id}/merge")
def merge_tickets_into_target_ticket(tx: Tx, ticket_id: int, body: MergeRequest) -> JobStatusResponse:
    """Merge tickets into this one, in the background."""
    me = agent(tx)
    roles.require_of_role(tx, me, "ticket_merge")
    target = desk.seen(tx, ticket_id)
    numbers = several(body.ids, "ids")
    if not numbers:
        raise refusals.parameter_missing("ids")
    for number in numbers:
        if (source := tx.find(Ticket, number)) is not None:
            sight.check(tx, source, me)
    words = {
        "target_comment": body.target_comment,
        "source_comment": body.source_comment,
        "target_public": body.target_comment_is_public,
        "source_public": body.source_comment_is_public,
    }
    item = {"id": target.id, "ids": body.ids, "words": words}
    return queued(tx, me, "Ticket Merge", [item])


@JOBS.worker("Ticket Merge", "Merging tickets")
def merge_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """One merge: all or nothing."""
    merging.merge(tx, item["id"], item["ids"], tx.get(User, job.shared["user_id"]), **item["words"])
    return {"index": place, "id": item["id"], "action": "update", "success": True, "status": "Updated"}


# --- problems

PROBLEMS = f"type = 'problem' AND {LIVE}"


@APP.get("/api/v2/problems")
def list_ticket_problems(tx: Tx, page: Page, include: str | None = None) -> TicketsResponse:
    """The problems, the last changed first."""
    agents_only(tx)
    return listed(tx, page, PROBLEMS, (), include, "-updated_at")


@APP.post("/api/v2/problems/autocomplete")
def autocomplete_problems(
    tx: Tx,
    page: Page,
    body: AutocompleteRequest = AutocompleteRequest(),  # noqa: B008 - frozen in effect: nobody writes to it
    text: Annotated[str | None, Query("text")] = None,
) -> TicketsResponse:
    """The problems whose subject contains a text."""
    agents_only(tx)
    wanted = text or body.text
    if not wanted:
        raise refusals.parameter_missing("text")
    where = f"{PROBLEMS} AND status <> 'closed' AND instr(lower(subject), ?) > 0"
    return listed(tx, page, where, (wanted.lower(),), None, "-updated_at")


# --- redaction


def _comment(tx: Tx, ticket_id: int, comment_id: int) -> Comment:
    return within(tx, Comment, comment_id, ticket_id=desk.seen(tx, ticket_id).id)


def _redacted(tx: Tx, comment: Comment) -> RedactedCommentResponse:
    audit = tx.find(Audit, comment.audit_id)
    return RedactedCommentResponse(comment_object(comment, audit.metadata if audit else EMPTY))


@APP.put("/api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/redact")
def redact_string_in_comment(
    tx: Tx, ticket_id: int, ticket_comment_id: int, body: RedactRequest
) -> RedactedCommentResponse:
    """Take a string out of a comment, for good."""
    me = agent(tx)
    roles.require_of_role(tx, me, "ticket_redaction")
    text, comment = need(body.text, "text"), _comment(tx, ticket_id, ticket_comment_id)
    return _redacted(tx, redaction.redact_text(tx, desk.seen(tx, ticket_id), comment, text, me))


@APP.put("/api/v2/comment_redactions/{ticket_comment_id}")
def redact_ticket_comment_in_agent_workspace(
    tx: Tx, ticket_comment_id: int, body: CommentRedactionRequest
) -> RedactedCommentResponse:
    """Take what is marked out of a comment, also on a closed ticket."""
    me = agent(tx)
    roles.require_of_role(tx, me, "ticket_redaction")
    number = need(body.ticket_id, "ticket_id")
    comment = _comment(tx, number, ticket_comment_id)
    changed = redaction.redact_marked(
        tx,
        desk.seen(tx, number),
        comment,
        body.html_body,
        me,
        whole=body.redact_full_comment,
        files=body.attachment_ids,
    )
    return _redacted(tx, changed)
