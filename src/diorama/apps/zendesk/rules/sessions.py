"""Who is logged in: a login opens a session and leaves a line in the audit log."""

from __future__ import annotations

from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Session, User
from diorama.kernel import Tx


def log_in(tx: Tx, user: User) -> Session:
    """Somebody logs in."""
    moment = now(tx)
    tx.change(user, last_login_at=moment)
    audit_logs.write_entry(tx, user, "login", user, "Successful sign-in")
    return tx.add(Session(user_id=user.id, authenticated_at=moment, last_seen_at=moment))


def log_out(tx: Tx, session: Session) -> None:
    """A session ends; the audit log only knows of beginnings."""
    tx.remove(session)
