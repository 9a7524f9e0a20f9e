"""A mail from bytes: any bytes, without errors, in linear time within the declared limits.

The parsers of the standard library raise errors for some headers, and need quadratic time for nested parts and long
headers; here only its decoders of base64 and quoted-printable are used.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

import msgspec

from diorama.kit.mail.headers import (
    decoded,
    from_base64,
    read_addresses,
    read_date,
    read_ids,
    read_parameters,
    words_of,
)
from diorama.kit.mail.message import (
    DEPTH_AT_MOST,
    HEADER_AT_MOST,
    HEADERS_AT_MOST,
    MAIL_AT_MOST,
    NAME_AT_MOST,
    PARTS_AT_MOST,
    Address,
    Attachment,
    Mail,
    one_line,
    plain_address,
    text_lines,
)
from diorama.kit.mail.writing import OWN_HEADERS, is_related

_NAME = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,100}/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}")
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_REPORT = re.compile(r"[a-z0-9-]{1,60}")

Headers = list[tuple[str, str]]


class _Part:
    """One part of a mail: its headers and what follows them."""

    def __init__(self, content: bytes) -> None:
        self.headers, self.body = _split(content)
        kind, self.parameters = read_parameters(self.first("content-type"))
        self.type = kind if _TYPE.fullmatch(kind) else "text/plain"
        self.known = _TYPE.fullmatch(kind) is not None
        self.disposition, self.file_parameters = read_parameters(self.first("content-disposition"))

    def first(self, name: str) -> str:
        """Return the first header with a name."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    def content(self) -> bytes:
        """Return the body without its transfer encoding."""
        encoding = self.first("content-transfer-encoding").strip().lower()
        if encoding == "base64":
            return from_base64(self.body)
        return binascii.a2b_qp(self.body) if encoding == "quoted-printable" else self.body

    def text(self) -> str:
        """Return the body as text."""
        return text_lines(decoded(self.content(), self.parameters.get("charset", "")))

    def name(self) -> str:
        """Return the name of the file, without folders."""
        name = self.file_parameters.get("filename") or self.parameters.get("name") or ""
        return one_line(re.split(r"[/\\]", one_line(words_of(name)))[-1])[:NAME_AT_MOST].strip()

    def is_text(self) -> bool:
        """Check whether the part is a text to read and not a file."""
        is_file = (
            self.disposition == "attachment" or self.file_parameters.get("filename") or self.parameters.get("name")
        )
        return self.type in ("text/plain", "text/html") and not is_file and not self.first("content-id")


def _split(content: bytes) -> tuple[Headers, bytes]:
    """Return the headers of a part and its body. Lines that are not headers are skipped."""
    headers, at, lines = Headers(), 0, list[bytes]()
    while at < len(content):
        end = content.find(b"\n", at)
        end = len(content) if end < 0 else end + 1
        line = content[at:end]
        at = end
        if not line.strip(b"\r\n"):
            break
        if line[:1] in (b" ", b"\t") and lines:
            lines.append(line)
            continue
        _add_header(headers, lines)
        lines = [line] if _NAME.match(line) and len(headers) < HEADERS_AT_MOST else []
    _add_header(headers, lines)
    return headers, content[at:]


def _add_header(headers: Headers, lines: list[bytes]) -> None:
    found = _NAME.match(lines[0]) if lines else None
    if found is not None:
        raw = b"".join(lines)[found.end() : HEADER_AT_MOST]
        value = _FOLD.sub("", decoded(raw, "utf-8"))
        headers.append((found[1].decode("ascii"), one_line(value)))


def _parts(body: bytes, boundary: str) -> Iterator[bytes]:
    """Yield the parts between the lines of a boundary."""
    sign = b"--" + boundary.encode("utf-8", "replace")
    start, at = -1, 0
    while (found := body.find(sign, at)) >= 0:
        at = found + len(sign)
        line_end = body.find(b"\n", at, at + 1000)
        line_end = line_end if line_end >= 0 else len(body)
        rest = body[at : min(line_end, at + 1000)].strip()
        if (found and body[found - 1 : found] != b"\n") or rest not in (b"", b"--"):
            continue
        if start >= 0:
            yield body[start:found].removesuffix(b"\n").removesuffix(b"\r")
        start = line_end + 1
        if rest:
            return
        at = line_end
    if 0 <= start < len(body):
        yield body[start:]


