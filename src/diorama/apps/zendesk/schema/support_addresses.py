"""Records of support addresses."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record("recipient_addresses", ids=sparse(18_416_257_320_468, 384), unique=[("email",)], cached=True)
class SupportAddress(Record):
    """An email address that customers write to."""

    name: str
    email: str
    brand_id: int
    default: bool = False
    forwarding_status: str = "unknown"
    spf_status: str = "unknown"
    cname_status: str = "unknown"
    domain_verification_status: str = "unknown"
    domain_verification_code: str = ""
    created_at: datetime
    updated_at: datetime
