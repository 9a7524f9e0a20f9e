"""API operations for OAuth: clients, tokens and grants."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, set_location
from diorama.apps.zendesk.rules import oauth
from diorama.apps.zendesk.schema import APP, GRANTS, OAuthClient, OAuthToken
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


def _fields(asked: ClientInput) -> dict[str, Any]:
    """Return the client fields that a body sets."""
    fields = given_fields(asked, "name", "identifier", "kind", "company", "description")
    if asked.redirect_uri is not UNSET:
        listed = asked.redirect_uri or []
        fields["redirect_uri"] = tuple(listed.split() if isinstance(listed, str) else listed)
    if asked.user_id is not UNSET and asked.user_id is not None:
        fields["user_id"] = asked.user_id
    return fields


@APP.post("/api/v2/oauth/clients", role="admin", status=201)
def create_oauth_client(tx: Tx, me: Me, body: ClientRequest) -> ClientResponse:
    """Create a client; only this reply shows the full secret."""
    client = oauth.add_client(tx, me, _fields(required(body.client, "client")))
    set_location(tx, f"oauth/clients/{client.id}")
    return ClientResponse(client_object(client, in_full=True))


@APP.put("/api/v2/oauth/clients/{oauth_client_id}", role="admin")
def update_client(tx: Tx, me: Me, oauth_client_id: int, body: ClientRequest) -> ClientResponse:
    """Update a client."""
    client = _client(tx, oauth_client_id)
    return ClientResponse(client_object(oauth.change_client(tx, me, client, _fields(required(body.client, "client")))))


@APP.delete("/api/v2/oauth/clients/{oauth_client_id}", role="admin")
def delete_client(tx: Tx, me: Me, oauth_client_id: int) -> None:
    """Delete a client with all its tokens."""
    oauth.delete_client(tx, me, _client(tx, oauth_client_id))


@APP.put("/api/v2/oauth/clients/{oauth_client_id}/generate_secret", role="admin")
def client_generate_secret(tx: Tx, me: Me, oauth_client_id: int) -> ClientResponse:
    """Generate a new client secret; the old one stops working."""
    return ClientResponse(client_object(oauth.replace_secret(tx, me, _client(tx, oauth_client_id)), in_full=True))


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
    token = oauth.give_own(tx, me, client, scopes, seconds)
    set_location(tx, f"oauth/tokens/{token.id}")
    return TokenResponse(token_object(token, in_full=True))


@APP.get("/api/v2/oauth/tokens/{oauth_token_id}", role="user")
def show_token(tx: Tx, me: Me, oauth_token_id: int) -> TokenResponse:
    """Show a token."""
    return TokenResponse(token_object(oauth.token_of(tx, me, oauth_token_id)))


@APP.delete("/api/v2/oauth/tokens/{oauth_token_id}", role="user")
def revoke_oauth_token(tx: Tx, me: Me, oauth_token_id: int) -> None:
    """Revoke a token."""
    oauth.revoke(tx, me, oauth.token_of(tx, me, oauth_token_id))


@APP.get("/api/v2/oauth/tokens/current", role="user")
def show_current_token(tx: Tx, shown: Shown = None) -> TokenResponse:
    """Show the token that authenticated this request."""
    return TokenResponse(token_object(oauth.shown_token(tx, shown)))


@APP.delete("/api/v2/oauth/tokens/current", role="user")
def revoke_current_token(tx: Tx, me: Me, shown: Shown = None) -> None:
    """Revoke the token that authenticated this request."""
    oauth.revoke(tx, me, oauth.shown_token(tx, shown))


# --- grants


@APP.post("/oauth/tokens", status=201, public=True)
def create_token_for_grant_type(tx: Tx, body: GrantRequest) -> GrantResponse:
    """Exchange a code, a refresh token or a client's own secret for an access token."""
    client = oauth.authenticate_client(tx, body.client_id, body.client_secret, body.grant_type)
    lasts, again = oauth.lifetimes(body.expires_in, body.refresh_token_expires_in)
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
    token = oauth.give(tx, client, user_id, oauth.scopes_of(scope), lasts, refreshed)
    return GrantResponse(
        access_token=token.token,
        refresh_token=token.refresh_token,
        token_type="bearer",
        scope=scope,
        expires_in=lasts,
        refresh_token_expires_in=refreshed,
    )
