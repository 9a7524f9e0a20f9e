"""Pages of the agent workspace: the agent's tickets, views, and single tickets with the whole conversation."""

from __future__ import annotations

from diorama.apps.zendesk.rules import permissions, views
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.macros import groups_of, may_see
from diorama.apps.zendesk.schema import APP, Group, Organization, Ticket, User, View
from diorama.apps.zendesk.web.help_center import visitor
from diorama.apps.zendesk.web.html import (
    document,
    link,
    moment,
    moved,
    number_in,
    page_missing,
    shown,
    table,
    text,
    to_sign_in,
)
from diorama.apps.zendesk.web.requests import comment_items
from diorama.kernel import Missing, Refusal, Reply, Tx

LISTED = 30


@APP.get("/agent", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_agent_page(tx: Tx) -> Reply:
    """Show the open tickets of the agent, and the views."""
    me = visitor(tx)
    if me is None or not me.staff:
        return _elsewhere(me, "/agent")
    mine = tx.all(
        Ticket,
        "assignee_id = ? AND deleted_at IS NULL AND status IN ('new', 'open', 'pending', 'hold')",
        me.id,
        order="updated_at DESC, id DESC",
        limit=LISTED,
    )
    return shown(_frame(tx, me, "Dashboard", f"<h1>Your tickets</h1>{_table(tx, mine)}"), guide=False)


@APP.get("/agent/dashboard", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_dashboard(tx: Tx) -> Reply:
    """Show the same as `/agent`."""
    return show_agent_page(tx)


@APP.get("/agent/filters/{part}", public=True, counted=False, tags=("pages",), also=(301, 302), seconds=0.3)
def show_view_page(tx: Tx, part: str) -> Reply:
    """Show the tickets of a view."""
    me = visitor(tx)
    if me is None or not me.staff:
        return _elsewhere(me, f"/agent/filters/{part}")
    view = next((one for one in _views(tx, me) if one.id == number_in(part)), None)
    if view is None:
        raise page_missing(tx)
    inside = views.tickets_sql(tx, view.conditions, me)
    found = tx.all(Ticket, inside.text, *inside.args, order=views.order(view.output), limit=LISTED)
    return shown(_frame(tx, me, view.title, f"<h1>{text(view.title)}</h1>{_table(tx, found)}"), guide=False)


@APP.get("/agent/tickets/{part}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_ticket_page(tx: Tx, part: str) -> Reply:
    """Show a ticket: its fields, and the conversation with internal notes."""
    me = visitor(tx)
    if me is None or not me.staff:
        return _elsewhere(me, f"/agent/tickets/{part}")
    try:
        ticket = permissions.check_ticket(tx, desk.existing_ticket(tx, number_in(part)), me)
    except (Refusal, Missing):
        raise page_missing(tx) from None
    group = tx.find(Group, ticket.group_id) if ticket.group_id is not None else None
    company = tx.find(Organization, ticket.organization_id) if ticket.organization_id is not None else None
    facts = (
        ("Requester", _name(tx, ticket.requester_id)),
        ("Assignee", "/".join(part for part in (group.name if group else "", _name(tx, ticket.assignee_id)) if part)),
        ("Organization", company.name if company else ""),
        ("Type", (ticket.type or "-").capitalize()),
        ("Priority", (ticket.priority or "-").capitalize()),
        ("Tags", " ".join(ticket.tags)),
    )
    listed = "".join(f"<tr><th>{name}</th><td>{text(value) or '-'}</td></tr>" for name, value in facts)
    main = (
        f'<h1>{text(ticket.subject)}</h1><p><span class="status-label">{text(ticket.status.capitalize())}</span> '
        f"Ticket #{ticket.id} {moment(tx, ticket.created_at)}</p><table>{listed}</table>"
        f'<ul class="comment-list">{"".join(comment_items(tx, ticket.id, public_only=False))}</ul>'
    )
    return shown(_frame(tx, me, f"Ticket #{ticket.id}", main), guide=False)


def _elsewhere(me: User | None, address: str) -> Reply:
    """Return where those go who are not agents: strangers sign in, customers go to the Help Center."""
    return to_sign_in(address) if me is None else moved("/hc")


def _name(tx: Tx, user_id: int | None) -> str:
    found = tx.find(User, user_id) if user_id is not None else None
    return found.name if found else ""


def _views(tx: Tx, me: User) -> list[View]:
    """Return the active views that an agent may open."""
    groups = groups_of(tx, me)
    found = tx.all(View, "active = 1", order="position, id")
    return [one for one in found if may_see(one.restriction, me, groups)][:LISTED]


def _table(tx: Tx, tickets: list[Ticket]) -> str:
    rows = [
        (
            f'<span class="status-label">{text(one.status.capitalize())}</span>',
            f"#{one.id}",
            link(f"/agent/tickets/{one.id}", one.subject or f"#{one.id}"),
            text(_name(tx, one.requester_id)),
            moment(tx, one.updated_at),
        )
        for one in tickets
    ]
    return (
        table(("Status", "ID", "Subject", "Requester", "Updated"), rows) if rows else "<p>No tickets in this view</p>"
    )


def _frame(tx: Tx, me: User, title: str, main: str) -> bytes:
    """Return a page of the workspace."""
    listed = "".join(f"<li>{link(f'/agent/filters/{one.id}', one.title)}</li>" for one in _views(tx, me))
    name = account_of(tx).name
    body = (
        f'<body><header class="header"><nav>{link("/agent", "Home")} '
        f"{link('/hc', 'Help Center')}</nav><span>{text(me.name)}"
        f'</span></header><div class="container article-container"><aside '
        f'class="article-sidebar"><h3>Views</h3><ul>{listed}'
        f'</ul></aside><main class="article">{main}</main></div></body>'
    )
    return document(f"{title} – {name} – Zendesk", body)
