"""API operations for schedules and holidays."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import given_fields
from diorama.apps.zendesk.api.request_parts import required, set_location
from diorama.apps.zendesk.rules import schedules
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Holiday, Schedule
from diorama.apps.zendesk.seed.schedules import HOLIDAY_IDS, weekly
from diorama.apps.zendesk.wire.schedules import (
    HolidayRequest,
    HolidayResponse,
    HolidaysResponse,
    ScheduleRequest,
    ScheduleResponse,
    SchedulesResponse,
    WorkweekInput,
    WorkweekRequest,
    WorkweekResponse,
    schedule_object,
)
from diorama.kernel import Tx

ROOT = "/api/v2/business_hours/schedules"


@APP.get(ROOT, role="agent")
def list_schedules(tx: Tx) -> SchedulesResponse:
    """List schedules; the first one is used by default."""
    return SchedulesResponse([schedule_object(schedule) for schedule in tx.all(Schedule, order="id")])


@APP.get(ROOT + "/{schedule_id}", role="agent")
def show_schedule(tx: Tx, schedule_id: int) -> ScheduleResponse:
    """Show a schedule."""
    return ScheduleResponse(schedule_object(tx.get(Schedule, schedule_id)))


@APP.post(ROOT, role="admin", status=201)
def create_schedule(tx: Tx, body: ScheduleRequest) -> ScheduleResponse:
    """Create a schedule; it starts as nine to five, Monday to Friday."""
    asked = required(body.schedule, "schedule")
    name = asked.name or ""
    zone = asked.time_zone or ""
    schedules.check_schedule(name, zone)
    made = Schedule(name=name, time_zone=zone, intervals=weekly(9, 17), created_at=now(tx), updated_at=now(tx))
    schedule = tx.add(made)
    set_location(tx, f"business_hours/schedules/{schedule.id}")
    return ScheduleResponse(schedule_object(schedule))


@APP.put(ROOT + "/{schedule_id}", role="admin")
def update_schedule(tx: Tx, schedule_id: int, body: ScheduleRequest) -> ScheduleResponse:
    """Update a schedule's name or time zone."""
    schedule, fields = (
        tx.get(Schedule, schedule_id),
        given_fields(required(body.schedule, "schedule"), "name", "time_zone"),
    )
    schedules.check_schedule(fields.get("name", schedule.name), fields.get("time_zone", schedule.time_zone))
    return ScheduleResponse(schedule_object(tx.change(schedule, **fields, updated_at=now(tx))))


@APP.delete(ROOT + "/{schedule_id}", role="admin")
def delete_schedule(tx: Tx, schedule_id: int) -> None:
    """Delete a schedule."""
    tx.remove(tx.get(Schedule, schedule_id))


@APP.put(ROOT + "/{schedule_id}/workweek", role="admin")
def update_intervals(tx: Tx, schedule_id: int, body: WorkweekRequest) -> WorkweekResponse:
    """Replace the hours of a schedule."""
    listed = sorted(required(body.workweek, "workweek").intervals, key=lambda one: one.start_time)
    schedules.check_intervals(listed)
    schedule = tx.change(tx.get(Schedule, schedule_id), intervals=tuple(listed), updated_at=now(tx))
    return WorkweekResponse(WorkweekInput(intervals=list(schedule.intervals)))


# --- holidays


def _holiday(schedule: Schedule, holiday_id: int) -> Holiday:
    for holiday in schedule.holidays:
        if holiday.id == holiday_id:
            return holiday
    raise refusals.not_found()


@APP.get(ROOT + "/{schedule_id}/holidays", role="agent")
def list_holidays(tx: Tx, schedule_id: int) -> HolidaysResponse:
    """List the holidays of a schedule."""
    return HolidaysResponse(list(tx.get(Schedule, schedule_id).holidays))


@APP.get(ROOT + "/{schedule_id}/holidays/{holiday_id}", role="agent")
def show_holiday(tx: Tx, schedule_id: int, holiday_id: int) -> HolidayResponse:
    """Show a holiday."""
    return HolidayResponse(_holiday(tx.get(Schedule, schedule_id), holiday_id))


@APP.post(ROOT + "/{schedule_id}/holidays", role="admin", status=201)
def create_holiday(tx: Tx, schedule_id: int, body: HolidayRequest) -> HolidayResponse:
    """Add a holiday to a schedule."""
    schedule, asked = tx.get(Schedule, schedule_id), required(body.holiday, "holiday")
    fields: dict[str, Any] = {"name": "", "start_date": "", "end_date": ""}
    fields.update(given_fields(asked, "name", "start_date", "end_date"))
    schedules.check_holiday(Holiday(id=0, **fields))
    made = Holiday(id=int(tx.mint("zendesk_holidays", HOLIDAY_IDS)), **fields)
    listed = sorted((*schedule.holidays, made), key=lambda one: (one.start_date, one.id))
    tx.change(schedule, holidays=tuple(listed), updated_at=now(tx))
    return HolidayResponse(made)


@APP.put(ROOT + "/{schedule_id}/holidays/{holiday_id}", role="admin")
def update_holiday(tx: Tx, schedule_id: int, holiday_id: int, body: HolidayRequest) -> HolidayResponse:
    """Update a holiday."""
    schedule = tx.get(Schedule, schedule_id)
    changed = replace(
        _holiday(schedule, holiday_id),
        **given_fields(required(body.holiday, "holiday"), "name", "start_date", "end_date"),
    )
    schedules.check_holiday(changed)
    listed = sorted(
        (changed if one.id == holiday_id else one for one in schedule.holidays),
        key=lambda one: (one.start_date, one.id),
    )
    tx.change(schedule, holidays=tuple(listed), updated_at=now(tx))
    return HolidayResponse(changed)


@APP.delete(ROOT + "/{schedule_id}/holidays/{holiday_id}", role="admin")
def delete_holiday(tx: Tx, schedule_id: int, holiday_id: int) -> None:
    """Delete a holiday."""
    schedule = tx.get(Schedule, schedule_id)
    gone = _holiday(schedule, holiday_id)
    tx.change(schedule, holidays=tuple(one for one in schedule.holidays if one is not gone), updated_at=now(tx))
