"""Limits on what is read from compressed or encoded data that someone else may have written."""

from __future__ import annotations

import re
import zlib

STRING = re.compile(rb'"[^"\\]*+(?:\\(?s:.)[^"\\]*+)*+(?:"|\\?\Z)')
"""A JSON string, or the rest of the text if it is not closed: each byte is looked at once."""

PIECE = 1 << 20


class TooLarge(ValueError):
    """Data that is larger than the reader allows."""


def inflate(data: bytes, most: int) -> bytes:
    """Return what zlib compressed; raise TooLarge above `most` bytes, and zlib.error if it is not one whole stream."""
    stream = zlib.decompressobj()
    made, rest = bytearray(), data
    while rest and not stream.eof:
        made += stream.decompress(rest, PIECE)
        rest = stream.unconsumed_tail
        if len(made) > most:
            raise TooLarge(f"more than {most} bytes when decompressed")
    made += stream.flush()
    if not stream.eof or stream.unused_data:
        raise zlib.error("the compressed data does not end where its stream ends")
    return bytes(made)


def has_more_values(text: bytes, most: int) -> bool:
    """Tell whether a JSON text holds more than `most` values; a decoded value takes up to 60 times its text."""
    if _marks(text, 0, len(text)) <= most:
        return False
    if text.count(b'"') - text.count(b'\\"') > 2 * most:  # each string has two quotes that are not escaped
        return True
    seen = end = 0
    for string in STRING.finditer(text):  # commas inside of strings separate nothing
        seen += 1 + _marks(text, end, string.start())
        end = string.end()
        if seen > most:
            return True
    return seen + _marks(text, end, len(text)) > most


def _marks(text: bytes, start: int, end: int) -> int:
    return sum(text.count(mark, start, end) for mark in (b",", b"[", b"{"))
