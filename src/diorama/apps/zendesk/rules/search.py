"""Zendesk's search language over tickets, users, organizations and groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules.conditions import T, number, sql_of, tags_sql
from diorama.apps.zendesk.rules.sql import FALSE, TRUE, Sql, both, either, negate, one_of
from diorama.apps.zendesk.rules.views import LIVE, SORTS
from diorama.apps.zendesk.schema import Condition, Group, Organization, Ticket, User
from diorama.kernel import Record, Tx, table_of, to_us
from diorama.kit.paging import by_ids
from diorama.kit.query import Term, full_text, parse, plain

U, ORG, G = "zendesk_users", "zendesk_organizations", "zendesk_groups"
COMPARISONS = {":": "is", "<": "less_than", ">": "greater_than", "<=": "less_than_equal", ">=": "greater_than_equal"}
LIMIT = 1000
"""No search shows more results than this."""

_RELATIVE = re.compile(r"([0-9]{1,6})\s*(minute|hour|day|week|month|year)s?$")
FARTHEST = timedelta(days=365 * 100)
_UNITS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000}


class Context(msgspec.Struct, frozen=True):
    """Who searches, and when."""

    tx: Tx
    me: User


Keyword = Callable[[Context, Term], Sql]


# --- values


def _moment(text: str, now: datetime) -> tuple[datetime, timedelta] | None:
    """The moment a text names, and how long it lasts."""
    relative = _RELATIVE.match(text.lower())
    if relative:
        back = timedelta(seconds=int(relative[1]) * _UNITS[relative[2]])
        return (now - back, timedelta(0)) if back < FARTHEST else None
    midnight = datetime.combine(now.date(), time(), UTC)
    if text.lower() in ("today", "yesterday"):
        return midnight - timedelta(days=text.lower() == "yesterday"), timedelta(days=1)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    if not 1900 < aware.year < 2900:
        return None
    return aware, timedelta(days=1) if len(text) <= 10 else timedelta(0)


def _date(column: str) -> Keyword:
    def build(context: Context, term: Term) -> Sql:
        if term.value.lower() == "none":
            return Sql(f"{column} IS NULL")
        found = _moment(term.value, context.tx.now)
        if found is None:
            return FALSE
        start, end = to_us(found[0]), to_us(found[0] + found[1])
        if term.operator == ":":
            return Sql(f"{column} >= ? AND {column} < ?", (start, max(end, start + 1_000_000)))
        edges = {"<": ("<", start), "<=": ("<", max(end, start + 1)), ">": (">=", max(end, start)), ">=": (">=", start)}
        sign, edge = edges[term.operator]
        return Sql(f"{column} {sign} ?", (edge,))

    return build


def _condition(field: str, read: Callable[[str], Any] = str) -> Keyword:
    """A keyword that means the same as a condition of views and triggers."""

    def build(context: Context, term: Term) -> Sql:
        value = None if term.value.lower() == "none" else read(term.value)
        return sql_of(Condition(field, COMPARISONS[term.operator], value), context.me, context.tx.now_us)

    return build


def _people(term: Term, me: User) -> Sql:
    """The users that a keyword's value means: me, an id, an address or a name."""
    value = term.value.strip()
    if value.lower() == "me":
        return Sql("id = ?", (me.id,))
    if value.isascii() and value.isdigit():
        return Sql("id = ?", (number(value),))
    if "@" in value and "*" not in value:
        return Sql(f"{U}.email = ?", (value.lower(),))
    match = full_text(value, prefix=not term.quoted, column="{name email}")
    return FALSE if match is None else Sql(f"id IN (SELECT rowid FROM {U}_search WHERE {U}_search MATCH ?)", (match,))


def _person(column: str) -> Keyword:
    def build(context: Context, term: Term) -> Sql:
        if term.value.lower() == "none":
            return Sql(f"{column} IS NULL")
        if term.value.lower() == "me":
            return Sql(f"{column} = ?", (context.me.id,))
        people = _people(term, context.me)
        return Sql(f"{column} IN (SELECT id FROM {U} WHERE {people.text})", people.args)

    return build


def _named(column: str, table: str) -> Keyword:
    """A keyword whose value is the name or id of a group or organization."""

    def build(context: Context, term: Term) -> Sql:
        if term.value.lower() == "none":
            return Sql(f"{column} IS NULL")
        if term.value.isascii() and term.value.isdigit():
            return Sql(f"{column} = ?", (number(term.value),))
        match = full_text(term.value, prefix=not term.quoted, column="name")
        if match is None:
            return FALSE
        return Sql(f"{column} IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH ?)", (match,))

    return build


