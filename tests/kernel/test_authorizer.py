"""What app SQL may not do: read the control plane, change the schema, use chance, wall time or connection state."""

from datetime import timedelta

import apsw
import pytest

from diorama.kernel import Company, Product, Record, Tx, World
from diorama.kernel.hot import WORLD_ROW
from diorama.kernel.schema import CONTROL
from diorama.kernel.testing import fresh, image_for
from tests.kernel.workshop import ANA, COMPANY, TESTER, Part, open_shop, ring, stocked

HIDDEN = ["_world", "_ids", "_agenda", "_faults", "_meters", "_replies", "_truth"]
DENIED = {
    "schema": [
        "CREATE TABLE extra (x)",
        "CREATE INDEX extra ON workshop_parts (stock)",
        "CREATE TRIGGER extra AFTER INSERT ON workshop_parts BEGIN SELECT 1; END",
        "CREATE VIEW extra AS SELECT * FROM workshop_parts",
        "CREATE VIRTUAL TABLE extra USING fts5(x)",
        "ALTER TABLE workshop_parts ADD COLUMN extra",
        "DROP TABLE workshop_labels",
        "REINDEX",
        "ANALYZE",
        "SELECT sql FROM sqlite_schema",
        "SELECT sql FROM sqlite_master",
    ],
    "temporary state of the connection": [
        "CREATE TEMP TABLE extra (x)",
        "CREATE TEMP TRIGGER extra AFTER INSERT ON workshop_parts BEGIN SELECT 1; END",
        "CREATE TEMP VIEW extra AS SELECT 1",
        "SELECT * FROM sqlite_temp_schema",
        "SELECT last_insert_rowid()",
        "SELECT changes()",
        "SELECT total_changes()",
    ],
    "other files": [
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "SELECT load_extension('x')",
    ],
    "pragmas": [
        "PRAGMA user_version",
        "PRAGMA user_version = 7",
        "PRAGMA locking_mode = exclusive",
        "PRAGMA writable_schema = 1",
        "SELECT * FROM pragma_table_info('workshop_parts')",
        "SELECT * FROM pragma_database_list",
    ],
    "transactions": ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT x", "RELEASE attempt"],
    "chance": ["SELECT random()", "SELECT RANDOMBLOB(4)", "SELECT 1 FROM workshop_parts ORDER BY random()"],
    "which library this is": ["SELECT sqlite_version()", "SELECT sqlite_source_id()"],
}


@pytest.fixture(scope="module")
def world() -> World:
    return stocked(3)


def denied(world: World, sql: str) -> None:
    """Check that the statement is refused and the transaction continues."""

    def tries(tx: Tx) -> None:
        with pytest.raises((apsw.AuthError, apsw.SQLError), match=r"not authorized|prohibited|authorization denied"):
            tx.rows(sql)

    before = world.state
    world.do(tries, ANA)
    assert world.state == before


@pytest.mark.parametrize(
    ("what", "sql"), [pytest.param(what, sql, id=f"{what}: {sql}") for what, many in DENIED.items() for sql in many]
)
def test_app_sql_is_denied(world: World, what: str, sql: str) -> None:
    denied(world, sql)


def test_the_list_of_control_tables_is_complete() -> None:
    made = [statement.split()[2] for statement in CONTROL if statement.startswith("CREATE TABLE")]
    assert made == HIDDEN


@pytest.mark.parametrize("table", HIDDEN)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM {0}",
        "SELECT count(*) FROM {0}",
        'SELECT * FROM main."{0}"',
        "SELECT (SELECT 1 FROM {0})",
        "SELECT name FROM workshop_parts WHERE EXISTS (SELECT 1 FROM {0})",
        "WITH x AS (SELECT * FROM {0}) SELECT * FROM x",
        "WITH RECURSIVE x(n) AS (SELECT 1 FROM {0} UNION SELECT n + 1 FROM x WHERE n < 3) SELECT * FROM x",
        "SELECT * FROM (SELECT * FROM {0})",
        "SELECT p.name FROM workshop_parts p LEFT JOIN (SELECT * FROM {0}) x",
        "SELECT 1 UNION ALL SELECT rowid FROM {0}",
        "DELETE FROM {0}",
        "INSERT INTO workshop_parts (name) SELECT 'x' FROM {0}",
        "UPDATE workshop_parts SET name = (SELECT max(rowid) FROM {0})",
        "SELECT 1; SELECT * FROM {0}",
    ],
)
def test_app_sql_may_not_touch_a_control_table(world: World, table: str, sql: str) -> None:
    if "rowid" in sql and table in ("_ids", "_meters", "_replies", "_truth"):
        sql = sql.replace("rowid", "name")
    denied(world, sql.format(table))


