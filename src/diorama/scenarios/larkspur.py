"""Larkspur's desk: its form, people, goods and limits, and the mail that arrives on any day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.kit.deeds import Owed
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

    def record(self, reason: str, cast: Mapping[str, Any], owed: Sequence[Owed]) -> tuple[str, tuple[str, ...]]:
        """Return the record that the contact reason names: see `worlds/larkspur/closing.py`."""
        kinds = {one.kind for one in owed}
        if reason == "reason_refund":
            known = (cast["refund"].id,) if "refund" in cast else ()
            if "refund" in kinds:
                return "refund", known
            return "", known or (cast["charge"].id,)
        if reason == "reason_lost_parcel" and "parcel" in cast:
            return ("reshipment" if "reshipment" in kinds else ""), (cast["parcel"].tracking_number,)
        if reason == "reason_return" and "label" in kinds:
            return "label", ()
        if reason == "reason_warranty" and "unit" in cast:
            sent = (cast["replacement"].new_serial_number,) if "replacement" in cast else ()
            return "", tuple(one for one in (cast["unit"].id, *sent) if one)
        order = cast["order"].number if "order" in cast else cast["customer"].id
        plain = {
            "reason_double_charge": lambda: (cast.get("second") or cast.get("second_charge") or cast["charge"]).id,
            "reason_address": lambda: (
                order if "order" in cast or "subscription" not in cast else cast["subscription"].id
            ),
            "reason_subscription": lambda: cast["subscription"].id,
            "reason_return": lambda: cast["return"].number if "return" in cast else order,
            "reason_dispute": lambda: cast["charge"].id,
            "reason_warranty": lambda: cast["line"].serial_numbers[0],
        }
        return "", (plain.get(reason, lambda: order)(),)
