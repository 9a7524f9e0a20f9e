"""Plain text from HTML, and HTML from plain text: linear time, no exceptions, for any input."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from html.parser import HTMLParser

_LINE = frozenset(
    {
        "address", "article", "aside", "body", "caption", "center", "dd", "details", "div", "dt", "fieldset",
        "figcaption", "figure", "footer", "form", "header", "html", "legend", "li", "main", "nav", "section", "summary",
        "tr",
    }
)  # fmt: skip
"""Elements that start on a line of their own."""
_PARAGRAPH = frozenset({"blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ol", "p", "pre", "table", "ul"})
"""Elements with an empty line around them."""
_HIDDEN = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
    for name in ("iframe", "noembed", "noframes", "script", "style", "template", "title")
}
"""Elements whose content is not shown, and where they end."""
_TAG = re.compile(r"<[a-zA-Z/!?]")
_BARE_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]*)>")
_BARE_END = re.compile(r"</([a-zA-Z][a-zA-Z0-9]*)>")
_STRAY = re.compile(r"<(?![a-zA-Z/!?])")
"""A `<` that starts no tag. Thousands of them slow the parser down."""
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
_HUGE_REFERENCE = re.compile(r"&#[0-9]{20,};?")
"""A reference this long is not a character; with thousands of digits `int` raises."""


class MarkupReader(HTMLParser):
    """Read a whole HTML text. Subclasses override the `handle_` methods of the standard parser.

    The standard parser takes quadratic time for unclosed comments and tags, raises for some declarations, and its
    versions differ in both. Here, as in a browser, a tag or comment that is not closed extends to the end of the text.
    The content of scripts, styles and other hidden elements is skipped.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.at = 0
        """Where the tag that is being handled starts."""
        self.opening = ""

    def read(self, html: str) -> None:
        """Read a text from start to end."""
        self.feed(_HUGE_REFERENCE.sub("\ufffd", _UNUSABLE.sub("\ufffd", html)))
        self.close()

    def _after(self, mark: str, start: int) -> int:
        end = self.rawdata.find(mark, start)
        return end + len(mark) if end >= 0 else len(self.rawdata)

    def get_starttag_text(self) -> str | None:
        """Return the source of the start tag that is being handled."""
        return self.opening or super().get_starttag_text()

    def updatepos(self, i: int, j: int) -> int:
        """Return the position; lines are not counted."""
        return j

    def set_cdata_mode(self, elem: str, *, escapable: bool = False) -> None:
        """Do nothing: `parse_starttag` skips the content of scripts and styles."""

    def parse_starttag(self, i: int) -> int:
        """Handle a start tag, and skip what it hides."""
        self.at = i
        bare = _BARE_TAG.match(self.rawdata, i)
        if bare is None:
            self.opening = ""
            end = super().parse_starttag(i)
        else:  # most tags, and faster
            self.lasttag, end = bare[1].lower(), bare.end()
            self.opening = bare[0]
            self.handle_starttag(self.lasttag, [])
        if end < 0:
            return len(self.rawdata)
        closing = _HIDDEN.get(self.lasttag) if self.rawdata[end - 1] == ">" else None
        if closing is None:
            return end
        found = closing.search(self.rawdata, end)
        return self._after(">", found.end()) if found else len(self.rawdata)

    def parse_endtag(self, i: int) -> int:
        """Handle an end tag."""
        self.at = i
        bare = _BARE_END.match(self.rawdata, i)
        if bare is not None:
            self.handle_endtag(bare[1].lower())
            return bare.end()
        end = super().parse_endtag(i)
        return end if end >= 0 else len(self.rawdata)

    def parse_comment(self, i: int, report: bool = True) -> int:
        """Skip a comment; `<!-->` is a whole one."""
        return self._after("-->", i + 2)

    def parse_html_declaration(self, i: int) -> int:
        """Skip a declaration or a CDATA section."""
        return self._after("]]>" if self.rawdata.startswith("<![CDATA[", i) else ">", i)

    def parse_pi(self, i: int) -> int:
        """Skip a processing instruction."""
        return self._after(">", i)


class _Plain(MarkupReader):
    """Collect the text that a browser would show."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []
        self.newlines = 2  # at the end of the output; none are needed at its start
        self.wanted = 0  # newlines before the next text
        self.space = False  # before the next text, if it is on the same line
        self.marker = ""  # of the list item that starts with the next text
        self.lists: list[int] = []  # the number of the next item; 0 in a list with bullets
        self.preformatted = 0

    def _write(self, text: str) -> None:
        if self.wanted > self.newlines:
            self.out.append("\n" * (self.wanted - self.newlines))
            self.newlines = self.wanted
        elif self.space and not self.newlines:
            self.out.append(" ")
        kept = len(text.rstrip("\n"))
        if kept:
            self.out.append(self.marker)
            self.newlines, self.marker = 0, ""
        self.out.append(text)
        self.newlines += len(text) - kept
        self.wanted, self.space = 0, False

    def _line(self, tag: str) -> None:
        if tag in _PARAGRAPH:
            self.wanted = max(self.wanted, 1 if self.lists else 2)
        elif tag in _LINE:
            self.wanted = max(self.wanted, 1)
        elif tag in ("td", "th"):
            self.space = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a line, a paragraph or a list item where the element does."""
        self._line(tag)
        if tag == "br":
            self._write("\n")
        elif tag == "pre":
            self.preformatted += 1
        elif tag in ("ol", "ul"):
            self.lists.append(1 if tag == "ol" else 0)
        elif tag == "li":
            number = self.lists[-1] if self.lists else 0
            self.marker = "  " * (min(len(self.lists), 10) - 1) + (f"{number}. " if number else "* ")
            if number:
                self.lists[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        """End the line or the paragraph."""
        if tag in ("li", "ol", "ul"):
            self.marker = ""
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        elif tag == "pre" and self.preformatted:
            self.preformatted -= 1
        self._line(tag)

    def handle_data(self, data: str) -> None:
        """Write a text. Outside `pre`, several blanks and line breaks are one space."""
        if self.preformatted:
            self._write(data.removeprefix("\n") if self.wanted else data)
            return
        words = _BLANKS.sub(" ", data)
        self.space = self.space or words.startswith(" ")
        if words != " ":
            self._write(words.strip(" "))
            self.space = words.endswith(" ")


class _Bare(MarkupReader):
    """Collect the text between the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.out.append(data)


@lru_cache(maxsize=64)  # a bulk update writes the same comment a hundred times
def plain_text(html: str) -> str:
    """Return the text of an HTML document as a browser shows it: paragraphs, lines and list items, no markup.

    Line breaks in the source count as spaces, unless the document has no tags: then they are kept.
    """
    reader = _Plain()
    reader.preformatted = 0 if _TAG.search(html) else 1
    reader.read(_STRAY.sub("&lt;", html.replace("\r\n", "\n")))
    text = "".join(reader.out).replace("\xa0", " ")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def strip_tags(html: str) -> str:
    """Return an HTML text without its tags, comments, scripts and styles. Character references stay as they are."""
    if "<" not in html:
        return html
    reader = _Bare()
    reader.read(_STRAY.sub("&lt;", html.replace("&", "&amp;")))
    return "".join(reader.out)


def html_of(plain: str, paragraph: str = "<p>", newline: str = "<br>") -> str:
    """Return a plain text as HTML: a paragraph for each part between empty lines."""
    parts = (part for part in escape(plain, quote=False).split("\n\n") if part.strip())
    return "".join(paragraph + part.replace("\n", newline) + "</p>" for part in parts)
