"""The tree of a formatted text: a document of blocks, and what stands inside a line."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

import msgspec

from diorama.kit.sanitizing import SCHEMES

DEPTH_AT_MOST = 30
"""How deep lists, quotes and tables may be nested; what is deeper stands at this depth."""
TEXT_AT_MOST = 1_000_000
"""How many characters of a text are read; the rest is dropped."""
CELLS_AT_MOST = 20_000
"""How many cells a table may have; the rest of its rows is dropped."""
ADDRESS_AT_MOST = 4_000
"""How long the address of a link or an image may be; a longer one is dropped."""
TITLE_AT_MOST = 500
"""How long titles, labels, alternative texts and ids may be; the rest is cut off."""
START_AT_MOST = 999_999_999
"""The highest number that an ordered list may start with."""

Mark = Literal["bold", "italic", "strike", "underline", "code"]
MARKS: tuple[Mark, ...] = ("bold", "italic", "strike", "underline", "code")
"""The order of the marks of a text."""


class Text(msgspec.Struct, frozen=True):
    """Words with the same marks."""

    text: str
    marks: tuple[Mark, ...] = ()


class Link(msgspec.Struct, frozen=True):
    """A link and what it shows; a link contains no other link."""

    href: str
    content: tuple[Inline, ...]
    title: str = ""


class LineBreak(msgspec.Struct, frozen=True):
    """The start of a new line in the same paragraph."""


class Mention(msgspec.Struct, frozen=True):
    """A person, a group or a channel that is named: `kind` and `id` are the vendor's, `label` is what is shown."""

    kind: str
    id: str
    label: str


class Emoji(msgspec.Struct, frozen=True):
    """A small picture by its name, without colons."""

    name: str


class Image(msgspec.Struct, frozen=True):
    """A picture, in a line or as a block of its own."""

    src: str
    alt: str = ""
    title: str = ""


class Paragraph(msgspec.Struct, frozen=True):
    """One paragraph."""

    content: tuple[Inline, ...]


class Heading(msgspec.Struct, frozen=True):
    """A heading of level 1 to 6."""

    level: int
    content: tuple[Inline, ...]


class ListItem(msgspec.Struct, frozen=True):
    """One item of a list."""

    blocks: tuple[Block, ...]


class List(msgspec.Struct, frozen=True):
    """A list with bullets, or with numbers from `start` on."""

    items: tuple[ListItem, ...]
    ordered: bool = False
    start: int = 1


class Quote(msgspec.Struct, frozen=True):
    """What someone else wrote."""

    blocks: tuple[Block, ...]


class CodeBlock(msgspec.Struct, frozen=True):
    """Lines that are shown as they are."""

    text: str
    language: str = ""


class Rule(msgspec.Struct, frozen=True):
    """A horizontal line."""


class Table(msgspec.Struct, frozen=True):
    """Rows of cells; the first row is a header if `header` is true. A cell holds what a line can hold."""

    rows: tuple[tuple[tuple[Inline, ...], ...], ...]
    header: bool = False


class Document(msgspec.Struct, frozen=True):
    """A formatted text."""

    blocks: tuple[Block, ...] = ()


Inline: TypeAlias = Text | Link | LineBreak | Mention | Emoji | Image
Block: TypeAlias = Paragraph | Heading | List | Quote | CodeBlock | Rule | Table | Image

# --- words that a tree can hold

_LAST_OF_PLANES = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
_UNUSABLE = re.compile(f"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_LAST_OF_PLANES}]")
"""Characters that HTML cannot refer to by their number."""
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_IN_ADDRESS = re.compile("[\0-\x1f\x7f-\x9f]+")
EMOJI_NAME = re.compile(r"(?=[+'_-]*[^\W_])[\w+'-]{1,60}")
LANGUAGE = re.compile(r"[A-Za-z0-9+#._-]{1,40}")
_KIND = re.compile(r"[a-z][a-z0-9-]{0,30}")


def usable(text: str) -> str:
    """Return a text with a replacement character for each character that no format can carry."""
    if text.isascii() and text.isprintable():
        return text
    return _UNUSABLE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Return a text in which several blanks and line breaks are one space."""
    return usable(_BLANKS.sub(" ", text))


def short(text: str) -> str:
    """Return a title or label: one line of bounded length."""
    return one_line(text[:TITLE_AT_MOST]).strip()


def safe_address(address: str, attribute: Literal["href", "src"] = "href") -> str:
    """Return the address of a link or image in its plain form; "" if it could run code or is too long."""
    if len(address) > ADDRESS_AT_MOST:
        return ""
    plain = usable(_IN_ADDRESS.sub("", address).strip()).replace(" ", "%20")
    scheme = _SCHEME.match(plain.replace("%20", ""))
    if scheme is not None and scheme[1].lower() not in SCHEMES[attribute]:
        return ""
    return plain if len(plain) <= ADDRESS_AT_MOST else ""


def is_kind(text: str) -> bool:
    """Check whether a text can be the kind of a mention: a short word in lower case."""
    return _KIND.fullmatch(text) is not None
