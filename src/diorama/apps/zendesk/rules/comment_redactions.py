"""Redaction: remove text and files permanently, and record in the audit that something was removed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import escape, unescape

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.ticket_edits import Edit, request_metadata
from diorama.apps.zendesk.schema import Attachment, Comment, Ticket, User, Via
from diorama.apps.zendesk.schema.attachments import File
from diorama.kernel import Tx
from diorama.kit.sanitizing import sanitized
from diorama.kit.text import MarkupReader, plain_text, strip_tags

BLOCK = "▇"
EMPTY_FILE = "redacted.txt"
_MARK = re.compile(r"\sredact(?:=\"[^\"]*\")?(?=[\s/>])")
API = Via("api")


class _Marks(MarkupReader):
    """Find what is marked in HTML: the content of `redact` elements, and elements with the attribute `redact`."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.elements: list[str] = []
        self.open: list[tuple[str, int, str]] = []  # tag, where it starts, and its whole start tag
        self.names: Counter[str] = Counter()  # the tags in `open`

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember a marked element until it ends."""
        if tag == "redact" or any(name == "redact" for name, _ in attrs):
            self.open.append((tag, self.at, self.get_starttag_text() or ""))
            self.names[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """Keep the source of the marked element that ends here."""
        while self.names[tag]:
            name, start, opening = self.open.pop()
            self.names[name] -= 1
            if name != tag:
                self._single(opening)
            elif tag == "redact":
                self.pieces.append(self.rawdata[start + len(opening) : self.at])
                return
            else:
                end = self.rawdata.find(">", self.at) + 1
                self.elements.append(_MARK.sub("", opening, count=1) + self.rawdata[start + len(opening) : end])
                return

    def close(self) -> None:
        """Keep the tags of elements that do not end, such as images."""
        super().close()
        for name, _, opening in self.open:
            if name != "redact":
                self._single(opening)

    def _single(self, opening: str) -> None:
        self.elements.append(_MARK.sub("", opening, count=1))


def blocks(text: str) -> str:
    """Replace every character except spaces by a block."""
    return "".join(BLOCK if not piece.isspace() else piece for piece in text)


def redact_text(tx: Tx, ticket: Ticket, comment: Comment, text: str, by: User) -> Comment:
    """Redact a string in a comment."""
    if ticket.status == "closed":
        raise refusals.closed()
    if not text.strip() or (text not in comment.body and text not in (comment.html or "")):
        raise refusals.invalid("text", "Text: was not found in the comment", "InvalidValue")
    html = comment.html
    if html is not None:
        html = html.replace(text, blocks(text)).replace(escape(text, quote=False), blocks(text))
    return _rewrite(tx, ticket, comment, comment.body.replace(text, blocks(text)), html, by)


def redact_marked(
    tx: Tx, ticket: Ticket, comment: Comment, html: str, by: User, *, whole: bool = False, files: Iterable[int] = ()
) -> Comment:
    """Redact the marked parts or all of a comment's HTML, and some of its files; closed tickets too."""
    named = list(files)
    marks = _Marks()
    if not whole:
        marks.read(html)
    pieces = [piece for piece in marks.pieces if plain_text(piece)]
    if not whole and not pieces and not marks.elements and not named:
        raise refusals.invalid("html_body", "Html body: has nothing marked for redaction", "InvalidValue")
    if whole:
        _rewrite(tx, ticket, comment, blocks(comment.body), None, by)
    elif pieces or marks.elements:
        _rewrite(tx, ticket, comment, *_without(comment.body, comment.html, pieces, marks.elements), by)
    for number in named:
        redact_file(tx, tx.get(Ticket, ticket.id), tx.get(Comment, comment.id), number, by)
    return tx.get(Comment, comment.id)


def _without(body: str, html: str | None, pieces: list[str], elements: list[str]) -> tuple[str, str | None]:
    """Return the plain text and the HTML of a comment with blocks instead of some pieces of its HTML."""
    html = html or ""
    for piece in pieces:
        source = strip_tags(piece)
        for text in (unescape(source), plain_text(piece)):
            body = body.replace(text, blocks(text))
        for way in (source, sanitized(source)):
            html = html.replace(way, blocks(unescape(source))) if way else html
    for element in elements:
        source = element.replace("<redact>", "").replace("</redact>", "")
        for way in (source, sanitized(source)):
            html = html.replace(way, blocks(plain_text(source)) or BLOCK) if way else html
    return body, html or None


def _rewrite(tx: Tx, ticket: Ticket, comment: Comment, body: str, html: str | None, by: User) -> Comment:
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
    """Replace a file of a comment with an empty one."""
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
