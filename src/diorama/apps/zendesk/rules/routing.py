"""Routing: which skills a ticket needs, which queue it is in, and who takes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import conditions
from diorama.apps.zendesk.rules.acting import SYSTEM, now
from diorama.apps.zendesk.rules.tickets import update
from diorama.apps.zendesk.schema import APP, Comment, Conditions, Group, Ticket, TicketCreated, TicketSolved, User, Via
from diorama.apps.zendesk.schema.routing import (
    PRESENCES,
    Availability,
    HeldSkill,
    Holder,
    Queue,
    Skill,
    SkillValue,
)
from diorama.kernel import Tx

ROUTED = Via("rule", {"from": {"title": "Omnichannel routing", "deleted": False}, "to": {}, "rel": "omnichannel"})
WAITING = 200
"""How many waiting tickets are looked at when somebody gets free."""
_encode = msgspec.json.Encoder().encode


def check_conditions(when: Conditions, needed: bool = False) -> Conditions:
    """Conditions that the desk understands."""
    listed = (*when.all, *when.any)
    if needed and not listed:
        raise refusals.invalid("definition", "Definition: must have at least one condition", "BlankValue")
    for condition in listed:
        if not conditions.known(condition.field):
            raise refusals.invalid("base", f"Condition: {condition.field} is not valid", "InvalidValue")
    return when


def _holds(tx: Tx, when: Conditions, ticket: Ticket) -> bool:
    comment = tx.first(Comment, "ticket_id = ?", ticket.id, order="created_at, id")
    facts = conditions.Facts(tx, ticket, None, comment, tx.get(User, ticket.requester_id))
    return conditions.compiled(_encode(when).decode())(facts)


# --- skills


def add_skill(tx: Tx, name: str) -> Skill:
    """A new kind of skill."""
    _free(tx, Skill, name)
    return tx.add(Skill(name=name.strip(), created_at=now(tx), updated_at=now(tx)))


def add_value(tx: Tx, skill: Skill, name: str, when: Conditions | None = None) -> SkillValue:
    """A new skill of a kind."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.count(SkillValue, "attribute_id = ? AND name = ? COLLATE NOCASE", skill.id, name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")
    kept = check_conditions(when or Conditions())
    return tx.add(
        SkillValue(
            attribute_id=skill.id,
            name=name.strip(),
            conditions=kept,
            automatic=bool(kept.all or kept.any),
            created_at=now(tx),
            updated_at=now(tx),
        )
    )


def _free(tx: Tx, record: type[Skill], name: str) -> None:
    if not name.strip():
        raise refusals.blank("name", "Name")
    if tx.count(record, "name = ? COLLATE NOCASE", name.strip()):
        raise refusals.invalid("name", f"Name: {name.strip()} has already been taken", "DuplicateValue")


def remove_value(tx: Tx, value: SkillValue) -> None:
    """A skill goes from everybody who has or needs it."""
    for held in tx.all(HeldSkill, "value_id = ?", value.id):
        tx.remove(held)
    tx.remove(value)


def remove_skill(tx: Tx, skill: Skill) -> None:
    """A kind of skill goes, with its skills."""
    for value in tx.all(SkillValue, "attribute_id = ?", skill.id):
        remove_value(tx, value)
    tx.remove(skill)


def held(tx: Tx, holder: Holder, number: int) -> list[SkillValue]:
    """The skills that an agent has, or that a ticket needs."""
    ids = "SELECT value_id FROM zendesk_routing_instance_values WHERE holder = ? AND holder_id = ?"
    return tx.all(SkillValue, f"id IN ({ids})", holder, number, order="name, id")


def give(tx: Tx, holder: Holder, number: int, value_ids: Iterable[str], replace: bool = True) -> list[SkillValue]:
    """These skills from now on, and no others unless they are added."""
    wanted = [tx.get(SkillValue, one) for one in dict.fromkeys(value_ids)]
    there = {one.value_id: one for one in tx.all(HeldSkill, "holder = ? AND holder_id = ?", holder, number)}
    moment = now(tx)
    for value in wanted:
        if value.id not in there:
            tx.add(
                HeldSkill(
                    holder=holder,
                    holder_id=number,
                    attribute_id=value.attribute_id,
                    value_id=value.id,
                    created_at=moment,
                    updated_at=moment,
                )
            )
    if replace:
        kept = {value.id for value in wanted}
        for value_id, one in there.items():
            if value_id not in kept:
                tx.remove(one)
    return held(tx, holder, number)


def fulfils(tx: Tx, user_id: int, ticket_id: int) -> bool:
    """Whether an agent has every skill that a ticket needs."""
    lacking = (
        "SELECT 1 FROM zendesk_routing_instance_values t WHERE t.holder = 'ticket' AND t.holder_id = ? AND NOT EXISTS "
        "(SELECT 1 FROM zendesk_routing_instance_values a WHERE a.holder = 'agent' AND a.holder_id = ? "
        "AND a.value_id = t.value_id) LIMIT 1"
    )
    return not tx.rows(lacking, ticket_id, user_id)


