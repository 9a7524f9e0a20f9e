"""Side-loads of users: organizations, groups, identities, roles, abilities and open tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk.api.pagination import get_many, parts_of
from diorama.apps.zendesk.rules import custom_roles
from diorama.apps.zendesk.schema import BASE, CustomRole, Group, Identity, Organization, User
from diorama.apps.zendesk.wire.groups import group_object
from diorama.apps.zendesk.wire.organizations import organization_object
from diorama.apps.zendesk.wire.user_identities import identity_object
from diorama.apps.zendesk.wire.users import AbilityObject, RoleObject
from diorama.kernel import Tx

_OPEN = (
    "SELECT assignee_id, count(*) FROM zendesk_tickets WHERE assignee_id IN ({}) AND status IN ('new', 'open') "
    "AND deleted_at IS NULL GROUP BY assignee_id"
)


def user_sideloads(tx: Tx, me: User, include: str | None, users: Sequence[User]) -> dict[str, Any]:
    """Return what `include` asks for about users, by its key in the reply."""
    wanted = set(parts_of(include))
    out: dict[str, Any] = {}
    if "organizations" in wanted:
        companies = get_many(tx, Organization, [user.organization_id for user in users if user.organization_id])
        out["organizations"] = [organization_object(company) for company in companies]
    if "groups" in wanted:
        groups = get_many(tx, Group, [user.default_group_id for user in users if user.default_group_id])
        out["groups"] = [group_object(group) for group in groups]
    if not me.staff:
        return out
    ids = [user.id for user in users]
    marks = ", ".join("?" * len(ids))
    if "identities" in wanted:
        found = tx.all(Identity, f"user_id IN ({marks})", *ids, order="user_id, id") if ids else []
        out["identities"] = [identity_object(one) for one in found]
    if "roles" in wanted:
        roles = get_many(tx, CustomRole, [user.custom_role_id for user in users if user.custom_role_id])
        out["roles"] = [RoleObject(one.id, one.name, {**custom_roles.NEWER, **one.configuration}) for one in roles]
    if "abilities" in wanted:
        out["abilities"] = [ability(tx, me, user) for user in users]
    if "open_ticket_count" in wanted:
        load = dict(tx.rows(_OPEN.format(marks), *ids)) if ids else {}
        out["open_ticket_count"] = {str(number): load.get(number, 0) for number in ids}
    return out


def ability(tx: Tx, me: User, user: User) -> AbilityObject:
    """Return what the caller may do with a user: administrators everything, agents what their role allows."""
    admin, own = me.role == "admin", me.id == user.id
    profiles = me.role == "agent" and not user.staff
    edits = admin or own or (profiles and custom_roles.permission(tx, me, "end_user_profile_access") != "readonly")
    return AbilityObject(
        url=f"{BASE}/users/{user.id}.json",
        user_id=user.id,
        can_edit=edits,
        can_edit_password=admin or own,
        can_manage_identities_of=edits,
        can_verify_identities=admin and not own,
    )
