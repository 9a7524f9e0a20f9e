"""Records of sharing agreements."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("sharing_agreements", ids=sparse(18_416_259_007_124, 384), cached=True)
class SharingAgreement(Record):
    """An agreement to share tickets between this account and another."""

    name: str
    type: str = "outbound"
    status: str = "pending"
    partner_name: str | None = None
    remote_subdomain: str = ""
    allows_public_comments: bool = True
    sync_tags: bool = False
    sync_custom_fields: bool = False
    created_at: datetime
    updated_at: datetime
