"""Rules of plausibility: no staged row precedes its cause, and no letter states what the rows contradict."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Refund, Return, Shipment
from diorama.check.records import the_records_are_plausible
from diorama.scenarios import load_all
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.larkspur import COFFEE, SMALL
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.past import Scene, names, note, order, refunded, returned, step, subscription
from diorama.scenarios.past_places import fresh_order
from diorama.scenarios.past_units import besides
from diorama.scenarios.plan import Plan
from tests.check.test_desk_checks import desk

DESKS = {name: one for name, one in load_all().items() if isinstance(one, DeskScenario) and one.has_shop}
LETTER = ("there is something with {which}.", "[Please help.|What now?]")
HERE = order(SMALL, (20, 30), pieces=(2, 3))
OPEN = fresh_order(SMALL[::2], (3, 40), waits=True)


@pytest.mark.parametrize("name", DESKS)
def test_the_records_of_every_plan_are_plausible(name: str) -> None:
    assert list(the_records_are_plausible(DESKS[name])) == []


@step
@names()
def moved(scene: Scene, record: str, column: str, *, days: float = 0.0) -> None:
    """Move a moment of a row of the cast back by some days, or to the moment of the letter."""
    row = scene.cast[record]
    kinds: dict[str, Any] = {"refund": Refund, "return": Return, "parcel": Shipment}
    kept = scene.tx.get(kinds[record], row.id)
    then = getattr(kept, column) - timedelta(days=days) if days else scene.tx.now
    scene.cast[record] = scene.tx.change(kept, **{column: then})


def plan(*past: Any, letter: Any = LETTER, **more: Any) -> Plan:
    return Plan("made_up", past=past, letter=letter, facts="none", resolution="done_explained", **more)


PAID = refunded(cents="line", reason="wrong_item")
PAID_BACK = refunded(cents="line", reason="returned")
OTHERS = (OPEN, besides([fresh_order(SMALL[1::2], (3, 40), waits=True)]))
BROKEN = {
    "before it came": plan(HERE, PAID, moved("refund", "created_at", days=28)),
    "before its return was received": plan(HERE, returned(), PAID_BACK, moved("refund", "created_at", days=9)),
    "before the goods came": plan(HERE, returned(), moved("return", "created_at", days=25)),
    "as the letter came": plan(HERE, moved("parcel", "closed_at")),
    "which came later": plan(
        HERE, note("{line} missing from {order}.", days_ago=(16, 17)), moved("parcel", "closed_at", days=-15)
    ),
    "were used": plan(
        fresh_order(SMALL, (40, 60), "in_transit"), letter=("we drank what was in {which}.", "[Thanks.|Bye.]")
    ),
    "the other order that has not left": plan(
        *OTHERS, besides([fresh_order(SMALL[1::2], (3, 40), waits=True)], name="third"),
        letter=("{which} is fine.", "[Please cancel my|Cancel my] other order, the one that has not left yet."),
        owed=[cancel("other_order"), refund("other_charge")],
    ),
    "arranged already": plan(
        HERE, besides([order(SMALL, (14, 20), "lost")]),
        letter=("it is about {which}.", "[Not the other one, that is arranged already.|The other order is settled.]"),
    ),
}  # fmt: skip
"""For each rule a past that breaks it, by words of its message."""


@pytest.mark.parametrize("told", BROKEN)
def test_a_past_that_cannot_have_happened_is_refused(told: str) -> None:
    problems = list(the_records_are_plausible(desk(BROKEN[told])))
    assert problems
    assert told in problems[0]


SOUND = [
    plan(HERE, PAID),
    plan(HERE, returned(), PAID_BACK),
    plan(order(SMALL, (3, 4))),
    plan(order(SMALL, (6, 9)), note("{line} missing from {order}.", days_ago=(4, 9), arrived=True)),
    plan(subscription(COFFEE, last_days_ago=(16, 20)), letter=("about {which}.", "[It is fine.|All good.]")),
]


@pytest.mark.parametrize("place", range(len(SOUND)))
def test_steps_put_rows_after_their_cause(place: int) -> None:
    assert list(the_records_are_plausible(desk(SOUND[place]))) == []