def _text(table: str, column: str) -> Keyword:
    def build(context: Context, term: Term) -> Sql:
        if term.value.lower() == "none":
            return Sql(f"coalesce({table}.{column}, '') = ''")
        match = full_text(term.value, prefix=not term.quoted, column=column)
        if match is None:
            return FALSE
        return Sql(f"{table}.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH ?)", (match,))

    return build


def _exact(column: str) -> Keyword:
    return lambda context, term: (
        Sql(f"{column} IS NULL") if term.value.lower() == "none" else Sql(f"{column} = ? COLLATE NOCASE", (term.value,))
    )


def _flag(column: str) -> Keyword:
    return lambda context, term: Sql(f"{column} = ?", (int(term.value.lower() == "true"),))


def _tags(table: str) -> Keyword:
    def build(context: Context, term: Term) -> Sql:
        if term.value.lower() == "none":
            return Sql(f"{table}.tags = '[]'")
        listed = term.value.replace(",", " ").split()
        if any("*" in tag for tag in listed):
            return both(Sql(f"instr({table}.tags, ?) > 0", ('"' + tag.rstrip("*").lower(),)) for tag in listed)
        if table == T:
            return both(tags_sql("includes", tag) for tag in listed)
        return both(Sql(f"instr({table}.tags, ?) > 0", (f'"{tag.lower()}"',)) for tag in listed)

    return build


# --- tickets

_COMMENTS = "zendesk_comments"


def _said(match: str) -> Sql:
    """Tickets with these words in the subject or in a comment: the full-text index is asked first."""
    return Sql(
        f"{T}.id IN (SELECT rowid FROM {T}_search WHERE {T}_search MATCH ? UNION "
        f"SELECT ticket_id FROM {_COMMENTS} WHERE id IN "
        f"(SELECT rowid FROM {_COMMENTS}_search WHERE {_COMMENTS}_search MATCH ?))",
        (match, match),
    )


def _ticket_text(context: Context, term: Term) -> Sql:
    match = full_text(term.value, prefix=not term.quoted)
    found = [_said(match)] if match is not None else []
    digits = term.value.lstrip("#")
    if digits.isascii() and digits.isdigit():
        found.append(Sql(f"{T}.id = ?", (number(digits),)))
    return either(found)


def _commenter(context: Context, term: Term) -> Sql:
    people = _people(term, context.me)
    inner = f"SELECT id FROM {U} WHERE {people.text}"
    return Sql(f"{T}.id IN (SELECT ticket_id FROM {_COMMENTS} WHERE author_id IN ({inner}))", people.args)


def _copied(context: Context, term: Term) -> Sql:
    people = _people(term, context.me)
    inner = f"SELECT id FROM {U} WHERE {people.text}"
    return Sql(f"EXISTS (SELECT 1 FROM json_each({T}.email_cc_ids) c WHERE c.value IN ({inner}))", people.args)


def _attached(context: Context, term: Term) -> Sql:
    found = Sql(f"{T}.id IN (SELECT ticket_id FROM {_COMMENTS} WHERE attachments <> '[]')")
    return found if term.value.lower() == "true" else negate(found)


_CHANNELS = {"mail": "email", "web_form": "web", "web form": "web", "webform": "web", "phone": "phone_call_inbound"}


def _via(context: Context, term: Term) -> Sql:
    name = term.value.lower()
    return one_of(f"{T}.channel", [_CHANNELS.get(name, name)])


def _satisfaction(context: Context, term: Term) -> Sql:
    value = term.value.lower()
    score = "good" if value.startswith("good") else "bad" if value.startswith("bad") else value
    found = Sql(f"{T}.satisfaction = ?", (score,))
    if value.endswith("withcomment"):
        rated = (
            f"{T}.satisfaction_id IN (SELECT id FROM zendesk_satisfaction_ratings WHERE coalesce(comment, '') <> '')"
        )
        return both([found, Sql(rated)])
    return found


def _own_field(name: str) -> Keyword:
    return lambda context, term: sql_of(
        Condition(f"custom_fields_{name}", "is", term.value), context.me, context.tx.now_us
    )


