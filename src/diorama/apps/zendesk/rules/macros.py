"""Macros: prepared answers whose effect can be shown before they are applied."""

from __future__ import annotations

from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import actions
from diorama.apps.zendesk.rules.conditions import Facts
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.placeholders import render
from diorama.apps.zendesk.schema import Action, Macro, Ticket, User
from diorama.kernel import Tx


class Applied(msgspec.Struct, frozen=True):
    """The effect of a macro: the fields it sets, and the comment it would add."""

    fields: dict[str, Any]
    body: str | None
    html: bool
    public: bool


def apply(tx: Tx, macro: Macro, ticket: Ticket | None, me: User) -> Applied:
    """Compute the effect of a macro on a ticket, or on an empty one; change nothing."""
    blank = Ticket(
        id=0, requester_id=me.id, submitter_id=me.id, created_at=now(tx), updated_at=now(tx), status_updated_at=now(tx),
        requester_updated_at=now(tx), subject="", description="",
    )  # fmt: skip
    facts = Facts(tx, ticket or blank, ticket, None, me)
    fields: dict[str, Any] = {}
    body, html, public = None, False, True
    for action in macro.actions:
        if action.field in actions.TEXTS:
            value = action.value[-1] if isinstance(action.value, list | tuple) else action.value
            body, html = str(value or ""), action.field.endswith("_html")
        elif action.field == "comment_mode_is_public":
            public = str(action.value).lower() != "false"
        else:
            changed = actions.changes(action, facts)
            fields.update(changed)
            facts.ticket = msgspec.structs.replace(facts.ticket, **changed)
    if body is not None and ticket is not None:
        body = render(body, facts)
    return Applied(fields, body, html, public)


def may_see(restriction: dict[str, Any] | None, me: User, groups: frozenset[int]) -> bool:
    """Check whether a restriction admits an agent: it is empty, names a group of theirs, or names them."""
    if not restriction or me.id < 0:
        return True
    ids = {number for number in (restriction.get("id"), *(restriction.get("ids") or ())) if number is not None}
    if restriction.get("type") == "User":
        return me.id in ids
    return me.role == "admin" or not groups.isdisjoint(ids)


def restrict_to_owner(me: User, fields: dict[str, Any]) -> None:
    """Restrict a new macro or view to its agent; admins may choose the restriction."""
    if me.role != "admin":
        fields["restriction"] = {"type": "User", "id": me.id}


def check_owned(me: User, restriction: dict[str, Any] | None) -> None:
    """Raise 403 if an agent would change a macro or view that is not personal; admins may."""
    if me.role != "admin" and (restriction or {}).get("type") != "User":
        raise refusals.forbidden()


def groups_of(tx: Tx, me: User) -> frozenset[int]:
    """List the groups that an agent belongs to."""
    rows = tx.rows("SELECT group_id FROM zendesk_group_memberships WHERE user_id = ?", me.id)
    return frozenset(row[0] for row in rows)


def check(title: str, listed: tuple[Action, ...]) -> None:
    """Require a title, and actions that exist."""
    if not title.strip():
        raise refusals.blank("title", "Title")
    if not listed:
        raise refusals.invalid("base", "Invalid actions. You must select at least one action.", "InvalidValue")
    for action in listed:
        if not actions.is_known(action.field):
            raise refusals.invalid("base", f"Action: {action.field} was deleted and cannot be used", "InvalidValue")


def actions_from_ticket(tx: Tx, ticket: Ticket) -> list[Action]:
    """Return actions that give another ticket the same fields and the same last public reply."""
    found = [
        Action(name, str(value))
        for name in ("status", "priority", "type", "group_id", "assignee_id")
        if (value := getattr(ticket, name)) is not None and value != "closed"
    ]
    if ticket.tags:
        found.append(Action("set_tags", " ".join(ticket.tags)))
    rows = tx.rows(
        "SELECT c.body FROM zendesk_comments c JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id = ? "
        "AND c.public = 1 AND u.role <> 'end-user' ORDER BY c.created_at DESC, c.id DESC LIMIT 1",
        ticket.id,
    )
    return [*found, *(Action("comment_value", body) for (body,) in rows)]
