"""The post office: mails as rows, delivered by address to an app, to a person, or back to their sender.

A mail that an app sends and keeps itself needs no row here: customers read the desk's mails in `conduct`. Everything
else is posted, delivered a few seconds later, and answered at most `HOPS_AT_MOST` times in a row.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from diorama.kernel import Notice, Record, Tx, counter, table_of
from diorama.kit import mail as mails
from diorama.kit.mail import Address, Attachment, Mail
from diorama.people.directory import (
    ADDRESS_AT_MOST,
    Mailbox,
    address_of,
    domain_of,
    has_mailboxes,
    is_known_domain,
    mailbox_at,
)
from diorama.people.schema import APP

TRANSIT_SECONDS = (2, 40)
"""How long a mail travels."""
HOPS_AT_MOST = 6
"""How many answers to answers are delivered; those after them are dropped."""
RECIPIENTS_AT_MOST = 100
"""To how many addresses one mail is delivered; the others are dropped."""
AT_ONCE = 10
"""To how many recipients a mail is delivered in one transaction."""
SUBJECT_AT_MOST, TEXT_AT_MOST = 500, 70_000
LOOKED_UP = 20
"""How many of the newest references of a mail are looked up."""
NUMBERS = counter(1)

Fate = Literal["app", "person", "unknown_mailbox", "unknown_domain"]


@APP.record("mails", ids=NUMBERS, index=[("message_id",), ("thread", "id"), ("source", "id")])
class Posted(Record):
    """A mail that was posted; its MIME bytes are rendered from it when they are needed."""

    message_id: str = ""
    at: datetime | None = None
    sender: str
    sender_name: str = ""
    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    reply_to: str = ""
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    thread: str = ""
    """The id of the first mail of its thread."""
    text: str = ""
    html: str = ""
    attachments: tuple[str, ...] = ()
    """Files by reference, such as `zendesk_files 12`."""
    return_path: str | None = None
    """Where bounces go; "" for nowhere, None for the sender."""
    auto_submitted: str = ""
    precedence: str = ""
    failed: str = ""
    """The recipient whom a delivery status notification is about; "" for all other mails."""
    status: str = ""
    """The code of RFC 3463 of a delivery status notification."""
    author: str = ""
    """The address of the person of the company who wrote it, if it left through an app."""
    by_person: bool = False
    """Whether a simulated person wrote it: other simulated people read it and do not answer."""
    source: str = ""
    """The row of the app that sent it, such as `zendesk_side_conversations 4f0c...`."""
    hops: int = 0
    """How many mails it answers, directly and indirectly."""


class MailArrived(Notice):
    """A mail arrived at an address whose mail an app takes."""

    mail: int
    to: str
    app: str


class MailReached(Notice):
    """A mail arrived at the address of a person."""

    mail: int
    to: str
    contact: str


class MailLost(Notice):
    """A mail could not be delivered to an address."""

    mail: int
    to: str
    fate: Fate


# --- posting


def send_mail(tx: Tx, mail: Posted) -> Posted | None:
    """Post a mail: keep it, and deliver it a little later; return None for one that is dropped."""
    if mail.hops > HOPS_AT_MOST:
        return None
    made = keep_mail(tx, mail)
    delay = tx.dice("transit", made.sender, made.id).integer(*TRANSIT_SECONDS)
    tx.later(timedelta(seconds=delay), deliver, mail_id=made.id)
    return made


def keep_mail(tx: Tx, mail: Posted) -> Posted:
    """Add a mail with an id, a date and a thread, without delivering it: another program has done so."""
    number = int(tx.mint(table_of(Posted).name, NUMBERS))
    token = f"{tx.dice('mail', mail.sender, number).hex(12)}.{number}"
    own = mail.message_id or mails.message_id(token, domain_of(mail.sender))
    return tx.add(
        msgspec.structs.replace(
            mail,
            id=number,
            message_id=own,
            thread=_thread(tx, mail) or own,
            at=mail.at or tx.now,
            to=tuple(mail.to[:RECIPIENTS_AT_MOST]),
            cc=tuple(mail.cc[: max(0, RECIPIENTS_AT_MOST - len(mail.to))]),
            subject=mail.subject[:SUBJECT_AT_MOST],
            text=mail.text[:TEXT_AT_MOST],
            html=mail.html[:TEXT_AT_MOST],
        )
    )


def _thread(tx: Tx, mail: Posted) -> str:
    """Return the thread of the newest mail that a mail refers to, else its first reference, else ""."""
    for earlier in reversed(earlier_ids(mail)[-LOOKED_UP:]):
        found = posted_as(tx, earlier)
        if found is not None:
            return found.thread
    return next(iter(earlier_ids(mail)), "")


def answer_to(mail: Posted, *, sender: str, sender_name: str, text: str) -> Posted:
    """Return an answer to a mail; `send_mail` posts it."""
    subject = mail.subject if mails.is_reply_subject(mail.subject) else f"Re: {mail.subject}".strip()
    return Posted(
        sender=sender,
        sender_name=sender_name,
        to=(mail.reply_to or mail.sender,),
        subject=subject,
        in_reply_to=mail.message_id,
        references=mails.references_for_reply(as_mail(mail)),
        text=text,
        hops=mail.hops + 1,
    )


# --- delivering


@APP.command
def deliver(tx: Tx, mail_id: int, after: int = 0) -> None:
    """Deliver a mail to its recipients, a few at a time; links and people react to the notices."""
    mail = tx.find(Posted, mail_id)
    if mail is None:
        return
    recipients = list(dict.fromkeys(map(address_of, (*mail.to, *mail.cc))))
    if len(recipients) > after + AT_ONCE:
        tx.later(timedelta(seconds=1), deliver, mail_id=mail.id, after=after + AT_ONCE)
    for to in recipients[after : after + AT_ONCE]:
        box = mailbox_at(tx, to) if len(to) <= ADDRESS_AT_MOST else None
        if box is not None and box.app:
            tx.emit(MailArrived(mail=mail.id, to=to, app=box.app))
        elif box is not None:
            tx.emit(MailReached(mail=mail.id, to=to, contact=box.contact_id))
        else:
            fate = fate_of(tx, to, box)
            if fate not in ("app", "person"):
                tx.emit(MailLost(mail=mail.id, to=to, fate=fate))


def fate_of(tx: Tx, to: str, box: Mailbox | None = None) -> Fate:
    """Return what becomes of a mail to an address; in a world that lists no addresses, all of them exist."""
    address = address_of(to)
    box = box or (mailbox_at(tx, address) if len(address) <= ADDRESS_AT_MOST else None)
    if box is not None:
        return "app" if box.app else "person"
    if not has_mailboxes(tx) or _is_persona(tx, address):
        return "person"
    if "@" not in address or len(address) > ADDRESS_AT_MOST or not is_known_domain(tx, domain_of(address)):
        return "unknown_domain"
    return "unknown_mailbox"


def _is_persona(tx: Tx, address: str) -> bool:
    asked = "SELECT 1 FROM _people_personas WHERE email = ?1 OR instr(other_emails, ?2) > 0 LIMIT 1"
    return bool(tx.control(asked, address, f'"{address}"'))


# --- reading


def posted_as(tx: Tx, message_id: str) -> Posted | None:
    """Return the mail with a Message-ID, or None."""
    return tx.first(Posted, "message_id = ?", message_id)


def thread_mails(tx: Tx, thread: str) -> list[Posted]:
    """Return the mails of a thread, the oldest first."""
    return tx.all(Posted, "thread = ?", thread)


def earlier_ids(mail: Posted) -> tuple[str, ...]:
    """Return the ids of the mails that a mail answers, the oldest first."""
    last = (mail.in_reply_to,) if mail.in_reply_to and mail.in_reply_to not in mail.references else ()
    return (*mail.references, *last)


def as_mail(mail: Posted, attachments: Iterable[Attachment] = ()) -> Mail:
    """Return a row as a mail with headers; files are those that the app has at its references."""
    headers = (("X-Auto-Response-Suppress", "All"),) if mail.auto_submitted else ()
    return Mail(
        message_id=mail.message_id,
        date=mail.at,
        sender=Address(mail.sender, mail.sender_name),
        to=tuple(map(Address, mail.to)),
        cc=tuple(map(Address, mail.cc)),
        reply_to=(Address(mail.reply_to),) if mail.reply_to else (),
        subject=mail.subject,
        in_reply_to=mail.in_reply_to,
        references=mail.references,
        return_path=mail.return_path,
        auto_submitted=mail.auto_submitted,
        precedence=mail.precedence,
        headers=headers,
        plain=mail.text,
        html=mail.html,
        attachments=tuple(attachments),
    )
