"""Filters that replace those of python-liquid: on the world's clock, of bounded cost, or closer to the vendor's."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from liquid.filter import num_arg, with_context
from liquid.undefined import is_undefined

from diorama.apps.zendesk.rules.liquid import text_of
from diorama.kit.text import strip_tags

_FORMATS = ("%B %d, %Y", "%b %d, %Y, %H:%M", "%B %d, %Y, %H:%M")
"""Dates as the vendor's placeholders print them."""
_DIRECTIVE = re.compile(r"%([-^]?)([aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%])")
READING_STEPS = 40
DIRECTIVE_STEPS = 3
"""What it costs to parse a date, and to print each part of it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment_of(value: Any) -> datetime | None:
    """Return the moment that a value names: itself, seconds since 1970, or a text. None if it names none."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _EPOCH + timedelta(seconds=value)
    text = text_of(value).strip()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        pass
    else:
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    for pattern in _FORMATS:
        try:
            return datetime.strptime(text, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


@with_context
def date(value: Any, pattern: Any = "%B %d, %Y", *, context: Any) -> Any:
    """Format a moment. "now" and "today" are the world's; what is not a moment is returned unchanged."""
    wanted = text_of(pattern)
    context.spend(READING_STEPS + DIRECTIVE_STEPS * wanted.count("%"))
    moment = context.lookup("now") if value in ("now", "today") else moment_of(value)
    if moment is None or not wanted:
        return value

    def part(found: re.Match[str]) -> str:
        flag, letter = found[1], found[2]
        shown = str(int(moment.timestamp())) if letter == "s" else moment.strftime(f"%{letter}")
        return shown.lstrip("0 ") or "0" if flag == "-" else shown.upper() if flag else shown

    return _DIRECTIVE.sub(part, wanted)


@with_context
def join(items: Any, separator: Any = " ", *, context: Any) -> str:
    """Join the items of a list."""
    texts = [text_of(item) for item in _listed(items)]
    glue = text_of(separator)
    context.check_length(sum(map(len, texts)) + len(glue) * len(texts))
    return glue.join(texts)


@with_context
def replace(text: str, old: str, new: str = "", *, context: Any) -> str:
    """Replace a string everywhere."""
    context.check_length(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


def round_half_up(value: Any, digits: Any = 0) -> int | float:
    """Round a number; a half goes up."""
    number, places = num_arg(value, 0), min(15, max(0, int(num_arg(digits, 0))))
    if isinstance(number, int):
        return number
    rounded = math.floor(number * 10**places + 0.5) / 10**places
    return rounded if places else int(rounded)


@with_context
def strip_html(text: str, *, context: Any) -> str:
    """Remove tags, comments, scripts and styles."""
    context.spend(len(text) >> 2)
    return strip_tags(text)


def truncate(text: str, length: Any = 50, end: str = "...") -> str:
    """Cut a text that is longer than a number of characters, the ending included."""
    room = int(num_arg(length))
    return text if len(text) <= room else text[: max(0, room - len(end))] + end


def truncate_words(text: str, count: Any = 15, end: str = "...") -> str:
    """Keep the first words of a text."""
    words, most = text.split(), max(1, int(num_arg(count)))
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + end


def unique(items: Any, name: Any = None) -> list[Any]:
    """Drop items that are equal to an earlier one, or have the same property."""
    kept: dict[tuple[type, str], Any] = {}
    for item in _listed(items):
        value = item.get(text_of(name)) if isinstance(item, dict) and name is not None else item
        kept.setdefault((type(value), text_of(value)), item)
    return list(kept.values())


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list | tuple | range):
        return list(value)
    return [] if value is None or is_undefined(value) else [value]


FILTERS: dict[str, Callable[..., Any]] = {
    "date": date,
    "join": join,
    "replace": replace,
    "round": round_half_up,
    "strip_html": strip_html,
    "truncate": truncate,
    "truncatewords": truncate_words,
    "uniq": unique,
}
TEXT_FILTERS = frozenset(
    {
        "append", "base64_decode", "base64_encode", "base64_url_safe_decode", "base64_url_safe_encode", "capitalize",
        "downcase", "escape", "escape_once", "h", "lstrip", "newline_to_br", "prepend", "remove", "remove_first",
        "remove_last", "replace", "replace_first", "replace_last", "rstrip", "split", "squish", "strip", "strip_html",
        "strip_newlines", "truncate", "truncatewords", "upcase", "url_decode", "url_encode",
    }
)  # fmt: skip
"""Filters that work on the text of any value."""
