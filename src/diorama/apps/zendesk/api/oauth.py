"""API operations for OAuth: clients, tokens and grants."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, set_location
from diorama.apps.zendesk.rules import audit_logs, oauth
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, GRANTS, OAuthClient, OAuthToken, User
from diorama.apps.zendesk.wire.oauth import (
    ClientInput,
    ClientRequest,
    ClientResponse,
    ClientsResponse,
    GlobalClientObject,
    GlobalClientResponse,
    GlobalClientsResponse,
    GrantRequest,
    GrantResponse,
    TokenRequest,
    TokenResponse,
    TokensResponse,
    TokenSummariesResponse,
    TokenSummaryObject,
    client_object,
    token_object,
)
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.kernel import Tx
from diorama.kit import Header

KINDS = ("public", "confidential")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.\-]{1,100}")
LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1)([:/].*)?")
OWN, GLOBAL = "global_ = 0", "global_ = 1"

Shown = Annotated[str | None, Header(GRANTS.header)]


# --- clients


@APP.get("/api/v2/oauth/clients", role="admin")
def list_oauth_clients(tx: Tx, page: Page) -> ClientsResponse:
    """List the account's own clients."""
    found, around = page_of(tx, page, OAuthClient, OWN)
    return ClientsResponse(clients=[client_object(one) for one in found], **around)


def _client(tx: Tx, number: int) -> OAuthClient:
    return get_owned(tx, OAuthClient, number, global_=False)


@APP.get("/api/v2/oauth/clients/{oauth_client_id}", role="admin")
def show_client(tx: Tx, oauth_client_id: int) -> ClientResponse:
    """Show a client."""
    return ClientResponse(client_object(_client(tx, oauth_client_id)))


def _fields(tx: Tx, asked: ClientInput, besides: int = 0) -> dict[str, Any]:
    """Validate a body and return the client fields that it sets."""
    fields = given_fields(asked, "name", "identifier", "kind", "company", "description")
    if asked.redirect_uri is not UNSET:
        listed = asked.redirect_uri or []
        fields["redirect_uri"] = tuple(listed.split() if isinstance(listed, str) else listed)
        for uri in fields["redirect_uri"]:
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
    if fields.get("kind", KINDS[0]) not in KINDS:
        raise refusals.not_listed("kind", "Kind", fields["kind"])
    if asked.user_id is not UNSET and asked.user_id is not None:
        fields["user_id"] = tx.get(User, asked.user_id).id
    return fields


@APP.post("/api/v2/oauth/clients", role="admin", status=201)
def create_oauth_client(tx: Tx, me: Me, body: ClientRequest) -> ClientResponse:
    """Create a client; only this reply shows the full secret."""
    moment = now(tx)
    fields = {"user_id": me.id, **_fields(tx, required(body.client, "client"))}
    for name in ("name", "identifier"):
        if name not in fields:
            raise refusals.blank(name, name.capitalize())
    secret = GRANTS.mint(tx, "oauth secret", tx.count(OAuthClient))
    made = OAuthClient(secret=secret, created_at=moment, updated_at=moment, **fields)
    client = audit_logs.add(tx, me, made)
    set_location(tx, f"oauth/clients/{client.id}")
    return ClientResponse(client_object(client, in_full=True))


@APP.put("/api/v2/oauth/clients/{oauth_client_id}", role="admin")
def update_client(tx: Tx, me: Me, oauth_client_id: int, body: ClientRequest) -> ClientResponse:
    """Update a client."""
    client = _client(tx, oauth_client_id)
    fields = _fields(tx, required(body.client, "client"), client.id)
    return ClientResponse(client_object(audit_logs.change(tx, me, client, fields)))


@APP.delete("/api/v2/oauth/clients/{oauth_client_id}", role="admin")
def delete_client(tx: Tx, me: Me, oauth_client_id: int) -> None:
    """Delete a client with all its tokens."""
    client = _client(tx, oauth_client_id)
    oauth.forget(tx, client)
    audit_logs.remove(tx, me, client)


