"""Calls, as telephony partners submit them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, field

from diorama.apps.zendesk.wire.pagination import Id
from diorama.apps.zendesk.wire.tickets import TicketInput


class VoiceCommentInput(Struct, kw_only=True):
    from_: str | UnsetType = field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    recording_url: str | UnsetType = UNSET
    started_at: str | UnsetType = UNSET
    call_duration: int | UnsetType = UNSET
    answered_by_id: Id | UnsetType | None = UNSET
    transcription_text: str | UnsetType | None = UNSET
    location: str | UnsetType | None = UNSET


class VoiceTicketInput(TicketInput, kw_only=True):
    via_id: int | UnsetType = UNSET
    voice_comment: VoiceCommentInput | UnsetType = UNSET


class VoiceTicketRequest(Struct):
    ticket: VoiceTicketInput | UnsetType = UNSET
    display_to_agent: Id | UnsetType | None = UNSET
