"""Add workspaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Condition, Conditions, TicketForm, Workspace
from diorama.kernel import Tx


def add_workspace(
    tx: Tx, title: str, form: TicketForm, field: str, value: Any, macros: Iterable[int] = ()
) -> Workspace:
    """Add a workspace for tickets in which a field has a value."""
    moment = now(tx)
    return tx.add(
        Workspace(
            title=title,
            activated=True,
            position=tx.count(Workspace) + 1,
            ticket_form_id=form.id,
            macro_ids=tuple(macros),
            conditions=Conditions((Condition(field, "is", value),)),
            created_at=moment,
            updated_at=moment,
        )
    )
