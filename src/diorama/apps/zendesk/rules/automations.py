"""Automations: run every full hour on all tickets that are not closed; one of them closes solved tickets.

Hours in which no ticket can meet a time condition are skipped: the next relevant hour is computed from the tickets,
and any change of a ticket or an automation schedules the very next hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions, triggers
from diorama.apps.zendesk.rules.current_user import SYSTEM
from diorama.apps.zendesk.rules.ticket_edits import Edit
from diorama.apps.zendesk.rules.tickets import NO_METADATA
from diorama.apps.zendesk.rules.views import tickets_sql
from diorama.apps.zendesk.schema import (
    APP,
    Action,
    Automation,
    AutomationClock,
    AutomationFiring,
    Condition,
    Conditions,
    Ticket,
    TicketCreated,
    TicketUpdated,
    Via,
)
from diorama.kernel import Tx, from_us

HOUR = timedelta(hours=1)
AT_ONCE = 100
ENOUGH_ROWS = 8_000
"""The most tickets that an automation processes in one transaction, and the rows read after which it ends earlier."""
_FRESH = (
    f"{conditions.T}.status <> 'closed' AND NOT EXISTS (SELECT 1 FROM zendesk_automation_firings f "
    f"WHERE f.automation_id = ? AND f.ticket_id = {conditions.T}.id AND f.updated_at = {conditions.T}.updated_at)"
)


def start(tx: Tx) -> None:
    """Schedule the first run; one agenda row serves all automations of the account."""
    _plan(tx, next_hour(tx.now))


def schedule_next_run(tx: Tx) -> None:
    """Schedule the automations for the next full hour, because something changed."""
    _plan(tx, next_hour(tx.now))


@APP.on(TicketCreated)
def new_ticket_wakes(tx: Tx, event: TicketCreated) -> None:
    """Schedule the automations, because a new ticket may match."""
    schedule_next_run(tx)


@APP.on(TicketUpdated)
def changed_ticket_wakes(tx: Tx, event: TicketUpdated) -> None:
    """Schedule the automations, because a changed ticket may match."""
    schedule_next_run(tx)


def next_hour(moment: datetime) -> datetime:
    """Return the first full hour after a moment, when automations run."""
    return moment.replace(minute=0, second=0, microsecond=0) + HOUR


def _plan(tx: Tx, moment: datetime) -> None:
    """Schedule the next run for this hour, unless an earlier one is scheduled."""
    clock = tx.find(AutomationClock, 1)
    if clock is None:
        tx.add(AutomationClock(id=1, due_at=moment, timer=_ask_at(tx, moment)))
    elif clock.due_at <= tx.now or clock.due_at > moment:
        tx.cancel(clock.timer)  # harmless if it already fired; a timer in the past never will
        tx.change(clock, due_at=moment, timer=_ask_at(tx, moment))


def _ask_at(tx: Tx, moment: datetime) -> int:
    """Schedule a run with no root cause, so that it is not attributed to a user who changed a ticket before."""
    root, tx.root = tx.root, 0
    try:
        return tx.at(moment, run_automations)
    finally:
        tx.root = root


@APP.command
def run_automations(tx: Tx, after: tuple[int, int] = (0, 0), acted: int = 0) -> None:
    """Run every automation in order, and schedule the next run that may have something to do.

    A run that does much is split: it goes on in another transaction after a number of automations, and after a ticket.
    """
    listed = tx.all(Automation, "active = 1", order="position, id")
    first, ticket_id = after
    for place, automation in enumerate(listed[first:], first):
        reached, done = run(tx, automation, ticket_id)
        acted, ticket_id = acted + done, 0
        if reached:
            tx.later(timedelta(0), run_automations, after=(place, reached), acted=acted)
            return
    moment = next_hour(tx.now) if acted else _worth_asking(tx, listed)
    if moment is not None:
        _plan(tx, moment)


HOURS_AT_MOST = 1_000_000
"""No ticket gets older than this (114 years)."""


def _worth_asking(tx: Tx, listed: list[Automation]) -> datetime | None:
    """Return the first full hour at which an unchanged ticket can meet the time condition of an automation."""
    soonest: datetime | None = None
    for automation in listed:
        moment = _crossing(tx, automation)
        if moment is not None and (soonest is None or moment < soonest):
            soonest = moment
    if soonest is None:
        return None
    whole = soonest.replace(minute=0, second=0, microsecond=0)
    return max(next_hour(tx.now), whole if whole == soonest else whole + HOUR)


def _crossing(tx: Tx, automation: Automation) -> datetime | None:
    """Return when the next ticket meets the automation's first hours-since condition; now if that is unclear."""
    when = automation.conditions
    usable = [c for c in when.all if c.field in conditions.MOMENTS and not c.operator.startswith("less_than")]
    if not usable:
        return tx.now
    chosen, *_ = usable
    rest = tuple(c for c in when.all if c.field not in TIMED)
    if chosen.field.isupper():
        rest = (*rest, Condition("status", "is", chosen.field.lower()))
    fits = tickets_sql(tx, Conditions(rest, ()), SYSTEM)
    asked = conditions.number(chosen.value) or 0
    if abs(asked) > HOURS_AT_MOST:
        return None
    hours = timedelta(hours=asked)
    column = f"{conditions.T}.{conditions.MOMENTS[chosen.field]}"
    rows = tx.rows(
        f"SELECT min({column}) FROM {conditions.T} WHERE {fits.text} "
        f"AND {column} >= ? AND {conditions.T}.status <> 'closed'",
        *fits.args,
        tx.now - hours,
    )
    return None if rows[0][0] is None else from_us(rows[0][0]) + hours


