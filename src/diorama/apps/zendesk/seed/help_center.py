"""What every Help Center starts with: who may read, and who may write."""

from __future__ import annotations

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema.help_center import PermissionGroup, UserSegment
from diorama.kernel import Tx


def open_guide(tx: Tx) -> None:
    """The built-in segments of readers and groups of writers."""
    moment = now(tx)
    tx.add(UserSegment(name="Signed-in users", user_type="signed_in_users", created_at=moment, updated_at=moment))
    tx.add(UserSegment(name="Agents and admins", user_type="staff", created_at=moment, updated_at=moment))
    tx.add(PermissionGroup(name="Agents and admins", created_at=moment, updated_at=moment))
    tx.add(PermissionGroup(name="Admins", admins_only=True, created_at=moment, updated_at=moment))
