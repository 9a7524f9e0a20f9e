"""Which mails belong together: ids, references, and subjects without their prefixes."""

from __future__ import annotations

import re

from diorama.kit.mail.message import REFERENCES_AT_MOST, Mail

_REPLY = ("re", "aw", "antw", "sv", "rép", "rep", "rif", "odp", "vs", "antwort", "antwoord", "res")
_FORWARD = ("fwd", "fw", "wg", "tr", "rv", "doorst", "vl", "enc", "i")
_PREFIX = re.compile(rf"\s*+(?:({'|'.join(_REPLY)})|{'|'.join(_FORWARD)})\s?(?:\[\d{{1,3}}\])?\s?[:：]", re.IGNORECASE)
_UNSAFE = re.compile(r"[^\w.!#$%&'*+/=?^`{|}~-]+", re.ASCII)


def message_id(token: str, domain: str) -> str:
    """Return the id of a new mail from a token that the world has drawn."""
    return f"<{_UNSAFE.sub('', token) or '0'}@{_UNSAFE.sub('', domain) or 'localhost'}>"


def base_subject(subject: str) -> str:
    """Return a subject as threads compare it: without prefixes (Re:, AW:, WG:, TR:, RV: ...), in one case."""
    at = 0
    while found := _PREFIX.match(subject, at):
        at = found.end()
    return " ".join(subject[at:].split()).casefold()


def is_reply_subject(subject: str) -> bool:
    """Check whether a subject starts with the prefix of a reply, in any of the languages."""
    found = _PREFIX.match(subject)
    return found is not None and found[1] is not None


def earlier_ids(mail: Mail) -> tuple[str, ...]:
    """Return the ids of the mails that a mail answers, the oldest first."""
    last = (mail.in_reply_to,) if mail.in_reply_to and mail.in_reply_to not in mail.references else ()
    return (*mail.references, *last)


def references_for_reply(mail: Mail) -> tuple[str, ...]:
    """Return the header References of an answer to a mail."""
    ids = tuple(one for one in (*earlier_ids(mail), mail.message_id) if one)
    return ids if len(ids) <= REFERENCES_AT_MOST else (ids[0], *ids[1 - REFERENCES_AT_MOST :])


def thread_key(mail: Mail) -> str:
    """Return what the mails of a thread share: the id of the first one, or the subject if there are no ids."""
    ids = earlier_ids(mail) or ((mail.message_id,) if mail.message_id else ())
    return ids[0] if ids else f"subject:{base_subject(mail.subject)}"


def is_reply_to(mail: Mail, earlier: Mail) -> bool:
    """Check whether a mail answers an earlier one: by ids, or without any by the subject with a prefix of a reply."""
    ids = earlier_ids(mail)
    if ids:
        return bool(earlier.message_id) and earlier.message_id in ids
    subject = base_subject(mail.subject)
    same = bool(subject) and subject == base_subject(earlier.subject)
    return same and is_reply_subject(mail.subject) and (not mail.message_id or mail.message_id != earlier.message_id)
