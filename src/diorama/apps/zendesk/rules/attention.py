"""Attention: whom the desk wakes when something happens, and what each of them may read about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.schema import (
    APP,
    Comment,
    CommentAdded,
    Ticket,
    TicketCreated,
    TicketRated,
    TicketReopened,
    User,
)
from diorama.apps.zendesk.schema.side_conversations import SideConversation, SideMessageReceived
from diorama.kernel import Notice, Refusal, Tx, Wake

GROUP = (
    "SELECT m.user_id FROM zendesk_group_memberships m JOIN zendesk_users u ON u.id = m.user_id "
    "WHERE m.group_id = ? AND u.active = 1 ORDER BY m.user_id"
)
STAFF = "SELECT id FROM zendesk_users WHERE role <> 'end-user' AND active = 1 ORDER BY id"


def _responsible(tx: Tx, ticket: Ticket) -> list[int]:
    """Return the assignee, else the members of the group, else every agent."""
    if ticket.assignee_id is not None:
        return [ticket.assignee_id]
    rows = tx.rows(GROUP, ticket.group_id) if ticket.group_id is not None else tx.rows(STAFF)
    return [row[0] for row in rows]


def _wakes(tx: Tx, notice: Notice, ticket: Ticket, users: Iterable[int], text: str) -> Iterator[Wake]:
    """Yield one wake for each agent who may read the ticket."""
    data = {"ticket_id": ticket.id}
    for number in dict.fromkeys(users):
        user = tx.find(User, number)
        if user is not None and user.email and user.staff and user.active and _may_read(tx, ticket, user):
            yield Wake(user.email, type(notice).__name__, text, data)


def _may_read(tx: Tx, ticket: Ticket, user: User) -> bool:
    try:
        permissions.check_ticket(tx, ticket, user)
    except Refusal as refusal:
        if refusal.code == refusals.forbidden().code:
            return False
        raise
    return True


@APP.wakes(TicketCreated)
def created_ticket(tx: Tx, notice: TicketCreated) -> Iterator[Wake]:
    """Wake the agents who are responsible for a new ticket."""
    ticket = tx.get(Ticket, notice.ticket)
    text = f"New ticket #{ticket.id} from {notice.requester}: {ticket.subject}"
    return _wakes(tx, notice, ticket, _responsible(tx, ticket), text)


@APP.wakes(CommentAdded)
def added_comment(tx: Tx, notice: CommentAdded) -> Iterator[Wake]:
    """Wake the assignee or group, the followers, and the agents who wrote in the ticket; never the author."""
    ticket, comment = tx.get(Ticket, notice.ticket), tx.get(Comment, notice.comment)
    wrote = tx.rows("SELECT DISTINCT author_id FROM zendesk_comments WHERE ticket_id = ? ORDER BY 1", ticket.id)
    users = [*_responsible(tx, ticket), *ticket.follower_ids, *(row[0] for row in wrote)]
    what = "New comment" if notice.public else "New internal note"
    text = f"{what} by {notice.author} on ticket #{ticket.id}: {ticket.subject}"
    return _wakes(tx, notice, ticket, [user for user in users if user != comment.author_id], text)


@APP.wakes(SideMessageReceived)
def answered_side_conversation(tx: Tx, notice: SideMessageReceived) -> Iterator[Wake]:
    """Wake the agents who are responsible for the ticket, and those who wrote in the side conversation."""
    ticket, talk = tx.get(Ticket, notice.ticket), tx.get(SideConversation, notice.conversation)
    users = [*_responsible(tx, ticket), *(one.user_id for one in talk.participants if one.user_id is not None)]
    text = f"{notice.author} answered in a side conversation of ticket #{ticket.id}: {talk.subject}"
    author = next((one.user_id for one in talk.participants if one.email == notice.author), None)
    return _wakes(tx, notice, ticket, [user for user in users if user != author], text)


@APP.wakes(TicketReopened)
def reopened_ticket(tx: Tx, notice: TicketReopened) -> Iterator[Wake]:
    """Wake the agents who are responsible for a reopened ticket."""
    ticket = tx.get(Ticket, notice.ticket)
    return _wakes(
        tx, notice, ticket, _responsible(tx, ticket), f"Ticket #{ticket.id} was reopened: {ticket.subject}"
    )  # fmt: skip


@APP.wakes(TicketRated)
def rated_ticket(tx: Tx, notice: TicketRated) -> Iterator[Wake]:
    """Wake the agents who are responsible for a rated ticket."""
    ticket = tx.get(Ticket, notice.ticket)
    text = f"Ticket #{ticket.id} was rated {notice.score}: {ticket.subject}"
    return _wakes(tx, notice, ticket, _responsible(tx, ticket), text)
