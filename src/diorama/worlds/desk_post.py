"""The desk's mail: its ids and addresses, how its threads are found, and what it does with mail that comes in."""

from __future__ import annotations

import hashlib
import re

from diorama import people
from diorama.apps.zendesk.rules import side_conversations
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.mail import receive_mail
from diorama.apps.zendesk.rules.user_identities import is_deliverable, mark_undeliverable
from diorama.apps.zendesk.schema import APP, Comment, Ticket
from diorama.apps.zendesk.schema.side_conversations import SideConversation
from diorama.kernel import Tx
from diorama.people.directory import address_of
from diorama.people.post import LOOKED_UP, Posted, earlier_ids, fate_of, posted_as, send_mail

DESK = "zendesk"
TALKS = "zendesk_side_conversations"
_OWN_ID = re.compile(r"<([0-9A-F]{10})_(\d{1,15})_(\d{1,18})_sprut@([a-z0-9.-]{1,200})>")
_TICKET_TAG = re.compile(r"[^@]{1,200}\+id(\d{1,15})@[^@]{1,200}")
_TALK_TAG = re.compile(r"[^@]{1,200}\+side-([0-9a-f-]{36})@[^@]{1,200}")
_MAILED = (
    "SELECT 1 FROM zendesk_users u JOIN zendesk_tickets t ON t.requester_id = u.id "
    "WHERE u.email = ? AND t.channel = 'email' AND t.source ->> '$.from.address' IS NOT NULL LIMIT 1"
)
"""Whether a ticket of a user came by mail; one that an agent calls so has no sender."""


# --- ids and addresses


def support_address(tx: Tx) -> str:
    """Return the address from which the desk writes."""
    return account_of(tx).support_address


def tagged(address: str, tag: str) -> str:
    """Return an address with a tag: support+id12@shop.example."""
    box, at, domain = address.rpartition("@")
    return f"{box}+{tag}{at}{domain}"


def notification_id(tx: Tx, ticket_id: int, comment_id: int) -> str:
    """Return the Message-ID of the desk's mail about a comment; it follows from the two ids, so it is not stored."""
    host = APP.of(tx).host
    seal = hashlib.sha256(f"{host} {ticket_id} {comment_id}".encode()).hexdigest()[:10].upper()
    return f"<{seal}_{ticket_id}_{comment_id}_sprut@{host}>"


def ticket_of_id(tx: Tx, message_id: str) -> int:
    """Return the ticket of one of the desk's own Message-IDs; 0 for all others."""
    found = _OWN_ID.fullmatch(message_id)
    if found is None or notification_id(tx, int(found[2]), int(found[3])) != message_id:
        return 0
    return int(found[2])


# --- threads


def thread_of(tx: Tx, mail: Posted, to: str) -> tuple[int, str]:
    """Return the ticket and the side conversation that a mail belongs to; (0, "") for neither.

    References come first, the newest before older ones; then the tag of the address.
    """
    for earlier in reversed(earlier_ids(mail)[-LOOKED_UP:]):
        ticket = ticket_of_id(tx, earlier)
        if ticket:
            return ticket, ""
        sent = posted_as(tx, earlier)
        if sent is not None and sent.source.startswith(f"{TALKS} "):
            return 0, sent.source.partition(" ")[2]
    talk = _TALK_TAG.fullmatch(to)
    if talk is not None and tx.find(SideConversation, talk[1]) is not None:
        return 0, talk[1]
    ticket_tag = _TICKET_TAG.fullmatch(to)
    number = int(ticket_tag[1]) if ticket_tag is not None else 0
    return (number, "") if number and tx.find(Ticket, number) is not None else (0, "")


def customer_mail(tx: Tx, event: people.Spoke) -> Posted:
    """Return what a customer says as a mail: an answer to the desk's newest mail, or the first one of a thread."""
    thread = int(event.thread) if event.thread else 0
    address = support_address(tx)
    if not thread:
        return Posted(
            sender=event.person,
            sender_name=event.name,
            to=(address,),
            subject=event.subject,
            text=event.text,
            attachments=event.attachments,
            by_person=True,
        )
    last = tx.first(Comment, "ticket_id = ? AND public = 1", thread, order="id DESC")
    heard = notification_id(tx, thread, last.id if last is not None else 0)
    return Posted(
        sender=event.person,
        sender_name=event.name,
        to=(tagged(address, f"id{thread}"),),
        subject=event.subject,
        in_reply_to=heard,
        references=(heard,),
        text=event.text,
        attachments=event.attachments,
        by_person=True,
    )


# --- what goes out


def return_unknown(tx: Tx, to: str, subject: str, text: str, ticket_id: int, comment_id: int) -> None:
    """Let a notification come back if its address does not exist; later ones are not sent to it any more.

    An address from which someone has written exists, whatever the directory says.
    """
    if fate_of(tx, to) not in ("unknown_mailbox", "unknown_domain") or not is_deliverable(tx, to):
        return
    if tx.rows(_MAILED, address_of(to)):
        return
    send_mail(
        tx,
        Posted(
            message_id=notification_id(tx, ticket_id, comment_id),
            sender=support_address(tx),
            sender_name=account_of(tx).name,
            to=(to,),
            reply_to=tagged(support_address(tx), f"id{ticket_id}"),
            subject=subject,
            text=text,
            auto_submitted="auto-generated",
            source=f"zendesk_tickets {ticket_id}",
        ),
    )


def mail_side_message(
    tx: Tx, conversation: str, to: tuple[str, ...], author: str, subject: str, text: str
) -> Posted | None:
    """Post a message of a side conversation."""
    earlier = tx.first(Posted, "source = ?", f"{TALKS} {conversation}", order="id DESC")
    writer = people.contact_at(tx, author)
    address, account = support_address(tx), account_of(tx)
    return send_mail(
        tx,
        Posted(
            sender=address,
            sender_name=f"{writer.name} ({account.name})" if writer is not None else account.name,
            to=to,
            reply_to=tagged(address, f"side-{conversation}"),
            subject=subject if earlier is None else f"Re: {subject}",
            in_reply_to=earlier.message_id if earlier is not None else "",
            references=(earlier.message_id,) if earlier is not None else (),
            text=text,
            author=author,
            source=f"{TALKS} {conversation}",
        ),
    )


# --- what comes in


def take_mail(tx: Tx, mail: Posted, to: str) -> None:
    """Take a mail that arrived at an address of the desk.

    A bounce of its own mail marks the address; one of a side conversation is shown there, too.
    """
    ticket, talk = thread_of(tx, mail, to)
    if mail.failed and (ticket or talk):
        mark_undeliverable(tx, mail.failed)
        if not talk:
            return  # the desk shows it at the user alone
    if talk and tx.find(SideConversation, talk) is not None:
        side_conversations.receive(tx, talk, mail.sender, mail.text, mail.sender_name)
        return
    headers = {"message-id": mail.message_id}
    if mail.auto_submitted:
        headers["auto-submitted"] = mail.auto_submitted
    if mail.precedence:
        headers["precedence"] = mail.precedence
    receive_mail(tx, mail.sender, mail.subject, mail.text, ticket or None, mail.sender_name, headers=headers)
