"""User identities, and requests to verify them."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Notice, Record, sparse


@APP.record("identities", ids=sparse(21_480_227_310_804, 384), index=[("user_id", "id"), ("value", "type")])
class Identity(Record):
    """One address under which a user is known."""

    user_id: int
    type: str = "email"
    value: str
    primary: bool = False
    verified: bool = False
    created_at: datetime
    updated_at: datetime


class VerificationRequested(Notice):
    """A mail left that asks somebody whether an address is theirs."""

    user: int
    to: str
