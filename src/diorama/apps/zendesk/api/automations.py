"""Automations on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given, ids_of, page_of, whole
from diorama.apps.zendesk.api.request_parts import located, need, several
from diorama.apps.zendesk.api.triggers import when_of
from diorama.apps.zendesk.rules import automations
from diorama.apps.zendesk.rules.current_user import admin, agents_only, now, revised
from diorama.apps.zendesk.schema import APP, Automation, AutomationFiring, Conditions
from diorama.apps.zendesk.wire.automations import (
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


@APP.post("/api/v2/automations", status=201)
def create_automation(tx: Tx, body: AutomationRequest) -> AutomationResponse:
    """Create an automation; it runs last unless a position is given."""
    admin(tx)
    asked, moment = need(body.automation, "automation"), now(tx)
    when = when_of(asked) or Conditions()
    then = tuple(asked.actions or ())
    title = asked.title or ""
    automations.check(title, when, then)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_automations")[0][0]
    fields = {"position": last + 1, **given(asked, "active", "position")}
    made = tx.add(
        Automation(title=title, conditions=when, actions=then, created_at=moment, updated_at=moment, **fields)
    )
    automations.wake(tx)
    located(tx, f"automations/{made.id}")
    return AutomationResponse(automation_object(made))


@APP.put("/api/v2/automations/update_many")
def update_many_automations(tx: Tx, body: AutomationsRequest) -> AutomationsResponse:
    """Move, switch on or switch off several automations."""
    admin(tx)
    listed, changed = several(body.automations, "automations"), []
    automations.wake(tx)
    for asked in listed:
        one, fields = tx.get(Automation, need(asked.id, "id")), given(asked, "active", "position")
        changed.append(tx.change(one, **fields, updated_at=now(tx)) if fields else one)
    shapes = [automation_object(one) for one in changed]
    return AutomationsResponse(automations=shapes, **whole(shapes))


@APP.put("/api/v2/automations/{automation_id}")
def update_automation(tx: Tx, automation_id: int, body: AutomationRequest) -> AutomationResponse:
    """Update an automation; conditions and actions are replaced as a whole."""
    admin(tx)
    one, asked = tx.get(Automation, automation_id), need(body.automation, "automation")
    fields = given(asked, "title", "active", "position")
    when = when_of(asked)
    if when is not None:
        fields["conditions"] = when
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    automations.check(
        fields.get("title", one.title), fields.get("conditions", one.conditions), fields.get("actions", one.actions)
    )
    automations.wake(tx)
    return AutomationResponse(automation_object(revised(tx, one, fields)))


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
