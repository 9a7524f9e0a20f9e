"""Side conversations: start one, reply, receive replies, close and reopen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import custom_roles
from diorama.apps.zendesk.rules.current_user import by_email
from diorama.apps.zendesk.rules.ticket_checks import LONGEST_COMMENT, MOST_COPIED
from diorama.apps.zendesk.schema import Ticket, User
from diorama.apps.zendesk.schema.side_conversations import (
    Participant,
    SideConversation,
    SideConversationEvent,
    SideMessage,
    SideMessageReceived,
    SideMessageSent,
)
from diorama.kernel import Tx
from diorama.kit.sanitizing import linked, sanitized
from diorama.kit.text import html_of, plain_text

STATES = ("open", "closed")
LONGEST_SUBJECT, PREVIEW = 255, 100
MOST_IDS, LONGEST_ID, MOST_PARTICIPANTS = 50, 255, 200
"""The most external ids and participants of a conversation, and the longest of their texts; the vendor documents none.
"""


def person(user: User) -> Participant:
    """Return a user as a participant."""
    return Participant(user.id, user.name, user.email)


def recipients(tx: Tx, listed: Iterable[Participant]) -> tuple[Participant, ...]:
    """Return the people that a message names by id or address; raise 422 for none and for unknown ones."""
    found: dict[tuple[int | None, str | None], Participant] = {}
    for one in listed:
        user = tx.find(User, one.user_id) if one.user_id is not None else by_email(tx, one.email or "")
        if one.user_id is not None and (user is None or not user.active):
            raise refusals.invalid("to", f"To: user {one.user_id} does not exist", "RecordNotFound")
        if max(len(one.email or ""), len(one.name or "")) > LONGEST_ID:
            raise refusals.invalid("to", f"To: is too long (maximum is {LONGEST_ID} characters)", "ValueTooLong")
        if user is None and "@" not in (one.email or ""):
            raise refusals.invalid("to", "To: email is invalid", "InvalidValue")
        made = person(user) if user is not None else Participant(None, one.name, (one.email or "").strip().lower())
        found[made.user_id, made.email] = made
    if not found:
        raise refusals.invalid("to", "To: cannot be blank", "BlankValue")
    if len(found) > MOST_COPIED:
        raise refusals.invalid("to", f"To: too many (maximum is {MOST_COPIED})", "InvalidValue")
    return tuple(found.values())


def check_ids(given: Mapping[str, Any]) -> dict[str, str]:
    """Return external ids; every value must be a text."""
    if len(given) > MOST_IDS or any(len(key) + len(str(value)) > 2 * LONGEST_ID for key, value in given.items()):
        raise refusals.invalid("external_ids", "External ids: too many or too long", "ValueTooLong")
    if not all(isinstance(value, str) for value in given.values()):
        raise refusals.invalid("external_ids", "External ids: values must be strings", "InvalidValue")
    return dict(given)


def message(
    tx: Tx, sender: Participant, to: Iterable[Participant], *, subject: str, body: str, html: str | None
) -> SideMessage:
    """Return a message in the form in which it is stored; its HTML is cleaned like that of comments."""
    if max(len(body), len(html or "")) > LONGEST_COMMENT:
        raise refusals.invalid("body", f"Body: is too long (maximum is {LONGEST_COMMENT} characters)", "ValueTooLong")
    clean = linked(sanitized(html)) if html else linked(html_of(body))
    text = body or plain_text(clean)
    if not text.strip():
        raise refusals.blank("body", "Body")
    return SideMessage(
        subject=subject[:LONGEST_SUBJECT],
        preview_text=" ".join(text.split())[:PREVIEW],
        body=text,
        html_body=clean,
        sender=sender,
        to=recipients(tx, to),
    )


def start(tx: Tx, ticket: Ticket, me: User, said: SideMessage, external_ids: Mapping[str, Any]) -> SideConversation:
    """Start a side conversation, and send its first message."""
    custom_roles.require_of_role(tx, me, "side_conversation_create")
    if ticket.status == "closed":
        raise refusals.closed()
    moment = tx.now
    made = tx.add(
        SideConversation(
            ticket_id=ticket.id,
            subject=said.subject or ticket.subject,
            preview_text=said.preview_text,
            participants=_joined((said.sender,), said.to),
            external_ids=check_ids(external_ids),
            created_at=moment,
            updated_at=moment,
            message_added_at=moment,
            state_updated_at=moment,
        )
    )
    _record(tx, made, "create", said.sender, message=said)
    return made


def reply(tx: Tx, talk: SideConversation, said: SideMessage, via: str = "support") -> SideConversationEvent:
    """Add a message to a side conversation; a closed one is opened again."""
    moment = tx.now
    opened = {"state": "open", "state_updated_at": moment} if talk.state == "closed" else {}
    talk = tx.change(
        talk,
        preview_text=said.preview_text,
        participants=_joined(talk.participants, (said.sender, *said.to)),
        message_added_at=moment,
        updated_at=moment,
        **opened,
    )
    return _record(tx, talk, "reply", said.sender, message=said, via=via)


def receive(tx: Tx, conversation_id: str, email: str, body: str, name: str = "") -> SideConversationEvent:
    """Add the answer of a participant that came by mail."""
    talk = tx.get(SideConversation, conversation_id)
    known = next((one for one in talk.participants if one.email == email.strip().lower()), None)
    sender = known or Participant(None, name or None, email.strip().lower())
    others = [one for one in talk.participants if one != sender] or [sender]
    return reply(tx, talk, message(tx, sender, others, subject=talk.subject, body=body, html=None), via="email")


def change(tx: Tx, talk: SideConversation, me: User, fields: Mapping[str, Any]) -> SideConversation:
    """Change the state, the subject or the external ids of a side conversation."""
    asked = dict(fields)
    if asked.get("state", "open") not in STATES:
        raise refusals.not_listed("state", "State", asked["state"])
    if "external_ids" in asked:
        asked["external_ids"] = check_ids(asked["external_ids"] or {})
    if "subject" in asked:
        asked["subject"] = str(asked["subject"] or "")[:LONGEST_SUBJECT]
    changed = {name: value for name, value in asked.items() if getattr(talk, name) != value}
    if not changed:
        return talk
    moment = tx.now
    more = {"state_updated_at": moment} if "state" in changed else {}
    talk = tx.change(talk, **changed, **more, updated_at=moment)
    _record(tx, talk, "update", person(me), updates=changed)
    return talk


def _joined(there: Iterable[Participant], new: Iterable[Participant]) -> tuple[Participant, ...]:
    joined = tuple({(one.user_id, one.email): one for one in (*new, *there)}.values())
    if len(joined) > MOST_PARTICIPANTS:
        raise refusals.invalid("to", f"To: too many participants (maximum is {MOST_PARTICIPANTS})", "InvalidValue")
    return joined


def _record(tx: Tx, talk: SideConversation, kind: Any, actor: Participant, **more: Any) -> SideConversationEvent:
    number = tx.count(SideConversationEvent, "conversation_id = ?", talk.id)
    made = tx.add(
        SideConversationEvent(
            conversation_id=talk.id,
            ticket_id=talk.ticket_id,
            number=number,
            type=kind,
            actor=actor,
            created_at=tx.now,
            **more,
        )
    )
    said = made.message
    if said is not None and made.via == "support":
        to = tuple(one.email for one in said.to if one.email)
        tx.emit(
            SideMessageSent(
                ticket=talk.ticket_id,
                conversation=talk.id,
                to=to,
                subject=talk.subject,
                body=said.body,
                author=said.sender.email or "",
            )
        )
    elif said is not None:
        tx.emit(
            SideMessageReceived(
                ticket=talk.ticket_id, conversation=talk.id, author=said.sender.email or said.sender.name or ""
            )
        )
    return made


def with_subject(said: SideMessage, subject: str) -> SideMessage:
    """Return a message under the subject of its conversation, unless it has its own."""
    return said if said.subject else msgspec.structs.replace(said, subject=subject)
