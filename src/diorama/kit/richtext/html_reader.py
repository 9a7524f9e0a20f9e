"""A document from the HTML of mails and help desks: what a browser shows, in linear time, for any input."""

from __future__ import annotations

import re

from diorama.kit.richtext.tidying import BREAK, Address, Piece, code_block, tidy, tidy_line, tidy_paragraphs
from diorama.kit.richtext.tree import (
    CELLS_AT_MOST,
    DEPTH_AT_MOST,
    MARKS,
    TEXT_AT_MOST,
    TITLE_AT_MOST,
    Block,
    Document,
    Emoji,
    Heading,
    Image,
    Inline,
    LineBreak,
    List,
    ListItem,
    Mark,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    safe_address,
    short,
)
from diorama.kit.sanitizing import DROPPED
from diorama.kit.text import MarkupReader

Attributes = list[tuple[str, str | None]]

_MARKS: dict[str, Mark] = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "cite": "italic", "dfn": "italic", "var": "italic",
    "s": "strike", "strike": "strike", "del": "strike", "u": "underline", "ins": "underline", "code": "code",
    "kbd": "code", "samp": "code", "tt": "code",
}  # fmt: skip
_LINE = frozenset(
    {
        "address",
        "article",
        "aside",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dt",
        "fieldset",
        "figcaption",
        "footer",
        "form",
        "header",
        "html",
        "legend",
        "main",
        "nav",
        "section",
        "summary",
    }
)
"""Elements that start on a line of their own."""
_PARAGRAPH = frozenset({"caption", "dl", "figure", "p"})
"""Elements with an empty line around them."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FRAMES = frozenset({"blockquote", "li", "ol", "table", "td", "th", "tr", "ul"})
_STRAY = re.compile(r"<(?![a-zA-Z/!?])")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-(\S+)")


class _Frame:
    """An element that holds blocks: the document, a quote, a list, an item, a table, a row or a cell."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.blocks: list[Block] = []
        self.items: list[ListItem] = []
        self.start = 1
        self.rows: list[list[_Frame]] = []
        self.layout = False  # a table that only says where things stand


