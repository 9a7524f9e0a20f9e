"""Markdown from a document, escaped so that reading it gives the same document.

Where emphasis touches a letter in a way that Markdown cannot say (`un**"a"**b`), the letter is written as a character
reference. Underlined words are `<u>`, line breaks in headings and cells `<br>`, as Markdown has no signs for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from diorama.kit.richtext.markdown_inlines import is_punctuation, mention_address
from diorama.kit.richtext.tidying import tidy
from diorama.kit.richtext.tree import (
    EMOJI_NAME,
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
    Mark,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)

_SIGNS: dict[Mark, tuple[str, str]] = {
    "bold": ("**", "**"),
    "italic": ("_", "_"),
    "strike": ("~~", "~~"),
    "underline": ("<u>", "</u>"),
}
_SPECIAL = re.compile(r"[\\`*_\[\]<&~:!]")
_MAY_BE_ENTITY = re.compile(r"&#?[0-9a-zA-Z]{0,32}(?:;|$)")
_MAY_BE_EMOJI = re.compile(rf":{EMOJI_NAME.pattern}:")
_WEB = re.compile(r"https?$", re.IGNORECASE)
_NUMBERED = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_AUTOLINK = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\0-\x20<>]*")
_MAIL = re.compile(r"[^\W_][\w.!#$%&'*+/=?^`{|}~-]{0,63}@[\w.-]{1,255}")
_IN_ADDRESS = re.compile(r"[\\()<>`]|&(?=#?[0-9a-zA-Z]{1,32};)")
_IN_TITLE = re.compile(r"[\\\"]|&(?=#?[0-9a-zA-Z]{1,32};)")


def write_markdown(document: Document) -> str:
    """Return a document as Markdown."""
    return "\n".join(_lines(tidy(document).blocks))


# --- blocks


def _lines(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield the lines of blocks, with an empty line between two blocks."""
    other = False
    for place, one in enumerate(blocks):
        before = blocks[place - 1] if place else None
        if before is not None:
            yield ""
        if isinstance(one, List):
            # two lists in a row need other signs, or they would be one
            other = isinstance(before, List) and before.ordered == one.ordered and not other
            yield from _list(one, other)
        else:
            yield from _block(one)


def _block(one: Block) -> Iterator[str]:
    if isinstance(one, Paragraph):
        yield from _line(one.content, "\\\n").split("\n")
    elif isinstance(one, Heading):
        text = _line(one.content, "<br>")
        yield "#" * one.level + " " + (text[:-1] + "\\#" if text.endswith("#") else text)
    elif isinstance(one, Quote):
        yield from (f"> {line}" if line else ">" for line in _lines(one.blocks))
    elif isinstance(one, CodeBlock):
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", one.text)), default=0))
        yield fence + one.language
        yield from one.text.split("\n")
        yield fence
    elif isinstance(one, Table):
        yield from _table(one)
    elif isinstance(one, Rule):
        yield "___"
    elif isinstance(one, Image):
        yield _image(one)


def _list(one: List, other: bool) -> Iterator[str]:
    for number, item in enumerate(one.items, one.start):
        sign = f"{min(number, 999_999_999)}{')' if other else '.'}" if one.ordered else "*" if other else "-"
        indent = " " * (len(sign) + 1)
        for place, line in enumerate(_item(item.blocks)):
            yield f"{sign} {line}" if not place else indent + line if line else ""


