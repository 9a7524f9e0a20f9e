"""User passwords on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import user_passwords
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.wire.user_passwords import PasswordRequest, RequirementsResponse
from diorama.kernel import Tx


@APP.get("/api/v2/users/{user_id}/password/requirements", role="user")
def get_user_password_requirements(tx: Tx, me: Me, user_id: int) -> RequirementsResponse:
    """Show the password requirements."""
    user = tx.get(User, user_id)
    if me.role != "admin" and me.id != user.id:
        raise refusals.forbidden()
    return RequirementsResponse(user_passwords.REQUIREMENTS)


@APP.post("/api/v2/users/{user_id}/password", role="admin")
def set_user_password(tx: Tx, user_id: int, body: PasswordRequest) -> str:
    """Set a user's password; administrators only."""
    user_passwords.set_password(tx, tx.get(User, user_id), body.password)
    return ""


@APP.put("/api/v2/users/{user_id}/password", role="user")
def change_own_password(tx: Tx, me: Me, user_id: int, body: PasswordRequest) -> str:
    """Change the caller's own password; the old one is required."""
    if me.id != user_id:
        raise refusals.forbidden()
    user_passwords.change_password(tx, me, body.previous_password, body.password)
    return ""
