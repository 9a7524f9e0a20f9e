"""Requests on the wire: tickets as the end user sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api import ticket_input
from diorama.apps.zendesk.api.pagination import Page, get_many, page_of, parts_of, sideload
from diorama.apps.zendesk.api.request_parts import Me, get_owned, required, set_location
from diorama.apps.zendesk.api.tickets import API
from diorama.apps.zendesk.rules import permissions, ticket_checks
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import by_email, current_user
from diorama.apps.zendesk.rules.ticket_checks import parse_time
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.users import find_or_add
from diorama.apps.zendesk.rules.views import custom_field_ids
from diorama.apps.zendesk.schema import APP, Comment, Organization, Ticket, User
from diorama.apps.zendesk.wire.requests import (
    RequestCommentResponse,
    RequestCommentsResponse,
    RequestInput,
    RequestObject,
    RequestRequest,
    RequestResponse,
    RequestsResponse,
    request_comment_object,
    request_object,
)
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Tx
from diorama.kernel.functions import SEPARATOR

ORDERS = {"id": "id", "updated_at": "updated_at", "created_at": "created_at"}
COPIED = "EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?)"
FIRST_WORDS = (
    "coalesce((SELECT c.body FROM zendesk_comments c WHERE c.ticket_id = zendesk_tickets.id AND c.public = 1 "
    "ORDER BY c.created_at, c.id LIMIT 1), '')"
)
MINE = f"(requester_id = ? OR {COPIED}) AND is_public = 1 AND deleted_at IS NULL"


def _mine(tx: Tx, request_id: int, me: User, speak: bool = False) -> Ticket:
    """Return a request that the user may see, or with `speak` comment on, as requester, CC, member or agent."""
    ticket = desk.existing_ticket(tx, request_id)
    if me.staff:
        return permissions.check_ticket(tx, ticket, me)
    if not permissions.can_see_request(tx, me, ticket):
        raise refusals.not_found()
    if speak and not permissions.can_see_request(tx, me, ticket, speak=True):
        raise refusals.forbidden()
    return ticket


def _first_words(tx: Tx, tickets: Sequence[Ticket]) -> dict[int, str]:
    """Return each request's first public comment, because the description of a ticket may be a private note."""
    marks = ", ".join("?" * len(tickets))
    rows = tx.rows(
        f"SELECT ticket_id, body FROM zendesk_comments WHERE ticket_id IN ({marks}) AND public = 1 "
        "ORDER BY ticket_id, created_at DESC, id DESC",
        *(ticket.id for ticket in tickets),
    )
    return dict(rows)  # the earliest row comes last, so it wins


def _shapes(tx: Tx, tickets: Sequence[Ticket]) -> list[RequestObject]:
    fields, words = custom_field_ids(tx), _first_words(tx, tickets) if tickets else {}
    return [request_object(ticket, fields, words.get(ticket.id, "")) for ticket in tickets]


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any], include: str | None = None) -> RequestsResponse:
    tickets, around = page_of(tx, page, Ticket, where, args, orders=ORDERS)
    return RequestsResponse(requests=_shapes(tx, tickets), **around, **sideload(tx, include, tickets))


def _in(status: str | None) -> tuple[str, list[str]]:
    """Return the SQL condition for a list of statuses; `open` includes new requests."""
    names = parts_of(status)
    if "open" in names:
        names.append("new")
    return (f" AND status IN ({', '.join('?' * len(names))})", names) if names else ("", [])


@APP.get("/api/v2/requests", role="user")
def list_requests(
    tx: Tx, me: Me, page: Page, status: str | None = None, include: str | None = None
) -> RequestsResponse:
    """List the requests that the caller made or is copied on."""
    more, names = _in(status)
    return _page(tx, page, MINE + more, (me.id, me.id, *names), include)


@APP.get("/api/v2/requests/open", role="user")
def list_open_requests(tx: Tx, me: Me, page: Page, include: str | None = None) -> RequestsResponse:
    """List the caller's unsolved requests."""
    return _page(tx, page, f"{MINE} AND status NOT IN ('solved', 'closed')", (me.id, me.id), include)


