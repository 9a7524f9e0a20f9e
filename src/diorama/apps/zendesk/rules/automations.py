"""Automations: asked at the full hour of every ticket that is not closed; solved tickets close by one of them.

Hours in which no ticket can meet a condition on time are passed over: the next hour that matters is worked out from the
tickets, and whatever changes a ticket or an automation calls for the very next one.
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
AT_MOST = 1000
"""So many tickets an automation takes on in one hour; the rest wait for the next."""
_FRESH = (
    f"{conditions.T}.status <> 'closed' AND NOT EXISTS (SELECT 1 FROM zendesk_automation_firings f "
    f"WHERE f.automation_id = ? AND f.ticket_id = {conditions.T}.id AND f.updated_at = {conditions.T}.updated_at)"
)


def start(tx: Tx) -> None:
    """Let the account's hours begin; there is one row on the agenda for all of its automations."""
    _plan(tx, next_hour(tx.now))


def schedule_next_run(tx: Tx) -> None:
    """Something changed: the automations are asked at the next full hour."""
    _plan(tx, next_hour(tx.now))


@APP.on(TicketCreated)
def new_ticket_wakes(tx: Tx, event: TicketCreated) -> None:
    """A new ticket may fit at once."""
    schedule_next_run(tx)


@APP.on(TicketUpdated)
def changed_ticket_wakes(tx: Tx, event: TicketUpdated) -> None:
    """A changed ticket may fit now."""
    schedule_next_run(tx)


def next_hour(moment: datetime) -> datetime:
    """The first full hour after a moment, when automations are asked."""
    return moment.replace(minute=0, second=0, microsecond=0) + HOUR


def _plan(tx: Tx, moment: datetime) -> None:
    """Be asked at this hour, if not before."""
    clock = tx.find(AutomationClock, 1)
    if clock is None:
        tx.add(AutomationClock(id=1, due_at=moment, timer=_ask_at(tx, moment)))
    elif clock.due_at <= tx.now or clock.due_at > moment:
        tx.cancel(clock.timer)  # one that has rung is gone already; one of a written past never will
        tx.change(clock, due_at=moment, timer=_ask_at(tx, moment))


def _ask_at(tx: Tx, moment: datetime) -> int:
    """The hours are the account's own: what happens in them is nobody's doing who changed a ticket before."""
    root, tx.root = tx.root, 0
    try:
        return tx.at(moment, run_automations)
    finally:
        tx.root = root


@APP.command
def run_automations(tx: Tx) -> None:
    """Ask every automation, first to last, and come back when one of them may have something to do."""
    listed = tx.all(Automation, "active = 1", order="position, id")
    acted = sum(run(tx, automation) for automation in listed)
    moment = next_hour(tx.now) if acted else _worth_asking(tx, listed)
    if moment is not None:
        _plan(tx, moment)


def _worth_asking(tx: Tx, listed: list[Automation]) -> datetime | None:
    """The first full hour at which a ticket, left as it is, can come to meet an automation's condition on time."""
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
    """When the next ticket passes the automation's first condition on hours since; now, where that is unclear."""
    when = automation.conditions
    usable = [c for c in when.all if c.field in conditions.MOMENTS and not c.operator.startswith("less_than")]
    if not usable:
        return tx.now
    chosen, *_ = usable
    rest = tuple(c for c in when.all if c.field not in TIMED)
    if chosen.field.isupper():
        rest = (*rest, Condition("status", "is", chosen.field.lower()))
    fits = tickets_sql(tx, Conditions(rest, ()), SYSTEM)
    hours = timedelta(hours=float(conditions.number(chosen.value) or 0))
    column = f"{conditions.T}.{conditions.MOMENTS[chosen.field]}"
    rows = tx.rows(
        f"SELECT min({column}) FROM {conditions.T} WHERE {fits.text} "
        f"AND {column} >= ? AND {conditions.T}.status <> 'closed'",
        *fits.args,
        tx.now - hours,
    )
    return None if rows[0][0] is None else from_us(rows[0][0]) + hours


def run(tx: Tx, automation: Automation) -> int:
    """Do what one automation says to every ticket that fits; how many those were."""
    fits = tickets_sql(tx, automation.conditions, SYSTEM)
    found = tx.all(Ticket, f"{fits.text} AND {_FRESH}", *fits.args, automation.id, order="id", limit=AT_MOST)
    listed = tx.rows(triggers.ACTIVE) if found else []
    for ticket in found:
        _act(tx, automation, ticket, listed)
    return len(found)


def via_of(automation: Automation) -> Via:
    """How an audit names an automation."""
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
    """An automation needs a title, a condition on time that all tickets must meet, and actions; and it must end."""
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
    """Whether an automation stops by itself: it is true for one hour only, or undoes one of its conditions."""
    if any(condition.operator.startswith("is") for condition in timed):
        return True
    changed = {action.field for action in then}
    if {"current_tags", "set_tags", "remove_tags"} & changed:
        changed |= {"current_tags", "tags"}
    names = {condition.field for condition in when.all}
    if "status" in changed and any(name.isupper() for name in names):
        return True
    return bool(changed & names)
