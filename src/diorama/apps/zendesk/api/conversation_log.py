"""The conversation log of a ticket on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.pagination import MOST, Page, get_many, page_of
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.schema import APP, Comment, User
from diorama.apps.zendesk.wire.conversation_log import ConversationLogResponse, conversation_event_object
from diorama.kernel import Tx
from diorama.kit.paging import Cursor


@APP.get("/api/v2/tickets/{ticket_id}/conversation_log", role="agent")
def list_conversation_log_for_ticket(tx: Tx, ticket_id: int, page: Page) -> ConversationLogResponse:
    """List the conversation log of a ticket, oldest first; it always uses cursor paging."""
    ticket = desk.visible_ticket(tx, ticket_id)
    turned = page if page.cursor is not None else _by_cursor(page)
    comments, around = page_of(tx, turned, Comment, "ticket_id = ?", (ticket.id,), default="created_at")
    authors = {user.id: user for user in get_many(tx, User, [comment.author_id for comment in comments])}
    events = [conversation_event_object(comment, authors.get(comment.author_id)) for comment in comments]
    return ConversationLogResponse(events=events, **around)


def _by_cursor(page: Page) -> Page:
    return Page(page.path, page.query, page.offset, Cursor(MOST, "", ""), page.sort, page.sort_by, page.sort_order)
