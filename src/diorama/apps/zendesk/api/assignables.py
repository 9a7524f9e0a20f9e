"""Groups and agents that a ticket can be assigned to, on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import MOST, Page, page_of
from diorama.apps.zendesk.schema import APP, Group, User
from diorama.apps.zendesk.wire.assignables import (
    AssignableAgent,
    AssignableAgentsResponse,
    AssignableGroup,
    AssignableGroupsResponse,
    AssignablesResponse,
    FoundAgent,
)
from diorama.kernel import Tx

_ASSIGNABLE = "deleted = 0 AND id IN (SELECT group_id FROM zendesk_group_memberships)"
_IN_GROUP = "active = 1 AND id IN (SELECT user_id FROM zendesk_group_memberships WHERE group_id = ?)"


@APP.get("/api/lotus/assignables/groups", role="agent")
def list_assignee_field_assignable_groups(tx: Tx, page: Page) -> AssignableGroupsResponse:
    """The groups that a ticket can go to."""
    groups, around = page_of(tx, page, Group, _ASSIGNABLE, default="name")
    shapes = [AssignableGroup(group.id, group.name, group.description) for group in groups]
    return AssignableGroupsResponse(groups=shapes, **around)


@APP.get("/api/lotus/assignables/groups/{group_id}/agents", role="agent")
def list_assignee_field_assignable_group_agents(tx: Tx, group_id: int, page: Page) -> AssignableAgentsResponse:
    """The agents of a group that a ticket can go to."""
    agents, around = page_of(tx, page, User, _IN_GROUP, (tx.get(Group, group_id).id,), default="name")
    return AssignableAgentsResponse(agents=[AssignableAgent(one.id, one.name) for one in agents], **around)


@APP.get("/api/lotus/assignables/autocomplete", role="agent")
def list_assignee_field_assignable_groups_and_agents_search(tx: Tx, name: str = "") -> AssignablesResponse:
    """Groups and agents whose name has this in it."""
    text = name.strip().lower()
    if not text:
        raise refusals.parameter_missing("name")
    groups = tx.all(Group, f"{_ASSIGNABLE} AND instr(lower(name), ?) > 0", text, order="name", limit=MOST)
    rows = tx.rows(
        "SELECT u.id, u.name, g.id, g.name FROM zendesk_group_memberships m JOIN zendesk_users u ON u.id = m.user_id "
        "JOIN zendesk_groups g ON g.id = m.group_id WHERE u.active = 1 AND g.deleted = 0 "
        "AND instr(lower(u.name), ?) > 0 ORDER BY u.name, g.name LIMIT ?",
        text,
        MOST,
    )
    agents = [FoundAgent(*row) for row in rows]
    found = [AssignableGroup(group.id, group.name) for group in groups]
    return AssignablesResponse(agents, found, len(agents) + len(found))
