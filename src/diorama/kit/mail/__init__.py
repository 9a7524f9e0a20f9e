"""Mail: a record, real MIME bytes and back, threads, bounces, automatic replies, and what a sender wrote.

    mail = Mail(message_id=message_id("k3v9", "shop.example"), sender=Address("ann@shop.example"), subject="Hello")
    read(written(mail)) == mail

Everything is a pure function: ids and dates come from the world. Reading takes any bytes.
"""

from diorama.kit.mail.answers import auto_reply, bounce_address, delivery_status, may_answer_automatically
from diorama.kit.mail.headers import read_addresses
from diorama.kit.mail.message import MAIL_AT_MOST, Address, Attachment, Mail
from diorama.kit.mail.quoting import new_text
from diorama.kit.mail.reading import read
from diorama.kit.mail.threads import (
    base_subject,
    earlier_ids,
    is_reply_subject,
    is_reply_to,
    message_id,
    references_for_reply,
    thread_key,
)
from diorama.kit.mail.writing import written

__all__ = [
    "MAIL_AT_MOST",
    "Address",
    "Attachment",
    "Mail",
    "auto_reply",
    "base_subject",
    "bounce_address",
    "delivery_status",
    "earlier_ids",
    "is_reply_subject",
    "is_reply_to",
    "may_answer_automatically",
    "message_id",
    "new_text",
    "read",
    "read_addresses",
    "references_for_reply",
    "thread_key",
    "written",
]
