"""A mail as a record: its headers, its texts and its files."""

from __future__ import annotations

import re
from datetime import datetime

import msgspec

MAIL_AT_MOST = 40_000_000
"""How many bytes of a mail are read; the rest is dropped."""
HEADERS_AT_MOST = 500
"""How many headers of a mail or part are read."""
HEADER_AT_MOST = 100_000
"""How many characters of one header are read."""
PARTS_AT_MOST = 500
"""How many parts of a mail are read."""
DEPTH_AT_MOST = 10
"""How deep parts in parts are read; deeper ones are files."""
ADDRESSES_AT_MOST = 2_000
"""How many addresses of one header are read."""
REFERENCES_AT_MOST = 200
"""How many earlier mails a mail refers to; of more, the first and the newest are kept."""
PARAMETERS_AT_MOST = 100
"""How many parameters of one header are read."""
NAME_AT_MOST = 250
"""How long the name of a file may be."""


class Address(msgspec.Struct, frozen=True):
    """A mailbox, with the name of the person if there is one."""

    email: str
    name: str = ""


class Attachment(msgspec.Struct, frozen=True):
    """A file in a mail."""

    name: str
    type: str
    content: bytes
    disposition: str = "attachment"
    """`attachment`, `inline`, or "" for a part of a report."""
    content_id: str = ""
    """How the HTML text names it (`cid:`), without angle brackets."""


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail. Ids have their angle brackets, as in the headers."""

    message_id: str = ""
    date: datetime | None = None
    sender: Address = Address("")
    """The header From."""
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    return_path: str | None = None
    """Where bounces go; "" is the empty path of a bounce, None if the mail does not say."""
    auto_submitted: str = ""
    precedence: str = ""
    list_id: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """All other headers, in their order."""
    plain: str = ""
    html: str = ""
    attachments: tuple[Attachment, ...] = ()
    report: str = ""
    """The type of a report (`delivery-status`): its text is `plain`, its other parts are the attachments."""

    def header(self, name: str) -> str:
        """Return the first of the other headers with a name, in any case; "" if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NOT_IN_ADDRESS = re.compile(r"[\s<>()\[\],;:\\\"\0-\x20\x7f-\x9f\ud800-\udfff]+")
_UNUSABLE = re.compile("[\0\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return a text that can stand in a header: one line, no control characters."""
    return _CONTROL.sub(" ", text).strip()


def plain_address(email: str) -> str:
    """Return an address without what cannot stand in one."""
    return _NOT_IN_ADDRESS.sub("", email)[:320]


def text_lines(text: str) -> str:
    """Return a body with `\\n` between lines, and none at its end."""
    lines = _UNUSABLE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")
    return lines.rstrip("\n")
