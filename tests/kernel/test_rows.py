"""Kept rows: a world with them equals a world without, whatever happens to it and to its neighbours."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kernel import FATE, Actor, Company, Defect, Product, Record, Refusal, Snapshot, Tx, World
from diorama.kernel.budget import Budget, OverBudget
from diorama.kernel.pages import Image
from diorama.kernel.records import TABLES
from diorama.kernel.rows import GENERATION, Rows
from diorama.kernel.testing import image_for

CLERK = Actor("system", "clerk")


class Office(Product):
    """A product with rules that rarely change and visits that often do."""


APP = Office("office", title="The office")


@APP.record("rules", index=[("active", "position")], cached=True)
class Rule(Record):
    """A rule."""

    name: str = ""
    active: bool = True
    position: int = 0
    words: tuple[str, ...] = ()
    weights: dict[str, int] = {}


@APP.record("desks", cached=True)
class Desk(Record):
    """A desk with a field that can be changed in place."""

    rule_id: int | None = None
    notes: list[str] = []


@APP.record("visits")
class Visit(Record):
    """A visit; they come and go."""

    rule_id: int = 0


def found(tx: Tx) -> None:
    """Fill the office."""
    for number in range(4):
        rule = tx.add(Rule(name=f"rule {number}", position=number % 2, words=("a", "b"), weights={"a": number}))
        tx.add(Desk(rule_id=rule.id, notes=["tidy"]))
    tx.add(Visit(rule_id=1))


COMPANY = Company("office", [APP], build=lambda tx, size: found(tx))


def open_office() -> World:
    """Return an office with four rules."""
    return World.open(COMPANY, image_for(COMPANY))


READS: dict[str, tuple[Any, ...]] = {
    "SELECT id, name, active, position, words FROM office_rules ORDER BY position, id": (),
    "SELECT name FROM office_rules WHERE active = 1 AND position = ? ORDER BY id": (1,),
    "SELECT name FROM office_rules WHERE name = ? OR position = ?": ("rule 1", 0),
    "SELECT count(*) FROM office_rules": (),
    "SELECT count(*) FROM office_desks": (),
    "SELECT d.id, r.name FROM office_desks d LEFT JOIN office_rules r ON r.id = d.rule_id ORDER BY d.id": (),
    "SELECT v.id, r.name FROM office_visits v LEFT JOIN office_rules r ON r.id = v.rule_id ORDER BY v.id": (),
    "SELECT max(position), (SELECT count(*) FROM office_visits) FROM office_rules": (),
}


def look(tx: Tx) -> list[Any]:
    """Return everything there is to see, in several ways, and what the transaction has cost so far."""
    out: list[Any] = [tx.rows(sql, *bindings) for sql, bindings in READS.items()]
    out += [tx.all(Rule), tx.all(Desk), tx.first(Rule, "active = 1", order="position, id"), tx.find(Rule, 2)]
    out += [tx.count(Rule, "active = 1"), tx.rows("SELECT id FROM office_rules WHERE name = ?", f"rule {tx.seq % 5}")]
    lane: Any = tx._store
    return [*out, lane.rows_read - lane.left, lane.bytes_read]


def change(tx: Tx, number: int) -> list[Any]:
    """Look, change a rule, and look again."""
    before = look(tx)
    rules = tx.all(Rule)
    if rules:
        rule = rules[number % len(rules)]
        tx.change(rule, position=rule.position + 1, words=(*rule.words, str(number)))
    return [before, look(tx)]


def back(tx: Tx, number: int) -> list[Any]:
    """Change a rule back and forth: the net change is none."""
    rule = tx.first(Rule)
    if rule is None:
        return look(tx)
    tx.change(rule, name="other")
    between = look(tx)
    tx.change(tx.get(Rule, rule.id), name=rule.name)
    return [between, look(tx)]


def swap(tx: Tx, number: int) -> list[Any]:
    """Swap the names of two rules."""
    rules = tx.all(Rule)
    if len(rules) > 1:
        tx.change(rules[0], name=rules[-1].name)
        tx.change(rules[-1], name=rules[0].name)
    return look(tx)


def add(tx: Tx, number: int) -> list[Any]:
    """Add a rule and a desk."""
    rule = tx.add(Rule(name=f"rule {number}", position=number))
    tx.add(Desk(rule_id=rule.id))
    return look(tx)


def remove(tx: Tx, number: int) -> list[Any]:
    """Delete a rule."""
    rules = tx.all(Rule)
    if rules:
        tx.remove(rules[number % len(rules)])
    return look(tx)


def replace(tx: Tx, number: int) -> list[Any]:
    """Replace a row, or all of them, with SQL of several kinds."""
    if number == 0:
        tx.rows("DELETE FROM office_desks")
    elif number == 1:
        tx.rows("REPLACE INTO office_desks (id, rule_id, notes) VALUES (1, 2, '[]')")
    elif number == 2:
        tx.rows("UPDATE office_rules SET position = position + 1 WHERE id > 2")
    else:
        tx.rows("INSERT INTO office_desks (rule_id, notes) SELECT id, '[\"x\"]' FROM office_rules")
    return look(tx)


def refuse(tx: Tx, number: int) -> None:
    """Write, look and refuse."""
    change(tx, number)
    raise Refusal(409, "No", "refused")


def attempt(tx: Tx, number: int) -> list[Any]:
    """Undo a part of a transaction, keep another."""
    seen = []
    if number % 2:
        add(tx, number)
    try:
        with tx.attempt():
            seen.append(change(tx, number))
            raise Refusal(409, "No")
    except Refusal:
        seen.append(look(tx))
    with tx.attempt():
        seen.append(swap(tx, number))
    return [*seen, look(tx)]


def visit(tx: Tx, number: int) -> list[Any]:
    """Write to a table whose rows are not kept."""
    tx.add(Visit(rule_id=number))
    return look(tx)


def collide(tx: Tx, number: int) -> list[Any]:
    """Write, fail in one statement, and go on."""
    try:
        tx.rows("INSERT INTO office_rules (id, name) SELECT id, 'twice' FROM office_rules")
    except Exception as error:  # noqa: BLE001 - SQLite's constraint error, worded by SQLite
        return [type(error).__name__, look(tx)]
    return look(tx)


ACTS: dict[str, Callable[..., Any]] = {
    act.__name__: act for act in (change, back, swap, add, remove, replace, refuse, attempt, visit, collide)
}


def loaded(world: World) -> World:
    """Return the world as another process would load it."""
    taken = world.snapshot()
    return World.at(Snapshot.load(taken.dump(), COMPANY, taken.image))


def broken(world: World) -> World:
    """Break a world in the middle of a transaction, and return to the moment before."""
    taken = world.snapshot()

    def fail(tx: Tx) -> None:
        change(tx, 1)
        raise ZeroDivisionError("planted")

    with pytest.raises(Defect):
        world.do(fail, CLERK)
    world.restore(taken)
    return world


MOVES: dict[str, Callable[[World], World]] = {
    "fork": lambda world: world.fork(),
    "load": loaded,
    "at": lambda world: World.at(world.snapshot()),
    "break": broken,
}
STEPS = st.tuples(
    st.sampled_from(["one", "two"]), st.sampled_from([*ACTS, *MOVES, "look", "snapshot", "restore"]), st.integers(0, 3)
)


class NoRows(Rows):
    """A cache that keeps nothing."""

    def keep(self, key: Any, rows: Any) -> None:
        """Keep nothing."""


@contextmanager
def without_rows(image: Image) -> Iterator[None]:
    """Read every row from the pages."""
    kept, image.rows = image.rows, NoRows()
    try:
        yield
    finally:
        image.rows = kept


class Player:
    """A world that is led through steps."""

    def __init__(self) -> None:
        self.world = open_office()
        self.taken = [self.world.snapshot()]

    def step(self, name: str, number: int) -> Any:
        """Take a step and return what was seen."""
        if name == "snapshot":
            self.taken.append(self.world.snapshot())
        elif name == "restore":
            self.world.restore(self.taken[number % len(self.taken)])
        elif name in MOVES:
            self.world = MOVES[name](self.world)
        elif name in ACTS:
            try:
                return self.world.do(ACTS[name], CLERK, number)
            except Refusal as refusal:
                return str(refusal)
        return self.world.read(look)


@settings(max_examples=80, deadline=None)
@given(st.lists(STEPS, max_size=20))
def test_worlds_with_kept_rows_equal_worlds_without(steps: list[tuple[str, str, int]]) -> None:
    image = image_for(COMPANY)
    kept = {"one": Player(), "two": Player()}
    with without_rows(image):
        plain = {"one": Player(), "two": Player()}
    for who, name, number in steps:
        seen = kept[who].step(name, number)
        with without_rows(image):
            assert plain[who].step(name, number) == seen, name
        assert plain[who].world.state == kept[who].world.state
        assert plain[who].world.trace == kept[who].world.trace


def executed(world: World, act: Callable[..., Any], *args: Any) -> list[str]:
    """Return the SELECTs that reach SQLite while a function reads."""
    lane, heard = world._lane(), []
    plain = lane.execute

    def listen(sql: str, bindings: tuple[Any, ...] = (), can_cache: bool = True) -> Any:
        heard.append(sql)
        return plain(sql, bindings, can_cache=can_cache)

    lane.execute = listen  # type: ignore[assignment] # put back below
    try:
        world.read(act, *args)
    finally:
        lane.execute = plain
    return [sql for sql in heard if "office" in sql]


RULES = "SELECT id, name FROM office_rules ORDER BY id"


def warm(world: World) -> None:
    """Run a query until its rows are kept: the first run shows which tables it reads."""
    world.read(Tx.rows, RULES)
    world.read(Tx.rows, RULES)


def test_a_second_world_reads_kept_rows() -> None:
    first = open_office()
    warm(first)
    assert executed(first.fork(), Tx.rows, RULES) == []
    assert executed(open_office(), Tx.rows, RULES) == []


def test_a_world_that_changed_the_table_reads_its_own_rows() -> None:
    first, second = open_office(), open_office()
    warm(first)
    second.do(change, CLERK, 1)
    assert executed(second, Tx.rows, RULES) == [RULES]
    assert executed(first, Tx.rows, RULES) == []
    assert executed(second.fork(), Tx.rows, RULES) == []


def test_a_statement_that_was_prepared_before_is_kept() -> None:
    world = open_office()
    world._lane().execute(RULES).fetchall()
    warm(world)
    assert executed(world, Tx.rows, RULES) == []


def test_undoing_a_change_returns_to_the_kept_rows() -> None:
    world = open_office()
    warm(world)
    world.do(lambda tx: tx.change(tx.get(Rule, 1), name="other"), CLERK)
    world.do(lambda tx: tx.change(tx.get(Rule, 1), name="rule 0"), CLERK)
    assert world.hot.sums == {}
    assert executed(world, Tx.rows, RULES) == []


def test_a_write_in_the_same_transaction_is_seen() -> None:
    def act(tx: Tx) -> Any:
        tx.rows(RULES)
        tx.change(tx.get(Rule, 1), name="new")
        return tx.rows(RULES)[0]

    assert open_office().do(act, CLERK) == (1, "new")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id, rule_id FROM office_visits",
        "SELECT r.id FROM office_rules r JOIN office_visits v ON v.rule_id = r.id",
        "SELECT id, datetime('now') FROM office_rules",
        "SELECT id, CURRENT_TIMESTAMP FROM office_rules",
        "SELECT id FROM office_rules; SELECT id FROM office_visits",
        "SELECT 1",
    ],
)
def test_what_depends_on_anything_else_is_not_kept(sql: str) -> None:
    world = open_office()
    world.read(Tx.rows, sql)
    world.read(Tx.rows, sql)
    assert world._lane().sources[sql] == ()


def test_equal_numbers_of_different_types_are_different_bindings() -> None:
    world = open_office()

    def kinds(tx: Tx) -> Any:
        return [
            tx.rows("SELECT typeof(?), name FROM office_rules WHERE id = 1", value)
            for value in (1, 1.0, True, "1", b"1", None, 1, 1.0)
        ]

    assert [rows[0][0] for rows in world.read(kinds)] == [
        "integer", "real", "integer", "text", "blob", "null", "integer", "real",
    ]  # fmt: skip


def test_readers_cannot_change_kept_rows() -> None:
    world = open_office()

    def spoil(tx: Tx) -> None:
        rows = tx.rows(RULES)
        assert all(type(row) is tuple for row in rows)
        rows.append(("spoilt",))
        rows[0] = ("spoilt",)
        desk = tx.get(Desk, 1)
        desk.notes.append("spoilt")
        rule = tx.get(Rule, 1)
        with pytest.raises(TypeError):
            rule.weights["a"] = 9
        with pytest.raises(TypeError):
            rule.weights.update(a=9)
        with pytest.raises(TypeError):
            rule.weights |= {"a": 9}  # type: ignore[misc] # the record is frozen, too
        with pytest.raises(AttributeError):
            rule.name = "spoilt"  # type: ignore[misc] # the record is frozen

    def right(tx: Tx) -> None:
        assert tx.rows(RULES)[0] == (1, "rule 0")
        assert len(tx.rows(RULES)) == 4
        assert tx.get(Desk, 1).notes == ["tidy"]
        assert tx.get(Rule, 1).weights == {"a": 0}

    world.read(right)
    world.read(spoil)
    world.read(spoil)
    world.read(right)


def test_a_locked_dict_is_written_like_any_other() -> None:
    world = open_office()
    rule = world.read(lambda tx: tx.get(Rule, 3))
    assert msgspec.json.encode(rule.weights) == b'{"a":2}'
    changed = world.do(lambda tx: tx.change(rule, weights={**rule.weights, "b": 1}), CLERK)
    assert world.read(lambda tx: tx.get(Rule, 3)) == changed


def test_records_that_can_be_changed_in_place_are_decoded_for_each_reader() -> None:
    assert hasattr(TABLES[Rule].load, "cache_info")
    assert not hasattr(TABLES[Desk].load, "cache_info")


def test_the_budget_ends_at_the_same_read_with_and_without_kept_rows() -> None:
    world = open_office()

    def exhaust(tx: Tx) -> int:
        tx.allow(Budget(rows_read=5_000))
        for number in range(1_000_000):
            try:
                tx.rows(RULES)
            except OverBudget:
                return number
        return -1

    with without_rows(world.pages.image):
        plain = world.read(exhaust)
    assert plain > 0
    assert world.read(exhaust) == world.read(exhaust) == plain


def test_the_cache_is_bounded() -> None:
    rows = Rows()
    text = "x" * 10_000
    for number in range(3 * GENERATION // 10_000):
        rows.keep(number, ((text,),))
        assert rows.get(0) is not None, "a result that is used stays"
    assert len(rows) < 2 * GENERATION // 10_000
    assert rows.get(1) is None
    rows.keep("many", ((1,),) * 10_000)
    rows.keep("large", (("x" * GENERATION,),))
    assert rows.get("many") is rows.get("large") is None


def test_staging_through_sql_of_the_control_plane_is_seen() -> None:
    world = open_office()
    warm(world)
    world.do(lambda tx: tx.control("UPDATE office_rules SET name = 'x' WHERE id = 1"), FATE)
    assert world.read(Tx.rows, RULES)[0] == (1, "x")
