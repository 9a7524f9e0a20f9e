"""API operations for triggers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, ids_of, page_of, single_page
from diorama.apps.zendesk.api.request_parts import Me, or_not_found, required, required_list, set_location
from diorama.apps.zendesk.api.rule_sideloads import add_usage
from diorama.apps.zendesk.rules import triggers
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.definitions import action_shapes, condition_shapes
from diorama.apps.zendesk.schema import APP, BASE, Conditions, Trigger, TriggerRevision
from diorama.apps.zendesk.wire.automations import AutomationInput
from diorama.apps.zendesk.wire.conditions import ConditionsInput
from diorama.apps.zendesk.wire.sla_policies import DefinitionsResponse
from diorama.apps.zendesk.wire.triggers import (
    ReorderRequest,
    TriggerInput,
    TriggerRequest,
    TriggerResponse,
    TriggerRevisionResponse,
    TriggerRevisionsResponse,
    TriggersRequest,
    TriggersResponse,
    trigger_object,
    trigger_revision_object,
)
from diorama.apps.zendesk.wire.views import ViewInput
from diorama.kernel import Tx
from diorama.kit.paging import BadCursor, read_cursor, write_cursor

ORDERS = {"position": "position", "created_at": "created_at", "updated_at": "updated_at", "title": "title", "id": "id"}

REVISIONS = 100


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any] = (), include: str | None = None) -> TriggersResponse:
    found, around = page_of(tx, page, Trigger, where, args, orders=ORDERS, default="position")
    shapes = [trigger_object(trigger) for trigger in found]
    add_usage(tx, "trigger", include, shapes)
    return TriggersResponse(triggers=shapes, **around)


@APP.get("/api/v2/triggers", role="agent")
def list_triggers(
    tx: Tx, page: Page, active: bool | None = None, category_id: str | None = None, include: str | None = None
) -> TriggersResponse:
    """List triggers in the order in which they run."""
    parts: list[str] = ["1"]
    args: list[Any] = []
    if active is not None:
        parts.append("active = ?")
        args.append(int(active))
    if category_id is not None:
        parts.append("category_id = ?")
        args.append(category_id)
    return _page(tx, page, " AND ".join(parts), args, include)


@APP.get("/api/v2/triggers/active", role="agent")
def list_active_triggers(tx: Tx, page: Page, include: str | None = None) -> TriggersResponse:
    """List active triggers."""
    return _page(tx, page, "active = 1", (), include)


@APP.get("/api/v2/triggers/search", role="agent")
def search_triggers(tx: Tx, page: Page, query: str = "", include: str | None = None) -> TriggersResponse:
    """Search triggers by title."""
    return _page(tx, page, "instr(lower(title), ?) > 0", (query.lower(),), include)


@APP.get("/api/v2/triggers/definitions", role="agent")
def list_trigger_action_condition_definitions(tx: Tx) -> DefinitionsResponse:
    """List the conditions and actions that triggers support."""
    tests = condition_shapes(tx, of_updates=True)
    return DefinitionsResponse({"actions": action_shapes(tx), "conditions_all": tests, "conditions_any": tests})


@APP.get("/api/v2/triggers/{trigger_id}/revisions", role="admin")
def list_trigger_revisions(tx: Tx, trigger_id: int, cursor: str | None = None) -> TriggerRevisionsResponse:
    """List the revisions of a trigger, newest first, each with its difference from the one before."""
    tx.get(Trigger, trigger_id)
    found = tx.all(TriggerRevision, "trigger_id = ?", trigger_id, order="number")
    earlier = [None, *found[:-1]]
    shapes = [trigger_revision_object(one, source) for one, source in zip(found, earlier, strict=True)][::-1]
    if cursor:
        edge = _place(cursor)
        shapes = [shape for shape in shapes if shape.id < edge]
    shapes = shapes[:REVISIONS]
    first, last = (write_cursor("number", [shapes[place].id if shapes else 0]) for place in (0, -1))
    url = f"{BASE}/triggers/{trigger_id}/revisions.json?cursor="
    return TriggerRevisionsResponse(
        trigger_revisions=shapes,
        count=len(found),
        before_cursor=first,
        after_cursor=last,
        before_url=url + quote(first),
        after_url=url + quote(last),
    )


def _place(cursor: str) -> int:
    try:
        return int(read_cursor(cursor, "number")[0] or 0)
    except (BadCursor, ValueError, IndexError):
        raise refusals.bad_parameter("cursor", "is not valid") from None


@APP.get("/api/v2/triggers/{trigger_id}/revisions/{trigger_revision_id}", role="admin")
def trigger_revision(tx: Tx, trigger_id: int, trigger_revision_id: int) -> TriggerRevisionResponse:
    """Show a revision of a trigger."""
    found = or_not_found(tx.first(TriggerRevision, "trigger_id = ? AND number = ?", trigger_id, trigger_revision_id))
    return TriggerRevisionResponse(trigger_revision_object(found, None))


@APP.get("/api/v2/triggers/{trigger_id}", role="agent")
def get_trigger(tx: Tx, trigger_id: int) -> TriggerResponse:
    """Show a trigger."""
    return TriggerResponse(trigger_object(tx.get(Trigger, trigger_id)))


def conditions_of(body: ConditionsInput) -> Conditions:
    """Convert the conditions of a body."""
    return Conditions(tuple(body.all or ()), tuple(body.any or ()))


def conditions_from_body(asked: AutomationInput | TriggerInput | ViewInput) -> Conditions | None:
    """Return the conditions of a body, given as `conditions` or as `all` and `any`, or None."""
    if isinstance(asked.conditions, ConditionsInput):
        return conditions_of(asked.conditions)
    if asked.all is UNSET and asked.any is UNSET:
        return None
    return Conditions(tuple(asked.all or ()), tuple(asked.any or ()))


@APP.post("/api/v2/triggers", role="admin", status=201)
def create_trigger(tx: Tx, me: Me, body: TriggerRequest) -> TriggerResponse:
    """Create a trigger; it runs last unless a position is given."""
    asked, moment = required(body.trigger, "trigger"), now(tx)
    when = conditions_from_body(asked) or Conditions()
    then = tuple(asked.actions or ())
    title = asked.title or ""
    triggers.check(title, when, then)
    last = tx.rows("SELECT coalesce(max(position), 0) FROM zendesk_triggers")[0][0]
    fields = {"position": last + 1, **given_fields(asked, "active", "position", "description", "category_id")}
    made = Trigger(title=title, conditions=when, actions=then, created_at=moment, updated_at=moment, **fields)
    trigger = triggers.save_revision(tx, tx.add(made), me.id)
    set_location(tx, f"triggers/{trigger.id}")
    return TriggerResponse(trigger_object(trigger))


@APP.put("/api/v2/triggers/reorder", role="admin")
def reorder_triggers(tx: Tx, body: ReorderRequest) -> TriggersResponse:
    """Reorder triggers."""
    moment = now(tx)
    for place, number in enumerate(required(body.trigger_ids, "trigger_ids"), 1):
        trigger = tx.get(Trigger, number)
        if trigger.position != place:
            tx.change(trigger, position=place, updated_at=moment)
    shapes = [trigger_object(trigger) for trigger in tx.all(Trigger, "", order="position, id")]
    return TriggersResponse(triggers=shapes, **single_page(shapes))


@APP.put("/api/v2/triggers/update_many", role="admin")
def update_many_triggers(tx: Tx, me: Me, body: TriggersRequest) -> TriggersResponse:
    """Update the position or active state of several triggers."""
    changed = [
        triggers.change_trigger(
            tx, tx.get(Trigger, one.id), me.id, given_fields(one, "active", "position", "category_id")
        )
        for one in required_list(body.triggers, "triggers")
    ]
    shapes = [trigger_object(trigger) for trigger in changed]
    return TriggersResponse(triggers=shapes, **single_page(shapes))


@APP.put("/api/v2/triggers/{trigger_id}", role="admin")
def update_trigger(tx: Tx, me: Me, trigger_id: int, body: TriggerRequest) -> TriggerResponse:
    """Update a trigger; the given conditions and actions replace the old ones."""
    trigger, asked = tx.get(Trigger, trigger_id), required(body.trigger, "trigger")
    fields = given_fields(asked, "title", "active", "position", "description", "category_id")
    when = conditions_from_body(asked)
    if when is not None:
        fields["conditions"] = when
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    triggers.check(
        fields.get("title", trigger.title),
        fields.get("conditions", trigger.conditions),
        fields.get("actions", trigger.actions),
    )
    return TriggerResponse(trigger_object(triggers.change_trigger(tx, trigger, me.id, fields)))


@APP.delete("/api/v2/triggers/destroy_many", role="admin")
def delete_many_triggers(tx: Tx, ids: str | None = None) -> None:
    """Delete several triggers."""
    for number in ids_of(ids):
        triggers.delete_trigger(tx, tx.get(Trigger, number))


@APP.delete("/api/v2/triggers/{trigger_id}", role="admin")
def delete_trigger(tx: Tx, trigger_id: int) -> None:
    """Delete a trigger."""
    triggers.delete_trigger(tx, tx.get(Trigger, trigger_id))