@APP.get("/api/v2/requests/solved", role="user")
def list_solved_requests(tx: Tx, me: Me, page: Page, include: str | None = None) -> RequestsResponse:
    """List the caller's solved requests."""
    return _page(tx, page, f"{MINE} AND status IN ('solved', 'closed')", (me.id, me.id), include)


@APP.get("/api/v2/requests/ccd", role="user")
def list_ccd_requests(tx: Tx, me: Me, page: Page, include: str | None = None) -> RequestsResponse:
    """List the requests of others that the caller is copied on."""
    where = f"{COPIED} AND is_public = 1 AND deleted_at IS NULL"
    return _page(tx, page, where, (me.id,), include)


@APP.get("/api/v2/requests/search", role="user")
def search_requests(
    tx: Tx,
    me: Me,
    page: Page,
    query: str = "",
    status: str | None = None,
    organization_id: int | None = None,
    cc_id: bool | None = None,
) -> RequestsResponse:
    """Search the caller's requests by subject and description."""
    more, names = _in(status)
    where = f"{MINE} AND includes_any(subject || ' ' || {FIRST_WORDS}, ?){more}"
    args: list[Any] = [me.id, me.id, query.lower().replace(SEPARATOR, " "), *names]
    if organization_id is not None:
        where, args = f"{where} AND organization_id = ?", [*args, organization_id]
    if cc_id:
        where, args = f"{where} AND {COPIED}", [*args, me.id]
    return _page(tx, page, where, args)


@APP.get("/api/v2/organizations/{organization_id}/requests", role="user")
def list_organization_requests(tx: Tx, me: Me, organization_id: int, page: Page) -> RequestsResponse:
    """List the requests of an organization; for agents, and for its members if they share tickets."""
    company = tx.get(Organization, organization_id)
    if not me.staff and not permissions.can_see_organization(tx, me, company):
        raise refusals.forbidden()
    public = "" if me.staff else " AND is_public = 1"
    return _page(tx, page, f"organization_id = ? AND deleted_at IS NULL{public}", (company.id,))


@APP.get("/api/v2/users/{user_id}/requests", role="agent")
def list_user_requests(tx: Tx, user_id: int, page: Page) -> RequestsResponse:
    """List the requests of a user."""
    return _page(tx, page, "requester_id = ? AND deleted_at IS NULL", (tx.get(User, user_id).id,))


@APP.get("/api/v2/requests/{request_id}", role="user")
def show_request(tx: Tx, me: Me, request_id: int) -> RequestResponse:
    """Show a request."""
    return RequestResponse(_shapes(tx, [_mine(tx, request_id, me)])[0])


def _company(tx: Tx, asked: RequestInput, me: User, ticket: Ticket | None) -> dict[str, Any]:
    """Return the people to be copied on a request, as fields to set."""
    there = ticket.email_cc_ids if ticket else ()
    if asked.email_ccs is not UNSET:
        return {"email_cc_ids": ticket_input.followers(tx, asked.email_ccs, there)}
    listed = asked.additional_collaborators if asked.additional_collaborators is not UNSET else asked.collaborators
    if listed is UNSET:
        return {}
    kept = there if asked.additional_collaborators is not UNSET else ()
    named = [ticket_input.collaborator(entry) for entry in listed]
    put = [entry for entry in named if entry is not None]
    return {"email_cc_ids": tuple(one for one in ticket_input.followers(tx, put, kept) if one != me.id)}


def _stranger(tx: Tx, asked: RequestInput) -> User:
    """Return the person whom an anonymous request names; a new address becomes a new user."""
    given = asked.requester
    name = given.name if given is not UNSET and isinstance(given.name, str) else ""
    email = given.email if given is not UNSET and isinstance(given.email, str) else ""
    if not name.strip():
        raise refusals.invalid("requester", "Requester: Name: cannot be blank", "BlankValue")
    if not email.strip():
        raise refusals.invalid("requester", "Requester: Email: cannot be blank", "BlankValue")
    known = by_email(tx, email)
    if known is not None and (known.staff or known.suspended):  # no one who is not signed in may write in their name
        raise refusals.forbidden()
    return known or find_or_add(tx, email, name)


