"""The default ticket form, and how a world adds more."""

from __future__ import annotations

from collections.abc import Iterable

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import FORM_ID, FormCondition, TicketField, TicketForm
from diorama.kernel import Tx


def default_form(tx: Tx) -> TicketForm:
    """Add the default ticket form; it shows every field that exists at this point."""
    moment = now(tx)
    numbers = tuple(field.id for field in tx.all(TicketField, "active = 1", order="position, id"))
    return tx.add(
        TicketForm(
            id=FORM_ID,
            name="Default Ticket Form",
            display_name="Default Ticket Form",
            position=1,
            default=True,
            end_user_visible=True,
            ticket_field_ids=numbers,
            created_at=moment,
            updated_at=moment,
        )
    )


def add_form(
    tx: Tx,
    name: str,
    fields: Iterable[TicketField],
    *,
    agent_conditions: Iterable[FormCondition] = (),
    end_user_conditions: Iterable[FormCondition] = (),
    visible: bool = True,
) -> TicketForm:
    """Add a ticket form."""
    moment = now(tx)
    return tx.add(
        TicketForm(
            name=name,
            display_name=name,
            position=tx.count(TicketForm) + 1,
            end_user_visible=visible,
            ticket_field_ids=tuple(field.id for field in fields),
            agent_conditions=tuple(agent_conditions),
            end_user_conditions=tuple(end_user_conditions),
            created_at=moment,
            updated_at=moment,
        )
    )
