"""Every transaction has a budget; what exceeds it is rolled back and refused, in the same way every time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from diorama.kernel import Budget, Reply, Request, Tx, World, growth
from diorama.kernel import world as worlds
from diorama.kernel.budget import UNLIMITED
from diorama.kernel.events import BODY_AT_MOST
from tests.kernel.workshop import ANA, APP, Page, Part, Rang, Workshop, open_shop

SMALL = Budget(rows_read=20_000, bytes_read=300_000, rows_written=200, bytes_written=400_000, ticks=1000)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) SELECT max(i) FROM n"
Body = Callable[[Tx], Any]


@pytest.fixture(autouse=True)
def _small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give requests a small budget."""
    monkeypatch.setattr(worlds, "REQUEST", SMALL)


def ask(monkeypatch: pytest.MonkeyPatch, body: Body, world: World | None = None, sent: bytes = b"") -> World:
    """Send a request that does this."""

    def serve(app: Workshop, tx: Tx, request: Request) -> Reply:
        tx.operation, tx.seconds = "planted", 0.5
        answer = body(tx)
        return Reply(200, {}, answer if isinstance(answer, bytes) else b"done")

    monkeypatch.setattr(Workshop, "serve", serve)
    world = world or open_shop()
    world.send("workshop", Request("POST", "/planted", body=sent), ANA)
    return world


def many_statements(tx: Tx) -> None:
    for _ in range(2_000):
        tx.find(Part, 1)


def much_rendering(tx: Tx) -> None:
    for _ in range(300):
        tx.spend(100)


def many_rows(tx: Tx) -> None:
    tx.rows(f"{ENDLESS.format(30_000)}".replace("max(i)", "i"))


def large_rows(tx: Tx) -> None:
    tx.add(Part(name="x" * 2_000))
    tx.rows(ENDLESS.format(1_100).replace("max(i)", "(SELECT name FROM workshop_parts WHERE id = 1), i"))


def large_reply(tx: Tx) -> bytes:
    return b"x" * 300_001


def many_writes(tx: Tx) -> None:
    for number in range(201):
        tx.add(Part(name=str(number)))


def large_writes(tx: Tx) -> None:
    for _ in range(130):
        tx.add(Part(name="x" * 4_000))


def a_large_event(tx: Tx) -> None:
    for _ in range(9):
        tx.add(Part(name="x" * 50_000))


def many_notices(tx: Tx) -> None:
    for _ in range(6_000):
        tx.emit(Rang(bell="x"))


def a_deep_expression(tx: Tx) -> None:
    tx.rows("SELECT " + "1 + " * 2_000 + "1")


def many_terms(tx: Tx) -> None:
    tx.rows(" UNION ALL ".join(["SELECT 1"] * 1_000))


def many_values(tx: Tx) -> None:
    tx.rows(f"SELECT 1 WHERE 1 IN ({', '.join('?' * 40_000)})", *range(40_000))


def a_large_value(tx: Tx) -> None:
    tx.rows("SELECT replace(?, 'x', ?)", "x" * 10_000, "y" * 10_000)


def a_long_pattern(tx: Tx) -> None:
    tx.rows("SELECT 'a' LIKE ?", "%" * 60_000)


def a_wrong_match(tx: Tx) -> None:
    tx.match(Page, 'AND "')


def a_huge_number(tx: Tx) -> None:
    tx.find(Part, 1 << 63)


def an_overflow(tx: Tx) -> None:
    tx.rows("SELECT abs(?)", -(1 << 63))


def a_huge_sum(tx: Tx) -> None:
    tx.rows("SELECT sum(column1) FROM (VALUES (?), (?))", (1 << 63) - 1, (1 << 63) - 1)


COSTLY: list[Body] = [
    many_statements, much_rendering, many_rows, large_rows, large_reply, many_writes, large_writes, a_large_event,
    many_notices, a_deep_expression, many_terms, many_values, a_large_value, a_long_pattern, a_wrong_match,
    a_huge_number, an_overflow, a_huge_sum,
]  # fmt: skip


@pytest.mark.parametrize("body", COSTLY, ids=lambda body: body.__name__)
def test_what_exceeds_the_budget_is_refused(monkeypatch: pytest.MonkeyPatch, body: Body) -> None:
    world = ask(monkeypatch, body)
    event = world.events[-1]
    assert (event.reply["status"], event.reply["refused"], event.operation) == (413, "OverBudget", "planted")
    assert "stopped" not in event.reply
    assert (event.changes, event.notices, world.state, world.turn) == ([], [], open_shop().state, 1)
    assert ask(monkeypatch, body).trace == world.trace
    assert ask(monkeypatch, lambda tx: tx.add(Part(name="after")), world).events[-1].reply["status"] == 200


def test_just_below_the_budget_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(tx: Tx) -> bytes:
        for number in range(200):
            tx.add(Part(name=f"{number} " + "x" * 100))
        return b"x" * 300_000

    assert ask(monkeypatch, busy).events[-1].reply["status"] == 200


def test_an_operation_may_have_a_larger_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    def allowed(tx: Tx) -> None:
        tx.allow(UNLIMITED)
        many_writes(tx)
        many_statements(tx)
        a_large_event(tx)

    assert ask(monkeypatch, allowed).events[-1].reply["status"] == 200
    assert ask(monkeypatch, many_writes).events[-1].reply["status"] == 413  # the next one has its own


def test_what_an_attempt_undid_is_not_counted_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def tries(tx: Tx) -> None:
        for _ in range(40):
            with suppress(KeyError), tx.attempt():
                for _ in range(10):
                    tx.add(Part(name="x" * 4_000))
                raise KeyError

    assert ask(monkeypatch, tries).events[-1].reply["status"] == 200


