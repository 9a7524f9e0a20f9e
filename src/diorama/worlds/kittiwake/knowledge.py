"""What Kittiwake's colleagues know of daily life at the shop, and who is away; some of them are out of date."""

from __future__ import annotations

from datetime import date

from diorama.worlds.enrolment import Fact

KNOWN = (
    Fact(
        who="ron",
        topic="van",
        about=("van", "key|park|where"),
        answer="The van is parked behind the chandlery now, and the keys hang in the shipping office.",
        since="2026-02-16",
    ),
    Fact(
        who="callum",
        topic="van",
        about=("van", "key|park|where"),
        answer="The van stands in the lot on Barrington Street, keys in the till.",
        since="2022-08-01",
        until="2026-02-16",
    ),
    Fact(
        who="donny",
        topic="seam tape",
        about=("seam", "tape|seal"),
        answer="The good seam tape is on the top shelf, the 22 mm roll. Wait a full day before you fold anything.",
        since="2024-10-07",
    ),
    Fact(
        who="priya",
        topic="tide tables",
        about=("tide", "table|chart|launch"),
        answer="The tide tables for the launch are pinned by the back door; I print a new sheet every Monday.",
        since="2025-04-14",
    ),
    Fact(
        who="noreen",
        topic="first aid course",
        about=("first", "aid"),
        answer="The next first aid course is on 22 June, eight to four, at the fire hall.",
        since="2026-05-11",
    ),
    Fact(
        who="ada",
        topic="first aid course",
        about=("first", "aid"),
        answer="First aid is in the second week of May this year, I think at the library.",
        since="2026-03-19",
        until="2026-05-11",
    ),
    Fact(
        who="beth",
        topic="petty cash",
        about=("petty|cash", "box|receipt|float"),
        answer="Petty cash is counted on Fridays; put receipts in the green box, no receipt no money.",
        since="2023-01-09",
    ),
)

ABSENCES = {"ron": (date(2026, 6, 8), date(2026, 6, 10)), "beth": (date(2026, 6, 22), date(2026, 7, 3))}
