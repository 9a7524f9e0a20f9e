"""No trace of staging: numbers and dates of all records grow together, for every customer."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer, Order, Return
from diorama.apps.zendesk.schema import Macro, Ticket, Trigger
from diorama.apps.zendesk.schema.help_center import Article, Translation
from diorama.episodes.episode import Episode, start
from diorama.scenarios import SCENARIOS, load_all
from diorama.scenarios.desk import DeskScenario

load_all()
DESKS = sorted(name for name, one in SCENARIOS.items() if isinstance(one, DeskScenario))
VARIANTS = 3


def number_of(row: Any) -> int:
    """Return the running number of a row."""
    return int(row.number.rpartition("-")[2]) if isinstance(row, Order | Return) else int(row.id)


def out_of_order(rows: Sequence[Any], key: Callable[[Any], int] = number_of) -> list[Any]:
    """Return the fewest rows without which the numbers grow with the dates."""
    ordered = sorted(rows, key=lambda row: (row.created_at, key(row)))
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, row in enumerate(ordered):
        length = bisect_right(tails, key(row))
        tails[length:] = [key(row)] if length == len(tails) else [key(row), *tails[length + 1 :]]
        ends[length:] = [place] if length == len(ends) else [place, *ends[length + 1 :]]
        before.append(ends[length - 1] if length else -1)
    kept, place = set(), ends[-1] if ends else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    return [row for place, row in enumerate(ordered) if place not in kept]


def all_of(episode: Episode, record: type[Any]) -> list[Any]:
    found: list[Any] = episode.world.read(lambda tx: tx.all(record))
    return found


@pytest.mark.parametrize("name", DESKS)
def test_no_number_out_of_order_gives_the_case_away(name: str) -> None:
    for split in SCENARIOS[name].splits:
        for number in range(VARIANTS):
            episode = start(name, number, split=split)
            for record in (Order, Return, Ticket, Macro, Trigger, Article, Translation):
                odd = out_of_order(all_of(episode, record))
                assert not odd, (split, number, record.__name__, odd[0])


def test_small_gaps_do_not_give_the_case_away() -> None:
    close = mine = 0
    for number in range(8):
        episode = start("zendesk/late-refund", number)
        orders = sorted(all_of(episode, Order), key=number_of)
        owner: Any = episode.truth
        for one, other in pairwise(orders):
            if number_of(other) - number_of(one) == 1:
                close += 1
                mine += owner.customer_id in (one.customer_id, other.customer_id)
    assert close > 8 * 40
    assert mine / close < 0.1


def test_the_oldest_orders_do_not_give_the_case_away() -> None:
    firsts = []
    for number in range(10):
        episode = start("zendesk/broken-machine", number)
        orders = sorted(all_of(episode, Order), key=lambda one: one.created_at)
        mine = [place for place, one in enumerate(orders) if one.customer_id == episode.truth.customer_id]
        firsts.append(mine[0])
        old = [one for one in orders if one.created_at < datetime(2025, 1, 1, tzinfo=UTC)]
        assert sum(one.customer_id == episode.truth.customer_id for one in old) / len(old) < 0.12, number
    assert sum(place < 3 for place in firsts) < 2, firsts  # one of them may be the company's first customer by chance


def test_the_detector_finds_a_number_that_does_not_fit() -> None:
    class Row:
        def __init__(self, number: int, day: int) -> None:
            self.id = number
            self.created_at = datetime(2026, 3, day, tzinfo=UTC)

    fitting = [Row(number, number) for number in range(1, 9)]
    assert out_of_order(fitting) == []
    assert [row.id for row in out_of_order([*fitting, Row(40, 3)])] == [40]
    assert [row.id for row in out_of_order([*fitting, Row(0, 20)])] == [0]


def test_past_orders_fit_between_their_neighbours() -> None:
    episode = start("zendesk/late-refund", 1)

    def add(tx: Any) -> None:
        customer = tx.all(Customer, order="id", limit=1)[0]
        goods = [("AC-TAMPER", 1)]
        for hours in range(24, 24 * 40, 2):  # many more than there are gaps in those days
            seed.add_order_history(tx, customer, goods, tx.now - timedelta(hours=hours), outcome="delivered")

    episode.world.do(add, "system:backoffice")
    assert out_of_order(all_of(episode, Order)) == []
    numbers = [one.number for one in all_of(episode, Order)]
    assert len(numbers) == len(set(numbers))
