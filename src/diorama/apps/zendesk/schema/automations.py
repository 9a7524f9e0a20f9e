"""Rules that run by the hour, the order of triggers, and what rules were before they were changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.apps.zendesk.schema.business import Action, Conditions
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


@APP.record("trigger_categories", ids=sparse(18_416_290_551_700, 256), index=[("position", "id")])
class TriggerCategory(Record):
    """A folder of triggers."""

    name: str
    position: int = 0
    created_at: datetime
    updated_at: datetime


@APP.record("trigger_revisions", ids=sparse(18_416_501_276_436, 128), index=[("trigger_id", "number")])
class TriggerRevision(Record):
    """A trigger as it was from one change to the next."""

    trigger_id: int
    number: int
    author_id: int
    created_at: datetime
    content: dict[str, Any]


@APP.record("macro_attachments", ids=sparse(18_416_520_998_100, 256), index=[("macro_id", "id")])
class MacroAttachment(Record):
    """A file that comes with a macro; it belongs to none until one names it."""

    macro_id: int | None = None
    filename: str
    content_type: str
    size: int
    content: str = ""
    created_at: datetime
