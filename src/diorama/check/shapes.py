"""What the records of a variant look like for any customer: whether two plans can be told apart by them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from diorama.episodes.episode import Episode
from diorama.kernel import to_us

DAY_US = 86_400_000_000
MOMENTS_US = 10**15
"""Larger numbers are moments in microseconds."""
TEXTS = ("body", "title", "notes")
PAGES = ("zendesk_articles", "zendesk_translations")
FOLLOWS = tuple(f"backoffice_{name}" for name in ("ledger", "order_lines", "postings", "scans"))
"""Tables whose rows follow from others."""
_CODE = re.compile(r"[a-z][a-z_]*")
_NUMBERS = re.compile(r"[A-Za-z]*[-_]?\d[\w.,:-]*")


class Shape(msgspec.Struct, frozen=True):
    """The rows that staging wrote: how many say the same, and the numbers and ages of each kind, sorted."""

    rows: Counter[str]
    numbers: dict[str, list[float]]


def shape_of(episode: Episode) -> Shape:
    """Return the rows that staging wrote about the customer and about the company's pages, goods and shelves."""
    customer, now = episode.truth.customer_id, to_us(episode.world.now)
    rows: dict[tuple[str, Any], dict[str, Any]] = {}
    for event in episode.events:
        for change in event.changes:
            rows.setdefault((change.table, change.key), {}).update(change.after or {})
    number = getattr(episode.truth, "order_number", "")
    about = {key for (_, key), row in rows.items() if number and row.get("number") == number}
    counts: Counter[str] = Counter()
    numbers: dict[str, list[float]] = {}
    for (table, key), row in rows.items():
        shop = table.startswith("backoffice_") and row.get("customer_id", customer) == customer
        if table in FOLLOWS or not (shop or table in PAGES):
            continue
        mine = "of the matter" if key in about or row.get("order_id") in about else "besides"
        kind = f"{table} {mine}: {sorted((name, said) for name, value in row.items() if (said := _said(name, value)))}"
        counts[kind] += 1
        for name, value in _numbers(row, now):
            numbers.setdefault(f"{kind}.{name}", []).append(value)
    return Shape(counts, {key: sorted(found) for key, found in numbers.items()})


def _said(name: str, value: Any) -> str:
    """Return what a value says about the case: a code as it is, a text without its numbers, else whether it is set."""
    if isinstance(value, str) and name in TEXTS:
        return _NUMBERS.sub("#", value)
    if isinstance(value, str) and _CODE.fullmatch(value):
        return value
    moment = isinstance(value, int) and value > MOMENTS_US
    return "set" if moment or (isinstance(value, str) and value not in ("", "[]", "{}")) else ""


def _numbers(row: Mapping[str, Any], now: int) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a row; of moments, how many days ago they were and how far they are apart."""
    found = {name: value for name, value in row.items() if isinstance(value, int) and name != "updated_at"}
    moments = {name: value for name, value in found.items() if value > MOMENTS_US}
    yield from ((name, float(value)) for name, value in found.items() if name not in moments)
    yield from ((name, (now - value) / DAY_US) for name, value in moments.items())
    for (one, first), (other, second) in combinations(moments.items(), 2):
        yield f"{one}-{other}", (first - second) / DAY_US


def rows_alike(some: Sequence[Shape], others: Sequence[Shape]) -> bool:
    """Check whether variants of two plans have rows that say the same, whatever their numbers are."""
    return any(one.rows == other.rows for one in some for other in others)


def look_alike(some: Sequence[Shape], others: Sequence[Shape]) -> bool:
    """Check whether variants of two plans have rows that say the same, with numbers whose ranges overlap."""
    for one in some:
        mine = [other for other in some if other.rows == one.rows]
        theirs = [other for other in others if other.rows == one.rows]
        if theirs and all(_overlap(key, mine, theirs) for key in one.numbers):
            return True
    return False


def _overlap(key: str, some: Sequence[Shape], others: Sequence[Shape]) -> bool:
    """Check whether the smallest numbers of a kind overlap, the second ones, and so on."""
    for place in range(len(some[0].numbers[key])):
        left, right = ([one.numbers[key][place] for one in group] for group in (some, others))
        if min(left) > max(right) or min(right) > max(left):
            return False
    return True


__all__ = ["Shape", "look_alike", "rows_alike", "shape_of"]
