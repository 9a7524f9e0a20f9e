"""Records of automations."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.actions import Action
from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.conditions import Conditions
from diorama.kernel import Record, counter, sparse


@APP.record("automations", ids=sparse(18_416_318_940_308, 640), index=[("active", "position")])
class Automation(Record):
    """When the conditions hold at the full hour, do the actions."""

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
    """An automation has done its work on a ticket as it stood then, and leaves that state alone."""

    automation_id: int
    ticket_id: int
    updated_at: datetime


@APP.record("automation_clock", ids=counter(1))
class AutomationClock(Record):
    """The full hour at which the automations are asked next, and the agenda's number of it."""

    due_at: datetime
    timer: int
