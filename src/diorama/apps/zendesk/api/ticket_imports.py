"""API operations for ticket imports: tickets with their own dates, which run no triggers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk.api import ticket_input
from diorama.apps.zendesk.api.job_statuses import enqueue_job
from diorama.apps.zendesk.api.request_parts import Me, required, required_list, set_location
from diorama.apps.zendesk.api.tickets import ticket_objects
from diorama.apps.zendesk.rules import attachments, ticket_checks, ticket_imports
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.job_statuses import JOBS
from diorama.apps.zendesk.schema import APP, Ticket, User
from diorama.apps.zendesk.seed.tickets import Turn
from diorama.apps.zendesk.wire.job_statuses import JobStatusResponse
from diorama.apps.zendesk.wire.ticket_imports import ImportedComment, ImportInput, ImportRequest, ImportsRequest
from diorama.apps.zendesk.wire.tickets import TicketResponse
from diorama.kernel import Tx
from diorama.kit.sanitizing import linked, sanitized
from diorama.kit.text import plain_text


@APP.post("/api/v2/imports/tickets", role="admin", status=201, seconds=0.8)
def ticket_import(tx: Tx, me: Me, body: ImportRequest) -> TicketResponse:
    """Import a ticket with its history."""
    ticket = import_ticket(tx, required(body.ticket, "ticket"), me)
    set_location(tx, f"tickets/{ticket.id}")
    return TicketResponse(ticket=ticket_objects(tx, (ticket,))[0])


@APP.post("/api/v2/imports/tickets/create_many", role="admin")
def ticket_bulk_import(tx: Tx, me: Me, body: ImportsRequest) -> JobStatusResponse:
    """Import up to a hundred tickets, in the background."""
    return enqueue_job(tx, me, "Bulk Import Ticket", required_list(body.tickets, "tickets"))


@JOBS.worker("Bulk Import Ticket", "Importing ticket")
def import_one(tx: Tx, job: Any, item: Any, place: int) -> Any:
    """Process one ticket of a bulk job."""
    ticket = import_ticket(tx, msgspec.convert(item, ImportInput, strict=False), tx.get(User, job.shared["user_id"]))
    return {"index": place, "id": ticket.id, "action": "import", "success": True, "status": "Imported"}


def import_ticket(tx: Tx, body: ImportInput, me: User) -> Ticket:
    """Write an imported ticket with the history given in the body."""
    fields = ticket_checks.check_fields(tx, me, None, ticket_input.fields_of(tx, body, None))
    requester = tx.get(User, fields.get("requester_id") or me.id)
    born = _moment(tx, "created_at", body.created_at)
    solved, touched = _moment(tx, "solved_at", body.solved_at), _moment(tx, "updated_at", body.updated_at)
    turns = _turns(tx, body, me, requester, born or now(tx))
    return ticket_imports.import_ticket(tx, me, fields, turns, born, solved, touched)


def _turns(tx: Tx, body: ImportInput, me: User, requester: User, born: datetime) -> list[Turn]:
    listed = list(body.comments) if body.comments is not UNSET else []
    if not listed:
        said = ticket_input.comment_of(body.comment, me, body.description)
        return [Turn(at=born, author=requester, body=said.body, html=said.html, via=ticket_imports.API)] if said else []
    turns = [_turn(tx, one, requester if place == 0 else me, born, me) for place, one in enumerate(listed)]
    return sorted(turns, key=lambda turn: turn.at)


def _turn(tx: Tx, one: ImportedComment, usual: User, born: datetime, me: User) -> Turn:
    author = tx.get(User, one.author_id) if one.author_id is not UNSET else usual
    html = sanitized(one.html_body) if isinstance(one.html_body, str) else None
    text = one.value if one.value is not UNSET else one.body if one.body is not UNSET else ""
    said = ticket_imports.said(text or (plain_text(html) if html else ""))
    at = _moment(tx, "created_at", one.created_at) or born
    tokens = [one.uploads] if isinstance(one.uploads, str) else one.uploads if one.uploads is not UNSET else []
    enclosed = attachments.claim(tx, tokens, me)
    html = linked(html) if html is not None else None
    return Turn(
        at=at, author=author, body=said, html=html, public=one.public, via=ticket_imports.API, attachments=enclosed
    )


def _moment(tx: Tx, name: str, text: str | msgspec.UnsetType | None) -> datetime | None:
    return ticket_imports.past(tx, name, ticket_checks.parse_time(name, text) if isinstance(text, str) else None)
