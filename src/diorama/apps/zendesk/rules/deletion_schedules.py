"""Deletion schedules: delete closed tickets that match the conditions, once a day."""

from __future__ import annotations

from datetime import timedelta

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions, deleted_tickets
from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.schema import APP, DeletionSchedule, Ticket
from diorama.kernel import Tx

DAILY = timedelta(days=1)
MOST = 1000
"""The maximum number of tickets deleted in one run."""


def check(schedule: DeletionSchedule) -> None:
    """Require that a schedule is about tickets and has valid conditions."""
    if not schedule.title.strip():
        raise refusals.blank("title", "Title")
    if schedule.object != "zen:ticket":
        raise refusals.not_listed("object", "Object", schedule.object)
    if not schedule.conditions.all and not schedule.conditions.any:
        raise refusals.blank("conditions", "Conditions")
    for one in (*schedule.conditions.all, *schedule.conditions.any):
        if not conditions.known(one.field):
            raise refusals.invalid("conditions", f"Conditions: {one.field} is invalid", "InvalidValue")


def start_schedule(tx: Tx, schedule: DeletionSchedule) -> None:
    """Schedule the next daily run of an active schedule."""
    if schedule.active:
        tx.change(schedule, runs_at=tx.now + DAILY)
        tx.later(DAILY, delete_by_schedule, schedule_id=schedule.id)


@APP.command
def delete_by_schedule(tx: Tx, schedule_id: str) -> None:
    """Run a schedule once and queue the next run; do nothing if it was deactivated or deleted."""
    schedule = tx.find(DeletionSchedule, schedule_id)
    if schedule is None or not schedule.active or schedule.runs_at is None or schedule.runs_at > tx.now:
        return
    found = conditions.where(schedule.conditions, None, tx.now_us)
    where = f"status = 'closed' AND deleted_at IS NULL AND {found.text}"
    for ticket in tx.all(Ticket, where, *found.args, order="id", limit=MOST):
        deleted_tickets.delete(tx, ticket, SYSTEM)
    start_schedule(tx, schedule)
