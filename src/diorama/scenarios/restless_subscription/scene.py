"""Building blocks of subscription plans: customers' names for the coffees, and staged histories."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice import rules as office
from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.customers import default_address
from diorama.apps.backoffice.schema import Customer, Subscription
from diorama.apps.backoffice.seed import History
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.kernel import Dice, Tx
from diorama.people.addresses import Home, draw_home
from diorama.scenarios.restless_subscription.standing import Want
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.words import spoken_dates
from diorama.worlds.larkspur import catalogue

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
OFFERS = {offer.code: offer for offer in catalogue.OFFERS}
SOLD = tuple(code for code, offer in OFFERS.items() if offer.active and offer.interval_weeks > 1)
RETIRED = "classic-6w"
COFFEES = {
    "harbour-2w": "[the Harbour Blend every two weeks|two bags of Harbour Blend every other week]",
    "harbour-4w": "[two bags of Harbour Blend every four weeks|the two-bag Harbour Blend, every four weeks]",
    "harbour-kilo-4w": "[the whole kilo of Harbour Blend every four weeks|a kilo of Harbour every four weeks]",
    "night-2w": "[the Night Shift every two weeks|that dark one, Night Shift, every other week]",
    "explorer-2w": "[the Explorer every two weeks|the single origins (Explorer?) every other week]",
    "explorer-4w": "[the Explorer with three bags every four weeks|three bags of the Explorer every four weeks]",
    "decaf-4w": "[the decaf every four weeks|the Huila decaf, every four weeks]",
}
"""The plans as customers call them."""

WORDS = {"harbour": "Harbour", "night": "Night Shift", "explorer": "Explorer", "decaf": "Decaf", "classic": "Classic"}
GRINDS = {
    "whole_bean": ("[we bought a grinder, so whole beans from now on|whole beans please, I grind them myself now]",),
    "espresso": ("[ground for espresso please, I finally have a machine|espresso grind please, the machine has come]",),
    "moka": ("[ground for the moka pot please|moka pot grind please, the grinder broke]",),
    "filter": ("[ground for filter please|filter grind please, that is all I make now]",),
    "french_press": ("[ground for the French press please|French press grind please, it is all we use]",),
}
GRIND_WORDS = {
    "whole_bean": ("whole bean", "whole-bean", "whole_bean", "beans"),
    "espresso": ("espresso",),
    "moka": ("moka",),
    "filter": ("filter",),
    "french_press": ("french press", "french_press", "cafetiere", "cafetière"),
}
WHY_ENOUGH = {
    "too_expensive": "[It has simply become too expensive for us.|Money is tight, and the coffee has to go first.]",
    "too_much": "[The bags pile up faster than we can drink them.|We cannot drink this much coffee.]",
    "taste": "[I never warmed to the taste, and I did try.|The taste is not for me, sorry.]",
    "moving": "[We are moving to the other side of the world.|I am moving, to a place with a roaster downstairs.]",
    "service": "[Your service wore me out, one late parcel after another.|Poor service, I am tired of asking.]",
}
ENDED = ("cancelled", "canceled", "ended", "stopped", "over since", "closed")
GONE = (
    "no longer",
    "not sold",
    "discontinued",
    "not available",
    "unavailable",
    "not offer",
    "retired",
    "stopped selling",
)


class Step(msgspec.Struct, frozen=True):
    """One tool call of the solution."""

    tool: str
    arguments: dict[str, Any]


class Case(cases.Case, kw_only=True):
    """A customer who wants something about their coffee."""

    reason: str = "reason_subscription"
    answer: str
    """The true answer to send in the end."""
    wish: str
    want: Want | None = None
    keeps: tuple[Want, ...] = ()
    cancels: str = ""
    """An order that must not be sent."""
    renews: bool = False
    """Whether the solution causes a bag to be charged."""
    steps: tuple[Step, ...] = ()


class Scene:
    """What every plan begins with: a customer and dice."""

    def __init__(self, tx: Tx, customer: Customer, dice: Dice) -> None:
        self.tx = tx
        self.customer = customer
        self.dice = dice

    def soon(self) -> timedelta:
        """Draw the time until the next renewal, a few days."""
        return timedelta(days=self.dice.integer(2, 8), hours=self.dice.integer(0, 11), minutes=self.dice.integer(0, 59))

    def day(self, low: int, high: int) -> datetime:
        """Draw a day `low` to `high` days from now, at 08:00."""
        return (self.tx.now + self.dice.integer(low, high) * DAY).replace(hour=8, minute=0, second=0, microsecond=0)

    def spoken(self, moment: datetime) -> str:
        """Return a date in one of the forms that customers write."""
        forms = spoken_dates(moment)
        return self.dice.pick((forms[1], forms[2], f"the {forms[5]}", forms[6]))

    def coffee(
        self,
        code: str = "",
        due: timedelta | None = None,
        *,
        was: str = "",
        last: Outcome = "auto",
        option: str = "whole_bean",
        stopped: datetime | None = None,
        status: Any = "active",
    ) -> tuple[Subscription, list[History]]:
        """Add a subscription of some months; `was`: plan of all bags but the last; `last`: outcome of that bag."""
        code = code or self.dice.pick(SOLD)
        step = timedelta(weeks=OFFERS[code].interval_weeks)
        due = self.soon() if due is None else due
        began = (self.tx.now + due if stopped is None else stopped + 2 * DAY) - step * self.dice.integer(3, 6)
        subscription, _ = seed.add_subscription_history(
            self.tx,
            self.customer,
            code,
            began,
            status=status,
            option=option,
            ended_at=stopped,
            renewals=False,
        )
        past = []
        for index in range(subscription.renewals):
            newest = index == subscription.renewals - 1
            offer = OFFERS[code if newest or not was else was]
            past.append(
                seed.add_order_history(
                    self.tx,
                    self.customer,
                    [(offer.sku, offer.quantity)],
                    began + step * index,
                    outcome=last if newest else "auto",
                    address=subscription.shipping_address,
                    channel="subscription",
                    subscription_id=subscription.id,
                    price_cents=offer.price_cents,
                )
            )
        return self.tx.change(subscription, last_order_id=past[-1].order.id), past

    def paused(self, until: datetime | None) -> Subscription:
        """Add a subscription that was paused some weeks ago."""
        subscription, _ = self.coffee(stopped=self.tx.now - self.dice.integer(20, 45) * DAY, status="paused")
        timer = self.tx.at(until, office.end_pause, subscription_id=subscription.id) if until else 0
        return self.tx.change(subscription, resumes_at=until, timer=timer)

    def elsewhere(self) -> Home:
        """Draw a home in another town of the customer's country."""
        mine = default_address(self.tx, self.customer.id)
        for count in range(20):
            found = draw_home(self.dice.child("elsewhere", count), mine.country)
            if found.city != mine.city:
                return found
        raise LookupError(f"no other town than {mine.city}")

    def note(self, body: str, days: int, author: str = "lucia@larkspur.coffee") -> None:
        """A colleague added a note."""
        seed.add_note_history(self.tx, self.customer.id, body, author, self.tx.now - days * DAY)

    def subject(self, *more: str) -> str:
        """Return the subject of the mail."""
        return self.dice.pick(("Subscription", "my coffee subscription", "Coffee", "about my next bag", "Hello", *more))


def as_it_is(subscription: Subscription, **changes: Any) -> Want:
    """Return a subscription's current state as a Want, with some changes."""
    plan = changes.get("plan", subscription.plan_code)
    fields: dict[str, Any] = {
        "id": subscription.id,
        "status": subscription.status,
        "plan": plan,
        "option": subscription.option,
        "weeks": OFFERS[plan].interval_weeks,
        "renewals": subscription.renewals,
        "next_at": subscription.next_renewal_at,
    }
    return Want(**{**fields, **changes})


def change(subscription: Subscription, action: str, **more: Any) -> Step:
    """Return the step that performs an action on a subscription."""
    return Step("backoffice_change_subscription", {"subscription_id": subscription.id, "action": action, **more})


def stamp(moment: datetime) -> str:
    """Format a time as the API expects it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def price(code: str) -> int:
    """Return the price of one bag of a plan, in cents."""
    return OFFERS[code].price_cents


def word(code: str) -> str:
    """Return the common name of a plan's coffee."""
    return WORDS[code.split("-")[0]]


def due_at(subscription: Subscription) -> datetime:
    """Return the time of the next renewal."""
    assert subscription.next_renewal_at is not None
    return subscription.next_renewal_at
