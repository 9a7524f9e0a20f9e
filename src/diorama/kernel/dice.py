"""Keyed dice: a draw depends on the seed, the purpose and the entity, never on earlier draws by others."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar, overload

import msgspec

T = TypeVar("T")
Part = str | int | float | bytes | bool | None

_pack = msgspec.msgpack.Encoder().encode
_TWO_53 = 2.0**-53
FOUR = struct.Struct(">4Q")
SIXTEEN = struct.Struct(">16H")
HEX = "0123456789abcdef"


class Dice:
    """A stream of random draws that is a pure function of its key."""

    __slots__ = ("_count", "_words", "key")

    def __init__(self, key: bytes | str | int) -> None:
        self.key = key if isinstance(key, bytes) else sha256(_pack(key)).digest()
        self._count = 0
        self._words: list[int] = []

    def child(self, purpose: str, *entity: Part) -> Dice:
        """Return dice for one purpose and entity, independent of every other child."""
        return dice_for(self.key, purpose, *entity)

    def word(self) -> int:
        """Return 64 new random bits."""
        if self._words:
            return self._words.pop()
        words: tuple[int, ...] = FOUR.unpack(self._digest())
        self._words = [words[3], words[2], words[1]]
        return words[0]

    def _digest(self) -> bytes:
        """Return the bits of the next four words."""
        digest = sha256(self.key + self._count.to_bytes(8, "big")).digest()
        self._count += 1
        return digest

    def uniform(self) -> float:
        """Return a float in [0, 1)."""
        return (self.word() >> 11) * _TWO_53

    def integer(self, low: int, high: int) -> int:
        """Return an integer from low to high, both included."""
        return low + (self.word() * (high - low + 1) >> 64)

    def between(self, low: float, high: float) -> float:
        """Return a float in [low, high)."""
        return low + (high - low) * self.uniform()

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self.uniform() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, all equally likely."""
        return items[self.word() * len(items) >> 64]

    @overload
    def weighted(self, items: Mapping[T, float]) -> T: ...
    @overload
    def weighted(self, items: Sequence[T], weights: Sequence[float]) -> T: ...
    def weighted(self, items: Mapping[T, float] | Sequence[T], weights: Sequence[float] = ()) -> T:
        """Return one of the items, in proportion to its weight."""
        pairs = list(items.items()) if isinstance(items, Mapping) else list(zip(items, weights, strict=True))
        left = self.uniform() * math.fsum(weight for _, weight in pairs)
        for item, weight in pairs:
            left -= weight
            if left < 0:
                return item
        return pairs[-1][0]

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """Return the items in random order."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.word() * (i + 1) >> 64
            out[i], out[j] = out[j], out[i]
        return out

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different items, in random order."""
        return self.shuffle(items)[:count]

    def gauss(self, mean: float, spread: float) -> float:
        """Return a normally distributed float."""
        radius = math.sqrt(-2.0 * math.log(1.0 - self.uniform()))
        return mean + spread * radius * math.cos(2.0 * math.pi * self.uniform())

    def lognormal(self, median: float, sigma: float) -> float:
        """Return a positive, long-tailed float around a median."""
        return median * math.exp(self.gauss(0.0, sigma))

    def zipf(self, count: int, slope: float = 1.0) -> int:
        """Return a rank from 0 to count-1; rank r has weight 1 / (r + 1) ** slope."""
        return self.weighted(range(count), [(rank + 1) ** -slope for rank in range(count)])

    def text(self, length: int, alphabet: str) -> str:
        """Return a random string over an alphabet."""
        size = len(alphabet)
        out: list[str] = []
        while (left := length - len(out)) > 0:
            if left > 12 and not self._words:  # what four words would give, in one step
                out += [alphabet[draw * size >> 16] for draw in SIXTEEN.unpack(self._digest())]
                continue
            word = self.word()  # four 16-bit draws per word, for speed: seeding mints hundreds of thousands of ids
            out += [alphabet[(word >> shift & 0xFFFF) * size >> 16] for shift in (48, 32, 16, 0)]
        return "".join(out[:length])

    def hex(self, length: int) -> str:
        """Return random lower-case hexadecimal digits."""
        return self.text(length, HEX)


def dice_for(key: bytes, purpose: str, *entity: Part) -> Dice:
    """Return dice for one purpose and entity under a key."""
    return Dice(sha256(key + _pack((purpose, *entity))).digest())
