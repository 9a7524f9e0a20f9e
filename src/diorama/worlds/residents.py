"""Who writes to a company: customers with their addresses and habits, the same in every app, and strangers."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice.schema import Postal, Segment
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.people.addresses import draw_company, draw_email, draw_home, draw_phone
from diorama.people.names import draw_person
from diorama.people.voices import draw_voice
from diorama.people.writing import Writer
from diorama.worlds.firm import Firm
from diorama.worlds.purchases import Buyer


class Resident(msgspec.Struct, kw_only=True):
    """A person who may write: the writer, all their addresses, and their orders."""

    writer: Writer
    emails: tuple[str, ...]
    postal: Postal
    since: datetime
    segment: Segment = "standard"
    customer_id: str = ""
    histories: list[History] = []
    chatty: float = 1.0
    """How often they write, relative to others."""


def draw_resident(
    firm: Firm,
    dice: Dice,
    taken: set[str],
    since: datetime,
    passing: bool = False,
    firms: dict[str, list[str]] | None = None,
) -> Resident:
    """Draw a person with addresses of their own; some work at a firm (by country) that is already known."""
    folder = firm.names
    person = draw_person(dice, folder=folder)
    business = dice.chance(0.09)
    known = (firms or {}).get(person.country, [])
    company = "" if not business else dice.pick(known) if known and dice.chance(0.6) else draw_company(dice, folder)
    if company and firms is not None and company not in known:
        firms.setdefault(person.country, []).append(company)
    home = draw_home(dice, person.country, folder)
    phone = draw_phone(dice, person.country, folder) if dice.chance(0.72) else ""
    writer = Writer(
        person=person,
        email=free_address(dice, taken, draw_email(dice, person, company, folder)),
        voice=draw_voice(dice, person.native, business),
        phone=phone,
        company=company,
        shop=firm.short,
        shop_name=firm.name,
    )
    emails = [writer.email]
    for _ in range(dice.weighted({0: 0.84, 1: 0.14, 2: 0.02})):
        emails.append(free_address(dice, taken, draw_email(dice, person, folder=folder)))
    segment: Segment = "business" if business else dice.weighted({"standard": 0.8, "plus": 0.15, "vip": 0.05})
    postal = Postal(
        name=company or person.name,
        line1=home.line1,
        line2=home.line2,
        city=home.city,
        postal_code=home.postal_code,
        region=home.region,
        country=home.country,
        phone=phone,
    )
    return Resident(
        writer=writer,
        emails=tuple(emails) if not passing else (writer.email,),
        postal=postal,
        since=since.replace(microsecond=0),
        segment=segment,
        chatty=dice.lognormal(1.0, 0.8),
    )


def buyer_of(resident: Resident) -> Buyer:
    """Return the resident as a buyer in the back office."""
    writer = resident.writer
    return Buyer(
        name=writer.person.name,
        emails=resident.emails,
        postal=resident.postal,
        since=resident.since,
        phone=writer.phone,
        company=writer.company,
        segment=resident.segment,
        locale=writer.person.language,
    )


def draw_residents(firm: Firm, tx: Tx, count: int, days: int) -> list[Resident]:
    """Draw customers, more of them recent than long-standing, at least one day old."""
    taken, firms = set[str](), dict[str, list[str]]()
    out = []
    for number in range(count):
        dice = tx.dice(f"{firm.short.lower()} resident", number)
        age = days * dice.uniform() ** 1.25 + 1.0
        since = (tx.now - timedelta(days=age)).replace(minute=dice.integer(0, 59), second=dice.integer(0, 59))
        out.append(draw_resident(firm, dice, taken, since, firms=firms))
    return out


def free_address(dice: Dice, taken: set[str], email: str) -> str:
    """Return an unused address, as similar to this one as possible."""
    local, _, domain = email.partition("@")
    while email in taken:
        email = f"{local}{dice.integer(2, 999)}@{domain}"
    taken.add(email)
    return email
