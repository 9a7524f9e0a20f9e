"""The custom roles of a new account."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.custom_roles import PLAIN
from diorama.apps.zendesk.schema import CustomRole
from diorama.kernel import Tx

_ROLES: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
    ("Staff", 0, "Can edit tickets within their groups", {"ticket_access": "all"}),
    (
        "Team lead",
        0,
        "Can manage all tickets and forums",
        {"ticket_deletion": True, "ticket_merge": True, "view_access": "full", "macro_access": "full",
         "manage_suspended_tickets": True, "organization_editing": True, "view_deleted_tickets": True},
    ),
    (
        "Advisor",
        0,
        "Can automate ticket workflows, manage channels and make private comments on tickets",
        {"ticket_comment_access": "none", "manage_business_rules": True, "manage_dynamic_content": True},
    ),
    (
        "Light agent",
        1,
        "Can view and add private comments to tickets",
        {"light_agent": True, "ticket_comment_access": "none", "ticket_editing": False, "view_access": "readonly",
         "macro_access": "readonly", "ticket_bulk_edit": False, "ticket_tag_editing": False},
    ),
)  # fmt: skip


def usual_roles(tx: Tx) -> None:
    """Add the custom roles that come with an account."""
    moment = now(tx)
    for name, kind, description, more in _ROLES:
        configuration = {**PLAIN, **more}
        tx.add(
            CustomRole(
                name=name,
                description=description,
                role_type=kind,
                configuration=configuration,
                created_at=moment,
                updated_at=moment,
            )
        )
