"""User identities, and requests to verify them."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Notice, Record, sparse


@APP.record("identities", ids=sparse(21_480_227_310_804, 384), index=[("user_id", "id"), ("value", "type")])
class Identity(Record):
    """An email address or other identity of a user."""

    user_id: int
    type: str = "email"
    value: str
    primary: bool = False
    verified: bool = False
    deliverable: bool = True
    """Whether mail reaches the address: not after a hard bounce."""
    created_at: datetime
    updated_at: datetime


class VerificationRequested(Notice):
    """An email was sent that asks a user to verify an address."""

    user: int
    to: str
