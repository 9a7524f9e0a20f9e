"""Pasts of rented kits: out, back, short, late, late with leave, booked ahead and cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Order, OrderLine
from diorama.scenarios.past import Scene, names, step, unpacked_at
from diorama.scenarios.past_moments import Days
from diorama.worlds.kittiwake.catalogue import DEPOSIT, RENTED

KITS = tuple(good.sku for good in RENTED)
NAMES = {good.sku: good.name for good in RENTED}
PIECES = {
    "RN-KIT2W": ("a pole", "a mat", "the peg bag", "a guy line"),
    "RN-KIT2": ("a pole", "a mat", "the peg bag", "a guy line"),
    "RN-KIT4": ("a pole", "a mat", "the peg bag", "a sleeping bag"),
    "RN-PACK": ("the rain cover", "the storage sack", "a compression strap"),
    "RN-PADDLE": ("a dry bag", "the paddle leash", "a drip ring"),
}
"""What can be missing from each kit."""
WORN = ("muddy", "a strap frayed", "a seam scuffed", "smells of campfire", "zipper stiff with salt", "a small tear")
DUE = (
    "{order}: kit is due back {day}.",
    "Due back {day} ({order}).",
    "{order} out, back on {day}, label is in the box",
)
LEAVE = (
    "{order}: ferry cancelled, told them {days} later is fine, no charge.",
    "They are stuck in the rain. {days} more for {order} is OK with us, we will not charge it.",
    "{order}: nobody has booked the kit next, {days} longer agreed on the phone at no cost.",
)
PIECE_CENTS, DAY_CENTS, KEPT_AT_MOST_CENTS = 2_500, 2_000, 6_000
DAYS_OUT = {"weekend": (4, 6), "week": (7, 8)}
"""How many days before it is due a kit is delivered, by the last word of its name."""
DAYS_AHEAD = (6, 9)
"""How many days before its delivery a kit is rented."""
AT_WORK = (12, 19)
"""Hours of the shop, in UTC."""


def kept_cents(pieces: int, days_late: int) -> int:
    """Return what is kept of a deposit for missing pieces and late days."""
    return min(KEPT_AT_MOST_CENTS, pieces * PIECE_CENTS + days_late * DAY_CENTS)


@step
@names("{name}order", "{name}charge", "{name}line", "{name}parcel", "{name}due", "{name}deposit")
def rented(
    scene: Scene,
    weeks_ago: Days = (0, 2),
    outcome: Literal["delivered", "cancelled"] = "delivered",
    *,
    name: str = "",
) -> None:
    """Let the customer have rented a kit that was due back on a Tuesday or a Wednesday, some weeks ago.

    Names `order`, `charge`, `line` (the kit), `parcel`, `due` and `deposit`. Negative weeks: it is still out, and not
    due yet. A cancelled booking has no day on which it is due.
    """
    lead = f"{name}_" if name else ""
    dice = scene.roll("rental")
    kit = _new_kit(scene)
    due = _due(scene, dice.integer(*weeks_ago), dice.integer(1, 2))
    came = _weekday_before(due, dice.integer(*DAYS_OUT[NAMES[kit].rpartition(" ")[2]]))
    while came > scene.tx.now - timedelta(days=2):  # it is out already
        due, came = due - timedelta(weeks=1), came - timedelta(weeks=1)
    came = _daytime(scene, came, AT_WORK)
    placed = _daytime(scene, came - timedelta(days=dice.integer(*DAYS_AHEAD)), (11, 23))
    _keep_kit(scene, kit, placed, outcome, name, came)
    if outcome == "delivered":
        scene.cast[f"{lead}due"] = due
        noted = _daytime(scene, scene.cast[f"{lead}order"].created_at + timedelta(days=1), AT_WORK)
        _note(scene, dice.pick(DUE), noted, scene.cast[f"{lead}order"], day=f"{due:%Y-%m-%d}")


@step
@names("{name}order", "{name}charge", "{name}line", "{name}parcel", "{name}deposit")
def booked(scene: Scene, days_ago: Days = (2, 9), *, name: str = "") -> None:
    """Let the customer have booked a kit that has not left yet: `order`, `charge`, `line`, `deposit`."""
    _keep_kit(scene, _new_kit(scene), scene.ago(days_ago), "open", name)


@step
@names("{name}return", "{name}kept", "{name}back")
def kit_back(
    scene: Scene,
    pieces: Days = (0, 0),
    late: Days = (0, 0),
    *,
    leave: bool = False,
    name: str = "",
) -> None:
    """Let the rented kit have come back, without some pieces and some days late; `leave`: a colleague allowed that.

    Names `return`, `back` (cents of the deposit that go back) and `kept`.
    """
    lead = f"{name}_" if name else ""
    dice, past = scene.roll("kit back"), scene.histories[f"{lead}order"]
    due: datetime = scene.cast[f"{lead}due"]
    lost, days_late = dice.integer(*pieces), dice.pick(_working_days(scene, due, range(late[0], late[1] + 1)))
    came = _daytime(scene, due + timedelta(days=days_late or dice.pick(_working_days(scene, due, (0, -1)))), AT_WORK)
    seen = unpacked_at(scene, past)
    opened = scene.at_work(due - timedelta(days=2), since=seen)
    made = seed.add_return_history(scene.tx, past, opened, scene.colleague(opened), not_before=seen)
    worn = dice.sample(WORN, dice.integer(0, 2))
    gone = dice.sample(PIECES[past.lines[0].sku], lost)
    count = f"{lost} piece{'s' * (lost > 1)} missing ({', '.join(gone)})" if lost else "all there"
    note = f"Kit counted: {', '.join((*worn, count) if dice.chance(0.5) else (count, *worn))}."
    kept = kept_cents(lost, 0 if leave else days_late)
    scene.cast |= {
        f"{lead}return": scene.tx.change(made, status="received", received_at=came, updated_at=came, note=note),
        f"{lead}kept": kept,
        f"{lead}back": DEPOSIT.price_cents - kept,
    }
    if leave:
        days = "one day" if days_late == 1 else f"{days_late} days"
        asked = _daytime(scene, due - timedelta(days=1), AT_WORK)
        _note(scene, dice.pick(LEAVE), asked, past.order, days=days)


@step
@names("return")
def kit_on_its_way(scene: Scene, days_ago: Days = (2, 4)) -> None:
    """Let the rented kit have been posted some days ago and not have arrived: `return`."""
    past = scene.histories["order"]
    seen = unpacked_at(scene, past)
    asked = scene.at_work(scene.ago(days_ago), since=seen)
    made = seed.add_return_history(scene.tx, past, asked, scene.colleague(asked), not_before=seen)
    posted = min(scene.near(made.created_at), scene.tx.now)
    scene.cast["return"] = scene.tx.change(made, status="in_transit", updated_at=posted)


def _working_days(scene: Scene, due: datetime, days: Sequence[int]) -> list[int]:
    """Return the numbers of days after a day that lead to one on which the shop works; all of them if there is none."""
    return [one for one in days if scene.works_on(due + timedelta(days=one))] or list(days)


def _new_kit(scene: Scene) -> str:
    """Draw a kit that the customer has not rented before."""
    mine = {one.id for one in scene.tx.all(Order, "customer_id = ?", scene.customer.id)}
    had = {one.sku for one in scene.tx.all(OrderLine, "sku LIKE 'RN-%'") if one.order_id in mine}
    return scene.roll("kit").pick([sku for sku in KITS if sku not in had] or KITS)


def _keep_kit(
    scene: Scene,
    kit: str,
    placed: datetime,
    outcome: Literal["open", "delivered", "cancelled"],
    name: str,
    came: datetime | None = None,
) -> None:
    """Add the order of a kit and of its deposit; `came`: when it was delivered."""
    scene.known_since(placed)
    goods = [(kit, 1), (DEPOSIT.sku, 1)]
    past = seed.add_order_history(
        scene.tx, scene.customer, goods, placed, outcome=outcome, live=False, delivered_at=came
    )
    scene.keep(past, name)
    lead = f"{name}_" if name else ""
    scene.cast |= {f"{lead}line": past.lines[0], f"{lead}deposit": DEPOSIT.price_cents}


def _due(scene: Scene, weeks_ago: int, weekday: int) -> datetime:
    """Return a moment on the last such weekday that is four days ago or more, and some weeks before (or after)."""
    found = scene.tx.now - timedelta(days=4)
    found -= timedelta(days=(found.weekday() - weekday) % 7, weeks=weeks_ago)
    return _daytime(scene, found, AT_WORK)


def _weekday_before(moment: datetime, days: int) -> datetime:
    """Return the moment some days before; a day more or two where that is a weekend, when nothing is delivered."""
    found = moment - timedelta(days=days)
    return found - timedelta(days=max(0, found.weekday() - 4))


def _daytime(scene: Scene, moment: datetime, hours: Days) -> datetime:
    dice = scene.roll("daytime")
    moment = moment.replace(minute=dice.integer(0, 59), second=dice.integer(0, 59), microsecond=0)
    return moment.replace(hour=dice.integer(*hours))


def _note(scene: Scene, text: str, at: datetime, order: Order, **values: str) -> None:
    body = text.format(order=order.number, **values)
    at = scene.at_work(at, since=order.created_at)
    seed.add_note_history(scene.tx, scene.customer.id, body, scene.colleague(at), at, order.id)
