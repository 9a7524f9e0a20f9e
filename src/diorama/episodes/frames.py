"""Frames of the pipe to an agent's process: how large one may be, and how many values it may hold."""

from __future__ import annotations

import struct

MESSAGE_AT_MOST = 8 << 20
"""Bytes of one message. The largest body that an app reads fits, and so do the largest arguments."""
VALUES_AT_MOST = 25_000
"""Values in one message: each takes memory when it is decoded, however short it is."""

length = struct.Struct(">I")

_LENGTHS = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
"""Headers of msgpack that are followed by a length of N bytes, and then by that many bytes of data."""
_FIXED = {
    0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8, 0xD4: 2, 0xD5: 3,
    0xD6: 5, 0xD7: 9, 0xD8: 17, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4,
}  # fmt: skip
"""Headers that are followed by a fixed number of bytes; the items of arrays and maps come after them, as values."""


def _sizes() -> list[int]:
    """Return for each first byte how many bytes follow it, or minus the bytes of a length that says so."""
    sizes = [0] * 256
    for first, size in _FIXED.items():
        sizes[first] = size
    for first, size in _LENGTHS.items():
        sizes[first] = -size
    for first in range(0xA0, 0xC0):  # short strings
        sizes[first] = first - 0xA0
    return sizes


_SIZES = _sizes()


def has_more_values(frame: bytes, most: int = VALUES_AT_MOST) -> bool:
    """Tell whether a msgpack message holds more than `most` values, without decoding it."""
    at, end, seen = 0, len(frame), 0
    while at < end:
        first, size = frame[at], _SIZES[frame[at]]
        at += 1
        if size < 0:
            size = int.from_bytes(frame[at : at - size], "big") - size + (0xC7 <= first <= 0xC9)
        at += size
        seen += 1
        if seen > most:
            return True
    return False
