"""OAuth: clients, their tokens, and what a token allows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import by_email, now
from diorama.apps.zendesk.rules.ids import parse_id
from diorama.apps.zendesk.schema import GRANTS, OAuthClient, OAuthCode, OAuthToken, User
from diorama.apps.zendesk.schema.app import BEHALF
from diorama.kernel import Actor, Refusal, Request, Tx
from diorama.kit import Operation

CODE_LASTS = timedelta(seconds=120)
REFRESH_SECONDS = 2_592_000
SHORTEST_SECONDS, LONGEST_SECONDS = 300, 172_800
SHORTEST_REFRESH_SECONDS, LONGEST_REFRESH_SECONDS = 604_800, 7_776_000

CLIENT_KINDS = ("public", "confidential")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.\-]{1,100}")
LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1)([:/].*)?")
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


# --- clients


def _check_client(tx: Tx, fields: Mapping[str, Any], besides: int = 0) -> None:
    """Raise the vendor's refusal if a client cannot have these fields; `besides` is the client that changes."""
    for uri in fields.get("redirect_uri", ()):
        if not uri.startswith("https://") and not LOCAL.fullmatch(uri):
            raise refusals.invalid("redirect_uri", f"Redirect uri: {uri} is not a valid URI", "InvalidFormat")
    for name in ("name", "identifier"):
        if name in fields and not (fields[name] or "").strip():
            raise refusals.blank(name, name.capitalize())
    identifier = fields.get("identifier")
    if identifier is not None:
        if not IDENTIFIER.fullmatch(identifier):
            raise refusals.invalid("identifier", f"Identifier: {identifier} is invalid", "InvalidFormat")
        if tx.count(OAuthClient, "identifier = ? AND id <> ?", identifier, besides):
            raise refusals.invalid("identifier", f"Identifier: {identifier} has already been taken", "DuplicateValue")
    if fields.get("kind", CLIENT_KINDS[0]) not in CLIENT_KINDS:
        raise refusals.not_listed("kind", "Kind", fields["kind"])
    if "user_id" in fields:
        tx.get(User, fields["user_id"])


def add_client(tx: Tx, me: User, fields: Mapping[str, Any]) -> OAuthClient:
    """Add a client with a new secret."""
    _check_client(tx, fields)
    for name in ("name", "identifier"):
        if name not in fields:
            raise refusals.blank(name, name.capitalize())
    moment, secret = now(tx), GRANTS.mint(tx, "oauth secret", tx.count(OAuthClient))
    made = OAuthClient(**{"user_id": me.id, **fields}, secret=secret, created_at=moment, updated_at=moment)
    return audit_logs.add(tx, me, made)


def change_client(tx: Tx, me: User, client: OAuthClient, fields: Mapping[str, Any]) -> OAuthClient:
    """Change a client."""
    _check_client(tx, fields, client.id)
    return audit_logs.change(tx, me, client, fields)


def replace_secret(tx: Tx, me: User, client: OAuthClient) -> OAuthClient:
    """Give a client a new secret; the old one stops working."""
    audit_logs.write_entry(tx, me, "update", client, "Secret regenerated")
    return tx.change(client, secret=GRANTS.mint(tx, "oauth secret", client.id), updated_at=now(tx))


def delete_client(tx: Tx, me: User, client: OAuthClient) -> None:
    """Delete a client with all its tokens."""
    for record in (OAuthToken, OAuthCode):
        for one in tx.all(record, "client_id = ?", client.id):
            tx.remove(one)
    audit_logs.remove(tx, me, client)


def authenticate_client(tx: Tx, identifier: str, secret: str, grant_type: str) -> OAuthClient:
    """Return the client that asks for a token; a public one needs no secret, except for `client_credentials`."""
    client = tx.first(OAuthClient, "identifier = ?", identifier)
    secretive = client is not None and (client.kind == "confidential" or grant_type == "client_credentials")
    if client is None or ((secretive or secret) and secret != client.secret):
        raise refused(
            "invalid_client",
            "Client authentication failed (e.g. unknown client, no client authentication included, or unsupported "
            "authentication method).",
            401,
        )
    return client