def _any_field(context: Context, term: Term) -> Sql:
    return Sql(f"EXISTS (SELECT 1 FROM json_each({T}.custom_fields) f WHERE f.value = ? COLLATE NOCASE)", (term.value,))


def _description(context: Context, term: Term) -> Sql:
    match = full_text(term.value, prefix=not term.quoted)
    if match is None:
        return FALSE
    inner = f"SELECT rowid FROM {_COMMENTS}_search WHERE {_COMMENTS}_search MATCH ?"
    return Sql(f"{T}.id IN (SELECT ticket_id FROM {_COMMENTS} WHERE id IN ({inner}))", (match,))


TICKET_WORDS: dict[str, Keyword] = {
    "status": _condition("status", str.lower),
    "priority": _condition("priority", str.lower),
    "ticket_type": _condition("type", str.lower),
    "group": _named(f"{T}.group_id", G),
    "group_id": _condition("group_id"),
    "organization": _named(f"{T}.organization_id", ORG),
    "organization_id": _condition("organization_id"),
    "assignee": _person(f"{T}.assignee_id"),
    "assignee_id": _condition("assignee_id"),
    "requester": _person(f"{T}.requester_id"),
    "requester_id": _condition("requester_id"),
    "submitter": _person(f"{T}.submitter_id"),
    "commenter": _commenter,
    "cc": _copied,
    "subject": _text(T, "subject"),
    "description": _description,
    "comment": _description,
    "tags": _tags(T),
    "created": _date(f"{T}.created_at"),
    "created_at": _date(f"{T}.created_at"),
    "updated": _date(f"{T}.updated_at"),
    "updated_at": _date(f"{T}.updated_at"),
    "solved": _date(f"{T}.solved_at"),
    "due_date": _date(f"{T}.due_at"),
    "via": _via,
    "satisfaction": _satisfaction,
    "external_id": _exact(f"{T}.external_id"),
    "recipient": _exact(f"{T}.recipient"),
    "has_attachment": _attached,
    "fieldvalue": _any_field,
    "incident": _condition("problem_id", number),
    "ticket_id": lambda context, term: Sql(f"{T}.id = ?", (number(term.value),)),
    "id": lambda context, term: Sql(f"{T}.id = ?", (number(term.value),)),
}


# --- users, organizations, groups


def _any_text(table: str) -> Keyword:
    def build(context: Context, term: Term) -> Sql:
        match = full_text(term.value, prefix=not term.quoted)
        parts = []
        if match is not None:
            parts.append(
                Sql(f"{table}.id IN (SELECT rowid FROM {table}_search WHERE {table}_search MATCH ?)", (match,))
            )
        if term.value.isascii() and term.value.isdigit():
            parts.append(Sql(f"{table}.id = ?", (number(term.value),)))
        return either(parts)

    return build


def _user_self(context: Context, term: Term) -> Sql:
    return _people(term, context.me)


def _role(context: Context, term: Term) -> Sql:
    value = term.value.lower().replace("_", "-").replace(" ", "-")
    return Sql(f"{U}.role = ?", (value,))


USER_WORDS: dict[str, Keyword] = {
    "name": _text(U, "name"),
    "email": lambda context, term: (
        Sql(f"{U}.email IS NULL")
        if term.value.lower() == "none"
        else Sql(f"{U}.email = ?", (term.value.lower(),))
        if "@" in term.value and "*" not in term.value
        else _text(U, "email")(context, term)
    ),
    "phone": _text(U, "phone"),
    "notes": _text(U, "notes"),
    "details": _text(U, "details"),
    "role": _role,
    "user": _user_self,
    "id": _user_self,
    "tags": _tags(U),
    "organization": _named(f"{U}.organization_id", ORG),
    "organization_id": lambda context, term: Sql(f"{U}.organization_id = ?", (number(term.value),)),
    "group": lambda context, term: _in_group(context, term),
    "external_id": _exact(f"{U}.external_id"),
    "created": _date(f"{U}.created_at"),
    "created_at": _date(f"{U}.created_at"),
    "updated": _date(f"{U}.updated_at"),
    "is_verified": _flag(f"{U}.verified"),
    "is_suspended": _flag(f"{U}.suspended"),
}


def _in_group(context: Context, term: Term) -> Sql:
    inner = _named("m.group_id", G)(context, term)
    return Sql(f"{U}.id IN (SELECT m.user_id FROM zendesk_group_memberships m WHERE {inner.text})", inner.args)


