"""Tickets on the wire: list, count, show, create, update, delete, in ones and in many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import limits
from diorama.apps.zendesk.api import ticket_input
from diorama.apps.zendesk.api.job_statuses import change_of, enqueue_change, enqueue_job
from diorama.apps.zendesk.api.pagination import Page, count_records, get_many, ids_of, page_of, sideload, single_page
from diorama.apps.zendesk.api.request_parts import Me, required, required_list, set_location
from diorama.apps.zendesk.api.ticket_sideloads import add_sideloads, beside
from diorama.apps.zendesk.rules import deleted_tickets, permissions, ticket_checks
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.views import custom_field_ids
from diorama.apps.zendesk.schema import APP, BASE, Organization, SatisfactionRating, Ticket, User, Via
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.pagination import CountResponse
from diorama.apps.zendesk.wire.ticket_audits import audit_object
from diorama.apps.zendesk.wire.tickets import (
    QueuedTicket,
    QueuedTicketResponse,
    TicketInput,
    TicketObject,
    TicketRelatedInformation,
    TicketRequest,
    TicketResponse,
    TicketsRequest,
    TicketsResponse,
    TicketUpdateResponse,
    ticket_object,
)
from diorama.apps.zendesk.wire.users import UserObject, UsersResponse, user_object
from diorama.kernel import Reply, Tx
from diorama.kit import Query

API = Via("api")
SECONDS_TO_QUEUE = 0.3
LIVE = "deleted_at IS NULL"
ORDERS = {"id": "id", "updated_at": "updated_at", "created_at": "created_at", "status": "status", "subject": "subject"}
CURSORS = {"id": "id", "updated_at": "updated_at", "status": "status"}
"""The sort orders that cursor paging supports; offset paging supports more."""


def ticket_objects(tx: Tx, tickets: Sequence[Ticket], include: str | None = None, **more: Any) -> list[TicketObject]:
    """Build the reply objects of tickets, with the data that `include` asks for."""
    fields = custom_field_ids(tx)
    rated = [ticket.satisfaction_id for ticket in tickets if ticket.satisfaction_id]
    ratings = {rating.id: rating for rating in get_many(tx, SatisfactionRating, rated)} if rated else {}
    problems = [ticket.id for ticket in tickets if ticket.type == "problem"]
    causing: set[int] = set()
    if problems:
        marks = ", ".join("?" * len(problems))
        rows = tx.rows(f"SELECT DISTINCT problem_id FROM zendesk_tickets WHERE problem_id IN ({marks})", *problems)
        causing = {row[0] for row in rows}
    shapes = [
        ticket_object(ticket, fields, ratings.get(ticket.satisfaction_id or 0), ticket.id in causing, **more)
        for ticket in tickets
    ]
    if include:
        add_sideloads(tx, include, tickets, shapes)
    return shapes


def _beside(tx: Tx, include: str | None, tickets: Sequence[Ticket]) -> dict[str, Any]:
    """Return all that `include` puts beside tickets."""
    return {**sideload(tx, include, tickets), **beside(tx, include, tickets)} if include else {}


def ticket_page(
    tx: Tx, page: Page, where: str, args: Sequence[Any], include: str | None, default: str = "id"
) -> TicketsResponse:
    """Return one page of tickets."""
    tickets, around = page_of(tx, page, Ticket, where, args, orders=ORDERS, cursors=CURSORS, default=default)
    return TicketsResponse(tickets=ticket_objects(tx, tickets, include), **around, **_beside(tx, include, tickets))


@APP.get("/api/v2/tickets", role="agent", rate_limits=(limits.LIST_TICKETS, limits.DEEP_TICKETS))
def list_tickets(tx: Tx, page: Page, external_id: str | None = None, include: str | None = None) -> TicketsResponse:
    """List tickets."""
    if external_id is not None:
        return ticket_page(tx, page, f"external_id = ? AND {LIVE}", (external_id,), include)
    return ticket_page(tx, page, LIVE, (), include)


@APP.get("/api/v2/tickets/count", role="agent")
def count_tickets(tx: Tx) -> CountResponse:
    """Count tickets."""
    return count_records(tx, Ticket, LIVE)


@APP.get("/api/v2/tickets/show_many", role="agent")
def show_many_tickets(tx: Tx, ids: str | None = None, include: str | None = None) -> TicketsResponse:
    """Show up to a hundred tickets by id."""
    where, args = permissions.restrict(tx, LIVE, ())
    tickets = get_many(tx, Ticket, ids_of(ids), where, *args)
    return TicketsResponse(
        tickets=ticket_objects(tx, tickets, include), **single_page(tickets), **_beside(tx, include, tickets)
    )


@APP.get("/api/v2/tickets/recent", role="agent")
def list_recent_tickets(tx: Tx, me: Me, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets that the caller updated most recently."""
    touched = f"id IN (SELECT ticket_id FROM zendesk_audits WHERE author_id = ?) AND {LIVE}"
    where, args = permissions.restrict(tx, touched, (me.id,))
    tickets = tx.all(Ticket, where, *args, order="updated_at DESC, id DESC", limit=5)
    return TicketsResponse(
        tickets=ticket_objects(tx, tickets, include), **page.around(len(tickets)), **_beside(tx, include, tickets)
    )


