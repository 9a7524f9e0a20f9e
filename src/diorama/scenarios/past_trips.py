"""Pasts before a trip: the day on which it starts, and another address in the customer's province."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.apps.backoffice.schema import Postal
from diorama.people.addresses import draw_home
from diorama.scenarios.past import Scene, names, step
from diorama.scenarios.past_moments import Days
from diorama.worlds.kittiwake.firm import FIRM


@step
@names("leaves")
def trip(scene: Scene, in_days: Days = (2, 12)) -> None:
    """Let the customer leave in some days: `leaves`."""
    scene.cast["leaves"] = scene.tx.now + timedelta(
        seconds=scene.roll("trip").integer(*(86_400 * day for day in in_days))
    )


@step
@names()
def comes_before(scene: Scene, of: str = "parcel") -> None:
    """Let the trip start after the day on which a parcel is expected."""
    due: datetime = scene.cast[of].estimated_at
    if scene.cast["leaves"].date() <= due.date():
        scene.cast["leaves"] = due + timedelta(days=scene.roll("leaves later").integer(1, 6))


@step
@names("goal")
def elsewhere(scene: Scene) -> None:
    """Draw an address in another town of the customer's province, which no record has: `goal`."""
    here: Postal = scene.cast["home"]
    while True:
        found = draw_home(scene.roll("elsewhere"), here.region, FIRM.names)
        if found.city != here.city:
            break
    scene.cast["goal"] = Postal(
        name=here.name, line1=found.line1, line2="", city=found.city, postal_code=found.postal_code,
        region=found.region, country=found.country,
    )  # fmt: skip
