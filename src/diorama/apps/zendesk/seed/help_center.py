"""What every Help Center starts with: user segments and permission groups."""

from __future__ import annotations

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema.help_center import PermissionGroup, UserSegment
from diorama.kernel import Tx


def open_guide(tx: Tx) -> None:
    """Add the built-in user segments and permission groups."""
    moment = now(tx)
    tx.add(UserSegment(name="Signed-in users", user_type="signed_in_users", created_at=moment, updated_at=moment))
    tx.add(UserSegment(name="Agents and admins", user_type="staff", created_at=moment, updated_at=moment))
    tx.add(PermissionGroup(name="Agents and admins", created_at=moment, updated_at=moment))
    tx.add(PermissionGroup(name="Admins", admins_only=True, created_at=moment, updated_at=moment))
