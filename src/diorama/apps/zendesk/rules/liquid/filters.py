"""What Liquid can make of a value: everyday filters on words, numbers, lists and dates."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote_plus

_FORMATS = ("%B %d, %Y", "%b %d, %Y, %H:%M", "%Y-%m-%d", "%B %d, %Y, %H:%M")
_TAGS = re.compile(r"<script.*?</script>|<style.*?</style>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE)


def text_of(value: Any) -> str:
    """A value as it is said."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "".join(text_of(one) for one in value)
    if isinstance(value, datetime):
        return value.strftime("%B %d, %Y")
    return str(value)


def number_of(value: Any) -> int | float:
    """A value as a number; words that are none count as nothing."""
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, int | float):
        return value
    found = re.match(r"\s*-?\d{1,15}(\.\d{1,15})?", text_of(value))
    if found is None:
        return 0
    return float(found[0]) if found[1] else int(found[0])


def _bounded(number: float) -> int | float:
    """A number of an ordinary size: loops cannot make it grow without end."""
    return number if abs(number) < 1e15 else float(max(-1e300, min(number, 1e300)))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def moment_of(value: Any) -> datetime | None:
    """A value as a moment: one already, seconds since 1970, or words that name one."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    text = text_of(value).strip()
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for pattern in _FORMATS:
        try:
            return datetime.strptime(text, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def _date(value: Any, pattern: Any = "%B %d, %Y") -> Any:
    moment = moment_of(value)
    if moment is None:
        return value
    wanted = text_of(pattern).replace("%-", "%#").replace("%^", "%")
    out = re.sub(r"%#([a-zA-Z])", lambda found: moment.strftime(f"%{found[1]}").lstrip("0") or "0", wanted)
    return moment.strftime(out.replace("%s", str(int(moment.timestamp())))) if out else value


def _truncate(value: Any, length: Any = 50, end: Any = "...") -> str:
    text, room, tail = text_of(value), int(number_of(length)), text_of(end)
    return text if len(text) <= room else text[: max(0, room - len(tail))] + tail


def _truncatewords(value: Any, count: Any = 15, end: Any = "...") -> str:
    words, most = text_of(value).split(), max(1, int(number_of(count)))
    return " ".join(words) if len(words) <= most else " ".join(words[:most]) + text_of(end)


def _slice(value: Any, start: Any, length: Any = 1) -> Any:
    first, many = int(number_of(start)), max(0, int(number_of(length)))
    whole = list(value) if isinstance(value, list | tuple) else text_of(value)
    first = first + len(whole) if first < 0 else first
    return whole[first : first + many] if first >= 0 else whole[:0]


def _divided(value: Any, by: Any) -> Any:
    left, right = number_of(value), number_of(by)
    if not right:
        return "Liquid error: divided by 0"
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


def _round(value: Any, digits: Any = 0) -> Any:
    places = min(15, max(0, int(number_of(digits))))
    number = float(number_of(value))
    rounded = math.floor(number * 10**places + 0.5) / 10**places
    return rounded if places else int(rounded)


def _default(value: Any, other: Any = "") -> Any:
    return other if value in (None, "", False) or value == [] else value


def _map(value: Any, name: Any) -> list[Any]:
    return [one.get(name) if isinstance(one, Mapping) else None for one in _listed(value)]


def _where(value: Any, name: Any, wanted: Any = True) -> list[Any]:
    return [one for one in _listed(value) if isinstance(one, Mapping) and one.get(name) == wanted]


def _sort(value: Any, name: Any = None) -> list[Any]:
    return sorted(_listed(value), key=lambda one: text_of(one.get(name) if isinstance(one, Mapping) else one))


def _uniq(value: Any) -> list[Any]:
    out: list[Any] = []
    for one in _listed(value):
        if one not in out:
            out.append(one)
    return out


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple) else 0


def _replace(value: Any, old: Any, new: Any = "", count: int = -1) -> str:
    return text_of(value).replace(text_of(old), text_of(new), count)


def _split(value: Any, by: Any = " ") -> list[str]:
    text, mark = text_of(value), text_of(by)
    return list(text) if not mark else text.split() if mark == " " else text.split(mark)


def _capitalize(value: Any) -> str:
    text = text_of(value)
    return text[:1].upper() + text[1:].lower()


FILTERS: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(number_of(value)),
    "append": lambda value, more="": text_of(value) + text_of(more),
    "capitalize": _capitalize,
    "ceil": lambda value: math.ceil(number_of(value)),
    "date": _date,
    "default": _default,
    "divided_by": _divided,
    "downcase": lambda value: text_of(value).lower(),
    "escape": lambda value: html.escape(text_of(value)),
    "first": lambda value: (_listed(value) or [None])[0],
    "floor": lambda value: math.floor(number_of(value)),
    "h": lambda value: html.escape(text_of(value)),
    "join": lambda value, by=" ": text_of(by).join(text_of(one) for one in _listed(value)),
    "last": lambda value: (_listed(value) or [None])[-1],
    "lstrip": lambda value: text_of(value).lstrip(),
    "map": _map,
    "minus": lambda value, other=0: _bounded(number_of(value) - number_of(other)),
    "modulo": lambda value, other: number_of(value) % number_of(other),
    "newline_to_br": lambda value: text_of(value).replace("\n", "<br />\n"),
    "plus": lambda value, other=0: _bounded(number_of(value) + number_of(other)),
    "prepend": lambda value, more="": text_of(more) + text_of(value),
    "remove": lambda value, old: _replace(value, old),
    "remove_first": lambda value, old: _replace(value, old, "", 1),
    "replace": _replace,
    "replace_first": lambda value, old, new="": _replace(value, old, new, 1),
    "reverse": lambda value: _listed(value)[::-1],
    "round": _round,
    "rstrip": lambda value: text_of(value).rstrip(),
    "size": _size,
    "slice": _slice,
    "sort": _sort,
    "split": _split,
    "strip": lambda value: text_of(value).strip(),
    "strip_html": lambda value: _TAGS.sub("", text_of(value)),
    "strip_newlines": lambda value: text_of(value).replace("\n", "").replace("\r", ""),
    "times": lambda value, other=1: _bounded(number_of(value) * number_of(other)),
    "truncate": _truncate,
    "truncatewords": _truncatewords,
    "uniq": _uniq,
    "upcase": lambda value: text_of(value).upper(),
    "url_encode": lambda value: quote_plus(text_of(value)),
    "where": _where,
}
