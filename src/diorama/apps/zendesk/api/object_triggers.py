"""Triggers of custom objects on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, ids_of, page_of
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, required_list, set_location
from diorama.apps.zendesk.api.triggers import ORDERS, conditions_of
from diorama.apps.zendesk.rules import audit_logs, custom_objects, object_triggers
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, Conditions, ObjectTrigger
from diorama.apps.zendesk.wire.object_triggers import (
    ObjectTriggerInput,
    ObjectTriggerRequest,
    ObjectTriggerResponse,
    ObjectTriggersResponse,
    object_trigger_object,
)
from diorama.apps.zendesk.wire.sla_policies import DefinitionsResponse
from diorama.apps.zendesk.wire.triggers import TriggersRequest
from diorama.kernel import Tx


def _page(tx: Tx, page: Page, key: str, where: str = "", args: Sequence[Any] = ()) -> ObjectTriggersResponse:
    own = f"object_key = ?{f' AND {where}' if where else ''}"
    found, around = page_of(
        tx, page, ObjectTrigger, own, (custom_objects.object_of(tx, key).key, *args), orders=ORDERS, default="position"
    )
    return ObjectTriggersResponse(triggers=[object_trigger_object(one) for one in found], **around)


def _one(tx: Tx, key: str, number: int) -> ObjectTrigger:
    return get_owned(tx, ObjectTrigger, number, object_key=custom_objects.object_of(tx, key).key)


@APP.get("/api/v2/custom_objects/{custom_object_key}/triggers", role="agent")
def list_object_triggers(
    tx: Tx, custom_object_key: str, page: Page, active: bool | None = None
) -> ObjectTriggersResponse:
    """List an object's triggers in the order in which they run."""
    where, args = ("active = ?", (int(active),)) if active is not None else ("", ())
    return _page(tx, page, custom_object_key, where, args)


@APP.get("/api/v2/custom_objects/{custom_object_key}/triggers/active", role="admin")
def list_active_object_triggers(tx: Tx, custom_object_key: str, page: Page) -> ObjectTriggersResponse:
    """List the triggers of an object that run."""
    return _page(tx, page, custom_object_key, "active = 1")


@APP.get("/api/v2/custom_objects/{custom_object_key}/triggers/search", role="agent")
def search_object_triggers(
    tx: Tx, custom_object_key: str, page: Page, query: str = "", filter: str = "", active: bool | None = None
) -> ObjectTriggersResponse:
    """Triggers of an object with these words in the title, or in what a filter names."""
    asked = {"title": query, **_filter(filter)}
    parts = [f"instr(lower(coalesce({name}, '')), ?) > 0" for name in asked]
    args: list[Any] = [str(words).lower() for words in asked.values()]
    if active is not None:
        parts.append("active = ?")
        args.append(int(active))
    return _page(tx, page, custom_object_key, " AND ".join(parts), args)


def _filter(text: str) -> dict[str, str]:
    """The filter of a search: {"json": {"title": "test"}}."""
    if not text:
        return {}
    try:
        asked = msgspec.json.decode(text, type=dict[str, dict[str, str]])
    except msgspec.DecodeError:
        raise refusals.bad_parameter("filter", "must be a hash") from None
    return {name: words for name, words in asked.get("json", {}).items() if name in ("title", "description")}


@APP.get("/api/v2/custom_objects/{custom_object_key}/triggers/definitions", role="agent")
def list_object_triggers_definitions(tx: Tx, custom_object_key: str) -> DefinitionsResponse:
    """What an object's triggers may ask and do."""
    return DefinitionsResponse(object_triggers.definitions(tx, custom_objects.object_of(tx, custom_object_key).key))


@APP.get("/api/v2/custom_objects/{custom_object_key}/triggers/{trigger_id}", role="agent")
def get_object_trigger(tx: Tx, custom_object_key: str, trigger_id: int) -> ObjectTriggerResponse:
    """Show a trigger of an object."""
    return ObjectTriggerResponse(object_trigger_object(_one(tx, custom_object_key, trigger_id)))


def _fields(asked: ObjectTriggerInput) -> dict[str, Any]:
    fields = given_fields(asked, "title", "active", "position", "description")
    if asked.conditions is not UNSET:
        fields["conditions"] = conditions_of(asked.conditions)
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    return fields


@APP.post("/api/v2/custom_objects/{custom_object_key}/triggers", role="admin", status=201)
def create_object_trigger(tx: Tx, me: Me, custom_object_key: str, body: ObjectTriggerRequest) -> ObjectTriggerResponse:
    """Create a trigger of an object; it runs last unless a position is given."""
    key, moment = custom_objects.object_of(tx, custom_object_key).key, now(tx)
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_object_triggers WHERE object_key = ?", key)[0][0]
    empty = {"title": "", "conditions": Conditions(), "actions": (), "position": last + 1}
    fields = {**empty, **_fields(required(body.trigger, "trigger"))}
    object_triggers.check(tx, key, fields["title"], fields["conditions"], fields["actions"])
    made = audit_logs.add(tx, me, ObjectTrigger(object_key=key, created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"custom_objects/{key}/triggers/{made.id}")
    return ObjectTriggerResponse(object_trigger_object(made))


@APP.put("/api/v2/custom_objects/{custom_object_key}/triggers/update_many", role="admin")
def update_many_object_triggers(
    tx: Tx, me: Me, custom_object_key: str, body: TriggersRequest
) -> ObjectTriggersResponse:
    """Move, switch on or switch off several triggers of an object."""
    changed = [
        audit_logs.change(tx, me, _one(tx, custom_object_key, one.id), given_fields(one, "active", "position"))
        for one in required_list(body.triggers, "triggers")
    ]
    shapes = [object_trigger_object(one) for one in changed]
    return ObjectTriggersResponse(triggers=shapes, count=len(shapes), next_page=None, previous_page=None)


@APP.put("/api/v2/custom_objects/{custom_object_key}/triggers/{trigger_id}", role="admin")
def update_object_trigger(
    tx: Tx, me: Me, custom_object_key: str, trigger_id: int, body: ObjectTriggerRequest
) -> ObjectTriggerResponse:
    """Update a trigger of an object; conditions and actions are replaced as a whole."""
    found = _one(tx, custom_object_key, trigger_id)
    fields = _fields(required(body.trigger, "trigger"))
    title, when, then = (fields.get(name, getattr(found, name)) for name in ("title", "conditions", "actions"))
    object_triggers.check(tx, found.object_key, title, when, then)
    return ObjectTriggerResponse(object_trigger_object(audit_logs.change(tx, me, found, fields)))


@APP.delete("/api/v2/custom_objects/{custom_object_key}/triggers/destroy_many", role="admin")
def delete_many_object_triggers(tx: Tx, me: Me, custom_object_key: str, ids: str | None = None) -> None:
    """Delete several triggers of an object."""
    for found in [_one(tx, custom_object_key, number) for number in ids_of(ids)]:
        audit_logs.remove(tx, me, found)


@APP.delete("/api/v2/custom_objects/{custom_object_key}/triggers/{trigger_id}", role="admin")
def delete_object_trigger(tx: Tx, me: Me, custom_object_key: str, trigger_id: int) -> None:
    """Delete a trigger of an object."""
    audit_logs.remove(tx, me, _one(tx, custom_object_key, trigger_id))
