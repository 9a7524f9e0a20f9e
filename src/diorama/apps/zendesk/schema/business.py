"""The rules a company gives its desk: triggers, macros, views, fields; and the account they belong to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse, token
from diorama.kit import jobs


class Condition(msgspec.Struct, frozen=True):
    """One test of a ticket."""

    field: str
    operator: str
    value: Any = None


class Conditions(msgspec.Struct, frozen=True):
    """Every one of `all` must hold, and one of `any` where there are some."""

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()


class Action(msgspec.Struct, frozen=True):
    """One thing to do to a ticket."""

    field: str
    value: Any = None


@APP.record("triggers", ids=sparse(18_416_301_770_004, 640), index=[("active", "position")], steady=True)
class Trigger(Record):
    """When a ticket was created or updated and the conditions hold, do the actions."""

    title: str
    active: bool = True
    position: int = 0
    conditions: Conditions
    actions: tuple[Action, ...]
    description: str | None = None
    category_id: str | None = None
    default: bool = False
    revision: int = 1
    created_at: datetime
    updated_at: datetime


@APP.record("macros", ids=sparse(18_416_333_516_052, 640), index=[("active", "position")])
class Macro(Record):
    """A prepared answer that an agent applies by hand."""

    title: str
    active: bool = True
    position: int = 9999
    actions: tuple[Action, ...]
    description: str | None = None
    restriction: dict[str, Any] | None = None
    default: bool = False
    created_at: datetime
    updated_at: datetime


class Output(msgspec.Struct, frozen=True):
    """How a view shows its tickets."""

    columns: tuple[str, ...] = ("subject", "requester", "created", "updated", "group", "assignee")
    group_by: str | None = None
    group_order: str = "desc"
    sort_by: str | None = None
    sort_order: str = "desc"


@APP.record("views", ids=sparse(18_416_360_402_836, 640), index=[("active", "position")])
class View(Record):
    """A list of tickets by conditions."""

    title: str
    active: bool = True
    position: int = 9999
    conditions: Conditions
    output: Output = Output()
    description: str | None = None
    restriction: dict[str, Any] | None = None
    default: bool = False
    created_at: datetime
    updated_at: datetime


class Option(msgspec.Struct, frozen=True):
    """One value that a field offers; `id` is 0 for the options of system fields."""

    name: str
    value: str
    id: int = 0
    default: bool = False


@APP.record("ticket_fields", ids=sparse(18_416_277_105_940, 384), index=[("position",)])
class TicketField(Record):
    """A field of the ticket form; the removable ones are the company's own."""

    type: str
    title: str
    description: str = ""
    position: int = 9999
    active: bool = True
    required: bool = False
    collapsed_for_agents: bool = False
    regexp_for_validation: str | None = None
    title_in_portal: str = ""
    visible_in_portal: bool = False
    editable_in_portal: bool = False
    required_in_portal: bool = False
    agent_description: str | None = None
    tag: str | None = None
    removable: bool = False
    options: tuple[Option, ...] = ()
    sub_type_id: int | None = None
    relationship_target_type: str | None = None
    relationship_filter: dict[str, Any] | None = None
    creator_user_id: int = -1
    created_at: datetime
    updated_at: datetime


@APP.record("accounts")
class Account(Record):
    """The company as its desk presents it; there is one."""

    name: str
    support_address: str
    created_at: datetime


@APP.record("job_statuses", ids=token("V3-", "0123456789abcdef", 32), index=[("owner", "created_at")])
class Job(jobs.Job):
    """Bulk work that runs in the background."""
