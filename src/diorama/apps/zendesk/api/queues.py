"""Omnichannel routing queues on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.api.skill_based_routing import SUBJECTS
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import queues as queue_rules
from diorama.apps.zendesk.schema import APP, PRIORITIES, STATUSES, TICKET_TYPES, Group
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
    """List queues in the order in which they are matched."""
    found, around = page_of(tx, page, Queue, "", (), default="position")
    return QueuesResponse(queues=_shapes(tx, found), **around)


def _fields(asked: QueueInput) -> dict[str, Any]:
    fields = given_fields(asked, "name", "description", "priority")
    if asked.definition is not UNSET:
        fields["definition"] = conditions_of(asked.definition)
    for name, column in (("primary_groups_id", "primary_group_ids"), ("secondary_groups_id", "secondary_group_ids")):
        ids = getattr(asked, name)
        if ids is not UNSET:
            fields[column] = ids
    return fields


@APP.post("/api/v2/queues", role="admin", status=201)
def create_queue(tx: Tx, body: QueueRequest) -> QueueResponse:
    """Create a queue; it is matched last."""
    made = queue_rules.add_queue(tx, _fields(required(body.queue, "queue")))
    set_location(tx, f"queues/{made.id}")
    return QueueResponse(_shapes(tx, [made])[0])


@APP.get("/api/v2/queues/definitions", role="agent")
def list_queue_definitions(tx: Tx) -> QueueDefinitionsResponse:
    """List the conditions that queues support, with their values."""
    rows = tx.rows("SELECT id, name FROM zendesk_groups WHERE deleted = 0 ORDER BY name")
    choices: dict[str, list[Choice]] = {
        "status": [Choice(name, name.capitalize(), True) for name in STATUSES],
        "priority": [Choice(name, name.capitalize(), True) for name in PRIORITIES],
        "type": [Choice(name, name.capitalize(), True) for name in TICKET_TYPES],
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
    """Reorder queues."""
    queue_rules.reorder_queues(tx, [tx.get(Queue, number) for number in required(body.queue_ids, "queue_ids")])


@APP.get("/api/v2/queues/{queue_id}", role="agent")
def show_queue_by_id(tx: Tx, queue_id: str) -> QueueResponse:
    """Show a queue."""
    return QueueResponse(_shapes(tx, [tx.get(Queue, queue_id)])[0])


@APP.put("/api/v2/queues/{queue_id}", role="admin")
def update_queue(tx: Tx, queue_id: str, body: QueueRequest) -> QueueResponse:
    """Update a queue."""
    queue = tx.get(Queue, queue_id)
    changed = queue_rules.change_queue(tx, queue, _fields(required(body.queue, "queue")))
    return QueueResponse(_shapes(tx, [changed])[0])


@APP.delete("/api/v2/queues/{queue_id}", role="admin")
def delete_queue(tx: Tx, queue_id: str) -> None:
    """Delete a queue."""
    tx.remove(tx.get(Queue, queue_id))