@APP.get("/api/v2/tickets/{ticket_id}", role="agent")
def show_ticket(tx: Tx, ticket_id: int, include: str | None = None) -> TicketResponse:
    """Show a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    [shape] = ticket_objects(tx, (ticket,), include)
    return TicketResponse(ticket=shape, **_beside(tx, include, (ticket,)))


@APP.get("/api/v2/tickets/{ticket_id}/related", role="agent")
def ticket_related_information(tx: Tx, ticket_id: int) -> TicketRelatedInformation:
    """Show information related to a ticket: follow-up source and number of incidents."""
    ticket = desk.visible_ticket(tx, ticket_id)
    where, args = permissions.restrict(tx, f"problem_id = ? AND {LIVE}", (ticket.id,))
    sources = [str(ticket.followup_source_id)] if ticket.followup_source_id else []
    return TicketRelatedInformation(
        url=f"{BASE}/tickets/{ticket.id}/related.json",
        topic_id=None,
        jira_issue_ids=[],
        followup_source_ids=sources,
        from_archive=False,
        incidents=tx.count(Ticket, where, *args),
    )


@APP.get("/api/v2/tickets/{ticket_id}/incidents", role="agent")
def list_ticket_incidents(tx: Tx, ticket_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the incidents of a problem."""
    return ticket_page(tx, page, f"problem_id = ? AND {LIVE}", (desk.visible_ticket(tx, ticket_id).id,), include)


def _people(tx: Tx, numbers: Sequence[int]) -> list[UserObject]:
    return [user_object(user) for user in get_many(tx, User, numbers)]


@APP.get("/api/v2/tickets/{ticket_id}/collaborators", role="agent")
def list_ticket_collaborators(tx: Tx, ticket_id: int) -> UsersResponse:
    """List the followers and CCs of a ticket."""
    ticket = desk.visible_ticket(tx, ticket_id)
    return UsersResponse(users=_people(tx, (*ticket.follower_ids, *ticket.email_cc_ids)))


@APP.get("/api/v2/tickets/{ticket_id}/followers", role="agent")
def list_ticket_followers(tx: Tx, ticket_id: int) -> UsersResponse:
    """List the followers of a ticket."""
    return UsersResponse(users=_people(tx, desk.visible_ticket(tx, ticket_id).follower_ids))


@APP.get("/api/v2/tickets/{ticket_id}/email_ccs", role="agent")
def list_ticket_email_ccs(tx: Tx, ticket_id: int) -> UsersResponse:
    """List the e-mail CCs of a ticket."""
    return UsersResponse(users=_people(tx, desk.visible_ticket(tx, ticket_id).email_cc_ids))


