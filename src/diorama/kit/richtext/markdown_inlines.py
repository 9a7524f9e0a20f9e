"""What stands inside a line of Markdown: emphasis, code, links, images, addresses, mentions and emoji, in linear time.

Emphasis follows the rules of CommonMark, with `~~` for words that are struck through. The only HTML that is read is
`<br>`, `<u>` and `<ins>`; all other tags are text. `[@Ann](mention:user/U1)` is a mention, `:wave:` an emoji.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from html import unescape
from urllib.parse import quote, unquote

from diorama.kit.richtext.plain import web_address
from diorama.kit.richtext.tidying import BREAK, Address, Piece
from diorama.kit.richtext.tree import (
    EMOJI_NAME,
    MARKS,
    Emoji,
    Image,
    LineBreak,
    Mark,
    Mention,
    Text,
    safe_address,
    short,
)

References = Mapping[str, Address]
"""Addresses that are defined elsewhere in the text (`[label]: https://...`), by their label."""

_PLAIN = re.compile(r"(?:[^\\`*_~\[\]!<&:\nhH]|[hH](?![tT][tT][pP][sS]?://))+")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_AUTOLINK = re.compile(r"<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\0-\x20<>]*)>")
_MAIL = re.compile(r"<([^\W_][\w.!#$%&'*+/=?^`{|}~-]{0,63}@[\w.-]{1,255})>")
_TAG = re.compile(r"<(br|u|ins|/u|/ins) ?/?>", re.IGNORECASE)
_EMOJI = re.compile(rf":({EMOJI_NAME.pattern}):(?![^\W_])")
_IN_ANGLES = re.compile(r"<((?:[^<>\n\\]|\\[^\n]){0,8000})>")
_NO_BLANKS = re.compile(r"(?:[^\0-\x20()\\]|\\[!-/:-@\[-`{-~]|\\){0,8000}")
_TITLE = re.compile(
    r"\"((?:[^\"\\]|\\.){0,2000})\"|'((?:[^'\\]|\\.){0,2000})'|\(((?:[^()\\]|\\.){0,2000})\)", re.DOTALL
)
_BLANKS = re.compile(r"[ \t\n]*")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,500})\]", re.DOTALL)
_DEEPEST_PARENTHESES = 32
_DELIMITERS: dict[tuple[str, int], Mark] = {
    ("*", 1): "italic", ("*", 2): "bold", ("_", 1): "italic", ("_", 2): "bold", ("~", 2): "strike",
}  # fmt: skip


def is_punctuation(character: str) -> bool:
    """Check whether a character is punctuation or a symbol."""
    return unicodedata.category(character)[0] in "PS"


def unescaped(text: str) -> str:
    """Return a text without backslash escapes and entities."""
    if "\\" not in text and "&" not in text:
        return text
    out, at = list[str](), 0
    for found in re.finditer(rf"{_ESCAPED.pattern}|{_ENTITY.pattern}", text):
        out += [text[at : found.start()], found[1] or unescape(found[0])]
        at = found.end()
    return "".join([*out, text[at:]])


def normal_label(label: str) -> str:
    """Return the label of a reference as it is compared: in one case, with single blanks."""
    return " ".join(label.split()).casefold()


def mention_address(mention: Mention) -> str:
    """Return the address that stands for a mention in Markdown."""
    return f"mention:{mention.kind}/{quote(mention.id, safe='')}"


class _Run:
    """A run of delimiters that may open or close emphasis."""

    __slots__ = ("character", "closes", "left", "length", "node", "opens")

    def __init__(self, character: str, length: int, opens: bool, closes: bool, node: int) -> None:
        self.character = character
        self.length = self.left = length
        self.opens = opens
        self.closes = closes
        self.node = node


class _Bracket:
    """A `[` or `![` that may open a link or an image."""

    __slots__ = ("image", "node", "runs", "start")

    def __init__(self, image: bool, node: int, runs: int, start: int) -> None:
        self.image = image
        self.node = node
        self.runs = runs
        self.start = start


class _Line:
    """Read one line of text, or one paragraph."""

    def __init__(self, text: str, references: References, breaks: bool) -> None:
        self.text = text
        self.references = references
        self.breaks = breaks
        self.at = 0
        self.nodes: list[Text | LineBreak | Mention | Emoji | Image] = []
        self.links: list[Address | None] = []
        self.runs: list[_Run] = []
        self.brackets: list[_Bracket] = []
        self.inactive = 0  # the number of brackets at the bottom that may not open a link, as they contain one
        self.ranges: list[tuple[Mark, int, int]] = []  # a mark, and the nodes that it covers
        self.underlined: list[int] = []
        self.after_emoji = -1
        self.ticks: dict[int, list[int]] = {}
        for found in re.finditer("`+", text):
            self.ticks.setdefault(len(found[0]), []).append(found.start())

    def read(self) -> list[Piece]:
        """Return the pieces of the line."""
        text, size = self.text, len(self.text)
        while self.at < size:
            plain = _PLAIN.match(text, self.at)
            if plain is not None:
                self._add(Text(plain[0]))
                self.at = plain.end()
            else:
                self._special(text[self.at])
        self._emphasize(0)
        return self._marked()

    def _add(self, what: Text | LineBreak | Mention | Emoji | Image, link: Address | None = None) -> None:
        self.nodes.append(what)
        self.links.append(link)

    def _special(self, character: str) -> None:
        if character == "\\":
            self._backslash()
        elif character == "`":
            self._code()
        elif character in "*_~":
            self._delimiters(character)
        elif character == "[":
            self._open_bracket(image=False)
        elif character == "!" and self.text.startswith("![", self.at):
            self._open_bracket(image=True)
        elif character == "]":
            self._close_bracket()
        elif character == "<":
            self._angle()
        elif character == "&" and (entity := _ENTITY.match(self.text, self.at)):
            self._add(Text(unescape(entity[0])))
            self.at = entity.end()
        elif character == ":" and (emoji := _EMOJI.match(self.text, self.at)) and self._emoji_may_start():
            self._add(Emoji(emoji[1]))
            self.at = self.after_emoji = emoji.end()
        elif character == "\n":
            hard = self.text[max(self.at - 2, 0) : self.at] == "  "
            self._add(LineBreak() if hard or self.breaks else Text(" "))
            self.at += 1
        elif character in "hH" and not self._before().isalnum() and (address := web_address(self.text, self.at)):
            self._add(Text(address), (href, "") if (href := safe_address(address)) else None)
            self.at += len(address)
        else:
            self._add(Text(character))
            self.at += 1

    def _before(self) -> str:
        return self.text[self.at - 1] if self.at else " "

    def _emoji_may_start(self) -> bool:
        before = self._before()
        return self.after_emoji == self.at or not (before.isalnum() or before == ":")

    def _backslash(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "\n":
            self._add(BREAK)
        elif following in _ESCAPABLE and following:
            self._add(Text(following))
        else:
            self._add(Text("\\"))
            self.at -= 1
        self.at += 2

    def _code(self) -> None:
        end = self.at
        while self.text.startswith("`", end):
            end += 1
        length = end - self.at
        closers = self.ticks.get(length, [])
        place = bisect_right(closers, end - 1)
        if place == len(closers):
            self._add(Text(self.text[self.at : end]))
            self.at = end
            return
        content = self.text[end : closers[place]].replace("\n", " ")
        if len(content) > 2 and content[0] == content[-1] == " ":
            content = content[1:-1]
        self._add(Text(content, ("code",)))
        self.at = closers[place] + length

    def _angle(self) -> None:
        if link := _AUTOLINK.match(self.text, self.at):
            href = safe_address(link[1])
            self._add(Text(link[1]), (href, "") if href else None)
            self.at = link.end()
        elif mail := _MAIL.match(self.text, self.at):
            self._add(Text(mail[1]), (f"mailto:{mail[1]}", ""))
            self.at = mail.end()
        elif tag := _TAG.match(self.text, self.at):
            self._tag(tag[1].lower())
            self.at = tag.end()
        else:
            self._add(Text("<"))
            self.at += 1

    def _tag(self, name: str) -> None:
        if name == "br":
            self._add(BREAK)
        elif not name.startswith("/"):
            self.underlined.append(len(self.nodes))
        elif self.underlined:
            self.ranges.append(("underline", self.underlined.pop(), len(self.nodes)))

    # --- emphasis

    def _delimiters(self, character: str) -> None:
        start = self.at
        while self.text.startswith(character, self.at):
            self.at += 1
        length = self.at - start
        before = self.text[start - 1] if start else " "
        after = self.text[self.at] if self.at < len(self.text) else " "
        word_before = not before.isspace() and not is_punctuation(before)
        word_after = not after.isspace() and not is_punctuation(after)
        opens = not after.isspace() and (word_after or not word_before)
        closes = not before.isspace() and (word_before or not word_after)
        if character == "_":
            opens, closes = opens and not (closes and word_before), closes and not (opens and word_after)
        if character == "~" and length != 2:
            opens = closes = False
        if opens or closes:
            self.runs.append(_Run(character, length, opens, closes, len(self.nodes)))
        self._add(Text(character * length))

    def _emphasize(self, bottom: int) -> None:
        """Match the runs of delimiters above a place of the stack, and remove them from it."""
        runs = self.runs[bottom:]
        del self.runs[bottom:]
        openers: list[_Run] = []
        lowest: dict[tuple[str, bool, int], int] = {}  # below it, no opener fits a closer of this kind
        for run in runs:
            while run.closes and run.left:
                kind = (run.character, run.opens, run.length % 3)
                place = len(openers) - 1
                floor = lowest.get(kind, 0)
                while place >= floor and not _fits(openers[place], run):
                    place -= 1
                if place < floor:
                    lowest[kind] = len(openers)
                    break
                opener = openers[place]
                del openers[place + 1 :]
                self._match(opener, run)
                if not opener.left:
                    openers.pop()
                lowest = {key: min(value, len(openers)) for key, value in lowest.items()}
            if run.opens and run.left:
                openers.append(run)

    def _match(self, opener: _Run, closer: _Run) -> None:
        used = 2 if opener.left >= 2 and closer.left >= 2 else 1
        opener.left -= used
        closer.left -= used
        self.ranges.append((_DELIMITERS[opener.character, used], opener.node + 1, closer.node))
        for run in (opener, closer):
            self.nodes[run.node] = Text(run.character * run.left)

    def _marked(self) -> list[Piece]:
        """Return the nodes with their marks."""
        size = len(self.nodes) + 1
        changes: dict[Mark, list[int]] = {}
        for mark, start, end in self.ranges:
            if start < end < size:
                counts = changes.setdefault(mark, [0] * size)
                counts[start] += 1
                counts[end] -= 1
        depth = dict.fromkeys(changes, 0)
        out = []
        for place, node in enumerate(self.nodes):
            for mark, counts in changes.items():
                depth[mark] += counts[place]
            if isinstance(node, Text) and changes:
                marks = tuple(mark for mark in MARKS if depth.get(mark) or mark in node.marks)
                node = Text(node.text, marks)
            out.append(Piece(node, self.links[place]))
        return out

    # --- links and images

    def _open_bracket(self, *, image: bool) -> None:
        width = 2 if image else 1
        self.brackets.append(_Bracket(image, len(self.nodes), len(self.runs), self.at + width))
        self._add(Text("![" if image else "["))
        self.at += width

    def _close_bracket(self) -> None:
        end = self.at
        self.at += 1
        if not self.brackets:
            self._add(Text("]"))
            return
        bracket = self.brackets.pop()
        active = bracket.image or len(self.brackets) >= self.inactive
        self.inactive = min(self.inactive, len(self.brackets))
        target = self._target(bracket, end) if active else None
        if target is None:
            self._add(Text("]"))
        elif bracket.image:
            self._image(bracket, *target)
        else:
            self._link(bracket, *target)

    def _image(self, bracket: _Bracket, address: str, title: str) -> None:
        alt = self._words(bracket.node + 1)
        self._cut(bracket)
        self._add(Image(address, alt, title))

    def _link(self, bracket: _Bracket, address: str, title: str) -> None:
        kind, slash, name = address.removeprefix("mention:").partition("/")
        if address.startswith("mention:") and slash:
            label = self._words(bracket.node + 1).strip().removeprefix("@")
            self._cut(bracket)
            self._add(Mention(kind, unquote(name), label))
            return
        self._emphasize(bracket.runs)
        self.nodes[bracket.node] = Text("")
        href = safe_address(address)
        for place in range(bracket.node, len(self.nodes)):
            self.links[place] = (href, short(title)) if href else None
        self.inactive = len(self.brackets)

    def _words(self, start: int) -> str:
        """Return what the nodes from a place on show."""
        shown = list[str]()
        for node in self.nodes[start:]:
            if isinstance(node, Text):
                shown.append(node.text)
            elif isinstance(node, Image):
                shown.append(node.alt)
            elif isinstance(node, Emoji | Mention):
                shown.append(f":{node.name}:" if isinstance(node, Emoji) else "@" + node.label)
            else:
                shown.append(" ")
        return "".join(shown)

    def _cut(self, bracket: _Bracket) -> None:
        """Remove a bracket and the nodes after it, which become something else."""
        del self.nodes[bracket.node :], self.links[bracket.node :], self.runs[bracket.runs :]
        while self.ranges and self.ranges[-1][2] > bracket.node:
            self.ranges.pop()
        while self.underlined and self.underlined[-1] > bracket.node:
            self.underlined.pop()

    def _target(self, bracket: _Bracket, end: int) -> Address | None:
        """Return the address and the title after a closing bracket, and move behind them; None if there are none."""
        if self.text.startswith("(", self.at) and (found := self._direct(self.at + 1)):
            address, title, self.at = found
            return address, title
        label = _LABEL.match(self.text, self.at)
        name = label[1] if label and label[1] else self.text[bracket.start : end] if end - bracket.start <= 500 else ""
        known = self.references.get(normal_label(name)) if self.references and name else None
        if known is not None and label:
            self.at = label.end()
        return known

    def _direct(self, start: int) -> tuple[str, str, int] | None:
        """Read `address "title")`; return both and the place behind them."""
        at = _after(_BLANKS, self.text, start)
        address, at = _destination(self.text, at)
        behind = _after(_BLANKS, self.text, at)
        title = _TITLE.match(self.text, behind) if behind > at else None
        if title is not None:
            behind = _after(_BLANKS, self.text, title.end())
        if not self.text.startswith(")", behind):
            return None
        words = next((one for one in title.groups() if one is not None), "") if title else ""
        return unescaped(address), unescaped(words), behind + 1


def _fits(opener: _Run, closer: _Run) -> bool:
    """Check whether two runs match; lengths that add up to a multiple of three do not, if one run could do both."""
    if opener.character != closer.character:
        return False
    both = opener.closes or closer.opens
    return not (both and (opener.length + closer.length) % 3 == 0 and (opener.length % 3 or closer.length % 3))


def _after(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _destination(text: str, start: int) -> tuple[str, int]:
    """Read the address of a link: in angle brackets, or without blanks and with balanced parentheses."""
    found = _IN_ANGLES.match(text, start)
    if found is not None:
        return found[1], found.end()
    at, depth = _after(_NO_BLANKS, text, start), 0
    while text.startswith(("(", ")"), at):
        depth += 1 if text[at] == "(" else -1
        if not 0 <= depth <= _DEEPEST_PARENTHESES:
            break
        at = _after(_NO_BLANKS, text, at + 1)
    return text[start:at], at


def read_line(text: str, references: References, *, breaks: bool = False) -> list[Piece]:
    """Return the pieces of a line or paragraph; with `breaks`, the end of a line is a line break, as in chats."""
    return _Line(text, references, breaks).read()
