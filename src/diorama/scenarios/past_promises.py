"""Pasts of what a company promises: pages for staff, amounts of a season, goodwill that was given, and VIPs."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.credits import recent_goodwill_cents
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk.schema import User
from diorama.scenarios.cast import spoken
from diorama.scenarios.past import Scene, names, step
from diorama.scenarios.past_moments import Days
from diorama.scenarios.past_pages import publish_page

VIP = "vip"
"""The segment of the back office, and the tag of the desk."""


@step
@names()
def vip(scene: Scene, known: bool = True) -> None:
    """Let the customer be a VIP; without `known` only the back office says so, and the desk has no tag."""
    scene.tx.change(scene.tx.get(Customer, scene.customer.id), segment=VIP)
    user = scene.tx.first(User, "email = ?", scene.customer.email)
    if user is not None:
        tags = {*user.tags, VIP} if known else {*user.tags} - {VIP}
        scene.tx.change(user, tags=tuple(sorted(tags)))


@step
@names("**cents")
def drawn(scene: Scene, /, **cents: Sequence[int]) -> None:
    """Draw amounts that differ from season to season: each name gets one of its amounts in cents."""
    for name, choices in cents.items():
        scene.cast[name] = scene.roll(name).pick(choices)


@step
@names()
def published(scene: Scene, title: str, body: str, days_ago: Days, *, beside: str, author: str) -> None:
    """Let a colleague have published a page in the section of the page `beside`, for the same readers.

    The body may have slots of the cast, such as amounts of this season.
    """
    at = scene.ago(days_ago)
    publish_page(scene.tx, title, spoken(body, scene.cast), author, at, beside=beside)


@step
@names("=name")
def granted(scene: Scene, cents: Sequence[int], days_ago: Days, name: str = "granted") -> None:
    """Let a colleague have given the customer goodwill as store credit: `granted`."""
    at = scene.at_work(scene.ago(days_ago))
    scene.known_since(at)
    amount = scene.roll("granted").pick(cents)
    scene.cast[name] = seed.add_credit_history(scene.tx, scene.customer, amount, at, scene.colleague(at))


@step
@names("goodwill")
def goodwill(scene: Scene, of: str, *, most: int, days: int) -> None:
    """Name what a promise gives now: the cast's amount `of`, within `most` cents in `days` days: `goodwill`."""
    left = most - recent_goodwill_cents(scene.tx, scene.customer.id, days)
    scene.cast["goodwill"] = max(0, min(scene.cast[of], left))
