"""Ticket merges as the API shows and takes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Id


class MergeRequest(Struct, kw_only=True):
    ids: list[Id] | UnsetType = UNSET
    target_comment: str | None = None
    source_comment: str | None = None
    target_comment_is_public: bool = False
    source_comment_is_public: bool = False
