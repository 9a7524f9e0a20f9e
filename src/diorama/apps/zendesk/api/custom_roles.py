"""Custom roles on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs, custom_roles
from diorama.apps.zendesk.rules.current_user import now
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
    return custom_role_object(role, tx.count(User, "role <> 'end-user' AND custom_role_id = ? AND active = 1", role.id))


@APP.get("/api/v2/custom_roles", role="agent")
def list_custom_roles(tx: Tx, page: Page) -> CustomRolesResponse:
    """List custom roles."""
    found, around = page_of(tx, page, CustomRole)
    return CustomRolesResponse(custom_roles=[_shape(tx, role) for role in found], **around)


@APP.get("/api/v2/custom_roles/{custom_role_id}", role="agent")
def show_custom_role_by_id(tx: Tx, custom_role_id: int) -> CustomRoleResponse:
    """Show a custom role."""
    return CustomRoleResponse(_shape(tx, tx.get(CustomRole, custom_role_id)))


def _free(tx: Tx, name: str, besides: int = 0) -> None:
    if tx.rows("SELECT 1 FROM zendesk_custom_roles WHERE lower(name) = ? AND id <> ?", name.lower(), besides):
        raise refusals.invalid("name", f"Name: {name} has already been taken", "DuplicateValue")


@APP.post("/api/v2/custom_roles", role="admin")
def create_custom_role(tx: Tx, me: Me, body: CustomRoleRequest) -> CustomRoleResponse:
    """Create a custom role; what it does not say is as for every agent."""
    moment = now(tx)
    fields = {
        "name": "",
        "configuration": {},
        **given_fields(required(body.custom_role, "custom_role"), "name", "configuration"),
    }
    fields["description"] = (
        given_fields(required(body.custom_role, "custom_role"), "description").get("description") or ""
    )
    fields["configuration"] = custom_roles.check(fields["name"], fields["configuration"])
    _free(tx, fields["name"])
    role = audit_logs.add(tx, me, CustomRole(created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"custom_roles/{role.id}")
    return CustomRoleResponse(_shape(tx, role))


@APP.put("/api/v2/custom_roles/{custom_role_id}", role="admin")
def update_custom_role_by_id(tx: Tx, me: Me, custom_role_id: int, body: CustomRoleRequest) -> CustomRoleResponse:
    """Update a custom role; permissions that are not named stay."""
    role = tx.get(CustomRole, custom_role_id)
    if role.role_type != 0:
        raise refusals.forbidden()
    fields = given_fields(required(body.custom_role, "custom_role"), "name", "description", "configuration")
    if "description" in fields:
        fields["description"] = fields["description"] or ""
    name = fields.get("name", role.name)
    fields["configuration"] = custom_roles.check(name, {**role.configuration, **fields.get("configuration", {})})
    _free(tx, name, role.id)
    return CustomRoleResponse(_shape(tx, audit_logs.change(tx, me, role, fields)))


@APP.delete("/api/v2/custom_roles/{custom_role_id}", role="admin")
def delete_custom_role_by_id(tx: Tx, me: Me, custom_role_id: int) -> None:
    """Delete a custom role that nobody has."""
    role = tx.get(CustomRole, custom_role_id)
    if role.role_type != 0:
        raise refusals.forbidden()
    if tx.count(User, "role <> 'end-user' AND custom_role_id = ?", role.id):
        raise refusals.invalid("base", "Role: is still assigned to agents", "InvalidValue")
    audit_logs.remove(tx, me, role)
