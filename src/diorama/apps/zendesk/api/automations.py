"""Automations on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.listing import MOST, Page, given, ids_of, page_of
from diorama.apps.zendesk.api.triggers import conditions_of
from diorama.apps.zendesk.rules import automations
from diorama.apps.zendesk.rules.acting import admin, agents_only, now
from diorama.apps.zendesk.schema import APP, BASE, Automation, AutomationFiring, Conditions
from diorama.apps.zendesk.wire.clocks import (
    AutomationInput,
    AutomationRequest,
    AutomationResponse,
    AutomationsRequest,
    AutomationsResponse,
    automation_object,
)
from diorama.kernel import Tx

ORDERS = {
    "position": "position", "created_at": "created_at", "updated_at": "updated_at", "alphabetical": "title",
    "title": "title", "id": "id",
}  # fmt: skip


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any] = ()) -> AutomationsResponse:
    found, around = page_of(tx, page, Automation, where, args, orders=ORDERS, default="position")
    return AutomationsResponse(automations=[automation_object(one) for one in found], **around)


@APP.get("/api/v2/automations")
def list_automations(tx: Tx, page: Page, active: bool | None = None) -> AutomationsResponse:
    """List automations in the order in which they run."""
    agents_only(tx)
    return _page(tx, page, "active = ?", (int(active),)) if active is not None else _page(tx, page, "")


@APP.get("/api/v2/automations/active")
def list_active_automations(tx: Tx, page: Page) -> AutomationsResponse:
    """List the automations that run."""
    agents_only(tx)
    return _page(tx, page, "active = 1")


@APP.get("/api/v2/automations/search")
def search_automations(tx: Tx, page: Page, query: str = "", active: bool | None = None) -> AutomationsResponse:
    """Automations with these words in the title."""
    agents_only(tx)
    if active is None:
        return _page(tx, page, "instr(lower(title), ?) > 0", (query.lower(),))
    return _page(tx, page, "instr(lower(title), ?) > 0 AND active = ?", (query.lower(), int(active)))


@APP.get("/api/v2/automations/{automation_id}")
def show_automation(tx: Tx, automation_id: int) -> AutomationResponse:
    """Show an automation."""
    agents_only(tx)
    return AutomationResponse(automation_object(tx.get(Automation, automation_id)))


def _asked(body: AutomationRequest) -> AutomationInput:
    if body.automation is UNSET:
        raise refusals.parameter_missing("automation")
    return body.automation


def _when(asked: AutomationInput) -> Conditions | None:
    if asked.conditions is not UNSET:
        return conditions_of(asked.conditions)
    if asked.all is UNSET and asked.any is UNSET:
        return None
    return Conditions(
        tuple(asked.all) if isinstance(asked.all, list) else (), tuple(asked.any) if isinstance(asked.any, list) else ()
    )


@APP.post("/api/v2/automations", status=201)
def create_automation(tx: Tx, body: AutomationRequest) -> AutomationResponse:
    """Create an automation; it runs last unless a position is given."""
    admin(tx)
    asked, moment = _asked(body), now(tx)
    when = _when(asked) or Conditions()
    then = tuple(asked.actions) if asked.actions is not UNSET else ()
    title = asked.title if asked.title is not UNSET else ""
    automations.check(title, when, then)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_automations")[0][0]
    fields = {"position": last + 1, **given(asked, "active", "position")}
    made = tx.add(
        Automation(title=title, conditions=when, actions=then, created_at=moment, updated_at=moment, **fields)
    )
    automations.wake(tx)
    tx.headers["location"] = f"{BASE}/automations/{made.id}.json"
    return AutomationResponse(automation_object(made))


@APP.put("/api/v2/automations/update_many")
def update_many_automations(tx: Tx, body: AutomationsRequest) -> AutomationsResponse:
    """Move, switch on or switch off several automations."""
    admin(tx)
    if body.automations is UNSET:
        raise refusals.parameter_missing("automations")
    if len(body.automations) > MOST:
        raise refusals.too_many()
    automations.wake(tx)
    changed = []
    for asked in body.automations:
        if asked.id is UNSET:
            raise refusals.parameter_missing("id")
        one, fields = tx.get(Automation, asked.id), given(asked, "active", "position")
        changed.append(tx.change(one, **fields, updated_at=now(tx)) if fields else one)
    shapes = [automation_object(one) for one in changed]
    return AutomationsResponse(automations=shapes, count=len(shapes), next_page=None, previous_page=None)


@APP.put("/api/v2/automations/{automation_id}")
def update_automation(tx: Tx, automation_id: int, body: AutomationRequest) -> AutomationResponse:
    """Update an automation; conditions and actions are replaced as a whole."""
    admin(tx)
    one, asked = tx.get(Automation, automation_id), _asked(body)
    fields = given(asked, "title", "active", "position")
    when = _when(asked)
    if when is not None:
        fields["conditions"] = when
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    automations.check(
        fields.get("title", one.title), fields.get("conditions", one.conditions), fields.get("actions", one.actions)
    )
    changed = {name: value for name, value in fields.items() if getattr(one, name) != value}
    automations.wake(tx)
    return AutomationResponse(automation_object(tx.change(one, **changed, updated_at=now(tx)) if changed else one))


def _remove(tx: Tx, automation_id: int) -> None:
    one = tx.get(Automation, automation_id)
    for firing in tx.all(AutomationFiring, "automation_id = ?", one.id):
        tx.remove(firing)
    tx.remove(one)


@APP.delete("/api/v2/automations/destroy_many")
def bulk_delete_automations(tx: Tx, ids: str | None = None) -> None:
    """Delete several automations."""
    admin(tx)
    for number in ids_of(ids):
        _remove(tx, number)


@APP.delete("/api/v2/automations/{automation_id}")
def delete_automation(tx: Tx, automation_id: int) -> None:
    """Delete an automation."""
    admin(tx)
    _remove(tx, automation_id)
