"""Create, update, comment on and solve tickets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import permissions, ticket_forms, triggers
from diorama.apps.zendesk.rules.current_user import current_user, now
from diorama.apps.zendesk.rules.ticket_checks import check_comment, check_fields, check_follow_up
from diorama.apps.zendesk.rules.ticket_edits import Edit, NewComment, request_metadata
from diorama.apps.zendesk.schema import Audit, Comment, Organization, Ticket, User, Via
from diorama.kernel import Tx, table_of
from diorama.kit import iso_z

AUTO_CLOSE = timedelta(days=4)
WEB = Via("web")
BATCH = Via(
    "rule",
    {"from": {"title": "Close ticket 4 days after status is set to solved", "deleted": False}, "rel": "automation"},
)
NO_METADATA: dict[str, Any] = {"system": {}, "custom": {}}


class Update(msgspec.Struct, frozen=True):
    """The result of an update: the ticket, and its audit and comment if any."""

    ticket: Ticket
    audit: Audit | None
    comment: Comment | None


def reserve_number(tx: Tx) -> int:
    """Return the id of the next ticket, which no other ticket gets."""
    table = table_of(Ticket)
    return int(tx.mint(table.name, table.ids))


def open_ticket(
    tx: Tx,
    *,
    requester: User,
    subject: str,
    said: NewComment,
    by: User | None = None,
    via: Via = WEB,
    fields: Mapping[str, Any] | None = None,
    metadata: Mapping[str, Any] | None = None,
    form: bool = True,
    number: int | None = None,
) -> Update:
    """Add a ticket; it gets the requester's organization and tags, and every trigger sees it.

    `form`: whether it comes from a ticket form, whose required fields must be filled in; mail does not.
    `number`: the id that was reserved for it, if any.
    """
    actor, moment = by or requester, now(tx)
    if not said.body.strip() and not said.html:
        raise refusals.invalid("base", "Description: cannot be blank", "BlankValue")
    said = check_comment(tx, actor, said)
    asked = check_fields(tx, actor, None, fields or {})
    if form:
        ticket_forms.check(tx, actor, None, asked)
    if asked.get("followup_source_id") is not None:
        check_follow_up(tx, asked["followup_source_id"])
    organization_id = asked.pop("organization_id", requester.organization_id)
    placed: dict[str, Any] = {name: asked.pop(name) for name in ("assignee_id", "group_id") if name in asked}
    tags = {*asked.pop("tags", ()), *requester.tags, *_organization_tags(tx, organization_id)}
    author = actor.id if said.author_id is None else said.author_id
    ticket = Ticket(
        id=number if number is not None else reserve_number(tx),
        requester_id=requester.id,
        submitter_id=asked.pop("submitter_id", actor.id),
        organization_id=organization_id,
        created_at=moment,
        updated_at=moment,
        status_updated_at=moment,
        requester_updated_at=moment,
        tags=tuple(sorted(tags)),
        channel=via.channel,
        source=via.source,
        is_public=said.public,
        subject=subject.strip() or _first_line(said.body),
        description=said.body,
        status=asked.pop("status", "new"),
    )
    edit = Edit(tx, ticket, actor, via, None, request_metadata(actor, via, metadata))
    if placed:
        asked.update(edit.place(placed))
    edit.facts.ticket = msgspec.structs.replace(ticket, **asked)
    wanted = ticket.status
    if wanted == "new" and edit.ticket.assignee_id is not None:
        edit.facts.ticket = msgspec.structs.replace(edit.ticket, status="open")
    elif wanted == "solved" and edit.ticket.assignee_id is None:
        if not actor.staff:
            raise refusals.invalid(
                "base", "Assignee: is required when solving a ticket", None, ticket_field_type="FieldAssignee"
            )
        edit.facts.ticket = msgspec.structs.replace(edit.ticket, **edit.place({"assignee_id": actor.id}))
    edit.say(msgspec.structs.replace(said, author_id=author))
    edit.born()
    triggers.run(edit)
    written, audit = edit.finish()
    _follow(tx, written)
    return Update(written, audit, edit.comment)


def update(
    tx: Tx,
    ticket: Ticket,
    *,
    by: User,
    fields: Mapping[str, Any] | None = None,
    said: NewComment | None = None,
    via: Via = WEB,
    metadata: Mapping[str, Any] | None = None,
    macros: Iterable[tuple[int, str]] = (),
    form: bool = True,
) -> Update:
    """Change a ticket, comment on it, or both; then every trigger sees it. A closed ticket refuses every change.

    `form`: whether an agent saves the ticket's form, whose required fields must be filled in; mail, merges, routing
    and tag edits do not.
    """
    if ticket.status == "closed":
        raise refusals.closed()
    asked = check_fields(tx, by, ticket, fields or {})
    if form:
        ticket_forms.check(tx, by, ticket, asked)
    if said is not None:
        said = check_comment(tx, by, said) if said.body.strip() or said.html else None
    edit = Edit(tx, ticket, by, via, ticket, request_metadata(by, via, metadata))
    if "assignee_id" in asked or "group_id" in asked:
        asked = edit.place(asked)
    if asked.get("status") == "new" and ticket.status != "new":
        asked["status"] = "open"
    if said is not None:
        edit.say(said)
        if said.public and not ticket.is_public:
            asked["is_public"] = True
    edit.set(**asked)
    edit.move(asked, said is not None)
    for number, title in macros:
        edit.tell("AgentMacroReference", macro_id=str(number), macro_title=title)
    if edit.events:
        triggers.run(edit)
    written, audit = edit.finish()
    return Update(written, audit, edit.comment)


def _first_line(body: str) -> str:
    line = body.strip().partition("\n")[0]
    return line if len(line) <= 80 else line[:77] + "..."


def _organization_tags(tx: Tx, organization_id: int | None) -> tuple[str, ...]:
    organization = tx.find(Organization, organization_id) if organization_id is not None else None
    return organization.tags if organization else ()


def _follow(tx: Tx, ticket: Ticket) -> None:
    """Record a follow-up on its source ticket."""
    if ticket.followup_source_id is not None:
        source = tx.get(Ticket, ticket.followup_source_id)
        tx.change(source, followup_ids=(*source.followup_ids, ticket.id))


def existing_ticket(tx: Tx, ticket_id: int) -> Ticket:
    """Return a ticket that is not deleted."""
    ticket = tx.find(Ticket, ticket_id)
    if ticket is None or ticket.deleted_at is not None:
        raise refusals.not_found()
    return ticket


def visible_ticket(tx: Tx, ticket_id: int, me: User | None = None) -> Ticket:
    """Return a ticket that is not deleted and that `me` (default: the caller) may see."""
    return permissions.check_ticket(tx, existing_ticket(tx, ticket_id), me)


def check_visible(tx: Tx, ticket_id: int) -> None:
    """Raise what `visible_ticket` raises, without reading the ticket."""
    if not tx.rows("SELECT 1 FROM zendesk_tickets WHERE id = ? AND deleted_at IS NULL", ticket_id):
        raise refusals.not_found()
    permissions.check_access(tx, ticket_id)


def check_stamp(ticket: Ticket, stamp: str | None) -> None:
    """Refuse a safe update if the ticket has changed since its author read it."""
    if stamp is None or not _same_second(stamp, ticket.updated_at):
        raise refusals.outdated()


def _same_second(stamp: str, moment: datetime) -> bool:
    try:
        return datetime.fromisoformat(stamp) == moment
    except (TypeError, ValueError):
        return stamp == iso_z(moment)


# --- shortcuts for people and scenarios that act without HTTP


def comment(tx: Tx, ticket_id: int, body: str, *, public: bool = True, by: User | None = None, **fields: Any) -> Update:
    """Add a comment to a ticket, and optionally change fields in the same update."""
    return update(
        tx, existing_ticket(tx, ticket_id), by=by or current_user(tx), said=NewComment(body, public), fields=fields
    )


def solve(tx: Tx, ticket_id: int, body: str = "", *, by: User | None = None) -> Update:
    """Reply and mark as solved."""
    said = NewComment(body) if body else None
    return update(tx, existing_ticket(tx, ticket_id), by=by or current_user(tx), said=said, fields={"status": "solved"})


_OTHER_PUBLIC = "SELECT 1 FROM zendesk_comments WHERE ticket_id = ? AND public = 1 AND id <> ? LIMIT 1"


def make_private(tx: Tx, words: Comment, by: User) -> Comment:
    """Make a public comment private, and record it in the audit."""
    if not words.public:
        return words
    ticket = existing_ticket(tx, words.ticket_id)
    edit = Edit(tx, ticket, by, WEB, ticket, NO_METADATA)
    edit.tell("CommentPrivacyChange", comment_id=words.id, public=False)
    if not tx.rows(_OTHER_PUBLIC, ticket.id, words.id):
        edit.set(is_public=False)
    edit.finish()
    return tx.change(words, public=False)
