"""Omnichannel routing: which queue a ticket is in, and which agent gets it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import condition_sets, conditions
from diorama.apps.zendesk.rules.current_user import SYSTEM, now
from diorama.apps.zendesk.rules.skill_based_routing import check_conditions, has_required_skills, set_skills
from diorama.apps.zendesk.rules.tickets import update
from diorama.apps.zendesk.schema import (
    APP,
    Comment,
    Conditions,
    Group,
    Ticket,
    TicketCreated,
    TicketSolved,
    TicketUpdated,
    User,
    Via,
)
from diorama.apps.zendesk.schema.agent_availabilities import PRESENCES, Availability
from diorama.apps.zendesk.schema.queues import Queue
from diorama.apps.zendesk.schema.skill_based_routing import SkillValue
from diorama.kernel import Tx

ROUTED = Via("rule", {"from": {"title": "Omnichannel routing", "deleted": False}, "to": {}, "rel": "omnichannel"})
WAITING = 200
"""How many waiting tickets are examined when an agent becomes free."""
ENOUGH_ROWS = 8_000
"""The rows read after which the rest of them are examined in another transaction."""
_encode = msgspec.json.Encoder().encode


def _facts(tx: Tx, ticket: Ticket) -> conditions.Facts:
    comment = tx.first(Comment, "ticket_id = ?", ticket.id, order="created_at, id")
    return conditions.Facts(tx, ticket, None, comment, tx.get(User, ticket.requester_id))


def _holds(when: Conditions, facts: conditions.Facts) -> bool:
    return condition_sets.hold(_encode(when).decode(), facts)


def check_groups(tx: Tx, ids: Sequence[int]) -> tuple[int, ...]:
    """Return the group ids without duplicates; refuse groups that do not exist."""
    for number in ids:
        if tx.get(Group, number).deleted:
            raise refusals.not_found()
    return tuple(dict.fromkeys(ids))


def queue_of(tx: Tx, ticket: Ticket, listed: Sequence[Queue] | None = None) -> Queue | None:
    """Return the first queue that matches a ticket; `listed` are all queues in order, if they are known."""
    queues = tx.all(Queue, "", order="position, id") if listed is None else listed
    facts = _facts(tx, ticket) if queues else None
    return next((queue for queue in queues if facts is not None and _holds(queue.definition, facts)), None)


def availability_of(tx: Tx, user: User) -> Availability:
    """Return the availability of an agent; offline if never set."""
    known = tx.first(Availability, "user_id = ?", user.id)
    return known or Availability(user_id=user.id, updated_at=user.updated_at)


def set_availability(tx: Tx, user: User, status: str) -> Availability:
    """Set the availability of an agent; assign waiting tickets to agents who come online."""
    if status not in PRESENCES:
        raise refusals.not_listed("status", "Status", status)
    if not user.staff:
        raise refusals.invalid("agent_id", "Agent: is not an agent", "InvalidValue")
    kept, known = status, tx.first(Availability, "user_id = ?", user.id)
    if known is None:
        known = tx.add(Availability(user_id=user.id, status=kept, updated_at=now(tx)))
    else:
        known = tx.change(known, status=kept, version=known.version + 1, updated_at=now(tx))
    if status == "online":
        route_waiting(tx)
    return known


_FREE = (
    "SELECT a.user_id, (SELECT count(*) FROM zendesk_tickets t WHERE t.assignee_id = a.user_id "
    "AND t.status IN ('new', 'open') AND t.deleted_at IS NULL) AS load, a.capacity, a.updated_at "
    "FROM zendesk_agent_availabilities a JOIN zendesk_group_memberships m ON m.user_id = a.user_id "
    "WHERE a.status = 'online' AND m.group_id = ? ORDER BY load, a.updated_at, a.user_id"
)


def available_agent(tx: Tx, ticket: Ticket, groups: Sequence[int]) -> tuple[int, int] | None:
    """Return the least busy agent who is online, has capacity and the skills, and their group."""
    for group in groups:
        for user_id, load, capacity, _ in tx.rows(_FREE, group):
            if load < capacity and has_required_skills(tx, user_id, ticket.id):
                return user_id, group
    return None


def route(tx: Tx, ticket: Ticket, queue: Queue | None = None) -> bool:
    """Assign an unassigned ticket to an agent of its queue; primary groups come first."""
    if ticket.assignee_id is not None or ticket.status not in ("new", "open"):
        return False
    queue = queue or queue_of(tx, ticket)
    if queue is None:
        return False
    found = available_agent(tx, ticket, (*queue.primary_group_ids, *queue.secondary_group_ids))
    if found is None:
        return False
    update(tx, ticket, by=SYSTEM, fields={"assignee_id": found[0], "group_id": found[1]}, via=ROUTED)
    return True


def _somebody_there(tx: Tx) -> bool:
    return bool(tx.rows("SELECT 1 FROM zendesk_agent_availabilities WHERE status = 'online' LIMIT 1"))


@APP.command
def route_waiting(tx: Tx, skip: int = 0) -> int:
    """Assign waiting tickets, urgent queues first, then oldest first; return how many were assigned.

    If it is much work, the rest follows in other transactions. `skip`: the tickets that could not be assigned so far.
    """
    listed = tx.all(Queue, "", order="position, id")
    waiting = tx.all(
        Ticket,
        "status IN ('new', 'open') AND assignee_id IS NULL AND deleted_at IS NULL",
        order="created_at, id",
        limit=max(0, WAITING - skip) if listed else 0,
        offset=skip,
    )
    placed: list[tuple[int, int, Ticket, Queue]] = []
    seen = tried = done = 0
    for ticket in waiting:
        if tx.spent > ENOUGH_ROWS:
            break
        seen += 1
        if (queue := queue_of(tx, ticket, listed)) is not None:
            placed.append((queue.priority, seen, ticket, queue))
    for _, _, ticket, queue in sorted(placed, key=lambda one: one[:2]):
        if tx.spent > 2 * ENOUGH_ROWS:
            break
        tried += 1
        done += route(tx, ticket, queue)
    if done and tried < len(placed):
        tx.later(timedelta(0), route_waiting, skip=skip)
    elif seen < len(waiting):
        tx.later(timedelta(0), route_waiting, skip=skip + seen - done)
    return done


@APP.on(TicketCreated)
def place_new_ticket(tx: Tx, event: TicketCreated) -> None:
    """Give a new ticket the skills it needs, and assign it to an available agent."""
    automatic = tx.all(SkillValue, "automatic = 1", order="id")
    there = _somebody_there(tx)
    if not automatic and not there:
        return
    ticket = tx.get(Ticket, event.ticket)
    facts = _facts(tx, ticket)
    needed = [value.id for value in automatic if _holds(value.conditions, facts)]
    if needed:
        set_skills(tx, "ticket", ticket.id, needed, replace=False)
    if there:
        route(tx, ticket)


PAUSED = ("pending", "hold")


@APP.on(TicketUpdated)
def take_the_next_after_a_pause(tx: Tx, event: TicketUpdated) -> None:
    """Assign waiting tickets after a ticket began to wait for someone else, which frees its agent's capacity."""
    if "status" not in event.fields or not _somebody_there(tx):
        return
    if tx.rows(f"SELECT 1 FROM zendesk_tickets WHERE id = ? AND status IN {PAUSED}", event.ticket):
        route_waiting(tx)


