"""Ticket imports as the API shows and takes them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.tickets import TicketInput


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
