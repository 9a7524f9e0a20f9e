"""Macros on the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import located, need, several
from diorama.apps.zendesk.api.listing import Page, given, ids_of, part_of, whole
from diorama.apps.zendesk.rules import macros
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import agent, agents_only, now, revised
from diorama.apps.zendesk.rules.definitions import action_shapes
from diorama.apps.zendesk.rules.views import own_fields
from diorama.apps.zendesk.schema import APP, BASE, Macro, Ticket, User
from diorama.apps.zendesk.wire.business import (
    AppliedComment,
    AppliedTicket,
    MacroApplyTicketResponse,
    MacroCategoriesResponse,
    MacroRequest,
    MacroResponse,
    MacroResult,
    MacrosResponse,
    macro_object,
)
from diorama.apps.zendesk.wire.clocks import DefinitionsResponse
from diorama.apps.zendesk.wire.rules import ActionsResponse, MacrosRequest, ReplicaObject, ReplicaResponse
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


def _listed(tx: Tx, page: Page, keep: Callable[[Macro], bool]) -> MacrosResponse:
    me = agent(tx)
    groups = macros.groups_of(tx, me)
    found = [
        macro
        for macro in tx.all(Macro, order="position, id")
        if macros.may_see(macro.restriction, me, groups) and keep(macro)
    ]
    found.sort(key=_KEYS.get(page.sort_by, _KEYS[""]), reverse=page.sort_order == "desc")
    part, around = part_of(page, found)
    return MacrosResponse(macros=[macro_object(macro) for macro in part], **around)


@APP.get("/api/v2/macros")
def list_macros(
    tx: Tx, page: Page, active: bool | None = None, category: str | None = None, access: str | None = None
) -> MacrosResponse:
    """List the macros that the agent may use."""

    def keep(macro: Macro) -> bool:
        kind = "personal" if (macro.restriction or {}).get("type") == "User" else "shared"
        return (
            (active is None or macro.active == active)
            and (category is None or macro.title.startswith(f"{category}::"))
            and (access is None or access == kind)
        )

    return _listed(tx, page, keep)


@APP.get("/api/v2/macros/active")
def list_active_macros(tx: Tx, page: Page) -> MacrosResponse:
    """List the macros in use."""
    return _listed(tx, page, lambda macro: macro.active)


@APP.get("/api/v2/macros/search")
def search_macro(tx: Tx, page: Page, query: str = "") -> MacrosResponse:
    """Macros with these words in title or description."""
    words = query.lower().split()
    return _listed(
        tx, page, lambda macro: all(word in f"{macro.title} {macro.description or ''}".lower() for word in words)
    )


@APP.get("/api/v2/macros/categories")
def list_macro_categories(tx: Tx) -> MacroCategoriesResponse:
    """The folders of macros: what stands before the double colon."""
    agents_only(tx)
    folders = {macro.title.partition("::")[0] for macro in tx.all(Macro, "active = 1") if "::" in macro.title}
    return MacroCategoriesResponse(sorted(folders))


@APP.get("/api/v2/macros/actions")
def list_macros_actions(tx: Tx) -> ActionsResponse:
    """What macros may do."""
    agents_only(tx)
    return ActionsResponse(action_shapes(tx, of_macros=True))


@APP.get("/api/v2/macros/definitions")
def list_macro_action_definitions(tx: Tx) -> DefinitionsResponse:
    """What macros may do, as rule editors ask for it."""
    agents_only(tx)
    return DefinitionsResponse({"actions": action_shapes(tx, of_macros=True)})


@APP.get("/api/v2/macros/new")
def show_derived_macro(tx: Tx, macro_id: int | None = None, ticket_id: int | None = None) -> ReplicaResponse:
    """A macro that nobody has saved, made after another one, after a ticket or after nothing."""
    me = agent(tx)
    if macro_id is not None:
        there = usable(tx, macro_id, me)
        return ReplicaResponse(
            ReplicaObject(
                title=there.title,
                active=there.active,
                actions=[{"field": one.field, "value": one.value} for one in there.actions],
                description=there.description,
                restriction=there.restriction,
            )
        )
    ticket = desk.seen(tx, ticket_id) if ticket_id is not None else None
    return ReplicaResponse(
        ReplicaObject(
            title=ticket.subject if ticket is not None else "",
            active=True,
            actions=[{"field": one.field, "value": one.value} for one in macros.replica(tx, ticket)] if ticket else [],
            description=None,
            restriction={"type": "User", "id": me.id} if me.role != "admin" else None,
        )
    )


def usable(tx: Tx, macro_id: int, me: User) -> Macro:
    """A macro that the agent may use."""
    macro = tx.get(Macro, macro_id)
    if not macros.may_see(macro.restriction, me, macros.groups_of(tx, me)):
        raise refusals.not_found()
    return macro


@APP.get("/api/v2/macros/{macro_id}")
def show_macro(tx: Tx, macro_id: int) -> MacroResponse:
    """Show a macro."""
    return MacroResponse(macro_object(usable(tx, macro_id, agent(tx))))


@APP.post("/api/v2/macros", status=201)
def create_macro(tx: Tx, body: MacroRequest) -> MacroResponse:
    """Create a macro."""
    me, asked, moment = agent(tx), need(body.macro, "macro"), now(tx)
    fields = given(asked, "active", "position", "description", "restriction")
    title = asked.title or ""
    then = tuple(asked.actions or ())
    macros.check(title, then)
    macros.own(me, fields)
    macro = tx.add(Macro(title=title, actions=then, created_at=moment, updated_at=moment, **fields))
    located(tx, f"macros/{macro.id}")
    return MacroResponse(macro_object(macro))


def owned(tx: Tx, macro_id: int, me: User) -> Macro:
    """A macro that the agent may change."""
    macro = usable(tx, macro_id, me)
    macros.check_owned(me, macro.restriction)
    return macro


@APP.put("/api/v2/macros/update_many")
def update_many_macros(tx: Tx, body: MacrosRequest) -> MacrosResponse:
    """Move, switch on or switch off several macros."""
    me, changed = agent(tx), []
    for one in several(body.macros, "macros"):
        macro, fields = owned(tx, one.id, me), given(one, "active", "position")
        changed.append(tx.change(macro, **fields, updated_at=now(tx)) if fields else macro)
    shapes = [macro_object(macro) for macro in changed]
    return MacrosResponse(macros=shapes, **whole(shapes))


@APP.put("/api/v2/macros/{macro_id}")
def update_macro(tx: Tx, macro_id: int, body: MacroRequest) -> MacroResponse:
    """Update a macro; its actions are replaced as a whole."""
    me, asked = agent(tx), need(body.macro, "macro")
    macro = owned(tx, macro_id, me)
    fields = given(asked, "title", "active", "position", "description", "restriction")
    if asked.actions is not UNSET:
        fields["actions"] = tuple(asked.actions)
    if "restriction" in fields:
        macros.own(me, fields)
    macros.check(fields.get("title", macro.title), fields.get("actions", macro.actions))
    return MacroResponse(macro_object(revised(tx, macro, fields)))


@APP.delete("/api/v2/macros/destroy_many")
def delete_many_macros(tx: Tx, ids: str | None = None) -> None:
    """Delete several macros."""
    me = agent(tx)
    for number in ids_of(ids):
        tx.remove(owned(tx, number, me))


@APP.delete("/api/v2/macros/{macro_id}")
def delete_macro(tx: Tx, macro_id: int) -> None:
    """Delete a macro."""
    me = agent(tx)
    tx.remove(owned(tx, macro_id, me))


# --- applying


def _comment(applied: macros.Applied) -> AppliedComment | Any:
    if applied.body is None:
        return UNSET
    body = plain_text(applied.body) if applied.html else applied.body
    html = applied.body if applied.html else html_of(applied.body)
    return AppliedComment(body=body, html_body=html, scoped_body=[["channel:all", body]], public=applied.public)


_CHANGES = ("status", "priority", "type", "assignee_id", "group_id", "tags", "subject", "follower_ids")


@APP.get("/api/v2/macros/{macro_id}/apply")
def show_changes_to_ticket(tx: Tx, macro_id: int) -> MacroApplyTicketResponse:
    """What a macro would change on any ticket; nothing is changed."""
    me = agent(tx)
    applied = macros.apply(tx, usable(tx, macro_id, me), None, me)
    changed = {name: applied.fields[name] for name in _CHANGES if name in applied.fields}
    if "custom_fields" in applied.fields:
        changed["custom_fields"] = [
            FieldValue(int(key), value) for key, value in applied.fields["custom_fields"].items()
        ]
    return MacroApplyTicketResponse(MacroResult(AppliedTicket(comment=_comment(applied), **changed)))


@APP.get("/api/v2/tickets/{ticket_id}/macros/{macro_id}/apply")
def show_ticket_after_changes(tx: Tx, ticket_id: int, macro_id: int) -> MacroApplyTicketResponse:
    """The ticket as it would be after a macro; nothing is changed."""
    me = agent(tx)
    ticket = desk.seen(tx, ticket_id)
    applied = macros.apply(tx, usable(tx, macro_id, me), ticket, me)
    return MacroApplyTicketResponse(MacroResult(_after(tx, ticket, applied)))


def _after(tx: Tx, ticket: Ticket, applied: macros.Applied) -> AppliedTicket:
    state: dict[str, Any] = {name: applied.fields.get(name, getattr(ticket, name)) for name in _CHANGES}
    values = applied.fields.get("custom_fields", ticket.custom_fields)
    return AppliedTicket(
        url=f"{BASE}/tickets/{ticket.id}.json",
        id=ticket.id,
        requester_id=ticket.requester_id,
        organization_id=ticket.organization_id,
        custom_fields=[FieldValue(number, values.get(str(number))) for number in own_fields(tx)],
        comment=_comment(applied),
        **state,
    )
