"""API operations for views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from diorama.apps.zendesk import limits, refusals
from diorama.apps.zendesk.api.pagination import Page, given_fields, ids_of, page_of, page_of_list, sideload, single_page
from diorama.apps.zendesk.api.request_parts import Me, required, required_list, set_location
from diorama.apps.zendesk.api.tickets import ORDERS, ticket_objects
from diorama.apps.zendesk.api.triggers import conditions_from_body
from diorama.apps.zendesk.rules import views
from diorama.apps.zendesk.rules.current_user import change_if_different, now
from diorama.apps.zendesk.rules.definitions import condition_shapes
from diorama.apps.zendesk.rules.macros import check_owned, groups_of, may_see, restrict_to_owner
from diorama.apps.zendesk.schema import APP, BASE, Conditions, Output, Ticket, User, View
from diorama.apps.zendesk.wire.pagination import Count, CountResponse
from diorama.apps.zendesk.wire.sla_policies import DefinitionsResponse
from diorama.apps.zendesk.wire.tickets import TicketsResponse
from diorama.apps.zendesk.wire.users import UserObject, user_object
from diorama.apps.zendesk.wire.views import (
    ColumnObject,
    OutputInput,
    PreviewResponse,
    ViewCountObject,
    ViewCountResponse,
    ViewCountsResponse,
    ViewExecuteResponse,
    ViewGroup,
    ViewInput,
    ViewRequest,
    ViewResponse,
    ViewsRequest,
    ViewsResponse,
    column_object,
    view_object,
)
from diorama.kernel import Tx

COMPACT_AT_MOST = 32


def _visible(tx: Tx, me: User, keep: Callable[[View], bool] = lambda view: True) -> list[View]:
    groups = groups_of(tx, me)
    found = tx.all(View, order="position, id")
    return [view for view in found if may_see(view.restriction, me, groups) and keep(view)]


def _listed(tx: Tx, page: Page, found: Sequence[View]) -> ViewsResponse:
    titles = views.titles(tx)
    part, around = page_of_list(page, found)
    return ViewsResponse(views=[view_object(view, titles) for view in part], **around)


@APP.get("/api/v2/views", role="agent")
def list_views(tx: Tx, me: Me, page: Page, active: bool | None = None, access: str | None = None) -> ViewsResponse:
    """List the views that the agent may see."""

    def keep(view: View) -> bool:
        kind = "personal" if (view.restriction or {}).get("type") == "User" else "shared"
        return (active is None or view.active == active) and (access is None or access == kind)

    return _listed(tx, page, _visible(tx, me, keep))


@APP.get("/api/v2/views/active", role="agent")
def list_active_views(tx: Tx, me: Me, page: Page, access: str | None = None) -> ViewsResponse:
    """List active views."""
    return _listed(tx, page, _visible(tx, me, lambda view: view.active))


@APP.get("/api/v2/views/compact", role="agent")
def list_compact_views(tx: Tx, me: Me) -> ViewsResponse:
    """List the first active views."""
    titles = views.titles(tx)
    shapes = [view_object(view, titles) for view in _visible(tx, me, lambda view: view.active)[:COMPACT_AT_MOST]]
    return ViewsResponse(views=shapes, **single_page(shapes))


@APP.get("/api/v2/views/count", role="agent")
def count_views(tx: Tx, me: Me) -> CountResponse:
    """Count the views that the agent may see."""
    return CountResponse(Count(len(_visible(tx, me)), now(tx)))


@APP.get("/api/v2/views/search", role="agent")
def search_views(tx: Tx, me: Me, page: Page, query: str = "") -> ViewsResponse:
    """Search views by title."""
    words = query.lower().split()
    return _listed(tx, page, _visible(tx, me, lambda view: all(word in view.title.lower() for word in words)))


@APP.get("/api/v2/views/show_many", role="agent")
def list_views_by_id(tx: Tx, me: Me, page: Page, ids: str | None = None) -> ViewsResponse:
    """Show views by id."""
    wanted = set(ids_of(ids))
    return _listed(tx, page, _visible(tx, me, lambda view: view.id in wanted))


def _counted(tx: Tx, view: View, me: User) -> ViewCountObject:
    value = views.count(tx, view, me)
    return ViewCountObject(
        url=f"{BASE}/views/{view.id}/count.json",
        view_id=view.id,
        value=value,
        pretty=str(value) if value < 1000 else f"~{value // 1000},000",
        fresh=True,
        active=view.active,
    )


@APP.get("/api/v2/views/count_many", role="agent", rate_limits=(limits.COUNT_VIEWS,))
def get_view_counts(tx: Tx, me: Me, ids: str | None = None) -> ViewCountsResponse:
    """Count the tickets of several views."""
    wanted = set(ids_of(ids))
    return ViewCountsResponse([_counted(tx, view, me) for view in _visible(tx, me, lambda view: view.id in wanted)])


def visible_view(tx: Tx, view_id: int, me: User) -> View:
    """Return a view; raise 404 unless the agent may see it."""
    view = tx.get(View, view_id)
    if not may_see(view.restriction, me, groups_of(tx, me)):
        raise refusals.not_found()
    return view


@APP.get("/api/v2/views/definitions", role="agent")
def list_view_definitions(tx: Tx) -> DefinitionsResponse:
    """List the conditions and columns that views support."""
    tests = condition_shapes(tx, of_hours=True)
    columns = [{"id": name, "title": title} for name, title in views.titles(tx).items()]
    return DefinitionsResponse({"conditions_all": tests, "conditions_any": tests, "columns": columns})


@APP.get("/api/v2/views/{view_id}", role="agent")
def show_view(tx: Tx, me: Me, view_id: int) -> ViewResponse:
    """Show a view's definition."""
    return ViewResponse(view_object(visible_view(tx, view_id, me), views.titles(tx)))


