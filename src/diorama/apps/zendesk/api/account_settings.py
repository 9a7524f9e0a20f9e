"""Account settings on the wire."""

from __future__ import annotations

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import required
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import current_admin, require_agent
from diorama.apps.zendesk.schema import APP, AccountSetting
from diorama.apps.zendesk.wire.account_settings import SettingsRequest, SettingsResponse
from diorama.kernel import Tx


def _settings(tx: Tx) -> SettingsResponse:
    return SettingsResponse({one.section: one.values for one in tx.all(AccountSetting, order="id")})


@APP.get("/api/v2/account/settings")
def show_account_settings(tx: Tx) -> SettingsResponse:
    """The account's settings."""
    require_agent(tx)
    return _settings(tx)


@APP.put("/api/v2/account/settings")
def update_account_settings(tx: Tx, body: SettingsRequest) -> SettingsResponse:
    """Change settings; sections and names that there are not are ignored, values keep their kind."""
    me = current_admin(tx)
    for section, wanted in required(body.settings, "settings").items():
        there = tx.first(AccountSetting, "section = ?", section)
        if there is None or not isinstance(wanted, dict):
            continue
        fields = {name: value for name, value in wanted.items() if name in there.values}
        for name, value in fields.items():
            old = there.values[name]
            if old is not None and value is not None and type(value) is not type(old):
                raise refusals.invalid(f"{section}.{name}", f"{name}: is invalid", "InvalidValue")
        audit_logs.change(tx, me, there, {"values": {**there.values, **fields}})
    return _settings(tx)
