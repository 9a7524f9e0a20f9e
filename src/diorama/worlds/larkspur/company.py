"""Larkspur Coffee's staff: who works there, in which team, when, and with which habits."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from diorama.worlds.team import Colleague, Team

NAME = "Larkspur Coffee"
DOMAIN = "larkspur.coffee"
SUPPORT = f"support@{DOMAIN}"
TIME_ZONE, CURRENCY, LOCALE = "Berlin", "EUR", "en-US"
FOUNDED = datetime(2021, 3, 15, 9, 12, 44, tzinfo=UTC)

FIRST_LINE = "First Line"
ORDERS = "Orders & Delivery"
WORKSHOP = "Machines & Warranty"
BILLING = "Billing"
WHOLESALE = "Wholesale"
GROUPS = {
    FIRST_LINE: "Takes everything that comes in.",
    ORDERS: "Parcels, carriers, returns, addresses.",
    WORKSHOP: "Faults, repairs, spare parts, warranty.",
    BILLING: "Charges, refunds, invoices, subscriptions.",
    WHOLESALE: "Offices, cafes and hotels.",
}

HOLIDAYS = {
    "Christmas 2024": ("2024-12-25", "2024-12-26"),
    "New Year 2025": ("2025-01-01", "2025-01-01"),
    "Easter 2025": ("2025-04-18", "2025-04-18"),
    "Easter Monday 2025": ("2025-04-21", "2025-04-21"),
    "Labour Day 2025": ("2025-05-01", "2025-05-01"),
    "Christmas": ("2025-12-25", "2025-12-26"),
    "New Year": ("2026-01-01", "2026-01-01"),
    "Good Friday": ("2026-04-03", "2026-04-03"),
    "Easter Monday": ("2026-04-06", "2026-04-06"),
    "Labour Day": ("2026-05-01", "2026-05-01"),
}
"""Days on which the desk is closed: first and last day."""


def _person(handle: str, name: str, **facts: object) -> Colleague:
    return msgspec.convert({"email": f"{handle}@{DOMAIN}", "name": name, "since": FOUNDED, **facts}, Colleague)


COLLEAGUES = (
    _person(
        "ana",
        "Ana Duarte",
        groups=(FIRST_LINE, ORDERS, WORKSHOP, BILLING),
        habit="warm",
        languages=("en", "es", "fr"),
        share=1.3,
        notes=0.3,
        since=datetime(2022, 9, 1, 8, tzinfo=UTC),
    ),
    _person(
        "tomasz",
        "Tomasz Wilk",
        groups=(WORKSHOP, FIRST_LINE),
        habit="brisk",
        languages=("en", "de"),
        speed=0.7,
        share=1.5,
        tags=0.4,
        notes=0.15,
        shift=(6, 14),
    ),
    _person(
        "imke",
        "Imke Petersen",
        groups=(WORKSHOP,),
        habit="careful",
        languages=("de", "en", "nl"),
        speed=1.5,
        share=0.9,
        tags=0.95,
        notes=0.6,
        forgets=0.01,
    ),
    _person(
        "devon",
        "Devon Clarke",
        groups=(FIRST_LINE, ORDERS),
        habit="chatty",
        speed=0.9,
        share=1.4,
        tags=0.5,
        forgets=0.09,
        shift=(10, 19),
        since=datetime(2024, 5, 6, 8, tzinfo=UTC),
    ),
    _person(
        "soraya",
        "Soraya Benali",
        groups=(FIRST_LINE, BILLING),
        habit="macro",
        languages=("fr", "en"),
        share=1.2,
        tags=0.9,
        forgets=0.08,
        since=datetime(2023, 2, 13, 8, tzinfo=UTC),
    ),
    _person(
        "joost",
        "Joost Hendriks",
        groups=(ORDERS, FIRST_LINE),
        habit="brisk",
        languages=("nl", "en", "de"),
        share=1.1,
        days=(1, 2, 3, 4, 5),
        tags=0.6,
    ),
    _person(
        "lucia",
        "Lucía Ferrer",
        groups=(BILLING, FIRST_LINE),
        habit="warm",
        languages=("es", "en"),
        share=0.8,
        days=(0, 1, 2),
        tags=0.8,
        notes=0.4,
    ),
    _person(
        "marek",
        "Marek Novák",
        groups=(WHOLESALE, FIRST_LINE),
        habit="careful",
        languages=("en", "de"),
        share=0.5,
        speed=1.8,
        since=datetime(2025, 1, 7, 8, tzinfo=UTC),
    ),
    _person(
        "ruth",
        "Ruth Ogilvie",
        role="lead",
        groups=tuple(GROUPS),
        habit="careful",
        share=0.3,
        notes=0.7,
        tags=0.9,
    ),
    _person("henrik", "Henrik Solberg", role="manager", team="Finance", groups=(BILLING,), habit="brisk", share=0.05),
    _person("piet", "Piet van Dalen", team="Warehouse", groups=(ORDERS,), habit="brisk", share=0.05, shift=(5, 14)),
    _person("grainne", "Gráinne Tierney", team="Roastery", habit="chatty", share=0.0),
)
TEAM = Team(COLLEAGUES, HOLIDAYS)
LEAD = TEAM.lead
AT_THE_DESK = TEAM.at_the_desk
