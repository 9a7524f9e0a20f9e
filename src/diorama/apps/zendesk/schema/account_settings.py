"""The account and its settings."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, get_args

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record

Plan = Literal["suite_team", "suite_growth", "suite_professional", "suite_enterprise"]
PLANS: tuple[Plan, ...] = get_args(Plan)


@APP.record("accounts", cached=True)
class Account(Record):
    """The company as its desk presents it; there is one.

    `number` is the vendor's number of the account, which webhooks and content pins show. The time zone is a setting
    (section `localization`), the language the default of the locales.
    """

    name: str
    support_address: str
    created_at: datetime
    number: int
    plan: Plan
    currency: str
    help_center_locales: tuple[str, ...]


@APP.record("account_settings", cached=True)
class AccountSetting(Record):
    """One section of the account's settings."""

    section: str
    values: dict[str, Any]
