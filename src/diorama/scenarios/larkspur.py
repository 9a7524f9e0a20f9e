"""Larkspur's desk: its form, people, goods and limits, and the mail that arrives on any day."""

from __future__ import annotations

from diorama.scenarios.desk import DeskScenario
from diorama.worlds.larkspur.catalogue import GOODS, OFFERS, POLICIES
from diorama.worlds.larkspur.closing import FORM
from diorama.worlds.larkspur.company import AT_THE_DESK

AGENT = "ana@larkspur.coffee"
"""The colleague whose role the agent takes."""
SMALL_TALK: tuple[tuple[str, str], ...] = (
    (
        "Descaling light",
        "Hi, the descaling light came on again after two weeks. Is that normal with hard water? Thanks",
    ),
    ("opening hours", "do you have a shop where i can try the Calla before buying?"),
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

SMALL = (
    "AC-TAMPER", "AC-SCALE", "AC-JUG35", "AC-JUG60", "AC-KNOCK", "AC-BTMLESS", "AC-WDT", "AC-CUPS", "AC-HANDGR",
    "AC-FILTER3", "CF-HARBOUR1K", "CF-KOCHERE", "CF-NYERI", "PT-TRAY", "PT-TANK",
)  # fmt: skip
LARGE = ("LK-LARK", "LK-ARIA", "GR-FINCH", "GR-HERON", "LK-ARIA-PID", "LK-TERN")
"""Machines and grinders: dearer than what an agent may refund alone."""
CHEAP = tuple(
    one.sku for one in GOODS if one.kind in ("accessory", "coffee") and one.active and one.price_cents < 6_000
)
COFFEE = tuple(offer.code for offer in OFFERS if offer.active and offer.interval_weeks <= 4)
"""Coffee plans."""


class Larkspur(DeskScenario):
    """A ticket of Larkspur."""

    world = "larkspur"
    person = AGENT
    agent = "Ana Duarte"
    shop = "Larkspur (espresso machines and coffee subscriptions)"
    currency = "EUR"
    form = FORM
    colleagues = tuple(one.email for one in AT_THE_DESK if one.email != AGENT and one.role == "agent")
    lead = next(one.email for one in AT_THE_DESK if one.role == "lead")
    everyday = SMALL
    small_talk = SMALL_TALK
    own_limit = next(policy.refund_limit_cents for policy in POLICIES if policy.id == "agent")