def test_a_replay_follows_the_record_of_the_backstop(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(tx: Tx) -> None:
        tx.rows(ENDLESS.format(300_000))

    monkeypatch.setattr(worlds, "REQUEST", Budget(ticks=5))
    stopped = ask(monkeypatch, endless)
    assert stopped.events[-1].reply["stopped"] is True
    assert (stopped.events[-1].reply["refused"], stopped.defect) == ("OverBudget", None)
    monkeypatch.setattr(worlds, "REQUEST", Budget(ticks=40))  # now it would not be stopped
    again = open_shop()
    again.chain.stopped = frozenset({stopped.events[-1].seq})
    assert ask(monkeypatch, endless, again).trace == stopped.trace
    monkeypatch.setattr(worlds, "REQUEST", Budget(ticks=1 << 40))  # it is far from the backstop: the mark is invented
    again = open_shop()
    again.chain.stopped = frozenset({stopped.events[-1].seq})
    assert ask(monkeypatch, endless, again).events[-1].reply["status"] == 200
    served = ask(monkeypatch, endless)
    assert served.events[-1].reply["status"] == 200
    monkeypatch.setattr(worlds, "REQUEST", Budget(ticks=5))  # and a slower one does not stop what was served
    again = open_shop()
    again.chain.stopped = frozenset()
    assert ask(monkeypatch, endless, again).trace == served.trace


def test_an_episode_that_has_grown_too_large_keeps_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(world: World, bodies: list[bytes]) -> World:
        for body in bodies:
            ask(monkeypatch, lambda tx: b"read", world, body)
        return world

    monkeypatch.setattr(growth, "EPISODE_BYTES", 500_000)
    sent = [bytes([65 + number]) * 200_000 for number in range(6)]
    world = full(open_shop(), sent)
    assert [event.reply["status"] for event in world.events[-6:]] == [200, 200, 200, 413, 413, 413]
    kept = [sum(map(len, entry.bodies.values())) for entry in world.chain.entries()][-6:]
    assert kept == [200_000] * 3 + [BODY_AT_MOST + 1] * 3
    recorded = [event.request["body"].encode() for event in world.events[-6:]]
    assert full(open_shop(), recorded).trace == world.trace
    assert ask(monkeypatch, lambda tx: b"small", world).events[-1].reply["status"] == 200
    monkeypatch.setattr(growth, "EPISODE_BYTES", -1)
    assert ask(monkeypatch, lambda tx: tx.add(Part(name="x")), world).events[-1].reply["status"] == 413


def test_a_world_that_has_grown_too_large_takes_no_more_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "REQUEST", Budget(world_bytes=-1))
    world = ask(monkeypatch, lambda tx: tx.add(Part(name="x")), open_shop())
    assert world.events[-1].reply["status"] == 413
    assert ask(monkeypatch, lambda tx: b"small", world).events[-1].reply["status"] == 200


@APP.command
def flood(tx: Tx, rows: int) -> None:
    """Write many rows."""
    for number in range(rows):
        tx.add(Part(name=str(number)))


def test_work_of_the_agenda_that_exceeds_its_budget_is_dropped() -> None:
    world = open_shop()
    world.plan(timedelta(minutes=1), flood, rows=60_000)
    world.plan(timedelta(minutes=2), flood, rows=3)
    world.wait(timedelta(minutes=5), price=10_000_000)
    dropped, served = world.events[-2:]
    assert (dropped.reply["status"], dropped.reply["refused"]) == (413, "413 OverBudget: rows read")
    assert (served.reply["status"], len(served.changes)) == (200, 4)  # three parts and the entry of the agenda
    assert world.defect is None


@pytest.mark.parametrize("test", ["includes_any(body, 'zz\x1fno\x1fqq\x1fxx')", "json_valid(weigh(body, 7))"])
def test_sql_over_long_texts_counts_what_it_reads(monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    def scan(tx: Tx) -> Any:
        return tx.rows(f"SELECT count(*) FROM workshop_pages WHERE {test}")[0][0]

    world = open_shop()
    for number in range(10):
        world.do(lambda tx, number=number: tx.add(Page(id=str(number), body="Yes " * 50_000)), ANA)
    assert world.read(scan) == 0
    monkeypatch.setattr(worlds, "REQUEST", Budget(rows_read=900))
    assert ask(monkeypatch, scan, world).events[-1].reply["status"] == 413
    monkeypatch.setattr(worlds, "REQUEST", Budget())
    assert ask(monkeypatch, scan, world).events[-1].reply["status"] == 200


def test_many_words_count_however_short_the_text_is() -> None:
    world = open_shop()
    world.do(lambda tx: tx.add(Page(id="1", body="short")), ANA)

    def spent(count: int) -> int:
        listed = "\x1f".join(f"word{number}" for number in range(count))
        sql = "SELECT count(*) FROM workshop_pages WHERE includes_any(body, ?)"
        return int(world.read(lambda tx: (tx.rows(sql, listed), tx.spent)[1]))

    assert spent(6_400) - spent(1) >= 100


def test_long_lists_count_when_they_are_decoded() -> None:
    world = open_shop()
    world.do(lambda tx: tx.add(Part(name="x", tags=("short",))), ANA)
    few = world.read(lambda tx: (tx.all(Part), tx.spent)[1])
    world.do(lambda tx: tx.add(Part(name="y", tags=tuple(map(str, range(4_000))))), ANA)
    assert world.read(lambda tx: (tx.all(Part), tx.spent)[1]) == few + 1 + 1_000
