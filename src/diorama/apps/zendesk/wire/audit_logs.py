"""Audit logs as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from diorama.apps.zendesk.wire.pagination import Listing


class AuditLogObject(Struct, kw_only=True):
    url: str
    id: int
    action: str
    action_label: str
    actor_id: int
    actor_name: str
    source_id: int
    source_type: str
    source_label: str
    change_description: str
    ip_address: str
    created_at: datetime


class AuditLogResponse(Struct):
    audit_log: AuditLogObject


class AuditLogsResponse(Listing, kw_only=True):
    audit_logs: list[AuditLogObject]
