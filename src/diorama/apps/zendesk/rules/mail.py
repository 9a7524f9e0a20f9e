"""The mail channel: what customers write becomes tickets and comments."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk.rules.edits import Said
from diorama.apps.zendesk.rules.people import find_or_add
from diorama.apps.zendesk.rules.placeholders import account_name
from diorama.apps.zendesk.rules.tickets import Update, open_ticket, update
from diorama.apps.zendesk.schema import APP, HOST, Account, Ticket, User, Via
from diorama.kernel import Tx


@APP.command
def receive_mail(
    tx: Tx, sender_email: str, subject: str, text: str, ticket_id: int | None = None, sender_name: str = ""
) -> int:
    """A mail arrives: a new ticket, a comment that may reopen one, or a follow-up of a closed one; the ticket's id."""
    sender = find_or_add(tx, sender_email, sender_name)
    if sender.suspended:
        return 0
    return int(_deliver(tx, sender, subject, text, ticket_id).ticket.id)


def _deliver(tx: Tx, sender: User, subject: str, text: str, ticket_id: int | None) -> Update:
    account = tx.find(Account, 1)
    address = account.support_address if account else f"support@{HOST}"
    source: dict[str, Any] = {
        "from": {"address": sender.email, "name": sender.name},
        "to": {"name": account_name(tx), "address": address},
        "rel": None,
    }
    via, said = Via("email", source), Said(text, author_id=sender.id)
    ticket = tx.find(Ticket, ticket_id) if ticket_id else None
    if ticket is None or ticket.deleted_at is not None:
        return open_ticket(tx, requester=sender, subject=subject, said=said, via=via, fields={"recipient": address})
    if ticket.status == "closed":
        source["from"] = {**source["from"], "ticket_id": ticket.id, "subject": ticket.subject}
        return open_ticket(
            tx,
            requester=sender,
            subject=subject,
            said=said,
            via=Via("email", {**source, "rel": "follow_up"}),
            fields={"recipient": address, "followup_source_id": ticket.id},
        )
    stranger = sender.id != ticket.requester_id and sender.id not in ticket.email_cc_ids and not sender.staff
    if stranger and sender.id not in ticket.follower_ids:
        return update(
            tx, ticket, by=sender, said=said, via=via, fields={"email_cc_ids": (*ticket.email_cc_ids, sender.id)}
        )
    return update(tx, ticket, by=sender, said=said, via=via)
