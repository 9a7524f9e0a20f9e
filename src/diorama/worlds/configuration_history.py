"""When a desk was configured: rules, fields and views were added over years, and the audit log tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from diorama.apps.zendesk import schema as desk
from diorama.apps.zendesk.rules.audit_logs import write_entry
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.queues import Queue
from diorama.kernel import Record, Tx
from diorama.people.rhythms import working
from diorama.worlds.helpdesk import backdated

GROWN: tuple[type[Record], ...] = (
    desk.Group,
    desk.TicketField,
    desk.TicketForm,
    desk.Schedule,
    desk.SlaPolicy,
    desk.GroupSlaPolicy,
    desk.Trigger,
    desk.Automation,
    desk.Macro,
    desk.View,
    desk.CustomStatus,
    desk.UserField,
    desk.OrganizationField,
    desk.DynamicItem,
    Queue,
)
"""The kinds of rows that people configure."""
EARLY: dict[type[Record], float] = {desk.Macro: 0.36}
"""The first share of the time in which all rows of a kind were added: macros are from the first two years."""
STANDARD_SECONDS = 90
"""The product's own rows are written within this time, when the account is opened."""


def date_configuration(tx: Tx, opened: datetime, until: datetime, admins: Mapping[str, User]) -> None:
    """Date the rows that people configured between two moments, in the order of their ids, and log each.

    Rows of the product itself stay in the first minutes of the account.
    """
    added: list[tuple[datetime, Record]] = []
    for kind in GROWN:
        added += _dated(tx, kind, opened, until)
    for moment, row in sorted(added, key=lambda pair: pair[0]):
        there = [one for one in admins.values() if one.role == "admin" and one.created_at < moment]
        with backdated(tx, moment):
            write_entry(tx, tx.dice("configured by", moment.isoformat()).pick(there), "create", row)


def _dated(tx: Tx, kind: type[Record], opened: datetime, until: datetime) -> list[tuple[datetime, Record]]:
    dice = tx.dice("configured", kind.__name__)
    rows = tx.all(kind)
    own = [row for row in rows if not _standard(row)]
    seconds = sorted(dice.integer(1, STANDARD_SECONDS) for _ in rows)
    for row, late in zip((row for row in rows if _standard(row)), seconds, strict=False):
        moment = opened + timedelta(seconds=late)
        tx.change(row, created_at=moment, updated_at=moment)
    days = sorted(dice.between(0.01, 1.0) ** 1.6 * EARLY.get(kind, 1.0) for _ in own)
    found = []
    for row, share in zip(own, days, strict=True):
        moment = working(opened + (until - opened) * share).replace(minute=dice.integer(0, 59), microsecond=0)
        moment = moment.replace(second=dice.integer(1, 59))
        found.append((moment, tx.change(row, created_at=moment, updated_at=moment)))
    return found


def _standard(row: Record) -> bool:
    """Return whether the product itself added a row."""
    first_day = isinstance(row, desk.Group)  # colleagues belong to groups from their first day
    return first_day or bool(getattr(row, "default", False)) or not bool(getattr(row, "removable", True))
