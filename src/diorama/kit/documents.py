"""Texts of documents: office files, PDF, RTF, HTML and plain text, read in linear time within declared limits."""

from __future__ import annotations

import base64
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from html import unescape
from typing import NamedTuple

from diorama.kernel import Interrupted
from diorama.kit.text import plain_text
from diorama.kit.unseen import unseen_texts

READ_AT_MOST = 1 << 18
"""How many bytes of a file, and of all that it unpacks to, are read; a longer one counts as one that cannot be read."""
TAGS_AT_MOST = 3_000
"""How many tags of HTML are read in one file, with those that it holds."""
FILES_AT_MOST = 20
"""How many different files are read for one judgement."""
PARTS_AT_MOST = 200
"""How many members of an archive or streams of a PDF are read."""
SIGNS_AT_MOST = 40_000
"""How many brackets, escapes, distances and operators of a PDF are read: those of some ten pages, letter by letter."""
DEPTH_AT_MOST = 2
"""How deep archives in archives are read."""


class _Room:
    """What is left to read of one file; the files that it holds share it."""

    __slots__ = ("left", "tags")

    def __init__(self) -> None:
        self.left = READ_AT_MOST
        self.tags = TAGS_AT_MOST


class Document(NamedTuple):
    """What a file says, and whether all of it could be read."""

    texts: tuple[str, ...]
    readable: bool = True


UNREADABLE = Document((), False)
_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_HTML = re.compile(r"<(?:!doctype|html|head|body|p|div|br|table|span|a|img|style|svg)\b", re.IGNORECASE)
_CHANGING = re.compile(
    r"<(?:style|script|svg|canvas|object|embed|iframe|bdo|link)\b|<img\b[^<>]{0,400}\bsrc\s*=\s*[\"']?\s*(?:data:|https?:|//)"
    r"|\b(?:display|visibility|opacity|unicode-bidi|direction|position|clip|clip-path|transform|text-indent|content)\s*:"
    r"|\bfont-size\s*:\s*0|\bhidden\b\s*[=>]",
    re.IGNORECASE,
)
"""What makes an HTML file show other words than it holds, or pictures."""


def document(content: bytes) -> Document:
    """Read a file, whatever its name says: plain text, HTML, RTF, PDF, or an office file or archive (zip)."""
    if len(content) > READ_AT_MOST:
        return Document(_kept(content[:READ_AT_MOST]).texts, readable=False)
    return _kept(content)


@lru_cache(maxsize=16)
def _kept(content: bytes) -> Document:
    try:
        return _read(content, DEPTH_AT_MOST)
    except Interrupted:
        raise
    except Exception:  # noqa: BLE001 - a file that breaks a reader is a file that no check can read
        return UNREADABLE


class Files:
    """The files that are read for one judgement: a bounded number of different ones."""

    def __init__(self) -> None:
        self.too_many = False
        """Whether there was a file that was not read."""
        self._known: set[bytes] = set()

    def read(self, content: bytes) -> Document:
        """Read a file; one more than `FILES_AT_MOST` cannot be read."""
        mark = sha256(content).digest()
        if mark not in self._known and len(self._known) >= FILES_AT_MOST:
            self.too_many = True
            return UNREADABLE
        self._known.add(mark)
        return document(content)


def _read(content: bytes, depth: int, room: _Room | None = None) -> Document:
    room = room or _Room()
    if content[:1024].lstrip().startswith(b"%PDF"):
        return _pdf(content)
    if content.startswith(b"PK"):
        return _archive(content, depth, room)
    if content.startswith(b"{\\rtf"):
        return _rtf(content)
    return _plain(content, room)


def _plain(content: bytes, room: _Room) -> Document:
    if not content.strip():
        return Document(())
    text = decoded(content)
    if not text.strip():
        return UNREADABLE
    if _HTML.search(text[:4096]):
        room.tags -= text.count("<")
        if room.tags < 0:
            return UNREADABLE
        return Document(tuple(filter(None, (plain_text(text), *unseen_texts(text)))), _CHANGING.search(text) is None)
    return Document((text,))


