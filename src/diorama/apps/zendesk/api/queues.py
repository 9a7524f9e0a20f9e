"""Omnichannel routing queues on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.api.skill_based_routing import SUBJECTS
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import queues as queue_rules
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.skill_based_routing import check_conditions
from diorama.apps.zendesk.schema import APP, KINDS, PRIORITIES, STATUSES, Group
from diorama.apps.zendesk.schema.queues import Queue
from diorama.apps.zendesk.wire.queues import (
    Choice,
    Comparison,
    QueueCondition,
    QueueDefinitions,
    QueueDefinitionsResponse,
    QueueInput,
    QueueObject,
    QueueOrderRequest,
    QueueRequest,
    QueueResponse,
    QueuesResponse,
    queue_object,
)
from diorama.kernel import Tx


def _shapes(tx: Tx, queues: Sequence[Queue]) -> list[QueueObject]:
    ids = {number for queue in queues for number in (*queue.primary_group_ids, *queue.secondary_group_ids)}
    groups = {group.id: group for group in get_many(tx, Group, ids)}
    return [queue_object(queue, groups) for queue in queues]


@APP.get("/api/v2/queues", role="agent")
def list_queues(tx: Tx, page: Page) -> QueuesResponse:
    """The queues in the order in which they are asked."""
    found, around = page_of(tx, page, Queue, "", (), default="position")
    return QueuesResponse(queues=_shapes(tx, found), **around)


def _fields(tx: Tx, asked: QueueInput) -> dict[str, Any]:
    fields = given_fields(asked, "name", "description", "priority")
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    if "priority" in fields and not 1 <= fields["priority"] <= 100:
        raise refusals.invalid("priority", "Priority: must be between 1 and 100", "InvalidValue")
    if asked.definition is not UNSET:
        fields["definition"] = check_conditions(conditions_of(asked.definition), needed=True)
    for name, column in (("primary_groups_id", "primary_group_ids"), ("secondary_groups_id", "secondary_group_ids")):
        ids = getattr(asked, name)
        if ids is not UNSET:
            fields[column] = queue_rules.check_groups(tx, ids)
    return fields


@APP.post("/api/v2/queues", role="admin", status=201)
def create_queue(tx: Tx, body: QueueRequest) -> QueueResponse:
    """A new queue, asked last."""
    fields, moment = _fields(tx, required(body.queue, "queue")), now(tx)
    for needed, column in (("name", "name"), ("definition", "definition"), ("primary_groups", "primary_group_ids")):
        if not fields.get(column):
            raise refusals.blank(needed, needed.capitalize().replace("_", " "))
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_queues")[0][0]
    made = tx.add(Queue(**fields, position=last + 1, created_at=moment, updated_at=moment))
    set_location(tx, f"queues/{made.id}")
    return QueueResponse(_shapes(tx, [made])[0])


@APP.get("/api/v2/queues/definitions", role="agent")
def list_queue_definitions(tx: Tx) -> QueueDefinitionsResponse:
    """What the conditions of queues may ask, and with which values."""
    rows = tx.rows("SELECT id, name FROM zendesk_groups WHERE deleted = 0 ORDER BY name")
    choices: dict[str, list[Choice]] = {
        "status": [Choice(name, name.capitalize(), True) for name in STATUSES],
        "priority": [Choice(name, name.capitalize(), True) for name in PRIORITIES],
        "type": [Choice(name, name.capitalize(), True) for name in KINDS],
        "group_id": [Choice(str(number), name, True) for number, name in rows],
    }
    same = [Comparison("is", "Is", False), Comparison("is_not", "Is not", False)]
    ranked = [*same, Comparison("less_than", "Less than", False), Comparison("greater_than", "Greater than", False)]
    inside = [
        Comparison("includes", "Contains at least one of", False),
        Comparison("not_includes", "Contains none of", False),
    ]
    shown = []
    for subject, title in SUBJECTS.items():
        words = subject == "current_tags" or subject.endswith("_word")
        operators = inside if words else ranked if subject in ("status", "priority") else same
        kind = "text" if words else "list" if subject in choices else "autocomplete"
        nullable = subject not in ("status", "current_tags")
        shown.append(
            QueueCondition(subject, title, kind, "ticket", nullable, words, operators, choices.get(subject, []))
        )
    return QueueDefinitionsResponse(QueueDefinitions(shown, shown))


@APP.patch("/api/v2/queues/order", role="admin")
def reorder_queues(tx: Tx, body: QueueOrderRequest) -> None:
    """Ask the queues in this order."""
    named = [tx.get(Queue, number) for number in dict.fromkeys(required(body.queue_ids, "queue_ids"))]
    if len(named) != tx.count(Queue):
        raise refusals.bad_parameter("queue_ids", "must list every queue")
    for place, queue in enumerate(named, 1):
        tx.change(queue, position=place)


@APP.get("/api/v2/queues/{queue_id}", role="agent")
def show_queue_by_id(tx: Tx, queue_id: str) -> QueueResponse:
    """One queue."""
    return QueueResponse(_shapes(tx, [tx.get(Queue, queue_id)])[0])


@APP.put("/api/v2/queues/{queue_id}", role="admin")
def update_queue(tx: Tx, queue_id: str, body: QueueRequest) -> QueueResponse:
    """Change a queue."""
    queue = tx.get(Queue, queue_id)
    changed = tx.change(queue, **_fields(tx, required(body.queue, "queue")), updated_at=now(tx))
    return QueueResponse(_shapes(tx, [changed])[0])


@APP.delete("/api/v2/queues/{queue_id}", role="admin")
def delete_queue(tx: Tx, queue_id: str) -> None:
    """A queue goes."""
    tx.remove(tx.get(Queue, queue_id))
