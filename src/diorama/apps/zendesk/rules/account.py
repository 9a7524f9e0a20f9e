"""The account: its name, number, plan, addresses, language and time zone, all read from its rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.time_zones import iana_name, zone_of
from diorama.apps.zendesk.schema import APP, Account, AccountSetting, User
from diorama.kernel import Defect, Tx

_ZONE = "SELECT json_extract(\"values\", '$.time_zone') FROM zendesk_account_settings WHERE section = 'localization'"
BARE_LOCALE = "en-US"
"""The language of an account that no seed has set up."""
_LOCALE = 'SELECT locale FROM zendesk_locales WHERE "default" = 1'


def account_of(tx: Tx) -> Account:
    """Return the account; there is one per world, and a bare one before a seed has set it up."""
    return tx.find(Account, 1) or Account(
        id=1,
        name=subdomain(tx).capitalize(),
        support_address=f"support@{APP.of(tx).host}",
        created_at=now(tx),
        number=0,
        plan="suite_team",
        currency="USD",
        help_center_locales=(BARE_LOCALE.lower(),),
    )


def subdomain(tx: Tx) -> str:
    """Return the first label of the host at which the company has installed the product."""
    return APP.of(tx).host.partition(".")[0]


def url(tx: Tx, path: str) -> str:
    """Return an absolute address at the account's own host, for rows, mails and webhooks."""
    return f"https://{APP.of(tx).host}{path}"


def time_zone_name(tx: Tx) -> str:
    """Return the product's name of the account's time zone."""
    rows = tx.rows(_ZONE)
    return str(rows[0][0]) if rows else "UTC"


def time_zone(tx: Tx) -> ZoneInfo:
    """Return the account's time zone."""
    name = time_zone_name(tx)
    zone = zone_of(name)
    if zone is None:
        raise Defect(f"the account's time zone {name!r} is unknown; set it to a name of rules/time_zones.py or of IANA")
    return zone


def change_settings(tx: Tx, by: User, section: str, wanted: Mapping[str, Any]) -> None:
    """Change one section of the settings; ignore unknown names, refuse wrong types and unknown time zones."""
    found = tx.first(AccountSetting, "section = ?", section)
    if found is None:
        return
    fields = {name: value for name, value in wanted.items() if name in found.values}
    for name, value in fields.items():
        old = found.values[name]
        if old is not None and value is not None and type(value) is not type(old):
            raise refusals.invalid(f"{section}.{name}", f"{name}: is invalid", "InvalidValue")
    if section == "localization" and ("time_zone" in fields or "iana_time_zone" in fields):
        zone = fields.get("time_zone") or fields.get("iana_time_zone") or ""
        if zone_of(zone) is None:
            raise refusals.invalid("localization.time_zone", "time_zone: is invalid", "InvalidValue")
        fields |= {"time_zone": zone, "iana_time_zone": iana_name(zone)}
    audit_logs.change(tx, by, found, {"values": {**found.values, **fields}})


def local(tx: Tx, moment: datetime) -> datetime:
    """Return a moment in the account's time zone."""
    return moment.astimezone(time_zone(tx))


def default_locale(tx: Tx) -> str:
    """Return the account's language, for example en-US."""
    rows = tx.rows(_LOCALE)
    return str(rows[0][0]) if rows else BARE_LOCALE
