"""Redactions of comments as the API shows and takes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.ticket_comments import CommentObject


class RedactRequest(Struct):
    text: str | UnsetType = UNSET


class CommentRedactionRequest(Struct, kw_only=True):
    ticket_id: Id | UnsetType = UNSET
    html_body: str = ""
    attachment_ids: list[Id] = []
    redact_full_comment: bool = False


class RedactedCommentResponse(Struct):
    comment: CommentObject
