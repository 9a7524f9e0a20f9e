"""Agent availabilities on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import queues as queue_rules
from diorama.apps.zendesk.rules import skill_based_routing
from diorama.apps.zendesk.schema import APP, GroupMembership, Ticket, User
from diorama.apps.zendesk.schema.agent_availabilities import PRESENCES
from diorama.apps.zendesk.wire.agent_availabilities import (
    PresenceObject,
    PresenceRequest,
    PresenceResponse,
    PresencesResponse,
    PresenceStatus,
    PresenceStatusesResponse,
    presence_object,
)
from diorama.kernel import Tx


def _presence(tx: Tx, user: User) -> PresenceObject:
    presence = queue_rules.availability_of(tx, user)
    number = PRESENCES.index(presence.status) + 1
    status = PresenceStatus(number, presence.status, presence.updated_at)
    groups = [one.group_id for one in tx.all(GroupMembership, "user_id = ?", user.id, order="group_id")]
    skills = [one.name for one in skill_based_routing.skills_of(tx, "agent", user.id)]
    load = tx.count(Ticket, "assignee_id = ? AND status IN ('new', 'open') AND deleted_at IS NULL", user.id)
    return presence_object(presence, status, groups, skills, load)


@APP.get("/api/v2/agent_availabilities", role="agent")
def list_agent_availabilities(tx: Tx, page: Page) -> PresencesResponse:
    """List the availability of all agents."""
    found, around = page_of(tx, page, User, "role <> 'end-user' AND active = 1")
    return PresencesResponse(data=[_presence(tx, one) for one in found], **around)


@APP.get("/api/v2/agent_availabilities/me", role="agent")
def show_my_availability(tx: Tx, me: Me) -> PresenceResponse:
    """Show the caller's availability."""
    return PresenceResponse(_presence(tx, me))


@APP.get("/api/v2/agent_availabilities/agent_statuses", role="agent")
def list_agent_statuses(tx: Tx) -> PresenceStatusesResponse:
    """List the availability statuses."""
    return PresenceStatusesResponse([PresenceStatus(place, name) for place, name in enumerate(PRESENCES, 1)])


@APP.put("/api/v2/agent_availabilities/agent_statuses/agents/{agent_id}", role="agent")
def update_agent_status(tx: Tx, me: Me, agent_id: int, body: PresenceRequest) -> PresenceResponse:
    """Set an agent's availability; only administrators may set it for others."""
    user = tx.get(User, agent_id)
    if me.role != "admin" and me.id != user.id:
        raise refusals.forbidden()
    if not isinstance(body.id, int) or not 1 <= body.id <= len(PRESENCES):
        raise refusals.not_listed("id", "Status", body.id if body.id is not UNSET else "")
    queue_rules.set_availability(tx, user, PRESENCES[body.id - 1])
    return PresenceResponse(_presence(tx, user))


@APP.get("/api/v2/agent_availabilities/{agent_id}", role="agent")
def show_agent_availability(tx: Tx, agent_id: int) -> PresenceResponse:
    """Show an agent's availability."""
    user = tx.get(User, agent_id)
    if not user.staff:
        raise refusals.not_found()
    return PresenceResponse(_presence(tx, user))
