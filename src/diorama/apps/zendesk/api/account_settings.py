"""Account settings on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.request_parts import required
from diorama.apps.zendesk.rules import account
from diorama.apps.zendesk.rules.current_user import current_admin, require_agent
from diorama.apps.zendesk.schema import APP, AccountSetting
from diorama.apps.zendesk.wire.account_settings import SettingsRequest, SettingsResponse
from diorama.kernel import Tx


def _settings(tx: Tx) -> SettingsResponse:
    return SettingsResponse({one.section: one.values for one in tx.all(AccountSetting, order="id")})


@APP.get("/api/v2/account/settings")
def show_account_settings(tx: Tx) -> SettingsResponse:
    """Show the account's settings."""
    require_agent(tx)
    return _settings(tx)


@APP.put("/api/v2/account/settings")
def update_account_settings(tx: Tx, body: SettingsRequest) -> SettingsResponse:
    """Update the account's settings."""
    me = current_admin(tx)
    for section, wanted in required(body.settings, "settings").items():
        if isinstance(wanted, dict):
            account.change_settings(tx, me, section, wanted)
    return _settings(tx)
