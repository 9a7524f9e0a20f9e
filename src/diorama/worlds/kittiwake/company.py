"""Kittiwake Outfitters as a company: who works there, in which team, when, and with which habits."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from diorama.worlds.team import Colleague, Team

NAME = "Kittiwake Outfitters"
DOMAIN = "kittiwake.ca"
SUPPORT = f"help@{DOMAIN}"
FOUNDED = datetime(2018, 4, 9, 13, 7, 26, tzinfo=UTC)
ZONE = "America/Halifax"
DESK_ZONE = "Atlantic Time (Canada)"
"""The same zone by the desk vendor's name."""
CURRENCY = "CAD"
LOCALE = "en-US"

COUNTER = "Front Counter"
RENTALS = "Rentals"
WORKSHOP = "Gear Workshop"
SHIPPING = "Shipping & Returns"
GROUPS = {
    COUNTER: "Questions, money, everything that nobody else takes.",
    RENTALS: "Kits, kayaks, dates and deposits.",
    WORKSHOP: "Repairs, warranty, parts and care.",
    SHIPPING: "Parcels, addresses, returns and exchanges.",
}

HOLIDAYS = {
    "Canada Day 2025": ("2025-07-01", "2025-07-01"),
    "Natal Day 2025": ("2025-08-04", "2025-08-04"),
    "Labour Day 2025": ("2025-09-01", "2025-09-01"),
    "Thanksgiving 2025": ("2025-10-13", "2025-10-13"),
    "Christmas 2025": ("2025-12-24", "2025-12-27"),
    "New Year 2026": ("2026-01-01", "2026-01-01"),
    "Heritage Day 2026": ("2026-02-16", "2026-02-16"),
    "Good Friday 2026": ("2026-04-03", "2026-04-03"),
    "Victoria Day 2026": ("2026-05-18", "2026-05-18"),
    "Canada Day": ("2026-07-01", "2026-07-01"),
    "Natal Day": ("2026-08-03", "2026-08-03"),
    "Labour Day": ("2026-09-07", "2026-09-07"),
}
"""Days on which the shop is closed, first and last."""

TUESDAY_TO_SATURDAY = (1, 2, 3, 4, 5)


def _person(handle: str, name: str, **facts: object) -> Colleague:
    return msgspec.convert({"email": f"{handle}@{DOMAIN}", "name": name, "since": FOUNDED, **facts}, Colleague)


COLLEAGUES = (
    _person(
        "elise",
        "Élise Thibodeau",
        groups=(COUNTER, SHIPPING, RENTALS, WORKSHOP),
        habit="warm",
        languages=("fr", "en"),
        share=1.5,
        notes=0.35,
        shift=(9, 17),
        since=datetime(2022, 5, 2, 12, tzinfo=UTC),
    ),
    _person(
        "callum",
        "Callum Rankin",
        groups=(COUNTER, SHIPPING),
        habit="brisk",
        speed=0.7,
        share=1.3,
        tags=0.45,
        notes=0.15,
        forgets=0.08,
        shift=(9, 17),
        days=TUESDAY_TO_SATURDAY,
    ),
    _person(
        "donny",
        "Donny Surette",
        groups=(WORKSHOP,),
        habit="chatty",
        languages=("en", "fr"),
        speed=1.3,
        share=1.2,
        tags=0.6,
        notes=0.5,
        forgets=0.02,
        shift=(8, 16),
    ),
    _person(
        "priya",
        "Priya Nair",
        groups=(RENTALS, COUNTER),
        habit="careful",
        share=1.1,
        speed=1.1,
        tags=0.95,
        notes=0.45,
        forgets=0.01,
        shift=(9, 18),
        days=TUESDAY_TO_SATURDAY,
        since=datetime(2023, 6, 12, 12, tzinfo=UTC),
    ),
    _person(
        "joel",
        "Joel Sylliboy",
        groups=(SHIPPING, COUNTER),
        habit="brisk",
        share=1.2,
        tags=0.7,
        shift=(8, 16),
        since=datetime(2024, 3, 4, 12, tzinfo=UTC),
    ),
    _person(
        "ada",
        "Ada Wong",
        groups=(COUNTER, RENTALS),
        habit="macro",
        share=0.8,
        tags=0.85,
        forgets=0.07,
        shift=(10, 18),
        days=(3, 4, 5),
        since=datetime(2025, 5, 5, 12, tzinfo=UTC),
    ),
    _person(
        "noreen",
        "Noreen Gillis",
        role="lead",
        groups=tuple(GROUPS),
        habit="careful",
        share=0.25,
        notes=0.7,
        tags=0.9,
        shift=(9, 17),
    ),
    _person("beth", "Beth Comeau", role="manager", team="Finance", groups=(COUNTER,), habit="brisk", share=0.05,
            languages=("en", "fr")),
    _person("ron", "Ron Boudreau", team="Warehouse", share=0.0, languages=("en", "fr")),
)  # fmt: skip
TEAM = Team(COLLEAGUES, HOLIDAYS)
