"""Larkspur's suspended mail: automatic mail, spam, and two customers whom the filter misjudged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from diorama.apps.zendesk import rules as desk_rules
from diorama.kernel import Tx, from_us, to_us

HELD: tuple[dict[str, Any], ...] = (
    {
        "hours": 290, "sender": "growth@seo-rankers.agency", "subject": "Larkspur on the first page of Google?",
        "text": "Hi team,\n\nwe looked at your site and your domain authority could be much higher. Our backlinks "
        "increase your traffic within 30 days, risk-free.\n\nShall we talk on Thursday?\nDean",
    },
    {
        "hours": 213, "sender": "mailer-daemon@mx2.postwerk.example", "subject": "Undelivered Mail Returned to Sender",
        "text": "This is the mail system at host mx2.postwerk.example.\n\nYour message could not be delivered to one "
        "or more recipients.\n\n<h.brandt@brandt-kaffee.example>: mailbox full",
    },
    {
        "hours": 141, "sender": "s.keller@kellerundsohn.example", "name": "Sabine Keller",
        "subject": "Abwesenheitsnotiz: Ihre Bestellung bei Larkspur",
        "text": "Guten Tag,\n\nich bin bis zum 14. nicht im Haus. Ihre Nachricht wird nicht weitergeleitet. In "
        "dringenden Fällen erreichen Sie meine Kollegin unter der Zentrale.\n\nSabine Keller",
    },
    {
        "hours": 96, "sender": "noreply@parcel-status.example", "subject": "Your parcel is on its way",
        "text": "A parcel has been handed over to our driver. Please do not answer this message.",
    },
    {
        "hours": 70, "sender": "office@cafe-morgenrot.example", "name": "Jana Wirth", "subject": "Grinder for our bar",
        "text": "Hello,\n\nour Heron 64 has started to smell of hot plastic after about ten minutes. Is it safe to go "
        "on using it? We bought it last spring.\n\nJana Wirth, Café Morgenrot",
        "headers": {"Auto-Submitted": "auto-forwarded"},
    },
    {
        "hours": 44, "sender": "invoice77@mail-verify.support", "subject": "Your inheritance, beneficiary",
        "text": "Dear beneficiary, 4.5 million dollars wait for you. Send your details by Western Union. Act now.",
    },
    {
        "hours": 19, "sender": "tomas.reyes@posteo.example", "name": "Tomás Reyes", "subject": "", "text": " ",
    },
    {
        "hours": 7, "sender": "lena.vogt@webmail.example", "name": "Lena Vogt",
        "subject": "Automatic response from your shop says sold out?",
        "text": "Hi, I only wanted to know when the Calla in cream comes back. Your page answered by itself that it "
        "is sold out but gave no date. Thanks, Lena",
    },
)  # fmt: skip
"""For each mail: how many hours ago it arrived, its sender and its text."""


def hold_mail(tx: Tx) -> None:
    """Receive the mail of the last days, each at its own time; all of it is still unread."""
    here = tx.now_us
    for mail in HELD:
        late = tx.dice("held mail", mail["sender"]).integer(-1_700, 1_700)
        tx.now_us = to_us(from_us(here) - timedelta(hours=mail["hours"], seconds=late))
        desk_rules.receive_mail(
            tx,
            mail["sender"],
            mail["subject"],
            mail["text"],
            sender_name=mail.get("name", ""),
            headers=mail.get("headers", {}),
        )
    tx.now_us = here
