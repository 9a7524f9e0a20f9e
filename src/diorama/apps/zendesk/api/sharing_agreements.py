"""Sharing agreements on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import given_fields
from diorama.apps.zendesk.api.request_parts import PLAIN
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, SharingAgreement, User
from diorama.apps.zendesk.wire.sharing_agreements import (
    SharingAgreementInput,
    SharingAgreementRequest,
    SharingAgreementResponse,
    SharingAgreementsResponse,
    sharing_agreement_object,
)
from diorama.kernel import Tx
from diorama.kit.resource import Resource

_SHARED = (
    "name", "partner_name", "remote_subdomain", "allows_public_comments", "sync_tags", "sync_custom_fields", "status",
    "type",
)  # fmt: skip
_STATUSES = ("accepted", "declined", "pending", "inactive", "failed", "ssl_error", "configuration_error")


def _agreed(asked: SharingAgreementInput) -> dict[str, Any]:
    fields = given_fields(asked, *_SHARED)
    if fields.get("status", "pending") not in _STATUSES:
        raise refusals.not_listed("status", "Status", fields["status"])
    if fields.get("type", "outbound") not in ("inbound", "outbound"):
        raise refusals.not_listed("type", "Type", fields["type"])
    return fields


def _create(tx: Tx, me: User, asked: SharingAgreementInput) -> SharingAgreement:
    """Invite another account to share tickets; the other account has to accept."""
    fields, moment = _agreed(asked), now(tx)
    if not fields.get("remote_subdomain"):
        raise refusals.blank("remote_subdomain", "Remote subdomain")
    fields.setdefault("name", fields["remote_subdomain"])
    return audit_logs.add(tx, me, SharingAgreement(created_at=moment, updated_at=moment, **fields))


def _change(tx: Tx, me: User, agreement: SharingAgreement, asked: SharingAgreementInput) -> SharingAgreement:
    """Change the status of a sharing agreement."""
    wanted = {name: value for name, value in _agreed(asked).items() if name == "status"}
    return audit_logs.change(tx, me, agreement, wanted)


Resource(
    APP,
    PLAIN,
    "/api/v2/sharing_agreements",
    SharingAgreement,
    singular="sharing_agreement",
    shape=lambda tx, agreement: sharing_agreement_object(agreement),
    request=SharingAgreementRequest,
    response=SharingAgreementResponse,
    responses=SharingAgreementsResponse,
    create=_create,
    change=_change,
    remove=audit_logs.remove,
    summaries={"delete": "End a sharing agreement."},
)
