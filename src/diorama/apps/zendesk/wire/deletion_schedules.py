"""Deletion schedules as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import Conditions, DeletionSchedule
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.pagination import Listing
from diorama.apps.zendesk.wire.shapes import shaped


class DeletionScheduleObject(Struct, kw_only=True):
    url: str
    id: str
    title: str
    description: str | None
    object: str
    active: bool
    default: bool
    conditions: Conditions
    created_at: datetime
    updated_at: datetime


def deletion_schedule_object(schedule: DeletionSchedule) -> DeletionScheduleObject:
    """Which records are deleted automatically, and when."""
    return shaped(DeletionScheduleObject, schedule, f"deletion_schedules/{schedule.id}")


class DeletionScheduleInput(Struct, kw_only=True):
    title: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    object: str | UnsetType = UNSET
    active: bool | UnsetType = UNSET
    conditions: ConditionsInput | UnsetType = UNSET


class DeletionScheduleRequest(Struct):
    deletion_schedule: DeletionScheduleInput | UnsetType = UNSET


class DeletionScheduleResponse(Struct):
    deletion_schedule: DeletionScheduleObject


class DeletionSchedulesResponse(Listing, kw_only=True):
    deletion_schedules: list[DeletionScheduleObject]
