"""Zendesk's search: what a query looks for among tickets, users, organizations and groups, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules.conditions import number
from diorama.apps.zendesk.rules.search_fields import COMMENTS, GRAMMAR, ORG, OWN, TABLES, Context, G, U, is_number
from diorama.apps.zendesk.rules.views import LIVE, SORTS
from diorama.apps.zendesk.schema import Group, Organization, Ticket, User
from diorama.kernel import Record, Tx, table_of
from diorama.kit.paging import by_ids
from diorama.kit.query import (
    TRUE,
    Node,
    Not,
    QueryError,
    QueryLimits,
    Sql,
    Test,
    Text,
    alternatives,
    both,
    compile_query,
    full_text,
    leaves,
    parse,
    parts_of,
)

LARGEST = QueryLimits(length=4_000, terms=64)
"""How long a query may be; the vendor documents no limit."""
LIMIT = 1000
"""The maximum number of results of a search."""
RANKING_PASSES = 3
"""How often a full-text index is read for a word: to find it, to rank it, and to know how frequent it is."""


class Kind(msgspec.Struct, frozen=True):
    """A type of record that can be searched."""

    name: str
    record: type[Record]
    there: Sql
    orders: Mapping[str, str]


def _orders(table: str) -> dict[str, str]:
    return {"created_at": f"{table}.created_at", "updated_at": f"{table}.updated_at", "name": f"lower({table}.name)"}


SEARCHABLE: dict[str, Kind] = {
    "ticket": Kind("ticket", Ticket, LIVE, SORTS),
    "user": Kind("user", User, Sql(f"{U}.active = 1"), _orders(U)),
    "organization": Kind("organization", Organization, TRUE, _orders(ORG)),
    "group": Kind("group", Group, Sql(f"{G}.deleted = 0"), _orders(G)),
}
_STEERING = ("type", "order_by", "sort")
_EVERY_WORD = frozenset((*_STEERING, *(word for table in TABLES.values() for word in table.fields)))


@lru_cache(maxsize=1024)
def read(query: str, known: Callable[[str], bool] | None = None) -> Node | None:
    """Parse a query; nothing in it is an error, but raise 422 if it is too long."""
    try:
        return parse(GRAMMAR, query, known=known, limits=LARGEST).where
    except QueryError as error:
        raise refusals.search_too_complex(error.subject) from error


def _known(field: str) -> bool:
    return field in _EVERY_WORD or field.startswith(OWN)


# --- results


SUBJECT_WEIGHT = 3.0
"""How much more a word in the subject counts than in a comment; the vendor does not publish its weights."""
_EXACT = -1e9


def _relevance(kind: Kind, terms: Sequence[Text]) -> Sql | None:
    """Return SQL that scores each record against the plain words of a query; None without plain words."""
    matches = [match for term in terms if (match := full_text(term.text, prefix=not term.quoted)) is not None]
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
            said = f"{COMMENTS}_search"
            parts.append(
                f"SELECT c.ticket_id, bm25({said}) FROM {said} CROSS JOIN {COMMENTS} c ON c.id = {said}.rowid "
                f"WHERE {said} MATCH ?"
            )
            args.append(match)
    numbers = [number(digits) for term in terms if is_number(digits := term.text.lstrip("#"))]
    if numbers:
        parts.append(f"SELECT column1, {_EXACT} FROM (VALUES {', '.join(['(?)'] * len(numbers))})")
        args.extend(numbers)
    if not parts:
        return None
    inner = " UNION ALL ".join(parts) + " LIMIT -1"  # LIMIT keeps bm25() in a query where SQLite can compute it
    return Sql(f"SELECT id, min(score) AS score FROM ({inner}) GROUP BY id", tuple(args))


class Part(msgspec.Struct, frozen=True):
    """A query for one type of record: all conditions, and those that the ranking does not already imply."""

    kind: Kind
    found: Sql
    besides: Sql
    relevance: Sql | None


class Search(msgspec.Struct, frozen=True):
    """A parsed query: the types of records, their conditions, and the order."""

    parts: tuple[Part, ...]
    order_by: str
    descending: bool
    terms: int
    """The number of words and keywords."""

    def count(self, tx: Tx) -> int:
        """Count the results of all types."""
        tx.spend_searches(self.terms)
        return sum(tx.count(part.kind.record, part.found.text, *part.found.args) for part in self.parts)

    def fetch(self, tx: Tx, limit: int, offset: int) -> tuple[list[tuple[str, Any]], int]:
        """Return one page of results as (type, record), grouped by type, and the total count."""
        tx.spend_searches(self.terms * RANKING_PASSES)
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
        """Return SQL for the ids of all results in order; by relevance unless another order was requested."""
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
    """Parse a query; nothing in it is ever an error, an unknown keyword is read as words."""
    context, parts = Context(tx, me), parts_of(read(query, _known))
    rest: list[Node] = []
    wanted: list[str] = []
    for part in parts:
        term = part.part if isinstance(part, Not) else part
        if not isinstance(term, Test) or term.field not in _STEERING:
            rest.append(part)
        elif term.field == "order_by":
            order_by = order_by or term.word.text
        elif term.field == "sort":
            order = order or term.word.text
        elif term is part and (name := term.word.text.lower().rstrip("s")) not in wanted:
            wanted.append(name)
    rest = list(dict.fromkeys(rest))
    listed = [SEARCHABLE[name] for name in (kinds or wanted or tuple(SEARCHABLE)) if name in SEARCHABLE]
    found = [one for kind in listed if (one := _part(kind, context, rest)) is not None]
    order_by = {"created": "created_at", "updated": "updated_at"}.get(order_by, order_by)
    terms = sum(1 for part in rest for _ in leaves(part))
    return Search(tuple(found), order_by, order.lower() != "asc", terms)


def _part(kind: Kind, context: Context, parts: Sequence[Node]) -> Part | None:
    """Return what is looked for among one kind, or None where a keyword means nothing for it."""
    if not TABLES[kind.name].knows(leaf for part in parts for leaf in leaves(part)):
        return None
    always = [kind.there, permissions.visible_to(context.tx, context.me) if kind.name == "ticket" else TRUE]
    terms = [part for part in parts if isinstance(part, Text)]
    relevance = _relevance(kind, terms)
    implied = terms[0] if relevance is not None and len(terms) == 1 else None  # a ranking by one word implies that word
    found: list[Sql] = []
    besides: list[Sql] = []
    for part in alternatives(parts, lambda test: test.operator == ":"):  # several values of a keyword
        condition = compile_query(TABLES[kind.name], context, part)
        found.append(condition)
        if part is not implied:
            besides.append(condition)
    return Part(kind, both([*found, *always]), both([*besides, *always]), relevance)


def named_types(query: str) -> set[str]:
    """Return the types that a query itself names."""
    found = (leaf for leaf in leaves(read(query)) if isinstance(leaf, Test) and leaf.field == "type")
    return {leaf.word.text.lower().rstrip("s") for leaf in found}
