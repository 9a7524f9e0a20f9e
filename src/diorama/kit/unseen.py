"""Texts that come with a message without standing in it: HTML attributes and comments, struck words, names of files."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote_plus

from diorama.kit.text import MarkupReader, plain_text

LAYOUT = frozenset(
    {
        "align", "bgcolor", "border", "cellpadding", "cellspacing", "class", "color", "cols", "colspan", "dir", "face",
        "height", "hspace", "id", "lang", "rel", "role", "rows", "rowspan", "size", "style", "target", "type", "valign",
        "vspace", "width", "xmlns",
    }
)  # fmt: skip
"""Attributes that only say how something looks; they are read if they look like data or a sentence."""
_TELLING = re.compile(
    r"@\w|[A-Za-z]{2,4}-\d{4}|\d(?:[ ./-]?\d){6}"
    r"|(?<![^\W\d_])[^\W\d_]{3,}+[ ,.]{1,3}(?:[^\W\d_]{2,}[ ,.]{1,3}){2}[^\W\d_]{3}"
)
_SHEETS = frozenset({"script", "style"})
_STRUCK = frozenset({"del", "s", "strike"})
_STRUCK_SIGNS = re.compile(r"~~[^~\n]+~~|(?:[^\W_][\u0335-\u0338]+[ \u0335-\u0338]*)+")
"""Words between tildes, and letters with a stroke on each of them."""
_HIDING = frozenset({"iframe", "noembed", "noframes", "template", "title"})
_URL = re.compile(r"(?:https?:)?//[^/\s]*|(?:mailto|tel|cid|data):", re.IGNORECASE)
_PLACE = re.compile(r"/(?:articles|sections|categories|requests|tickets|users|attachments)/\d+[^/?#]*")
"""A part of an address that names a page by its number."""
_SEPARATORS = re.compile(r"[/?&=#;_|~+]+")
_HARD_WRAP = 60
"""From this length on, a line that does not end a sentence was wrapped."""


class _Unseen(MarkupReader):
    """Collect what HTML holds besides the text that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []
        self.pictures: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the attributes that say something."""
        for name, value in attrs:
            if value and (name not in LAYOUT or _TELLING.search(value)):
                self.out.append(_spaced(value))
            if value and name == "src" and tag == "img":
                self.pictures.append(value)

    def parse_starttag(self, i: int) -> int:
        """Keep the content of elements that are not shown."""
        end = super().parse_starttag(i)
        if self.lasttag in _HIDING or self.lasttag in _SHEETS:
            inner = self.rawdata[i:end].partition(">")[2].rpartition("</")[0]
            self.out += [inner] if self.lasttag in _HIDING or _TELLING.search(inner) else []
        return end

    def parse_comment(self, i: int, report: bool = True) -> int:
        """Keep a comment."""
        end = super().parse_comment(i, report)
        self.out.append(self.rawdata[i + 4 : end].removesuffix("-->"))
        return end

    def parse_html_declaration(self, i: int) -> int:
        """Keep a CDATA section."""
        end = super().parse_html_declaration(i)
        if self.rawdata.startswith("<![CDATA[", i):
            self.out.append(self.rawdata[i + 9 : end].removesuffix("]]>"))
        return end


def _spaced(value: str) -> str:
    """Return an attribute as words; an address on the web with its host, but without the numbers of pages."""
    address = _URL.match(value)
    if address is None or address[0].lower() == "data:":
        return value
    host = "https:" * address[0].startswith("//") + address[0] if "//" in address[0] else ""
    return f"{host} " * bool(host) + _SEPARATORS.sub(" ", unquote_plus(_PLACE.sub(" ", value[address.end() :])))


def remote_pictures(html: str) -> list[str]:
    """Return the hosts of the pictures of an HTML document that are loaded from the web."""
    if "<" not in html:
        return []
    reader = _Unseen()
    reader.read(html)
    found = (_URL.match(one.strip()) for one in reader.pictures)
    return [one[0].rpartition("/")[2].lower() for one in found if one is not None and "//" in one[0]]


class _Struck(MarkupReader):
    """Find the parts of an HTML text that are struck through."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[tuple[int, int]] = []
        self.depth = 0
        self.start = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part."""
        if tag in _STRUCK:
            self.start = self.start if self.depth else self.at
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        """End a part before the end tag."""
        if tag in _STRUCK and self.depth:
            self.depth -= 1
            if not self.depth:
                self.parts.append((self.start, self.at))


def without_struck(text: str, *, html: bool) -> tuple[str, tuple[str, ...]]:
    """Return HTML or plain text without what is struck through, and the plain text of each struck part."""
    if not html:
        return _STRUCK_SIGNS.sub(" ", text), tuple(one[0].strip("~") for one in _STRUCK_SIGNS.finditer(text))
    if not _STRUCK_TAG.search(text):
        return text, ()
    reader = _Struck()
    reader.read(text)
    parts = [*reader.parts, *([(reader.start, len(text))] if reader.depth else [])]
    kept, at = [], 0
    for start, end in parts:
        kept += [text[at:start], " "]
        at = end
    struck = (plain_text(text[start:end]) for start, end in parts)
    return "".join([*kept, text[at:]]), tuple(one for one in struck if one)


_STRUCK_TAG = re.compile(r"<(?:del|s|strike)\b", re.IGNORECASE)


@lru_cache(maxsize=64)
def unseen_texts(html: str) -> tuple[str, ...]:
    """Return the texts of an HTML document that a mail program does not show: attributes, comments, titles."""
    if "<" not in html:
        return ()
    reader = _Unseen()
    reader.read(html)
    found = (plain_text(one).strip() for one in reader.out)
    return tuple(dict.fromkeys(one for one in found if any(letter.isalnum() for letter in one)))


def name_words(file_name: str) -> str:
    """Return the name of a file as words, without its ending; hyphens beside digits stay."""
    stem = file_name.rpartition(".")[0] or file_name
    stem = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unquote_plus(stem))
    return re.sub(r"[_+~\s]+|(?<=[^\W\d])[-.](?=[^\W\d])", " ", stem).strip()


def unwrapped(text: str) -> str:
    """Return a text with its sentences on one line each: broken lines and single words below each other are joined."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    words = [len(line.split()) for line in lines]
    out = [lines[0]]
    for place in range(1, len(lines)):
        before, line = lines[place - 1].rstrip(), lines[place].lstrip()
        ends = not before or not line or before[-1] in ".!?:;\u2026" or before.startswith(">") or line.startswith(">")
        goes_on = line[:1].islower() and (len(before) >= _HARD_WRAP or words[place - 1] <= 3)
        near = words[max(0, place - 2) : place + 2]
        staircase = len(near) >= 3 and max(near) <= 2
        out.append(" " if not ends and (goes_on or staircase) else "\n")
        out.append(line if out[-1] == " " else lines[place])
    return "".join(out)
