"""Fill the directory of a company with a help desk and a back office from the rows of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from diorama.apps.backoffice.schema import Customer, Staff
from diorama.apps.zendesk.schema import User
from diorama.kernel import Tx
from diorama.worlds.enrolment import Buyer, Fact, enrol
from diorama.worlds.firm import Firm


def enrol_shop(tx: Tx, firm: Firm, facts: Iterable[Fact], absences: Mapping[str, tuple[date, date]]) -> None:
    """Add everyone with an account at the desk or the back office to the directory."""
    staff = defaultdict[str, dict[str, list[str]]](dict)
    for user in tx.all(User, "role <> 'end-user' AND email IS NOT NULL"):
        staff[user.email or ""]["zendesk"] = [str(user.id)]
    for one in tx.all(Staff):
        staff[one.email]["backoffice"] = [one.id]
    customers = (Buyer(one.id, one.name, one.emails, one.locale.partition("-")[0]) for one in tx.all(Customer))
    enrol(tx, firm, staff, customers, facts, absences)