# --- tokens


def lifetimes(expires_in: int | None, refresh_expires_in: int | None) -> tuple[int | None, int]:
    """Return the seconds that a token and its refresh token last; refuse those that the vendor does not allow."""
    again = REFRESH_SECONDS if refresh_expires_in is None else refresh_expires_in
    if not SHORTEST_REFRESH_SECONDS <= again <= LONGEST_REFRESH_SECONDS:
        raise refused("invalid_request", "refresh_token_expires_in is out of range")
    if expires_in is not None and not SHORTEST_SECONDS <= expires_in <= min(LONGEST_SECONDS, again):
        raise refused("invalid_request", "expires_in is out of range")
    return expires_in, again


def scopes_of(text: str) -> list[str]:
    """Return the scopes that a client asks for; refuse an empty list."""
    if not text.strip():
        raise refused("invalid_scope", "The requested scope is invalid, unknown, or malformed.")
    return text.split()


def give_own(tx: Tx, me: User, client: OAuthClient, scopes: Sequence[str], expires_in: int | None) -> OAuthToken:
    """Issue a token to the person who asks; unknown scopes are accepted but grant nothing."""
    if expires_in is not None and not SHORTEST_SECONDS <= expires_in <= LONGEST_SECONDS:
        raise refusals.invalid("expires_in", "Expires in: is out of range", "InvalidValue")
    token = give(tx, client, me.id, scopes, expires_in)
    audit_logs.write_entry(tx, me, "create", token)
    return token


def token_of(tx: Tx, me: User, number: int) -> OAuthToken:
    """Return the person's own token, or anyone's for administrators; raise 404 otherwise."""
    found = tx.get(OAuthToken, number)
    if found.user_id != me.id and me.role != "admin":
        raise refusals.not_found()
    return found


def revoke(tx: Tx, me: User, token: OAuthToken) -> None:
    """Revoke a token."""
    audit_logs.write_entry(tx, me, "destroy", token)
    tx.remove(token)


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
def allowed(tx: Tx, operation: Operation, request: Request) -> Actor | None:
    """Refuse a request that the token's scopes do not allow, and return the end user for whom it acts, if any.

    Writes update the token's time of last use, reads do not.
    """
    found = tx.find(OAuthToken, int(request.headers[GRANTS.header]))
    if found is None:
        raise GRANTS.refused
    action = "read" if request.method in ("GET", "HEAD") else "write"
    parts = operation.path.strip("/").split("/")
    noun = parts[2] if len(parts) > 2 else parts[0]
    resource = _RESOURCES.get(noun, noun)
    if {action, f"{resource}:{action}", resource}.isdisjoint(found.scopes) and noun != "oauth":
        raise _missing(action)
    shown = request.headers.get(BEHALF, "").strip()
    person = _impersonated(tx, found, shown) if shown else None
    if action == "write":
        tx.change(found, used_at=now(tx))
    return person


def _impersonated(tx: Tx, token: OAuthToken, shown: str) -> Actor:
    """Return the end user whom a header names by address or id; only administrators may act for end users."""
    if "impersonate" not in token.scopes:
        raise _missing("impersonate")
    number = parse_id(shown)
    person = by_email(tx, shown) if number is None else tx.find(User, number)
    if person is None or not person.active or not person.email:
        raise GRANTS.refused
    if tx.get(User, token.user_id).role != "admin" or person.staff:
        raise refusals.forbidden()
    return Actor(tx.actor.kind, person.email)


def _missing(scope: str) -> Refusal:
    """Return the 403 for a missing scope; the status is documented, the text was not seen on the wire."""
    return Refusal(403, "Forbidden", f"You are missing the following required scopes: {scope}")


def shown_token(tx: Tx, header: str | None) -> OAuthToken:
    """Return the token that authenticated the request."""
    found = tx.find(OAuthToken, int(header)) if header else None
    if found is None:
        raise refusals.not_found()
    return found