@APP.put("/api/v2/oauth/clients/{oauth_client_id}/generate_secret", role="admin")
def client_generate_secret(tx: Tx, me: Me, oauth_client_id: int) -> ClientResponse:
    """Generate a new client secret; the old one stops working."""
    client = _client(tx, oauth_client_id)
    audit_logs.write_entry(tx, me, "update", client, "Secret regenerated")
    secret = GRANTS.mint(tx, "oauth secret", client.id)
    return ClientResponse(client_object(tx.change(client, secret=secret, updated_at=now(tx)), in_full=True))


# --- partners' clients

AUTHORIZED = f"{GLOBAL} AND id IN (SELECT client_id FROM zendesk_oauth_tokens)"


@APP.get("/api/v2/oauth/global_clients", role="admin")
def list_global_oauth_clients(tx: Tx, page: Page) -> GlobalClientsResponse:
    """List the partners' clients that have been authorized in this account."""
    found, around = page_of(tx, page, OAuthClient, AUTHORIZED)
    shapes = [shaped(GlobalClientObject, one, "") for one in found]
    return GlobalClientsResponse(global_clients=shapes, **around)


@APP.get("/api/v2/oauth/global_clients/{global_client_id}", role="admin")
def show_global_client(tx: Tx, global_client_id: int) -> GlobalClientResponse:
    """Show a partner's client."""
    found = tx.get(OAuthClient, global_client_id)
    if not found.global_:
        raise refusals.not_found()
    return GlobalClientResponse(shaped(GlobalClientObject, found, ""))


@APP.get("/api/v2/oauth/global_clients/token_summary", role="admin")
def global_oauth_clients_token_summary(
    tx: Tx, page: Page, global_client_id: int | None = None, include_expired_tokens: bool = False
) -> TokenSummariesResponse:
    """Count the tokens of each partner's client in this account."""
    where, args = AUTHORIZED, [] if global_client_id is None else [global_client_id]
    if args:
        where = f"{AUTHORIZED} AND id = ?"
    found, around = page_of(tx, page, OAuthClient, where, args)
    shapes = []
    for client in found:
        held = [
            token
            for token in tx.all(OAuthToken, "client_id = ?", client.id)
            if include_expired_tokens or token.expires_at is None or token.expires_at > tx.now
        ]
        used = max((token.used_at for token in held if token.used_at is not None), default=None)
        shapes.append(shaped(TokenSummaryObject, client, "", active_tokens_count=len(held), last_used_at=used))
    return TokenSummariesResponse(global_clients=shapes, **around)


# --- tokens


@APP.get("/api/v2/oauth/tokens", role="admin")
def list_oauth_tokens(
    tx: Tx,
    me: Me,
    page: Page,
    client_id: int | None = None,
    global_client_id: int | None = None,
    all: bool = False,
) -> TokensResponse:
    """List the caller's tokens, or everyone's; only the start of each token is shown."""
    asked: list[tuple[str, Any]] = [] if all else [("user_id = ?", me.id)]
    asked += [("client_id = ?", number) for number in (client_id, global_client_id) if number is not None]
    found, around = page_of(
        tx, page, OAuthToken, " AND ".join(part for part, _ in asked), [value for _, value in asked]
    )
    return TokensResponse(tokens=[token_object(one) for one in found], **around)


@APP.post("/api/v2/oauth/tokens", role="admin", status=201)
def create_oauth_token(tx: Tx, me: Me, body: TokenRequest) -> TokenResponse:
    """Create a token for the caller; unknown scopes are accepted but grant nothing."""
    asked = required(body.token, "token")
    client = tx.get(OAuthClient, required(asked.client_id, "client_id"))
    scopes = required(asked.scopes, "scopes")
    seconds = asked.expires_in or None if asked.expires_in is not UNSET else None
    if seconds is not None and not oauth.SHORTEST_SECONDS <= seconds <= oauth.LONGEST_SECONDS:
        raise refusals.invalid("expires_in", "Expires in: is out of range", "InvalidValue")
    token = oauth.give(tx, client, me.id, scopes, seconds)
    audit_logs.write_entry(tx, me, "create", token)
    set_location(tx, f"oauth/tokens/{token.id}")
    return TokenResponse(token_object(token, in_full=True))


