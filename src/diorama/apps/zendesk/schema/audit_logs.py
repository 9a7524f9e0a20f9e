"""Records of audit logs."""

from __future__ import annotations

from datetime import datetime

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Record, sparse


@APP.record(
    "audit_logs",
    ids=sparse(24_102_771_330_516, 384),
    index=[("created_at", "id"), ("source_type", "source_id"), ("actor_id",)],
)
class AuditLog(Record):
    """A change of the account's configuration, or a login."""

    actor_id: int
    actor_name: str
    action: str
    source_id: int
    source_type: str
    source_label: str
    change_description: str
    ip_address: str
    created_at: datetime
