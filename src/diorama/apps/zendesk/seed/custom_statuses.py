"""Add custom statuses."""

from __future__ import annotations

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import CustomStatus
from diorama.kernel import Tx


def add_custom_status(
    tx: Tx, category: str, label: str, end_user_label: str = "", description: str = ""
) -> CustomStatus:
    """Add a status to a category."""
    moment = now(tx)
    return tx.add(
        CustomStatus(
            status_category=category,
            agent_label=label,
            end_user_label=end_user_label or label,
            description=description,
            created_at=moment,
            updated_at=moment,
        )
    )
