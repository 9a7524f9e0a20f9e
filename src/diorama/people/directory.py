"""The directory: every person of the company and outside, with their addresses, their accounts, and when they work.

Its tables are on the control plane: no app and no agent can read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from diorama.kernel import Record, Tx
from diorama.people.addresses import plain
from diorama.people.names import split_name
from diorama.people.rhythms import awake
from diorama.people.schema import APP
from diorama.people.settings import settings

ADDRESS_AT_MOST = 320
"""The longest address that mail is delivered to."""
DAYS_AHEAD = 400
"""How many days ahead a working day is searched."""
_zone = lru_cache(maxsize=64)(ZoneInfo)


class Absence(msgspec.Struct, frozen=True):
    """Days on which a person is away, the first and the last included."""

    first: date
    last: date


@APP.record("directory", index=[("team",)])
class Contact(Record):
    """One person. Only staff have a role, a team, a shift and a habit; `id` is a key that never changes."""

    id: str = ""
    name: str
    given: str = ""
    family: str = ""
    email: str = ""
    """The main address; `addresses_of` returns all of them."""
    role: str = ""
    """What they do at the company: agent, lead or manager; "" for people outside."""
    team: str = ""
    manager: str = ""
    """The key of the person they report to."""
    habit: str = ""
    """How a colleague writes: warm, brisk, macro, chatty or careful."""
    shift: tuple[int, int] = (0, 24)
    """First and last hour of work, in their time zone."""
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    """The weekdays on which they work; Monday is 0."""
    absences: tuple[Absence, ...] = ()
    languages: tuple[str, ...] = ()
    time_zone: str = ""

    @property
    def is_staff(self) -> bool:
        """Whether the person works at the company."""
        return bool(self.role)

    def absence_at(self, moment: datetime) -> Absence | None:
        """Return the absence during which a moment is, or None."""
        day = moment.astimezone(_zone(self.time_zone or "UTC")).date()
        return next((one for one in self.absences if one.first <= day <= one.last), None)


@APP.record("mailboxes", index=[("domain",), ("contact_id",)])
class Mailbox(Record):
    """An address at which mail arrives. Its id is the address in lower case, or `@domain` for a whole domain."""

    id: str = ""
    domain: str
    contact_id: str = ""
    """Whose address it is; "" if an app takes its mail."""
    app: str = ""
    """The app that takes its mail; "" for a person."""


@APP.record("accounts", index=[("contact_id",)])
class Account(Record):
    """An account of a person at an app; its id names both."""

    id: str = ""
    app: str
    account: str
    """The vendor's id of the account, or its login."""
    contact_id: str


# --- filling it


def add_contact(
    tx: Tx, contact: Contact, emails: Iterable[str] = (), accounts: Mapping[str, Iterable[str]] | None = None
) -> Contact:
    """Add a person with their addresses and accounts; `emails` are those besides the main one.

    Without an id, the key is made from the name. Addresses and accounts that someone has already are left there.
    """
    given, family = split_name(contact.name)
    made = tx.add(
        msgspec.structs.replace(
            contact,
            id=contact.id or _free_key(tx, contact.name),
            given=contact.given or given,
            family=contact.family or family,
            email=address_of(contact.email),
        )
    )
    for email in (contact.email, *emails):
        add_mailbox(tx, email, contact_id=made.id)
    for app, listed in (accounts or {}).items():
        for account in listed:
            add_account(tx, made, app, account)
    return made


def add_mailbox(tx: Tx, email: str, *, contact_id: str = "", app: str = "") -> None:
    """Add an address of a person or an app, unless it exists; `@domain` stands for every address of a domain."""
    address = address_of(email)
    if address and tx.find(Mailbox, address) is None:
        tx.add(Mailbox(id=address, domain=domain_of(address), contact_id=contact_id, app=app))


def add_account(tx: Tx, contact: Contact, app: str, account: str) -> None:
    """Add an account of a person at an app, unless it exists."""
    name = account_id(app, account)
    if tx.find(Account, name) is None:
        tx.add(Account(id=name, app=app, account=account, contact_id=contact.id))


