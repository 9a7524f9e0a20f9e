"""The frozen SQL of `diorama bench` finds and writes the rows that the operations find and write."""

import pytest

from diorama.bench import reference
from diorama.bench.steps import MIX, frozen_sql, mix_of
from diorama.kernel import FATE, World
from diorama.kernel.lane import LANES
from diorama.worlds import open_world


@pytest.fixture(scope="module")
def world() -> World:
    return open_world("larkspur", "small")


@pytest.mark.parametrize("operation", MIX)
def test_every_frozen_statement_touches_the_rows_that_it_touched_once(world: World, operation: str) -> None:
    statements, scratch = iter(frozen_sql(world, operation)), world.fork()
    for frozen in reference.REFERENCE.operations[operation]:
        runs = 9 if frozen.each else 1
        rows = sum(reference.bare(scratch, [next(statements)]) for _ in range(runs))
        least = runs if frozen.each else frozen.rows  # another customer has as many orders, and at least a line in each
        assert rows >= least if frozen.rows else rows == 0, frozen.sql
    assert not list(statements)


@pytest.mark.parametrize("operation", ["update_ticket", "refund"])
def test_the_frozen_sql_changes_the_rows_that_the_operation_changes(world: World, operation: str) -> None:
    acted, statements = world.fork(), frozen_sql(world, operation)
    mix_of(world)[operation](acted)
    changes = acted.events[-1].changes
    lane = LANES.borrow(world.pages.image, world.company.tracked)
    lane.bind(world.fork().pages)
    lane.trusted = True
    for sql, bindings in statements:
        lane.connection.execute(sql, bindings).fetchall()
    lane.trusted = False
    written = {(table, old and key) for table, key, old, new, _ in lane.journal.net()}
    lane.journal.raw.clear()
    assert written == {(change.table, change.before and change.key) for change in changes}


def test_frozen_sql_that_finds_nothing_is_an_error(world: World) -> None:
    without = world.fork()
    without.do(lambda tx: tx.rows("DELETE FROM zendesk_ticket_fields"), FATE)
    with pytest.raises(RuntimeError, match="touches 0 rows, not 3, with SELECT id FROM zendesk_ticket_fields"):
        frozen_sql(without, "show_ticket")


def test_a_name_that_this_world_lacks_is_an_error(world: World) -> None:
    with pytest.raises(RuntimeError, match="needs form_id"):
        reference.names_of(world, agent_email="ana@larkspur.coffee", ticket_id=-1, charge_id="", now=0)
