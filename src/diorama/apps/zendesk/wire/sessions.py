"""Sessions as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.wire.pagination import Listing


class SessionObject(Struct, kw_only=True):
    url: str
    id: int
    user_id: int
    authenticated_at: datetime
    last_seen_at: datetime


class SessionsResponse(Listing, kw_only=True):
    sessions: list[SessionObject]


class SessionResponse(Struct):
    session: list[SessionObject]


class RenewedResponse(Struct):
    authenticity_token: str


def session_url(user_id: int, session_id: int) -> str:
    """Return the URL of a session."""
    return f"{BASE}/users/{user_id}/sessions/{session_id}.json"
