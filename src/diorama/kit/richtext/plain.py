"""Plain text as a mail program shows it: quotes with `> `, lists with bullets, links with their address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diorama.kit.richtext.tidying import BREAK, Piece, tidy, tidy_paragraphs
from diorama.kit.richtext.tree import (
    DEPTH_AT_MOST,
    TEXT_AT_MOST,
    Block,
    CodeBlock,
    Document,
    Emoji,
    Heading,
    Image,
    Inline,
    Link,
    List,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    safe_address,
)

WEB_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_TRAILING = ".,;:!?'*_~"


def web_address(text: str, start: int) -> str:
    """Return the web address at a place of a text, without the punctuation after it; "" if there is none."""
    found = WEB_ADDRESS.match(text, start)
    if found is None:
        return ""
    address = found[0].rstrip(_TRAILING)
    extra = address.count(")") - address.count("(")
    while extra > 0 and address.endswith(")"):
        kept = address[:-1].rstrip(_TRAILING)
        address, extra = kept, extra - 1
    return address if len(address) > address.find("//") + 2 else ""


def words_of(inlines: tuple[Inline, ...]) -> str:
    """Return what a line shows, without marks and addresses."""
    return "".join(_shown(one, addresses=False) for one in inlines)


def _shown(one: Inline, *, addresses: bool) -> str:
    if isinstance(one, Text):
        return one.text
    if isinstance(one, Link):
        words = "".join(_shown(inner, addresses=addresses) for inner in one.content)
        return f"{words} <{one.href}>" if addresses and not _names(words, one.href) else words
    if isinstance(one, Mention):
        return "@" + one.label
    if isinstance(one, Emoji):
        return f":{one.name}:"
    if isinstance(one, Image):
        return f"[image: {one.alt}]" if one.alt else ""
    return "\n"


def _names(words: str, href: str) -> bool:
    """Check whether the text of a link already says where it goes."""
    return re.sub(r"^(?:https?://|mailto:|tel:)|/$", "", words) == re.sub(r"^(?:https?://|mailto:|tel:)|/$", "", href)


# --- writing


def write_plain(document: Document) -> str:
    """Return a document as plain text."""
    return "\n".join(_lines(tidy(document).blocks)).strip("\n")


def _lines(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield the lines of blocks, with an empty line between two blocks."""
    for place, one in enumerate(blocks):
        if place:
            yield ""
        yield from _block(one)


def _block(one: Block) -> Iterator[str]:
    if isinstance(one, Paragraph | Heading):
        text = "".join(_shown(inline, addresses=True) for inline in one.content)
        yield from (line.rstrip() for line in text.split("\n"))
    elif isinstance(one, Quote):
        yield from (f"> {line}".rstrip() for line in _lines(one.blocks))
    elif isinstance(one, List):
        yield from _list(one)
    elif isinstance(one, CodeBlock):
        yield from one.text.split("\n")
    elif isinstance(one, Table):
        for row in one.rows:
            cells = ("".join(_shown(inline, addresses=True) for inline in cell).replace("\n", " ") for cell in row)
            yield " | ".join(cells).rstrip()
    elif isinstance(one, Rule):
        yield "---"
    else:
        yield _shown(one, addresses=True)


def _list(one: List) -> Iterator[str]:
    for number, item in enumerate(one.items, one.start):
        marker = f"{number}. " if one.ordered else "* "
        for place, line in enumerate(_item_lines(item.blocks)):
            yield (marker + line if not place else " " * len(marker) + line).rstrip()


def _item_lines(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield the lines of an item; a list in it follows without an empty line."""
    for place, one in enumerate(blocks):
        if place and not isinstance(one, List):
            yield ""
        yield from _block(one)


# --- reading


def read_plain(text: str) -> Document:
    """Return the document of a plain text: paragraphs, lines, quotes with `>`, and web addresses as links."""
    lines = text[:TEXT_AT_MOST].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tidy(Document(tuple(_read(lines, 0))))


def _read(lines: list[str], depth: int) -> Iterator[Block]:
    own, quoted = list[str](), list[str]()
    for line in (*lines, None):
        is_quoted = line is not None and line.startswith(">") and depth < DEPTH_AT_MOST
        if own and (is_quoted or line is None):
            yield from _paragraphs(own)
            own = []
        if quoted and not is_quoted:
            yield Quote(tuple(_read(quoted, depth + 1)))
            quoted = []
        if line is not None:
            (quoted if is_quoted else own).append(line[1:].removeprefix(" ") if is_quoted else line)


def _paragraphs(lines: list[str]) -> Iterator[Block]:
    pieces = list[Piece]()
    for line in lines:
        pieces += [*linked_pieces(line), Piece(BREAK)]
    return tidy_paragraphs(pieces)


def linked_pieces(line: str) -> Iterator[Piece]:
    """Yield the pieces of a line of plain text: words, and web addresses as links."""
    at = 0
    for found in WEB_ADDRESS.finditer(line):
        address = web_address(line, found.start())
        href = safe_address(address)
        if href:
            yield Piece(Text(line[at : found.start()]))
            yield Piece(Text(address), (href, ""))
            at = found.start() + len(address)
    yield Piece(Text(line[at:]))


__all__ = ["linked_pieces", "read_plain", "web_address", "words_of", "write_plain"]
