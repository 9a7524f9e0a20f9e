"""API operations for macros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, ids_of, page_of_list, single_page
from diorama.apps.zendesk.api.request_parts import Me, required, required_list, set_location
from diorama.apps.zendesk.api.rule_sideloads import add_usage
from diorama.apps.zendesk.rules import macros
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import change_if_different, now
from diorama.apps.zendesk.rules.definitions import action_shapes
from diorama.apps.zendesk.rules.views import custom_field_ids
from diorama.apps.zendesk.schema import APP, BASE, Macro, Ticket, User
from diorama.apps.zendesk.wire.macros import (
    ActionsResponse,
    AppliedComment,
    AppliedTicket,
    MacroApplyTicketResponse,
    MacroCategoriesResponse,
    MacroRequest,
    MacroResponse,
    MacroResult,
    MacrosRequest,
    MacrosResponse,
    ReplicaObject,
    ReplicaResponse,
    macro_object,
)
from diorama.apps.zendesk.wire.sla_policies import DefinitionsResponse
from diorama.apps.zendesk.wire.tickets import FieldValue
from diorama.kernel import Tx
from diorama.kit.text import html_of, plain_text

_KEYS: dict[str, Callable[[Macro], Any]] = {
    "alphabetical": lambda macro: macro.title.lower(),
    "created_at": lambda macro: macro.created_at,
    "updated_at": lambda macro: macro.updated_at,
    "position": lambda macro: macro.position,
    "": lambda macro: macro.position,
}


def _listed(tx: Tx, me: User, page: Page, keep: Callable[[Macro], bool], include: str | None = None) -> MacrosResponse:
    groups = macros.groups_of(tx, me)
    found = [
        macro
        for macro in tx.all(Macro, order="position, id")
        if macros.may_see(macro.restriction, me, groups) and keep(macro)
    ]
    found.sort(key=_KEYS.get(page.sort_by, _KEYS[""]), reverse=page.sort_order == "desc")
    part, around = page_of_list(page, found)
    shapes = [macro_object(macro) for macro in part]
    add_usage(tx, "macro", include, shapes)
    return MacrosResponse(macros=shapes, **around)


@APP.get("/api/v2/macros", role="agent")
def list_macros(
    tx: Tx,
    me: Me,
    page: Page,
    active: bool | None = None,
    category: str | None = None,
    access: str | None = None,
    include: str | None = None,
) -> MacrosResponse:
    """List the macros that the agent may use."""

    def keep(macro: Macro) -> bool:
        kind = "personal" if (macro.restriction or {}).get("type") == "User" else "shared"
        return (
            (active is None or macro.active == active)
            and (category is None or macro.title.startswith(f"{category}::"))
            and (access is None or access == kind)
        )

    return _listed(tx, me, page, keep, include)


@APP.get("/api/v2/macros/active", role="agent")
def list_active_macros(tx: Tx, me: Me, page: Page, include: str | None = None) -> MacrosResponse:
    """List active macros."""
    return _listed(tx, me, page, lambda macro: macro.active, include)


@APP.get("/api/v2/macros/search", role="agent")
def search_macro(tx: Tx, me: Me, page: Page, query: str = "") -> MacrosResponse:
    """Search macros by title or description."""
    words = query.lower().split()
    return _listed(
        tx, me, page, lambda macro: all(word in f"{macro.title} {macro.description or ''}".lower() for word in words)
    )


@APP.get("/api/v2/macros/categories", role="agent")
def list_macro_categories(tx: Tx) -> MacroCategoriesResponse:
    """List macro categories: the part of the titles before the double colon."""
    folders = {macro.title.partition("::")[0] for macro in tx.all(Macro, "active = 1") if "::" in macro.title}
    return MacroCategoriesResponse(sorted(folders))


@APP.get("/api/v2/macros/actions", role="agent")
def list_macros_actions(tx: Tx) -> ActionsResponse:
    """List the actions that macros support."""
    return ActionsResponse(action_shapes(tx, of_macros=True))


@APP.get("/api/v2/macros/definitions", role="agent")
def list_macro_action_definitions(tx: Tx) -> DefinitionsResponse:
    """List the actions that macros support, in the format for rule editors."""
    return DefinitionsResponse({"actions": action_shapes(tx, of_macros=True)})


@APP.get("/api/v2/macros/new", role="agent")
def show_derived_macro(tx: Tx, me: Me, macro_id: int | None = None, ticket_id: int | None = None) -> ReplicaResponse:
    """Show an unsaved macro derived from another macro, from a ticket or from nothing."""
    if macro_id is not None:
        there = usable_macro(tx, macro_id, me)
        return ReplicaResponse(
            ReplicaObject(
                title=there.title,
                active=there.active,
                actions=[{"field": one.field, "value": one.value} for one in there.actions],
                description=there.description,
                restriction=there.restriction,
            )
        )
    ticket = desk.visible_ticket(tx, ticket_id) if ticket_id is not None else None
    return ReplicaResponse(
        ReplicaObject(
            title=ticket.subject if ticket is not None else "",
            active=True,
            actions=[{"field": one.field, "value": one.value} for one in macros.actions_from_ticket(tx, ticket)]
            if ticket
            else [],
            description=None,
            restriction={"type": "User", "id": me.id} if me.role != "admin" else None,
        )
    )


def usable_macro(tx: Tx, macro_id: int, me: User) -> Macro:
    """Return a macro; raise 404 unless the agent may use it."""
    macro = tx.get(Macro, macro_id)
    if not macros.may_see(macro.restriction, me, macros.groups_of(tx, me)):
        raise refusals.not_found()
    return macro


@APP.get("/api/v2/macros/{macro_id}", role="agent")
def show_macro(tx: Tx, me: Me, macro_id: int) -> MacroResponse:
    """Show a macro."""
    return MacroResponse(macro_object(usable_macro(tx, macro_id, me)))


@APP.post("/api/v2/macros", role="agent", status=201)
def create_macro(tx: Tx, me: Me, body: MacroRequest) -> MacroResponse:
    """Create a macro."""
    asked, moment = required(body.macro, "macro"), now(tx)
    fields = given_fields(asked, "active", "position", "description", "restriction")
    title = asked.title or ""
    then = tuple(asked.actions or ())
    macros.check(title, then)
    macros.restrict_to_owner(me, fields)
    macro = tx.add(Macro(title=title, actions=then, created_at=moment, updated_at=moment, **fields))
    set_location(tx, f"macros/{macro.id}")
    return MacroResponse(macro_object(macro))


def owned_macro(tx: Tx, macro_id: int, me: User) -> Macro:
    """Return a macro that the agent may change; raise an error otherwise."""
    macro = usable_macro(tx, macro_id, me)
    macros.check_owned(me, macro.restriction)
    return macro


@APP.put("/api/v2/macros/update_many", role="agent")
def update_many_macros(tx: Tx, me: Me, body: MacrosRequest) -> MacrosResponse:
    """Update the position or active state of several macros."""
    changed = []
    for one in required_list(body.macros, "macros"):
        macro, fields = owned_macro(tx, one.id, me), given_fields(one, "active", "position")
        changed.append(tx.change(macro, **fields, updated_at=now(tx)) if fields else macro)
    shapes = [macro_object(macro) for macro in changed]
    return MacrosResponse(macros=shapes, **single_page(shapes))


@APP.put("/api/v2/macros/{macro_id}", role="agent")
def update_macro(tx: Tx, me: Me, macro_id: int, body: MacroRequest) -> MacroResponse:
    """Update a macro; the given actions replace the old ones."""
    asked = required(body.macro, "macro")
    macro = owned_macro(tx, macro_id, me)
    fields = given_fields(asked, "title", "active", "position", "description", "restriction")
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    if "restriction" in fields:
        macros.restrict_to_owner(me, fields)
    macros.check(fields.get("title", macro.title), fields.get("actions", macro.actions))
    return MacroResponse(macro_object(change_if_different(tx, macro, fields)))


@APP.delete("/api/v2/macros/destroy_many", role="agent")
def delete_many_macros(tx: Tx, me: Me, ids: str | None = None) -> None:
    """Delete several macros."""
    for number in ids_of(ids):
        tx.remove(owned_macro(tx, number, me))


@APP.delete("/api/v2/macros/{macro_id}", role="agent")
def delete_macro(tx: Tx, me: Me, macro_id: int) -> None:
    """Delete a macro."""
    tx.remove(owned_macro(tx, macro_id, me))


# --- apply


def _comment(applied: macros.Applied) -> AppliedComment | Any:
    if applied.body is None:
        return UNSET
    body = plain_text(applied.body) if applied.html else applied.body
    html = applied.body if applied.html else html_of(applied.body)
    return AppliedComment(body=body, html_body=html, scoped_body=[["channel:all", body]], public=applied.public)


_CHANGES = ("status", "priority", "type", "assignee_id", "group_id", "tags", "subject", "follower_ids")


@APP.get("/api/v2/macros/{macro_id}/apply", role="agent")
def show_changes_to_ticket(tx: Tx, me: Me, macro_id: int) -> MacroApplyTicketResponse:
    """Show what a macro would change on any ticket; nothing is changed."""
    applied = macros.apply(tx, usable_macro(tx, macro_id, me), None, me)
    changed = {name: applied.fields[name] for name in _CHANGES if name in applied.fields}
    if "custom_fields" in applied.fields:
        changed["custom_fields"] = [
            FieldValue(int(key), value) for key, value in applied.fields["custom_fields"].items()
        ]
    return MacroApplyTicketResponse(MacroResult(AppliedTicket(comment=_comment(applied), **changed)))


@APP.get("/api/v2/tickets/{ticket_id}/macros/{macro_id}/apply", role="agent")
def show_ticket_after_changes(tx: Tx, me: Me, ticket_id: int, macro_id: int) -> MacroApplyTicketResponse:
    """Show the ticket as it would be after a macro; nothing is changed."""
    ticket = desk.visible_ticket(tx, ticket_id)
    applied = macros.apply(tx, usable_macro(tx, macro_id, me), ticket, me)
    return MacroApplyTicketResponse(MacroResult(_after(tx, ticket, applied)))


def _after(tx: Tx, ticket: Ticket, applied: macros.Applied) -> AppliedTicket:
    state: dict[str, Any] = {name: applied.fields.get(name, getattr(ticket, name)) for name in _CHANGES}
    values = applied.fields.get("custom_fields", ticket.custom_fields)
    return AppliedTicket(
        url=f"{BASE}/tickets/{ticket.id}.json",
        id=ticket.id,
        requester_id=ticket.requester_id,
        organization_id=ticket.organization_id,
        custom_fields=[FieldValue(number, values.get(str(number))) for number in custom_field_ids(tx)],
        comment=_comment(applied),
        **state,
    )
