"""People: names, messy writing, daily rhythms, and personas who have needs, wait, answer, come back and rate."""

from diorama.people.checks import CHECKS, check, holds
from diorama.people.conduct import (
    add_persona,
    expect_reply,
    receive_message,
    set_thread,
    write,
    writer_of,
)
from diorama.people.directory import (
    Absence,
    Account,
    Contact,
    Mailbox,
    accounts_of,
    add_account,
    add_contact,
    add_mailbox,
    addresses_of,
    contact_at,
    contact_with,
    is_staff_address,
    staff,
    team_members,
)
from diorama.people.inbox import add_colleague_persona
from diorama.people.judging import person_named, satisfaction, troubles, unmet
from diorama.people.post import MailArrived, MailLost, MailReached, Posted, fate_of, send_mail
from diorama.people.returns import rendered
from diorama.people.schema import APP, Conversation, Knows, Need, Persona, Rated, Retort, Spoke, Utterance
from diorama.people.settings import Settings, set_up
from diorama.people.writing import Letter, Writer, dress, letter

__all__ = [
    "APP",
    "CHECKS",
    "Absence",
    "Account",
    "Contact",
    "Conversation",
    "Knows",
    "Letter",
    "MailArrived",
    "MailLost",
    "MailReached",
    "Mailbox",
    "Need",
    "Persona",
    "Posted",
    "Rated",
    "Retort",
    "Settings",
    "Spoke",
    "Utterance",
    "Writer",
    "accounts_of",
    "add_account",
    "add_colleague_persona",
    "add_contact",
    "add_mailbox",
    "add_persona",
    "addresses_of",
    "check",
    "contact_at",
    "contact_with",
    "dress",
    "expect_reply",
    "fate_of",
    "holds",
    "is_staff_address",
    "letter",
    "person_named",
    "receive_message",
    "rendered",
    "satisfaction",
    "send_mail",
    "set_thread",
    "set_up",
    "staff",
    "team_members",
    "troubles",
    "unmet",
    "write",
    "writer_of",
]
