"""Chat's search language: words, phrases, in:, from:, has:, is:, before:, after:, on:, and a minus for not."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from diorama.kernel import Tx
from diorama.kit.paging import by_ids
from diorama.kit.query import (
    Dates,
    Grammar,
    QueryError,
    QueryField,
    Reader,
    Row,
    Sql,
    Table,
    Test,
    Value,
    bad_value,
    column,
    compile_query,
    parse,
    text,
    words,
)

from harbour.apps.chat.schema import Member, Message, no

GRAMMAR = Grammar(operators={":": ":"}, signs="-", quotes='"')
DATES = Dates(units={}, days={"today": 0, "yesterday": -1}, signed=False)


class Context(msgspec.Struct, frozen=True):
    """Who searches, and when."""

    me: Member
    now: datetime


def channel_name(context: Context, value: Value) -> str:
    """Read `#ops` or `ops`."""
    return text(context, value).removeprefix("#").lower()


def handle(context: Context, value: Value) -> str:
    """Read `@ana`, `ana` or `me`."""
    name = text(context, value).removeprefix("@").lower()
    return context.me.name if name == "me" else name


def _trait(traits: dict[str, tuple[str, str]]) -> QueryField[Context]:
    """Return a field whose values are traits of a message: the SQL, and the key of a plain record."""

    def find(test: Test) -> tuple[str, str]:
        found = traits.get(test.word.text.lower())
        if found is None:
            raise bad_value(test.word)
        return found

    def sql(context: Context, test: Test) -> Sql:
        return Sql(find(test)[0])

    def holds(context: Context, test: Test, row: Row) -> bool:
        return bool(row[find(test)[1]])

    return QueryField(sql, holds, frozenset({":"}))


_day: Reader[Context] = DATES.reader(lambda context: context.now)
TABLE: Table[Context] = Table(
    fields={
        "in": column("c.name", channel_name, {":": "="}, key="channel"),
        "from": column("a.name", handle, {":": "="}, key="author"),
        "before": column("m.at", _day, {":": "<"}),
        "after": column("m.at", _day, {":": ">"}),
        "on": column("m.at", _day, {":": "="}),
        "has": _trait({"link": ("instr(m.text, '://') > 0", "link"), "file": ("m.file <> ''", "file")}),
        "is": _trait({"thread": ("m.thread_ts <> ''", "thread")}),
    },
    text=words("chat_messages_search", ("text",), of="m.id"),
    lenient=True,
)
FROM = "FROM chat_messages m JOIN chat_channels c ON c.id = m.channel JOIN chat_members a ON a.id = m.author"
MINE = "(c.kind = 'public' OR EXISTS (SELECT 1 FROM chat_memberships s WHERE s.channel = c.id AND s.member = ?))"


def find(tx: Tx, me: Member, query: str, size: int, page: int) -> tuple[int, Sequence[Message]]:
    """Return how many messages match that a person may read, and one page of them, the newest first."""
    try:
        found = compile_query(TABLE, Context(me, tx.now), parse(GRAMMAR, query).where)
    except QueryError as error:
        raise no("query_not_understood", detail=str(error)) from error
    where = f"{FROM} WHERE {MINE} AND ({found.text})"
    total = int(tx.rows(f"SELECT count(*) {where}", me.id, *found.args)[0][0])
    rows = tx.rows(
        f"SELECT m.id {where} ORDER BY m.at DESC, m.id DESC LIMIT ? OFFSET ?",
        me.id,
        *found.args,
        size,
        (page - 1) * size,
    )
    return total, by_ids(tx, Message, [row[0] for row in rows])