ORGANIZATION_WORDS: dict[str, Keyword] = {
    "name": _text(ORG, "name"),
    "notes": _text(ORG, "notes"),
    "details": _text(ORG, "details"),
    "tags": _tags(ORG),
    "external_id": _exact(f"{ORG}.external_id"),
    "created": _date(f"{ORG}.created_at"),
    "updated": _date(f"{ORG}.updated_at"),
    "organization": _any_text(ORG),
    "id": lambda context, term: Sql(f"{ORG}.id = ?", (number(term.value),)),
}
GROUP_WORDS: dict[str, Keyword] = {
    "name": _text(G, "name"),
    "group": _any_text(G),
    "created": _date(f"{G}.created_at"),
    "updated": _date(f"{G}.updated_at"),
}


class Kind(msgspec.Struct, frozen=True):
    """Something that can be searched for."""

    name: str
    record: type[Record]
    words: dict[str, Keyword]
    text: Keyword
    there: Sql
    orders: dict[str, str]


KINDS: dict[str, Kind] = {
    "ticket": Kind("ticket", Ticket, TICKET_WORDS, _ticket_text, LIVE, SORTS),
    "user": Kind(
        "user", User, USER_WORDS, _any_text(U), Sql(f"{U}.active = 1"),
        {"created_at": f"{U}.created_at", "updated_at": f"{U}.updated_at", "name": f"lower({U}.name)"},
    ),
    "organization": Kind(
        "organization", Organization, ORGANIZATION_WORDS, _any_text(ORG), Sql("1"),
        {"created_at": f"{ORG}.created_at", "updated_at": f"{ORG}.updated_at", "name": f"lower({ORG}.name)"},
    ),
    "group": Kind(
        "group", Group, GROUP_WORDS, _any_text(G), Sql(f"{G}.deleted = 0"),
        {"created_at": f"{G}.created_at", "updated_at": f"{G}.updated_at", "name": f"lower({G}.name)"},
    ),
}  # fmt: skip
_STEERING = ("type", "order_by", "sort")
_EVERY_WORD = frozenset(word for kind in KINDS.values() for word in kind.words)


SUBJECT_WEIGHT = 3.0
"""So much more a word in the subject counts than one in a comment; the vendor does not tell its own weights."""
_EXACT = -1e9


def _relevance(kind: Kind, terms: Sequence[Term]) -> Sql | None:
    """How well each record fits the plain words of a query, best first; None where there are none to rank by."""
    matches = [match for term in terms if (match := full_text(term.value, prefix=not term.quoted)) is not None]
    table = table_of(kind.record).name
    parts: list[str] = []
    args: list[Any] = []
    if matches:
        match = " OR ".join(f"({one})" for one in matches)
        weight = f"{SUBJECT_WEIGHT} * " if kind.name == "ticket" else ""
        found = f"{table}_search"
        parts.append(f"SELECT rowid AS id, {weight}bm25({found}) AS score FROM {found} WHERE {found} MATCH ?")
        args.append(match)
        if kind.name == "ticket":
            said = f"{_COMMENTS}_search"
            parts.append(
                f"SELECT c.ticket_id, bm25({said}) FROM {said} CROSS JOIN {_COMMENTS} c ON c.id = {said}.rowid "
                f"WHERE {said} MATCH ?"
            )
            args.append(match)
    for term in terms:
        digits = term.value.lstrip("#")
        if digits.isascii() and digits.isdigit():
            parts.append(f"SELECT ?, {_EXACT}")
            args.append(number(digits))
    if not parts:
        return None
    inner = " UNION ALL ".join(parts) + " LIMIT -1"  # the limit keeps bm25 where it can be worked out
    return Sql(f"SELECT id, min(score) AS score FROM ({inner}) GROUP BY id", tuple(args))


class Part(msgspec.Struct, frozen=True):
    """What is looked for among the records of one kind: all conditions, and those besides what the ranking implies."""

    kind: Kind
    found: Sql
    besides: Sql
    relevance: Sql | None


