"""Ticket comments on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk.api.pagination import Page, count_records, get_many, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.schema import APP, Comment, User
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.ticket_comments import EMPTY, TicketCommentsResponse, comment_object
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx
from diorama.kernel.functions import weighed


@APP.get("/api/v2/tickets/{ticket_id}/comments", role="agent")
def list_ticket_comments(
    tx: Tx, ticket_id: int, page: Page, include: str | None = None, include_inline_images: bool = False
) -> TicketCommentsResponse:
    """List the comments of a ticket, including private notes."""
    desk.check_visible(tx, ticket_id)
    if page.sort_order and not page.sort_by:
        page = msgspec.structs.replace(page, sort_by="created_at")
    comments, around = page_of(
        tx, page, Comment, "ticket_id = ?", (ticket_id,), orders={"created_at": "created_at"}, default="created_at"
    )
    metadata = _metadata(tx, comments)
    reply = TicketCommentsResponse(
        comments=[comment_object(comment, metadata.get(comment.audit_id, EMPTY)) for comment in comments], **around
    )
    if include and "users" in include:
        reply.users = [user_object(user) for user in get_many(tx, User, [comment.author_id for comment in comments])]
    return reply


def _metadata(tx: Tx, comments: Sequence[Comment]) -> dict[int, dict[str, Any]]:
    """Return the metadata of the audits of comments, by audit."""
    ids = {comment.audit_id for comment in comments}
    marks = ", ".join("?" * len(ids))
    rows = tx.rows(f"SELECT id, {weighed('metadata')} FROM zendesk_audits WHERE id IN ({marks})", *ids)
    return {number: msgspec.json.decode(text) for number, text in rows}


@APP.get("/api/v2/tickets/{ticket_id}/comments/count", role="agent")
def count_ticket_comments(tx: Tx, ticket_id: int) -> CountResponse:
    """Count the comments of a ticket."""
    desk.check_visible(tx, ticket_id)
    return count_records(tx, Comment, "ticket_id = ?", ticket_id)


@APP.put("/api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/make_private", role="agent")
def make_ticket_comment_private(tx: Tx, me: Me, ticket_id: int, ticket_comment_id: int) -> str:
    """Make a public comment private."""
    desk.make_private(
        tx, get_owned(tx, Comment, ticket_comment_id, ticket_id=desk.visible_ticket(tx, ticket_id).id), me
    )
    return ""
