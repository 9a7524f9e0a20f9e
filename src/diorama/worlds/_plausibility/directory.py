"""Rules about the directory: every account of a colleague belongs to one person, who works as the team says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from diorama.people import Account, Contact, Knows, addresses_of
from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import BACKOFFICE, ZENDESK, at, rule
from diorama.worlds.enrolment import contact_of

PEOPLE = "people"
AGREED = ("name", "role", "team", "manager", "habit", "shift", "days", "languages", "time_zone")
"""What the directory and the team both say of a colleague."""


@rule(ZENDESK, PEOPLE)
def desk_accounts_have_one_person(records: Records) -> Iterator[str]:
    """Every agent of the desk is the account of one person of the directory with the same name and address."""
    staff = [(str(one.id), one.name, one.email or "") for one in records.users.values() if one.staff and one.active]
    yield from _without_person(records, ZENDESK, staff)


@rule(BACKOFFICE, PEOPLE)
def office_accounts_have_one_person(records: Records) -> Iterator[str]:
    """Everyone with an account at the back office is one person of the directory with the same name and address."""
    staff = records.tx.rows("SELECT id, name, email FROM backoffice_staff WHERE active = 1 ORDER BY id")
    yield from _without_person(records, BACKOFFICE, staff)


def _without_person(records: Records, app: str, staff: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    tx = records.tx
    if not tx.count(Contact):
        return
    accounts = {one.account: one for one in tx.all(Account, "app = ?", app)}
    owners = Counter(one.contact_id for one in accounts.values())
    for account, name, email in staff:
        held = accounts.get(account)
        who = tx.find(Contact, held.contact_id) if held is not None else None
        if who is None:
            yield f"{app} account {account} of {name} belongs to no one in the directory"
        elif who.name != name or email not in addresses_of(tx, who):
            yield f"{app} account {account} is {name} <{email}>, and in the directory {who.name} <{who.email}>"
        elif not who.is_staff or owners[who.id] > 1:
            yield f"{app} account {account} is one of {owners[who.id]} of {who.id}"
        else:
            yield ""


@rule(PEOPLE)
def the_directory_agrees_with_the_team(records: Records) -> Iterator[str]:
    """Every person of the company works, speaks and reports as the company's team says."""
    firm = records.firm
    listed = {one.email: one for one in records.tx.all(Contact, "role <> ''")}
    if firm is None or not listed:
        return
    for who in firm.team.colleagues:
        there, meant = listed.pop(who.email, None), contact_of(firm, who)
        if there is None:
            yield f"{who.email} is not in the directory"
            continue
        wrong = [name for name in AGREED if getattr(there, name) != getattr(meant, name)]
        yield f"{there.id} differs from the team: {', '.join(wrong)}" if wrong else ""
    yield from (f"{one.id} is not of the team" for one in listed.values())


@rule(PEOPLE)
def what_is_out_of_date_is_known_by_another(records: Records) -> Iterator[str]:
    """Where a colleague is out of date, another one knows since that day what is true now."""
    known = records.tx.all(Knows)
    for one in known:
        if one.until is None:
            yield ""
            continue
        newer = [
            other
            for other in known
            if other.topic == one.topic and other.contact_id != one.contact_id and other.since == one.until
        ]
        wrong = not newer or one.until <= one.since or one.until > records.now
        yield f"knowledge {one.id} of {one.contact_id} ended {at(one.until)}, and no one knows better" if wrong else ""
