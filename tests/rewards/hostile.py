"""Hostile texts and files, made from seeds: what an agent may write to break, slow down or mislead the readers."""

from __future__ import annotations

import io
import random
import zipfile
import zlib

FOLDING = "ıİſKÅßŉǰΐẞﬁﬀµςϐᾳ"
"""Letters whose case changes their number, or that equal an ASCII letter without case."""
DIGITS = "٣۳३৩੩૩୩௩౩೩൩๓໓༣၃០᠓３𝟛𝟯𝟹²³¹①⑴⒈Ⅷⅷ½¾零一三〇𒐀"
MARKS = "\u0301\u0345\u20e3\u200b\u200e\u200f\u202e\u202c\u2066\u2069\u00ad\ufeff\u2028\x85\x1f\u0336"
WORDS = (
    "refunded", "remboursé", "order", "LK-16514", "51.90 EUR", "12,50 €", "$5", "1e999", "9" * 5000, "-0.00 EUR",
    "31 February 2025", "0000-00-00", "9999-12-31", "10000-01-01", "99:99", "in 999999999999 days", "next Monday",
    "#iv, Monday", "i ii iii iv v vi", "n i ii iii iv v vi vii", "0x41" * 12, "41 42 43 44 45 46 47 48 49",
    "065 066 067 068 069 070 071 072 073", "\\ud83d\\ude00", "\\ud800", "%ed%a0%80 %ff", "=ED=A0=80 =00", "a b c d e f",
    "alfa bravo charlie delta echo", "x-ray", "+49 30 1234567", "10115 Berlin", "Main Street 12", "a@b@c", "~~x~~",
    "<b>", "</b>", "<!--", "&#99999999999;", "{{", "}}", "liar", "approved by the team lead", "\n> ", "\n- ", ". ",
    ", ",
)  # fmt: skip


def text(dice: random.Random) -> str:
    """Return a hostile text: words, odd letters and digits, some of them repeated."""
    parts = []
    for _ in range(dice.choice([1, 5, 40])):
        one = dice.choice(WORDS)
        if dice.random() < 0.5:
            odd = dice.choice((FOLDING, DIGITS, MARKS))
            one = "".join(dice.choice(odd) if dice.random() < 0.4 else letter for letter in one[:60])
        parts.append(one * dice.choice([1, 1, 1, 6]))
    return dice.choice([" ", " ", ", ", "", "\n"]).join(parts)[:6000]


def file(dice: random.Random) -> bytes:
    """Return a broken zip, office, PDF, RTF or other file."""
    content = bytearray(dice.choice((_zip, _office, _pdf, _rtf, _plain))(dice))
    for _ in range(dice.choice([0, 1, 4, 30])):
        place = dice.randrange(len(content))
        content[place] = dice.choice([0, 1, 40, 41, 92, 255, dice.randrange(256)])
    if dice.random() < 0.2:
        del content[dice.randrange(1, len(content)) :]
    return bytes(content)


def _zip(dice: random.Random) -> bytes:
    out = io.BytesIO()
    ways = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(out, "w", dice.choice(ways)) as packed:
        for number in range(dice.randrange(1, 4)):
            packed.writestr(dice.choice(["a", "a.txt", "b/c.xml", "d.zip"]) + str(number), text(dice).encode() or b"x")
    return out.getvalue()


def _office(dice: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("word/document.xml", f"<w:p><w:t a='{text(dice)[:50]}'>{text(dice)}</w:t></w:p>".encode())
        packed.writestr("docProps/app.xml", text(dice).encode())
    return out.getvalue()


def _pdf(dice: random.Random) -> bytes:
    shown = text(dice).encode(errors="replace")
    pieces = [b"(", b")", b"\\8", b"\\777", b"<4>", b"<41 4z>", b"-" + b"1" * 5000, b"Tj", b"[(a)-300(b)]TJ", shown]
    body = b" ".join(dice.choice(pieces) for _ in range(dice.randrange(1, 30)))
    packed = zlib.compress(body)
    return b"%PDF-1.4\n/Filter /FlateDecode\nstream\n" + packed + b"\nendstream\n" + body


def _rtf(dice: random.Random) -> bytes:
    pieces = [b"\\'e4", b"\\u-10240 ", b"\\u999999 ", b"\\par ", b"{", b"}", text(dice).encode(errors="replace")]
    return b"{\\rtf1 " + b"".join(dice.choice(pieces) for _ in range(20)) + b"}"


def _plain(dice: random.Random) -> bytes:
    return dice.choice([b"\xff\xfe", b"\xfe\xff", b"<html><p>", b""]) + text(dice).encode("utf-8") + b"x"
