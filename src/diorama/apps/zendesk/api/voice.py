"""The telephone's side of the desk: tickets of calls, and what is put before an agent who picks up."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.api.ticket_input import parse_time
from diorama.apps.zendesk.api.tickets import create, ticket_objects
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.schema import APP, BASE, ScreenShown, User
from diorama.apps.zendesk.wire.tickets import CommentInput, TicketResponse, ViaInput
from diorama.apps.zendesk.wire.voice import CHANNELS, VoiceCommentInput, VoiceTicketRequest
from diorama.kernel import Tx


def _agent(tx: Tx, number: int) -> User | None:
    found = tx.find(User, number)
    return found if found is not None and found.staff and found.active else None


def _show(tx: Tx, agent_id: int, ticket: int = 0, user: int = 0) -> None:
    """Put something on an agent's screen."""
    found = _agent(tx, agent_id)
    if found is None:
        raise refusals.not_found()
    tx.emit(ScreenShown(agent=found.email or "", ticket=ticket, user=user))


@APP.post("/api/v2/channels/voice/agents/{agent_id}/tickets/{ticket_id}/display", role="agent")
def open_ticket_in_agents_browser(tx: Tx, agent_id: int, ticket_id: int) -> str:
    """Open a ticket in an agent's browser."""
    _show(tx, agent_id, ticket=desk.existing_ticket(tx, ticket_id).id)
    return ""


@APP.post("/api/v2/channels/voice/agents/{agent_id}/users/{user_id}/display", role="agent")
def open_users_profile_in_agent_browser(tx: Tx, agent_id: int, user_id: int) -> str:
    """Open somebody's profile in an agent's browser."""
    _show(tx, agent_id, user=tx.get(User, user_id).id)
    return ""


def _told(tx: Tx, call: VoiceCommentInput) -> str:
    """A call in words, as its first comment has it."""
    for name in ("from_", "to", "recording_url", "started_at", "call_duration"):
        if getattr(call, name) in (UNSET, ""):
            label = name.rstrip("_").replace("_", " ").capitalize()
            raise refusals.invalid("voice_comment", f"{label}: cannot be blank", "BlankValue")
    started = parse_time("started_at", str(call.started_at))
    minutes, seconds = divmod(int(call.call_duration or 0), 60)
    lines = [
        f"Call from: {call.from_}",
        f"Call to: {call.to}",
        f"Time of call: {started:%B %d, %Y at %I:%M:%S %p}" if isinstance(started, datetime) else "",
        f"Location: {call.location}" if call.location else "",
        f"Answered by: {tx.get(User, call.answered_by_id).name}" if call.answered_by_id else "",
        f"Length of phone call: {minutes} minutes, {seconds} seconds",
        f"Listen to the recording: {call.recording_url}",
        f"Transcription: {call.transcription_text}" if call.transcription_text else "",
    ]
    return "\n".join(line for line in lines if line)


@APP.post("/api/v2/channels/voice/tickets", role="agent", status=201, seconds=0.8)
def create_ticket_or_voicemail_ticket(tx: Tx, me: Me, body: VoiceTicketRequest) -> TicketResponse:
    """Make the ticket of a call, and show it to whoever took it."""
    asked = required(body.ticket, "ticket")
    before = body.display_to_agent or 0
    if before and _agent(tx, before) is None:
        raise refusals.invalid("display_to_agent", "Display to agent: is invalid", "InvalidValue")
    channel = CHANNELS.get(asked.via_id) if asked.via_id is not UNSET else None
    if channel is None:
        raise refusals.invalid("via_id", "Via: must be one of 44, 45 and 46", "InvalidValue")
    if asked.voice_comment is not UNSET:
        words = CommentInput(body=_told(tx, asked.voice_comment), public=True)
        asked = msgspec.structs.replace(asked, comment=words)
    elif channel == "voicemail":
        raise refusals.blank("voice_comment", "Voice comment")
    done = create(tx, msgspec.structs.replace(asked, via=ViaInput(channel=channel)), me)
    if before:
        _show(tx, before, ticket=done.ticket.id)
    tx.headers["location"] = f"{BASE}/tickets/{done.ticket.id}.json"
    [shape] = ticket_objects(tx, (done.ticket,))
    return TicketResponse(ticket=shape)
