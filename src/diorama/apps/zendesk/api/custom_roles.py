"""API operations for custom roles."""

from __future__ import annotations

from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import custom_roles
from diorama.apps.zendesk.schema import APP, CustomRole, User
from diorama.apps.zendesk.wire.custom_roles import (
    CustomRoleObject,
    CustomRoleRequest,
    CustomRoleResponse,
    CustomRolesResponse,
    custom_role_object,
)
from diorama.kernel import Tx


def _shape(tx: Tx, role: CustomRole) -> CustomRoleObject:
    members = tx.count(User, "role <> 'end-user' AND custom_role_id = ? AND active = 1", role.id)
    return custom_role_object(role, members, custom_roles.NEWER)


@APP.get("/api/v2/custom_roles", role="agent")
def list_custom_roles(tx: Tx, page: Page) -> CustomRolesResponse:
    """List custom roles."""
    found, around = page_of(tx, page, CustomRole)
    return CustomRolesResponse(custom_roles=[_shape(tx, role) for role in found], **around)


@APP.get("/api/v2/custom_roles/{custom_role_id}", role="agent")
def show_custom_role_by_id(tx: Tx, custom_role_id: int) -> CustomRoleResponse:
    """Show a custom role."""
    return CustomRoleResponse(_shape(tx, tx.get(CustomRole, custom_role_id)))


@APP.post("/api/v2/custom_roles", role="admin")
def create_custom_role(tx: Tx, me: Me, body: CustomRoleRequest) -> CustomRoleResponse:
    """Create a custom role; permissions that are not given have their default."""
    asked = required(body.custom_role, "custom_role")
    fields = {
        "name": "",
        "description": None,
        "configuration": {},
        **given_fields(asked, "name", "description", "configuration"),
    }
    role = custom_roles.add_role(tx, me, fields["name"], fields["description"] or "", fields["configuration"])
    set_location(tx, f"custom_roles/{role.id}")
    return CustomRoleResponse(_shape(tx, role))


@APP.put("/api/v2/custom_roles/{custom_role_id}", role="admin")
def update_custom_role_by_id(tx: Tx, me: Me, custom_role_id: int, body: CustomRoleRequest) -> CustomRoleResponse:
    """Update a custom role; permissions that are not given stay unchanged."""
    role = tx.get(CustomRole, custom_role_id)
    fields = given_fields(required(body.custom_role, "custom_role"), "name", "description", "configuration")
    if "description" in fields:
        fields["description"] = fields["description"] or ""
    return CustomRoleResponse(_shape(tx, custom_roles.change_role(tx, me, role, fields)))


@APP.delete("/api/v2/custom_roles/{custom_role_id}", role="admin")
def delete_custom_role_by_id(tx: Tx, me: Me, custom_role_id: int) -> None:
    """Delete a custom role that no agent has."""
    custom_roles.delete_role(tx, me, tx.get(CustomRole, custom_role_id))
