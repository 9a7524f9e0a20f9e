"""The keywords of Zendesk's search language: what each one means for tickets, users, organizations and groups."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.account import time_zone
from diorama.apps.zendesk.rules.conditions import T, number, sql_of, tags_sql
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import Condition, TicketField, User
from diorama.kernel import Tx, to_us
from diorama.kernel.functions import weighed
from diorama.kit import query
from diorama.kit.query import (
    FALSE,
    Dates,
    Grammar,
    QueryField,
    Sql,
    Table,
    Test,
    Text,
    Value,
    bad_value,
    both,
    either,
    full_text,
    negate,
    one_of,
)

U, ORG, G = "zendesk_users", "zendesk_organizations", "zendesk_groups"
COMMENTS = "zendesk_comments"
COMPARISONS = {":": "is", "<": "less_than", ">": "greater_than", "<=": "less_than_equal", ">=": "greater_than_equal"}
GRAMMAR = Grammar(
    operators={":": ":", "<": "<", ">": ">", "<=": "<=", ">=": ">=", ":<": "<", ":>": ">", ":<=": "<=", ":>=": ">="},
    signs="-",
)
_UNITS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000}
DATES = Dates(
    {name + plural: timedelta(seconds=length) for name, length in _UNITS.items() for plural in ("", "s")},
    {"today": 0, "yesterday": -1},
    signed=False,
)


class Context(msgspec.Struct, frozen=True):
    """The user who searches, and the time."""

    tx: Tx
    me: User


Keyword = QueryField[Context]
Build = Callable[[Context, Text], Sql]


# --- values


def _none(value: Text) -> bool:
    return value.text.lower() == "none"


def is_number(value: str) -> bool:
    """Return whether a value consists of ASCII digits, as ids do."""
    return value.isascii() and value.isdigit()


def _keyword(build: Build, none: str = "") -> Keyword:
    """Return a keyword that means the same with every operator; `none` is what it means with the value none."""
    return QueryField(lambda context, test: Sql(none) if none and _none(test.word) else build(context, test.word))


def _date(moment: str) -> Keyword:
    def build(context: Context, test: Test) -> Sql:
        if _none(test.word):
            return Sql(f"{moment} IS NULL")
        found = DATES.span(test.word.text, context.tx.now, time_zone(context.tx))
        if found is None:
            raise bad_value(test.word)
        start, end = to_us(found[0]), to_us(found[1])
        if test.operator == ":":
            return Sql(f"{moment} >= ? AND {moment} < ?", (start, max(end, start + 1_000_000)))
        edges = {"<": ("<", start), "<=": ("<", max(end, start + 1)), ">": (">=", end), ">=": (">=", start)}
        sign, edge = edges[test.operator]
        return Sql(f"{moment} {sign} ?", (edge,))

    return QueryField(build)


def _condition(field: str, read: Callable[[str], Any] = str) -> Keyword:
    """Return a keyword that means the same as a condition of views and triggers."""

    def build(context: Context, test: Test) -> Sql:
        value = None if _none(test.word) else read(test.word.text)
        return sql_of(Condition(field, COMPARISONS[test.operator], value), context.me, context.tx.now_us)

    return QueryField(build)


def _number(context: Context, value: Value) -> int:
    found = number(query.text(context, value))
    if found is None:
        raise bad_value(value)
    return found


def _name_or_none(context: Context, value: Value) -> str | None:
    name = query.text(context, value)
    return None if name.lower() == "none" else name


_SAME = dict.fromkeys(COMPARISONS, "=")
"""These keywords mean the same with every operator."""


def _id(expression: str) -> Keyword:
    return query.column(expression, _number, _SAME)


def _exact(expression: str) -> Keyword:
    return query.column(expression, _name_or_none, _SAME, nocase=True)


def _flag(expression: str) -> Keyword:
    return query.column(expression, lambda context, value: int(query.text(context, value).lower() == "true"), _SAME)


def _matching(index: str, value: Text, columns: str = "", of: str = "id") -> Sql:
    """Return the condition that an index has these words, in these columns if any are named."""
    match = full_text(value.text, prefix=not value.quoted, column=columns)
    return FALSE if match is None else Sql(f"{of} IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)", (match,))


def _people(value: Text, me: User) -> Sql:
    """Return the condition for the users that a value means: me, an id, an address or a name."""
    name = value.text.strip()
    if name.lower() == "me":
        return Sql(f"{U}.id = ?", (me.id,))
    if is_number(name):
        return Sql(f"{U}.id = ?", (number(name),))
    if "@" in name and "*" not in name:
        return Sql(f"{U}.email = ?", (name.lower(),))
    return _matching(f"{U}_search", Text(name, value.quoted), "{name email}", of=f"{U}.id")


def _whose(people: Sql) -> str:
    return f"SELECT id FROM {U} WHERE {people.text}"


def _person(expression: str) -> Keyword:
    def build(context: Context, value: Text) -> Sql:
        if value.text.lower() == "me":
            return Sql(f"{expression} = ?", (context.me.id,))
        people = _people(value, context.me)
        return Sql(f"{expression} IN ({_whose(people)})", people.args)

    return _keyword(build, none=f"{expression} IS NULL")


def _named(expression: str, table: str) -> Keyword:
    """Return a keyword whose value is the name or id of a group or organization."""

    def build(context: Context, value: Text) -> Sql:
        if is_number(value.text):
            return Sql(f"{expression} = ?", (number(value.text),))
        return _matching(f"{table}_search", value, "name", of=expression)

    return _keyword(build, none=f"{expression} IS NULL")


def _titled(expression: str, table: str) -> Keyword:
    """Return a keyword whose value is the whole name or the id of a brand or form."""

    def build(context: Context, value: Text) -> Sql:
        if is_number(value.text):
            return Sql(f"{expression} = ?", (number(value.text),))
        return Sql(f"{expression} IN (SELECT id FROM {table} WHERE name = ? COLLATE NOCASE)", (value.text,))

    return _keyword(build, none=f"{expression} IS NULL")


def _text(table: str, name: str) -> Keyword:
    index: Keyword = query.words(f"{table}_search", (name,), _SAME, of=f"{table}.id", prefix=True)
    empty = Sql(f"coalesce({table}.{name}, '') = ''")
    return QueryField(lambda context, test: empty if _none(test.word) else index.sql(context, test))


def _any_text(table: str, said: Callable[[Text], Sql] | None = None) -> Keyword:
    """Return the keyword for bare words: they are looked for in every text of a record, a number also as its id."""

    def build(context: Context, value: Text) -> Sql:
        found = said(value) if said is not None else _matching(f"{table}_search", value, of=f"{table}.id")
        digits = value.text.lstrip("#") if table == T else value.text
        return either([found, Sql(f"{table}.id = ?", (number(digits),))] if is_number(digits) else [found])

    return _keyword(build)


def _tags(table: str) -> Keyword:
    def build(context: Context, value: Text) -> Sql:
        listed = value.text.replace(",", " ").split()
        if any("*" in tag for tag in listed):
            return both(Sql(f"instr({table}.tags, ?) > 0", ('"' + tag.rstrip("*").lower(),)) for tag in listed)
        if table == T:
            return both(tags_sql("includes", tag) for tag in listed)
        return both(Sql(f"instr({table}.tags, ?) > 0", (f'"{tag.lower()}"',)) for tag in listed)

    return _keyword(build, none=f"{table}.tags = '[]'")


# --- tickets


def _said(value: Text) -> Sql:
    """Return SQL for tickets with these words in the subject or a comment; uses the full-text index."""
    match = full_text(value.text, prefix=not value.quoted)
    if match is None:
        return FALSE
    return Sql(
        f"{T}.id IN (SELECT rowid FROM {T}_search WHERE {T}_search MATCH ? UNION "
        f"SELECT ticket_id FROM {COMMENTS} WHERE id IN "
        f"(SELECT rowid FROM {COMMENTS}_search WHERE {COMMENTS}_search MATCH ?))",
        (match, match),
    )


def _commenter(context: Context, value: Text) -> Sql:
    people = _people(value, context.me)
    return Sql(f"{T}.id IN (SELECT ticket_id FROM {COMMENTS} WHERE author_id IN ({_whose(people)}))", people.args)


def _copied(context: Context, value: Text) -> Sql:
    people = _people(value, context.me)
    return Sql(f"EXISTS (SELECT 1 FROM json_each({T}.email_cc_ids) c WHERE c.value IN ({_whose(people)}))", people.args)


def _attached(context: Context, value: Text) -> Sql:
    found = Sql(f"{T}.id IN (SELECT ticket_id FROM {COMMENTS} WHERE attachments <> '[]')")
    return found if value.text.lower() == "true" else negate(found)


_CHANNELS = {"mail": "email", "web_form": "web", "web form": "web", "webform": "web", "phone": "phone_call_inbound"}


def _via(context: Context, value: Text) -> Sql:
    name = value.text.lower()
    return one_of(f"{T}.channel", [_CHANNELS.get(name, name)])


def _satisfaction(context: Context, value: Text) -> Sql:
    name = value.text.lower()
    score = "good" if name.startswith("good") else "bad" if name.startswith("bad") else name
    found = Sql(f"{T}.satisfaction = ?", (score,))
    if name.endswith("withcomment"):
        rated = (
            f"{T}.satisfaction_id IN (SELECT id FROM zendesk_satisfaction_ratings WHERE coalesce(comment, '') <> '')"
        )
        return both([found, Sql(rated)])
    return found


OWN = "custom_field_"
"""How the keywords of custom ticket fields begin."""


def _own_field(name: str) -> Keyword | None:
    """Return the keyword of a custom field, or None if the name does not begin like one."""
    if not name.startswith(OWN):
        return None
    key = name.removeprefix(OWN)

    def build(context: Context, test: Test) -> Sql:
        text, number_ = test.word.text, parse_id(key)
        if _none(test.word) or text == "*":
            operator = "present" if text == "*" else "not_present"
            return sql_of(Condition(f"custom_fields_{key}", operator, None), context.me, context.tx.now_us)
        field = context.tx.find(TicketField, number_) if number_ is not None else None
        if field is not None and field.type == "date":
            return _own_date(context, test, field.id)
        if field is not None and field.type in ("integer", "decimal") and test.operator != ":":
            return _own_number(test, field.id)
        return sql_of(Condition(f"custom_fields_{key}", "is", text), context.me, context.tx.now_us)

    return QueryField(build)


def _own_value(field_id: int) -> str:
    return f"json_extract({weighed(f'{T}.custom_fields')}, '$.\"{field_id}\"')"


def _own_date(context: Context, test: Test, field_id: int) -> Sql:
    """Return SQL for a custom date, which is stored as its ISO text."""
    found = DATES.span(test.word.text, context.tx.now, time_zone(context.tx))
    if found is None:
        raise bad_value(test.word)
    start, end = found[0].date(), max(found[1].date(), found[0].date() + timedelta(days=1))
    value = f"coalesce({_own_value(field_id)}, '')"
    if test.operator == ":":
        return Sql(f"({value} >= ? AND {value} < ?)", (start.isoformat(), end.isoformat()))
    edges = {"<": ("<", start), "<=": ("<", end), ">": (">=", end), ">=": (">=", start)}
    sign, edge = edges[test.operator]
    return Sql(f"({value} <> '' AND {value} {sign} ?)", (edge.isoformat(),))


def _own_number(test: Test, field_id: int) -> Sql:
    """Return SQL for a custom number that is compared."""
    try:
        wanted = float(test.word.text)
    except ValueError:
        raise bad_value(test.word) from None
    value = f"CAST({_own_value(field_id)} AS REAL)"
    return Sql(f"coalesce({value} {test.operator} ?, 0)", (wanted,))


def _any_field(context: Context, value: Text) -> Sql:
    found = f"EXISTS (SELECT 1 FROM json_each({weighed(f'{T}.custom_fields')}) f WHERE f.value = ? COLLATE NOCASE)"
    return Sql(found, (value.text,))


def _description(context: Context, value: Text) -> Sql:
    inner = _matching(f"{COMMENTS}_search", value)
    return Sql(f"{T}.id IN (SELECT ticket_id FROM {COMMENTS} WHERE {inner.text})", inner.args) if inner.args else FALSE


TICKET_WORDS: dict[str, Keyword] = {
    "status": _condition("status", str.lower),
    "custom_status_id": _condition("custom_status_id"),
    "priority": _condition("priority", str.lower),
    "ticket_type": _condition("type", str.lower),
    "group": _named(f"{T}.group_id", G),
    "group_id": _condition("group_id"),
    "form": _titled(f"{T}.ticket_form_id", "zendesk_ticket_forms"),
    "brand": _titled(f"{T}.brand_id", "zendesk_brands"),
    "organization": _named(f"{T}.organization_id", ORG),
    "organization_id": _condition("organization_id"),
    "assignee": _person(f"{T}.assignee_id"),
    "assignee_id": _condition("assignee_id"),
    "requester": _person(f"{T}.requester_id"),
    "requester_id": _condition("requester_id"),
    "submitter": _person(f"{T}.submitter_id"),
    "commenter": _keyword(_commenter),
    "cc": _keyword(_copied),
    "subject": _text(T, "subject"),
    "description": _keyword(_description),
    "comment": _keyword(_description),
    "tags": _tags(T),
    "created": _date(f"{T}.created_at"),
    "created_at": _date(f"{T}.created_at"),
    "updated": _date(f"{T}.updated_at"),
    "updated_at": _date(f"{T}.updated_at"),
    "solved": _date(f"{T}.solved_at"),
    "due_date": _date(f"{T}.due_at"),
    "via": _keyword(_via),
    "satisfaction": _keyword(_satisfaction),
    "external_id": _exact(f"{T}.external_id"),
    "recipient": _exact(f"{T}.recipient"),
    "has_attachment": _keyword(_attached),
    "fieldvalue": _keyword(_any_field),
    "incident": _condition("problem_id", number),
    "ticket_id": _id(f"{T}.id"),
    "id": _id(f"{T}.id"),
}


# --- users, organizations, groups


def _email(context: Context, test: Test) -> Sql:
    address = test.word.text
    if _none(test.word):
        return Sql(f"{U}.email IS NULL")
    if "@" in address and "*" not in address:
        return Sql(f"{U}.email = ?", (address.lower(),))
    return _text(U, "email").sql(context, test)


def _role(context: Context, value: Text) -> Sql:
    return Sql(f"{U}.role = ?", (value.text.lower().replace("_", "-").replace(" ", "-"),))


def _in_group(context: Context, test: Test) -> Sql:
    inner = _named("m.group_id", G).sql(context, test)
    return Sql(f"{U}.id IN (SELECT m.user_id FROM zendesk_group_memberships m WHERE {inner.text})", inner.args)


_USER = _keyword(lambda context, value: _people(value, context.me))
USER_WORDS: dict[str, Keyword] = {
    "name": _text(U, "name"),
    "email": QueryField(_email),
    "phone": _text(U, "phone"),
    "notes": _text(U, "notes"),
    "details": _text(U, "details"),
    "role": _keyword(_role),
    "user": _USER,
    "id": _USER,
    "tags": _tags(U),
    "organization": _named(f"{U}.organization_id", ORG),
    "organization_id": _id(f"{U}.organization_id"),
    "group": QueryField(_in_group),
    "external_id": _exact(f"{U}.external_id"),
    "created": _date(f"{U}.created_at"),
    "created_at": _date(f"{U}.created_at"),
    "updated": _date(f"{U}.updated_at"),
    "is_verified": _flag(f"{U}.verified"),
    "is_suspended": _flag(f"{U}.suspended"),
}
ORGANIZATION_WORDS: dict[str, Keyword] = {
    "name": _text(ORG, "name"),
    "notes": _text(ORG, "notes"),
    "details": _text(ORG, "details"),
    "tags": _tags(ORG),
    "external_id": _exact(f"{ORG}.external_id"),
    "created": _date(f"{ORG}.created_at"),
    "updated": _date(f"{ORG}.updated_at"),
    "organization": _any_text(ORG),
    "id": _id(f"{ORG}.id"),
}
GROUP_WORDS: dict[str, Keyword] = {
    "name": _text(G, "name"),
    "group": _any_text(G),
    "created": _date(f"{G}.created_at"),
    "updated": _date(f"{G}.updated_at"),
}


TABLES: dict[str, Table[Context]] = {
    "ticket": Table(fields=TICKET_WORDS, text=_any_text(T, _said), other=_own_field, lenient=True),
    "user": Table(fields=USER_WORDS, text=_any_text(U), lenient=True),
    "organization": Table(fields=ORGANIZATION_WORDS, text=_any_text(ORG), lenient=True),
    "group": Table(fields=GROUP_WORDS, text=_any_text(G), lenient=True),
}