@APP.get("/api/v2/views/{view_id}/count", role="agent", rate_limits=(limits.COUNT_VIEW,))
def get_view_count(tx: Tx, me: Me, view_id: int) -> ViewCountResponse:
    """Count the tickets in a view."""
    return ViewCountResponse(_counted(tx, visible_view(tx, view_id, me), me))


def _sorted(output: Output, page: Page) -> Output:
    """Return the output of a view, sorted as the request asks."""
    if page.sort_by not in views.SORTS:
        return output
    return msgspec.structs.replace(output, group_by=None, sort_by=page.sort_by, sort_order=page.sort_order or "asc")


@APP.get("/api/v2/views/{view_id}/tickets", role="agent", seconds=0.6)
def list_tickets_from_view(tx: Tx, me: Me, view_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets of a view, in its order."""
    view = visible_view(tx, view_id, me)
    tickets, around = _tickets(tx, page, view.conditions, _sorted(view.output, page), me)
    return TicketsResponse(tickets=ticket_objects(tx, tickets, include), **around, **sideload(tx, include, tickets))


def _tickets(
    tx: Tx, page: Page, conditions: Conditions, output: Output, me: User
) -> tuple[list[Ticket], dict[str, Any]]:
    found = views.tickets_sql(tx, conditions, me)
    if page.cursor is not None:
        return page_of(tx, page, Ticket, found.text, found.args, orders=ORDERS, default="-id")
    return page_of(tx, page, Ticket, found.text, found.args, fixed=views.order(output))


@APP.get("/api/v2/views/{view_id}/execute", role="agent", seconds=0.6, rate_limits=(limits.EXECUTE_VIEW,))
def execute_view(tx: Tx, me: Me, view_id: int, page: Page) -> ViewExecuteResponse:
    """List the rows of a view, with its columns."""
    view = visible_view(tx, view_id, me)
    output = _sorted(view.output, page)
    tickets, around = _tickets(tx, page, view.conditions, output, me)
    titles = views.titles(tx)
    return ViewExecuteResponse(
        rows=_rows(tx, tickets, output),
        columns=_columns(output, titles),
        groups=_groups(output, titles),
        view=view_object(view, titles),
        users=_users(tx, tickets),
        **around,
    )


def _rows(tx: Tx, tickets: Sequence[Ticket], output: Output) -> list[dict[str, Any]]:
    rows = [_row(ticket, output) for ticket in tickets]
    if tickets and NEXT_BREACH in (*output.columns, output.group_by):
        known = views.next_breaches(tx, tickets)
        for row in rows:
            row[NEXT_BREACH] = known.get(row["ticket_id"])
    return rows


NEXT_BREACH = "sla_next_breach_at"


def _row(ticket: Ticket, output: Output) -> dict[str, Any]:
    row: dict[str, Any] = {"ticket_id": ticket.id, "ticket": _short(ticket)}
    own = [int(column) for column in output.columns if column.isdigit()]
    row["custom_fields"] = row["fields"] = [{"id": n, "value": ticket.custom_fields.get(str(n))} for n in own]
    for column in (*output.columns, *([output.group_by] if output.group_by else [])):
        row.update(views.cell(column, ticket))
    return row


def _short(ticket: Ticket) -> dict[str, Any]:
    return {
        "id": ticket.id,
        "url": f"{BASE}/tickets/{ticket.id}.json",
        "subject": ticket.subject,
        "description": ticket.description,
        "status": ticket.status,
        "type": ticket.type,
        "priority": ticket.priority,
    }


def _columns(output: Output, titles: dict[str, str]) -> list[ColumnObject]:
    return [column_object(name, titles) for name in output.columns]


def _groups(output: Output, titles: dict[str, str]) -> list[ViewGroup]:
    if not output.group_by:
        return []
    return [ViewGroup(id=output.group_by, title=titles.get(output.group_by, output.group_by), order=output.group_order)]


def _users(tx: Tx, tickets: Sequence[Ticket]) -> list[UserObject]:
    people = sorted({n for ticket in tickets for n in (ticket.requester_id, ticket.assignee_id) if n is not None})
    marks = ", ".join("?" * len(people))
    return [user_object(user) for user in tx.all(User, f"id IN ({marks})", *people)] if people else []


# --- writing


def _output(asked: ViewInput, there: Output) -> Output:
    body = asked.output if isinstance(asked.output, OutputInput) else asked.execution
    if not isinstance(body, OutputInput):
        return there
    fields = given_fields(body, "columns", "group_by", "group_order", "sort_by", "sort_order")
    if "columns" in fields:
        fields["columns"] = tuple(fields["columns"])
    return msgspec.structs.replace(there, **fields)


@APP.post("/api/v2/views", role="add_views", status=201)
def create_view(tx: Tx, me: Me, body: ViewRequest) -> ViewResponse:
    """Create a view; only administrators can create views for others."""
    asked, moment = required(body.view, "view"), now(tx)
    when, output = conditions_from_body(asked) or Conditions(), _output(asked, Output())
    title = asked.title or ""
    views.check(tx, title, when, output)
    fields = given_fields(asked, "active", "position", "description", "restriction")
    restrict_to_owner(me, fields)
    made = View(title=title, conditions=when, output=output, created_at=moment, updated_at=moment, **fields)
    view = tx.add(made)
    set_location(tx, f"views/{view.id}")
    return ViewResponse(view_object(view, views.titles(tx)))


def _owned(tx: Tx, view_id: int, me: User) -> View:
    view = visible_view(tx, view_id, me)
    check_owned(me, view.restriction)
    return view


@APP.put("/api/v2/views/update_many", role="agent")
def update_many_views(tx: Tx, me: Me, body: ViewsRequest) -> ViewsResponse:
    """Update the position or active state of several views."""
    titles, changed = views.titles(tx), []
    for one in required_list(body.views, "views"):
        view, fields = _owned(tx, one.id, me), given_fields(one, "active", "position")
        changed.append(tx.change(view, **fields, updated_at=now(tx)) if fields else view)
    shapes = [view_object(view, titles) for view in changed]
    return ViewsResponse(views=shapes, **single_page(shapes))


@APP.put("/api/v2/views/{view_id}", role="agent")
def update_view(tx: Tx, me: Me, view_id: int, body: ViewRequest) -> ViewResponse:
    """Update a view; the given conditions replace the old ones."""
    asked = required(body.view, "view")
    view = _owned(tx, view_id, me)
    fields = given_fields(asked, "title", "active", "position", "description", "restriction")
    if "restriction" in fields:
        restrict_to_owner(me, fields)
    fields["conditions"] = conditions_from_body(asked) or view.conditions
    fields["output"] = _output(asked, view.output)
    views.check(tx, fields.get("title", view.title), fields["conditions"], fields["output"])
    return ViewResponse(view_object(change_if_different(tx, view, fields), views.titles(tx)))


@APP.delete("/api/v2/views/destroy_many", role="agent")
def bulk_delete_views(tx: Tx, me: Me, ids: str | None = None) -> None:
    """Delete several views."""
    for number in ids_of(ids):
        tx.remove(_owned(tx, number, me))


@APP.delete("/api/v2/views/{view_id}", role="agent")
def delete_view(tx: Tx, me: Me, view_id: int) -> None:
    """Delete a view."""
    tx.remove(_owned(tx, view_id, me))


@APP.post("/api/v2/views/preview", role="agent", rate_limits=(limits.PREVIEW_VIEW,))
def preview_views(tx: Tx, me: Me, body: ViewRequest, page: Page) -> PreviewResponse:
    """Preview the rows of a view that is not saved."""
    asked = required(body.view, "view")
    when, output = conditions_from_body(asked) or Conditions(), _output(asked, Output())
    views.check(tx, "preview", when, output)
    tickets, around = _tickets(tx, page, when, output, me)
    titles = views.titles(tx)
    rows = _rows(tx, tickets, output)
    return PreviewResponse(rows=rows, columns=_columns(output, titles), groups=_groups(output, titles), **around)


@APP.post("/api/v2/views/preview/count", role="agent")
def preview_count(tx: Tx, me: Me, body: ViewRequest) -> ViewCountResponse:
    """Count the tickets of a view that is not saved."""
    asked = required(body.view, "view")
    found = views.tickets_sql(tx, conditions_from_body(asked) or Conditions(), me)
    value = tx.count(Ticket, found.text, *found.args)
    shape = ViewCountObject(
        url=f"{BASE}/views/preview/count.json", view_id=0, value=value, pretty=str(value), fresh=True, active=True
    )
    return ViewCountResponse(shape)
