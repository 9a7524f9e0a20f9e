"""Chat's search language: compiled to SQL it finds what the naive evaluator finds, and only what one may read."""

from typing import Any

import pytest
from harbour.apps.chat import rules, search
from harbour.apps.chat.schema import Channel, Member, Message
from harbour.worlds.pier import COMPANY, team
from hypothesis import given
from hypothesis import strategies as st

from diorama.kernel import Tx, World, to_us
from diorama.kit.query import QueryError, compile_query, evaluate, parse
from diorama.worlds import open_world

WORDS = ("booking", "shelf", "cabin", "umbrella", "coffee", "fish", "PN-2222", "surcharge", "zebra", "new*", "gate 2")
TERMS = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map(lambda word: f'"{word}"'),
    st.sampled_from(["#operations", "general", "cars", "CAPTAINS", "nowhere"]).map(lambda name: f"in:{name}"),
    st.sampled_from(["@wanda", "lars", "me", "nobody"]).map(lambda name: f"from:{name}"),
    st.sampled_from(["link", "file", "trouble"]).map(lambda trait: f"has:{trait}"),
    st.just("is:thread"),
    st.tuples(st.sampled_from(["before", "after", "on"]), st.integers(20, 31)).map(lambda d: f"{d[0]}:2026-03-{d[1]}"),
    st.sampled_from(["on:today", "after:yesterday", "before:never", "unknown:x", ":", "-", '"', "in:", "*"]),
    st.text(alphabet='ab:-"#@* ', max_size=6),
)
QUERIES = st.lists(st.tuples(st.booleans(), TERMS), max_size=4).map(
    lambda terms: " ".join(("-" if no else "") + term for no, term in terms)
)


@pytest.fixture(scope="module")
def world() -> World:
    """The company, with one more answer in a thread and one shared file."""
    made = open_world(COMPANY)
    made.do(talk, "staff:pier")
    return made


def talk(tx: Tx) -> None:
    """Answer some old messages, and share a file."""
    wanda = tx.all(Member, "name = 'wanda'")[0]
    for message in tx.all(Message, "text LIKE '%booking%'")[:6]:
        rules.post(tx, wanda, message.channel, "I told them about the booking.", message.ts)
    file = rules.announce(tx, wanda, "menu.txt", 4)
    rules.upload(tx, wanda, file.id, b"fish")
    rules.share(tx, wanda, file.id, tx.all(Channel, "name = 'general'")[0].id, "The menu")


def plain(tx: Tx) -> list[dict[str, Any]]:
    """Return every message as a plain record of what a query can ask for."""
    channels = {one.id: one for one in tx.all(Channel)}
    members = {one.id: one for one in tx.all(Member)}
    return [
        {
            "id": one.id,
            "channel": channels[one.channel].name,
            "author": members[one.author].name,
            "text": one.text,
            "at": to_us(one.at),
            "link": "://" in one.text,
            "file": bool(one.file),
            "thread": bool(one.thread_ts),
        }
        for one in tx.all(Message)
    ]


@given(query=QUERIES)
def test_sql_finds_what_the_evaluator_finds(query: str, world: World) -> None:
    def look(tx: Tx) -> tuple[list[int], list[int]]:
        context = search.Context(tx.all(Member, "name = 'noor'")[0], tx.now)
        where = parse(search.GRAMMAR, query).where
        made = compile_query(search.TABLE, context, where)
        rows = tx.rows(f"SELECT m.id {search.FROM} WHERE {made.text} ORDER BY m.id", *made.args)
        slowly = [row["id"] for row in plain(tx) if evaluate(search.TABLE, context, where, row)]
        return [row[0] for row in rows], slowly

    quickly, slowly = world.read(look)
    assert quickly == slowly


def found(world: World, query: str, name: str = "noor") -> list[Message]:
    """Return what a member finds."""
    return list(world.read(lambda tx: search.find(tx, tx.all(Member, "name = ?", name)[0], query, 100, 1)[1]))


def test_the_queries_of_the_tool_find_something(world: World) -> None:
    for query in (
        "booking",
        '"on shelf"',
        "in:#cars booking",
        "from:@lars",
        "has:link",
        "has:file",
        "is:thread",
        "before:2026-04-01 -booking",
    ):
        assert found(world, query), query
    assert len(found(world, "has:link -has:link")) == 0


def test_messages_of_a_private_channel_are_found_by_its_members_only(world: World) -> None:
    assert team.PRIVATE == ("captains",)
    assert found(world, "in:captains", "wanda")
    assert found(world, "in:captains") == []
    private = {one.id for one in found(world, "in:captains", "wanda")}
    assert private.isdisjoint(one.id for one in found(world, "-zebra"))


def test_a_query_that_is_too_long_is_refused(world: World) -> None:
    with pytest.raises(QueryError, match="too complex"):
        parse(search.GRAMMAR, "a " * 6000)
