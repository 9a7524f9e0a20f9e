"""Larkspur's desk: its agent, contact reasons and promise, and the mail that arrives on any morning."""

from __future__ import annotations

from typing import TypeVar

from diorama.scenarios.larkspur import AGENT, SMALL_TALK
from diorama.scenarios.unported.desk import house_rules
from diorama.scenarios.unported.shop import BACK_OFFICE, ShopScenario, ShopTruth
from diorama.worlds.larkspur.closing import FORM

REASONS = FORM.tags
"""Contact reasons: every ticket of the desk carries exactly one of these tags when it is solved."""

FIRST_REPLY_HOURS = 8.0
HOUSE_RULES = house_rules(REASONS, BACK_OFFICE)

T = TypeVar("T", bound=ShopTruth)


class LarkspurDesk(ShopScenario[T]):
    """A ticket of Larkspur."""

    world = "larkspur"
    person = AGENT
    agent = "Ana Duarte"
    shop = "Larkspur (espresso machines and coffee subscriptions)"
    records = "orders, charges, parcels and subscriptions"
    currency = "EUR"
    reasons = REASONS
    first_reply_hours = FIRST_REPLY_HOURS


__all__ = ["AGENT", "FIRST_REPLY_HOURS", "HOUSE_RULES", "REASONS", "SMALL_TALK", "LarkspurDesk"]
