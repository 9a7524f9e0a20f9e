"""Delete users permanently."""

from __future__ import annotations

from datetime import timedelta

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, ComplianceDeletion, User
from diorama.kernel import Tx

FORGETTING = timedelta(minutes=10)


def deleted_user(tx: Tx, user_id: int) -> User:
    """Return a user who is deleted, but not permanently."""
    user = tx.get(User, user_id)
    if user.active or is_erased(tx, user):
        raise refusals.not_found()
    return user


def is_erased(tx: Tx, user: User) -> bool:
    """Check whether a deleted user was deleted permanently."""
    return bool(tx.count(ComplianceDeletion, "user_id = ?", user.id))


def delete_permanently(tx: Tx, user: User, by: User) -> User:
    """Delete a deleted user permanently: erase personal data here now, in connected products later."""
    shown = user
    for action in ("request_deletion", "started"):
        tx.add(ComplianceDeletion(user_id=user.id, executer_id=by.id, action=action, created_at=now(tx)))
    tx.change(
        user, name="Permanently deleted user", phone=None, external_id=None, alias=None, tags=(), details=None,
        notes=None, signature=None, user_fields={}, updated_at=now(tx),
    )  # fmt: skip
    tx.later(FORGETTING, finish_forgetting, user_id=user.id, executer_id=by.id)
    return shown


@APP.command
def finish_forgetting(tx: Tx, user_id: int, executer_id: int) -> None:
    """Record that all connected products have deleted the user, too."""
    tx.add(ComplianceDeletion(user_id=user_id, executer_id=executer_id, action="complete", created_at=now(tx)))
