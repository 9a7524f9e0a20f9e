"""Fill the directory of a company: its colleagues with what they know, its customers, and the addresses of its desk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime

import msgspec

from diorama import people
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.schema import APP as DESK
from diorama.apps.zendesk.schema import Identity, SupportAddress, User
from diorama.kernel import Tx
from diorama.people import Absence, Contact, Knows
from diorama.people.addresses import plain
from diorama.worlds.firm import Firm
from diorama.worlds.team import Colleague


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """What a colleague knows, as a company's module writes it down: days instead of moments."""

    who: str
    """The part of their address before the @."""
    topic: str
    about: tuple[str, ...]
    answer: str
    since: str
    until: str = ""


class Buyer(msgspec.Struct, frozen=True):
    """A customer of a back office: the account, the name, all addresses and the language."""

    account: str
    name: str
    emails: tuple[str, ...]
    language: str


def contact_of(firm: Firm, who: Colleague, absences: Iterable[Absence] = ()) -> Contact:
    """Return a colleague as the directory lists them; everyone reports to the lead, leads to the first manager."""
    team = firm.team.colleagues
    above = firm.team.lead if who.role == "agent" else next((one for one in team if one.role == "manager"), who)
    return Contact(
        id=key_of(who),
        name=who.name,
        email=who.email,
        role=who.role,
        team=who.team,
        manager="" if above is who else key_of(above),
        habit=who.habit,
        shift=who.shift,
        days=who.days,
        absences=tuple(absences),
        languages=who.languages,
        time_zone=str(firm.zone),
    )


def key_of(who: Colleague) -> str:
    """Return the key of a colleague in the directory."""
    return ".".join(plain(part) for part in who.name.split())


def enrol(
    tx: Tx,
    firm: Firm,
    staff: Mapping[str, Mapping[str, Iterable[str]]],
    customers: Iterable[Buyer],
    facts: Iterable[Fact],
    absences: Mapping[str, tuple[date, date]],
) -> None:
    """Fill the directory.

    `staff` has the accounts of each colleague by address and app, `absences` the first and last day by the part of an
    address before the @.
    """
    people.add_mailbox(tx, account_of(tx).support_address, app=DESK.name)
    for one in tx.all(SupportAddress):
        people.add_mailbox(tx, one.email, app=DESK.name)
    people.add_mailbox(tx, f"@{DESK.of(tx).host}", app=DESK.name)
    _enrol_colleagues(tx, firm, staff, list(facts), absences)
    _enrol_customers(tx, customers)


def _enrol_colleagues(
    tx: Tx,
    firm: Firm,
    staff: Mapping[str, Mapping[str, Iterable[str]]],
    facts: list[Fact],
    absences: Mapping[str, tuple[date, date]],
) -> None:
    for who in firm.team.colleagues:
        handle = who.email.partition("@")[0]
        away = [Absence(*absences[handle])] if handle in absences else []
        contact = people.add_contact(tx, contact_of(firm, who, away), accounts=staff.get(who.email, {}))
        known = tuple(
            Knows(
                contact_id=contact.id,
                topic=one.topic,
                about=one.about,
                answer=one.answer,
                since=_moment(one.since),
                until=_moment(one.until) if one.until else None,
            )
            for one in facts
            if one.who == handle
        )
        people.add_colleague_persona(tx, contact, known)


def _moment(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=8, tzinfo=UTC)


def _enrol_customers(tx: Tx, customers: Iterable[Buyer]) -> None:
    """Add everyone outside: customers with their accounts at the shop and the desk, then who only wrote."""
    addresses = defaultdict[int, list[str]](list)
    for identity in tx.all(Identity, "type = 'email'", order="user_id, id"):
        addresses[identity.user_id].append(identity.value)
    users = {one.id: one for one in tx.all(User, "role = 'end-user' AND email IS NOT NULL")}
    owner = {address: number for number in users for address in addresses[number]}
    done = set[int]()
    for buyer in customers:
        known = sorted({owner[one] for one in buyer.emails if one in owner} - done)
        done |= set(known)
        others = dict.fromkeys((*buyer.emails[1:], *(one for number in known for one in addresses[number])))
        zone = next((users[number].iana_time_zone or "" for number in known), "")
        contact = Contact(name=buyer.name, email=buyer.emails[0], languages=(buyer.language,), time_zone=zone)
        accounts = {"backoffice": [buyer.account], DESK.name: [str(number) for number in known]}
        people.add_contact(tx, contact, others, accounts)
    for number, user in users.items():
        if number not in done:
            language = (user.locale or "en").partition("-")[0]
            zone = user.iana_time_zone or ""
            contact = Contact(name=user.name, email=user.email or "", languages=(language,), time_zone=zone)
            people.add_contact(tx, contact, addresses[number], {DESK.name: [str(number)]})
