"""Rules of plausibility: no staged row precedes its cause, and no letter states what the rows contradict."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Product, Scan, Shipment
from diorama.check.records import rows_before, the_records_are_plausible, written_of
from diorama.episodes.episode import start
from diorama.scenarios import load_all
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.larkspur import COFFEE, SMALL
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.past import Scene, names, note, order, refunded, returned, step, subscription
from diorama.scenarios.past_places import WINTER, fresh_order
from diorama.scenarios.past_units import besides
from diorama.scenarios.plan import Plan
from diorama.worlds import open_world
from diorama.worlds.plausible import Written, implausible
from tests.check.test_desk_checks import desk

DESKS = {name: one for name, one in load_all().items() if isinstance(one, DeskScenario) and one.has_shop}
LETTER = ("there is something with {which}.", "[Please help.|What now?]")
HERE = order(SMALL, (20, 30), pieces=(2, 3))
OPEN = fresh_order(SMALL[::2], (3, 40), waits=True)
LOST = order(SMALL, (20, 26), "lost")


@pytest.mark.parametrize("name", DESKS)
def test_the_records_of_every_plan_are_plausible(name: str) -> None:
    assert list(the_records_are_plausible(DESKS[name])) == []


@step
@names()
def moved(scene: Scene, record: str, column: str, *, days: float = 0.0) -> None:
    """Move a moment of a row of the cast back by some days, or to the moment of the letter."""
    row = scene.cast[record]
    kept = scene.tx.get(type(row), row.id)
    then = getattr(kept, column) - timedelta(days=days) if days else scene.tx.now
    scene.cast[record] = scene.tx.change(kept, **{column: then})


@step
@names()
def noted_early(scene: Scene) -> None:
    """Write a note about the order a day before it was placed."""
    placed = scene.cast["order"].created_at
    number, early = scene.cast["order"].number, placed - timedelta(days=1)
    seed.add_note_history(scene.tx, scene.customer.id, f"{number} is fine.", scene.colleague(), early)


@step
@names()
def returned_at_the_door(scene: Scene) -> None:
    """Open the return five minutes after the delivery."""
    came = scene.cast["parcel"].closed_at
    scene.tx.change(scene.cast["return"], created_at=came + timedelta(minutes=5))


@step
@names()
def paid_with_an_old_card(scene: Scene) -> None:
    """Let the card of the charge have expired a year before."""
    charge = scene.cast["charge"]
    card = msgspec.structs.replace(charge.card, exp_year=charge.created_at.year - 1)
    scene.tx.change(charge, card=card)


@step
@names()
def rented_for_long(scene: Scene) -> None:
    """Let the order be one of a kit for a weekend that is due twenty days after it came."""
    order, line = scene.cast["order"], scene.cast["line"]
    scene.tx.change(line, name="Tent kit for two, weekend")
    due = scene.cast["parcel"].closed_at + timedelta(days=20)
    text = f"{order.number}: kit is due back {due:%Y-%m-%d}."
    seed.add_note_history(scene.tx, scene.customer.id, text, scene.colleague(), scene.ago((1, 2)), order.id)


@step
@names()
def scanned(scene: Scene, status: str, *, hours: float) -> None:
    """Move the last scan of the parcel, and the parcel with it, by some hours."""
    parcel = scene.tx.get(Shipment, scene.cast["parcel"].id)
    [scan] = scene.tx.all(Scan, "shipment_id = ? AND status = ?", parcel.id, status)
    then = scan.at + timedelta(hours=hours)
    scene.tx.change(scan, at=then)
    moved = {"handed_over_at": then} if status == "in_transit" else {"updated_at": then}
    if status == "delivered":
        moved["closed_at"] = then
    scene.cast["parcel"] = scene.tx.change(parcel, **moved)


@step
@names()
def holds_a_deposit(scene: Scene) -> None:
    """Let the product in the parcel be a deposit."""
    good = scene.tx.first(Product, "sku = ?", scene.cast["line"].sku)
    assert good is not None
    scene.tx.change(good, kind="deposit")


@step
@names()
def noted_at(scene: Scene, text: str, *, weekday: int, hour: int, weeks: int = 0) -> None:
    """Let a colleague have written a note on the last such weekday, at an hour (UTC)."""
    now, order = scene.tx.now, scene.cast["order"]
    day = now - timedelta(days=(now.weekday() - weekday) % 7 or 7, weeks=weeks)
    when = day.replace(hour=hour, minute=17, second=9)
    seed.add_note_history(
        scene.tx, scene.customer.id, text.format(order=order.number), scene.colleague(), when, order.id
    )


@step
@names()
def paid_early(scene: Scene) -> None:
    """Refund the lost parcel two working days before it was declared lost."""
    parcel = scene.cast["parcel"]
    when = parcel.updated_at - timedelta(days=2)
    charge = scene.cast["charge"]
    seed.add_refund_history(scene.tx, charge, when, scene.colleague(when), reason="not_received")


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
    "which is of": plan(HERE, noted_early()),
    "goes out, which left": plan(HERE, note("{order} goes out on Monday.", days_ago=(3, 6))),
    "that did not exist yet": plan(HERE, note(WINTER.format(city="Wien"), days_ago=(60, 90), about="")),
    "and a note sent the plan to": plan(
        subscription(COFFEE, bags=(5, 5)), note(WINTER.format(city="Nowhere"), days_ago=(32, 33), about=""),
    ),
    "at the door": plan(HERE, returned(), returned_at_the_door()),
    "and scanned later": plan(order(SMALL, (18, 26), "lost"), moved("parcel", "updated_at", days=3)),
    "and was updated before": plan(
        subscription(COFFEE, status="cancelled", ended="after"), moved("subscription", "updated_at", days=1)
    ),
    "and left": plan(HERE, moved("parcel", "handed_over_at", days=-15)),
    "and opened": plan(HERE, returned(), moved("return", "received_at", days=8)),
    "that expired in": plan(HERE, paid_with_an_old_card()),
    "days after it came": plan(HERE, rented_for_long()),
    "writes the date": plan(HERE, letter=("we leave on 2026-06-15, and {which} is late.", "[Thanks.|Bye.]")),
    "excuses the customer's own language": plan(
        HERE, letter=("sorry for my English.", "[Where is {which}?|Is {which} here?]"), languages=["en"]
    ),
    "costs that and was dearer": plan(HERE, letter=("{which} is now in the shop for 1.00 EUR.", "[Hm.|Well.]")),
    "has a boiler": plan(
        order(("GR-FINCH",), (20, 30), pieces=(1, 1)),
        letter=("what came with {which} is full of scale.", "[It is dead.|It does not work.]"),
    ),
    "after its last scan": plan(LOST, scanned("lost", hours=-5 * 24)),
    "before its announced day was over": plan(LOST, moved("parcel", "estimated_at", days=-30)),
    "was collected on": plan(HERE, scanned("in_transit", hours=7)),
    "was delivered on": plan(HERE, scanned("delivered", hours=12)),
    "delivery days": plan(HERE, scanned("delivered", hours=24 * 14)),
    "which is a sum of money": plan(HERE, holds_a_deposit()),
    "when they do not work": plan(HERE, noted_at("All fine with {order}.", weekday=6, hour=11)),
    "which is over": plan(
        fresh_order(SMALL, (220, 240), waits=True),
        noted_at("{order}: it arrives on Wednesday.", weekday=1, hour=9, weeks=0),
    ),
    "and it had not left": plan(
        fresh_order(SMALL, (3, 4)), note("{order} went out all the same.", days_ago=(0, 0)),
    ),
    "before anyone could know": plan(LOST, note("{order} is lost."), moved("parcel", "updated_at", days=-20)),
    "before its parcel was lost": plan(LOST, paid_early()),
}  # fmt: skip
"""For each rule a past that breaks it, by words of its message."""


BEFORE = open_world("larkspur", "small", "planted violations").read(rows_before)


@pytest.mark.parametrize("told", BROKEN)
def test_a_past_that_cannot_have_happened_is_refused(told: str) -> None:
    problems = [one for seed in range(8) for one in implausible(_read(BROKEN[told], seed))]
    assert any(told in one for one in problems), problems


def test_the_check_of_a_scenario_applies_the_rules() -> None:
    told = "before it came"
    assert any(told in one for one in the_records_are_plausible(desk(BROKEN[told])))


def _read(one: Plan, seed: int = 0) -> Written:
    """Return what was staged for a variant of a plan."""
    episode = start(desk(one), seed)
    return episode.world.read(lambda tx: written_of(tx, episode.truth, BEFORE))


def test_no_row_is_older_than_the_account_of_its_customer() -> None:
    written = _read(plan(HERE))
    young = msgspec.structs.replace(written.customer, created_at=written.at)
    told = list(implausible(msgspec.structs.replace(written, customer=young)))
    assert any("older than the account" in one for one in told)


def test_a_parcel_in_time_comes_before_the_trip() -> None:
    written = _read(plan(order(SMALL, (5, 6), "in_transit")))
    [sent] = [one for one in written.staged(written.rows.parcels) if one.status == "in_transit"]
    late = msgspec.structs.replace(
        written,
        letter=f"We leave on {sent.estimated_at - timedelta(days=1):%-d %B}. When does it come?",
        order_number=written.number(sent.order_id),
        plan="in_time_ends_other",
    )
    assert any("the trip starts on" in one for one in implausible(late))


def test_a_letter_signed_with_a_name_twice_is_refused() -> None:
    written = msgspec.structs.replace(_read(plan(HERE)), letter="Hello, where is it?\n\nPoppy Poppy")
    assert any("signed Poppy Poppy" in one for one in implausible(written))


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
