"""Files: uploaded under a token, attached by a comment, copied with it, and downloaded."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from datetime import timedelta

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Attachment, Comment, Ticket, User
from diorama.apps.zendesk.schema.attachments import File, Upload
from diorama.kernel import Tx
from diorama.kit.sample_files import sample_file

VALID = timedelta(minutes=60)
"""How long an upload waits for its comment."""
UNTYPED = "application/octet-stream"


class MailAttachment(msgspec.Struct, frozen=True):
    """An attachment of an incoming email."""

    file_name: str
    content: bytes
    content_type: str = UNTYPED


def upload(tx: Tx, by: User, file_name: str, content_type: str, content: bytes, token: str | None = None) -> Upload:
    """Store a file under a new token, or with others under an existing token."""
    moment = now(tx)
    if token is None:
        made = tx.add(Upload(user_id=by.id, created_at=moment, expires_at=moment + VALID))
        tx.later(VALID, drop_upload, token=made.id)
    else:
        made = open_upload(tx, token, by)
    tx.add(
        File(
            file_name=file_name,
            content_type=content_type,
            size=len(content),
            content=content,
            upload=made.id,
            created_at=moment,
        )
    )
    return made


def open_upload(tx: Tx, token: str, by: User) -> Upload:
    """Return an upload that the user may still use."""
    found = tx.find(Upload, token)
    if found is None or (found.user_id != by.id and not by.staff):
        raise refusals.not_found()
    return found


@APP.command
def drop_upload(tx: Tx, token: str) -> None:
    """Delete an upload and its files that no comment uses yet."""
    found = tx.find(Upload, token)
    if found is not None:
        for file in tx.all(File, "upload = ?", token):
            tx.remove(file)
        tx.remove(found)


def attachment_of(file: File) -> Attachment:
    """Return a file as comments list it."""
    return Attachment(id=file.id, file_name=file.file_name, content_type=file.content_type, size=file.size)


def claim(tx: Tx, tokens: Iterable[str], by: User) -> tuple[Attachment, ...]:
    """Take the files under these tokens for a comment; ignore tokens that are unknown or already used."""
    out: list[Attachment] = []
    for token in dict.fromkeys(tokens):
        found = tx.find(Upload, token)
        if found is None or (found.user_id != by.id and not by.staff):
            continue
        for file in tx.all(File, "upload = ?", token):
            out.append(attachment_of(tx.change(file, upload=None)))
        tx.remove(found)
    return tuple(out)


def store_mail_attachments(tx: Tx, enclosures: Iterable[MailAttachment]) -> tuple[Attachment, ...]:
    """Store the attachments of an email."""
    moment = now(tx)
    return tuple(
        attachment_of(
            tx.add(
                File(
                    file_name=one.file_name,
                    content_type=one.content_type,
                    size=len(one.content),
                    content=one.content,
                    created_at=moment,
                )
            )
        )
        for one in enclosures
    )


def link_to_comment(tx: Tx, comment: Comment) -> None:
    """Record on each file of a comment the comment and ticket it belongs to."""
    for attachment in comment.attachments:
        file = tx.find(File, attachment.id)
        if file is not None:
            tx.change(file, comment_id=comment.id, ticket_id=comment.ticket_id)


def copy_attachments(tx: Tx, attachments: Iterable[Attachment]) -> tuple[Attachment, ...]:
    """Copy files for another comment."""
    out = []
    for attachment in attachments:
        file = tx.find(File, attachment.id)
        content = content_of(file) if file is not None else None
        made = tx.add(
            File(
                file_name=attachment.file_name,
                content_type=attachment.content_type,
                size=attachment.size,
                content=content,
                created_at=now(tx),
            )
        )
        out.append(attachment_of(made))
    return tuple(out)


def content_of(file: File) -> bytes:
    """Return the bytes of a file; without stored content, generate them from its id, at its size."""
    if file.content is not None:
        return file.content
    return sample_file(file.content_type, file.size, str(file.id))


def placeholder_image(subject: int | str, side: int = 16) -> bytes:
    """Return a small one-colour PNG; the colour depends on the subject."""
    colour = zlib.crc32(str(subject).encode()).to_bytes(4, "big")[:3]
    rows = (b"\x00" + colour * side) * side
    header = side.to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows))]
    chunks = (
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in (*parts, (b"IEND", b""))
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def readable_file(tx: Tx, number: int, by: User) -> File:
    """Return a file the user may read: agents in tickets they see, customers in their public conversations."""
    file = tx.get(File, number)
    comment = tx.find(Comment, file.comment_id) if file.comment_id else None
    ticket = tx.find(Ticket, comment.ticket_id) if comment else None
    if by.staff:
        if ticket is not None:
            permissions.check_ticket(tx, ticket, by)
        return file
    if file.upload is not None:
        open_upload(tx, file.upload, by)
        return file
    if comment is None or ticket is None or not comment.public or ticket.deleted_at is not None:
        raise refusals.not_found()
    if not permissions.can_see_request(tx, by, ticket):
        raise refusals.not_found()
    return file


def set_malware_override(tx: Tx, file: File, override: bool) -> Attachment:
    """Set whether agents may open an attachment despite a malware finding."""
    comment = tx.find(Comment, file.comment_id) if file.comment_id else None
    if comment is None:
        raise refusals.not_found()
    changed = [
        msgspec.structs.replace(one, malware_access_override=override) if one.id == file.id else one
        for one in comment.attachments
    ]
    tx.change(comment, attachments=tuple(changed))
    return next(one for one in changed if one.id == file.id)