class _Builder(MarkupReader):
    """Build the blocks of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.frames = [_Frame("")]
        self.ignored = dict.fromkeys(_FRAMES, 0)  # open elements that are nested too deep
        self.pieces: list[Piece] = []
        self.fresh = True  # nothing stands on the current line yet
        self.line_wanted = False
        self.marks = dict.fromkeys(MARKS, 0)
        self.kept_marks: tuple[Mark, ...] = ()
        self.link: Address | None = None
        self.heading = 0
        self.code: list[str] | None = None  # the lines of the block of code that is open
        self.language = ""
        self.special: Mention | Emoji | None = None  # the next text is its label
        self.dropped = ""
        self.nested = 0

    # --- lines

    def _add(self, what: Text | Mention | Emoji | Image) -> None:
        if self.line_wanted:
            self.pieces.append(Piece(BREAK))
            self.line_wanted = False
        self.pieces.append(Piece(what, self.link))
        self.fresh = False

    def _line(self) -> None:
        """Let the next text start on a new line."""
        self.line_wanted = self.line_wanted or not self.fresh

    def _break(self) -> None:
        if self.line_wanted:
            self.pieces.append(Piece(BREAK))
        self.pieces.append(Piece(BREAK, self.link))
        self.fresh, self.line_wanted = True, False

    def _flush(self) -> None:
        """End the paragraph or the heading that is open."""
        pieces, self.pieces = self.pieces, []
        self.fresh, self.line_wanted = True, False
        if not pieces:
            return
        if self.heading:
            content = tidy_line(pieces)
            self._put(*([Heading(self.heading, content)] if content else []))
        else:
            self._put(*tidy_paragraphs(pieces))

    def _put(self, *blocks: Block) -> None:
        """Add blocks to the innermost element. What stands beside the items of a list belongs to the last one."""
        frame = self.frames[-1]
        if not blocks:
            return
        if frame.tag in ("ol", "ul"):
            item = frame.items.pop() if frame.items else ListItem(())
            frame.items.append(ListItem((*item.blocks, *blocks)) if len(item.blocks) < 1000 else ListItem(blocks))
        elif frame.tag in ("table", "tr"):
            self.frames[-2 if frame.tag == "table" else -3].blocks.extend(blocks)
        else:
            frame.blocks.extend(blocks)

    # --- elements

    def _open(self, tag: str, attrs: Attributes) -> None:
        self._flush()
        if tag == "li" and not self._inside("li", "ol", "ul"):
            self._open("ul", [])
        if tag in ("tr", "td", "th") and not self._prepare_row(tag):
            return
        if len(self.frames) > 2 * DEPTH_AT_MOST:
            self.ignored[tag] += 1
            return
        frame = _Frame(tag)
        values = dict(reversed(attrs))
        if tag == "ol":
            frame.start = _number(values.get("start"))
        elif tag == "table":
            frame.layout = values.get("role") in ("none", "presentation")
        self.frames.append(frame)

    def _inside(self, tag: str, *holders: str) -> bool:
        """Close an open element of the same kind, and return whether one of its holders is open."""
        for place in range(len(self.frames) - 1, 0, -1):
            found = self.frames[place].tag
            if found == tag:
                self._close_to(place)
                return True
            if found in holders:
                self._close_to(place + 1)
                return True
            if found in ("table", "td", "th", "blockquote") and tag == "li":
                return False
        return False

    def _prepare_row(self, tag: str) -> bool:
        """Close what is open before a row or a cell of a table; return whether a table is open at all."""
        place = next((n for n in range(len(self.frames) - 1, 0, -1) if self.frames[n].tag == "table"), 0)
        if not place:
            self._line()
            return False
        if tag == "tr":
            self._close_to(place + 1)
            self.frames[place].rows.append([])
            return len(self.frames[place].rows) <= CELLS_AT_MOST
        if len(self.frames) == place + 1 or self.frames[place + 1].tag != "tr":
            self._open("tr", [])
        self._close_to(place + 2)
        return len(self.frames) == place + 2

    def _close_to(self, length: int) -> None:
        """Close elements until this many are open."""
        self._flush()
        while len(self.frames) > length:
            self._close()

    def _close(self) -> None:
        frame = self.frames.pop()
        if frame.tag == "blockquote":
            self._put(*([Quote(tuple(frame.blocks))] if frame.blocks else []))
        elif frame.tag == "li":
            if frame.blocks:
                self.frames[-1].items.append(ListItem(tuple(frame.blocks)))
        elif frame.tag in ("ol", "ul"):
            self._put(*([List(tuple(frame.items), frame.tag == "ol", frame.start)] if frame.items else []))
        elif frame.tag in ("td", "th"):
            self.frames[-2].rows[-1].append(frame)
        elif frame.tag == "table":
            self._put(*_table(frame))

    def _end(self, tag: str) -> None:
        if self.ignored[tag]:
            self.ignored[tag] -= 1
            self._flush()
            return
        for place in range(len(self.frames) - 1, 0, -1):
            found = self.frames[place].tag
            if found == tag:
                self._close_to(place)
                return
            if found == "table" or (tag == "li" and found in ("ol", "ul")):
                return

    # --- the parser's calls

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Start what an element stands for."""
        self._end_special()
        if self.dropped:
            self.nested += tag == self.dropped
        elif tag in DROPPED:
            self.dropped, self.nested = tag, 1
        elif self.code is not None:
            self.code.append("\n" if tag == "br" else "")
            if tag == "code" and not self.language:
                self.language = _language(attrs)
        elif tag in _FRAMES:
            self._open(tag, attrs)
        elif tag in _MARKS:
            self._mark(_MARKS[tag], 1)
        else:
            self._start(tag, attrs)

    def _start(self, tag: str, attrs: Attributes) -> None:
        if tag == "br":
            self._break()
        elif tag in _LINE:
            self._line()
        elif tag in _PARAGRAPH:
            self._flush()
        elif tag in _HEADINGS:
            self._flush()
            self.heading = _HEADINGS[tag]
        elif tag == "a":
            values = dict(reversed(attrs))
            href = safe_address(values.get("href") or "")
            self.link = (href, short(values.get("title") or "")) if href else None
        elif tag == "img":
            values = dict(reversed(attrs))
            self._add(Image(values.get("src") or "", values.get("alt") or "", values.get("title") or ""))
        elif tag == "hr":
            self._flush()
            self._put(Rule())
        elif tag == "pre":
            self._flush()
            self.code, self.language = [], _language(attrs)
        elif tag == "span":
            self._special(dict(reversed(attrs)))

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Read `<p/>` as browsers do: as a start tag."""
        if tag not in DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End what an element stands for."""
        self._end_special()
        if self.dropped:
            self.nested -= tag == self.dropped
            self.dropped = self.dropped if self.nested else ""
        elif self.code is not None:
            if tag == "pre":
                self._end_code()
        elif tag in _FRAMES:
            self._end(tag)
        elif tag in _MARKS:
            self._mark(_MARKS[tag], -1)
        elif tag in _LINE:
            self._line()
        elif tag in _PARAGRAPH:
            self._flush()
        elif tag in _HEADINGS:
            self._flush()
            self.heading = 0
        elif tag == "a":
            self.link = None

    def handle_data(self, data: str) -> None:
        """Add a text."""
        if self.dropped:
            return
        if self.code is not None:
            self.code.append(data if self.code else data.removeprefix("\n"))
        elif self.special is not None:
            self._end_special(data)
        elif data.strip(" \t\n\r\f"):
            self._add(Text(data, self.kept_marks))
        elif not self.fresh:
            self.pieces.append(Piece(Text(" "), self.link))  # blanks alone do not start a line that is wanted

    def finish(self) -> Document:
        """Close everything, and return the document."""
        self._end_special()
        if self.code is not None:
            self._end_code()
        self._close_to(1)
        return tidy(Document(tuple(self.frames[0].blocks)))

    def _mark(self, mark: Mark, change: int) -> None:
        self.marks[mark] = max(self.marks[mark] + change, 0)
        self.kept_marks = tuple(one for one in MARKS if self.marks[one])

    def _end_code(self) -> None:
        lines, self.code = "".join(self.code or []), None
        self._put(*code_block(lines, self.language))
        self.language = ""

    def _special(self, values: dict[str, str | None]) -> None:
        if values.get("data-mention") and values.get("data-id"):
            self.special = Mention(values["data-mention"] or "", values["data-id"] or "", "")
        elif values.get("data-emoji"):
            self.special = Emoji(values["data-emoji"] or "")

    def _end_special(self, shown: str = "") -> None:
        """Add the mention or emoji that is open: what is shown is its label, so that no word can hide in it."""
        special, self.special = self.special, None
        if isinstance(special, Mention):
            label = shown.strip().removeprefix("@")
            self._add(
                Mention(special.kind, special.id, label)
                if len(label) <= TITLE_AT_MOST
                else Text(shown, self.kept_marks)
            )
        elif special is not None:
            same = shown.strip() == f":{special.name}:"
            self._add(special if same else Text(shown, self.kept_marks))


