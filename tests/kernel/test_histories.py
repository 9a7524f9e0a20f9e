"""Random histories: after any actions, a world on overlay pages equals a plain SQLite database."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import Snapshot, World, lane
from tests.kernel.plain import Attempt, Plain, Sql, Step, act
from tests.kernel.workshop import TABLES, open_shop

WORDS = ("espresso", "leak", "gasket", "grinder", "café", "boiler")
numbers = st.integers(1, 40)
texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join) | st.text(max_size=8)
prices = st.floats(allow_nan=False) | st.integers(-3, 3).map(float)
codes = st.none() | st.integers(1, 6).map("C{}".format)
keys = st.integers(1, 12).map("k{:02d}".format)


def sql(text: str, *args: st.SearchStrategy[Any], broken: bool = False) -> st.SearchStrategy[Sql]:
    """Return a strategy of statements with drawn arguments."""
    return st.tuples(*args).map(lambda drawn: Sql(text, drawn, broken))


SERIES = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
statements = st.one_of(
    sql("INSERT OR IGNORE INTO workshop_parts (id, name, stock) VALUES (?, ?, ?)", numbers, texts, numbers),
    sql("INSERT OR REPLACE INTO workshop_parts (id, name, price, code) VALUES (?, ?, ?, ?)",
        numbers, texts, prices, codes),
    sql("INSERT INTO workshop_parts (id, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET stock = stock + 1",
        numbers, texts),
    sql("UPDATE workshop_parts SET name = ?, remark = ? WHERE id = ?", texts, st.none() | texts, numbers),
    sql("UPDATE workshop_parts SET price = ? WHERE id <= ?", prices, numbers),
    sql("UPDATE workshop_parts SET stock = stock WHERE id < ?", numbers),
    sql("UPDATE OR IGNORE workshop_parts SET id = ? WHERE id = ?", numbers, numbers),
    sql("UPDATE OR IGNORE workshop_parts SET code = ?", codes),
    sql("DELETE FROM workshop_parts WHERE id = ?", numbers),
    sql("DELETE FROM workshop_parts WHERE id > ?", numbers),
    sql("DELETE FROM workshop_parts"),
    sql("INSERT OR REPLACE INTO workshop_labels VALUES (?, ?, ?)", keys, texts, st.none() | prices),
    sql("UPDATE OR IGNORE workshop_labels SET id = ? WHERE id = ?", keys, keys),
    sql("DELETE FROM workshop_labels WHERE id = ?", keys),
    sql("INSERT OR IGNORE INTO workshop_pages VALUES (?, ?)", keys, texts),
    sql("UPDATE workshop_pages SET body = ? || body WHERE id >= ?", texts, keys),
    sql("DELETE FROM workshop_pages WHERE id < ?", keys),
    sql("INSERT INTO workshop_entries (cents) VALUES (?)", numbers),
)  # fmt: skip
mass = st.one_of(
    sql(SERIES + " INSERT OR IGNORE INTO workshop_parts (id, name, stock) SELECT 50 + i, 'part ' || i, i % 7 FROM n",
        st.integers(1000, 4000)),
    sql(SERIES + " INSERT INTO workshop_entries (cents) SELECT i FROM n", st.integers(1000, 4000)),
    sql("UPDATE workshop_parts SET name = name || ' leak', price = id WHERE id % ? = 0", st.integers(1, 3)),
    sql("DELETE FROM workshop_parts WHERE id % ? = 0", st.integers(2, 3)),
)  # fmt: skip
broken = st.one_of(
    sql("INSERT INTO workshop_parts (id, name) VALUES (900, 'a'), (901, 'b'), (900, 'c')", broken=True),
    sql("UPDATE workshop_parts SET id = ?", numbers, broken=True),
    sql("INSERT INTO workshop_parts (name, code) VALUES ('x', 'TWIN'), ('y', 'TWIN')", broken=True),
    sql("DELETE FROM workshop_entries", broken=True),
    sql("UPDATE workshop_entries SET cents = cents + 1", broken=True),
    sql("INSERT INTO workshop_labels VALUES ('zz', 'one', 1), ('zz', 'two', 2)", broken=True),
)
steps: st.SearchStrategy[Step] = st.recursive(
    statements | broken,
    lambda inner: st.builds(Attempt, st.lists(inner, max_size=4).map(tuple), st.booleans()),
    max_leaves=6,
)
transactions = st.tuples(
    st.lists(steps, max_size=6) | st.tuples(mass, steps).map(list), st.sampled_from([False, False, False, True])
)  # fmt: skip

which = st.integers(0, 9)
moves = st.one_of(
    st.tuples(st.just("act"), which, transactions),
    st.tuples(st.just("act"), which, transactions),
    st.tuples(st.just("act"), which, transactions),
    st.tuples(st.sampled_from(["fork", "snapshot", "vacuum", "travel"]), which, st.none()),
    st.tuples(st.just("restore"), which, which),
)


class Pair:
    """A world and the plain database that it has to equal."""

    def __init__(self, world: World, plain: Plain) -> None:
        self.world = world
        self.plain = plain

    def same(self) -> None:
        """Check every row, digest and search result, and the integrity of the file."""
        bound = self.world._lane()
        for table in TABLES:
            assert bound.control(f"SELECT * FROM {table} ORDER BY id") == self.plain.rows(table)
        for table in ("workshop_parts", "workshop_pages"):
            bound.control(f"INSERT INTO {table}_search ({table}_search, rank) VALUES ('integrity-check', 1)")
            for word in WORDS:
                sql = f"SELECT rowid FROM {table}_search WHERE {table}_search MATCH ? ORDER BY rowid"
                assert bound.control(sql, (word,)) == self.plain.found(table, word)
        assert bound.control("PRAGMA integrity_check") == [("ok",)]
        assert self.world.state == self.plain.weighed()


def move(pairs: list[Pair], kept: list[tuple[Snapshot, bytes]], kind: str, at: int, what: Any) -> None:
    """Do one thing to one world and to its plain copy."""
    pair = pairs[at % len(pairs)]
    if kind == "act":
        steps, refused = what
        assert act(pair.world, steps, refused) == pair.plain.act(steps, refused)
        assert pair.world.state == pair.plain.weighed()
    elif kind == "fork":
        pairs.append(Pair(pair.world.fork(), pair.plain.fork()))
    elif kind == "snapshot":
        kept.append((pair.world.snapshot(), pair.plain.bytes()))
    elif kind == "restore" and kept:
        snapshot, image = kept[what % len(kept)]
        pair.world.restore(snapshot)
        pair.plain = Plain(image)
    elif kind == "travel":
        snapshot = pair.world.snapshot()
        pair.world = World.at(Snapshot.load(snapshot.dump(), snapshot.company, snapshot.image))
    elif kind == "vacuum":
        bound = pair.world._lane()
        bound.control("VACUUM")
        assert not bound.journal.raw


def play(history: list[tuple[str, int, Any]]) -> None:
    """Interleave worlds on one lane, then look at each of them."""
    pairs, kept = [Pair(open_shop(), Plain())], list[tuple[Snapshot, bytes]]()
    for kind, at, what in history:
        move(pairs, kept, kind, at, what)
    for pair in [*pairs, *(Pair(World.at(snapshot), Plain(image)) for snapshot, image in kept)]:
        pair.same()


@settings(max_examples=80)
@given(st.lists(moves, min_size=6, max_size=30))
def test_every_history_on_overlay_pages_equals_a_plain_database(history: list[tuple[str, int, Any]]) -> None:
    play(history)


@settings(max_examples=40)
@given(st.lists(moves, min_size=6, max_size=30))
def test_every_history_of_packed_worlds_equals_a_plain_database(history: list[tuple[str, int, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lane, "RECENT", 1)
        play([*history, ("fork", 0, None), ("fork", 1, None), *history])
