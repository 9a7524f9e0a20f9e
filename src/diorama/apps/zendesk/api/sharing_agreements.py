"""Sharing agreements on the wire."""

from __future__ import annotations

from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, SharingAgreement
from diorama.apps.zendesk.wire.sharing_agreements import (
    SharingAgreementInput,
    SharingAgreementRequest,
    SharingAgreementResponse,
    SharingAgreementsResponse,
    sharing_agreement_object,
)
from diorama.kernel import Tx

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


@APP.get("/api/v2/sharing_agreements", role="agent")
def list_sharing_agreements(tx: Tx, page: Page) -> SharingAgreementsResponse:
    """List sharing agreements."""
    found, around = page_of(tx, page, SharingAgreement)
    return SharingAgreementsResponse(sharing_agreements=[sharing_agreement_object(one) for one in found], **around)


@APP.get("/api/v2/sharing_agreements/{sharing_agreement_id}", role="agent")
def show_sharing_agreement(tx: Tx, sharing_agreement_id: int) -> SharingAgreementResponse:
    """Show a sharing agreement."""
    return SharingAgreementResponse(sharing_agreement_object(tx.get(SharingAgreement, sharing_agreement_id)))


@APP.post("/api/v2/sharing_agreements", role="admin", status=201)
def create_sharing_agreement(tx: Tx, me: Me, body: SharingAgreementRequest) -> SharingAgreementResponse:
    """Invite another account to share tickets; it has to accept."""
    moment = now(tx)
    fields = _agreed(required(body.sharing_agreement, "sharing_agreement"))
    if not fields.get("remote_subdomain"):
        raise refusals.blank("remote_subdomain", "Remote subdomain")
    fields.setdefault("name", fields["remote_subdomain"])
    agreement = audit_logs.add(tx, me, SharingAgreement(created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"sharing_agreements/{agreement.id}")
    return SharingAgreementResponse(sharing_agreement_object(agreement))


@APP.put("/api/v2/sharing_agreements/{sharing_agreement_id}", role="admin")
def update_sharing_agreement(
    tx: Tx, me: Me, sharing_agreement_id: int, body: SharingAgreementRequest
) -> SharingAgreementResponse:
    """Change the status of a sharing agreement."""
    agreement = tx.get(SharingAgreement, sharing_agreement_id)
    fields = _agreed(required(body.sharing_agreement, "sharing_agreement"))
    wanted = {name: value for name, value in fields.items() if name == "status"}
    return SharingAgreementResponse(sharing_agreement_object(audit_logs.change(tx, me, agreement, wanted)))


@APP.delete("/api/v2/sharing_agreements/{sharing_agreement_id}", role="admin")
def delete_sharing_agreement(tx: Tx, me: Me, sharing_agreement_id: int) -> None:
    """End a sharing agreement."""
    audit_logs.remove(tx, me, tx.get(SharingAgreement, sharing_agreement_id))
