"""API operations for phone calls: tickets of calls, and opening records in an agent's browser."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.api.tickets import create, ticket_objects
from diorama.apps.zendesk.rules import tickets as desk
from diorama.apps.zendesk.rules import voice
from diorama.apps.zendesk.schema import APP, BASE, User
from diorama.apps.zendesk.wire.tickets import CommentInput, TicketResponse, ViaInput
from diorama.apps.zendesk.wire.voice import VoiceCommentInput, VoiceTicketRequest
from diorama.kernel import Tx


@APP.post("/api/v2/channels/voice/agents/{agent_id}/tickets/{ticket_id}/display", role="agent")
def open_ticket_in_agents_browser(tx: Tx, agent_id: int, ticket_id: int) -> str:
    """Open a ticket in an agent's browser."""
    voice.show(tx, agent_id, ticket=desk.existing_ticket(tx, ticket_id).id)
    return ""


@APP.post("/api/v2/channels/voice/agents/{agent_id}/users/{user_id}/display", role="agent")
def open_users_profile_in_agent_browser(tx: Tx, agent_id: int, user_id: int) -> str:
    """Open a user's profile in an agent's browser."""
    voice.show(tx, agent_id, user=tx.get(User, user_id).id)
    return ""


def _call(said: VoiceCommentInput) -> voice.PhoneCall:
    values = {name: getattr(said, name) for name in voice.PhoneCall.__struct_fields__}
    return voice.PhoneCall(**{name: None if value is UNSET else value for name, value in values.items()})


@APP.post("/api/v2/channels/voice/tickets", role="agent", status=201, seconds=0.8)
def create_ticket_or_voicemail_ticket(tx: Tx, me: Me, body: VoiceTicketRequest) -> TicketResponse:
    """Create the ticket of a call or voicemail, and open it for the agent named in `display_to_agent`."""
    asked = required(body.ticket, "ticket")
    before = body.display_to_agent or 0
    channel = voice.channel_of(tx, asked.via_id if asked.via_id is not UNSET else 0, before)
    said = asked.voice_comment
    text = voice.first_comment(tx, channel, None if said is UNSET else _call(said))
    if text is not None:
        asked = msgspec.structs.replace(asked, comment=CommentInput(body=text, public=True))
    done = create(tx, msgspec.structs.replace(asked, via=ViaInput(channel=channel)), me)
    if before:
        voice.show(tx, before, ticket=done.ticket.id)
    tx.headers["location"] = f"{BASE}/tickets/{done.ticket.id}.json"
    [shape] = ticket_objects(tx, (done.ticket,))
    return TicketResponse(ticket=shape)
