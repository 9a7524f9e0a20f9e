"""Forwarded mail: a notice of the shop or the carrier below the customer's text, or a misdirected mail."""

from __future__ import annotations

from datetime import datetime, timedelta

from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice
from diorama.people.grammar import Renderer
from diorama.people.material import load
from diorama.people.rhythms import awake
from diorama.people.writing import Writer, long_date
from diorama.worlds.firm import Firm
from diorama.worlds.parcels import say_cents

MAILBOXES = ("info", "hello", "service", "noreply", "kontakt")
"""Addresses that people guess."""


def passed_on(
    firm: Firm,
    dice: Dice,
    writer: Writer,
    subject: str,
    body: str,
    at: datetime,
    history: History | None,
    told: dict[str, str],
    language: str,
) -> tuple[str, str]:
    """Return subject and body of a forwarded mail: a notice of shop or carrier, else the customer's first try."""
    notice = _notice(firm, dice, writer, at, history, language)
    words = firm.book.load("forwards")[language]
    if notice is not None and history is not None and dice.chance(0.75):
        told["order"] = history.order.number
        who, address, sent, about, text = notice
        head = _head(dice, who, address, sent, writer.email, about, language)
        mark = dice.pick(("Fwd", "Fwd", "FW", "WG" if language == "de" else "Fwd"))
        return f"{mark}: {about}", f"{body}\n\n{head}\n\n{text}"
    sent = awake(at - timedelta(days=dice.integer(1, 9), minutes=dice.integer(1, 600))).replace(microsecond=0)
    head = _head(
        dice,
        writer.person.name,
        writer.email,
        min(sent, at),
        f"{dice.pick(MAILBOXES)}@{firm.domain}",
        subject,
        language,
    )
    return f"Fwd: {subject}", f"{dice.pick(words['astray'])}\n\n{head}\n\n{body}"


def _notice(
    firm: Firm, dice: Dice, writer: Writer, at: datetime, history: History | None, language: str
) -> tuple[str, str, datetime, str, str] | None:
    if history is None:
        return None
    words, order, parcel = firm.book.load("forwards")[language], history.order, history.shipment
    lines = "\n".join(f"{line.quantity} x {line.name}" for line in history.lines)
    facts = {"given": writer.person.given, "order": order.number, "lines": lines}
    facts["total"] = say_cents(order.total_cents, order.currency)
    facts["day"] = long_date(firm.now(order.created_at), language)
    kind, sent = "confirmed", firm.now(order.created_at) + timedelta(minutes=2)
    who, address = firm.name, f"orders@{firm.domain}"
    if parcel is not None and parcel.handed_over_at is not None and parcel.handed_over_at < at and dice.chance(0.5):
        kind, sent = "shipped", firm.now(parcel.handed_over_at) + timedelta(minutes=40)
        facts |= {"carrier": parcel.carrier, "tracking": parcel.tracking_number}
        facts["due"] = long_date(firm.now(parcel.estimated_at), language)
        who, address = parcel.carrier, f"noreply@{_slug(parcel.carrier)}.example"
    if sent >= at:
        return None
    renderer = Renderer(dice, facts)
    about, text = (renderer.fill(renderer.pick(words[kind][part])) for part in ("subject", "body"))
    return who, address, sent, about, text


def _head(dice: Dice, who: str, address: str, sent: datetime, to: str, about: str, language: str) -> str:
    facts = {"who": who, "address": address, "date": long_date(sent, language), "time": f"{sent:%H:%M}"}
    renderer = Renderer(dice, {**facts, "to": to, "subject": about})
    return renderer.fill(renderer.pick(load(language)["quoting"]["forwarded"]))


def _slug(carrier: str) -> str:
    return "".join(letter for letter in carrier.lower() if letter.isalnum())