def decoded(content: bytes) -> str:
    """Return bytes as text, or "" if they are not text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return "" if len(_CONTROL.findall(text)) * 100 > len(text) else text


# --- office files and archives

_BREAKS = re.compile(
    r"</(?:\w+:)?(?:p|h|si|c|row|tr|tc|table-cell|title|description|subject|keywords)>|<w:(?:br|tab)\b"
)
_STAMPS = re.compile(r"<(?:\w+:)?(?:created|modified|date|creation-date|lastPrinted|print-date)\b[^<>]*>[^<]*<")
_TAG = re.compile(r"<[^<>]*>")
_ATTRIBUTE = re.compile(r"""\s(?!xmlns)[\w:.-]+\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""")
_DATA = re.compile(r"\S@\S|[^\W\d_]\s|\b[A-Za-z]{2,4}-\d{4}|\+\d{6}|^\s*(?:https?:|mailto:)", re.IGNORECASE)
_VENDORS = re.compile(
    r"https?://(?:schemas\.|purl\.|www\.w3\.org|ns\.adobe\.com|docs\.oasis-open\.org|openoffice\.org)\S*", re.IGNORECASE
)
_LAYOUT = re.compile(
    r"(?:^|/)(?:\[Content_Types\]\.xml|_rels/.*|app\.xml|theme\w*\.xml|styles\.xml|settings\.xml|webSettings\.xml"
    r"|fontTable\.xml|numbering\.xml|manifest\.xml|mimetype)$"
)
"""Members of office files that say only how something looks; in an archive without a document they are read, too."""
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OFFICE = re.compile(r"^(?:word/document|xl/workbook|ppt/presentation|content)\.xml$")


def _archive(content: bytes, depth: int, room: _Room) -> Document:
    """Read the members of a zip file; encrypted, broken, too large and unusually packed ones cannot be read."""
    if not depth:
        return UNREADABLE
    texts: list[str] = []
    readable = True
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            members = [one for one in packed.infolist() if not one.is_dir()]
            office = any(_OFFICE.match(one.filename) for one in members)
            readable = len(members) <= PARTS_AT_MOST
            for member in members[:PARTS_AT_MOST]:
                layout = office and _LAYOUT.search(member.filename) is not None
                if member.compress_type not in PACKED or member.file_size > room.left:  # others unpack without a limit
                    return Document(tuple(texts), readable=False)
                with packed.open(member) as file:
                    inner = file.read(room.left + 1)
                room.left -= len(inner)
                if room.left < 0:
                    return Document(tuple(texts), readable=False)
                if layout:
                    found = _layout(inner)
                else:
                    found = _markup(inner) if member.filename.endswith(".xml") else _read(inner, depth - 1, room)
                texts += [*found.texts, *([] if office else [member.filename])]
                readable &= found.readable
    except Interrupted:
        raise
    except Exception:  # noqa: BLE001 - a broken archive raises many kinds, also LZMAError and IndexError
        return Document(tuple(texts), readable=False)
    return Document(tuple(filter(None, texts)), readable)


def _markup(content: bytes) -> Document:
    """Read the text of XML; runs of one paragraph are joined, since programs split words into several."""
    text = decoded(content)
    if not text.strip():
        return UNREADABLE if content.strip() else Document(())
    text = _STAMPS.sub("<", text)
    shown = unescape(_TAG.sub("", _BREAKS.sub("\n<", text)))
    lines = [" ".join(line.split()) for line in shown.split("\n")]
    return Document(tuple(filter(None, ["\n".join(filter(None, lines)), *_attributes(text)])))


def _attributes(text: str) -> list[str]:
    """Return the attributes of XML that hold words or data: fields, descriptions of pictures, links."""
    found = (_VENDORS.sub("", unescape(one[1] or one[2] or "")).strip() for one in _ATTRIBUTE.finditer(text))
    return list(dict.fromkeys(one for one in found if _DATA.search(one)))


def _layout(content: bytes) -> Document:
    """Read the words of a member that says only how something looks: none, unless someone put them there."""
    text = decoded(content)
    lines = (_VENDORS.sub("", unescape(one)).strip() for one in _TAG.split(text))
    said = [one for one in lines if any(letter.isalpha() for letter in one)]
    return Document(tuple(dict.fromkeys([*said, *_attributes(text)])), bool(text.strip()) or not content.strip())


# --- RTF

RTF_SIGNS_AT_MOST = 15_000
"""How many commands and groups of RTF are read."""
_RTF = re.compile(r"\\'([0-9a-fA-F]{2})|\\u(-?\d{1,6})\s?\??|\\(?:par|line|tab|cell|row)\b ?|\\[a-zA-Z]+-?\d* ?|[{}]")


def _rtf(content: bytes) -> Document:
    text = content.decode("latin-1")
    if text.count("\\") + text.count("{") > RTF_SIGNS_AT_MOST:
        return UNREADABLE
    if "\\pict" in text or "\\objdata" in text or "\\bin" in text:
        return UNREADABLE

    def said(found: re.Match[str]) -> str:
        if found[1]:
            return bytes.fromhex(found[1]).decode("cp1252", errors="replace")
        if found[2]:
            return chr(int(found[2]) % 65_536)
        return "\n" if found[0].startswith(("\\par", "\\line", "\\tab", "\\cell", "\\row")) else ""

    return Document((_RTF.sub(said, text).strip(),))


# --- PDF

_STREAM = re.compile(rb"stream\r?\n")
_FILTER = re.compile(rb"/Filter\s*(\[[^\]]{0,200}\]|/\w+)")
_OPAQUE = re.compile(rb"/Subtype\s*/Image|/Encrypt\b|/Identity-H|/Differences|/EmbeddedFile")
"""What no check can read: pictures, encryption, own alphabets of fonts, files in the file."""
_ORIGIN = re.compile(rb"/(?:CreationDate|ModDate)\s*\([^()]*\)|/ID\s*\[[^\[\]]*\]")
"""When the file was made."""
_MAKER = re.compile(rb"/(?:Producer|Creator)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)")
_HOME = re.compile(rb"\(?(?:https?://|www\.)[^\s()]*\)?")
"""The address of the program that made the file."""
_XML = re.compile(rb"\A\s*<(?:\?xpacket|\?xml|x:xmpmeta|rdf:RDF)")
_TABLE = re.compile(rb"/Type\s*/XRef")
_SIGN = re.compile(rb"[()\\]")
_SIGNS = (b"(", b"\\", b"<", b"-", b"T", b"'", b'"')
"""What begins something that is looked at."""
_OPEN, _CLOSE, _BACKSLASH = b"()\\"
_OTHER = re.compile(rb"\(([^()]*)(?<!\\)\)|<([0-9a-fA-F\s]+)>|(?<![\w.])(-\d{3,})(?![\w.])|(\bT[Jdm*D]\b|\bTj\b|['\"])")
"""What counts between strings: hexadecimal ones, distances, operators, and strings that only seemed to be escaped."""
_NESTED_AT_MOST = 2
"""How deep brackets stand in each other in a string; of deeper ones the inner strings are read."""
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\n", b"t": b" ", b"b": b"", b"f": b"", b"\n": b"", b"\r\n": b"", b"\r": b""}
_WIDE = -180
"""From this distance between two pieces on (thousandths of the font size) a PDF shows a space."""
_LONG_NUMBER = 9
"""A distance with more characters is a wide one."""
_OCTAL = b"01234567"


def _pdf(content: bytes) -> Document:
    """Read the text of a PDF: strings in its objects and streams; compressed streams are unpacked."""
    outside, streams, readable = _pdf_streams(content)
    dateless = [_ORIGIN.sub(b"", one) for one in (outside, *streams)]
    pieces = [_MAKER.sub(b"", one) for one in dateless]
    if sum(one.count(sign) for one in dateless for sign in _SIGNS) > SIGNS_AT_MOST:
        return UNREADABLE
    texts = [text for piece in pieces for text in _pdf_text(piece)]
    texts += [text for one in dateless for maker in _MAKER.findall(one) for text in _pdf_text(_HOME.sub(b"", maker))]
    texts += [text for one in streams if _XML.match(one) for text in _markup(one).texts]
    if any(_OPAQUE.search(piece) for piece in pieces) or not all(decoded(one) for one in streams if one.strip()):
        readable = False
    return Document(tuple(dict.fromkeys(filter(None, texts))), readable)


def _pdf_streams(content: bytes) -> tuple[bytes, list[bytes], bool]:
    """Return what stands outside of streams, the unpacked streams, and whether all of them could be unpacked."""
    outside, streams, readable, at, left = [], list[bytes](), True, 0, READ_AT_MOST
    for found in _STREAM.finditer(content):
        if found.start() < at:
            continue
        if content[found.start() - 3 : found.start()] == b"end":
            continue
        if len(streams) == PARTS_AT_MOST:
            readable = False
            break
        header = content[at : found.start()]
        outside.append(header)
        end = content.find(b"endstream", found.end())
        end = len(content) if end < 0 else end
        at = end
        if _TABLE.search(header[-2_000:]):
            continue
        unpacked, whole = _unpacked(header[-2_000:], content[found.end() : end], left)
        left -= len(unpacked)
        streams.append(unpacked)
        readable &= whole and left > 0
        if left <= 0:
            break
    outside.append(content[at:])
    return b"\n".join(outside), streams, readable


def _unpacked(header: bytes, data: bytes, limit: int) -> tuple[bytes, bool]:
    found = _FILTER.findall(header)
    names = re.findall(rb"/(\w+)", found[-1]) if found else []
    if not names:
        return data[:limit], len(data) <= limit
    packed = zlib.decompressobj()
    try:
        if names[0] == b"ASCII85Decode":
            data = base64.a85decode(data.strip().removeprefix(b"<~").removesuffix(b"~>"))
            names = names[1:]
        if names != [b"FlateDecode"]:
            return b"", False
        text = packed.decompress(data, max(limit, 1))
    except (zlib.error, ValueError):
        return b"", False
    return text, packed.eof or not packed.unconsumed_tail


def _pdf_text(content: bytes) -> tuple[str, ...]:
    """Return the strings of a piece of a PDF: as words, and joined if they are shown letter by letter."""
    shown: list[str] = []
    pieces: list[str] = []
    for literal, digits, gap, operator in _pdf_tokens(content):
        if operator:
            shown.append(" ")
        elif gap:
            if len(gap) > _LONG_NUMBER or int(gap) <= _WIDE:
                shown.append(" ")
        else:
            piece = _hexadecimal(digits) if digits else _literal(literal)
            shown.append(piece)
            pieces.append(piece)
    text = " ".join("".join(shown).split())
    short = len(pieces) > 3 and sum(len(one.strip()) <= 2 for one in pieces) * 2 > len(pieces)
    return (text, " ".join("".join(pieces).split())) if short else (text,)


def _pdf_tokens(content: bytes) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Yield strings in brackets, strings in hexadecimal, distances and operators; of four parts one is not empty."""
    at = 0
    for start, end in [*_pdf_strings(content), (len(content), len(content))]:
        yield from (
            (one[1] or b"", one[2] or b"", one[3] or b"", one[4] or b"") for one in _OTHER.finditer(content, at, start)
        )
        if start < end:
            yield content[start + 1 : end - 1], b"", b"", b""
        at = end


