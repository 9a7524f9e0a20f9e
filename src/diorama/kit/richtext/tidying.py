"""The one form of a tree: `tidy` gives equal trees for texts that look equal, within the declared limits.

Readers return tidy trees, and writers tidy what they get. In a tidy tree:

- blanks are single spaces, none of them at the edge of a block, a link, a line or a marked text;
- neighbours with the same marks or the same link are one; marks have one order; links are not nested;
- an empty line ends a paragraph, and a paragraph that is one image is that image;
- empty blocks are gone, rows of a table have the same length, and a table of one cell without a header is a paragraph;
- addresses that could run code are gone, and the text of their links stays.

Inside, a line is flat: pieces with their marks and the link that they belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from diorama.kit.richtext.tree import (
    CELLS_AT_MOST,
    DEPTH_AT_MOST,
    EMOJI_NAME,
    LANGUAGE,
    MARKS,
    START_AT_MOST,
    Block,
    CodeBlock,
    Document,
    Emoji,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    List,
    ListItem,
    Mark,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    is_kind,
    one_line,
    safe_address,
    short,
    usable,
)

Address = tuple[str, str]
"""The address and the title of a link."""


class Piece(NamedTuple):
    """A part of a line: words, or something that is not text; with the link that it belongs to."""

    what: Text | LineBreak | Mention | Emoji | Image
    link: Address | None = None


BREAK = LineBreak()


def pieces_of(inlines: Iterable[Inline], link: Address | None = None, depth: int = 0) -> Iterator[Piece]:
    """Yield the pieces of a line; a link in a link belongs to the outer one."""
    for one in inlines:
        if not isinstance(one, Link):
            yield Piece(one, link)
        elif depth <= DEPTH_AT_MOST:
            href = safe_address(one.href)
            yield from pieces_of(one.content, link or ((href, short(one.title)) if href else None), depth + 1)


def _cleaned(piece: Piece) -> Piece | None:
    """Return a piece that is not text in its one form, as text if it cannot be what it says, or None."""
    what, link = piece
    if isinstance(what, Mention):
        mention = Mention(what.kind, short(what.id), short(what.label))
        if is_kind(what.kind) and mention.id and mention.label:
            return Piece(mention, link)
        return Piece(Text("@" + mention.label), link) if mention.label else None
    if isinstance(what, Emoji):
        if EMOJI_NAME.fullmatch(what.name):
            return piece
        return Piece(Text(f":{short(what.name)}:"), link) if short(what.name) else None
    if isinstance(what, Image):
        src, alt = safe_address(what.src, "src"), short(what.alt)
        if src:
            return Piece(Image(src, alt, short(what.title)), link)
        return Piece(Text(alt), link) if alt else None
    return piece


def _split(pieces: Iterable[Piece]) -> Iterator[Piece | str]:
    """Yield pieces whose text has no blanks at its edges; the blanks stand between them as strings."""
    for piece in pieces:
        clean = piece if isinstance(piece.what, Text) else _cleaned(piece)
        if clean is None or not isinstance(clean.what, Text):
            if clean is not None:
                yield clean
            continue
        text = one_line(clean.what.text)
        core = text.strip()
        start = text.find(core) if core else len(text)
        if start:
            yield text[:start]
        if core:
            marks = clean.what.marks
            kept = tuple(mark for mark in MARKS if mark in marks) if marks else ()
            yield Piece(Text(core, kept), clean.link)
        if rest := text[start + len(core) :]:
            yield rest


def _gap(blanks: str, breaks: int, before: Piece, after: Piece) -> list[Piece]:
    """Return what stands between two pieces: line breaks, a space, or nothing."""
    link = before.link if before.link == after.link else None
    if breaks:
        return [Piece(BREAK, link)] * min(breaks, 2)
    if not blanks:
        return []
    marks = tuple[Mark, ...]()
    if isinstance(before.what, Text) and isinstance(after.what, Text) and before.link == after.link:
        marks = before.what.marks if before.what.marks == after.what.marks else ()
    return [Piece(Text(one_line(blanks), marks), link)]


def _spaced(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces with single blanks between them, and at most two line breaks in a row."""
    blanks, breaks = list[str](), 0
    before: Piece | None = None
    for one in _split(pieces):
        if isinstance(one, str):
            blanks.append(one)
        elif isinstance(one.what, LineBreak):
            breaks += 1
        else:
            if before is not None:
                yield from _gap("".join(blanks), breaks, before, one)
            yield one
            before, blanks, breaks = one, [], 0


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces in which neighbours with the same marks and the same link are one."""
    texts, marks, link = list[str](), tuple[Mark, ...](), None
    for one in pieces:
        if isinstance(one.what, Text):
            if texts and (one.what.marks != marks or one.link != link):
                yield Piece(Text("".join(texts), marks), link)
                texts = []
            texts.append(one.what.text)
            marks, link = one.what.marks, one.link
            continue
        if texts:
            yield Piece(Text("".join(texts), marks), link)
            texts = []
        yield one
    if texts:
        yield Piece(Text("".join(texts), marks), link)


def _linked(pieces: Iterable[Piece]) -> tuple[Inline, ...]:
    """Return pieces as a line, with their links."""
    out, inner, link = list[Inline](), list[Inline](), None
    for one in pieces:
        if one.link != link:
            if link is not None:
                out.append(Link(link[0], tuple(inner), link[1]))
            inner, link = [], one.link
        (out if link is None else inner).append(one.what)
    if link is not None:
        out.append(Link(link[0], tuple(inner), link[1]))
    return tuple(out)


def tidy_line(pieces: Iterable[Piece]) -> tuple[Inline, ...]:
    """Return the line of pieces, as in a heading or a cell: without empty lines."""
    kept, breaks = list[Piece](), 0
    for one in _spaced(pieces):
        breaks = breaks + 1 if isinstance(one.what, LineBreak) else 0
        if breaks < 2:
            kept.append(one)
    return _linked(_joined(kept))


def tidy_paragraphs(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Yield the paragraphs of pieces: empty lines part them, and a single image is a block of its own."""
    line, breaks = list[Piece](), 0
    for one in (*_spaced(pieces), Piece(BREAK), Piece(BREAK)):
        breaks = breaks + 1 if isinstance(one.what, LineBreak) else 0
        line.append(one)
        if breaks < 2:
            continue
        content = _linked(_joined(line[:-2]))
        if len(content) == 1 and isinstance(content[0], Image):
            yield content[0]
        elif content:
            yield Paragraph(content)
        line, breaks = [], 0


