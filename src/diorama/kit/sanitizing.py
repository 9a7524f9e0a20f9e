"""Clean HTML that users send: an allow-list of elements and attributes, so that what is left is shown as text.

Linear time for any input. Parsers that repair a document as browsers do take quadratic time for misnested elements, and
their versions differ in the result, which would change digests.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from html import escape

from diorama.kit.text import MarkupReader

ELEMENTS = frozenset(
    {
        "a", "abbr", "address", "b", "big", "blockquote", "br", "caption", "center", "cite", "code", "dd", "del",
        "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
        "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strike", "strong",
        "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "tt", "u", "ul", "var",
    }
)  # fmt: skip
"""Elements that stay. Of all others the tags are removed, and their text stays."""
DROPPED = frozenset(
    {"audio", "canvas", "datalist", "head", "math", "noscript", "object", "select", "svg", "textarea", "video"}
)
"""Elements that are removed with their content, besides those that `MarkupReader` skips: scripts, styles, frames."""
ATTRIBUTES = {
    "a": frozenset({"href", "title"}),
    "details": frozenset({"open"}),
    "img": frozenset({"src", "alt", "title", "width", "height"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan"}),
}
PAGE_ATTRIBUTES = frozenset({"class", "id", "lang"})
"""What pages may have on every element, since the style sheet of their site is not written by their authors."""
SCHEMES = {
    "href": frozenset({"ftp", "http", "https", "mailto", "sftp", "sms", "tel"}),
    "src": frozenset({"cid", "http", "https"}),
}
DEPTH = 100
"""How deep elements may be nested; the tags of deeper ones are removed."""
_VOID = frozenset({"br", "hr", "img"})
_ONCE = frozenset({"big", "small", "sub", "sup"})
"""Elements that would make a text smaller and smaller if they were nested."""
_ENDED_BY_THEMSELVES = frozenset({"dd", "dt", "li", "p", "td", "th", "tr"})
_VERBATIM = ("a", "code", "pre")
_NUMBER = re.compile(r"\d{1,4}%?")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_BLANKS = re.compile(r"[\0-\x20]+")
_STRAY = re.compile(r"<(?![a-zA-Z/!?])")
_URL = re.compile(r"\bhttps?://[^\s<>\"]+(?<![.,;:!?'&)\]])")


class _Cleaner(MarkupReader):
    """Write what is allowed."""

    def __init__(self, everywhere: frozenset[str]) -> None:
        super().__init__()
        self.out: list[str] = []
        self.open: list[str] = []
        self.count: Counter[str] = Counter()
        self.everywhere = everywhere
        self.dropped = ""  # the element whose content is being removed
        self.nested = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write a start tag that is allowed."""
        if self.dropped:
            self.nested += tag == self.dropped
        elif tag in DROPPED:
            self.dropped, self.nested = tag, 1
        elif tag in ELEMENTS and not (tag in _ONCE and self.count[tag]):
            if tag in _ENDED_BY_THEMSELVES and self.open and self.open[-1] == tag:
                self._close()
            if tag in _VOID:
                self.out.append(self._opening(tag, attrs))
            elif len(self.open) < DEPTH:
                self.out.append(self._opening(tag, attrs))
                self.open.append(tag)
                self.count[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read `<p/>` as browsers do: as a start tag."""
        if tag not in DROPPED:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those in it that were left open."""
        if self.dropped:
            self.nested -= tag == self.dropped
            self.dropped = self.dropped if self.nested else ""
        elif self.count[tag]:
            while self._close() != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Write a text."""
        if not self.dropped:
            self.out.append(escape(data, quote=False).replace("\xa0", "&nbsp;"))

    def finish(self) -> str:
        """Close everything, and return the HTML."""
        while self.open:
            self._close()
        return "".join(self.out)

    def _close(self) -> str:
        tag = self.open.pop()
        self.count[tag] -= 1
        self.out.append(f"</{tag}>")
        return tag

    def _opening(self, tag: str, attrs: list[tuple[str, str | None]]) -> str:
        allowed = ATTRIBUTES.get(tag, frozenset()) | self.everywhere
        kept = {name: value or "" for name, value in reversed(attrs) if name in allowed and _fits(name, value or "")}
        if tag == "a" and "href" in kept:
            kept["rel"] = "noreferrer"
        order = sorted(kept, key=lambda name: (name == "rel", name not in SCHEMES, name))
        written = "".join(f' {name}="{escape(kept[name])}"' for name in order)
        return f"<{tag}{written}>"


TAGS_AT_MOST = 4_000
"""How many tags are read as markup; what follows them is text, as it is written."""


def _fits(name: str, value: str) -> bool:
    """Check the value of an attribute: an allowed kind of address, a number, or any text."""
    if name in SCHEMES:
        scheme = _SCHEME.match(_BLANKS.sub("", value))
        return scheme is None or scheme[1].lower() in SCHEMES[name]
    if name in ("width", "height", "colspan", "rowspan"):
        return _NUMBER.fullmatch(value) is not None
    return value == "" if name == "open" else True


@lru_cache(maxsize=64)  # a bulk update writes the same comment a hundred times
def sanitized(html: str, *, page: bool = False) -> str:
    """Return HTML with only the elements and attributes that are allowed; a page may have a few attributes more."""
    if "<" not in html and "&" not in html:
        return escape(html, quote=False)
    cleaner = _Cleaner(PAGE_ATTRIBUTES if page else frozenset())
    markup, rest = _after_tags(html, TAGS_AT_MOST)
    cleaner.read(_STRAY.sub("&lt;", markup))
    return cleaner.finish() + escape(rest, quote=False)


def _after_tags(html: str, count: int) -> tuple[str, str]:
    """Split HTML before the tag after `count` others."""
    if html.count("<") <= count:
        return html, ""
    place = -1
    for _ in range(count + 1):
        place = html.index("<", place + 1)
    return html[:place], html[place:]


def linked(html: str) -> str:
    """Return clean HTML with its bare web addresses as links."""
    if "://" not in html:
        return html
    out, inside = [], 0
    for place, piece in enumerate(_PIECES.split(html)):
        if place % 2:
            tag = piece.strip("</>").split(" ", 1)[0]
            inside += (-1 if piece.startswith("</") else 1) if tag in _VERBATIM else 0
            out.append(piece)
        else:
            out.append(piece if inside else _URL.sub(r'<a href="\g<0>" rel="noreferrer">\g<0></a>', piece))
    return "".join(out)


_PIECES = re.compile(r"(<[^<>]*>)")
