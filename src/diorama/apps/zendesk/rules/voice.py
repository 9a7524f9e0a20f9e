"""Phone calls: the tickets of calls and voicemails, and records that open in an agent's browser."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.ticket_checks import parse_time
from diorama.apps.zendesk.schema import ScreenShown, User
from diorama.kernel import Tx

CHANNELS = {44: "voicemail", 45: "phone_call_inbound", 46: "phone_call_outbound"}
"""The names of the numeric channel ids."""


class PhoneCall(msgspec.Struct, frozen=True, kw_only=True):
    """What a telephony partner says about a call; the first five must be given."""

    from_: str | None
    to: str | None
    recording_url: str | None
    started_at: str | None
    call_duration: int | None
    answered_by_id: int | None = None
    transcription_text: str | None = None
    location: str | None = None


def agent_of(tx: Tx, number: int) -> User | None:
    """Return an active agent, or None."""
    found = tx.find(User, number)
    return found if found is not None and found.staff and found.active else None


def show(tx: Tx, agent_id: int, ticket: int = 0, user: int = 0) -> None:
    """Open a ticket or a user in an agent's browser; raise 404 for everyone else."""
    found = agent_of(tx, agent_id)
    if found is None:
        raise refusals.not_found()
    tx.emit(ScreenShown(agent=found.email or "", ticket=ticket, user=user))


def channel_of(tx: Tx, via_id: int, display_to: int) -> str:
    """Return the channel of a call's ticket; refuse other channels, and opening it for someone who is not an agent."""
    if display_to and agent_of(tx, display_to) is None:
        raise refusals.invalid("display_to_agent", "Display to agent: is invalid", "InvalidValue")
    channel = CHANNELS.get(via_id)
    if channel is None:
        raise refusals.invalid("via_id", "Via: must be one of 44, 45 and 46", "InvalidValue")
    return channel


def first_comment(tx: Tx, channel: str, call: PhoneCall | None) -> str | None:
    """Return the comment that describes a call, or None without a description; a voicemail needs one."""
    if call is None:
        if channel == "voicemail":
            raise refusals.blank("voice_comment", "Voice comment")
        return None
    for name in ("from_", "to", "recording_url", "started_at", "call_duration"):
        if getattr(call, name) in (None, ""):
            label = name.rstrip("_").replace("_", " ").capitalize()
            raise refusals.invalid("voice_comment", f"{label}: cannot be blank", "BlankValue")
    started = parse_time("started_at", call.started_at)
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
