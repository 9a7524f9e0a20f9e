"""What rules may test and do: the fields, operators and values that this account offers in its rule editors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk.rules.conditions import VIA_IDS
from diorama.apps.zendesk.schema import PRIORITIES, STATUSES, TICKET_TYPES, TicketField
from diorama.kernel import Tx

Value = tuple[str, str]
"""A value and its title."""
Values = Callable[[Tx], list[Value]]

OPERATORS = {
    "is": "Is", "is_not": "Is not", "less_than": "Less than", "greater_than": "Greater than", "changed": "Changed",
    "value": "Changed to", "value_previous": "Changed from", "not_changed": "Not changed",
    "not_value": "Not changed to",
    "not_value_previous": "Not changed from", "includes": "Contains at least one of the following",
    "not_includes": "Contains none of the following", "present": "Present", "not_present": "Not present",
    "is_business_hours": "(business) is", "less_than_business_hours": "(business) less than",
    "greater_than_business_hours": "(business) greater than",
}  # fmt: skip
_TERMINAL = ("changed", "not_changed", "present", "not_present")

_SAME, _RANKED = ("is", "is_not"), ("is", "is_not", "less_than", "greater_than")
_MOVED = ("changed", "value", "value_previous", "not_changed", "not_value", "not_value_previous")
_WORDS = ("includes", "not_includes", "is", "is_not")
_HOURS = (
    "is", "less_than", "greater_than", "is_business_hours", "less_than_business_hours", "greater_than_business_hours",
)  # fmt: skip


def _fixed(*names: str) -> Values:
    return lambda tx: [(name, {"hold": "On-hold"}.get(name, name.replace("_", " ").capitalize())) for name in names]


def _rows(sql: str, *first: Value) -> Values:
    return lambda tx: [*first, *((str(number), title) for number, title in tx.rows(sql))]


def _nothing(tx: Tx) -> list[Value]:
    return []


_AGENTS = "SELECT id, name FROM zendesk_users WHERE role <> 'end-user' AND active = 1 ORDER BY name, id"
_GROUPS = "SELECT id, name FROM zendesk_groups ORDER BY name, id"
_SCHEDULES = "SELECT id, name FROM zendesk_schedules ORDER BY id"
_COMPANIES = "SELECT id, name FROM zendesk_organizations ORDER BY name, id LIMIT 200"
_ME: Value = ("current_user", "(current user)")
_NOBODY: Value = ("", "-")
_CHANNELS: Values = lambda tx: [(str(number), name.replace("_", " ").capitalize()) for name, number in VIA_IDS.items()]  # noqa: E731 - a table row


class Subject(msgspec.Struct, frozen=True):
    """A field of tickets as rule editors offer it."""

    name: str
    title: str
    type: str
    values: Values = _nothing
    operators: tuple[str, ...] = _SAME
    moves: bool = False
    update_only: bool = False
    group: str = "ticket"


ASKED: tuple[Subject, ...] = (
    Subject("status", "Status", "list", _fixed(*STATUSES), _RANKED, moves=True),
    Subject("type", "Type", "list", _fixed(*TICKET_TYPES), _SAME, moves=True),
    Subject("priority", "Priority", "list", _fixed(*PRIORITIES), _RANKED, moves=True),
    Subject("group_id", "Group", "list", _rows(_GROUPS, _NOBODY), _SAME, moves=True),
    Subject("assignee_id", "Assignee", "list", _rows(_AGENTS, _NOBODY, _ME), _SAME, moves=True),
    Subject("requester_id", "Requester", "list", _rows(_AGENTS, _ME), _SAME, moves=True),
    Subject("organization_id", "Organization", "list", _rows(_COMPANIES, _NOBODY), _SAME, moves=True),
    Subject("current_tags", "Tags", "tags", _nothing, ("includes", "not_includes")),
    Subject("subject_includes_word", "Subject text", "text", _nothing, _WORDS),
    Subject("description_includes_word", "Description", "text", _nothing, _WORDS),
    Subject(
        "satisfaction_score", "Satisfaction", "list", _fixed("unoffered", "offered", "good", "bad"), _SAME, moves=True
    ),
    Subject("via_id", "Channel", "list", _CHANNELS, _SAME),
    Subject("ticket_is_public", "Privacy", "list", _fixed("public", "private")),
    Subject(
        "update_type",
        "Ticket",
        "list",
        lambda tx: [("Create", "Created"), ("Change", "Updated")],
        ("is",),
        update_only=True,
    ),
    Subject("comment_is_public", "Comment", "list", _fixed("true", "false", "not_relevant"), ("is",), update_only=True),
    Subject("comment_includes_word", "Comment text", "text", _nothing, _WORDS, update_only=True),
    Subject("current_via_id", "Update via", "list", _CHANNELS, _SAME, update_only=True),
    Subject(
        "role",
        "Current user",
        "list",
        _rows(_AGENTS, ("end_user", "(end user)"), ("agent", "(agent)")),
        _SAME,
        update_only=True,
        group="user",
    ),
    Subject("reopens", "Reopens", "text", _nothing, ("is", "less_than", "greater_than"), group="metrics"),
)

TIMES: tuple[Subject, ...] = tuple(
    Subject(name, f"Hours {title}", "text", _nothing, _HOURS, group="hours")
    for name, title in (
        ("NEW", "since created"), ("OPEN", "since opened"), ("PENDING", "since pending"), ("HOLD", "since on-hold"),
        ("SOLVED", "since solved"), ("CLOSED", "since closed"), ("assigned_at", "since assigned"),
        ("updated_at", "since update"), ("requester_updated_at", "since requester update"),
        ("assignee_updated_at", "since assignee update"), ("due_date", "since due date"),
        ("sla_next_breach_at", "since last SLA breach"), ("until_sla_next_breach_at", "until next SLA breach"),
    )
)  # fmt: skip

DONE: tuple[Subject, ...] = (
    Subject("status", "Status", "list", _fixed(*STATUSES)),
    Subject("type", "Type", "list", _fixed(*TICKET_TYPES)),
    Subject("priority", "Priority", "list", _fixed(*PRIORITIES)),
    Subject("group_id", "Group", "list", _rows(_GROUPS, _NOBODY)),
    Subject("assignee_id", "Assignee", "list", _rows(_AGENTS, _NOBODY, _ME)),
    Subject("set_tags", "Set tags", "tags"),
    Subject("current_tags", "Add tags", "tags"),
    Subject("remove_tags", "Remove tags", "tags"),
    Subject("follower", "Add follower", "list", _rows(_AGENTS, _ME)),
)
TOLD: tuple[Subject, ...] = (
    Subject("satisfaction_score", "Satisfaction", "list", _fixed("offered")),
    Subject("set_schedule", "Set schedule", "list", _rows(_SCHEDULES)),
    Subject(
        "notification_user",
        "User email",
        "notification_user",
        _rows(_AGENTS, ("requester_id", "(requester)"), ("assignee_id", "(assignee)")),
        group="notification",
    ),
    Subject(
        "notification_group",
        "Group email",
        "notification_group",
        _rows(_GROUPS, ("group_id", "(assigned group)")),
        group="notification",
    ),
)
SAID: tuple[Subject, ...] = (
    Subject("subject", "Set subject", "text"),
    Subject("comment_value", "Comment/description", "textarea"),
    Subject("comment_value_html", "Comment/description (rich text)", "textarea"),
    Subject("comment_mode_is_public", "Comment mode", "list", _fixed("true", "false")),
)


def own_subjects(tx: Tx) -> list[Subject]:
    """Return the custom fields that have values to choose from, or may be empty."""
    found = []
    for field in tx.all(TicketField, "removable = 1 AND active = 1", order="position, id"):
        listed = [(option.value, option.name) for option in field.options]
        operators = _SAME if listed else ("present", "not_present")
        kind = "list" if listed else "text"
        found.append(
            Subject(f"custom_fields_{field.id}", field.title, kind, _known(listed), operators, group="custom field")
        )
    return found


def _known(listed: list[Value]) -> Values:
    return lambda tx: listed


def condition_shapes(tx: Tx, *, of_updates: bool = False, of_hours: bool = False) -> list[dict[str, Any]]:
    """Return the conditions a rule may have: on updates for triggers, on hours for automations and views."""
    subjects = [one for one in ASKED if of_updates or not one.update_only]
    return [
        {
            **_shape(tx, one),
            "operators": [
                {"value": name, "title": OPERATORS[name], "terminal": name in _TERMINAL}
                for name in (*one.operators, *(_MOVED if of_updates and one.moves else ()))
            ],
        }
        for one in (*subjects, *(TIMES if of_hours else ()), *own_subjects(tx))
    ]


def action_shapes(tx: Tx, *, of_macros: bool = False) -> list[dict[str, Any]]:
    """Return the actions that a rule may have."""
    return [_shape(tx, one) for one in (*DONE, *(SAID if of_macros else TOLD), *own_subjects(tx))]


def _shape(tx: Tx, subject: Subject) -> dict[str, Any]:
    values = subject.values(tx)
    return {
        "subject": subject.name,
        "title": subject.title,
        "type": subject.type,
        "group": subject.group,
        "nullable": any(value == "" for value, _ in values),
        "repeatable": subject.name in ("current_tags", "comment_includes_word", "subject_includes_word"),
        **(
            {"values": [{"value": value, "title": title, "enabled": True} for value, title in values]} if values else {}
        ),
    }


_FILTERED = ("type", "group_id", "assignee_id", "requester_id", "organization_id", "current_tags", "via_id")


def filter_shapes(tx: Tx) -> list[dict[str, Any]]:
    """Return the conditions by which a policy may filter tickets."""
    return [_filter_shape(tx, one) for one in (*(one for one in ASKED if one.name in _FILTERED), *own_subjects(tx))]


def group_filter_shapes(tx: Tx) -> list[dict[str, Any]]:
    """Return the one condition that a group policy has."""
    shape = _filter_shape(tx, Subject("group_id", "Group", "list", _rows(_GROUPS), ("includes",)))
    shape.pop("target")
    shape["values"]["list"] = [{"title": one["title"], "value": int(one["value"])} for one in shape["values"]["list"]]
    return [shape]


def _filter_shape(tx: Tx, subject: Subject) -> dict[str, Any]:
    listed: Sequence[Value] = subject.values(tx)
    return {
        "title": subject.title,
        "value": subject.name,
        "group": subject.group,
        "target": None,
        "operators": [{"title": OPERATORS[name], "value": name} for name in subject.operators if name in OPERATORS],
        "values": {"type": subject.type, "list": [{"title": title, "value": value} for value, title in listed]},
    }