@APP.on(TicketSolved)
def take_the_next(tx: Tx, event: TicketSolved) -> None:
    """Assign waiting tickets after a ticket was solved."""
    if _somebody_there(tx):
        route_waiting(tx)


def _checked(tx: Tx, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a queue as they are kept; raise 422 for those that do not do."""
    fields = dict(asked)
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    if "priority" in fields and not 1 <= fields["priority"] <= 100:
        raise refusals.invalid("priority", "Priority: must be between 1 and 100", "InvalidValue")
    if "definition" in fields:
        fields["definition"] = check_conditions(fields["definition"], needed=True)
    for column in ("primary_group_ids", "secondary_group_ids"):
        if column in fields:
            fields[column] = check_groups(tx, fields[column])
    return fields


def add_queue(tx: Tx, asked: Mapping[str, Any]) -> Queue:
    """Add a queue, asked last."""
    fields, moment = _checked(tx, asked), now(tx)
    for needed, column in (("name", "name"), ("definition", "definition"), ("primary_groups", "primary_group_ids")):
        if not fields.get(column):
            raise refusals.blank(needed, needed.capitalize().replace("_", " "))
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_queues")[0][0]
    return tx.add(Queue(**fields, position=last + 1, created_at=moment, updated_at=moment))


def change_queue(tx: Tx, queue: Queue, asked: Mapping[str, Any]) -> Queue:
    """Change a queue."""
    return tx.change(queue, **_checked(tx, asked), updated_at=now(tx))


def reorder_queues(tx: Tx, named: Iterable[Queue]) -> None:
    """Ask the queues in this order; every queue must be named."""
    order = list({queue.id: queue for queue in named}.values())
    if len(order) != tx.count(Queue):
        raise refusals.bad_parameter("queue_ids", "must list every queue")
    for place, queue in enumerate(order, 1):
        tx.change(queue, position=place)