def _pdf_strings(content: bytes) -> list[tuple[int, int]]:
    """Return where the strings in brackets are, outermost first; a bracket that is not closed opens none."""
    open_at: list[int] = []
    height: list[int] = []
    """For each open bracket, how deep the brackets in it stand in each other."""
    found: list[tuple[int, int]] = []
    at = content.find(b"(")
    while 0 <= at < len(content):
        sign = content[at]
        if sign == _OPEN:
            open_at.append(at)
            height.append(0)
        elif sign == _CLOSE:
            start, inside = open_at.pop(), height.pop() + 1
            if height:
                height[-1] = max(height[-1], inside)
            if inside <= _NESTED_AT_MOST:
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, at + 1))
        after = at + 1 if sign != _BACKSLASH else at + 2
        fits = _SIGN.search(content, after) if open_at else None
        at = fits.start() if fits else -1 if open_at else content.find(b"(", after)
    return found


def _literal(text: bytes) -> str:
    def said(found: re.Match[bytes]) -> bytes:
        one = found[1]
        return bytes([int(one, 8) & 255]) if one[0] in _OCTAL else _ESCAPED.get(one, one)

    return _as_text(_ESCAPE.sub(said, text))


def _hexadecimal(digits: bytes) -> str:
    plain = b"".join(digits.split())
    return _as_text(bytes.fromhex((plain + b"0" * (len(plain) % 2)).decode()))


def _as_text(data: bytes) -> str:
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", errors="replace")
    return data.decode("cp1252", errors="replace")
