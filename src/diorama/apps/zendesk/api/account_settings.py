"""Account settings on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import account
from diorama.apps.zendesk.schema import APP, AccountSetting
from diorama.apps.zendesk.wire.account_settings import SettingsRequest, SettingsResponse
from diorama.kernel import Tx


def _settings(tx: Tx) -> SettingsResponse:
    return SettingsResponse({one.section: one.values for one in tx.all(AccountSetting, order="id")})


@APP.get("/api/v2/account/settings", role="agent")
def show_account_settings(tx: Tx) -> SettingsResponse:
    """Show the account's settings."""
    return _settings(tx)


@APP.put("/api/v2/account/settings", role="admin")
def update_account_settings(tx: Tx, me: Me, body: SettingsRequest) -> SettingsResponse:
    """Update the account's settings."""
    for section, wanted in required(body.settings, "settings").items():
        if isinstance(wanted, dict):
            account.change_settings(tx, me, section, wanted)
    return _settings(tx)
