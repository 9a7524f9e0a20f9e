"""The links between desk and people: mails reach customers and colleagues, and their answers reach the desk."""

from __future__ import annotations

from typing import Any

import diorama.worlds.desk_checks  # noqa: F401 - declares what customers of a desk can need
from diorama import people
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.satisfaction_ratings import rate
from diorama.apps.zendesk.schema import RequesterNotified, Ticket, TicketSolved, User
from diorama.apps.zendesk.schema.side_conversations import SideMessageSent
from diorama.kernel import Product, Tx
from diorama.people.post import keep_mail
from diorama.worlds import desk_post

DESK_LINKS = Product("links", title="Integrations", control=True)
"""For a company with a help desk; one with a back office, too, has `diorama.worlds.links.LINKS` instead."""
DESK_LINKS.needs(people.APP)
_WRITTEN = (
    "SELECT c.author_id, c.body, t.status FROM zendesk_comments c JOIN zendesk_tickets t ON t.id = c.ticket_id "
    "WHERE c.id = ?"
)


@DESK_LINKS.on(RequesterNotified)
def mail_reaches_customer(tx: Tx, event: RequesterNotified) -> None:
    """Deliver the desk's mail: the customer reads what a colleague wrote, and only notices what a machine wrote.

    It comes back if the address does not exist.
    """
    said = tx.rows(_WRITTEN, event.comment) if event.comment else []
    author = tx.find(User, said[0][0]) if said else None
    facts: dict[str, Any] = {"automatic": True}
    body = event.body
    if author is not None and author.role != "end-user":
        _, body, status = said[0]
        facts = {"status": status, "agent": author.name.split()[0]}
    if not people.receive_message(tx, event.to, "email", str(event.ticket), body, facts):
        desk_post.return_unknown(tx, event.to, event.subject, event.body, event.ticket, event.comment)


@DESK_LINKS.on(SideMessageSent)
def side_message_is_mailed(tx: Tx, event: SideMessageSent) -> None:
    """Post a message of a side conversation to its recipients."""
    desk_post.mail_side_message(tx, event.conversation, event.to, event.author, event.subject, event.body)


@DESK_LINKS.on(people.MailArrived)
def mail_reaches_desk(tx: Tx, event: people.MailArrived) -> None:
    """Take a mail at an address of the desk: an answer in a side conversation, a bounce, or mail to a ticket."""
    mail = tx.find(people.Posted, event.mail)
    if mail is not None and event.app == desk_post.DESK:
        desk_post.take_mail(tx, mail, event.to)


@DESK_LINKS.on(TicketSolved)
def customer_learns_it_counts_as_solved(tx: Tx, event: TicketSolved) -> None:
    """Show the customer that the ticket counts as solved, with or without a mail."""
    ticket = tx.get(Ticket, event.ticket)
    requester = tx.get(User, ticket.requester_id)
    people.receive_message(tx, requester.email or "", "email", str(ticket.id), "", {"status": "solved"})


@DESK_LINKS.on(people.Spoke)
def customer_writes(tx: Tx, event: people.Spoke) -> None:
    """Turn a customer's mail into a ticket, a comment, or a follow-up of a closed ticket.

    Its thread follows from its references, else from the tag of its address, else from what the customer answers.
    """
    if event.channel != "email":
        return
    mail = keep_mail(tx, desk_post.customer_mail(tx, event))
    thread = desk_post.thread_of(tx, mail, mail.to[0])[0] or (int(event.thread) if event.thread else None)
    headers = {"message-id": mail.message_id}
    ticket = receive_mail(tx, event.person, event.subject, event.text, thread, event.name, headers=headers)
    if ticket and ticket != thread:
        people.set_thread(tx, event.conversation, str(ticket))


@DESK_LINKS.on(people.Rated)
def customer_rates(tx: Tx, event: people.Rated) -> None:
    """Rate a solved ticket; other tickets have no survey."""
    ticket = tx.find(Ticket, int(event.thread)) if event.thread else None
    if ticket is not None and ticket.deleted_at is None and ticket.status in ("solved", "closed"):
        rate(tx, ticket.id, event.score, event.comment or None)
