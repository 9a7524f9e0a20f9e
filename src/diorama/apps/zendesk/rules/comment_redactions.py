"""Redaction: words and files are taken out for good, and the audit says that something was."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.ticket_edits import Edit, request_metadata
from diorama.apps.zendesk.schema import Attachment, Comment, Ticket, User, Via
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx

BLOCK = "▇"
EMPTY_FILE = "redacted.txt"
_MARKED = re.compile(r"<redact>(.*?)</redact>", re.DOTALL)
_ELEMENT = re.compile(r"<(\w+)\b[^>]*\sredact(?:=\"[^\"]*\")?[^>]*>(?:(.*?)</\1>)?", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
API = Via("api")


def blocks(text: str) -> str:
    """As many blocks as there were characters."""
    return "".join(BLOCK if not piece.isspace() else piece for piece in text)


def redact_text(tx: Tx, ticket: Ticket, comment: Comment, text: str, by: User) -> Comment:
    """Take a string out of a comment."""
    if ticket.status == "closed":
        raise refusals.closed()
    if not text.strip() or (text not in comment.body and text not in (comment.html or "")):
        raise refusals.invalid("text", "Text: was not found in the comment", "InvalidValue")
    return _rewrite(tx, ticket, comment, [text], by)


def redact_marked(
    tx: Tx, ticket: Ticket, comment: Comment, html: str, by: User, *, whole: bool = False, files: Iterable[int] = ()
) -> Comment:
    """Take out what is marked in the comment's HTML, or all of it, and some of its files; closed tickets too."""
    pieces = [comment.body] if whole else [_TAG.sub("", piece) for piece in _MARKED.findall(html)]
    elements = [] if whole else [found.group(0) for found in _ELEMENT.finditer(html)]
    wanted = [piece for piece in pieces if piece.strip()]
    named = list(files)
    if not wanted and not elements and not named:
        raise refusals.invalid("html_body", "Html body: has nothing marked for redaction", "InvalidValue")
    changed = comment
    if wanted or elements:
        changed = _rewrite(tx, ticket, comment, wanted, by, elements)
    for number in named:
        redact_file(tx, tx.get(Ticket, ticket.id), tx.get(Comment, comment.id), number, by)
    return tx.get(Comment, changed.id)


def _rewrite(
    tx: Tx, ticket: Ticket, comment: Comment, pieces: list[str], by: User, elements: Iterable[str] = ()
) -> Comment:
    body, html = comment.body, comment.html
    for piece in pieces:
        body = body.replace(piece, blocks(piece))
        html = html.replace(piece, blocks(piece)) if html is not None else None
    for element in elements:
        bare = re.sub(r"\sredact(=\"[^\"]*\")?", "", element)
        bare = bare.replace("<redact>", "").replace("</redact>", "")
        html = html.replace(bare, blocks(_TAG.sub("", bare)) or BLOCK) if html is not None else None
    edit = Edit(tx, ticket, by, API, ticket, request_metadata(by, API))
    edit.tell("CommentRedactionEvent", comment_id=comment.id)
    if ticket.description == comment.body:
        edit.set(description=body)
    edit.finish()
    return tx.change(comment, body=body, html=html)


def redact_attachment(tx: Tx, ticket: Ticket, comment: Comment, number: int, by: User) -> Attachment:
    """Replace a file of a comment by an empty one, unless the ticket is closed."""
    if ticket.status == "closed":
        raise refusals.closed()
    return redact_file(tx, ticket, comment, number, by)


def redact_file(tx: Tx, ticket: Ticket, comment: Comment, number: int, by: User) -> Attachment:
    """Replace a file of a comment by an empty one."""
    there = next((one for one in comment.attachments if one.id == number), None)
    if there is None:
        raise refusals.not_found()
    empty = msgspec.structs.replace(there, file_name=EMPTY_FILE, content_type="text/plain", size=0)
    edit = Edit(tx, ticket, by, API, ticket, request_metadata(by, API))
    edit.tell("AttachmentRedactionEvent", attachment_id=number, comment_id=comment.id)
    edit.finish()
    tx.change(comment, attachments=tuple(empty if one.id == number else one for one in comment.attachments))
    file = tx.find(File, number)
    if file is not None:
        tx.change(file, file_name=EMPTY_FILE, content_type="text/plain", size=0, content=b"")
    return empty
