"""OAuth clients of the account, and their tokens."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("oauth_clients", ids=sparse(18_416_310_220_180, 384), unique=[("identifier",)])
class OAuthClient(Record):
    """An OAuth client; `global_` ones belong to the vendor's partners."""

    identifier: str
    name: str
    kind: str = "confidential"
    company: str | None = None
    description: str | None = None
    redirect_uri: tuple[str, ...] = ()
    secret: str
    user_id: int
    global_: bool = False
    created_at: datetime
    updated_at: datetime


@APP.record(
    "oauth_tokens",
    ids=sparse(18_416_311_330_452, 384),
    index=[("user_id", "id"), ("client_id",)],
    unique=[("token",)],
)
class OAuthToken(Record):
    """An OAuth token with which a client acts for a user, within its scopes, until it expires or is revoked."""

    token: str
    client_id: int
    user_id: int
    scopes: tuple[str, ...]
    refresh_token: str | None = None
    refresh_token_expires_at: datetime | None = None
    expires_at: datetime | None = None
    used_at: datetime | None = None
    created_at: datetime


@APP.record("oauth_codes", unique=[("code",)])
class OAuthCode(Record):
    """An authorization code that a client can exchange for a token, once."""

    code: str
    client_id: int
    user_id: int
    scope: str
    redirect_uri: str
    expires_at: datetime
