"""Ready-made fields: columns, text, lists and full-text indexes, each in SQL and for plain records."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from diorama.kernel.functions import weighed
from diorama.kit.query.evaluate import every, opposite, some
from diorama.kit.query.full_text import full_text, phrase_in
from diorama.kit.query.sql import FALSE, Sql, both, either, negate
from diorama.kit.query.table import QueryField, Row
from diorama.kit.query.tree import FunctionCall, Test
from diorama.kit.query.values import Reader, Span, bad_value, text

C = TypeVar("C")

EQUALS = {"": "=", ":": "=", "=": "=", "in": "=", "is": "=", "!=": "!=", "not in": "!=", "is not": "!="}
"""Operators of vendors, and what they mean: equality of columns, or that a text or list contains the value."""
COMPARES = {**EQUALS, "<": "<", "<=": "<=", ">": ">", ">=": ">="}
MATCHES = {"": "=", ":": "=", "~": "=", "!~": "!="}


def column(
    expression: str,
    read: Reader[C] = text,
    operators: Mapping[str, str] = COMPARES,
    *,
    key: str = "",
    nocase: bool = False,
    null_differs: bool = False,
) -> QueryField[C]:
    """Return the field of one column, compared as a whole.

    `key` is its name in plain records (default: the last part of the expression); `nocase` ignores the case of ASCII
    letters; with `null_differs`, `!=` also finds NULL.
    """
    key = key or expression.rpartition(".")[2]
    compared = f"{expression} COLLATE NOCASE" if nocase else expression

    def sql(context: C, test: Test) -> Sql:
        meaning, values = operators[test.operator], _values(context, test, read)
        if meaning not in ("=", "!="):
            return either(_beyond_sql(compared, meaning, value) for value in values)
        same = _same_sql(expression, compared, values)
        if meaning == "=":
            return same
        return negate(same) if null_differs else Sql(f"NOT ({same.text})", same.args)

    def holds(context: C, test: Test, row: Row) -> bool | None:
        meaning, values = operators[test.operator], _values(context, test, read)
        found = ascii_lower(row[key]) if nocase else row[key]
        values = [ascii_lower(value) for value in values] if nocase else values
        if meaning not in ("=", "!="):
            return some(_beyond(found, meaning, value) for value in values)
        same = some(_same(found, value) for value in values)
        if meaning == "=":
            return same
        return not same if null_differs else opposite(same)

    return QueryField(sql, holds, frozenset(operators), compared, key)


def _values(context: C, test: Test, read: Reader[C]) -> list[Any]:
    out: list[Any] = []
    for value in test.values:
        found = read(context, value)
        out.extend(found if isinstance(found, list) else [found])
    return out


def _same_sql(expression: str, compared: str, values: Sequence[Any]) -> Sql:
    plain = [value for value in values if value is not None and not isinstance(value, Span)]
    parts = []
    if len(plain) == 1:
        parts.append(Sql(f"{compared} = ?", (plain[0],)))
    elif plain:
        parts.append(Sql(f"{compared} IN ({', '.join('?' * len(plain))})", tuple(plain)))
    if None in values:
        parts.append(Sql(f"{expression} IS NULL"))
    parts.extend(_within_sql(expression, value) for value in values if isinstance(value, Span))
    return either(parts)


def _within_sql(expression: str, span: Span) -> Sql:
    parts = []
    if span.start is not None:
        parts.append(Sql(f"{expression} >= ?", (span.start,)))
    if span.end is not None:
        parts.append(Sql(f"{expression} < ?", (span.end,)))
    return both(parts) if parts else Sql(f"{expression} IS NOT NULL")


def _same(found: Any, value: Any) -> bool | None:
    if value is None:
        return found is None
    if not isinstance(value, Span):
        return None if found is None else bool(found == value)
    if value.start is None and value.end is None:
        return found is not None
    if found is None:
        return None
    return every((value.start is None or found >= value.start, value.end is None or found < value.end))


def _edge(meaning: str, value: Any) -> tuple[str, Any]:
    """Return a comparison with a span as one with its edge."""
    if not isinstance(value, Span):
        return meaning, value
    return {"<": ("<", value.start), "<=": ("<", value.end), ">": (">=", value.end), ">=": (">=", value.start)}[meaning]


def _beyond_sql(compared: str, meaning: str, value: Any) -> Sql:
    sign, edge = _edge(meaning, value)
    return Sql(f"{compared} {sign} ?", (edge,))


def _beyond(found: Any, meaning: str, value: Any) -> bool | None:
    sign, edge = _edge(meaning, value)
    if found is None or edge is None:
        return None
    answers = {"<": found < edge, "<=": found <= edge, ">": found > edge, ">=": found >= edge}
    return bool(answers[sign])


def ascii_lower(value: Any) -> Any:
    """Return text with its ASCII letters in lower case, as SQLite's lower() and NOCASE do; other values unchanged."""
    return re.sub("[A-Z]+", lambda found: found[0].lower(), value) if isinstance(value, str) else value


