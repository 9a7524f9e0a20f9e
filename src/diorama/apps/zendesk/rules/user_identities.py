"""Add and delete identities of users, verify them, and choose the primary one."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import by_email, now
from diorama.apps.zendesk.schema import Identity, User, VerificationRequested
from diorama.kernel import Tx


def valid_email(email: str) -> bool:
    """Check whether an email address is well formed."""
    local, at, domain = email.partition("@")
    return bool(local and at and "." in domain.strip(".")) and not any(c.isspace() or c in ",;<>()" for c in email)


def add_identity(
    tx: Tx, user: User, value: str, *, type: str = "email", primary: bool = False, verified: bool = False
) -> Identity:
    """Add an identity to a user."""
    moment = now(tx)
    return tx.add(
        Identity(
            user_id=user.id,
            type=type,
            value=value,
            primary=primary,
            verified=verified,
            created_at=moment,
            updated_at=moment,
        )
    )


def claim_identity(
    tx: Tx, user: User, value: str, *, type: str = "email", primary: bool = False, verified: bool = False
) -> Identity:
    """Add an identity to a user; refuse if another user has it."""
    if type == "email":
        value = value.strip().lower()
        if not valid_email(value):
            raise refusals.invalid("value", f"Value: {value} is not properly formatted", "InvalidFormat")
        owner = by_email(tx, value)
        if owner is not None:
            raise refusals.invalid("value", f"Value: {value} is already being used by another user", "DuplicateValue")
    made = add_identity(tx, user, value, type=type, verified=verified)
    return make_primary(tx, made) if primary else made


def make_primary(tx: Tx, identity: Identity) -> Identity:
    """Make this identity the primary one."""
    moment = now(tx)
    for other in tx.all(
        Identity, 'user_id = ? AND type = ? AND "primary" = 1 AND id <> ?', identity.user_id, identity.type, identity.id
    ):
        tx.change(other, primary=False, updated_at=moment)
    if identity.type == "email":
        tx.change(tx.get(User, identity.user_id), email=identity.value, updated_at=moment)
    return tx.change(identity, primary=True, updated_at=moment)


def delete_identity(tx: Tx, identity: Identity) -> None:
    """Delete an identity of a user; the primary one stays."""
    if identity.primary:
        raise refusals.invalid("base", "Primary identity cannot be deleted", "InvalidValue")
    tx.remove(identity)


def mark_undeliverable(tx: Tx, email: str) -> None:
    """Mark an address to which mail could not be delivered; return without a change if no user has it."""
    for identity in tx.all(Identity, "type = 'email' AND value = ? AND deliverable = 1", email.strip().lower()):
        tx.change(identity, deliverable=False, updated_at=now(tx))


def is_deliverable(tx: Tx, email: str) -> bool:
    """Check whether the desk still sends mail to an address."""
    return not tx.count(Identity, "type = 'email' AND value = ? AND deliverable = 0", email.strip().lower())


def request_verification(tx: Tx, identity: Identity) -> None:
    """Send a mail that asks whether an address is the user's; raise 422 for other identities and verified ones."""
    if identity.verified or identity.type != "email":
        raise refusals.invalid("base", "Identity: cannot be verified", "InvalidValue")
    tx.emit(VerificationRequested(user=identity.user_id, to=identity.value))
