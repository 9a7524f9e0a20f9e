"""The end user's side of the wire: requests, their comments, and ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api import intake
from diorama.apps.zendesk.api.listing import Page, many, page_of
from diorama.apps.zendesk.api.tickets import API
from diorama.apps.zendesk.rules import satisfaction
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.acting import acting, agents_only, now
from diorama.apps.zendesk.rules.edits import Said
from diorama.apps.zendesk.rules.people import find_or_add
from diorama.apps.zendesk.rules.views import own_fields
from diorama.apps.zendesk.schema import APP, BASE, Comment, SatisfactionRating, Ticket, TicketField, User
from diorama.apps.zendesk.wire.business import (
    TicketFieldResponse,
    TicketFieldsResponse,
    ticket_field_object,
)
from diorama.apps.zendesk.wire.lists import Count, CountResponse
from diorama.apps.zendesk.wire.people import user_object
from diorama.apps.zendesk.wire.requests import (
    RatingRequest,
    RequestCommentResponse,
    RequestCommentsResponse,
    RequestInput,
    RequestRequest,
    RequestResponse,
    RequestsResponse,
    SatisfactionRatingResponse,
    SatisfactionRatingsResponse,
    rating_object,
    request_comment_object,
    request_object,
)
from diorama.kernel import Tx

ORDERS = {"id": "id", "updated_at": "updated_at", "created_at": "created_at"}
MINE = (
    "(requester_id = ? OR EXISTS (SELECT 1 FROM json_each(email_cc_ids) c WHERE c.value = ?)) "
    "AND is_public = 1 AND deleted_at IS NULL"
)


def _mine(tx: Tx, request_id: int, me: User) -> Ticket:
    """A request that this person may see: as requester, as copied, or as agent."""
    ticket = desk.live(tx, request_id)
    if me.staff or me.id == ticket.requester_id or me.id in ticket.email_cc_ids:
        return ticket
    raise refusals.not_found()


def _page(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> RequestsResponse:
    tickets, around = page_of(tx, page, Ticket, where, args, orders=ORDERS)
    fields = own_fields(tx)
    return RequestsResponse(requests=[request_object(ticket, fields) for ticket in tickets], **around)


@APP.get("/api/v2/requests")
def list_requests(tx: Tx, page: Page, status: str | None = None) -> RequestsResponse:
    """What I asked, or was copied on."""
    me = acting(tx)
    if not status:
        return _page(tx, page, MINE, (me.id, me.id))
    names = [name.strip() for name in status.split(",")]
    where = f"{MINE} AND status IN ({', '.join('?' * len(names))})"
    return _page(tx, page, where, (me.id, me.id, *names))


@APP.get("/api/v2/requests/search")
def search_requests(tx: Tx, page: Page, query: str = "", status: str | None = None) -> RequestsResponse:
    """My requests with these words in the subject or the description."""
    me = acting(tx)
    where, args = f"{MINE} AND instr(lower(subject || ' ' || description), ?) > 0", [me.id, me.id, query.lower()]
    if status:
        where, args = f"{where} AND status = ?", [*args, status]
    return _page(tx, page, where, args)


@APP.get("/api/v2/users/{user_id}/requests")
def list_user_requests(tx: Tx, user_id: int, page: Page) -> RequestsResponse:
    """What a user asked."""
    agents_only(tx)
    return _page(tx, page, "requester_id = ? AND deleted_at IS NULL", (tx.get(User, user_id).id,))


@APP.get("/api/v2/requests/{request_id}")
def show_request(tx: Tx, request_id: int) -> RequestResponse:
    """One of my requests."""
    me = acting(tx)
    return RequestResponse(request_object(_mine(tx, request_id, me), own_fields(tx)))


def _asked(body: RequestRequest) -> RequestInput:
    if body.request is UNSET:
        raise refusals.parameter_missing("request")
    return body.request


@APP.post("/api/v2/requests", status=201, idempotent=True, seconds=0.8)
def create_request(tx: Tx, body: RequestRequest) -> RequestResponse:
    """Ask something."""
    me, asked = acting(tx), _asked(body)
    requester = me
    if asked.requester is not UNSET and me.staff and isinstance(asked.requester.email, str):
        name = asked.requester.name if isinstance(asked.requester.name, str) else ""
        requester = find_or_add(tx, asked.requester.email, name)
    said = intake.said_of(asked.comment, requester)
    if said is None:
        raise refusals.invalid("base", "Description: cannot be blank", "BlankValue")
    subject = asked.subject if isinstance(asked.subject, str) else ""
    fields = intake.request_fields(tx, asked, {})
    done = desk.open_ticket(
        tx,
        requester=requester,
        by=me,
        subject=subject,
        said=Said(said.body, True, said.html, requester.id),
        via=API,
        fields=fields,
    )
    tx.headers["location"] = f"{BASE}/requests/{done.ticket.id}.json"
    return RequestResponse(request_object(done.ticket, own_fields(tx)))


@APP.put("/api/v2/requests/{request_id}", seconds=0.8)
def update_request(tx: Tx, request_id: int, body: RequestRequest) -> RequestResponse:
    """Say something more, or say that it is solved."""
    me, asked = acting(tx), _asked(body)
    ticket = _mine(tx, request_id, me)
    fields = intake.request_fields(tx, asked, ticket.custom_fields)
    if asked.solved is True:
        if ticket.assignee_id is None:
            raise refusals.invalid("base", "Assignee: is required when solving a ticket", None)
        fields["status"] = "solved"
    said = intake.said_of(asked.comment, me)
    done = desk.update(tx, ticket, by=me, said=said, fields=fields, via=API)
    return RequestResponse(request_object(done.ticket, own_fields(tx)))


@APP.get("/api/v2/requests/{request_id}/comments")
def list_comments(tx: Tx, request_id: int, page: Page, since: str | None = None) -> RequestCommentsResponse:
    """The public conversation of a request."""
    ticket = _mine(tx, request_id, acting(tx))
    where, args = "ticket_id = ? AND public = 1", [ticket.id]
    if since is not None:
        where, args = f"{where} AND created_at > ?", [ticket.id, intake.moment("since", since)]
    comments, around = page_of(tx, page, Comment, where, args, default="created_at")
    users = [user_object(user) for user in many(tx, User, [comment.author_id for comment in comments])]
    return RequestCommentsResponse(comments=[request_comment_object(one) for one in comments], users=users, **around)


@APP.get("/api/v2/requests/{request_id}/comments/{ticket_comment_id}")
def show_comment(tx: Tx, request_id: int, ticket_comment_id: int) -> RequestCommentResponse:
    """One public comment of a request."""
    ticket = _mine(tx, request_id, acting(tx))
    comment = tx.get(Comment, ticket_comment_id)
    if comment.ticket_id != ticket.id or not comment.public:
        raise refusals.not_found()
    return RequestCommentResponse(request_comment_object(comment))


# --- ratings


@APP.post("/api/v2/tickets/{ticket_id}/satisfaction_rating")
def create_ticket_satisfaction_rating(tx: Tx, ticket_id: int, body: RatingRequest) -> SatisfactionRatingResponse:
    """Say whether the help was good; only the requester may."""
    me = acting(tx)
    if body.satisfaction_rating is UNSET:
        raise refusals.parameter_missing("satisfaction_rating")
    asked = body.satisfaction_rating
    return SatisfactionRatingResponse(
        rating_object(satisfaction.rate_as(tx, me, ticket_id, asked.score, asked.comment))
    )


FOREVER_SECONDS = 253_402_300_799  # the end of the year 9999: later moments fit no column


@APP.get("/api/v2/satisfaction_ratings")
def list_satisfaction_ratings(
    tx: Tx, page: Page, score: str | None = None, start_time: int | None = None, end_time: int | None = None
) -> SatisfactionRatingsResponse:
    """What customers thought of the help."""
    agents_only(tx)
    parts, args = _ratings(score, start_time, end_time)
    ratings, around = page_of(tx, page, SatisfactionRating, parts, args, orders={"created_at": "created_at"})
    return SatisfactionRatingsResponse(satisfaction_ratings=[rating_object(rating) for rating in ratings], **around)


def _ratings(score: str | None, start_time: int | None, end_time: int | None) -> tuple[str, list[Any]]:
    parts: list[str] = ["1"]
    args: list[Any] = []
    if score in ("received_with_comment", "good_with_comment", "bad_with_comment"):
        parts.append("coalesce(comment, '') <> ''")
    elif score in ("received_without_comment", "good_without_comment", "bad_without_comment"):
        parts.append("coalesce(comment, '') = ''")
    if score and score.partition("_")[0] in ("good", "bad"):
        parts.append("score = ?")
        args.append(score.partition("_")[0])
    elif score in ("offered", "unoffered"):
        parts.append("0")
    for sign, moment in ((">=", start_time), ("<=", end_time)):
        if moment is not None:
            parts.append(f"created_at {sign} ?")
            args.append(max(-FOREVER_SECONDS, min(moment, FOREVER_SECONDS)) * 1_000_000)
    return " AND ".join(parts), args


@APP.get("/api/v2/satisfaction_ratings/count")
def count_satisfaction_ratings(tx: Tx, score: str | None = None) -> CountResponse:
    """How many ratings there are."""
    agents_only(tx)
    where, args = _ratings(score, None, None)
    return CountResponse(Count(tx.count(SatisfactionRating, where, *args), now(tx)))


@APP.get("/api/v2/satisfaction_ratings/{satisfaction_rating_id}")
def show_satisfaction_rating(tx: Tx, satisfaction_rating_id: int) -> SatisfactionRatingResponse:
    """One rating."""
    agents_only(tx)
    return SatisfactionRatingResponse(rating_object(tx.get(SatisfactionRating, satisfaction_rating_id)))


# --- fields


@APP.get("/api/v2/ticket_fields")
def list_ticket_fields(tx: Tx, page: Page) -> TicketFieldsResponse:
    """The fields of a ticket."""
    acting(tx)
    fields, around = page_of(tx, page, TicketField, "", (), orders={"position": "position"}, default="position")
    return TicketFieldsResponse(ticket_fields=[ticket_field_object(field) for field in fields], **around)


@APP.get("/api/v2/ticket_fields/count")
def count_ticket_fields(tx: Tx) -> CountResponse:
    """How many fields a ticket has."""
    acting(tx)
    return CountResponse(Count(tx.count(TicketField), now(tx)))


@APP.get("/api/v2/ticket_fields/{ticket_field_id}")
def show_ticketfield(tx: Tx, ticket_field_id: int) -> TicketFieldResponse:
    """One field of a ticket."""
    acting(tx)
    return TicketFieldResponse(ticket_field_object(tx.get(TicketField, ticket_field_id)))
