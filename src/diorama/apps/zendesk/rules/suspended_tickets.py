"""Screening of email: spam, automatic email and other unwanted email is suspended, with a cause."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from datetime import timedelta

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import attachments
from diorama.apps.zendesk.rules.account import url
from diorama.apps.zendesk.rules.attachments import MailAttachment
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.schema.attachments import File, Upload
from diorama.apps.zendesk.schema.file_tokens import file_token
from diorama.apps.zendesk.schema.suspended_tickets import CAUSES, SuspendedTicket
from diorama.kernel import Notice, Tx
from diorama.kit import iso_z

HELD = timedelta(days=14)
"""How long a suspended email is kept."""
BY_NAME = {name: number for number, (name, _) in CAUSES.items()}
_ABSENT = re.compile(
    r"^\s*(out of (the )?office|automatic reply|auto(matic)?[- ]?(reply|response)|abwesenheitsnotiz"
    r"|automatische antwort|réponse automatique|absence du bureau|respuesta automática|risposta automatica)\b",
    re.IGNORECASE,
)
_BOUNCED = re.compile(
    r"^\s*(undeliver(ed|able)|delivery (status notification|failure|failed)|mail delivery|returned mail)", re.IGNORECASE
)
_SPAM = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(seo|backlinks?|guest post|first page of google|rank(ing)? (your|#?1)|domain authority)\b",
        r"\b(casino|betting bonus|viagra|cialis|forex|crypto(currency)? (investment|profit)|bitcoin)\b",
        r"\b(lottery|inheritance|beneficiary|million (dollars|usd|euros)|western union)\b",
        r"\b(unsubscribe here|click here now|limited[- ]time offer|act now|100% free|risk[- ]free)\b",
        r"\b(bulk email|email list|leads? database|increase your (traffic|sales))\b",
    )
)
_MACHINES = ("mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply", "do-not-reply")


class ExportReady(Notice):
    """A list of suspended email was exported; the email to the agent who asked contains its URL."""

    to: str
    url: str


class IncomingMail(msgspec.Struct, frozen=True, kw_only=True):
    """An incoming email; header names are lower case."""

    sender: str
    name: str = ""
    subject: str
    text: str
    recipient: str
    enclosures: tuple[MailAttachment, ...] = ()
    headers: Mapping[str, str] = {}


def suspension_cause(letter: IncomingMail, known: User | None, ticket: Ticket | None) -> int | None:
    """Return why an email is suspended, or None if it is accepted. Agents are always accepted."""
    if known is not None and known.staff:
        return None
    box, headers = letter.sender.partition("@")[0], letter.headers
    automatic = headers.get("auto-submitted", "no").lower() != "no"
    name = ""
    if known is not None and known.suspended:
        name = "blocklisted"
    elif letter.sender == letter.recipient:
        name = "loop"
    elif box in _MACHINES[:2] or _BOUNCED.search(letter.subject):
        name = "auto_delivery_failure"
    elif _ABSENT.search(letter.subject):
        name = "auto_vacation"
    elif automatic or headers.get("precedence", "").lower() in ("bulk", "junk", "auto_reply"):
        name = "auto_mailer"
    elif box in _MACHINES:
        name = "system_user"
    elif not letter.text.strip() and not letter.enclosures:
        name = "blank"
    elif headers.get("x-spam-flag", "").lower() == "yes" or _looks_like_spam(letter):
        name = "spam"
    elif ticket is not None and known is None:
        name = "unknown_user_update"
    return BY_NAME[name] if name else None


def _looks_like_spam(letter: IncomingMail) -> bool:
    text = f"{letter.subject}\n{letter.text}"
    return sum(1 for pattern in _SPAM if pattern.search(text)) >= 2


def suspend(tx: Tx, letter: IncomingMail, why: int, known: User | None, ticket: Ticket | None) -> SuspendedTicket:
    """Suspend an email until an agent decides, or for two weeks."""
    moment = now(tx)
    held = tx.add(
        SuspendedTicket(
            author_id=known.id if known else None,
            author_name=known.name if known else letter.name or letter.sender.partition("@")[0],
            author_email=letter.sender,
            subject=letter.subject,
            content=letter.text,
            cause_id=why,
            recipient=letter.recipient,
            message_id=letter.headers.get("message-id")
            or f"<{tx.dice('mail', letter.sender, letter.subject, tx.now_us).hex(16)}@{_domain(letter)}>",
            ticket_id=ticket.id if ticket else None,
            attachments=attachments.store_mail_attachments(tx, letter.enclosures),
            created_at=moment,
            updated_at=moment,
        )
    )
    tx.later(HELD, discard_if_held, suspended_id=held.id)
    return held


def _domain(letter: IncomingMail) -> str:
    return letter.sender.partition("@")[2] or "mail.example"


@APP.command
def discard_if_held(tx: Tx, suspended_id: int) -> None:
    """Delete a suspended email after two weeks, if it is still suspended."""
    held = tx.find(SuspendedTicket, suspended_id)
    if held is not None:
        discard(tx, held)


def discard(tx: Tx, held: SuspendedTicket) -> None:
    """Delete a suspended email and its files."""
    for attachment in held.attachments:
        file = tx.find(File, attachment.id)
        if file is not None and file.comment_id is None:
            tx.remove(file)
    tx.remove(held)


def copy_attachments(tx: Tx, held: SuspendedTicket, by: User) -> Upload:
    """Copy the files of a suspended email to an upload."""
    if not held.attachments:
        raise refusals.invalid("attachments", "Attachments: there are none", "BlankValue")
    token: str | None = None
    for attachment in held.attachments:
        file = tx.get(File, attachment.id)
        token = attachments.upload(tx, by, file.file_name, file.content_type, attachments.content_of(file), token).id
    return tx.get(Upload, token or "")


def export_csv(tx: Tx, by: User) -> str:
    """Export all suspended email as CSV for the agent who asked; return the file's URL."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("Id", "Sender", "Subject", "Cause", "Recipient", "Ticket", "Received", "Updated"))
    for held in tx.all(SuspendedTicket, order="updated_at, id"):
        ticket = "" if held.ticket_id is None else str(held.ticket_id)
        dates = (iso_z(held.created_at), iso_z(held.updated_at))
        cause_text = CAUSES[held.cause_id][1]
        writer.writerow((held.id, held.author_email, held.subject, cause_text, held.recipient, ticket, *dates))
    [kept] = attachments.store_mail_attachments(
        tx, (MailAttachment("suspended_tickets.csv", out.getvalue().encode(), "text/csv"),)
    )
    address = url(tx, f"/attachments/token/{file_token(kept.id)}/?name={kept.file_name}")
    tx.emit(ExportReady(to=by.email or "", url=address))
    return address
