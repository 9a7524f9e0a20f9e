"""Side conversations: messages to people outside the main conversation of a ticket."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from diorama.apps.zendesk.schema.app import APP
from diorama.kernel import Notice, Record
from diorama.kernel.ids import Draw, IdMaker


def uuids() -> IdMaker:
    """Make random UUIDs."""

    def make(n: int, draw: Draw, now_us: int) -> str:
        drawn = draw().hex(32)
        return f"{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-a{drawn[17:20]}-{drawn[20:]}"

    return make


class Participant(msgspec.Struct, frozen=True):
    """A person in a side conversation; without a user id it is only an address."""

    user_id: int | None = None
    name: str | None = None
    email: str | None = None


class SideMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message of a side conversation."""

    subject: str
    preview_text: str
    body: str
    html_body: str
    sender: Participant
    to: tuple[Participant, ...]
    external_ids: dict[str, str] = {}


@APP.record("side_conversations", ids=uuids(), index=[("ticket_id", "created_at")])
class SideConversation(Record):
    """A side conversation of a ticket."""

    id: str = ""
    ticket_id: int
    subject: str
    preview_text: str
    state: Literal["open", "closed"] = "open"
    participants: tuple[Participant, ...]
    external_ids: dict[str, str] = {}
    created_at: datetime
    updated_at: datetime
    message_added_at: datetime
    state_updated_at: datetime


@APP.record("side_conversation_events", ids=uuids(), unique=[("conversation_id", "number")])
class SideConversationEvent(Record):
    """One event of a side conversation: a message, or an update of the conversation."""

    id: str = ""
    conversation_id: str
    ticket_id: int
    number: int
    type: Literal["create", "reply", "update"]
    via: str = "support"
    actor: Participant
    message: SideMessage | None = None
    updates: dict[str, Any] = {}
    created_at: datetime


class SideMessageSent(Notice):
    """A message of a side conversation was sent to addresses."""

    ticket: int
    conversation: str
    to: tuple[str, ...]
    subject: str
    body: str
    author: str = ""
    """The address of the agent who wrote it."""


class SideMessageReceived(Notice):
    """An answer to a side conversation came by mail; `author` is an email address."""

    ticket: int
    conversation: str
    author: str
