"""A document from Markdown: the everyday part of CommonMark, with tables, words struck through and bare addresses.

Not read: HTML blocks (their tags are text), definitions of addresses over several lines, and the alignment of columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from diorama.kit.richtext.markdown_inlines import References, normal_label, read_line, unescaped
from diorama.kit.richtext.tidying import Address, code_block, tidy, tidy_line, tidy_paragraphs
from diorama.kit.richtext.tree import (
    CELLS_AT_MOST,
    DEPTH_AT_MOST,
    TEXT_AT_MOST,
    Block,
    Document,
    Heading,
    Inline,
    List,
    ListItem,
    Quote,
    Rule,
    Table,
)

_REFERENCE = re.compile(
    r" {0,3}\[((?:[^\[\]\\]|\\.){1,500})\]:[ \t]*(?:<([^<>]{0,4000})>|([^\s<]\S{0,4000}))"
    r"(?:[ \t]+(?:\"([^\"]{0,500})\"|'([^']{0,500})'|\(([^()]{0,500})\)))?[ \t]*"
)
_MARKER = re.compile(r"( {0,3})(?:([-+*])|([0-9]{1,9})([.)]))(?=[ \t]|$)")
_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_DELIMITER_CELL = re.compile(r"[ \t]*:?-+:?[ \t]*")


class _Marker(NamedTuple):
    """The marker of a list item: its kind, its number, and the column where its content starts."""

    kind: str
    number: int
    width: int


class _Fence(NamedTuple):
    """The start of a block of code."""

    indent: int
    character: str
    length: int
    language: str


def _blank(line: str) -> bool:
    return not line.strip(" \t")


def _indent(line: str) -> int:
    """Return the columns of blanks that a line starts with; a tab goes to the next multiple of four."""
    column = 0
    for character in line:
        if character == " ":
            column += 1
        elif character == "\t":
            column += 4 - column % 4
        else:
            break
    return column


def _without_indent(line: str, columns: int) -> str:
    """Return a line without its first columns of blanks."""
    column, place = 0, 0
    while column < columns and place < len(line) and line[place] in " \t":
        column += 1 if line[place] == " " else 4 - column % 4
        place += 1
    return " " * max(column - columns, 0) + line[place:]


def _is_rule(line: str) -> bool:
    signs = line.replace(" ", "").replace("\t", "")
    return len(signs) >= 3 and signs[0] in "-*_" and not signs.strip(signs[0]) and _indent(line) < 4


def _marker(line: str) -> _Marker | None:
    found = _MARKER.match(line)
    if found is None or _is_rule(line):
        return None
    blanks = _indent(line[found.end() :])
    rest = not _blank(line[found.end() :])
    width = found.end() + (blanks if 1 <= blanks <= 4 and rest else 1)
    return _Marker(found[2] or found[4], int(found[3] or 0), width)


def _fence(line: str) -> _Fence | None:
    found = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if found is None:
        return None
    language = unescaped(found[3].strip()).split(" ")[0]
    return _Fence(len(found[1]), found[2][0], len(found[2]), language)


def _ends(line: str, fence: _Fence) -> bool:
    signs = line.strip(" \t")
    return len(signs) >= fence.length and not signs.strip(fence.character) and _indent(line) < 4


def _starts_block(line: str) -> bool:
    """Check whether a line interrupts a paragraph."""
    if _indent(line) > 3 or line.lstrip(" ")[:1] not in frozenset("#>-+*_`~0123456789"):  # most lines
        return False
    if _HEADING.match(line) or _QUOTE.match(line) or _is_rule(line) or _fence(line):
        return True
    marker = _marker(line)
    return marker is not None and not _blank(line[marker.width :]) and marker.number in (0, 1)


def _cells(line: str) -> list[str]:
    """Return the cells of a row of a table."""
    inner = line.strip(" \t")
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.replace("\\|", "|").strip(" \t") for cell in re.split(r"(?<!\\)\|", inner)]


def _table_width(line: str, following: str) -> int:
    """Return the number of columns of the table whose header a line is; 0 if it is not one."""
    if "|" not in line or "-" not in following or _indent(line) > 3 or following.strip("|:- \t"):
        return 0
    marks = _cells(following)
    fits = all(_DELIMITER_CELL.fullmatch(cell) for cell in marks) and ("|" in following)
    return len(marks) if fits and len(marks) == len(_cells(line)) else 0


class _Reader:
    """Read the blocks of a text."""

    def __init__(self, references: References, breaks: bool) -> None:
        self.references = references
        self.breaks = breaks

    def line(self, text: str) -> tuple[Inline, ...]:
        return tidy_line(read_line(text, self.references, breaks=self.breaks))

    def blocks(self, lines: list[str], depth: int) -> Iterator[Block]:
        at = 0
        while at < len(lines):
            if _blank(lines[at]):
                at += 1
                continue
            found, at = self.block(lines, at, depth)
            yield from found

    def block(self, lines: list[str], at: int, depth: int) -> tuple[list[Block], int]:
        """Read the block that starts at a line; return it and the line behind it."""
        line = lines[at]
        if _indent(line) > 3:
            return self.indented(lines, at)
        if fence := _fence(line):
            return self.fenced(lines, at, fence)
        if found := _HEADING.match(line):
            content = self.line(_heading(line[found.end() :]))
            return ([Heading(len(found[1]), content)] if content else []), at + 1
        if _is_rule(line):
            return [Rule()], at + 1
        if depth < DEPTH_AT_MOST:
            if _QUOTE.match(line):
                return self.quote(lines, at, depth)
            if (marker := _marker(line)) is not None:
                return self.listing(lines, at, marker, depth)
        if at + 1 < len(lines) and (width := _table_width(line, lines[at + 1])):
            return self.table(lines, at, width)
        return self.paragraph(lines, at)

    def indented(self, lines: list[str], at: int) -> tuple[list[Block], int]:
        code = list[str]()
        while at < len(lines) and (_blank(lines[at]) or _indent(lines[at]) > 3):
            code.append(_without_indent(lines[at], 4))
            at += 1
        while _blank(code[-1]):
            code.pop()
        return list(code_block("\n".join(code), "")), at

    def fenced(self, lines: list[str], at: int, fence: _Fence) -> tuple[list[Block], int]:
        code = list[str]()
        at += 1
        while at < len(lines) and not _ends(lines[at], fence):
            code.append(_without_indent(lines[at], fence.indent))
            at += 1
        return list(code_block("\n".join(code), fence.language)), at + 1

    def quote(self, lines: list[str], at: int, depth: int) -> tuple[list[Block], int]:
        inner, lazy = list[str](), _Lazy()
        while at < len(lines):
            found = _QUOTE.match(lines[at])
            if found is None and not lazy.goes_on(lines[at]):
                break
            inner.append(lines[at][found.end() :] if found else lines[at].lstrip(" \t"))
            lazy.see(inner[-1])
            at += 1
        return [Quote(tuple(self.blocks(inner, depth + 1)))], at

    def listing(self, lines: list[str], at: int, first: _Marker, depth: int) -> tuple[list[Block], int]:
        items, marker = list[ListItem](), first
        while True:
            inner, at = _item(lines, at, marker)
            items.append(ListItem(tuple(self.blocks(inner, depth + 1))))
            following = _marker(lines[at]) if at < len(lines) else None
            if following is None or following.kind != first.kind:
                return [List(tuple(items), first.kind in ".)", first.number)], at
            marker = following

    def table(self, lines: list[str], at: int, width: int) -> tuple[list[Block], int]:
        rows = [[self.line(cell) for cell in _cells(lines[at])]]
        at += 2
        while at < len(lines) and not _blank(lines[at]) and not _starts_block(lines[at]):
            if len(rows) * width < CELLS_AT_MOST:
                cells = _cells(lines[at])[:width]
                rows.append([self.line(cell) for cell in cells] + [()] * (width - len(cells)))
            at += 1
        return [Table(tuple(map(tuple, rows)), header=True)], at

    def paragraph(self, lines: list[str], at: int) -> tuple[list[Block], int]:
        text = list[str]()
        while at < len(lines) and not _blank(lines[at]):
            if not text and _REFERENCE.fullmatch(lines[at]):
                at += 1
                continue
            if text and (underline := _UNDERLINE.fullmatch(lines[at])):
                content = self.line("\n".join(text).strip())
                return ([Heading(1 if underline[1][0] == "=" else 2, content)] if content else []), at + 1
            if text and (_starts_block(lines[at]) or _is_table(lines, at)):
                break
            text.append(lines[at].lstrip(" \t"))
            at += 1
        pieces = read_line("\n".join(text).rstrip(" \t"), self.references, breaks=self.breaks)
        return list(tidy_paragraphs(pieces)), at


def _is_table(lines: list[str], at: int) -> bool:
    return at + 1 < len(lines) and _table_width(lines[at], lines[at + 1]) > 0


def _heading(text: str) -> str:
    """Return the text of a heading without the signs that close it."""
    plain = text.strip(" \t")
    closed = plain.rstrip("#")
    return closed.rstrip(" \t") if not closed or closed[-1] in " \t" else plain


class _Lazy:
    """Whether a line without the marker of its quote or item still belongs to the paragraph in it."""

    def __init__(self) -> None:
        self.open = False
        self.fence: _Fence | None = None

    def see(self, line: str) -> None:
        """Take in a line of the content."""
        inner = line.lstrip(" \t>")
        if self.fence is not None:
            self.fence = None if _ends(inner, self.fence) else self.fence
            self.open = False
            return
        marker = _marker(inner)
        inner = inner[marker.width :] if marker else inner
        self.fence = _fence(inner)
        alone = _HEADING.match(inner) is not None or _is_rule(inner)
        self.open = not _blank(inner) and self.fence is None and not alone

    def goes_on(self, line: str) -> bool:
        """Check whether a line without a marker continues the paragraph."""
        return self.open and not _blank(line) and not _starts_block(line) and _marker(line) is None


def _item(lines: list[str], at: int, marker: _Marker) -> tuple[list[str], int]:
    """Return the lines of a list item without their indent, and the line behind it."""
    inner, lazy, blanks = [_without_marker(lines[at], marker)], _Lazy(), 0
    lazy.see(inner[0])
    at += 1
    while at + blanks < len(lines):
        line = lines[at + blanks]
        if _blank(line):
            if not blanks and len(inner) == 1 and _blank(inner[0]):
                break  # an item that starts with an empty line has at most one
            blanks += 1
            continue
        if _indent(line) >= marker.width:
            kept = _without_indent(line, marker.width)
        elif not blanks and lazy.goes_on(line):
            kept = line.lstrip(" \t")
        else:
            break
        inner += [_without_indent(one, marker.width) for one in lines[at : at + blanks]]
        inner.append(kept)
        lazy.see(kept)
        at, blanks = at + blanks + 1, 0
    return inner, at + blanks


def _without_marker(line: str, marker: _Marker) -> str:
    found = _MARKER.match(line)
    return _without_indent(line[found.end() :], marker.width - found.end()) if found else line


def _references(lines: list[str]) -> dict[str, Address]:
    """Return the addresses that are defined in a text, by their label; the first one of a label counts."""
    out = dict[str, Address]()
    for line in lines:
        found = _REFERENCE.fullmatch(line.lstrip("> ")) if "]:" in line else None
        if found is not None:
            title = found[4] or found[5] or found[6] or ""
            out.setdefault(normal_label(found[1]), (unescaped(found[2] or found[3] or ""), unescaped(title)))
    return out


def read_markdown(text: str, *, breaks: bool = False) -> Document:
    """Return the document of a Markdown text; with `breaks`, the end of a line is a line break, as in comments."""
    lines = text[:TEXT_AT_MOST].replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").split("\n")
    return tidy(Document(tuple(_Reader(_references(lines), breaks).blocks(lines, 0))))
