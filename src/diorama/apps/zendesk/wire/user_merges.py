"""User merges as the API shows and takes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Id


class MergedUser(Struct):
    id: Id | UnsetType = UNSET
    email: str | UnsetType = UNSET
    password: str | UnsetType = UNSET


class UserMergeRequest(Struct):
    user: MergedUser | UnsetType = UNSET
