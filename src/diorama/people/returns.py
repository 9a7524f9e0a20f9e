"""Mails that programs send: delivery status notifications, and the notes of people who are away."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.kernel import Record, Tx
from diorama.kit import mail as mails
from diorama.kit.mail import Mail
from diorama.people.directory import Absence, Contact, addresses_of, domain_of
from diorama.people.material import load
from diorama.people.names import Person
from diorama.people.post import Fate, MailLost, MailReached, Posted, as_mail, posted_as, send_mail
from diorama.people.schema import APP
from diorama.people.settings import settings
from diorama.people.writing import Writer, autoresponse

AWAY_SECONDS = (5, 90)
"""After how long a mailbox answers that its owner is away."""
REFUSALS: dict[Fate, tuple[str, str, tuple[int, int]]] = {
    "unknown_mailbox": ("5.1.1", "The email account that you tried to reach does not exist", (4, 60)),
    "unknown_domain": ("5.1.2", "Host or domain name not found", (120, 2_400)),
}
"""Why a mail comes back: the code of RFC 3463, the words, and after how many seconds.

The server of a domain knows at once whom it has; a domain that no one finds is tried a few times.
"""


@APP.record("away_notes")
class AwayNote(Record):
    """That a person's mailbox told a sender of an absence; its id names the three."""

    id: str = ""
    at: datetime


# --- bounces


@APP.on(MailLost)
def mail_comes_back(tx: Tx, event: MailLost) -> None:
    """Plan the delivery status notification, unless the mail says that none may be sent."""
    mail = tx.find(Posted, event.mail)
    if mail is None or not mails.bounce_address(as_mail(mail)) or mail.failed:
        return
    shortest, longest = REFUSALS[event.fate][2]
    delay = tx.dice("bounce", mail.id, event.to).integer(shortest, longest)
    tx.later(timedelta(seconds=delay), bounce, mail_id=mail.id, to=event.to, fate=event.fate)


@APP.command
def bounce(tx: Tx, mail_id: int, to: str, fate: Fate) -> None:
    """Send the delivery status notification of a mail: by the server of the recipient, or of the sender."""
    mail = tx.find(Posted, mail_id)
    if mail is None:
        return
    status, reason, _ = REFUSALS[fate]
    host = domain_of(to) if fate == "unknown_mailbox" else domain_of(mail.sender)
    made = mails.delivery_status(
        as_mail(mail), reason, recipient=to, message_id="", date=tx.now, host=host, status=status
    )
    send_mail(tx, _row(mail, made, failed=to, status=status))


def notification_of(tx: Tx, mail: Posted) -> Mail:
    """Return a delivery status notification with its report and the headers of the mail that came back."""
    original = posted_as(tx, mail.in_reply_to) or mail
    reason = next((said for code, said, _ in REFUSALS.values() if code == mail.status), "")
    return mails.delivery_status(
        as_mail(original),
        reason,
        recipient=mail.failed,
        message_id=mail.message_id,
        date=mail.at or tx.now,
        host=domain_of(mail.sender),
        status=mail.status,
    )


def rendered(tx: Tx, mail: Posted) -> bytes:
    """Return a mail as MIME bytes."""
    return mails.written(notification_of(tx, mail) if mail.failed else as_mail(mail))


def _row(original: Posted, made: Mail, *, failed: str = "", status: str = "") -> Posted:
    """Return an automatic mail as a row to post."""
    return Posted(
        sender=made.sender.email,
        sender_name=made.sender.name,
        to=tuple(one.email for one in made.to),
        subject=made.subject,
        in_reply_to=made.in_reply_to,
        references=made.references,
        text=made.plain,
        return_path="",
        auto_submitted=made.auto_submitted,
        precedence=made.precedence,
        failed=failed,
        status=status,
        hops=original.hops + 1,
    )


# --- people who are away


@APP.on(MailReached)
def mailbox_says_that_its_owner_is_away(tx: Tx, event: MailReached) -> None:
    """Plan a note about an absence, once for each sender, and never to a program or a list."""
    mail, contact = tx.find(Posted, event.mail), tx.find(Contact, event.contact)
    if mail is None or contact is None:
        return
    absence = contact.absence_at(tx.now)
    if absence is None or not mails.may_answer_automatically(as_mail(mail), addresses_of(tx, contact)):
        return
    told = f"{contact.id} {absence.first} {mails.bounce_address(as_mail(mail)).lower()}"
    if tx.find(AwayNote, told) is None:
        tx.add(AwayNote(id=told, at=tx.now))
        delay = tx.dice("away", contact.id, mail.id).integer(*AWAY_SECONDS)
        tx.later(timedelta(seconds=delay), send_away_note, mail_id=mail.id, contact_id=contact.id)


@APP.command
def send_away_note(tx: Tx, mail_id: int, contact_id: str) -> None:
    """Send the note of a person who is away."""
    mail, contact = tx.find(Posted, mail_id), tx.find(Contact, contact_id)
    absence = contact.absence_at(tx.now) if contact is not None else None
    if mail is None or contact is None or absence is None:
        return
    subject, text = away_texts(tx, contact, absence, mail)
    made = mails.auto_reply(
        as_mail(mail),
        text,
        sender=mails.Address(contact.email, contact.name),
        message_id="",
        date=tx.now,
        subject=subject,
    )
    send_mail(tx, _row(mail, made))


def away_texts(tx: Tx, contact: Contact, absence: Absence, mail: Posted) -> tuple[str, str]:
    """Return subject and text of the note of a person who is away."""
    language = next((one for one in contact.languages if "autoresponders" in load(one)), "en")
    who = Person(given=contact.given, family=contact.family, culture="", country="", language=language)
    company = settings(tx).shop_name if contact.is_staff else ""
    writer = Writer(person=who, email=contact.email, company=company)
    back = datetime.combine(absence.last + timedelta(days=1), datetime.min.time(), tx.now.tzinfo)
    dice = tx.dice("away text", contact.id, absence.first.isoformat())
    return autoresponse(dice, writer, mail.subject, back, language)
