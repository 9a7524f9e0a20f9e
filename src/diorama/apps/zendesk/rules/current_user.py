"""The user behind a request, checks of the role, and the time to the second."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.schema import APP, User
from diorama.kernel import Record, Tx, from_us

R = TypeVar("R", bound=Record)
_BIRTH = datetime(2020, 1, 1, tzinfo=UTC)
SYSTEM = User(
    id=-1,
    name="System",
    role="admin",
    created_at=_BIRTH,
    updated_at=_BIRTH,
    time_zone="UTC",
    iana_time_zone="UTC",
    locale="en-US",
)
"""The author of automatic changes."""


def now(tx: Tx) -> datetime:
    """Return the time in whole seconds, the precision that Zendesk stores."""
    return from_us(tx.now_us - tx.now_us % 1_000_000)


def change_if_different(tx: Tx, record: R, fields: Mapping[str, Any]) -> R:
    """Update a record; if no field differs, leave it and its `updated_at` unchanged."""
    changed = {name: value for name, value in fields.items() if getattr(record, name) != value}
    return tx.change(record, **changed, updated_at=now(tx)) if changed else record


def by_email(tx: Tx, email: str) -> User | None:
    """Return the user with this e-mail address, primary or not, or None."""
    address = email.strip().lower()
    found = tx.first(User, "email = ? AND active = 1", address)
    if found is None:
        rows = tx.rows(
            "SELECT i.user_id FROM zendesk_identities i JOIN zendesk_users u ON u.id = i.user_id "
            "WHERE i.value = ? AND i.type = 'email' AND u.active = 1 LIMIT 1",
            address,
        )
        found = tx.find(User, rows[0][0]) if rows else None
    return found


@APP.role("user")
def current_user(tx: Tx) -> User:
    """Return the user behind the request; the world itself acts as the system."""
    if tx.actor.kind == "system":
        return SYSTEM
    found = by_email(tx, tx.actor.name)
    if found is None or found.suspended:
        raise refusals.unauthenticated()
    return found


_ROLE = "SELECT role, suspended FROM zendesk_users WHERE email = ? AND active = 1 LIMIT 1"


def require_agent(tx: Tx) -> None:
    """Raise 403 unless the caller is an agent; cheaper than current_agent."""
    rows = tx.rows(_ROLE, tx.actor.name)
    if not rows or rows[0][1] or rows[0][0] == "end-user":
        current_agent(tx)


@APP.role("agent", check=require_agent)
def current_agent(tx: Tx) -> User:
    """Return the agent behind the request; raise 403 for end users."""
    me = current_user(tx)
    if me.role == "end-user":
        raise refusals.forbidden()
    return me


@APP.role("admin")
def current_admin(tx: Tx) -> User:
    """Return the caller; raise 403 unless they are an administrator."""
    me = current_user(tx)
    if me.role != "admin":
        raise refusals.forbidden()
    return me


def is_member(tx: Tx, user_id: int, group_id: int) -> bool:
    """Check whether an agent is a member of a group."""
    return bool(
        tx.rows("SELECT 1 FROM zendesk_group_memberships WHERE user_id = ? AND group_id = ?", user_id, group_id)
    )


@APP.people
def account_holders(tx: Tx) -> list[str]:
    """Return one address per role: the account's owner or another admin, an agent, an end user."""
    found = []
    for role in ("admin", "agent", "end-user"):
        where = "role = ? AND email IS NOT NULL AND active = 1 AND suspended = 0"
        user = tx.first(User, where, role)
        if user is not None and user.email:
            found.append(user.email)
    return found
