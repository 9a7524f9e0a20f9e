"""Files of generated history: small valid pictures, documents and archives, made on demand at any size."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from io import BytesIO

SIDE = 24
"""Blocks of eight pixels along each side of a picture."""
PNG_HEAD = b"\x89PNG\r\n\x1a\n"


def sample_file(content_type: str, size: int, subject: str) -> bytes:
    """Return a file of this type and exactly this size that depends on the subject only.

    Types that are not known, and sizes too small for a valid file, give random bytes.
    """
    made = MAKERS[content_type](size, subject) if content_type in MAKERS else b""
    return made if len(made) == size else _noise(subject, size)


def _noise(subject: str, size: int) -> bytes:
    return hashlib.shake_128(subject.encode()).digest(size) if size > 0 else b""


# --- pictures


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return one chunk of a PNG."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def _png(size: int, subject: str) -> bytes:
    side = 8 * SIDE
    tints = _noise(f"{subject} tints", SIDE * SIDE * 3)
    rows = bytearray()
    for y in range(side):
        rows.append(0)
        for x in range(SIDE):
            place = 3 * ((y // 8) * SIDE + x)
            rows += tints[place : place + 3] * 8
    header = side.to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    image = PNG_HEAD + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows)))
    end = chunk(b"IEND", b"")
    rest = size - len(image) - len(end) - 12
    return image + chunk(b"prVw", _noise(subject, rest)) + end if rest >= 0 else b""


def _jpeg(size: int, subject: str) -> bytes:
    """Return a grey picture of flat blocks (baseline, one table each), filled up with application data."""
    side = (8 * SIDE).to_bytes(2, "big")
    parts = [
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x48\x00\x48\x00\x00",
        b"\xff\xdb\x00\x43\x00" + b"\x08" * 64,
        b"\xff\xc0\x00\x0b\x08" + side + side + b"\x01\x01\x11\x00",
        b"\xff\xc4\x00\x1f\x00" + bytes((0, 0, 0, 12, *([0] * 12))) + bytes(range(12)),
        b"\xff\xc4\x00\x14\x10" + bytes((1, *([0] * 15))) + b"\x00",
    ]
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" + _scan(subject) + b"\xff\xd9"
    rest = size - sum(map(len, parts)) - len(scan)
    return b"".join(parts) + _application_data(rest, subject) + scan if rest >= 0 else b""


def _scan(subject: str) -> bytes:
    """Return the coded blocks: the difference of brightness to the block before, then the end of the block."""
    bits, before = [], 0
    for tint in _noise(f"{subject} tints", SIDE * SIDE):
        value = tint - 128
        step, before = value - before, value
        length = abs(step).bit_length()
        shown = step if step >= 0 else step + (1 << length) - 1
        bits.append(f"{length:04b}" + (f"{shown:0{length}b}" if length else "") + "0")
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    coded = int(text, 2).to_bytes(len(text) // 8, "big")
    return coded.replace(b"\xff", b"\xff\x00")


def _application_data(rest: int, subject: str) -> bytes:
    """Return segments of application data that fill up a JPEG."""
    data, out = _noise(subject, rest), bytearray()
    while rest >= 4:
        length = min(rest - 4, 65_000)
        out += b"\xff\xe5" + (length + 2).to_bytes(2, "big") + data[len(out) : len(out) + length]
        rest -= 4 + length
    return bytes(out) + b"\xff" * rest  # bytes of this value may stand before any marker


# --- documents


def _pdf(size: int, subject: str) -> bytes:
    """Return a scan: a document with one page that shows a picture."""
    rest = size - len(_document(b"", 0))
    for _ in range(4):
        picture = _jpeg(rest, subject)
        made = _document(picture, 0)
        if not picture or 0 <= size - len(made) < 100:
            return _document(picture, size - len(made)) if picture else b""
        rest += size - len(made)
    return b""


def _document(picture: bytes, blanks: int) -> bytes:
    drawn, side = b"q 595 0 0 842 0 0 cm /Im0 Do Q", 8 * SIDE
    image = b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8" % (
        side,
        side,
    )
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        b"%b /Filter /DCTDecode /Length %d >>\nstream\n%b\nendstream" % (image, len(picture), picture),
        b"<< /XObject << /Im0 5 0 R >> >>",
    ]
    out, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(bodies) + 1)
    return bytes(out) + b" " * blanks + b"startxref\n%d\n%%%%EOF\n" % start


def _zip(size: int, subject: str) -> bytes:
    """Return an archive with one file."""

    def packed(data: bytes) -> bytes:
        whole = BytesIO()
        with zipfile.ZipFile(whole, "w") as archive:
            archive.writestr(zipfile.ZipInfo("export.bin", (2025, 6, 3, 9, 41, 12)), data)
        return whole.getvalue()

    rest = size - len(packed(b""))
    return packed(_noise(subject, rest)) if rest >= 0 else b""


MAKERS = {"image/png": _png, "image/jpeg": _jpeg, "application/pdf": _pdf, "application/zip": _zip}