def tidy(document: Document) -> Document:
    """Return a document in its one form."""
    return Document(tuple(_blocks(document.blocks, 0)))


def _blocks(blocks: Iterable[Block], depth: int) -> Iterator[Block]:
    for one in blocks:
        if isinstance(one, Paragraph):
            yield from tidy_paragraphs(pieces_of(one.content))
        elif isinstance(one, Image):
            yield from tidy_paragraphs([Piece(one)])
        elif isinstance(one, Heading):
            if content := tidy_line(pieces_of(one.content)):
                yield Heading(min(max(one.level, 1), 6), content)
        elif isinstance(one, CodeBlock):
            yield from code_block(one.text, one.language)
        elif isinstance(one, Rule):
            yield one
        elif isinstance(one, Table):
            yield from _table(one)
        else:
            yield from _container(one, depth)


def _container(one: List | Quote, depth: int) -> Iterator[Block]:
    """Tidy a list or a quote. What is nested too deep is dropped below twice the limit, and spliced in before."""
    if depth >= 2 * DEPTH_AT_MOST:
        return
    if isinstance(one, Quote):
        blocks = tuple(_blocks(one.blocks, depth + 1))
        if depth >= DEPTH_AT_MOST:
            yield from blocks
        elif blocks:
            yield Quote(blocks)
        return
    items = [blocks for item in one.items if (blocks := tuple(_blocks(item.blocks, depth + 1)))]
    if depth >= DEPTH_AT_MOST:
        yield from (block for blocks in items for block in blocks)
    elif items:
        start = min(max(one.start, 0), START_AT_MOST) if one.ordered else 1
        yield List(tuple(map(ListItem, items)), one.ordered, start)


def code_block(text: str, language: str) -> Iterator[CodeBlock]:
    """Yield a block of code in its one form, unless it is blank."""
    lines = usable(text.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\n")
    if lines.strip():
        yield CodeBlock(lines, language if LANGUAGE.fullmatch(language) else "")


def _table(table: Table) -> Iterator[Block]:
    width = max((len(row) for row in table.rows), default=0)
    if not 0 < width <= CELLS_AT_MOST:
        return
    rows = []
    for row in table.rows[: CELLS_AT_MOST // width]:
        cells = [tidy_line(pieces_of(cell)) for cell in row]
        rows.append((*cells, *[()] * (width - len(cells))))
    header = table.header and any(rows[0])
    if table.header and not header:
        del rows[0]
    if len(rows) == 1 and width == 1 and not header:
        yield from tidy_paragraphs(pieces_of(rows[0][0]))
    elif any(cell for row in rows for cell in row):
        yield Table(tuple(rows), header)
