"""Records of automations."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, counter, sparse


@APP.record("automations", ids=sparse(18_416_318_940_308, 640), index=[("active", "position")], cached=True)
class Automation(Record):
    """Run the actions when the conditions hold at the full hour."""

    title: str
    active: bool = True
    position: int = 0
    conditions: Conditions
    actions: tuple[Action, ...]
    default: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record("automation_firings", ids=counter(1), unique=[("automation_id", "ticket_id")])
class AutomationFiring(Record):
    """Records that an automation ran on a ticket in this state, so that it does not run on it again."""

    automation_id: int
    ticket_id: int
    updated_at: datetime


@APP.record("automation_clock", ids=counter(1), cached=True)
class AutomationClock(Record):
    """The full hour at which automations run next, and the id of its timer."""

    due_at: datetime
    timer: int
