"""What colleagues do with posted mail: they read it when they work, and their answers are posted."""

from __future__ import annotations

import msgspec

from diorama.kernel import Tx
from diorama.kit.mail import new_text
from diorama.people.conduct import MAIL, add_persona, receive_message
from diorama.people.directory import Contact, contact_at
from diorama.people.post import MailReached, Posted, answer_to, send_mail
from diorama.people.reading import READ_AT_MOST
from diorama.people.schema import APP, Knows, Persona, Spoke

REPLY_HOURS = {"brisk": 0.4, "chatty": 0.7, "warm": 0.8, "macro": 1.0, "careful": 1.6}
"""Median of the hours until a colleague answers, by habit."""

FIRST_COLLEAGUE = 1_000_000
"""The id of the first colleague. Customers are numbered from 1, and their dice depend on it: who works at the company
must not change what customers do."""


def add_colleague_persona(tx: Tx, contact: Contact, knows: tuple[Knows, ...] = ()) -> Persona:
    """Let a person of the company answer mail from what they know."""
    for one in knows:
        tx.add(one)
    return add_persona(
        tx,
        Persona(
            id=FIRST_COLLEAGUE + tx.count(Persona, "contact_id <> ''"),
            email=contact.email,
            name=contact.name,
            given=contact.given,
            family=contact.family,
            language=contact.languages[0] if contact.languages else "en",
            patience_hours=0.0,
            rates=0.0,
            reply_hours=REPLY_HOURS.get(contact.habit, 1.0),
            contact_id=contact.id,
        ),
    )


@APP.on(MailReached)
def colleague_reads_mail(tx: Tx, event: MailReached) -> None:
    """Let a colleague read a mail that a person wrote to them; what programs and simulated people write is ignored."""
    mail, contact = tx.find(Posted, event.mail), tx.find(Contact, event.contact)
    if mail is None or contact is None or not contact.is_staff or mail.auto_submitted or mail.by_person:
        return
    author = contact_at(tx, mail.author or mail.sender)
    facts = {"agent": author.given if author is not None else ""}
    text = f"{mail.subject}\n{new_text(mail.text) or mail.text}"
    receive_message(tx, contact.email, MAIL, mail.thread, text[:READ_AT_MOST], facts)


@APP.on(Spoke)
def colleague_answers_mail(tx: Tx, event: Spoke) -> None:
    """Post what a colleague says as an answer to the newest mail of the thread that another person wrote."""
    if event.channel != MAIL:
        return
    wrote = "thread = ? AND by_person = 0 AND auto_submitted = ''"
    mail = tx.first(Posted, wrote, event.thread, order="id DESC")
    if mail is None:
        return
    made = answer_to(mail, sender=event.person, sender_name=event.name, text=event.text)
    send_mail(tx, msgspec.structs.replace(made, by_person=True))