def contains(
    expression: str, read: Reader[C] = text, operators: Mapping[str, str] = MATCHES, *, key: str = ""
) -> QueryField[C]:
    """Return the field of a text that is searched for a part, in any case of ASCII letters."""
    key = key or expression.rpartition(".")[2]

    def sql(context: C, test: Test) -> Sql:
        parts = [ascii_lower(value) for value in _values(context, test, read)]
        found = either(Sql(f"instr(lower({weighed(expression)}), ?) > 0", (part,)) for part in parts)
        return found if operators[test.operator] == "=" else Sql(f"NOT ({found.text})", found.args)

    def holds(context: C, test: Test, row: Row) -> bool | None:
        parts = [ascii_lower(value) for value in _values(context, test, read)]
        whole = ascii_lower(row[key])
        found = some(None if whole is None else part in whole for part in parts)
        return found if operators[test.operator] == "=" else opposite(found)

    return QueryField(sql, holds, frozenset(operators), expression, key)


def like(expression: str, operators: Mapping[str, str], *, key: str = "") -> QueryField[C]:
    """Return the field of a text that is compared with a pattern, `%` for any text and `_` for any character."""
    key = key or expression.rpartition(".")[2]

    def sql(context: C, test: Test) -> Sql:
        found = either(Sql(f"{weighed(expression)} LIKE ?", (value,)) for value in _values(context, test, text))
        return found if operators[test.operator] == "=" else Sql(f"NOT ({found.text})", found.args)

    def holds(context: C, test: Test, row: Row) -> bool | None:
        whole = ascii_lower(row[key])
        patterns = [_like(ascii_lower(value)) for value in _values(context, test, text)]
        found = some(None if whole is None else bool(re.fullmatch(part, whole, re.DOTALL)) for part in patterns)
        return found if operators[test.operator] == "=" else opposite(found)

    return QueryField(sql, holds, frozenset(operators), expression, key)


def _like(pattern: str) -> str:
    """Return a LIKE pattern as a regular expression without backtracking between its parts."""
    first, *rest = (re.escape(part).replace("_", ".") for part in pattern.split("%"))
    if not rest:
        return first
    return first + "".join(f"(?>.*?{part})" for part in rest[:-1]) + f".*{rest[-1]}"


def members(
    expression: str, read: Reader[C] = text, operators: Mapping[str, str] = EQUALS, *, key: str = ""
) -> QueryField[C]:
    """Return the field of a JSON list that contains the value, or is empty if the value means NULL."""
    key = key or expression.rpartition(".")[2]

    def sql(context: C, test: Test) -> Sql:
        values = _values(context, test, read)
        listed = [value for value in values if value is not None]
        marks = ", ".join("?" * len(listed))
        inside = f"EXISTS (SELECT 1 FROM json_each({weighed(expression)}) WHERE value IN ({marks}))"
        empty = [Sql(f"coalesce({expression}, '[]') = '[]'")] if None in values else []
        found = either([*([Sql(inside, tuple(listed))] if listed else []), *empty])
        return found if operators[test.operator] == "=" else negate(found)

    def holds(context: C, test: Test, row: Row) -> bool | None:
        whole, values = row[key] or (), _values(context, test, read)
        found = any(not whole if value is None else value in whole for value in values)
        return found if operators[test.operator] == "=" else not found

    return QueryField(sql, holds, frozenset(operators))


def words(
    index: str,
    columns: Sequence[str] = (),
    operators: Mapping[str, str] = MATCHES,
    *,
    of: str = "id",
    keys: Sequence[str] = (),
    prefix: bool = False,
) -> QueryField[C]:
    """Return the field of a full-text index: words in these columns, or in all of them if none is named.

    `of` is the column that the index's rowid refers to; with `prefix`, unquoted words find longer ones too. `keys` are
    the texts of a plain record (default: the columns).
    """
    keys = keys or columns
    named = "" if not columns else columns[0] if len(columns) == 1 else "{" + " ".join(columns) + "}"

    def sql(context: C, test: Test) -> Sql:
        parts = []
        for value in test.values:
            if isinstance(value, FunctionCall):
                raise bad_value(value)
            match = full_text(value.text, prefix=prefix and not value.quoted, column=named)
            parts.append(
                FALSE if match is None else Sql(f"{of} IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)", (match,))
            )
        return either(parts) if operators[test.operator] == "=" else negate(either(parts))

    def holds(context: C, test: Test, row: Row) -> bool | None:
        found = False
        for value in test.values:
            if isinstance(value, FunctionCall):
                raise bad_value(value)
            start = prefix and not value.quoted
            found = found or any(phrase_in(value.text, row[key] or "", prefix=start) for key in keys)
        return found if operators[test.operator] == "=" else not found

    return QueryField(sql, holds, frozenset(operators))


def combined(first: QueryField[C], *others: QueryField[C]) -> QueryField[C]:
    """Return a field that asks the first of these fields that takes the operator; it is sorted by the first one."""
    fields = (first, *others)

    def of(test: Test) -> QueryField[C]:
        return next(field for field in fields if field.operators is None or test.operator in field.operators)

    def holds(context: C, test: Test, row: Row) -> bool | None:
        answer = of(test).holds
        if answer is None:
            raise TypeError(f"the field {test.field!r} has no evaluator")
        return answer(context, test, row)

    taken = [field.operators for field in fields if field.operators is not None]
    operators = frozenset().union(*taken) if len(taken) == len(fields) else None
    return QueryField(lambda context, test: of(test).sql(context, test), holds, operators, first.column, first.key)
