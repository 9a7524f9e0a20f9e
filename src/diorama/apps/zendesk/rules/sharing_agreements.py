"""Agreements with other accounts to share tickets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import SharingAgreement, User
from diorama.kernel import Tx

STATUSES = ("accepted", "declined", "pending", "inactive", "failed", "ssl_error", "configuration_error")


def _check(fields: Mapping[str, Any]) -> None:
    if fields.get("status", "pending") not in STATUSES:
        raise refusals.not_listed("status", "Status", fields["status"])
    if fields.get("type", "outbound") not in ("inbound", "outbound"):
        raise refusals.not_listed("type", "Type", fields["type"])


def add_agreement(tx: Tx, by: User, asked: Mapping[str, Any]) -> SharingAgreement:
    """Invite another account to share tickets; it has to accept."""
    _check(asked)
    fields, moment = dict(asked), now(tx)
    if not fields.get("remote_subdomain"):
        raise refusals.blank("remote_subdomain", "Remote subdomain")
    fields.setdefault("name", fields["remote_subdomain"])
    return audit_logs.add(tx, by, SharingAgreement(created_at=moment, updated_at=moment, **fields))


def change_agreement(tx: Tx, by: User, agreement: SharingAgreement, asked: Mapping[str, Any]) -> SharingAgreement:
    """Change the status of an agreement; nothing else of it can be changed."""
    _check(asked)
    return audit_logs.change(tx, by, agreement, {name: asked[name] for name in asked if name == "status"})