def account_id(app: str, account: str | int) -> str:
    """Return the id of an account."""
    return f"{app} {account}"


def address_of(email: str) -> str:
    """Return an address as the directory writes it: in lower case, without blanks around it."""
    return email.strip().lower()


def domain_of(address: str) -> str:
    """Return what stands behind the last @ of an address."""
    return address.rpartition("@")[2]


def without_tag(address: str) -> str:
    """Return an address without its tag: support+id12@shop.example is support@shop.example."""
    box, at, domain = address.rpartition("@")
    return f"{box.partition('+')[0]}{at}{domain}"


def _free_key(tx: Tx, name: str) -> str:
    base = ".".join(filter(None, map(plain, name.split()))) or "person"
    taken = {
        row[0] for row in tx.control("SELECT id FROM _people_directory WHERE id >= ? AND id < ?", base, base + "~")
    }
    key, number = base, 1
    while key in taken:
        number += 1
        key = f"{base}-{number}"
    return key


# --- looking people up


def contact_at(tx: Tx, email: str) -> Contact | None:
    """Return the person with this address, or None."""
    box = tx.find(Mailbox, address_of(email))
    return tx.find(Contact, box.contact_id) if box is not None and box.contact_id else None


def contact_with(tx: Tx, app: str, account: str | int) -> Contact | None:
    """Return the person with this account at an app, or None."""
    found = tx.find(Account, account_id(app, account))
    return tx.find(Contact, found.contact_id) if found is not None else None


def team_members(tx: Tx, team: str) -> list[Contact]:
    """Return the people of a team, by key."""
    return tx.all(Contact, "team = ? AND role <> ''", team)


def staff(tx: Tx) -> list[Contact]:
    """Return everyone who works at the company, by key."""
    return tx.all(Contact, "role <> ''")


def addresses_of(tx: Tx, contact: Contact) -> tuple[str, ...]:
    """Return all addresses of a person, the main one first."""
    others = [one.id for one in tx.all(Mailbox, "contact_id = ?", contact.id)]
    return tuple(dict.fromkeys((contact.email, *others))) if contact.email else tuple(others)


def accounts_of(tx: Tx, contact: Contact) -> list[Account]:
    """Return all accounts of a person."""
    return tx.all(Account, "contact_id = ?", contact.id)


def is_staff_address(tx: Tx, email: str) -> bool:
    """Check whether an address belongs to a person of the company."""
    found = contact_at(tx, email)
    return found is not None and found.is_staff


def mailbox_at(tx: Tx, address: str) -> Mailbox | None:
    """Return where mail to an address arrives: its own mailbox, that without its tag, or that of the domain."""
    found = tx.find(Mailbox, address)
    if found is None and "+" in address:
        found = tx.find(Mailbox, without_tag(address))
    return found or tx.find(Mailbox, f"@{domain_of(address)}")


def is_known_domain(tx: Tx, domain: str) -> bool:
    """Check whether anyone has an address at a domain."""
    if tx.first(Mailbox, "domain = ?", domain) is not None:
        return True
    at = "SELECT 1 FROM _people_personas WHERE substr(email, -length(?1)) = ?1 LIMIT 1"
    return bool(tx.control(at, f"@{domain}"))


def has_mailboxes(tx: Tx) -> bool:
    """Check whether this world says which addresses exist; otherwise every address does."""
    return bool(tx.control("SELECT 1 FROM _people_mailboxes LIMIT 1"))


# --- when they work


def next_at_work(tx: Tx, contact: Contact, moment: datetime) -> datetime:
    """Return the moment, or the next one at which a person works, in their time zone."""
    here, closed = awake(moment.astimezone(_zone(contact.time_zone or "UTC")), contact.shift), settings(tx).days_off
    for _ in range(DAYS_AHEAD):
        off = here.date().isoformat() in closed or contact.absence_at(here) is not None
        if here.weekday() in contact.days and not off:
            break
        here = awake((here + timedelta(days=1)).replace(hour=contact.shift[0]), contact.shift)
    return here
