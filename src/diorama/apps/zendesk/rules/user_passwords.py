"""Set and check the passwords of users."""

from __future__ import annotations

from hashlib import sha256

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Password, User
from diorama.kernel import Tx

SHORTEST = 5
REQUIREMENTS = (
    f"must be at least {SHORTEST} characters",
    "must be fewer than 128 characters",
    "must be different from email address",
)


def set_password(tx: Tx, user: User, password: str) -> None:
    """Set the password of a user."""
    if len(password) < SHORTEST:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[0]}", "PasswordTooShort")
    if len(password) >= 128:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[1]}", "PasswordTooLong")
    if user.email and password.lower() == user.email:
        raise refusals.invalid("password", f"Password: {REQUIREMENTS[2]}", "PasswordSameAsEmail")
    digest, known = _digest(user, password), tx.first(Password, "user_id = ?", user.id)
    if known is None:
        tx.add(Password(user_id=user.id, digest=digest, updated_at=now(tx)))
    else:
        tx.change(known, digest=digest, updated_at=now(tx))


def change_password(tx: Tx, user: User, previous: str, password: str) -> None:
    """Give a user who knows the current password another one."""
    if not knows_password(tx, user, previous):
        raise refusals.invalid("password", "Password: the current password is incorrect", "InvalidValue")
    set_password(tx, user, password)


def knows_password(tx: Tx, user: User, password: str) -> bool:
    """Check the password of a user."""
    known = tx.first(Password, "user_id = ?", user.id)
    return known is not None and known.digest == _digest(user, password)


def _digest(user: User, password: str) -> str:
    return sha256(f"{user.id}:{password}".encode()).hexdigest()
