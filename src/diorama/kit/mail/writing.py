"""A mail as bytes (RFC 5322, 2045 to 2047, 2231), in the structure that mail programs make, always the same."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable

from diorama.kit.mail.headers import encoded, folded, write_address, write_date, write_parameter
from diorama.kit.mail.message import Address, Attachment, Mail, one_line, plain_address, text_lines

_HEADER_NAME = re.compile(r"[!-9;-~]{1,100}")
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,100}/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}")
_UNSAFE_LINE = re.compile(rb"[^\t\n\r -~]|[^\n]{77}|[ \t](?:\r?\n|$)")
OWN_HEADERS = frozenset(
    {
        "auto-submitted", "bcc", "cc", "content-disposition", "content-id", "content-transfer-encoding",
        "content-type", "date", "from", "in-reply-to", "list-id", "message-id", "mime-version", "precedence",
        "references", "reply-to", "return-path", "subject", "to",
    }
)  # fmt: skip
"""Headers that are fields of a mail, or that say how it is written."""


def written(mail: Mail, *, bcc: bool = False) -> bytes:
    """Return a mail as bytes. The header Bcc is left out, as in what recipients get, unless `bcc` is true."""
    lines = [*_headers(mail), *([_people("Bcc", mail.bcc)] if bcc and mail.bcc else [])]
    head = "".join(f"{line}\r\n" for line in [*lines, "MIME-Version: 1.0"])
    return head.encode("utf-8", "replace") + _body(mail)


def _headers(mail: Mail) -> Iterable[str]:
    if mail.return_path is not None:
        yield f"Return-Path: <{plain_address(mail.return_path)}>"
    if mail.date is not None:
        yield f"Date: {write_date(mail.date)}"
    if mail.sender.email or mail.sender.name:
        yield _people("From", (mail.sender,))
    for name, people in (("To", mail.to), ("Cc", mail.cc), ("Reply-To", mail.reply_to)):
        if people:
            yield _people(name, people)
    fields = (
        ("Message-ID", _id(mail.message_id)),
        ("In-Reply-To", _id(mail.in_reply_to)),
        ("References", folded(" ".join(filter(None, map(_id, mail.references))))),
        ("Subject", encoded(mail.subject)),
        ("Auto-Submitted", encoded(mail.auto_submitted)),
        ("Precedence", encoded(mail.precedence)),
        ("List-Id", encoded(mail.list_id)),
    )
    yield from (f"{name}: {value}" for name, value in fields if value)
    for name, value in mail.headers:
        if _HEADER_NAME.fullmatch(name) and name.lower() not in OWN_HEADERS and (text := encoded(value)):
            yield f"{name}: {text}"


def _people(name: str, people: tuple[Address, ...]) -> str:
    return f"{name}: " + ",\r\n ".join(filter(None, map(write_address, people)))


def _id(text: str) -> str:
    inner = re.sub(r"[<>\s\0-\x20\x7f-\x9f\ud800-\udfff]", "", text)[:900]
    return f"<{inner}>" if inner else ""


# --- bodies; each one is a part with its own headers


def _body(mail: Mail) -> bytes:
    related = [one for one in mail.attachments if is_related(mail, one)]
    files = [_file(one, mail.report != "") for one in mail.attachments if not is_related(mail, one)]
    text = _texts(mail, related)
    if mail.report:
        kind = f"report{write_parameter('report-type', mail.report)}"
        return _multipart(kind, [text, *files])
    return _multipart("mixed", [text, *files]) if files else text


def is_related(mail: Mail, file: Attachment) -> bool:
    """Check whether a file belongs to the HTML text, as a picture in it."""
    return bool(file.disposition == "inline" and file.content_id and text_lines(mail.html)) and not mail.report


def _texts(mail: Mail, related: list[Attachment]) -> bytes:
    plain, html = text_lines(mail.plain), text_lines(mail.html)
    rich = _text("html", html)
    if related:
        rich = _multipart("related", [rich, *(_file(one, False) for one in related)])
    if not html:
        return _text("plain", plain)
    return _multipart("alternative", [_text("plain", plain), rich]) if plain else rich


def _text(kind: str, text: str) -> bytes:
    raw = text.replace("\n", "\r\n").encode("utf-8", "replace")
    encoding = "7bit"
    if _UNSAFE_LINE.search(raw):
        letters = sum(one < 128 for one in raw[:10_000])
        if letters * 2 >= len(raw[:10_000]):
            encoding, raw = "quoted-printable", binascii.b2a_qp(b"\r\n" + raw, istext=True)[2:]
        else:
            encoding, raw = "base64", _base64(raw)
    head = f'Content-Type: text/{kind}; charset="UTF-8"\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n'
    return head.encode() + raw + b"\r\n" * (not raw.endswith(b"\r\n"))


def _base64(content: bytes) -> bytes:
    return base64.encodebytes(content).replace(b"\n", b"\r\n")


def _file(one: Attachment, in_report: bool) -> bytes:
    kind = one.type.lower() if _TYPE.fullmatch(one.type.lower()) else "application/octet-stream"
    kind = "application/octet-stream" if kind.startswith("multipart/") else kind
    where = one.disposition if one.disposition in ("inline", "attachment") else ""
    if not where and not in_report and kind in ("text/plain", "text/html"):
        where = "attachment"
    name = one_line(one.name)
    head = [f"Content-Type: {kind}{write_parameter('name', name) if name else ''}"]
    if where:
        head.append(f"Content-Disposition: {where}{write_parameter('filename', name) if name else ''}")
    if content_id := _id(one.content_id):
        head.append(f"Content-ID: {content_id}")
    content, encoding = one.content, "8bit"
    if not kind.startswith("message/"):  # these may not be encoded
        content, encoding = _base64(one.content), "base64"
    elif content.isascii():
        encoding = "7bit"
    head.append(f"Content-Transfer-Encoding: {encoding}")
    return "\r\n".join([*head, "", ""]).encode() + content


def _multipart(kind: str, parts: list[bytes]) -> bytes:
    boundary = _boundary(kind, parts)
    out = [f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode()]
    for part in parts:
        out += [f"--{boundary}\r\n".encode(), part, b"\r\n"]
    return b"".join([*out, f"--{boundary}--\r\n".encode()])


def _boundary(kind: str, parts: list[bytes]) -> str:
    """Return a boundary that follows from the parts and does not occur in them."""
    digest = hashlib.sha256(kind.encode())
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    number = 0
    while True:
        boundary = f"=_{number}_{digest.hexdigest()[:24]}"
        if not any(boundary.encode() in part for part in parts):
            return boundary
        number += 1
