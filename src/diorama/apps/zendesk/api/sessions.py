"""Sessions on the wire: who is logged in, and how that ends."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, or_not_found
from diorama.apps.zendesk.rules import sessions
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Session, User
from diorama.apps.zendesk.wire.sessions import (
    RenewedResponse,
    SessionObject,
    SessionResponse,
    SessionsResponse,
    session_url,
)
from diorama.kernel import Tx


def _shape(session: Session) -> SessionObject:
    return SessionObject(
        url=session_url(session.user_id, session.id),
        id=session.id,
        user_id=session.user_id,
        authenticated_at=session.authenticated_at,
        last_seen_at=session.last_seen_at,
    )


def _check_owner(me: User, user_id: int) -> None:
    """Raise 403 unless the sessions are the caller's own, or the caller is an administrator."""
    if me.id != user_id and me.role != "admin":
        raise refusals.forbidden()


def _current(tx: Tx, me: User) -> Session:
    return or_not_found(tx.first(Session, "user_id = ?", me.id, order="last_seen_at DESC, id DESC"))


@APP.get("/api/v2/sessions", role="user")
def list_sessions(tx: Tx, me: Me, page: Page, user_id: int | None = None) -> SessionsResponse:
    """Who is logged in: all for administrators, one's own for others."""
    wanted = user_id if me.role == "admin" else me.id
    where, args = ("user_id = ?", (wanted,)) if wanted is not None else ("", ())
    found, around = page_of(tx, page, Session, where, args)
    return SessionsResponse(sessions=[_shape(one) for one in found], **around)


@APP.get("/api/v2/users/{user_id}/sessions", role="user")
def list_user_sessions(tx: Tx, me: Me, user_id: int, page: Page) -> SessionsResponse:
    """Where somebody is logged in."""
    _check_owner(me, user_id)
    found, around = page_of(tx, page, Session, "user_id = ?", (tx.get(User, user_id).id,))
    return SessionsResponse(sessions=[_shape(one) for one in found], **around)


@APP.get("/api/v2/users/{user_id}/sessions/{session_id}", role="user")
def show_session(tx: Tx, me: Me, user_id: int, session_id: int) -> SessionResponse:
    """Show a session."""
    _check_owner(me, user_id)
    return SessionResponse([_shape(get_owned(tx, Session, session_id, user_id=user_id))])


@APP.delete("/api/v2/users/{user_id}/sessions/{session_id}", role="user")
def delete_session(tx: Tx, me: Me, user_id: int, session_id: int) -> None:
    """Log somebody out of one place."""
    _check_owner(me, user_id)
    sessions.log_out(tx, get_owned(tx, Session, session_id, user_id=user_id))


@APP.delete("/api/v2/users/{user_id}/sessions", role="user")
def bulk_delete_sessions_by_user_id(tx: Tx, me: Me, user_id: int) -> None:
    """Log somebody out everywhere."""
    _check_owner(me, user_id)
    for session in tx.all(Session, "user_id = ?", tx.get(User, user_id).id):
        sessions.log_out(tx, session)


@APP.get("/api/v2/users/me/session", role="user")
def show_currently_authenticated_session(tx: Tx, me: Me) -> SessionResponse:
    """The session of whoever asks."""
    return SessionResponse([_shape(_current(tx, me))])


@APP.get("/api/v2/users/me/session/renew", role="user")
def renew_current_session(tx: Tx, me: Me) -> RenewedResponse:
    """Stay logged in."""
    session = tx.change(_current(tx, me), last_seen_at=now(tx))
    return RenewedResponse(tx.dice("authenticity", session.id, tx.now_us).hex(40))


@APP.delete("/api/v2/users/me/logout", role="user")
def delete_authenticated_session(tx: Tx, me: Me) -> None:
    """Log out."""
    sessions.log_out(tx, _current(tx, me))


@APP.post("/api/v2/users/logout_many", role="admin", status=202)
def logout_many_users(tx: Tx, ids: str | None = None) -> str:
    """Log several users out everywhere."""
    for number in ids_of(ids):
        for session in tx.all(Session, "user_id = ?", tx.get(User, number).id):
            sessions.log_out(tx, session)
    return ""
