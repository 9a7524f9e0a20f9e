"""Schedules as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Holiday, Interval, Schedule
from diorama.apps.zendesk.wire.shapes import shaped


class ScheduleObject(Struct, kw_only=True):
    id: int
    name: str
    time_zone: str
    intervals: tuple[Interval, ...]
    created_at: datetime
    updated_at: datetime


def schedule_object(schedule: Schedule) -> ScheduleObject:
    """Return the API object of a schedule."""
    return shaped(ScheduleObject, schedule)


class ScheduleInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    time_zone: str | UnsetType = UNSET


class ScheduleRequest(Struct):
    schedule: ScheduleInput | UnsetType = UNSET


class ScheduleResponse(Struct):
    schedule: ScheduleObject


class SchedulesResponse(Struct):
    schedules: list[ScheduleObject]


class WorkweekInput(Struct, kw_only=True):
    intervals: list[Interval]


class WorkweekRequest(Struct):
    workweek: WorkweekInput | UnsetType = UNSET


class WorkweekResponse(Struct):
    workweek: WorkweekInput


class HolidayInput(Struct, kw_only=True):
    name: str | UnsetType = UNSET
    start_date: str | UnsetType = UNSET
    end_date: str | UnsetType = UNSET


class HolidayRequest(Struct):
    holiday: HolidayInput | UnsetType = UNSET


class HolidayResponse(Struct):
    holiday: Holiday


class HolidaysResponse(Struct):
    holidays: list[Holiday]
