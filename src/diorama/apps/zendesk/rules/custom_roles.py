"""Custom roles: permissions of agents."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import current_agent, now
from diorama.apps.zendesk.schema import APP, CustomRole, User
from diorama.kernel import Tx

PLAIN: dict[str, Any] = {
    "assign_tickets_to_any_group": False,
    "chat_access": True,
    "end_user_list_access": "full",
    "end_user_profile_access": "readonly",
    "explore_access": "readonly",
    "forum_access": "readonly",
    "forum_access_restricted_content": False,
    "group_access": True,
    "light_agent": False,
    "macro_access": "manage-personal",
    "manage_automations": False,
    "manage_business_rules": False,
    "manage_contextual_workspaces": False,
    "manage_dynamic_content": False,
    "manage_extensions_and_channels": False,
    "manage_facebook": False,
    "manage_organization_fields": False,
    "manage_roles": "none",
    "manage_skills": False,
    "manage_slas": False,
    "manage_suspended_tickets": False,
    "manage_team_members": "readonly",
    "manage_ticket_fields": False,
    "manage_ticket_forms": False,
    "manage_triggers": False,
    "manage_user_fields": False,
    "organization_editing": False,
    "organization_notes_editing": False,
    "report_access": "none",
    "side_conversation_create": True,
    "ticket_access": "all",
    "ticket_bulk_edit": True,
    "ticket_comment_access": "public",
    "ticket_deletion": False,
    "ticket_editing": True,
    "ticket_merge": False,
    "ticket_redaction": False,
    "ticket_tag_editing": True,
    "twitter_search_access": False,
    "user_view_access": "readonly",
    "view_access": "manage-personal",
    "view_deleted_tickets": False,
    "voice_access": True,
    "voice_dashboard_access": False,
}
"""The permissions of an agent without a custom role."""
NEWER: dict[str, Any] = {
    "assign_tickets_to_any_brand": False,
    "custom_objects": {},
    "export_views": False,
    "manage_approval_requests": False,
    "manage_group_memberships": False,
    "manage_groups": False,
    "manage_organizations": False,
    "moderate_forums": False,
}
"""Permissions that a role stores only if they were set, with their defaults."""
_KNOWN = {**PLAIN, **NEWER}
CHOICES: dict[str, tuple[str, ...]] = {
    "ticket_access": (
        "all", "assigned-only", "within-groups", "within-groups-and-public-groups", "within-organization",
    ),
    "ticket_comment_access": ("public", "none"),
    "view_access": ("full", "manage-group", "manage-personal", "playonly", "readonly"),
    "macro_access": ("full", "manage-group", "manage-personal", "readonly"),
    "end_user_profile_access": ("edit", "edit-within-org", "full", "readonly"),
    "report_access": ("full", "none", "readonly"),
}  # fmt: skip


def permission(tx: Tx, me: User, name: str) -> Any:
    """Return the value of a permission for a user; administrators have all permissions."""
    if me.role == "admin":
        return "full" if isinstance(PLAIN[name], str) else True
    if me.role == "end-user":
        return None
    role = tx.find(CustomRole, me.custom_role_id) if me.custom_role_id else None
    return PLAIN[name] if role is None else role.configuration.get(name, PLAIN[name])


def require(tx: Tx, me: User, name: str) -> None:
    """Raise 403 unless an agent's role allows something."""
    if not permission(tx, me, name):
        raise refusals.forbidden()


def require_of_role(tx: Tx, me: User, name: str) -> None:
    """Raise 403 if an agent's custom role forbids what agents without one may do."""
    if me.custom_role_id is not None:
        require(tx, me, name)


@APP.role("manage_dynamic_content")
def dynamic_content_manager(tx: Tx) -> User:
    """Return the caller, an agent who may change dynamic content."""
    me = current_agent(tx)
    require(tx, me, "manage_dynamic_content")
    return me


