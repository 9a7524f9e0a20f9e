"""Short forms of long things: replies, arguments and rows, cut to what a reader needs."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

MATTERS = (
    "error", "errors", "message", "details", "id", "number", "name", "title", "subject", "kind", "type", "status",
    "state", "score", "priority", "amount_cents", "total_cents", "refunded_cents", "amount", "total", "currency",
    "destination", "reason", "email", "assigned_to", "decision_note", "tags", "value", "public",
)  # fmt: skip
"""Keys of a JSON object that a short form shows, in this order."""
PROSE = ("description", "plain_body", "body", "text", "comment", "note")
"""Keys whose values are texts for people; the first that is there is shown."""
ITEMS = 3
"""How many items of a list are shown."""
VALUE = 80
"""How many characters of a value are shown."""
PROSE_LINES = 4
"""How many lines of a text are shown."""
LINES = 6
"""How many lines of a reply that is not JSON are shown."""
LONG = 60
"""An argument longer than this is written out as a text of its own."""


def printable(text: str) -> str:
    """Return a text without control characters, which could change the terminal."""
    if text.isprintable():
        return text
    return "".join(
        one
        if one.isprintable() or one == "\n"
        else " "
        if one == "\t"
        else ""
        if one == "\r"
        else "\N{REPLACEMENT CHARACTER}"
        for one in text
    )


def cut(text: str, most: int = VALUE) -> str:
    """Return the beginning of a text, in one line."""
    line = " ".join(printable(text).split())
    return line if len(line) <= most else f"{line[: most - 3].rstrip()}..."


def value(given: Any, most: int = VALUE) -> str:
    """Return a value in one line: texts without quotes, the rest as JSON."""
    if given is None:
        return "nothing"
    if isinstance(given, str):
        return cut(given, most) if given.strip() else '""'
    if isinstance(given, list) and all(isinstance(item, str | int) for item in given):
        return cut(", ".join(str(item) for item in given), most) or "none"
    return cut(msgspec.json.encode(given).decode(), most)


def reply(text: str, whole: str = "") -> tuple[list[str], str]:
    """Return a reply in a few lines, and the text for people in it ("" if there is none).

    `whole` is the vendor's reply, for a text that was cut and is not JSON any more.
    """
    for source in (text, whole):
        head, brace, rest = source.partition("{")
        if brace and len(head) < LONG and "\n" not in head:
            try:
                lines, prose = of_json(msgspec.json.decode(brace + rest))
            except msgspec.MsgspecError:
                continue
            return [f"{head}{line}" if not at else line for at, line in enumerate(lines)], prose
    lines = [line for line in printable(text).split("\n") if line.strip()]
    more = [f"({len(lines) - LINES} more lines)"] if len(lines) > LINES else []
    return [*(cut(line, 5 * VALUE) for line in lines[:LINES]), *more], ""


def whole(text: str) -> list[str]:
    """Return a reply with nothing left out: JSON with one value on each line, other texts as they are."""
    try:
        return msgspec.json.format(text, indent=2).split("\n") if text.startswith(("{", "[")) else text.split("\n")
    except msgspec.MsgspecError:
        return text.split("\n")


def of_json(document: Any) -> tuple[list[str], str]:
    """Return a JSON document in a few lines: an object by the keys that matter, a list by its first items."""
    if isinstance(document, list):
        return items("items", document), ""
    if not isinstance(document, dict):
        return [value(document)], ""
    told, prose = record(document), prose_of(document)
    lines = [told] if told else []
    lists = {name: item for name, item in document.items() if _objects(item)}
    if "id" in document:
        counts = ", ".join(f"{name} {len(objects)}" for name, objects in lists.items())
        return [*lines, *([f"with {counts}"] if counts else [])], prose
    for name, item in document.items():
        if isinstance(item, dict) and name not in MATTERS:
            inner = record(item)
            lines += [f"{name}: {inner}"] if inner else []
            prose = prose or prose_of(item)
        elif name in lists and name not in MATTERS:
            lines += items(name, item, document.get("count"))
    if not lines:
        empty = ", ".join(f"no {name}" for name, item in document.items() if item == [])
        lines = [empty or cut(msgspec.json.encode(document).decode(), 3 * VALUE)]
    return lines, prose


def _objects(item: Any) -> bool:
    return isinstance(item, list) and bool(item) and isinstance(item[0], dict)


def items(name: str, objects: Sequence[Any], count: Any = None) -> list[str]:
    """Return a list of objects: how many there are, and one line for each of the first."""
    total = count if isinstance(count, int) and count > len(objects) else len(objects)
    more = [f"  and {total - ITEMS} more"] if total > ITEMS else []
    shown = [f"  {_item(one)}" for one in objects[:ITEMS]]
    return [f"{name}: {total}" if objects else f"no {name}", *shown, *more]


def _item(one: Any) -> str:
    if not isinstance(one, dict):
        return value(one)
    prose = prose_of(one)
    return record(one) + (f': "{cut(prose)}"' if prose else "") or cut(msgspec.json.encode(one).decode())


def record(row: Mapping[str, Any], also: Iterable[str] = ()) -> str:
    """Return an object by the keys that matter, in one line; empty values are left out."""
    keys = [name for name in (*MATTERS, *also) if name in row and row[name] not in (None, "", [], {})]
    return ", ".join(f"{name} {value(row[name])}" for name in dict.fromkeys(keys))


def prose_of(row: Mapping[str, Any]) -> str:
    """Return the text for people in an object."""
    return next((row[name] for name in PROSE if isinstance(row.get(name), str) and row[name].strip()), "")


def few_lines(text: str) -> list[str]:
    """Return the first lines of a text that are not empty."""
    lines = [line for line in printable(text).split("\n") if line.strip()]
    more = len(lines) - PROSE_LINES
    return [*lines[:PROSE_LINES], f"({more} more lines)"] if more > 1 else lines


def texts_in(given: Any, name: str = "") -> list[tuple[str, str]]:
    """Return the long texts among arguments, each with its name."""
    if isinstance(given, str):
        return [(name, given)] if len(given) > LONG or "\n" in given else []
    if isinstance(given, dict):
        return [found for key, item in given.items() for found in texts_in(item, f"{name}.{key}" if name else key)]
    if isinstance(given, list):
        return [found for item in given for found in texts_in(item, name)]
    return []


def without_texts(given: Any) -> Any:
    """Return arguments with three dots in place of the long texts."""
    if isinstance(given, str):
        return "..." if texts_in(given) else given
    if isinstance(given, dict):
        return {key: without_texts(item) for key, item in given.items()}
    return [without_texts(item) for item in given] if isinstance(given, list) else given


def main_columns(row: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Return the columns of a stored row that matter: names, states, amounts, other records, and its text."""
    held = {name: item for name, item in row.items() if item not in (None, "", 0, "[]", "{}") and name != "id"}
    text = next((name for name in PROSE if name in held), "")
    first = [name for name in MATTERS if name in held]
    others = [name for name in held if name.endswith(("_cents", "_id")) and name not in first]
    return {name: held[name] for name in [*[*first, *others][:most], *([text] if text else [])]}


def cell(name: str, held: Any, most: int = VALUE) -> str:
    """Return a stored value: times as times, everything else as it is."""
    if name.endswith("_at") and isinstance(held, int) and held > 10**14:
        return f"{datetime.fromtimestamp(held / 1e6, UTC):%a %d %b %Y %H:%M:%S}"
    return value(held, most)