def _number(text: str | None) -> int:
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdigit() else 1


def _language(attrs: Attributes) -> str:
    values = dict(reversed(attrs))
    found = _LANGUAGE.search(values.get("class") or "")
    return found[1] if found else values.get("lang") or ""


def _table(frame: _Frame) -> list[Block]:
    """Return a table; the blocks of its cells, if it only says where things stand."""
    rows = [row for row in frame.rows if row]
    if not rows:
        return []
    header = all(cell.tag == "th" for cell in rows[0])
    single = len(rows) == 1 and len(rows[0]) == 1 and not header
    plain = all(isinstance(block, Paragraph | Image) for row in rows for cell in row for block in cell.blocks)
    if frame.layout or single or not plain:
        return [block for row in rows for cell in row for block in cell.blocks]
    return [Table(tuple(tuple(map(_cell, row)) for row in rows), header)]


def _cell(frame: _Frame) -> tuple[Inline, ...]:
    """Return the paragraphs of a cell as lines."""
    out = list[Inline]()
    for block in frame.blocks:
        out += [LineBreak()] if out else []
        out += block.content if isinstance(block, Paragraph) else [block] if isinstance(block, Image) else []
    return tuple(out)


def read_html(html: str) -> Document:
    """Return the document of an HTML text; scripts, styles, comments and active addresses are dropped."""
    builder = _Builder()
    builder.read(_STRAY.sub("&lt;", html[:TEXT_AT_MOST].replace("\r\n", "\n")))
    return builder.finish()
