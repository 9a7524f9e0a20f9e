"""Suspended email."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.attachments import Attachment
from diorama.kernel import Record, sparse

CAUSES: dict[int, tuple[str, str]] = {
    0: ("spam", "Detected as spam"),
    3: ("auto_mailer", "Automated response mail"),
    4: ("loop", "Detected as mail loop"),
    5: ("unknown_user_update", "Unknown user tried to update existing ticket"),
    7: ("auto_delivery_failure", "Automated response mail, delivery failed"),
    8: ("auto_vacation", "Automated response mail, out of office"),
    9: ("system_user", "Detected email as being from a system user"),
    11: ("blank", "Email has no content"),
    13: ("blocklisted", "Email is from a blocklisted sender or domain"),
}
"""Why email is suspended: the vendor's id, its short name, and the text that agents read."""


@APP.record("suspended_tickets", ids=sparse(25_330_871_220_948, 320), index=[("created_at",)])
class SuspendedTicket(Record):
    """An email that waits for an agent's decision; `ticket_id` is the ticket it replies to."""

    author_id: int | None = None
    author_name: str
    author_email: str
    subject: str
    content: str
    cause_id: int
    recipient: str
    message_id: str
    ticket_id: int | None = None
    attachments: tuple[Attachment, ...] = ()
    created_at: datetime
    updated_at: datetime
