"""Audit logs on the wire."""

from __future__ import annotations

from typing import Annotated, Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import audit_logs
from diorama.apps.zendesk.schema import APP, AuditLog
from diorama.apps.zendesk.wire.audit_logs import AuditLogObject, AuditLogResponse, AuditLogsResponse
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.kernel import Tx, to_us
from diorama.kit import Query, parse_iso

_LABELS = {
    "create": "Created", "update": "Updated", "destroy": "Deleted", "login": "Signed in", "logout": "Signed out",
    "exported": "Exported",
}  # fmt: skip


def _line(log: AuditLog) -> AuditLogObject:
    label = _LABELS.get(log.action, log.action.capitalize())
    return shaped(AuditLogObject, log, f"audit_logs/{log.id}", action_label=label)


def _moments(listed: list[str] | None) -> list[int]:
    try:
        return [to_us(parse_iso(text)) for text in listed or ()]
    except ValueError:
        raise refusals.bad_parameter("filter[created_at]", "must be a time") from None


def _filter(
    source_type: str | None,
    source_id: int | None,
    actor_id: int | None,
    ip_address: str | None,
    action: str | None,
    created_at: list[str] | None,
) -> tuple[str, list[Any]]:
    if source_id is not None and source_type is None:
        raise refusals.parameter_missing("filter[source_type]")
    tests: list[tuple[str, Any]] = [
        (f"{column} = ?", value)
        for column, value in (
            ("source_type", source_type),
            ("source_id", source_id),
            ("actor_id", actor_id),
            ("ip_address", ip_address),
            ("action", action),
        )
        if value is not None
    ]
    tests.extend(zip(("created_at >= ?", "created_at <= ?"), _moments(created_at), strict=False))
    return " AND ".join(text for text, _ in tests), [value for _, value in tests]


SourceType = Annotated[str | None, Query("filter[source_type]")]
SourceId = Annotated[int | None, Query("filter[source_id]")]
ActorId = Annotated[int | None, Query("filter[actor_id]")]
Address = Annotated[str | None, Query("filter[ip_address]")]
Deed = Annotated[str | None, Query("filter[action]")]
Moments = Annotated[list[str] | None, Query("filter[created_at]")]
MomentsToo = Annotated[list[str] | None, Query("filter[created_at][]")]
"""Clients that know lists by brackets send the two moments under this name."""


@APP.get("/api/v2/audit_logs", role="admin")
def list_audit_logs(
    tx: Tx,
    page: Page,
    source_type: SourceType = None,
    source_id: SourceId = None,
    actor_id: ActorId = None,
    ip_address: Address = None,
    action: Deed = None,
    created_at: Moments = None,
    created_between: MomentsToo = None,
) -> AuditLogsResponse:
    """Who changed the configuration, newest first."""
    where, args = _filter(source_type, source_id, actor_id, ip_address, action, created_at or created_between)
    found, around = page_of(tx, page, AuditLog, where, args, orders={"created_at": "created_at"}, default="-created_at")
    return AuditLogsResponse(audit_logs=[_line(log) for log in found], **around)


@APP.get("/api/v2/audit_logs/{audit_log_id}", role="admin")
def show_audit_log(tx: Tx, audit_log_id: int) -> AuditLogResponse:
    """Show a line of the audit log."""
    return AuditLogResponse(_line(tx.get(AuditLog, audit_log_id)))


@APP.post("/api/v2/audit_logs/export", role="admin", status=202)
def export_audit_logs(
    tx: Tx,
    me: Me,
    source_type: SourceType = None,
    source_id: SourceId = None,
    actor_id: ActorId = None,
    ip_address: Address = None,
    action: Deed = None,
    created_at: Moments = None,
    created_between: MomentsToo = None,
) -> str:
    """Ask for the audit log by mail; that is a line in it, too."""
    where, args = _filter(source_type, source_id, actor_id, ip_address, action, created_at or created_between)
    audit_logs.write_entry(tx, me, "exported", me, f"Audit log with {tx.count(AuditLog, where, *args)} entries")
    return ""
