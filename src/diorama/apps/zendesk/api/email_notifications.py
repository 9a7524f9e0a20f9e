"""Mail that left the desk on the wire: what rules sent to whom, read from the audits that tell of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST, Page, get_many, ids_of, page_of_list
from diorama.apps.zendesk.schema import APP, AUDIT_STEP, BASE, HOST, Audit, Comment, Event, User
from diorama.apps.zendesk.wire.email_notifications import (
    DeliveryStatus,
    EmailNotificationObject,
    EmailNotificationResponse,
    EmailNotificationsResponse,
    RecipientObject,
)
from diorama.kernel import Tx
from diorama.kit import Query

NONE = DeliveryStatus(0, "NONE", "0", "No delivery failure responses received")
UNKNOWN = DeliveryStatus(
    4, "ACTIVE_RECORD_NOT_FOUND_ERROR", "4", "Email failed to deliver. Try sending again"
)  # the person, or the address, is gone


def _mails(audits: Sequence[Audit]) -> Iterator[tuple[Audit, Event]]:
    for audit in audits:
        for event in audit.events:
            if event.type == "Notification" and event.recipients:
                yield audit, event


def _shape(tx: Tx, audit: Audit, event: Event) -> EmailNotificationObject:
    listed = event.recipients if isinstance(event.recipients, tuple) else ()
    people = {user.id: user for user in get_many(tx, User, listed)}
    mark = sha256(f"{audit.ticket_id}/{event.id}".encode()).hexdigest()
    reached = [
        RecipientObject(
            number,
            (found.email if (found := people.get(number)) is not None else None) or "",
            NONE if found is not None and found.email and found.active else UNKNOWN,
        )
        for number in listed
    ]
    return EmailNotificationObject(
        url=f"{BASE}/email_notifications/{event.id}.json",
        notification_id=event.id,
        email_id=mark[:26].upper(),
        message_id=f"<{mark[26:40]}_{audit.ticket_id}_sprut@{HOST}>",
        ticket_id=audit.ticket_id,
        comment_id=_words(tx, audit),
        recipients=reached,
        created_at=audit.created_at,
        updated_at=audit.created_at,
    )


def _words(tx: Tx, audit: Audit) -> int | None:
    """The comment that a mail is about: the one of its update, or the last before it."""
    own = next((event.id for event in audit.events if event.type == "Comment"), None)
    if own is not None:
        return own
    last = tx.rows(
        "SELECT id FROM zendesk_comments WHERE ticket_id = ? AND id < ? ORDER BY id DESC LIMIT 1",
        audit.ticket_id,
        audit.id,
    )
    return last[0][0] if last else None


def _by_number(tx: Tx, number: int) -> list[tuple[Audit, Event]]:
    """The mail of a number: events have numbers next to their audit's."""
    audit = tx.first(Audit, "id <= ? AND id > ?", number, number - AUDIT_STEP, order="id DESC")
    return [found for found in _mails([audit] if audit is not None else []) if found[1].id == number]


def _by_ticket(tx: Tx, number: int) -> list[tuple[Audit, Event]]:
    return list(_mails(tx.all(Audit, "ticket_id = ?", number)))


def _by_comment(tx: Tx, number: int) -> list[tuple[Audit, Event]]:
    comment = tx.find(Comment, number)
    found = _by_ticket(tx, comment.ticket_id) if comment is not None else []
    return [(audit, event) for audit, event in found if _words(tx, audit) == number]


@APP.get("/api/v2/email_notifications", role="agent")
def list_email_notifications(
    tx: Tx,
    page: Page,
    notification: Annotated[int | None, Query("filter[notification_id]")] = None,
    comment: Annotated[int | None, Query("filter[comment_id]")] = None,
    ticket: Annotated[int | None, Query("filter[ticket_id]")] = None,
) -> EmailNotificationsResponse:
    """The mails of a ticket, of a comment, or one of them, the newest first."""
    if notification is not None:
        found = _by_number(tx, notification)
    elif comment is not None:
        found = _by_comment(tx, comment)
    elif ticket is not None:
        found = _by_ticket(tx, ticket)
    else:
        raise refusals.parameter_missing("filter")
    found.sort(key=lambda one: (one[0].created_at, one[1].id), reverse=True)
    part, around = page_of_list(page, found, lambda one: one[1].id)
    return EmailNotificationsResponse(email_notifications=[_shape(tx, *one) for one in part], **around)


@APP.get("/api/v2/email_notifications/{notification_id}", role="agent")
def show_email_notification(tx: Tx, notification_id: int) -> EmailNotificationResponse:
    """Show a mail."""
    found = _by_number(tx, notification_id)
    if not found:
        raise refusals.not_found()
    return EmailNotificationResponse(_shape(tx, *found[0]))


@APP.get("/api/v2/email_notifications/show_many", role="agent")
def show_many_email_notifications(
    tx: Tx, ids: str | None = None, comment_ids: str | None = None, ticket_ids: str | None = None
) -> EmailNotificationsResponse:
    """Several mails, by their numbers, their comments or their tickets."""
    if comment_ids:
        found = [mail for number in ids_of(comment_ids, "comment_ids") for mail in _by_comment(tx, number)]
    elif ticket_ids:
        found = [mail for number in ids_of(ticket_ids, "ticket_ids") for mail in _by_ticket(tx, number)]
    else:
        found = [mail for number in ids_of(ids) for mail in _by_number(tx, number)]
    return EmailNotificationsResponse(email_notifications=[_shape(tx, *one) for one in found[:MOST]])
