"""Sessions: a login opens a session and adds an entry to the audit log."""

from __future__ import annotations

from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Session, User
from diorama.kernel import Tx


def log_in(tx: Tx, user: User) -> Session:
    """Log a user in."""
    moment = now(tx)
    tx.change(user, last_login_at=moment)
    audit_logs.write_entry(tx, user, "login", user, "Successful sign-in")
    return tx.add(Session(user_id=user.id, authenticated_at=moment, last_seen_at=moment))


def log_out(tx: Tx, session: Session) -> None:
    """End a session; the audit log records only logins."""
    tx.remove(session)