class Search(msgspec.Struct, frozen=True):
    """A query, understood: what to look for among what, and in which order."""

    parts: tuple[Part, ...]
    order_by: str
    descending: bool

    def count(self, tx: Tx) -> int:
        """How many there are, of all kinds."""
        return sum(tx.count(part.kind.record, part.found.text, *part.found.args) for part in self.parts)

    def fetch(self, tx: Tx, limit: int, offset: int) -> tuple[list[tuple[str, Any]], int]:
        """One page of results as (kind, record), one kind after the other; and how many there are in all."""
        out: list[tuple[str, Any]] = []
        count = 0
        for part in self.parts:
            asked = self._asked(part)
            ids = [row[0] for row in tx.rows(asked.text, *asked.args)]
            count += len(ids)
            shown = ids[offset : offset + limit]
            out.extend((part.kind.name, record) for record in by_ids(tx, part.kind.record, shown))
            offset, limit = max(0, offset - len(ids)), limit - len(shown)
        return out, count

    def _asked(self, part: Part) -> Sql:
        """The numbers of all results in order, as SQL: by relevance where nobody asked for another order."""
        kind, direction = part.kind, "DESC" if self.descending else "ASC"
        table, column = table_of(kind.record).name, kind.orders.get(self.order_by)
        if column is None and part.relevance is not None:
            best = "ASC" if self.descending else "DESC"
            text = (
                f"SELECT {table}.id FROM ({part.relevance.text}) hits CROSS JOIN {table} ON {table}.id = hits.id "
                f"WHERE {part.besides.text} ORDER BY hits.score {best}, {table}.updated_at DESC, {table}.id DESC"
            )
            return Sql(text, (*part.relevance.args, *part.besides.args))
        column = column or f"{table}.updated_at"
        order = f"{column} {direction}, {table}.id {direction}"
        return Sql(f"SELECT {table}.id FROM {table} WHERE {part.found.text} ORDER BY {order}", part.found.args)


def understand(tx: Tx, me: User, query: str, kinds: Sequence[str] = (), order_by: str = "", order: str = "") -> Search:
    """Read a query; nothing in it is ever an error, an unknown keyword is read as words."""
    context, terms = Context(tx, me), parse(query)
    wanted = [term.value.lower().rstrip("s") for term in terms if term.field == "type" and not term.negated]
    for term in terms:
        if term.field == "order_by":
            order_by = order_by or term.value
        elif term.field == "sort":
            order = order or term.value
    listed = [KINDS[name] for name in (kinds or wanted or tuple(KINDS)) if name in KINDS]
    rest = [_known(term) for term in terms if term.field not in _STEERING]
    parts = [part for kind in listed if (part := _part(kind, context, rest)) is not None]
    return Search(
        tuple(parts), {"created": "created_at", "updated": "updated_at"}.get(order_by, order_by), order.lower() != "asc"
    )


def _part(kind: Kind, context: Context, terms: Sequence[Term]) -> Part | None:
    found = _compiled(kind, context, terms)
    if found is None:
        return None
    seen = permissions.visible_to(context.tx, context.me) if kind.name == "ticket" else TRUE
    always = [kind.there] if seen is TRUE else [kind.there, seen]
    words = [term for term in terms if not term.field and not term.negated]
    relevance = _relevance(kind, words)
    besides = found
    if relevance is not None and len(words) == 1:  # what is ranked by one word has it
        besides = _compiled(kind, context, [term for term in terms if term is not words[0]]) or []
    return Part(kind, both([*found, *always]), both([*besides, *always]), relevance)


def names_type(query: str) -> bool:
    """Whether a query says by itself what kind of thing it wants."""
    return any(term.field == "type" for term in parse(query))


def _known(term: Term) -> Term:
    if not term.field or term.field in _EVERY_WORD or term.field.startswith("custom_field_"):
        return term
    return plain(term)


def _compiled(kind: Kind, context: Context, terms: Sequence[Term]) -> list[Sql] | None:
    """The conditions of one kind, None where a keyword means nothing for it; values of a keyword are alternatives."""
    parts: list[Sql] = []
    alternatives: dict[str, list[Sql]] = {}
    for term in terms:
        if term.field.startswith("custom_field_") and kind.name == "ticket":
            keyword: Keyword | None = _own_field(term.field.removeprefix("custom_field_"))
        else:
            keyword = kind.words.get(term.field) if term.field else kind.text
        if keyword is None:
            return None
        found = keyword(context, term)
        if term.negated:
            parts.append(negate(found))
        elif term.field and term.operator == ":":
            alternatives.setdefault(term.field, []).append(found)
        else:
            parts.append(found)
    return [*parts, *(either(group) for group in alternatives.values())]
