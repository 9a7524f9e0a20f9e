"""OAuth clients and tokens in API format."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from diorama.apps.zendesk.schema import OAuthClient, OAuthToken
from diorama.apps.zendesk.wire.pagination import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped

SHOWN = 10
"""How many characters of a secret are shown after it was shown once in full."""


class ClientObject(Struct, kw_only=True):
    url: str
    id: int
    identifier: str
    name: str
    kind: str
    company: str | None
    description: str | None
    redirect_uri: tuple[str, ...]
    secret: str
    user_id: int
    global_: bool = field(name="global")
    logo_url: str | None = None
    created_at: datetime
    updated_at: datetime


def client_object(client: OAuthClient, in_full: bool = False) -> ClientObject:
    """Return the API object of a client; `in_full` includes the whole secret, for a new one."""
    secret = client.secret if in_full else client.secret[:SHOWN]
    return shaped(ClientObject, client, f"oauth/clients/{client.id}", secret=secret)


class ClientInput(Struct):
    name: str | UnsetType = UNSET
    identifier: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    company: str | UnsetType | None = UNSET
    description: str | UnsetType | None = UNSET
    redirect_uri: list[str] | str | UnsetType | None = UNSET
    user_id: Id | UnsetType | None = UNSET


class ClientRequest(Struct):
    client: ClientInput | UnsetType = UNSET


class ClientResponse(Struct):
    client: ClientObject


class ClientsResponse(Listing, kw_only=True):
    clients: list[ClientObject]


class GlobalClientObject(Struct):
    id: int
    identifier: str
    name: str
    kind: str
    company: str | None
    description: str | None
    logo_url: str | None = None


class GlobalClientResponse(Struct):
    global_client: GlobalClientObject


class GlobalClientsResponse(Listing, kw_only=True):
    global_clients: list[GlobalClientObject]


class TokenSummaryObject(Struct):
    id: int
    identifier: str
    name: str
    company: str | None
    active_tokens_count: int
    last_used_at: datetime | None


class TokenSummariesResponse(Listing, kw_only=True):
    global_clients: list[TokenSummaryObject]


class TokenObject(Struct, kw_only=True):
    url: str
    id: int
    client_id: int
    user_id: int
    token: str
    full_token: str | UnsetType = UNSET
    refresh_token: str | None
    refresh_token_expires_at: datetime | None
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None


def token_object(token: OAuthToken, in_full: bool = False) -> TokenObject:
    """Return the API object of a token; `in_full` includes the whole token, for a new one."""
    more: dict[str, Any] = {"full_token": token.token} if in_full else {}
    again = token.refresh_token[:SHOWN] if token.refresh_token else None
    return shaped(
        TokenObject, token, f"oauth/tokens/{token.id}", token=token.token[:SHOWN], refresh_token=again, **more
    )


class TokenInput(Struct):
    client_id: Id | UnsetType = UNSET
    scopes: list[str] | UnsetType = UNSET
    expires_in: int | UnsetType | None = UNSET


class TokenRequest(Struct):
    token: TokenInput | UnsetType = UNSET


class TokenResponse(Struct):
    token: TokenObject


class TokensResponse(Listing, kw_only=True):
    tokens: list[TokenObject]


class GrantRequest(Struct):
    grant_type: str = ""
    code: str = ""
    client_id: str = ""
    client_secret: str = ""
    redirect_uri: str = ""
    scope: str = ""
    refresh_token: str = ""
    expires_in: int | None = None
    refresh_token_expires_in: int | None = None


class GrantResponse(Struct):
    access_token: str
    refresh_token: str | None
    token_type: str
    scope: str
    expires_in: int | None
    refresh_token_expires_in: int | None
