"""Texts in ordinary encodings: base64, base32, hexadecimal, character codes, URL encoding, escapes, spelled letters."""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

DEPTH = 2
"""How many encodings inside each other are read."""
LONGEST = 65_536
"""How many characters of one text are looked through, at each depth."""
IN_ALL = 32_768
"""How many characters of all texts of one message are looked through: one with more is longer than anyone reads."""
_BASE64 = re.compile(r"(?<![\w+/=-])(?:[A-Za-z0-9+/_-]{20,}[ \t]*\r?\n)*[A-Za-z0-9+/_-]{14,}={0,2}(?![\w+/-])")
_BASE32 = re.compile(r"(?<![\w=])[A-Z2-7]{16,}={0,6}(?![\w=])")
_HEX = re.compile(r"(?<![0-9a-fA-F])(?:(?:0x|\\x)?+[0-9a-fA-F]{2}[ :,.-]?+){8,}+")
"""A run of pairs. It is possessive, and what follows is looked at in `_hex_runs`: that takes linear time."""
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_HEX_BREAKS = " :,.-\\"
_CODES = re.compile(r"(?<!\d)(?:\d{2,3}[ ,;]{1,2}){7,}\d{2,3}(?!\d)")
_BITS = re.compile(r"(?<!\d)(?:[01]{7,8}[ ,;]{0,2}){8,}(?!\d)")
_OCTAL = re.compile(r"[0-7]{2,3}")
_BASE85 = re.compile(r"(?<!\S)[!-~]{20,5000}(?!\S)")
_UU = re.compile(r"^[ -M][ -`]{12,60}$", re.MULTILINE)
_ENTITIES = re.compile(r"(?:&(?:amp;)*#x?[0-9a-fA-F]{1,6};[^\S\n]?){5,}")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_QUOTED = re.compile(r"=[0-9A-F]{2}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
_AVIATION = (
    "alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima", "mike",
    "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "xray", "yankee",
    "zulu",
)  # fmt: skip
_GERMAN = (
    "anton", "berta", "caesar", "cäsar", "dora", "emil", "friedrich", "gustav", "heinrich", "ida", "julius", "kaufmann",
    "ludwig", "martha", "nordpol", "otto", "paula", "quelle", "richard", "samuel", "siegfried", "theodor", "ulrich",
    "viktor", "wilhelm", "xanthippe", "ypsilon", "zeppelin", "zacharias",
)  # fmt: skip
SPELLED = {word[0]: word for word in _AVIATION}
"""The spelling alphabet of aviation, by letters."""
_WORDS = {word: word[0] for word in (*_AVIATION, *_GERMAN, "alpha", "juliet", "whisky", "x-ray")}
_SIGNS = {
    "at": "@", "arroba": "@", "dot": ".", "punkt": ".", "point": ".", "punto": ".", "punt": ".", "dash": "-",
    "hyphen": "-", "minus": "-", "underscore": "_", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4",
    "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "niner": "9",
}  # fmt: skip
_TOKEN = re.compile(r"x-ray|[^\W\d_]+|[\d@._+-]", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_LINES = re.compile(r"[\r\n\t]+")
_SPELLED_AT_LEAST = 4
_NAMED = "|".join((*_SIGNS, "klammeraffe", "arobase", "apenstaartje"))
_APART = re.compile(
    rf"(?:\+[\W_]{{0,3}})?(?<![^\W_])[^\W_](?:(?:[\W_]{{1,12}})(?:(?:{_NAMED})(?![^\W_])|[^\W_](?![^\W_]))){{4,}}",
    re.IGNORECASE,
)
"""Five or more single letters or digits, whatever stands between them; words for signs may be among them."""
_AT = {**_SIGNS, "klammeraffe": "@", "arobase": "@", "apenstaartje": "@"}
_PIECE = re.compile(r"[^\W_]+")
_ROMAN = {"n": "0", "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_NUMERAL = "(?:[nN]|[iI]{1,3}|[iI][vV]|[vV][iI]{0,3}|[iI][xX])"
"""A digit as a Roman numeral. Without IGNORECASE, which also finds letters such as the dotless i."""
_ROMANS = re.compile(rf"(?<!\w)(?:{_NUMERAL}[\s,;.|/()+-]{{1,4}}){{5,}}{_NUMERAL}(?!\w)")
"""Six or more digits as Roman numerals, with N for nothing."""


@lru_cache(maxsize=64)
def decoded_texts(text: str) -> tuple[str, ...]:
    """Return the texts that stand in a text in an ordinary encoding."""
    found: dict[str, None] = {}
    fresh = [text[:LONGEST]]
    for _ in range(DEPTH):
        fresh = [one for source in fresh for one in _decoded(source) if one not in found and one != source]
        fresh = within(fresh, LONGEST)
        found |= dict.fromkeys(fresh)
    return tuple(found)


def within(texts: Iterable[str], limit: int) -> list[str]:
    """Return as many texts, in order, as have no more than `limit` characters together."""
    found = []
    for one in texts:
        limit -= len(one)
        if limit < 0:
            break
        found.append(one)
    return found


def _decoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        yield from _printable(_from_base64(match[0]))
    for run in _hex_runs(text):
        yield from _printable(_from_hex(run))
    for match in _CODES.finditer(text):
        codes = [int(one) for one in re.findall(r"\d+", match[0])]
        yield from _printable(bytes(codes) if max(codes) < 256 else b"")
        if all(_OCTAL.fullmatch(one) for one in re.findall(r"\d+", match[0])):
            codes = [int(one, 8) for one in re.findall(r"\d+", match[0])]
            yield from _printable(bytes(codes) if max(codes) < 256 else b"")
    for match in _BITS.finditer(text):
        yield from _printable(_from_bits(match[0]))
    for match in _ENTITIES.finditer(text):
        yield html.unescape(match[0].replace("amp;", ""))
    for match in _BASE85.finditer(text):
        yield from _from_base85(match[0])
    for match in _UU.finditer(text):
        yield from _printable(_from_uu(match[0]))
    if len(_PERCENT.findall(text)) > 1:
        yield " ".join(unquote(one, errors="replace") for one in text.split() if "%" in one)
    if len(_QUOTED.findall(text)) > 1:
        yield from _printable(quopri.decodestring(text.encode("utf-8", "replace")))
    if _ESCAPE.search(text):
        words = (one for one in text.split() if "\\" in one)
        plain = _ESCAPE.sub(lambda fits: chr(int(fits[1] or fits[2], 16)), " ".join(words))
        yield plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # pairs become one character
    for match in _BASE32.finditer(text):
        yield from _printable(_from_base32(match[0]))
    for match in _APART.finditer(text):
        yield from _joined(match[0])
    for match in _ROMANS.finditer(text):
        digits = "".join(_ROMAN[one.lower()] for one in _PIECE.findall(match[0]))
        yield f"+{digits}"
    yield from _spelled(text)


def _joined(text: str) -> Iterator[str]:
    """Yield letters that are set apart without what stands between most of them; longer gaps hold signs or blanks."""
    found = list(_PIECE.finditer(text))
    gaps = [text[one.end() : after.start()] for one, after in pairwise(found)]
    usual = Counter(gaps).most_common(1)[0][0]
    parts = [text[0] if text[0] == "+" else "", found[0][0]]
    for gap, one in zip(gaps, found[1:], strict=True):
        signs = gap.replace(usual, "").strip(_BETWEEN) if gap != usual else ""
        if gap != usual and not signs:
            signs = usual.strip() if gap == usual * (len(gap) // len(usual)) and usual.strip() in _LETTERLIKE else " "
        parts += [f" {signs} " if signs == "/" else signs, _AT.get(one[0].lower(), one[0])]
    joined = "".join(parts)
    yield joined
    if "@" in joined and (plain := re.sub(r"(?<=\w) (?=\w)", "", joined)) != joined:
        yield plain


_BETWEEN = " \t\r\n,;|'\"[]"
_LETTERLIKE = (".", "-", "_")
"""Signs that are letters of an address or a number, also if the same sign stands between all letters."""


def _hex_runs(text: str) -> Iterator[str]:
    """Yield runs of eight or more pairs of hexadecimal digits that no further digit follows."""
    for match in _HEX.finditer(text):
        run = match[0]
        if text[match.end() : match.end() + 1] in _HEX_DIGITS:
            run = run[: max(0, *(run.rfind(one) for one in _HEX_BREAKS))]
        if len(run) >= 16 and len(_from_hex(run)) >= 8:
            yield run


def _from_base32(text: str) -> bytes:
    plain = text.rstrip("=")
    try:
        return base64.b32decode(plain + "=" * (-len(plain) % 8))
    except (binascii.Error, ValueError):
        return b""


def _from_base64(text: str) -> bytes:
    plain = re.sub(r"\s", "", text).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_bits(text: str) -> bytes:
    """Return what is written in groups of seven or eight bits, or without blanks in groups of eight."""
    groups = re.findall(r"[01]+", text)
    if len(groups) == 1:
        groups = [groups[0][place : place + 8] for place in range(0, len(groups[0]) // 8 * 8, 8)]
    return bytes(int(one, 2) for one in groups if len(one) <= 8)


def _from_base85(text: str) -> Iterator[str]:
    """Yield what a long word of letters, digits and signs is in base85 or Ascii85, if that is a text."""
    if text.isalnum():
        return
    for decode in (base64.b85decode, lambda one: base64.a85decode(one.removeprefix("<~").removesuffix("~>"))):
        try:
            yield from _printable(decode(text))
        except (binascii.Error, ValueError, OverflowError):
            continue


def _from_uu(line: str) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except (binascii.Error, ValueError):
        return b""


def _from_hex(text: str) -> bytes:
    digits = re.sub(r"0x|\\x|[^0-9a-fA-F]", "", text)
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _printable(data: bytes) -> Iterator[str]:
    """Yield bytes as a text if all of them are letters, digits, signs and blanks."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    if len(text) >= 8 and _LINES.sub("", text).isprintable():
        yield text


def _spelled(text: str) -> Iterator[str]:
    """Yield what is spelled with a spelling alphabet: alfa bravo at charlie dot delta."""
    lower = text.lower()
    if "x-ray" not in lower and sum(one in _WORDS for one in _LETTERS.findall(lower)) < _SPELLED_AT_LEAST:
        return  # as is usual
    letters: list[str] = []
    spelled, end = 0, 0
    for found in _TOKEN.finditer(lower):
        word = found[0]
        letter = _WORDS.get(word) or _SIGNS.get(word) or (word if len(word) == 1 else "")
        if not letter or len(lower[end : found.start()].strip(" ,;/|\n-")) > 0:
            if spelled >= _SPELLED_AT_LEAST:
                yield "".join(letters).strip(".-_")
            letters, spelled = [], 0
        if letter:
            letters.append(letter)
            spelled += word in _WORDS
        end = found.end()
    if spelled >= _SPELLED_AT_LEAST:
        yield "".join(letters).strip(".-_")
