"""Redactions of ticket comments on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.request_parts import Me, get_owned, required
from diorama.apps.zendesk.rules import comment_redactions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.schema import APP, Audit, Comment
from diorama.apps.zendesk.wire.comment_redactions import CommentRedactionRequest, RedactedCommentResponse, RedactRequest
from diorama.apps.zendesk.wire.ticket_comments import EMPTY, comment_object
from diorama.kernel import Tx


def _comment(tx: Tx, ticket_id: int, comment_id: int) -> Comment:
    return get_owned(tx, Comment, comment_id, ticket_id=desk.visible_ticket(tx, ticket_id).id)


def _redacted(tx: Tx, comment: Comment) -> RedactedCommentResponse:
    audit = tx.find(Audit, comment.audit_id)
    return RedactedCommentResponse(comment_object(comment, audit.metadata if audit else EMPTY))


@APP.put("/api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/redact", role="redact_tickets")
def redact_string_in_comment(
    tx: Tx, me: Me, ticket_id: int, ticket_comment_id: int, body: RedactRequest
) -> RedactedCommentResponse:
    """Take a string out of a comment, for good."""
    text, comment = required(body.text, "text"), _comment(tx, ticket_id, ticket_comment_id)
    return _redacted(tx, comment_redactions.redact_text(tx, desk.visible_ticket(tx, ticket_id), comment, text, me))


@APP.put("/api/v2/comment_redactions/{ticket_comment_id}", role="redact_tickets")
def redact_ticket_comment_in_agent_workspace(
    tx: Tx, me: Me, ticket_comment_id: int, body: CommentRedactionRequest
) -> RedactedCommentResponse:
    """Take what is marked out of a comment, also on a closed ticket."""
    number = required(body.ticket_id, "ticket_id")
    comment = _comment(tx, number, ticket_comment_id)
    changed = comment_redactions.redact_marked(
        tx,
        desk.visible_ticket(tx, number),
        comment,
        body.html_body,
        me,
        whole=body.redact_full_comment,
        files=body.attachment_ids,
    )
    return _redacted(tx, changed)
