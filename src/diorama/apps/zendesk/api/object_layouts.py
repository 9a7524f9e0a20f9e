"""Cards with the fields that agents see first, and schedules of deletion, on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import existing, located, need
from diorama.apps.zendesk.api.listing import Page, given, page_of
from diorama.apps.zendesk.rules import deletion, ledger
from diorama.apps.zendesk.rules.acting import admin, agents_only, now
from diorama.apps.zendesk.schema import APP, Conditions, CustomObject, DeletionSchedule, EssentialsCard
from diorama.apps.zendesk.wire.arrangements import (
    DeletionScheduleInput,
    DeletionScheduleRequest,
    DeletionScheduleResponse,
    DeletionSchedulesResponse,
    EssentialsCardObject,
    EssentialsCardRequest,
    EssentialsCardResponse,
    EssentialsCardsResponse,
    deletion_schedule_object,
    essentials_card_object,
)
from diorama.kernel import Tx

_USUAL: dict[str, tuple[str, ...]] = {
    "zen:user": ("email", "phone", "organization_id", "time_zone", "locale", "tags", "details", "notes"),
    "zen:organization": ("domain_names", "group_id", "tags", "details", "notes"),
}
"""The fields that a card shows where nobody arranged it."""


def _card(tx: Tx, kind: str) -> EssentialsCardObject:
    found = tx.first(EssentialsCard, "object_type = ?", kind)
    if found is not None:
        return essentials_card_object(found)
    names = _names(tx, kind)[:20]
    fields: tuple[dict[str, Any], ...] = tuple({"id": name, "zrn": f"zen:field:{kind}:{name}"} for name in names)
    return EssentialsCardObject(
        id=None,
        key=kind,
        layout="essentials_card",
        max_count=20,
        fields=fields,
        default=True,
        created_at=None,
        updated_at=None,
    )


def _names(tx: Tx, kind: str) -> list[str]:
    """The fields that a kind of thing has."""
    if kind in _USUAL:
        table = "zendesk_user_fields" if kind == "zen:user" else "zendesk_organization_fields"
        own = tx.rows(f"SELECT key FROM {table} WHERE active = 1 ORDER BY position, id")
        return [*_USUAL[kind], *(key for (key,) in own)]
    key = kind.removeprefix("zen:custom_object:")
    if not kind.startswith("zen:custom_object:") or not tx.count(CustomObject, "key = ?", key):
        raise refusals.not_found()
    own = tx.rows("SELECT key FROM zendesk_custom_object_fields WHERE object_key = ? ORDER BY position, id", key)
    return [name for (name,) in own]


@APP.get("/api/v2/object_layouts/essentials_cards")
def show_essentials_cards(tx: Tx) -> EssentialsCardsResponse:
    """The cards of every kind of thing."""
    agents_only(tx)
    kinds = [*_USUAL, *(f"zen:custom_object:{one.key}" for one in tx.all(CustomObject, order="id"))]
    return EssentialsCardsResponse([_card(tx, kind) for kind in kinds])


@APP.get("/api/v2/object_layouts/{object_type}/essentials_card")
def show_essentials_card(tx: Tx, object_type: str) -> EssentialsCardResponse:
    """The card of one kind of thing."""
    agents_only(tx)
    return EssentialsCardResponse(_card(tx, object_type))


@APP.put("/api/v2/object_layouts/{object_type}/essentials_card")
def update_essentials_card(tx: Tx, object_type: str, body: EssentialsCardRequest) -> EssentialsCardResponse:
    """Arrange a card."""
    me, moment = admin(tx), now(tx)
    known = set(_names(tx, object_type))
    asked = need(body.object_layout, "object_layout")
    fields = tuple({**one, "id": str(one.get("id"))} for one in need(asked.fields, "fields"))
    most = asked.max_count if asked.max_count is not UNSET else 20
    for one in fields:
        if one["id"] not in known:
            raise refusals.invalid("fields", f"Fields: {one['id']} is not a field", "InvalidValue")
    if len(fields) > min(most, 20):
        raise refusals.invalid("fields", f"Fields: at most {min(most, 20)}", "TooManyValues")
    there = tx.first(EssentialsCard, "object_type = ?", object_type)
    if there is None:
        made = EssentialsCard(
            object_type=object_type, fields=fields, max_count=most, created_at=moment, updated_at=moment
        )
        return EssentialsCardResponse(essentials_card_object(ledger.added(tx, me, made)))
    changed = ledger.changed(tx, me, there, {"fields": fields, "max_count": most})
    return EssentialsCardResponse(essentials_card_object(changed))


@APP.delete("/api/v2/object_layouts/{object_type}/essentials_card")
def delete_essentials_card(tx: Tx, object_type: str) -> None:
    """Let a card show the usual fields again."""
    me = admin(tx)
    _names(tx, object_type)
    there = existing(tx.first(EssentialsCard, "object_type = ?", object_type))
    ledger.removed(tx, me, there)


# --- schedules of deletion


@APP.get("/api/v2/deletion_schedules")
def list_deletion_schedules(tx: Tx, page: Page) -> DeletionSchedulesResponse:
    """What is deleted by itself."""
    admin(tx)
    found, around = page_of(tx, page, DeletionSchedule)
    return DeletionSchedulesResponse(deletion_schedules=[deletion_schedule_object(one) for one in found], **around)


@APP.get("/api/v2/deletion_schedules/{deletion_schedule_id}")
def get_deletion_schedule(tx: Tx, deletion_schedule_id: str) -> DeletionScheduleResponse:
    """Show a schedule."""
    admin(tx)
    return DeletionScheduleResponse(deletion_schedule_object(tx.get(DeletionSchedule, deletion_schedule_id)))


def _fields(asked: DeletionScheduleInput) -> dict[str, Any]:
    fields = given(asked, "title", "description", "active", "object")
    if "title" in fields and not fields["title"].strip():
        raise refusals.blank("title", "Title")
    if asked.conditions is not UNSET:
        fields["conditions"] = Conditions(tuple(asked.conditions.all or ()), tuple(asked.conditions.any or ()))
    return fields


@APP.post("/api/v2/deletion_schedules", status=201)
def create_deletion_schedule(tx: Tx, body: DeletionScheduleRequest) -> DeletionScheduleResponse:
    """Create a schedule; it works once a day while it is active."""
    me, moment = admin(tx), now(tx)
    fields = {"title": "", "conditions": Conditions(), **_fields(need(body.deletion_schedule, "deletion_schedule"))}
    if not fields["title"]:
        raise refusals.blank("title", "Title")
    made = DeletionSchedule(created_at=moment, updated_at=moment, **fields)
    deletion.check(made)
    schedule = ledger.added(tx, me, made)
    deletion.begin(tx, schedule)
    located(tx, f"deletion_schedules/{schedule.id}")
    return DeletionScheduleResponse(deletion_schedule_object(schedule))


@APP.put("/api/v2/deletion_schedules/{deletion_schedule_id}")
def update_deletion_schedule(
    tx: Tx, deletion_schedule_id: str, body: DeletionScheduleRequest
) -> DeletionScheduleResponse:
    """Update a schedule."""
    me, there = admin(tx), tx.get(DeletionSchedule, deletion_schedule_id)
    schedule = ledger.changed(tx, me, there, _fields(need(body.deletion_schedule, "deletion_schedule")))
    deletion.check(schedule)
    if schedule.active and not there.active:
        deletion.begin(tx, schedule)
    return DeletionScheduleResponse(deletion_schedule_object(schedule))


@APP.delete("/api/v2/deletion_schedules/{deletion_schedule_id}")
def delete_deletion_schedule(tx: Tx, deletion_schedule_id: str) -> None:
    """Delete a schedule."""
    ledger.removed(tx, admin(tx), tx.get(DeletionSchedule, deletion_schedule_id))