def run(tx: Tx, automation: Automation, after: int = 0) -> tuple[int, int]:
    """Apply one automation to the matching tickets after this one; return the last if there are more, and how many."""
    fits = tickets_sql(tx, automation.conditions, SYSTEM)
    where = f"{fits.text} AND {_FRESH} AND {conditions.T}.id > ?"
    found = tx.all(Ticket, where, *fits.args, automation.id, after, order="id", limit=AT_ONCE)
    listed = tx.rows(triggers.ACTIVE) if found else []
    for done, ticket in enumerate(found, 1):
        _act(tx, automation, ticket, listed)
        if tx.spent > ENOUGH_ROWS:
            return ticket.id, done
    return (found[-1].id, AT_ONCE) if len(found) == AT_ONCE else (0, len(found))


def via_of(automation: Automation) -> Via:
    """Return the `via` that identifies an automation in an audit."""
    origin = {"deleted": False, "title": automation.title, "id": automation.id}
    return Via("rule", {"from": origin, "to": {}, "rel": "automation"})


def _act(tx: Tx, automation: Automation, ticket: Ticket, listed: list[Any]) -> None:
    rule = via_of(automation)
    edit = Edit(tx, ticket, SYSTEM, rule, ticket, NO_METADATA)
    triggers.act(edit, rule, automation.actions)
    if edit.events:
        triggers.run(edit, listed)
    written, _ = edit.finish()
    if written.status == "closed":
        return
    done = tx.first(AutomationFiring, "automation_id = ? AND ticket_id = ?", automation.id, ticket.id)
    if done is None:
        tx.add(AutomationFiring(automation_id=automation.id, ticket_id=ticket.id, updated_at=written.updated_at))
    else:
        tx.change(done, updated_at=written.updated_at)


TIMED = frozenset(conditions.MOMENTS) | {"until_due_date"}


def check(title: str, when: Conditions, then: tuple[Action, ...]) -> None:
    """Require a title, actions, a time condition in `all`, and that the automation ends for a ticket."""
    triggers.check(title, when, then)
    timed = [condition for condition in when.all if condition.field in TIMED]
    if not timed:
        raise refusals.invalid(
            "base",
            "Your automation must include a time-based condition in the all conditions.",
            "InvalidValue",
        )
    if not _ends(when, timed, then):
        raise refusals.invalid(
            "base",
            "Your automation must contain an action that makes one of its conditions false, "
            "or a condition that is true only once.",
            "InvalidValue",
        )


def _ends(when: Conditions, timed: list[Condition], then: tuple[Action, ...]) -> bool:
    """Check whether an automation ends for a ticket: it matches for one hour only, or undoes a condition."""
    if any(condition.operator.startswith("is") for condition in timed):
        return True
    changed = {action.field for action in then}
    if {"current_tags", "set_tags", "remove_tags"} & changed:
        changed |= {"current_tags", "tags"}
    names = {condition.field for condition in when.all}
    if "status" in changed and any(name.isupper() for name in names):
        return True
    return bool(changed & names)