# --- queues


def check_groups(tx: Tx, ids: Sequence[int]) -> tuple[int, ...]:
    """Groups that are there."""
    for number in ids:
        if tx.get(Group, number).deleted:
            raise refusals.not_found()
    return tuple(dict.fromkeys(ids))


def queue_of(tx: Tx, ticket: Ticket) -> Queue | None:
    """The first queue that fits a ticket."""
    for queue in tx.all(Queue, "", order="position, id"):
        if _holds(tx, queue.definition, ticket):
            return queue
    return None


# --- who takes it


def presence_of(tx: Tx, user: User) -> Availability:
    """Whether an agent is there; who never said so is not."""
    known = tx.first(Availability, "user_id = ?", user.id)
    return known or Availability(user_id=user.id, updated_at=user.updated_at)


def set_presence(tx: Tx, user: User, status: str) -> Availability:
    """An agent comes or goes; who comes gets what waits."""
    if status not in PRESENCES:
        raise refusals.not_listed("status", "Status", status)
    if not user.staff:
        raise refusals.invalid("agent_id", "Agent: is not an agent", "InvalidValue")
    kept, known = status, tx.first(Availability, "user_id = ?", user.id)
    if known is None:
        known = tx.add(Availability(user_id=user.id, status=kept, updated_at=now(tx)))
    else:
        known = tx.change(known, status=kept, updated_at=now(tx))
    if status == "online":
        route_waiting(tx)
    return known


_FREE = (
    "SELECT a.user_id, (SELECT count(*) FROM zendesk_tickets t WHERE t.assignee_id = a.user_id "
    "AND t.status IN ('new', 'open') AND t.deleted_at IS NULL) AS load, a.capacity, a.updated_at "
    "FROM zendesk_agent_availabilities a JOIN zendesk_group_memberships m ON m.user_id = a.user_id "
    "WHERE a.status = 'online' AND m.group_id = ? ORDER BY load, a.updated_at, a.user_id"
)


def taker(tx: Tx, ticket: Ticket, groups: Sequence[int]) -> tuple[int, int] | None:
    """The agent with the least to do who is there, has room and the skills; and the group they take it for."""
    for group in groups:
        for user_id, load, capacity, _ in tx.rows(_FREE, group):
            if load < capacity and fulfils(tx, user_id, ticket.id):
                return user_id, group
    return None


def route(tx: Tx, ticket: Ticket) -> bool:
    """Give a ticket that nobody has to somebody of its queue; primary groups come first."""
    if ticket.assignee_id is not None or ticket.status not in ("new", "open"):
        return False
    queue = queue_of(tx, ticket)
    if queue is None:
        return False
    found = taker(tx, ticket, (*queue.primary_group_ids, *queue.secondary_group_ids))
    if found is None:
        return False
    update(tx, ticket, by=SYSTEM, fields={"assignee_id": found[0], "group_id": found[1]}, via=ROUTED)
    return True


def _somebody_there(tx: Tx) -> bool:
    return bool(tx.rows("SELECT 1 FROM zendesk_agent_availabilities WHERE status = 'online' LIMIT 1"))


def route_waiting(tx: Tx) -> int:
    """Give out what waits, urgent queues first, then the oldest; how many tickets found somebody."""
    waiting = tx.all(
        Ticket,
        "status IN ('new', 'open') AND assignee_id IS NULL AND deleted_at IS NULL",
        order="created_at, id",
        limit=WAITING,
    )
    placed = [
        (queue.priority, number, ticket) for number, ticket in enumerate(waiting) if (queue := queue_of(tx, ticket))
    ]
    return sum(route(tx, ticket) for _, _, ticket in sorted(placed, key=lambda one: one[:2]))


@APP.on(TicketCreated)
def place_new_ticket(tx: Tx, event: TicketCreated) -> None:
    """A new ticket gets the skills it needs, and somebody who is there."""
    automatic = tx.all(SkillValue, "automatic = 1", order="id")
    there = _somebody_there(tx)
    if not automatic and not there:
        return
    ticket = tx.get(Ticket, event.ticket)
    needed = [value.id for value in automatic if _holds(tx, value.conditions, ticket)]
    if needed:
        give(tx, "ticket", ticket.id, needed, replace=False)
    if there:
        route(tx, ticket)


@APP.on(TicketSolved)
def take_the_next(tx: Tx, event: TicketSolved) -> None:
    """Who has solved a ticket and is there gets the next one."""
    if _somebody_there(tx):
        route_waiting(tx)
