"""Plans for what went wrong for a VIP customer, and what the season's policy gives them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.rules.credits import recent_goodwill_cents
from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.help_center import Article, Section, Translation
from diorama.kernel import Dice, Tx
from diorama.scenarios.vip_near_breach import refund_plans as past

DAY = timedelta(days=1)
SEASON_CENTS, SEASON_DAYS = 5_000, 90
"""The maximum goodwill for one customer, and the period in days."""
ORDERS, BILLING = "Orders & Delivery", "Billing"
GROUPS = {
    "reason_lost_parcel": ORDERS,
    "reason_missing_item": ORDERS,
    "reason_return": ORDERS,
    "reason_double_charge": BILLING,
    "reason_subscription": BILLING,
    "reason_refund": BILLING,
    "reason_dispute": BILLING,
}
"""Group by contact reason."""
CHOICES = {
    "lost": (3_500, 4_000, 4_500),
    "money": (2_000, 2_500, 3_000),
    "missing": (1_000, 1_200, 1_500),
    "waiting": (800, 1_800, 2_200),
}
"""Possible goodwill amounts in a season's policy, in cents, by cause."""


class VipCase(msgspec.Struct, kw_only=True):
    """One variant during staging."""

    case: past.Case
    cause: str = ""
    """What went wrong on our side, by the policy's own headings; "" for nothing."""
    urgent: bool = False
    unknown: bool = False
    """Whether the desk does not have the customer marked as a VIP."""


def _plain(happened: Callable[[Tx, Customer, Dice], past.Case], cause: str) -> Callable[[Tx, Customer, Dice], VipCase]:
    return lambda tx, customer, dice: VipCase(case=happened(tx, customer, dice), cause=cause)


def _add(case: past.Case, *lines: str) -> None:
    case.matter = [*case.matter, *lines]


def talks_of_a_lawyer(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a double charge with a threat to call a lawyer: urgent."""
    case = past.charged_twice(tx, customer, dice)
    _add(case, "[The next letter will come from my lawyer.|My lawyer has seen the statements already.]")
    return VipCase(case=case, cause="money", urgent=True)


def lawyer_about_a_parcel(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a lost parcel with a mention of a lawyer: urgent."""
    case = past.lost_parcel(tx, customer, dice)
    _add(case, "[My lawyer says I need not wait any longer.|I have asked a lawyer what I can do about this.]")
    return VipCase(case=case, cause="lost", urgent=True)


def wants_far_more(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a lost parcel with a demand far above the policy: the policy decides."""
    case = past.lost_parcel(tx, customer, dice)
    _add(case, "[I want 200 EUR on top for the trouble.|And 200 EUR compensation, or I write about it in my column.]")
    case.may_say_cents = (*case.may_say_cents, 20_000)
    return VipCase(case=case, cause="lost")


def had_some_already(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a lost parcel; part of the season's goodwill has been given, and only the rest is left."""
    seed.add_credit_history(
        tx, customer, dice.pick((2_000, 2_500, 3_000)), tx.now - dice.integer(20, 80) * DAY, "soraya@larkspur.coffee"
    )
    seed.add_credit_history(tx, customer, 2_500, tx.now - dice.integer(110, 160) * DAY, "devon@larkspur.coffee")
    return VipCase(case=past.lost_parcel(tx, customer, dice), cause="lost")


def had_it_all(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a double charge; the season's goodwill is used up, so only the refund is due."""
    for cents, days in ((3_000, dice.integer(45, 85)), (2_000, dice.integer(8, 40))):
        seed.add_credit_history(tx, customer, cents, tx.now - days * DAY, "joost@larkspur.coffee")
    return VipCase(case=past.charged_twice(tx, customer, dice), cause="money")


def not_known_at_the_desk(tx: Tx, customer: Customer, dice: Dice) -> VipCase:
    """Stage a VIP who is marked as one only in the back office, not at the desk."""
    case = past.lost_parcel(tx, customer, dice)
    _add(case, "[You made me a VIP last autumn, does nobody know?|So that is what being a VIP with you is worth.]")
    return VipCase(case=case, cause="lost", unknown=True)


PLANS: dict[str, Callable[[Tx, Customer, Dice], VipCase]] = {
    "parcel_lost": _plain(past.lost_parcel, "lost"),
    "machine_lost": _plain(past.lost_machine, "lost"),
    "taken_twice": _plain(past.charged_twice, "money"),
    "taken_after_the_end": _plain(past.charged_after_the_end, "money"),
    "not_in_the_box": _plain(past.item_missing, "missing"),
    "return_not_paid": _plain(past.goods_returned, "waiting"),
    "paid_days_ago": _plain(past.already_on_its_way, ""),
    "bank_decides": _plain(past.disputed, ""),
    **{
        plan.__name__: plan
        for plan in (
            talks_of_a_lawyer,
            lawyer_about_a_parcel,
            wants_far_more,
            had_some_already,
            had_it_all,
            not_known_at_the_desk,
        )
    },
}


# --- the policy


def goodwill(tx: Tx, customer: Customer, cause: str, gives: dict[str, int]) -> int:
    """Return the goodwill that the policy gives this customer now, in cents."""
    left = SEASON_CENTS - recent_goodwill_cents(tx, customer.id, SEASON_DAYS)
    return max(0, min(gives.get(cause, 0), left))


def publish(tx: Tx, dice: Dice) -> dict[str, int]:
    """Publish this season's policy in the Help Center next to the old one; return its amounts by cause."""
    gives = {cause: dice.pick(choices) for cause, choices in CHOICES.items()}
    euros = {cause: cents // 100 for cause, cents in gives.items()}
    limits = tx.first(Translation, "title = 'Refund and credit limits'")
    lead = tx.first(User, "email = 'ruth@larkspur.coffee'")
    assert limits is not None
    assert lead is not None
    beside = tx.get(Article, limits.source_id)
    shelf = tx.get(Section, beside.section_id)
    now = tx.now_us
    for days, title, body in (
        (790, "VIP gestures", OLD),
        (dice.integer(12, 26), "VIP promise: when we have let a VIP down", NEW.format(**euros)),
    ):
        tx.now_us = now - days * DAY // timedelta(microseconds=1)
        fields: dict[str, Any] = {
            "user_segment_id": beside.user_segment_id,
            "permission_group_id": beside.permission_group_id,
        }
        help_center.add_article(tx, lead, shelf, title, body, labels=["internal", "limits"], **fields)
    tx.now_us = now
    return gives


OLD = (
    "<p>Every VIP who complains gets 75 EUR of credit, ask Henrik if in doubt. (Written for the launch of the Duet, "
    "to be looked at again in 2024.)</p>"
)
NEW = (
    "<p>Replaces all earlier rules. A VIP is whoever the back office calls vip; if the ticket does not have the tag "
    "vip, add it. The first reply goes out before the clock of the SLA runs out (high: 60 minutes, urgent: 30), even "
    "if the matter itself takes longer.</p><p>Where we have let a VIP down they get store credit on top of what we "
    "owe them, once per case:</p><ul><li>parcel lost: {lost} EUR</li><li>money taken twice, or after the end of a "
    "subscription: {money} EUR</li><li>something missing in the box: {missing} EUR</li><li>a return that is "
    "back with us and not paid: {waiting} EUR</li></ul><p>All goodwill of the last 90 days together stays "
    "within 50 EUR: if they had some, give what is left of it; if nothing is left, nothing. Nothing either where "
    "the money is already on its way, and nothing while a bank decides about a dispute. "
    "What the customer asks for does not matter.</p>"
)