def _item(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Yield the lines of an item; a list right after its paragraph needs no empty line."""
    if len(blocks) == 2 and isinstance(blocks[0], Paragraph) and isinstance(blocks[1], List) and blocks[1].start == 1:
        yield from _block(blocks[0])
        yield from _list(blocks[1], other=False)
    else:
        yield from _lines(blocks)


def _table(one: Table) -> Iterator[str]:
    width = len(one.rows[0])
    rows = one.rows if one.header else (((),) * width, *one.rows)
    for place, row in enumerate(rows):
        cells = (_line(cell, "<br>", starts_line=False).replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
        if not place:
            yield f"|{' --- |' * width}"


# --- lines


class _Words:
    """The parts of a line: escaped text, signs of emphasis, and everything else."""

    def __init__(self, break_sign: str) -> None:
        self.break_sign = break_sign
        self.parts: list[str] = []
        self.texts: set[int] = set()  # the parts whose first or last letter may become a reference
        self.opening: set[int] = set()
        self.closing: set[int] = set()
        self.emoji: set[int] = set()

    def add(self, inlines: tuple[Inline, ...], *, starts_line: bool) -> None:
        """Add what a line holds."""
        marks: list[Mark] = []
        for place, one in enumerate(inlines):
            wanted = [mark for mark in one.marks if mark != "code"] if isinstance(one, Text) else []
            while marks and not set(marks) <= set(wanted):
                self.closing.add(len(self.parts))
                self.parts.append(_SIGNS[marks.pop()][1])
            for mark in (mark for mark in wanted if mark not in marks):
                self.opening.add(len(self.parts))
                self.parts.append(_SIGNS[mark][0])
                marks.append(mark)
            starts = starts_line and (not place or isinstance(inlines[place - 1], LineBreak))
            before_link = isinstance(inlines[place + 1], Link | Mention) if place + 1 < len(inlines) else False
            self._put(one, starts and not marks, before_link)
        while marks:
            self.closing.add(len(self.parts))
            self.parts.append(_SIGNS[marks.pop()][1])

    def _put(self, one: Inline, starts: bool, before_link: bool) -> None:
        if isinstance(one, Text) and "code" not in one.marks:
            self.texts.add(len(self.parts))
            self.parts.append(escaped(one.text, starts_line=starts, before_link=before_link))
        elif isinstance(one, Text):
            self.parts.append(_code(one.text))
        elif isinstance(one, Link):
            self._link(one)
        elif isinstance(one, Mention):
            self.parts.append(f"[@{escaped(one.label)}]({mention_address(one)})")
        elif isinstance(one, Emoji):
            self.emoji.add(len(self.parts))
            self.parts.append(f":{one.name}:")
        elif isinstance(one, LineBreak):
            self.parts.append(self.break_sign)
        else:
            self.parts.append(_image(one))

    def _link(self, one: Link) -> None:
        text = one.content[0].text if len(one.content) == 1 and isinstance(one.content[0], Text) else ""
        web = text == one.href and _AUTOLINK.fullmatch(text) is not None
        mail = one.href == f"mailto:{text}" and _MAIL.fullmatch(text) is not None
        if (web or mail) and not one.title and one.content == (Text(text),):
            self.parts.append(f"<{text}>")
        else:
            self.parts.append("[")
            self.add(one.content, starts_line=False)
            self.parts.append(f"]({_target(one.href, one.title)})")

    def text(self) -> str:
        """Return the line, with references for letters that would keep signs from being read."""
        parts = self.parts
        for place in range(len(parts)):
            if place and self._needs_edge(place, before=True) and place - 1 in self.texts:
                parts[place - 1] = parts[place - 1][:-1] + _reference(parts[place - 1][-1])
            if place + 1 < len(parts) and self._needs_edge(place, before=False) and place + 1 in self.texts:
                parts[place + 1] = _reference(parts[place + 1][0]) + parts[place + 1][1:]
        return "".join(parts)

    def _needs_edge(self, place: int, *, before: bool) -> bool:
        """Check whether a sign needs punctuation beside it where a letter stands."""
        step = -1 if before else 1
        outside = self.parts[place + step][-1 if before else 0]
        if place in self.emoji:
            return outside.isalnum() or (before and outside == ":")
        if place not in (self.opening if before else self.closing) or outside.isspace() or is_punctuation(outside):
            return False
        inside = self.parts[place - step][0 if before else -1]
        return self.parts[place] == "_" or is_punctuation(inside)


def _line(inlines: tuple[Inline, ...], break_sign: str, *, starts_line: bool = True) -> str:
    words = _Words(break_sign)
    words.add(inlines, starts_line=starts_line and break_sign != "<br>")
    return words.text()


def _reference(character: str) -> str:
    return f"&#{ord(character)};"


def _code(text: str) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, pad = "`" * (longest + 1), " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _image(one: Image) -> str:
    return f"![{escaped(one.alt)}]({_target(one.src, one.title)})"


def _target(address: str, title: str) -> str:
    plain = _IN_ADDRESS.sub(r"\\\g<0>", address)
    shown = _IN_TITLE.sub(r"\\\g<0>", title)
    return f'{plain} "{shown}"' if title else plain


# --- escapes


def escaped(text: str, *, starts_line: bool = False, before_link: bool = False) -> str:
    """Return words as Markdown text that is read as these words."""

    def sign(found: re.Match[str]) -> str:
        needed = _needs_escape(text, found.start(), before_link)
        return "\\" + found[0] if needed else found[0]

    plain = _SPECIAL.sub(sign, text)
    return _line_start(plain) if starts_line else plain


def _needs_escape(text: str, at: int, before_link: bool) -> bool:
    """Check whether a special character could be read as a sign."""
    character, last = text[at], len(text) - 1
    if character in "`*[]":
        return True
    if character == "\\":
        return at >= last - 1 or (text[at + 1].isascii() and is_punctuation(text[at + 1]))
    if character == "_":  # inside a word it is not a sign; the letters at the edges may become references
        return not (1 < at < last - 1 and text[at - 1].isalnum() and text[at + 1].isalnum())
    if character == "<":
        return at == last or text[at + 1].isalnum() or text[at + 1] in "/!?"
    if character == "&":
        return _MAY_BE_ENTITY.match(text, at) is not None
    if character == "~":
        return at in (0, last) or "~" in (text[at - 1], text[at + 1])
    if character == "!":
        return at == last and before_link
    if text.startswith("//", at + 1) and _WEB.search(text, max(at - 5, 0), at):
        return True
    return (at < 2 or not text[at - 1].isalnum()) and _MAY_BE_EMOJI.match(text, at) is not None


def _line_start(text: str) -> str:
    """Return the start of a line, escaped if it could be read as the start of a block."""
    first, second = text[:1], text[1:2]
    if (first in "#>|" and first) or (first in ("-", "+", "=") and not second.isalnum()):
        return "\\" + text
    if first == ":" and second == "-":
        return "\\" + text
    return _NUMBERED.sub(r"\1\\\2", text, count=1) if _NUMBERED.match(text) else text