@APP.get("/api/v2/users/{user_id}/tickets/requested", role="agent")
def list_requested_tickets(tx: Tx, user_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets that a user requested."""
    return ticket_page(tx, page, f"requester_id = ? AND {LIVE}", (tx.get(User, user_id).id,), include)


@APP.get("/api/v2/users/{user_id}/tickets/ccd", role="agent")
def list_ccd_tickets(tx: Tx, user_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets that a user is copied on."""
    where = f"EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?) AND {LIVE}"
    return ticket_page(tx, page, where, (tx.get(User, user_id).id,), include)


@APP.get("/api/v2/users/{user_id}/tickets/assigned", role="agent")
def list_assigned_tickets(tx: Tx, user_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets assigned to an agent."""
    return ticket_page(tx, page, f"assignee_id = ? AND {LIVE}", (tx.get(User, user_id).id,), include)


@APP.get("/api/v2/organizations/{organization_id}/tickets", role="agent")
def list_organization_tickets(tx: Tx, organization_id: int, page: Page, include: str | None = None) -> TicketsResponse:
    """List the tickets of an organization."""
    return ticket_page(
        tx, page, f"organization_id = ? AND {LIVE}", (tx.get(Organization, organization_id).id,), include
    )


# --- writing


def create(tx: Tx, body: TicketInput, me: User, reserved: int | None = None) -> desk.Update:
    """Create the ticket that a body describes, with the id that was reserved for it if any."""
    said = ticket_input.comment_of(body.comment, me, body.description)
    said = ticket_input.with_uploads(tx, said or NewComment(""), body.comment, me)
    fields = ticket_input.fields_of(tx, body, None)
    _collaborators(tx, body, fields, None)
    if body.via_followup_source_id is not UNSET:
        fields.update(ticket_checks.follow_up_fields(tx, body.via_followup_source_id, fields))
    number = fields.pop("requester_id", None)
    requester = me if number is None or number == me.id else tx.get(User, number)
    if body.submitter_id is not UNSET:
        fields["submitter_id"] = tx.get(User, body.submitter_id).id
    if said.author_id is None:  # the submitter is the author of the first comment
        said = msgspec.structs.replace(said, author_id=fields.get("submitter_id", me.id))
    subject = fields.pop("subject", "")
    channel = body.via.channel if body.via is not UNSET and isinstance(body.via.channel, str) else "api"
    metadata = body.metadata if body.metadata is not UNSET else None
    return desk.open_ticket(
        tx,
        requester=requester,
        by=me,
        subject=subject,
        said=said,
        via=Via(channel),
        fields=fields,
        metadata=metadata,
        number=reserved,
    )


def _collaborators(tx: Tx, body: TicketInput, fields: dict[str, Any], ticket: Ticket | None) -> None:
    if body.followers is not UNSET:
        fields["follower_ids"] = ticket_input.followers(tx, body.followers, ticket.follower_ids if ticket else ())
    if body.email_ccs is not UNSET:
        fields["email_cc_ids"] = ticket_input.followers(tx, body.email_ccs, ticket.email_cc_ids if ticket else ())


def change(tx: Tx, ticket: Ticket, body: TicketInput, me: User) -> desk.Update:
    """Apply the changes in a body to a ticket."""
    if body.safe_update is True:
        desk.check_stamp(ticket, body.updated_stamp if isinstance(body.updated_stamp, str) else None)
    fields = ticket_input.fields_of(tx, body, ticket)
    said = ticket_input.comment_of(body.comment, me)
    if said is not None:
        said = ticket_input.with_uploads(tx, said, body.comment, me)
    _collaborators(tx, body, fields, ticket)
    metadata = body.metadata if body.metadata is not UNSET else None
    return desk.update(
        tx,
        ticket,
        by=me,
        fields=fields,
        said=said,
        via=API,
        metadata=metadata,
        macros=ticket_input.macros_of(tx, body),
    )


def _answer(tx: Tx, done: desk.Update) -> TicketUpdateResponse:
    [shape] = ticket_objects(tx, (done.ticket,))
    if done.audit is None:
        return TicketUpdateResponse(ticket=shape)
    comments = {done.comment.id: done.comment} if done.comment else {}
    return TicketUpdateResponse(ticket=shape, audit=audit_object(done.audit, comments))


@APP.post(
    "/api/v2/tickets",
    role="agent",
    status=201,
    also=(202,),
    idempotent=True,
    seconds=0.5,
    answers=TicketUpdateResponse,
)
def create_ticket(
    tx: Tx, me: Me, body: TicketRequest, later: Annotated[bool, Query("async")] = False
) -> TicketUpdateResponse | Reply:
    """Create a ticket, or with `async` only reserve its id and create it in the background."""
    asked = required(body.ticket, "ticket")
    if later:
        number = desk.reserve_number(tx)
        job = enqueue_job(tx, me, "Ticket Create", [msgspec.to_builtins(asked)], ticket_id=number)
        tx.seconds = SECONDS_TO_QUEUE
        shape = QueuedTicketResponse(QueuedTicket(number), job.job_status)
        return Reply(202, {}, msgspec.json.encode(shape))
    done = create(tx, asked, me)
    set_location(tx, f"tickets/{done.ticket.id}")
    return _answer(tx, done)


@APP.put(
    "/api/v2/tickets/{ticket_id}",
    role="agent",
    seconds=0.4,
    rate_limits=(limits.UPDATES, limits.UPDATES_OF_A_TICKET),
)
def update_ticket(tx: Tx, me: Me, ticket_id: int, body: TicketRequest) -> TicketUpdateResponse:
    """Update a ticket: fields, a comment, or both."""
    asked = required(body.ticket, "ticket")
    ticket = desk.visible_ticket(tx, ticket_id, me)
    return _answer(tx, change(tx, ticket, asked, me))


@APP.delete("/api/v2/tickets/{ticket_id}", role="delete_tickets", rate_limits=(limits.DELETIONS,))
def delete_ticket(tx: Tx, me: Me, ticket_id: int) -> None:
    """Delete a ticket."""
    deleted_tickets.delete(tx, desk.visible_ticket(tx, ticket_id, me), me)


# --- bulk


@APP.post("/api/v2/tickets/create_many", role="agent")
def tickets_create_many(tx: Tx, me: Me, body: TicketsRequest) -> JobStatusResponse:
    """Create up to a hundred tickets in the background."""
    return enqueue_job(tx, me, "Bulk Create Ticket", required_list(body.tickets, "tickets"))


@APP.put("/api/v2/tickets/update_many", role="agent")
def tickets_update_many(tx: Tx, me: Me, body: TicketsRequest, ids: str | None = None) -> JobStatusResponse:
    """Update up to a hundred tickets in the background, with one change for all or one for each."""
    if body.tickets is not UNSET:
        return enqueue_job(tx, me, "Bulk Update Ticket", required_list(body.tickets, "tickets"))
    return enqueue_change(tx, me, "Bulk Update Ticket", required(body.ticket, "ticket"), ids)


@APP.delete("/api/v2/tickets/destroy_many", role="delete_tickets")
def bulk_delete_tickets(tx: Tx, me: Me, ids: str | None = None) -> JobStatusResponse:
    """Delete up to a hundred tickets in the background."""
    return enqueue_job(tx, me, "Bulk Delete Ticket", ids_of(ids))


@JOBS.worker("Bulk Create Ticket", "Creating ticket")
def create_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    done = create(tx, msgspec.convert(item, TicketInput, strict=False), tx.get(User, job.shared["user_id"]))
    return {"index": place, "id": done.ticket.id, "action": "create", "success": True, "status": "Created"}


@JOBS.worker("Ticket Create", "Creating ticket")
def create_later(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Create the ticket whose id was reserved."""
    me = tx.get(User, job.shared["user_id"])
    done = create(tx, msgspec.convert(item, TicketInput, strict=False), me, job.shared["ticket_id"])
    return {"index": place, "id": done.ticket.id, "action": "create", "success": True, "status": "Created"}


@JOBS.worker("Bulk Update Ticket", "Updating ticket")
def update_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    body = msgspec.convert(change_of(job, item), TicketInput, strict=False)
    number = required(body.id or UNSET, "id")
    me = tx.get(User, job.shared["user_id"])
    change(tx, desk.visible_ticket(tx, number, me), body, me)
    return {"index": place, "id": number, "action": "update", "success": True, "status": "Updated"}


@JOBS.worker("Bulk Delete Ticket", "Deleting ticket")
def delete_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    me = tx.get(User, job.shared["user_id"])
    deleted_tickets.delete(tx, desk.visible_ticket(tx, int(item), me), me)
    return {"index": place, "id": int(item), "action": "delete", "success": True, "status": "Deleted"}


COPIED = "EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?)"


def _count(tx: Tx, where: str, *args: Any) -> CountResponse:
    return count_records(tx, Ticket, f"{where} AND {LIVE}", *args)


@APP.get("/api/v2/users/{user_id}/tickets/requested/count", role="agent")
def count_requested_tickets(tx: Tx, user_id: int) -> CountResponse:
    """Count the tickets that a user requested."""
    return _count(tx, "requester_id = ?", tx.get(User, user_id).id)


@APP.get("/api/v2/users/{user_id}/tickets/ccd/count", role="agent")
def count_ccd_tickets(tx: Tx, user_id: int) -> CountResponse:
    """Count the tickets that a user is copied on."""
    return _count(tx, COPIED, tx.get(User, user_id).id)


@APP.get("/api/v2/users/{user_id}/tickets/assigned/count", role="agent")
def count_assigned_tickets(tx: Tx, user_id: int) -> CountResponse:
    """Count the tickets assigned to an agent."""
    return _count(tx, "assignee_id = ?", tx.get(User, user_id).id)


@APP.get("/api/v2/organizations/{organization_id}/tickets/count", role="agent")
def count_organization_tickets(tx: Tx, organization_id: int) -> CountResponse:
    """Count the tickets of an organization."""
    return _count(tx, "organization_id = ?", tx.get(Organization, organization_id).id)


def ticket_objects_by_id(tx: Tx, numbers: Sequence[int]) -> dict[int, TicketObject]:
    """Return these tickets as the API shows them, by their ids."""
    return {ticket.id: ticket for ticket in ticket_objects(tx, get_many(tx, Ticket, numbers))}
