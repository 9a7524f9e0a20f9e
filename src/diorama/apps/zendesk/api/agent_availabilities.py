"""Agent availabilities on the wire."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import queues as queue_rules
from diorama.apps.zendesk.rules import skill_based_routing
from diorama.apps.zendesk.schema import APP, GroupMembership, Ticket, User
from diorama.apps.zendesk.schema.agent_availabilities import PRESENCES
from diorama.apps.zendesk.wire.agent_availabilities import (
    CHANNEL,
    IncludedObject,
    PresenceObject,
    PresenceRequest,
    PresenceResponse,
    PresencesResponse,
    PresenceStatus,
    PresenceStatusesResponse,
    included_objects,
    presence_object,
)
from diorama.kernel import Tx
from diorama.kit import Query

WORK = "assignee_id = ? AND status IN ('new', 'open') AND deleted_at IS NULL"
FIRST_ITEMS = 10
"""How many work items a reply includes for an agent; the vendor's number is not documented."""
_STATUS = (
    "coalesce((SELECT a.status FROM zendesk_agent_availabilities a WHERE a.user_id = zendesk_users.id), 'offline')"
)


def _presence(tx: Tx, user: User) -> tuple[PresenceObject, list[IncludedObject]]:
    presence = queue_rules.availability_of(tx, user)
    groups = [one.group_id for one in tx.all(GroupMembership, "user_id = ?", user.id, order="group_id")]
    skills = [str(one.id) for one in skill_based_routing.skills_of(tx, "agent", user.id)]
    works = tx.all(Ticket, WORK, user.id, order="assigned_at, id", limit=FIRST_ITEMS)
    items = [(ticket.id, ticket.assigned_at or ticket.created_at) for ticket in works]
    load = tx.count(Ticket, WORK, user.id) if len(works) == FIRST_ITEMS else len(works)
    return presence_object(presence, groups, skills), included_objects(presence, items, load)


def _response(tx: Tx, user: User) -> PresenceResponse:
    data, included = _presence(tx, user)
    return PresenceResponse(data=data, included=included)


def _status_named(text: str) -> str:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:3]) <= len(PRESENCES):
        raise refusals.bad_parameter("filter.agent_status_id", "is not valid")
    return PRESENCES[int(text[:3]) - 1]


@APP.get("/api/v2/agent_availabilities", role="admin")
def list_agent_availabilities(
    tx: Tx,
    page: Page,
    status_id: Annotated[str | None, Query("filter[agent_status_id]")] = None,
    channel_status: Annotated[str | None, Query("filter[channel_status]")] = None,
    group_ids: Annotated[str | None, Query("filter[group_ids]")] = None,
) -> PresencesResponse:
    """List the availability of agents, page by page with cursors."""
    parts, args = ["role <> 'end-user' AND active = 1"], list[Any]()
    if status_id:
        parts.append(f"{_STATUS} = ?")
        args.append(_status_named(status_id))
    if channel_status:
        channel, _, status = channel_status.partition(":")
        parts.append(f"{_STATUS} = ?" if channel == CHANNEL else "0 AND '' <> ?")
        args.append(status)
    if group_ids:
        numbers = ids_of(group_ids, "filter[group_ids]")
        marks = ", ".join("?" * len(numbers))
        parts.append(f"id IN (SELECT user_id FROM zendesk_group_memberships WHERE group_id IN ({marks}))")
        args.extend(numbers)
    found, around = page_of(tx, page.with_cursor(), User, " AND ".join(parts), args)
    shown = [_presence(tx, one) for one in found]
    included = [one for _, more in shown for one in more]
    return PresencesResponse(data=[data for data, _ in shown], included=included, **around)


@APP.get("/api/v2/agent_availabilities/me", role="agent")
def show_my_availability(tx: Tx, me: Me) -> PresenceResponse:
    """Show the caller's availability."""
    return _response(tx, me)


@APP.get("/api/v2/agent_availabilities/agent_statuses", role="agent")
def list_agent_statuses(tx: Tx) -> PresenceStatusesResponse:
    """List the availability statuses."""
    return PresenceStatusesResponse([PresenceStatus(id=place, name=name) for place, name in enumerate(PRESENCES, 1)])


@APP.put("/api/v2/agent_availabilities/agent_statuses/agents/{agent_id}", role="agent")
def update_agent_status(tx: Tx, me: Me, agent_id: int, body: PresenceRequest) -> PresenceResponse:
    """Set an agent's availability; only administrators may set it for others."""
    user = tx.get(User, agent_id)
    if me.role != "admin" and me.id != user.id:
        raise refusals.forbidden()
    if not isinstance(body.id, int) or not 1 <= body.id <= len(PRESENCES):
        raise refusals.not_listed("id", "Status", body.id if body.id is not UNSET else "")
    queue_rules.set_availability(tx, user, PRESENCES[body.id - 1])
    return _response(tx, user)


@APP.get("/api/v2/agent_availabilities/{agent_id}", role="admin")
def show_agent_availability(tx: Tx, agent_id: int) -> PresenceResponse:
    """Show an agent's availability."""
    user = tx.get(User, agent_id)
    if not user.staff:
        raise refusals.not_found()
    return _response(tx, user)
