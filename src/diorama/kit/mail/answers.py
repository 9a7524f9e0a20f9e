"""Mails that programs send: bounces (RFC 3464) and automatic replies (RFC 3834)."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

from diorama.kit.mail.headers import write_date
from diorama.kit.mail.message import Address, Attachment, Mail, one_line, plain_address
from diorama.kit.mail.threads import is_reply_subject, references_for_reply
from diorama.kit.mail.writing import written

_NOT_PEOPLE = re.compile(
    r"(?:mailer-daemon|postmaster|listserv|majordomo|daemon|bounces?|owner-.*|.*-(?:request|owner|bounces?)|(?:no|do-?not)[._-]?reply)"
    r"(?:\+.*)?",
    re.IGNORECASE,
)
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}")
_LIST_HEADERS = ("list-help", "list-post", "list-subscribe", "list-unsubscribe", "list-owner", "list-archive")


def bounce_address(mail: Mail) -> str:
    """Return where a bounce or an automatic reply goes: the return path, or else the sender; "" for nowhere."""
    return mail.sender.email if mail.return_path is None else mail.return_path


def delivery_status(
    mail: Mail,
    reason: str,
    *,
    recipient: str,
    message_id: str,
    date: datetime,
    host: str,
    status: str = "5.1.1",
    action: str = "failed",
) -> Mail:
    """Return the bounce of a mail that did not reach a recipient: a report with a text, a status and the headers.

    `host` is the mail server that reports, `action` is `failed` or `delayed`, and `status` a code of RFC 3463. No
    bounce may be sent for a mail with an empty return path: check `bounce_address` first.
    """
    to, why = plain_address(recipient), one_line(reason)
    code = status if _STATUS.fullmatch(status) else "5.0.0"
    server = plain_address(host) or "localhost"
    late = action == "delayed"
    said = "has not been delivered yet" if late else "could not be delivered"
    text = f"Your message to {to} {said}.\n\nThe server reported:\n{code} {why}\n"
    fields = [
        f"Reporting-MTA: dns; {server}",
        f"Arrival-Date: {write_date(mail.date or date)}",
        "",
        f"Final-Recipient: rfc822; {to}",
        f"Action: {'delayed' if late else 'failed'}",
        f"Status: {code}",
        f"Diagnostic-Code: smtp; {code} {why}",
        "",
    ]
    head = written(mail).partition(b"\r\n\r\n")[0] + b"\r\n"
    return Mail(
        message_id=message_id,
        date=date,
        sender=Address(f"mailer-daemon@{server}", "Mail Delivery Subsystem"),
        to=(Address(bounce_address(mail)),),
        subject=f"Delivery Status Notification ({'Delay' if late else 'Failure'})",
        in_reply_to=mail.message_id,
        references=references_for_reply(mail),
        return_path="",
        auto_submitted="auto-replied",
        plain=text.rstrip("\n"),
        attachments=(
            Attachment("", "message/delivery-status", "\r\n".join(fields).encode("utf-8", "replace"), ""),
            Attachment("", "text/rfc822-headers", head, ""),
        ),
        report="delivery-status",
    )


def auto_reply(mail: Mail, text: str, *, sender: Address, message_id: str, date: datetime, subject: str = "") -> Mail:
    """Return an automatic reply to a mail, such as an absence note; ask `may_answer_automatically` first."""
    own = mail.subject if is_reply_subject(mail.subject) else f"Re: {mail.subject}".strip()
    return Mail(
        message_id=message_id,
        date=date,
        sender=sender,
        to=(Address(bounce_address(mail), mail.sender.name if bounce_address(mail) == mail.sender.email else ""),),
        subject=subject or own,
        in_reply_to=mail.message_id,
        references=references_for_reply(mail),
        return_path="",
        auto_submitted="auto-replied",
        precedence="auto_reply",
        headers=(("X-Auto-Response-Suppress", "All"),),
        plain=text,
    )


def may_answer_automatically(mail: Mail, own_addresses: Collection[str] = ()) -> bool:
    """Check whether a program may answer a mail (RFC 3834): not to other programs, lists, bulk mail or bounces.

    With `own_addresses`, one of them has to be named in To or Cc, as for the absence note of a person.
    """
    to = bounce_address(mail)
    if not to or not mail.sender.email or mail.report:
        return False
    if mail.auto_submitted and mail.auto_submitted.partition(";")[0].strip().lower() != "no":
        return False
    if mail.list_id or any(mail.header(name) for name in _LIST_HEADERS):
        return False
    if mail.precedence.strip().lower() in ("bulk", "junk", "list", "auto_reply"):
        return False
    suppressed = {one.strip().lower() for one in mail.header("x-auto-response-suppress").split(",")}
    if suppressed & {"all", "oof", "autoreply"} or mail.header("x-autoreply") or mail.header("x-autorespond"):
        return False
    if any(_NOT_PEOPLE.fullmatch(one.partition("@")[0][:100]) for one in (to, mail.sender.email)):
        return False
    own = {one.lower() for one in own_addresses}
    return to.lower() not in own and (not own or any(one.email.lower() in own for one in (*mail.to, *mail.cc)))
