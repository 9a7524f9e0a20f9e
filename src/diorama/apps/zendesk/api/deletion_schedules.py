"""Deletion schedules on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given_fields, page_of
from diorama.apps.zendesk.api.request_parts import Me, required, set_location
from diorama.apps.zendesk.rules import audit_logs, deletion_schedules
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Conditions, DeletionSchedule
from diorama.apps.zendesk.wire.deletion_schedules import (
    DeletionScheduleInput,
    DeletionScheduleRequest,
    DeletionScheduleResponse,
    DeletionSchedulesResponse,
    deletion_schedule_object,
)
from diorama.kernel import Tx


@APP.get("/api/v2/deletion_schedules", role="admin")
def list_deletion_schedules(tx: Tx, page: Page) -> DeletionSchedulesResponse:
    """List deletion schedules."""
    found, around = page_of(tx, page, DeletionSchedule)
    return DeletionSchedulesResponse(deletion_schedules=[deletion_schedule_object(one) for one in found], **around)


@APP.get("/api/v2/deletion_schedules/{deletion_schedule_id}", role="admin")
def get_deletion_schedule(tx: Tx, deletion_schedule_id: str) -> DeletionScheduleResponse:
    """Show a schedule."""
    return DeletionScheduleResponse(deletion_schedule_object(tx.get(DeletionSchedule, deletion_schedule_id)))


def _fields(asked: DeletionScheduleInput) -> dict[str, Any]:
    fields = given_fields(asked, "title", "description", "active", "object")
    if asked.conditions is not UNSET:
        fields["conditions"] = Conditions(tuple(asked.conditions.all or ()), tuple(asked.conditions.any or ()))
    return fields


@APP.post("/api/v2/deletion_schedules", role="admin", status=201)
def create_deletion_schedule(tx: Tx, me: Me, body: DeletionScheduleRequest) -> DeletionScheduleResponse:
    """Create a deletion schedule; it runs once a day while it is active."""
    moment = now(tx)
    fields = {"title": "", "conditions": Conditions(), **_fields(required(body.deletion_schedule, "deletion_schedule"))}
    made = DeletionSchedule(created_at=moment, updated_at=moment, **fields)
    deletion_schedules.check(made)
    schedule = audit_logs.add(tx, me, made)
    deletion_schedules.start_schedule(tx, schedule)
    set_location(tx, f"deletion_schedules/{schedule.id}")
    return DeletionScheduleResponse(deletion_schedule_object(schedule))


@APP.put("/api/v2/deletion_schedules/{deletion_schedule_id}", role="admin")
def update_deletion_schedule(
    tx: Tx, me: Me, deletion_schedule_id: str, body: DeletionScheduleRequest
) -> DeletionScheduleResponse:
    """Update a schedule."""
    there = tx.get(DeletionSchedule, deletion_schedule_id)
    schedule = audit_logs.change(tx, me, there, _fields(required(body.deletion_schedule, "deletion_schedule")))
    deletion_schedules.check(schedule)
    if schedule.active and not there.active:
        deletion_schedules.start_schedule(tx, schedule)
    return DeletionScheduleResponse(deletion_schedule_object(schedule))


@APP.delete("/api/v2/deletion_schedules/{deletion_schedule_id}", role="admin")
def delete_deletion_schedule(tx: Tx, me: Me, deletion_schedule_id: str) -> None:
    """Delete a schedule."""
    audit_logs.remove(tx, me, tx.get(DeletionSchedule, deletion_schedule_id))
