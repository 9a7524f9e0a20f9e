"""Merge tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import attachments
from diorama.apps.zendesk.rules.ticket_edits import NewComment
from diorama.apps.zendesk.rules.tickets import existing_ticket, update
from diorama.apps.zendesk.schema import Audit, Comment, Ticket, User, Via
from diorama.kernel import Tx

MERGED = "closed_by_merge"
DONE = ("solved", "closed")
"""The statuses of a ticket that takes no merge."""


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
    """Merge tickets into another and close them; copy their last comments, files and participants to it."""
    target = existing_ticket(tx, target_id)
    sources = [existing_ticket(tx, number) for number in dict.fromkeys(source_ids)]
    if why := _refused(target, sources):
        raise refusals.invalid("base" if target.status in DONE else "ids", why, "InvalidValue")
    _take(tx, target, sources, by, target_comment, target_public)
    via = Via("web", {"from": {}, "to": {"ticket_id": target.id, "subject": target.subject}, "rel": "merge"})
    words = source_comment or f'This request was closed and merged into request #{target.id} "{target.subject}".'
    for source in sources:
        fields: dict[str, Any] = {"status": "closed", "tags": tuple(sorted({*source.tags, MERGED}))}
        update(tx, source, by=by, fields=fields, said=NewComment(words, source_public), via=via, form=False)
    return tx.get(Ticket, target.id)


def merged_into(tx: Tx, ticket_id: int) -> int:
    """Return the ticket that a ticket was merged into, as its audits say, or 0; its tags anyone can write."""
    for audit in tx.all(Audit, "ticket_id = ? AND instr(source, 'merge') > 0", ticket_id, order="created_at, id"):
        into = (audit.source.get("to") or {}).get("ticket_id")
        if audit.source.get("rel") == "merge" and into:
            return int(into)
    return 0


def refused(tx: Tx, target_id: int, source_ids: Sequence[int]) -> str:
    """Return why tickets cannot be merged into another, or ""; tickets that do not exist are left out."""
    target = tx.find(Ticket, target_id)
    found = [tx.find(Ticket, number) for number in dict.fromkeys(source_ids)]
    return _refused(target, [one for one in found if one is not None]) if target is not None else ""


def _refused(target: Ticket, sources: Sequence[Ticket]) -> str:
    if target.status in DONE:
        return f"Ticket {target.id}: is {target.status} and takes no merge"
    wrong = next((one for one in sources if one.id == target.id or one.status == "closed"), None)
    return f"Ticket {wrong.id}: cannot be merged" if wrong is not None else ""


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
    said_now = NewComment(words or "\n\n".join(lasts), public, attachments=attachments.copy_attachments(tx, enclosed))
    fields: dict[str, Any] = {"email_cc_ids": copied, "follower_ids": tuple(dict.fromkeys(followers))}
    update(tx, target, by=by, fields=fields, said=said_now, via=via, form=False)