@pytest.mark.parametrize(
    "sql",
    [
        WORLD_ROW,
        "UPDATE _replies SET status = 9 WHERE name = 'none'",
        "SELECT min(at) FROM _agenda",
        "SELECT value FROM _truth WHERE name = 'oracle'",
    ],
)
def test_a_statement_cached_by_the_kernel_is_denied_to_apps(world: World, sql: str) -> None:
    lane = world._lane()
    lane.control(sql)
    lane.control(sql)
    denied(world, sql)


def test_a_statement_cached_by_an_app_is_not_run_as_the_kernel() -> None:
    world = stocked(1)
    denied(world, "SELECT name FROM _truth")
    world.truth["a"] = 1
    assert world._lane().control("SELECT name FROM _truth") == [("a",)]
    denied(world, "SELECT name FROM _truth")


def test_sqlites_now_is_the_worlds_now() -> None:
    world = open_shop()
    asked = "SELECT datetime('now'), current_timestamp, date('now'), unixepoch(), strftime('%H', 'now')"
    assert world.read(lambda tx: tx.rows(asked)) == [
        ("2026-03-02 08:00:00", "2026-03-02 08:00:00", "2026-03-02", 1772438400, "08")
    ]
    world.wait(timedelta(days=1, minutes=30))
    assert world.read(lambda tx: tx.rows(asked)[0][0]) == "2026-03-03 08:30:00"
    world.plan(timedelta(minutes=5), ring, bell="x")
    seen: list[str] = []
    world.company.app("workshop").product.commands["ring"] = lambda tx, bell: seen.extend(tx.rows(asked)[0][:1])
    try:
        world.wait(timedelta(minutes=10))
    finally:
        world.company.app("workshop").product.commands["ring"] = ring
    assert seen == ["2026-03-03 08:35:00"]


def test_control_app_tables_are_hidden_from_app_sql() -> None:
    hidden = Product("minds", control=True)

    @hidden.record("moods")
    class Mood(Record):
        """What a persona feels."""

        anger: int

    app = Product("shop")

    @app.record("goods")
    class Good(Record):
        """Something to sell."""

        name: str

    assert Company("x", [app, hidden]).tracked.keys() >= {"_minds_moods", "shop_goods"}
    world = fresh([app, hidden])
    world.do(lambda tx: tx.add(Mood(anger=3)), TESTER)
    assert world.events[-1].changes[0].table == "_minds_moods"
    assert world.read(lambda tx: (tx.get(Mood, 1).anger, tx.count(Mood), tx.first(Mood, "anger > ?", 2))) == (
        3, 1, Mood(id=1, anger=3),
    )  # fmt: skip
    denied(world, "SELECT anger FROM _minds_moods")
    world.do(lambda tx: tx.remove(tx.change(tx.get(Mood, 1), anger=1)), TESTER)
    assert world.read(lambda tx: tx.count(Mood)) == 0


def test_without_the_authorizer_everything_is_readable() -> None:
    """Negative control: without the authorizer the same statements work, so the tests above can fail."""
    world = stocked(1)
    lane = type(world._lane())(image_for(COMPANY), COMPANY.tracked)
    lane.connection.authorizer = None
    for sql in ("SELECT dice FROM _world", "SELECT random()", "PRAGMA user_version", "SELECT sql FROM sqlite_schema"):
        assert lane.query(sql)


def test_ordinary_app_sql_is_allowed() -> None:
    world = stocked(4)

    def asks(tx: Tx) -> None:
        tx.rows("UPDATE workshop_parts SET stock = stock + 1 WHERE id IN (SELECT value FROM json_each('[1, 2]'))")
        tx.rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT upper(i) FROM n")
        assert tx.match(Part, "part", "t.stock > ?", 1)

    world.do(asks, ANA)
    assert len(world.events[-1].changes) == 2
