"""Ticket skips on the wire."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.pagination import Page, page_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.api.tickets import ticket_objects_by_id
from diorama.apps.zendesk.rules import permissions
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.skips import Skip
from diorama.apps.zendesk.wire.skips import SkipObject, SkipRequest, SkipResponse, SkipsResponse, skip_object
from diorama.kernel import Tx


def _skips(tx: Tx, skips: Sequence[Skip]) -> list[SkipObject]:
    tickets = ticket_objects_by_id(tx, [skip.ticket_id for skip in skips])
    return [skip_object(skip, tickets[skip.ticket_id]) for skip in skips]


@APP.post("/api/v2/skips", role="agent", status=201)
def record_new_skip(tx: Tx, me: Me, body: SkipRequest) -> SkipResponse:
    """Pass a ticket by, and say why."""
    if body.skip is UNSET or body.skip.ticket_id is UNSET:
        raise refusals.parameter_missing("skip")
    ticket, moment = desk.visible_ticket(tx, body.skip.ticket_id), now(tx)
    skip = tx.add(
        Skip(ticket_id=ticket.id, user_id=me.id, reason=body.skip.reason, created_at=moment, updated_at=moment)
    )
    return SkipResponse(_skips(tx, (skip,))[0])


@APP.get("/api/v2/users/{user_id}/skips", role="agent")
def list_ticket_skips(tx: Tx, user_id: int, page: Page, ticket_id: int | None = None) -> SkipsResponse:
    """The tickets that an agent passed by."""
    where, args = "user_id = ?", [tx.get(User, user_id).id]
    if ticket_id is not None:
        where, args = f"{where} AND ticket_id = ?", [*args, ticket_id]
    where, bound = permissions.restrict_related(tx, where, tuple(args))
    skips, around = page_of(tx, page, Skip, where, bound, orders={"created_at": "created_at"}, default="created_at")
    return SkipsResponse(skips=_skips(tx, skips), **around)


@APP.get("/api/v2/tickets/{ticket_id}/skips", role="agent")
def list_skips_of_ticket(tx: Tx, ticket_id: int, page: Page) -> SkipsResponse:
    """Who passed a ticket by."""
    number = desk.visible_ticket(tx, ticket_id).id
    skips, around = page_of(
        tx, page, Skip, "ticket_id = ?", (number,), orders={"created_at": "created_at"}, default="created_at"
    )
    return SkipsResponse(skips=_skips(tx, skips), **around)