def _revoke(tx: Tx, me: User, token: OAuthToken) -> None:
    audit_logs.write_entry(tx, me, "destroy", token)
    tx.remove(token)


def _own(tx: Tx, me: User, number: int) -> OAuthToken:
    """Return the caller's token, or anyone's for administrators; raise 404 otherwise."""
    found = tx.get(OAuthToken, number)
    if found.user_id != me.id and me.role != "admin":
        raise refusals.not_found()
    return found


@APP.get("/api/v2/oauth/tokens/{oauth_token_id}", role="user")
def show_token(tx: Tx, me: Me, oauth_token_id: int) -> TokenResponse:
    """Show a token."""
    return TokenResponse(token_object(_own(tx, me, oauth_token_id)))


@APP.delete("/api/v2/oauth/tokens/{oauth_token_id}", role="user")
def revoke_oauth_token(tx: Tx, me: Me, oauth_token_id: int) -> None:
    """Revoke a token."""
    _revoke(tx, me, _own(tx, me, oauth_token_id))


@APP.get("/api/v2/oauth/tokens/current", role="user")
def show_current_token(tx: Tx, shown: Shown = None) -> TokenResponse:
    """Show the token that authenticated this request."""
    return TokenResponse(token_object(oauth.shown_token(tx, shown)))


@APP.delete("/api/v2/oauth/tokens/current", role="user")
def revoke_current_token(tx: Tx, me: Me, shown: Shown = None) -> None:
    """Revoke the token that authenticated this request."""
    _revoke(tx, me, oauth.shown_token(tx, shown))


# --- grants


def _asking(tx: Tx, body: GrantRequest) -> OAuthClient:
    """Authenticate the client; a public one needs no secret, except for `client_credentials`."""
    client = tx.first(OAuthClient, "identifier = ?", body.client_id)
    secretive = client is not None and (client.kind == "confidential" or body.grant_type == "client_credentials")
    if client is None or ((secretive or body.client_secret) and body.client_secret != client.secret):
        raise oauth.refused(
            "invalid_client",
            "Client authentication failed (e.g. unknown client, no client authentication included, or unsupported "
            "authentication method).",
            401,
        )
    return client


def _seconds(body: GrantRequest) -> tuple[int | None, int]:
    """Return the lifetimes of the token and the refresh token, in seconds."""
    again = oauth.REFRESH_SECONDS if body.refresh_token_expires_in is None else body.refresh_token_expires_in
    if not oauth.SHORTEST_REFRESH_SECONDS <= again <= oauth.LONGEST_REFRESH_SECONDS:
        raise oauth.refused("invalid_request", "refresh_token_expires_in is out of range")
    lasts = body.expires_in
    if lasts is not None and not oauth.SHORTEST_SECONDS <= lasts <= min(oauth.LONGEST_SECONDS, again):
        raise oauth.refused("invalid_request", "expires_in is out of range")
    return lasts, again


@APP.post("/oauth/tokens", status=201, public=True)
def create_token_for_grant_type(tx: Tx, body: GrantRequest) -> GrantResponse:
    """Exchange a code, a refresh token or a client's own secret for an access token."""
    client, (lasts, again) = _asking(tx, body), _seconds(body)
    refreshed: int | None = again
    if body.grant_type == "authorization_code":
        code = oauth.exchange(tx, client, body.code, body.redirect_uri)
        user_id, scope = code.user_id, body.scope or code.scope
    elif body.grant_type == "refresh_token":
        old = oauth.refresh(tx, client, body.refresh_token)
        user_id, scope = old.user_id, body.scope or " ".join(old.scopes)
    elif body.grant_type == "client_credentials":
        user_id, scope, refreshed = client.user_id, body.scope, None
    else:
        raise oauth.refused("unsupported_grant_type", "The grant type is not supported by this server.")
    if not scope.strip():
        raise oauth.refused("invalid_scope", "The requested scope is invalid, unknown, or malformed.")
    token = oauth.give(tx, client, user_id, scope.split(), lasts, refreshed)
    return GrantResponse(
        access_token=token.token,
        refresh_token=token.refresh_token,
        token_type="bearer",
        scope=scope,
        expires_in=lasts,
        refresh_token_expires_in=refreshed,
    )
