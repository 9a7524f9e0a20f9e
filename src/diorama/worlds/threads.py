"""Threads: sample tickets of a desk as plain text, to read what agents will read."""

from __future__ import annotations

from datetime import datetime

import msgspec

from diorama.kernel import Dice, Tx, World, from_us

RULE = "=" * 72
LEAST = 2
"""How many messages a thread must have to be worth reading."""


class Message(msgspec.Struct, frozen=True):
    """One comment."""

    who: str
    email: str
    at: datetime
    public: bool
    files: tuple[str, ...]
    body: str


class Thread(msgspec.Struct, frozen=True, kw_only=True):
    """One ticket with all its messages."""

    ticket: int
    subject: str
    status: str
    priority: str | None
    kind: str | None
    channel: str
    group: str | None
    assignee: str | None
    tags: tuple[str, ...]
    reopens: int
    rating: str | None
    rating_comment: str | None
    messages: tuple[Message, ...]


def threads(world: World, count: int, seed: int = 0) -> list[Thread]:
    """Sample `count` tickets, drawn by the seed: answered ones, and others only where these are too few."""
    return world.read(_sampled, count, seed)


def _sampled(tx: Tx, count: int, seed: int) -> list[Thread]:
    found = tx.rows("SELECT ticket_id, count(*) FROM zendesk_comments GROUP BY 1 ORDER BY 1")
    answered = [number for number, messages in found if messages >= LEAST]
    others = [number for number, messages in found if messages < LEAST]
    dice = Dice(f"threads {seed}")
    numbers = list(dice.sample(answered, min(count, len(answered))))
    numbers += dice.sample(others, min(count - len(numbers), len(others)))
    return [_thread(tx, number) for number in sorted(numbers)]


def _thread(tx: Tx, number: int) -> Thread:
    facts = tx.rows(
        "SELECT t.subject, t.status, t.priority, t.type, t.channel, g.name, u.name, t.tags, t.reopens, "
        "r.score, r.comment FROM zendesk_tickets t LEFT JOIN zendesk_groups g ON g.id = t.group_id "
        "LEFT JOIN zendesk_users u ON u.id = t.assignee_id "
        "LEFT JOIN zendesk_satisfaction_ratings r ON r.id = t.satisfaction_id WHERE t.id = ?",
        number,
    )[0]
    said = tx.rows(
        "SELECT u.name, u.email, c.created_at, c.public, c.attachments, c.body FROM zendesk_comments c "
        "LEFT JOIN zendesk_users u ON u.id = c.author_id WHERE c.ticket_id = ? ORDER BY c.created_at, c.id",
        number,
    )
    subject, status, priority, kind, channel, group, assignee, tags, reopens, score, words = facts
    return Thread(
        ticket=number,
        subject=subject,
        status=status,
        priority=priority,
        kind=kind,
        channel=channel,
        group=group,
        assignee=assignee,
        tags=tuple(msgspec.json.decode(tags)),
        reopens=reopens,
        rating=score,
        rating_comment=words,
        messages=tuple(
            Message(
                who or "",
                email or "",
                from_us(at),
                bool(public),
                tuple(one["file_name"] for one in msgspec.json.decode(files)),
                body,
            )
            for who, email, at, public, files, body in said
        ),
    )


def as_text(found: list[Thread]) -> str:
    """Format threads as plain text, one below the other."""
    return "\n".join(line.rstrip() for thread in found for line in _lines(thread)).rstrip() + "\n"


def _lines(thread: Thread) -> list[str]:
    state = [thread.status, thread.priority or "no priority", thread.kind or "no type", f"by {thread.channel}"]
    state += [f"reopened {thread.reopens} x"] if thread.reopens else []
    lines = [RULE, f"#{thread.ticket}  {thread.subject}", ", ".join(state)]
    lines.append(
        f"{thread.group or 'no group'}, {thread.assignee or 'nobody'}; tags: {' '.join(thread.tags) or 'none'}"
    )
    if thread.rating:
        lines.append(f"rated {thread.rating}" + (f": {thread.rating_comment}" if thread.rating_comment else ""))
    for message in thread.messages:
        note = "" if message.public else "  [internal note]"
        lines += ["", f"--- {message.who} <{message.email}>, {message.at:%a %d %b %Y %H:%M}{note}"]
        lines += [*message.body.split("\n")]
        lines += [f"[attached: {', '.join(message.files)}]"] if message.files else []
    return [*lines, ""]
