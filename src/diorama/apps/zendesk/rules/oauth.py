"""OAuth: clients, their tokens, and what a token allows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import GRANTS, OAuthClient, OAuthCode, OAuthToken, User
from diorama.kernel import Refusal, Request, Tx
from diorama.kit import Operation

CODE_LASTS = timedelta(seconds=120)
REFRESH_SECONDS = 2_592_000
SHORTEST_SECONDS, LONGEST_SECONDS = 300, 172_800
SHORTEST_REFRESH_SECONDS, LONGEST_REFRESH_SECONDS = 604_800, 7_776_000

_RESOURCES = {"help_center": "hc", "guide": "hc", "audit_logs": "auditlogs"}
"""The names of resources in scopes, where they differ from the path."""


def refused(code: str, description: str, status: int = 400) -> Refusal:
    """Return an error of the token endpoint, as RFC 6749 words it."""
    return Refusal(status, code, fields={"error_description": description})


def invalid_grant() -> Refusal:
    """Return the error for an invalid, expired or revoked grant."""
    return refused(
        "invalid_grant",
        "The provided access grant is invalid, expired, or revoked (e.g. invalid assertion, expired authorization "
        "token, bad end-user password credentials, or mismatching authorization code and redirection URI).",
    )


def give(
    tx: Tx,
    client: OAuthClient,
    user_id: int,
    scopes: Sequence[str],
    expires_in: int | None = None,
    refresh_expires_in: int | None = None,
) -> OAuthToken:
    """Issue a token to a client; it can be refreshed only if `refresh_expires_in` is given."""
    moment = now(tx)
    number = tx.count(OAuthToken)
    again = refresh_expires_in is not None
    return tx.add(
        OAuthToken(
            token=GRANTS.mint(tx, "oauth token", number),
            client_id=client.id,
            user_id=user_id,
            scopes=tuple(scopes),
            expires_at=moment + timedelta(seconds=expires_in) if expires_in else None,
            refresh_token=GRANTS.mint(tx, "oauth refresh token", number) if again else None,
            refresh_token_expires_at=moment + timedelta(seconds=refresh_expires_in) if refresh_expires_in else None,
            created_at=moment,
        )
    )


def authorize(tx: Tx, client: OAuthClient, user: User, scope: str, redirect_uri: str) -> str:
    """Authorize a client for a user; return the code for the redirect."""
    if redirect_uri not in client.redirect_uri:
        raise refused("invalid_request", "The redirect_uri is not one of the client's")
    code = GRANTS.mint(tx, "oauth code", tx.count(OAuthCode))
    expires_at = now(tx) + CODE_LASTS
    tx.add(
        OAuthCode(
            code=code,
            client_id=client.id,
            user_id=user.id,
            scope=scope,
            redirect_uri=redirect_uri,
            expires_at=expires_at,
        )
    )
    return code


def exchange(tx: Tx, client: OAuthClient, code: str, redirect_uri: str) -> OAuthCode:
    """Redeem an authorization code; it can be used once."""
    found = tx.first(OAuthCode, "code = ?", code)
    if found is None or found.client_id != client.id or found.redirect_uri != redirect_uri:
        raise invalid_grant()
    if found.expires_at < now(tx):
        raise invalid_grant()
    tx.remove(found)
    return found


def refresh(tx: Tx, client: OAuthClient, shown: str) -> OAuthToken:
    """Return the token of a refresh token, and revoke both."""
    found = tx.first(OAuthToken, "refresh_token = ?", shown) if shown else None
    if found is None or found.client_id != client.id:
        raise invalid_grant()
    if found.refresh_token_expires_at is None or found.refresh_token_expires_at < now(tx):
        raise invalid_grant()
    tx.remove(found)
    return found


def forget(tx: Tx, client: OAuthClient) -> None:
    """Delete a client's tokens."""
    for record in (OAuthToken, OAuthCode):
        for one in tx.all(record, "client_id = ?", client.id):
            tx.remove(one)


@GRANTS.holder
def holder(tx: Tx, token: str) -> tuple[str, str] | None:
    """Return the user of a token that is neither expired nor revoked."""
    found = tx.first(OAuthToken, "token = ?", token)
    if found is None or (found.expires_at is not None and found.expires_at <= tx.now):
        return None
    person = tx.find(User, found.user_id)
    if person is None or not person.active or person.suspended or not person.email:
        return None
    return person.email, str(found.id)


@GRANTS.check
def allowed(tx: Tx, operation: Operation, request: Request) -> None:
    """Refuse a request that the token's scopes do not allow; writes update the time of last use, reads do not."""
    found = tx.find(OAuthToken, int(request.headers[GRANTS.header]))
    if found is None:
        raise GRANTS.refused
    action = "read" if request.method in ("GET", "HEAD") else "write"
    parts = operation.path.strip("/").split("/")
    noun = parts[2] if len(parts) > 2 else parts[0]
    resource = _RESOURCES.get(noun, noun)
    if {action, f"{resource}:{action}", resource}.isdisjoint(found.scopes) and noun != "oauth":
        raise _missing(action)
    if action == "write":
        tx.change(found, used_at=now(tx))


def _missing(scope: str) -> Refusal:
    """Return the 403 for a missing scope; the status is documented, the text was not seen on the wire."""
    return Refusal(403, "Forbidden", f"You are missing the following required scopes: {scope}")


def shown_token(tx: Tx, header: str | None) -> OAuthToken:
    """Return the token that authenticated the request."""
    found = tx.find(OAuthToken, int(header)) if header else None
    if found is None:
        raise refusals.not_found()
    return found