@APP.role("delete_tickets")
def ticket_deleter(tx: Tx) -> User:
    """Return the caller, an agent who may delete tickets."""
    me = current_agent(tx)
    require(tx, me, "ticket_deletion")
    return me


@APP.role("redact_tickets")
def ticket_redactor(tx: Tx) -> User:
    """Return the caller, an agent whose custom role does not forbid redaction."""
    me = current_agent(tx)
    require_of_role(tx, me, "ticket_redaction")
    return me


@APP.role("merge_tickets")
def ticket_merger(tx: Tx) -> User:
    """Return the caller, an agent whose custom role does not forbid merging."""
    me = current_agent(tx)
    require_of_role(tx, me, "ticket_merge")
    return me


@APP.role("manage_suspended_tickets")
def suspended_ticket_manager(tx: Tx) -> User:
    """Return the caller, an agent who sees all tickets and may let suspended mail in."""
    me = current_agent(tx)
    if me.ticket_restriction is not None and me.role != "admin":
        raise refusals.forbidden()
    require_of_role(tx, me, "manage_suspended_tickets")
    return me


def comments_stay_private(tx: Tx, me: User) -> bool:
    """Check whether a user may write only private comments."""
    if not me.staff or me.role == "admin":
        return False
    return me.only_private_comments or (
        me.custom_role_id is not None and permission(tx, me, "ticket_comment_access") == "none"
    )


@APP.role("add_views")
def view_author(tx: Tx) -> User:
    """Return the caller, an agent whose custom role does not limit them to reading views."""
    me = current_agent(tx)
    if me.custom_role_id is not None and permission(tx, me, "view_access") in ("readonly", "playonly"):
        raise refusals.forbidden()
    return me


def check(name: str, configuration: dict[str, Any]) -> dict[str, Any]:
    """Return a role's complete configuration; refuse invalid values of permissions."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    out = dict(PLAIN)
    for key, value in configuration.items():
        if key not in _KNOWN:
            continue
        fits = value in CHOICES[key] if key in CHOICES else type(value) is type(_KNOWN[key])
        if not fits:
            raise refusals.invalid("configuration", f"{key}: {value} is not included in the list", "InvalidValue")
        out[key] = value
    return out


def _check_name(tx: Tx, name: str, besides: int = 0) -> None:
    if tx.rows("SELECT 1 FROM zendesk_custom_roles WHERE lower(name) = ? AND id <> ?", name.lower(), besides):
        raise refusals.invalid("name", f"Name: {name} has already been taken", "DuplicateValue")


def add_role(tx: Tx, by: User, name: str, description: str, configuration: dict[str, Any]) -> CustomRole:
    """Add a custom role; permissions that are not named are as for every agent."""
    moment, complete = now(tx), check(name, configuration)
    _check_name(tx, name)
    made = CustomRole(name=name, description=description, configuration=complete, created_at=moment, updated_at=moment)
    return audit_logs.add(tx, by, made)


def change_role(tx: Tx, by: User, role: CustomRole, fields: dict[str, Any]) -> CustomRole:
    """Change a custom role; permissions that are not named stay. Raise 403 for a role of the product itself."""
    if role.role_type != 0:
        raise refusals.forbidden()
    name = fields.get("name", role.name)
    complete = check(name, {**role.configuration, **fields.get("configuration", {})})
    _check_name(tx, name, role.id)
    return audit_logs.change(tx, by, role, {**fields, "configuration": complete})


def delete_role(tx: Tx, by: User, role: CustomRole) -> None:
    """Delete a custom role that no agent has. Raise 403 for a role of the product itself."""
    if role.role_type != 0:
        raise refusals.forbidden()
    if tx.count(User, "role <> 'end-user' AND custom_role_id = ?", role.id):
        raise refusals.invalid("base", "Role: is still assigned to agents", "InvalidValue")
    audit_logs.remove(tx, by, role)
