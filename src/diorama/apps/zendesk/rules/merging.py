"""Tickets that are one: merges, and problems with their incidents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import files
from diorama.apps.zendesk.rules.acting import SYSTEM
from diorama.apps.zendesk.rules.edits import Said
from diorama.apps.zendesk.rules.tickets import live, update
from diorama.apps.zendesk.schema import APP, Audit, Comment, Ticket, TicketSolved, User, Via
from diorama.kernel import Tx

MERGED = "closed_by_merge"
AT_ONCE = timedelta(seconds=5)


def merge(
    tx: Tx,
    target_id: int,
    source_ids: Sequence[int],
    by: User,
    *,
    target_comment: str | None = None,
    source_comment: str | None = None,
    target_public: bool = False,
    source_public: bool = False,
) -> Ticket:
    """Close tickets in favour of another, which gets their last words, their files and the people on them."""
    target = live(tx, target_id)
    sources = [live(tx, number) for number in dict.fromkeys(source_ids)]
    if target.status in ("solved", "closed"):
        raise refusals.invalid("base", f"Ticket {target.id}: is {target.status} and takes no merge", "InvalidValue")
    for source in sources:
        if source.id == target.id or source.status == "closed":
            raise refusals.invalid("ids", f"Ticket {source.id}: cannot be merged", "InvalidValue")
    _take(tx, target, sources, by, target_comment, target_public)
    via = Via("web", {"from": {}, "to": {"ticket_id": target.id, "subject": target.subject}, "rel": "merge"})
    words = source_comment or f'This request was closed and merged into request #{target.id} "{target.subject}".'
    for source in sources:
        fields: dict[str, Any] = {"status": "closed", "tags": tuple(sorted({*source.tags, MERGED}))}
        update(tx, source, by=by, fields=fields, said=Said(words, source_public), via=via)
    return tx.get(Ticket, target.id)


def _take(tx: Tx, target: Ticket, sources: Sequence[Ticket], by: User, words: str | None, public: bool) -> None:
    lasts, enclosed = [], []
    people, followers = list(target.email_cc_ids), list(target.follower_ids)
    for source in sources:
        said = tx.all(Comment, "ticket_id = ?", source.id, order="created_at, id")
        public_words = [one.body for one in said if one.public] or [source.description]
        opening = f'Request #{source.id} "{source.subject}" was closed and merged into this request.'
        lasts.append(f"{opening} Last comment in request #{source.id}:\n\n{public_words[-1]}")
        enclosed += [attachment for one in said for attachment in one.attachments]
        people += [source.requester_id, *source.email_cc_ids]
        followers += source.follower_ids
    copied = tuple(dict.fromkeys(number for number in people if number != target.requester_id))
    first = sources[0]
    via = Via("web", {"from": {"ticket_id": first.id, "subject": first.subject}, "to": {}, "rel": "merge"})
    said_now = Said(words or "\n\n".join(lasts), public, attachments=files.copies(tx, enclosed))
    fields: dict[str, Any] = {"email_cc_ids": copied, "follower_ids": tuple(dict.fromkeys(followers))}
    update(tx, target, by=by, fields=fields, said=said_now, via=via)


# --- problems and incidents


@APP.on(TicketSolved)
def problem_is_solved(tx: Tx, event: TicketSolved) -> None:
    """When a problem is solved, so are its incidents a moment later."""
    rows = tx.rows("SELECT type FROM zendesk_tickets WHERE id = ?", event.ticket)
    if rows and rows[0][0] == "problem":
        tx.later(AT_ONCE, solve_incidents, problem_id=event.ticket)


@APP.command
def solve_incidents(tx: Tx, problem_id: int) -> None:
    """Solve the incidents of a solved problem, with the public words that solved it."""
    problem = tx.find(Ticket, problem_id)
    if problem is None or problem.status != "solved" or problem.deleted_at is not None:
        return
    audit = _solving(tx, problem_id)
    words = tx.first(Comment, "ticket_id = ? AND audit_id = ?", problem_id, audit.id) if audit else None
    said = Said(words.body, html=words.html) if words is not None and words.public else None
    by = (tx.find(User, audit.author_id) if audit else None) or SYSTEM
    via = Via("system", {"from": {"ticket_id": problem.id, "subject": problem.subject}, "to": {}, "rel": "problem"})
    waiting = "problem_id = ? AND deleted_at IS NULL AND status NOT IN ('solved', 'closed')"
    for incident in tx.all(Ticket, waiting, problem_id, order="id"):
        fields: dict[str, Any] = {"status": "solved"}
        if incident.assignee_id is None and (by.id < 0 or not by.staff):
            fields["assignee_id"] = problem.assignee_id
        update(tx, incident, by=by, fields=fields, said=said, via=via)


def _solving(tx: Tx, ticket_id: int) -> Audit | None:
    """The update that solved a ticket."""
    for audit in tx.all(Audit, "ticket_id = ?", ticket_id, order="id DESC", limit=20):
        if any(event.field_name == "status" and event.value == "solved" for event in audit.events):
            return audit
    return None
