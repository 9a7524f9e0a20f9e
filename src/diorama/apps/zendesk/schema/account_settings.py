"""The account and its settings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record


@APP.record("accounts")
class Account(Record):
    """The company as its desk presents it; there is one."""

    name: str
    support_address: str
    created_at: datetime


@APP.record("account_settings")
class AccountSetting(Record):
    """One section of the account's settings."""

    section: str
    values: dict[str, Any]
