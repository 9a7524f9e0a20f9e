"""Pasts of coffee plans: several subscriptions of one customer, and the mail is about one of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.subscriptions import plan as plan_of
from diorama.apps.backoffice.schema import Subscription
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.scenarios.desk_customers import NO_LIVE_PLAN
from diorama.scenarios.past import Scene, names, only_for, step
from diorama.scenarios.past_moments import Days
from diorama.worlds.larkspur.catalogue import OFFERS

SOLD = {offer.code: offer for offer in OFFERS if offer.active and offer.interval_weeks > 1}
NAMES = {
    "harbour": ("Harbour Blend", "Harbour"),
    "night": ("Night Shift", "dark one, Night Shift,"),
    "explorer": ("Explorer", "single origins (Explorer)"),
    "decaf": ("decaf", "Huila decaf"),
}
"""The coffees as customers call them."""
IN_FULL = {
    "harbour-2w": "two bags of Harbour Blend every two weeks",
    "harbour-4w": "two bags of Harbour Blend every four weeks",
    "harbour-kilo-4w": "the kilo of Harbour Blend every four weeks",
    "night-2w": "the Night Shift every two weeks",
    "explorer-2w": "the Explorer every two weeks",
    "explorer-4w": "the Explorer with three bags every four weeks",
    "decaf-4w": "the decaf every four weeks",
}
GRINDS = {
    "whole_bean": "whole beans, I grind them myself now",
    "espresso": "ground for espresso, I finally have a machine",
    "moka": "ground for the moka pot",
    "filter": "ground for filter, that is all I make now",
    "french_press": "ground for the French press",
}
State = Literal["active", "paused", "cancelled"]


def coffee_of(code: str) -> str:
    """Return the coffee of a plan, such as `harbour`."""
    return code.split("-")[0]


@step
@only_for(NO_LIVE_PLAN)
@names(
    "subscription",
    "coffee",
    "price",
    "former",
    "former_coffee",
    "former_price",
    "difference",
    "order",
    "charge",
    "line",
    "parcel",
)
def coffee_plans(
    scene: Scene,
    state: State = "active",
    *,
    due: Days = (4, 8),
    last: Outcome = "auto",
    last_hours_ago: Days | None = None,
    raised: bool = False,
) -> None:
    """Add three coffee plans with different coffees, in any order; the mail is about one of them.

    Names `subscription`, `coffee` (how the customer calls it), `price`, and of its last bag `order`, `charge`,
    `line`, `parcel`. It is renewed in `due` days, or was charged `last_hours_ago` (then the others may be newer).
    `raised`: a colleague moved it to a dearer plan of the same rhythm before the last bag: `former` (the code of
    the plan before), `former_coffee`, `difference`.
    """
    dice = scene.roll("coffee plans")
    former, mine = "", dice.pick(sorted(SOLD))
    if raised:
        pairs = [(a, b) for a in sorted(SOLD) for b in sorted(SOLD) if _dearer(a, b)]
        former, mine = dice.pick(pairs)
    taken = {coffee_of(mine), coffee_of(former)}
    others = [code for code in dice.shuffle(sorted(SOLD)) if coffee_of(code) not in taken]
    others = list({coffee_of(code): code for code in others}.values())[:2]
    for code in dice.shuffle([mine, *others]):
        if code == mine:
            made, past = _grown(scene, code, state, due, last, last_hours_ago, former)
            scene.keep(past[-1])
            scene.cast["subscription"] = made
        else:
            recent = (20, 70) if last_hours_ago is not None and dice.chance(0.5) else None
            _grown(scene, code, "active", (3, 13), "auto", recent, "")
    scene.cast |= {"coffee": dice.pick(NAMES[coffee_of(former or mine)]), "price": SOLD[mine].price_cents}
    if former:
        gap = SOLD[mine].price_cents - SOLD[former].price_cents
        scene.cast |= {"former": former, "former_coffee": IN_FULL[former], "difference": gap}
        scene.cast["former_price"] = SOLD[former].price_cents


def _dearer(old: str, new: str) -> bool:
    one, other = SOLD[old], SOLD[new]
    same = one.interval_weeks == other.interval_weeks and coffee_of(old) != coffee_of(new)
    return same and one.price_cents < other.price_cents


def _grown(
    scene: Scene, code: str, state: State, due: Days, last: Outcome, last_hours_ago: Days | None, former: str
) -> tuple[Subscription, list[History]]:
    """Add a subscription of some months with its bags; all but the last are of the plan `former`, if there is one."""
    dice, tx, week = scene.roll("plan"), scene.tx, timedelta(weeks=SOLD[code].interval_weeks)
    ended = scene.ago((20, 45)) if state == "paused" else scene.ago((6, 30)) if state == "cancelled" else None
    if ended is not None:
        nearest = ended + timedelta(seconds=dice.integer(86_400, 3 * 86_400))
    elif last_hours_ago is not None:
        nearest = tx.now + week - timedelta(seconds=dice.integer(*(3_600 * hours for hours in last_hours_ago)))
    else:
        nearest = tx.now + timedelta(seconds=dice.integer(*(86_400 * days for days in due)))
    began = nearest - week * dice.integer(3, 6)
    scene.known_since(began)
    option = dice.pick(sorted(GRINDS))
    made, _ = seed.add_subscription_history(
        tx, scene.customer, code, began, status=state, option=option, ended_at=ended, renewals=False
    )
    past = []
    for count in range(made.renewals):
        newest = count == made.renewals - 1
        offer = SOLD[former if former and not newest else code]
        past.append(
            seed.add_order_history(
                tx, scene.customer, [(offer.sku, offer.quantity)], began + week * count, channel="subscription",
                outcome=last if newest else "auto", address=made.shipping_address, subscription_id=made.id,
                price_cents=offer.price_cents,
            )
        )  # fmt: skip
    made = tx.change(made, last_order_id=past[-1].order.id, updated_at=ended or made.updated_at)
    return (tx.change(made, cancel_reason=dice.pick(("too_much", "other"))) if state == "cancelled" else made), past


def _said(scene: Scene, day: datetime) -> str:
    """Return a day as customers write it."""
    return scene.roll("said").pick((f"{day:%-d %B}", f"{day:%B %-d}", f"{day:%-d %B %Y}", f"{day:%-d %b}"))


@step
@names("until", "then")
def until(scene: Scene, days: Days = (20, 75)) -> None:
    """Draw a day in the future: `until`, and `then`, as the customer writes it."""
    when = scene.tx.now + timedelta(seconds=scene.roll("until").integer(*(86_400 * day for day in days)))
    scene.cast |= {"until": when, "then": _said(scene, when)}


@step
@names()
def pause_ends(scene: Scene, days: Days | None = None) -> None:
    """Let the paused subscription go on by itself in some days, or only when a colleague resumes it."""
    made: Subscription = scene.cast["subscription"]
    if days is not None:
        at = scene.tx.now + timedelta(seconds=scene.roll("pause").integer(*(86_400 * day for day in days)))
        timer = scene.tx.at(at, office.end_pause, subscription_id=made.id)
        made = scene.tx.change(made, resumes_at=at, timer=timer)
    scene.cast["subscription"] = made


@step
@names("later")
def skipped(scene: Scene, times: int = 1) -> None:
    """Name the day of the next renewal if it is skipped this many times: `later`."""
    made: Subscription = scene.cast["subscription"]
    assert made.next_renewal_at is not None
    week = timedelta(weeks=plan_of(scene.tx, made.plan_code).interval_weeks)
    scene.cast["later"] = made.next_renewal_at + times * week


@step
@names("new_plan", "new_coffee", "new_price", "new_grind", "ground")
def wanted(scene: Scene, *, coffee: bool = False, grind: bool = False) -> None:
    """Draw what the customer wants from the next bag on: `new_plan`, `new_coffee`, `new_price`; `new_grind`, `ground`.

    What stays as it is has the present values; a new coffee is one that the customer does not get in another plan.
    """
    made: Subscription = scene.cast["subscription"]
    dice, mine = scene.roll("wanted"), scene.tx.all(Subscription, "customer_id = ?", scene.customer.id)
    taken = {coffee_of(one.plan_code) for one in mine}
    free = [code for code in sorted(SOLD) if coffee_of(code) not in taken]
    code = dice.pick(free) if coffee else made.plan_code
    option = dice.pick([one for one in sorted(GRINDS) if one != made.option]) if grind else made.option
    scene.cast |= {"new_plan": code, "new_coffee": IN_FULL[code], "new_price": SOLD[code].price_cents}
    scene.cast |= {"new_grind": option, "ground": GRINDS[option]}
