"""Add, change and delete groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.memberships import leave_group
from diorama.apps.zendesk.rules.ticket_edits import clear_from_tickets
from diorama.apps.zendesk.schema import Group, GroupMembership
from diorama.kernel import Tx


def add_group(tx: Tx, *, name: str, description: str = "", is_public: bool = True) -> Group:
    """Add a group; the first one is the default for agents."""
    if not name.strip():
        raise refusals.blank("name", "Name")
    moment = now(tx)
    first = tx.count(Group, "deleted = 0") == 0
    return tx.add(
        Group(
            name=name.strip(),
            description=description,
            is_public=is_public,
            default=first,
            created_at=moment,
            updated_at=moment,
        )
    )


def delete_group(tx: Tx, group: Group) -> None:
    """Delete a group: old tickets keep its name, and its memberships are removed."""
    if group.default:
        raise refusals.invalid("base", "The default group cannot be deleted", "DefaultGroup")
    for member in tx.all(GroupMembership, "group_id = ?", group.id):
        leave_group(tx, member)
    clear_from_tickets(tx, {"group_id": group.id}, {"group_id": None, "assignee_id": None})
    tx.change(group, deleted=True, updated_at=now(tx))


def change_group(tx: Tx, group: Group, fields: Mapping[str, Any]) -> Group:
    """Change a group; its name cannot be blank."""
    if "name" in fields and not fields["name"].strip():
        raise refusals.blank("name", "Name")
    return tx.change(group, **fields, updated_at=now(tx))
