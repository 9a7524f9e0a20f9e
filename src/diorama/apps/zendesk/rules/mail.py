"""The mail channel: what customers write becomes tickets and comments."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from diorama.apps.zendesk.rules import attachments as attachment_rules
from diorama.apps.zendesk.rules import suspended_tickets
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.attachments import MailAttachment
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.suspended_tickets import IncomingMail
from diorama.apps.zendesk.rules.ticket_checks import LONGEST_COMMENT
from diorama.apps.zendesk.rules.ticket_edits import Edit, NewComment, request_metadata
from diorama.apps.zendesk.rules.tickets import Update, open_ticket, update
from diorama.apps.zendesk.rules.users import find_or_add
from diorama.apps.zendesk.schema import APP, Attachment, Audit, Ticket, User, Via
from diorama.apps.zendesk.schema.suspended_tickets import CAUSES, SuspendedTicket
from diorama.kernel import Tx

OUTSIDER = 2
"""The vendor's flag for an author who was not part of the conversation."""


@APP.command
def receive_mail(
    tx: Tx,
    sender_email: str,
    subject: str,
    text: str,
    ticket_id: int | None = None,
    sender_name: str = "",
    attachments: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> int:
    """A mail arrives: a new ticket, a comment that may reopen one, or a follow-up of a closed one; the ticket's id.

    0 where the mail was suspended. An attachment has `file_name`, `content_type` and `content`, its bytes in base64.
    """
    known = by_email(tx, sender_email)
    ticket = tx.find(Ticket, ticket_id) if ticket_id else None
    letter = IncomingMail(
        sender=sender_email.strip().lower(),
        name=sender_name,
        subject=subject,
        text=text,
        recipient=account_of(tx).support_address,
        enclosures=tuple(_enclosure(one) for one in attachments),
        headers={name.lower(): value for name, value in (headers or {}).items()},
    )
    why = suspended_tickets.suspension_cause(letter, known, ticket)
    if why is not None:
        suspended_tickets.suspend(tx, letter, why, known, ticket)
        return 0
    sender = known or find_or_add(tx, sender_email, sender_name)
    enclosed = attachment_rules.store_mail_attachments(tx, letter.enclosures)
    return int(_deliver(tx, sender, subject, text, ticket, enclosed).ticket.id)


def _enclosure(one: Mapping[str, str]) -> MailAttachment:
    return MailAttachment(
        one["file_name"], b64decode(one.get("content", "")), one.get("content_type", attachment_rules.UNTYPED)
    )


def _deliver(
    tx: Tx, sender: User, subject: str, text: str, ticket: Ticket | None, enclosed: tuple[Attachment, ...] = ()
) -> Update:
    account = account_of(tx)
    address = account.support_address
    source: dict[str, Any] = {
        "from": {"address": sender.email, "name": sender.name},
        "to": {"name": account.name, "address": address},
        "rel": None,
    }
    words = text[:LONGEST_COMMENT] if text.strip() or not enclosed else enclosed[0].file_name
    via, said = Via("email", source), NewComment(words, author_id=sender.id, attachments=enclosed)
    if ticket is None or ticket.deleted_at is not None:
        return open_ticket(
            tx, requester=sender, subject=subject, said=said, via=via, fields={"recipient": address}, form=False
        )
    if ticket.status == "closed":
        source["from"] = {**source["from"], "ticket_id": ticket.id, "subject": ticket.subject}
        return open_ticket(
            tx,
            requester=sender,
            subject=subject,
            said=said,
            via=Via("email", {**source, "rel": "follow_up"}),
            fields={"recipient": address, "followup_source_id": ticket.id},
            form=False,
        )
    stranger = sender.id != ticket.requester_id and sender.id not in ticket.email_cc_ids and not sender.staff
    if stranger and sender.id not in ticket.follower_ids:
        copied = (*ticket.email_cc_ids, sender.id)
        fields = {"email_cc_ids": copied}
        return _flagged(tx, update(tx, ticket, by=sender, said=said, via=via, fields=fields, form=False))
    return update(tx, ticket, by=sender, said=said, via=via, form=False)


def _flagged(tx: Tx, done: Update) -> Update:
    """Words of somebody who was not part of the conversation are not trusted before an agent says so."""
    if done.audit is None:
        return done
    doubt = {"flags": [OUTSIDER], "flags_options": {str(OUTSIDER): {"trusted": False}}, "trusted": False}
    return Update(done.ticket, tx.change(done.audit, metadata={**done.audit.metadata, **doubt}), done.comment)


def trust(tx: Tx, audit: Audit) -> Audit:
    """An agent vouches for the words of an update."""
    flags = audit.metadata.get("flags", [])
    if not flags:
        return audit
    options = {str(flag): {"trusted": True} for flag in flags}
    return tx.change(audit, metadata={**audit.metadata, "flags_options": options, "trusted": True})


def recover(tx: Tx, held: SuspendedTicket, by: User, requester: User | None = None) -> Ticket:
    """Let a suspended mail in after all, from its sender or in another's name; the audit says that it waited."""
    sender = requester or by_email(tx, held.author_email) or find_or_add(tx, held.author_email, held.author_name)
    ticket = tx.find(Ticket, held.ticket_id) if held.ticket_id else None
    text = held.content if held.content.strip() else "No content"
    done = _deliver(tx, sender, held.subject or "No subject", text, ticket, held.attachments)
    via = Via("web")
    edit = Edit(tx, done.ticket, by, via, done.ticket, request_metadata(by, via))
    edit.tell("SuspendedTicketRecovery", cause_id=held.cause_id, cause_name=CAUSES[held.cause_id][0])
    written, _ = edit.finish()
    tx.remove(held)
    return written