@APP.post("/api/v2/requests", public=True, status=201, idempotent=True, seconds=0.8)
def create_request(tx: Tx, body: RequestRequest) -> RequestResponse:
    """Create a request; anonymous callers name the requester."""
    asked = required(body.request, "request")
    me = _stranger(tx, asked) if tx.actor.kind == "anonymous" else current_user(tx)
    requester = me
    if asked.requester is not UNSET and me.staff and isinstance(asked.requester.email, str):
        name = asked.requester.name if isinstance(asked.requester.name, str) else ""
        requester = find_or_add(tx, asked.requester.email, name)
    said = ticket_input.comment_of(asked.comment, requester) or NewComment("")
    said = ticket_input.with_uploads(tx, said, asked.comment, me)
    subject = asked.subject if isinstance(asked.subject, str) else ""
    fields = ticket_input.request_fields(asked)
    fields.update(_company(tx, asked, requester, None))
    if asked.via_followup_source_id is not UNSET:
        source = _mine(tx, asked.via_followup_source_id, me)
        fields = {**ticket_checks.follow_up_fields(tx, source.id, {"requester_id": requester.id, **fields}), **fields}
        subject = subject or str(fields.get("subject", ""))
        fields.pop("subject", None)
    done = desk.open_ticket(
        tx,
        requester=requester,
        by=me,
        subject=subject,
        said=NewComment(said.body, True, said.html, requester.id, said.attachments),
        via=API,
        fields=fields,
        form=not me.staff,
    )
    set_location(tx, f"requests/{done.ticket.id}")
    return RequestResponse(_shapes(tx, [done.ticket])[0])


@APP.put("/api/v2/requests/{request_id}", role="user", seconds=0.8)
def update_request(tx: Tx, me: Me, request_id: int, body: RequestRequest) -> RequestResponse:
    """Update a request: add a comment or mark it as solved."""
    asked = required(body.request, "request")
    ticket = _mine(tx, request_id, me, speak=True)
    fields = ticket_input.request_fields(asked)
    if asked.solved is True:
        fields["status"] = "solved"
    fields.update(_company(tx, asked, me, ticket))
    said = ticket_input.comment_of(asked.comment, me)
    if said is not None:
        said = ticket_input.with_uploads(tx, said, asked.comment, me)
    done = desk.update(tx, ticket, by=me, said=said, fields=fields, via=API, form=False)
    return RequestResponse(_shapes(tx, [done.ticket])[0])


@APP.get("/api/v2/requests/{request_id}/comments", role="user")
def list_comments(
    tx: Tx, me: Me, request_id: int, page: Page, since: str | None = None, role: str | None = None
) -> RequestCommentsResponse:
    """List the public comments of a request, optionally only those of agents or of end users."""
    ticket = _mine(tx, request_id, me)
    where, args = "ticket_id = ? AND public = 1", [ticket.id]
    if since is not None:
        where, args = f"{where} AND created_at > ?", [ticket.id, parse_time("since", since)]
    if role in ("agent", "end_user"):
        sign = "<>" if role == "agent" else "="
        where = f"{where} AND author_id IN (SELECT id FROM zendesk_users WHERE role {sign} 'end-user')"
    comments, around = page_of(tx, page, Comment, where, args, default="created_at")
    users = [user_object(user) for user in get_many(tx, User, [comment.author_id for comment in comments])]
    return RequestCommentsResponse(comments=[request_comment_object(one) for one in comments], users=users, **around)


@APP.get("/api/v2/requests/{request_id}/comments/{ticket_comment_id}", role="user")
def show_comment(tx: Tx, me: Me, request_id: int, ticket_comment_id: int) -> RequestCommentResponse:
    """Show a public comment of a request."""
    ticket = _mine(tx, request_id, me)
    comment = get_owned(tx, Comment, ticket_comment_id, ticket_id=ticket.id, public=True)
    return RequestCommentResponse(request_comment_object(comment))
