"""Agent seats: ask the account's owner for another one."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.schema import OwnerReminded, User
from diorama.kernel import Tx


def ask_for_agent(tx: Tx, me: User, name: str, email: str) -> None:
    """Ask the account's owner (the first administrator) by email for another agent seat."""
    owner = tx.first(User, "role = 'admin' AND active = 1", order="id")
    if owner is None or not owner.email:
        raise refusals.forbidden()
    audit_logs.write_entry(tx, me, "create", me, f"Asked the account owner to make room for {name}")
    tx.emit(
        OwnerReminded(
            to=owner.email,
            by=me.email or "",
            subject="Your agents need more seats",
            body=f"{me.name} would like to add {name} <{email}> as an agent, but there is no seat left. "
            "Please update the subscription.",
        )
    )