class _Collector:
    """Collect the texts and files of a mail."""

    def __init__(self) -> None:
        self.plain: list[str] = []
        self.html: list[str] = []
        self.files: list[Attachment] = []
        self.left = PARTS_AT_MOST
        self.report = ""

    def take(self, part: _Part, depth: int = 0, in_report: bool = False) -> None:
        """Take a part and those in it; parts beyond the limits are dropped."""
        self.left -= 1
        if self.left < 0:
            return
        boundary = part.parameters.get("boundary", "")
        if part.type.startswith("multipart/") and boundary and depth < DEPTH_AT_MOST:
            inner = list(_parts(part.body, boundary))
            if inner:
                self._take_all(part, inner, depth)
                return
        if part.is_text() and not in_report:
            self._take_text(part)
        elif part.type.startswith("multipart/"):
            self.plain.append(text_lines(decoded(part.body, "")))
        else:
            self._take_file(part, in_report)

    def _take_all(self, part: _Part, inner: list[bytes], depth: int) -> None:
        report = part.parameters.get("report-type", "").lower() if part.type == "multipart/report" else ""
        if depth == 0 and _REPORT.fullmatch(report):
            self.report = report
        for place, content in enumerate(inner[: self.left]):
            self.take(_Part(content), depth + 1, in_report=bool(self.report) and depth == 0 and place > 0)

    def _take_text(self, part: _Part) -> None:
        text = part.text()
        if text:
            (self.html if part.type == "text/html" else self.plain).append(text)

    def _take_file(self, part: _Part, in_report: bool) -> None:
        where = part.disposition if part.disposition in ("inline", "attachment") else ""
        where = where or ("" if in_report or part.type not in ("text/plain", "text/html") else "attachment")
        content_id = re.sub(r"[<>\s]", "", part.first("content-id"))[:900]
        kind = part.type if part.known else "application/octet-stream"
        content = part.body if kind.startswith("message/") else part.content()
        self.files.append(Attachment(part.name(), kind, content, where, content_id))


def read(content: bytes) -> Mail:
    """Return the mail that bytes stand for."""
    raw = content[:MAIL_AT_MOST]
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    part = _Part(raw)
    found = _Collector()
    found.take(part)
    mail = msgspec.structs.replace(
        _head(part), plain="\n\n".join(found.plain), html="\n".join(found.html), report=found.report
    )
    related = [one for one in found.files if is_related(mail, one)]
    others = [one for one in found.files if not is_related(mail, one)]
    return msgspec.structs.replace(mail, attachments=(*related, *others))


def _head(part: _Part) -> Mail:
    def people(name: str) -> tuple[Address, ...]:
        return read_addresses(part.first(name))

    def words(name: str) -> str:
        return one_line(words_of(part.first(name)))

    path = next((value for key, value in part.headers if key.lower() == "return-path"), None)
    others = ((key, one_line(words_of(value))) for key, value in part.headers if key.lower() not in OWN_HEADERS)
    return Mail(
        message_id=next(iter(read_ids(part.first("message-id"))), ""),
        date=read_date(part.first("date")),
        sender=next(iter(people("from")), Address("")),
        to=people("to"),
        cc=people("cc"),
        bcc=people("bcc"),
        reply_to=people("reply-to"),
        subject=words("subject"),
        in_reply_to=next(iter(read_ids(part.first("in-reply-to"))), ""),
        references=read_ids(part.first("references")),
        return_path=plain_address(path) if path is not None else None,
        auto_submitted=words("auto-submitted"),
        precedence=words("precedence"),
        list_id=words("list-id"),
        headers=tuple((key, value) for key, value in others if value),
    )
