"""API operations for automations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk.api.pagination import Page, given_fields, ids_of, page_of, single_page
from diorama.apps.zendesk.api.request_parts import required, required_list, set_location
from diorama.apps.zendesk.api.rule_sideloads import add_usage
from diorama.apps.zendesk.api.triggers import conditions_from_body
from diorama.apps.zendesk.rules import automations
from diorama.apps.zendesk.rules.current_user import change_if_different, now
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


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any] = (), include: str | None = None) -> AutomationsResponse:
    found, around = page_of(tx, page, Automation, where, args, orders=ORDERS, default="position")
    shapes = [automation_object(one) for one in found]
    add_usage(tx, "automation", include, shapes)
    return AutomationsResponse(automations=shapes, **around)


@APP.get("/api/v2/automations", role="agent")
def list_automations(tx: Tx, page: Page, active: bool | None = None, include: str | None = None) -> AutomationsResponse:
    """List automations in the order in which they run."""
    where, args = ("active = ?", (int(active),)) if active is not None else ("", ())
    return _page(tx, page, where, args, include)


@APP.get("/api/v2/automations/active", role="agent")
def list_active_automations(tx: Tx, page: Page, include: str | None = None) -> AutomationsResponse:
    """List active automations."""
    return _page(tx, page, "active = 1", (), include)


@APP.get("/api/v2/automations/search", role="agent")
def search_automations(
    tx: Tx, page: Page, query: str = "", active: bool | None = None, include: str | None = None
) -> AutomationsResponse:
    """Search automations by title."""
    if active is None:
        return _page(tx, page, "instr(lower(title), ?) > 0", (query.lower(),), include)
    return _page(tx, page, "instr(lower(title), ?) > 0 AND active = ?", (query.lower(), int(active)), include)


@APP.get("/api/v2/automations/{automation_id}", role="agent")
def show_automation(tx: Tx, automation_id: int) -> AutomationResponse:
    """Show an automation."""
    return AutomationResponse(automation_object(tx.get(Automation, automation_id)))


@APP.post("/api/v2/automations", role="admin", status=201)
def create_automation(tx: Tx, body: AutomationRequest) -> AutomationResponse:
    """Create an automation; it runs last unless a position is given."""
    asked, moment = required(body.automation, "automation"), now(tx)
    when = conditions_from_body(asked) or Conditions()
    then = tuple(asked.actions or ())
    title = asked.title or ""
    automations.check(title, when, then)
    last = tx.rows("SELECT coalesce(max(position), -1) FROM zendesk_automations")[0][0]
    fields = {"position": last + 1, **given_fields(asked, "active", "position")}
    made = tx.add(
        Automation(title=title, conditions=when, actions=then, created_at=moment, updated_at=moment, **fields)
    )
    automations.schedule_next_run(tx)
    set_location(tx, f"automations/{made.id}")
    return AutomationResponse(automation_object(made))


@APP.put("/api/v2/automations/update_many", role="admin")
def update_many_automations(tx: Tx, body: AutomationsRequest) -> AutomationsResponse:
    """Update the position or active state of several automations."""
    listed, changed = required_list(body.automations, "automations"), []
    automations.schedule_next_run(tx)
    for asked in listed:
        one, fields = tx.get(Automation, required(asked.id, "id")), given_fields(asked, "active", "position")
        changed.append(tx.change(one, **fields, updated_at=now(tx)) if fields else one)
    shapes = [automation_object(one) for one in changed]
    return AutomationsResponse(automations=shapes, **single_page(shapes))


@APP.put("/api/v2/automations/{automation_id}", role="admin")
def update_automation(tx: Tx, automation_id: int, body: AutomationRequest) -> AutomationResponse:
    """Update an automation; the given conditions and actions replace the old ones."""
    one, asked = tx.get(Automation, automation_id), required(body.automation, "automation")
    fields = given_fields(asked, "title", "active", "position")
    when = conditions_from_body(asked)
    if when is not None:
        fields["conditions"] = when
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    automations.check(
        fields.get("title", one.title), fields.get("conditions", one.conditions), fields.get("actions", one.actions)
    )
    automations.schedule_next_run(tx)
    return AutomationResponse(automation_object(change_if_different(tx, one, fields)))


def _remove(tx: Tx, automation_id: int) -> None:
    one = tx.get(Automation, automation_id)
    for firing in tx.all(AutomationFiring, "automation_id = ?", one.id):
        tx.remove(firing)
    tx.remove(one)


@APP.delete("/api/v2/automations/destroy_many", role="admin")
def bulk_delete_automations(tx: Tx, ids: str | None = None) -> None:
    """Delete several automations."""
    for number in ids_of(ids):
        _remove(tx, number)


@APP.delete("/api/v2/automations/{automation_id}", role="admin")
def delete_automation(tx: Tx, automation_id: int) -> None:
    """Delete an automation."""
    _remove(tx, automation_id)
