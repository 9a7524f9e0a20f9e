"""What Larkspur's colleagues know of daily life at the company, and who is away; some of them are out of date."""

from __future__ import annotations

from datetime import date

from diorama.worlds.enrolment import Fact

KNOWN = (
    Fact(
        who="grainne",
        topic="roast days",
        about=("roast", "day|when|week"),
        answer="We roast on Tuesdays and Thursdays, from six in the morning.",
        since="2025-09-01",
    ),
    Fact(
        who="devon",
        topic="roast days",
        about=("roast", "day|when|week"),
        answer="The roastery fires up on Mondays and Wednesdays.",
        since="2024-06-03",
        until="2025-09-01",
    ),
    Fact(
        who="ruth",
        topic="weekly meeting",
        about=("team|weekly|desk", "meeting|huddle"),
        answer="The desk meets on Thursdays at 9:30 in the cupping room, half an hour.",
        since="2026-01-12",
    ),
    Fact(
        who="soraya",
        topic="weekly meeting",
        about=("team|weekly|desk", "meeting|huddle"),
        answer="The weekly meeting is on Wednesdays at 10 in the kitchen.",
        since="2024-02-05",
        until="2026-01-12",
    ),
    Fact(
        who="imke",
        topic="torque wrench",
        about=("torque", "wrench|key"),
        answer="The torque wrench hangs on the second bench. It was calibrated last autumn and is good until 2027.",
        since="2025-10-20",
    ),
    Fact(
        who="tomasz",
        topic="ultrasonic bath",
        about=("ultrasonic", "bath|cleaner"),
        answer="Fill the ultrasonic bath to the mark, 55 degrees, twelve minutes, and never with aluminium parts.",
        since="2023-03-14",
    ),
    Fact(
        who="piet",
        topic="label printer",
        about=("label", "printer"),
        answer="If the label printer skips, clean the head with the blue wipes; the rolls are in cabinet C4.",
        since="2025-05-19",
    ),
    Fact(
        who="joost",
        topic="label printer",
        about=("label", "printer"),
        answer="The rolls for the label printer are under the packing table.",
        since="2023-11-02",
        until="2025-05-19",
    ),
    Fact(
        who="henrik",
        topic="tax adviser",
        about=("tax|vat", "advis|account"),
        answer="Our tax adviser is Frau Wessels. Everything goes to her through me, by the 8th of the month.",
        since="2024-01-08",
    ),
    Fact(
        who="marek",
        topic="trade fair",
        about=("fair|expo|exhibition", "when|date|booth|stand"),
        answer="We have a stand at the coffee fair in Hamburg from 21 to 23 May, hall B3.",
        since="2026-02-02",
    ),
    Fact(
        who="lucia",
        topic="spanish translator",
        about=("translat", "spanish|agency"),
        answer="Long Spanish texts go to the agency of Marta Rius; she needs two working days.",
        since="2025-03-10",
    ),
)

ABSENCES = {"grainne": (date(2026, 3, 2), date(2026, 3, 4)), "lucia": (date(2026, 3, 9), date(2026, 3, 20))}
