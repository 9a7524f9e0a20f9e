"""Skips, bookmarks, deleted tickets, merges, redactions and reasons as the API shows and takes them."""

from __future__ import annotations

from datetime import datetime

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.schema import BASE
from diorama.apps.zendesk.schema.marks import Bookmark, Deletion, SatisfactionReason, Skip
from diorama.apps.zendesk.wire.comments import CommentObject
from diorama.apps.zendesk.wire.lists import Id, Listing
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.tickets import TicketInput, TicketObject


class SkipObject(Struct, kw_only=True):
    id: int
    ticket_id: int
    user_id: int
    reason: str
    created_at: datetime
    updated_at: datetime
    ticket: TicketObject


def skip_object(skip: Skip, ticket: TicketObject) -> SkipObject:
    """A ticket that was passed by."""
    return shaped(SkipObject, skip, ticket=ticket)


class SkipInput(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET
    reason: str = ""


class SkipRequest(Struct):
    skip: SkipInput | UnsetType = UNSET


class SkipResponse(Struct):
    skip: SkipObject


class SkipsResponse(Listing, kw_only=True):
    skips: list[SkipObject]


class BookmarkObject(Struct, kw_only=True):
    url: str
    id: int
    ticket: TicketObject
    created_at: datetime


def bookmark_object(bookmark: Bookmark, ticket: TicketObject) -> BookmarkObject:
    """A ticket to find again."""
    return BookmarkObject(
        url=f"{BASE}/bookmarks/{bookmark.id}.json", id=bookmark.id, ticket=ticket, created_at=bookmark.created_at
    )


class BookmarkInput(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET


class BookmarkRequest(Struct):
    bookmark: BookmarkInput | UnsetType = UNSET


class BookmarkResponse(Struct):
    bookmark: BookmarkObject


class BookmarksResponse(Listing, kw_only=True):
    bookmarks: list[BookmarkObject]


class DeleterObject(Struct, frozen=True):
    id: int
    name: str


class DeletedTicketObject(Struct, kw_only=True):
    id: int
    subject: str
    description: str
    actor: DeleterObject
    deleted_at: datetime
    previous_state: str


def deleted_object(deletion: Deletion, description: str) -> DeletedTicketObject:
    """A ticket in the bin."""
    return shaped(
        DeletedTicketObject,
        deletion,
        description=description,
        actor=DeleterObject(deletion.actor_id, deletion.actor_name),
    )


class DeletedTicketsResponse(Listing, kw_only=True):
    deleted_tickets: list[DeletedTicketObject]


class ReasonObject(Struct, kw_only=True):
    url: str
    id: int
    reason_code: int
    value: str
    raw_value: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


def reason_object(reason: SatisfactionReason) -> ReasonObject:
    """A reason to be dissatisfied."""
    return shaped(ReasonObject, reason, f"satisfaction_reasons/{reason.id}", raw_value=reason.value)


class ReasonsResponse(Listing, kw_only=True):
    reasons: list[ReasonObject]


class ReasonResponse(Struct):
    reason: ReasonObject


class MergeRequest(Struct, kw_only=True):
    ids: list[Id] | UnsetType = UNSET
    target_comment: str | None = None
    source_comment: str | None = None
    target_comment_is_public: bool = False
    source_comment_is_public: bool = False


class RedactRequest(Struct):
    text: str | UnsetType = UNSET


class CommentRedactionRequest(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET
    html_body: str = ""
    attachment_ids: list[Id] = []
    redact_full_comment: bool = False


class RedactedCommentResponse(Struct):
    comment: CommentObject


class AutocompleteRequest(Struct):
    text: str | None = None


class ImportedComment(Struct, kw_only=True):
    author_id: Id | UnsetType = UNSET
    value: str | UnsetType = UNSET
    body: str | UnsetType = UNSET
    html_body: str | UnsetType = UNSET
    public: bool = True
    created_at: str | UnsetType = UNSET
    uploads: list[str] | str | UnsetType = UNSET


class ImportInput(TicketInput, kw_only=True):
    comments: list[ImportedComment] | UnsetType = UNSET
    created_at: str | UnsetType | None = UNSET
    updated_at: str | UnsetType | None = UNSET
    solved_at: str | UnsetType | None = UNSET


class ImportRequest(Struct):
    ticket: ImportInput | UnsetType = UNSET


class ImportsRequest(Struct):
    tickets: list[ImportInput] | UnsetType = UNSET
