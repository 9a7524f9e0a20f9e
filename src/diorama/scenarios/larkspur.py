"""Larkspur's desk: its agent, contact reasons and promise, and the mail that arrives on any morning."""

from __future__ import annotations

from typing import TypeVar

from diorama.scenarios.desk import house_rules
from diorama.scenarios.shop import BACK_OFFICE, ShopScenario, ShopTruth
from diorama.worlds.larkspur.closing import FORM

AGENT = "ana@larkspur.coffee"
"""The colleague whose role the agent takes."""

REASONS = FORM.tags
"""Contact reasons: every ticket of the desk carries exactly one of these tags when it is solved."""

FIRST_REPLY_HOURS = 8.0
HOUSE_RULES = house_rules(REASONS, BACK_OFFICE)

SMALL_TALK = (
    (
        "Descaling light",
        "Hi, the descaling light came on again after two weeks. Is that normal with hard water? Thanks",
    ),
    ("opening hours", "do you have a shop where i can try the Corvina before buying?"),
    ("Invoice copy", "Could you resend the invoice for my last coffee order, my accountant lost it. Best regards"),
    ("Grind size", "Which grind setting would you recommend for the Huila beans in a moka pot?"),
    ("Re: Newsletter", "Please take me off the newsletter, I unsubscribed twice already."),
    ("Gift wrapping??", "is it possible to have an order gift wrapped and with a card? its for my mums birthday"),
    (
        "Portafilter basket",
        "Hello, does the 18g basket fit the smaller machine or only the big one? I could not find it on the site.",
    ),
    ("voucher", "The voucher code from the magazine says invalid at checkout. SPRING something. Can you check."),
)
"""Mails of other customers: subject and text."""

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
