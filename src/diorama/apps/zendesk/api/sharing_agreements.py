"""Sharing agreements on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.pagination import given_fields
from diorama.apps.zendesk.api.request_parts import PLAIN
from diorama.apps.zendesk.rules import audit_logs, sharing_agreements
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


def _create(tx: Tx, me: User, asked: SharingAgreementInput) -> SharingAgreement:
    """Invite another account to share tickets; the other account has to accept."""
    return sharing_agreements.add_agreement(tx, me, given_fields(asked, *_SHARED))


def _change(tx: Tx, me: User, agreement: SharingAgreement, asked: SharingAgreementInput) -> SharingAgreement:
    """Change the status of a sharing agreement."""
    return sharing_agreements.change_agreement(tx, me, agreement, given_fields(asked, *_SHARED))


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
