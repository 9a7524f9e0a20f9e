"""Rules about voices: no one repeats a sentence too often, and colleagues write differently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from diorama.apps.zendesk.schema import User
from diorama.people.addresses import plain
from diorama.worlds._plausibility.records import Message, Records, median
from diorama.worlds._plausibility.rule import ZENDESK, rule
from diorama.worlds.texts import sentences

OFTEN, AT_LEAST = 0.04, 6
"""A colleague's own sentence may be in this share of their tickets, or in this many."""
ENOUGH = 40
"""How many answers a colleague must have written to have a voice."""
SHORT, LONG = 18, 70
"""Words of a short and of a long answer."""
GREETING = re.compile(r"\A[^\n]{0,60}\n\n")


def _answers(records: Records) -> dict[str, list[Message]]:
    """Return what colleagues wrote in their own words, by address: without macros."""
    canned = {
        audit.id
        for audits in records.audits.values()
        for audit in audits
        if any(event.type == "AgentMacroReference" for event in audit.events)
    }
    found: dict[str, list[Message]] = {}
    for thread in records.threads:
        for one in thread.answers:
            if one.comment.audit_id not in canned and one.author is not None:
                found.setdefault(one.author.email or "", []).append(one)
    return found


@rule(ZENDESK)
def sentences_are_not_repeated(records: Records) -> Iterator[str]:
    """No colleague uses one long sentence in more than a few of their tickets, except by a macro."""
    names = {word.lower() for user in records.users.values() for word in user.name.split()}
    for email, answers in _answers(records).items():
        mine: dict[int, set[str]] = {}
        for one in answers:
            mine.setdefault(one.comment.ticket_id, set()).update(sentences(one.own, names))
        limit = max(AT_LEAST, OFTEN * len(mine))
        for sentence, count in Counter(text for some in mine.values() for text in some).items():
            wrong = count > limit
            yield f"{email} wrote in {count} of {len(mine)} tickets: {sentence}" if wrong else ""


@rule(ZENDESK)
def answers_are_long_and_short(records: Records) -> Iterator[str]:
    """Of all answers at least a tenth are short and at least a twentieth are long."""
    lengths = [len(one.own.split()) for answers in _answers(records).values() for one in answers]
    if len(lengths) >= ENOUGH:
        short = sum(words <= SHORT for words in lengths) / len(lengths)
        long = sum(words >= LONG for words in lengths) / len(lengths)
        yield f"{100 * short:.0f} % of {len(lengths)} answers are short" if short < 0.1 else ""
        yield f"{100 * long:.1f} % of {len(lengths)} answers are long" if long < 0.05 else ""


@rule(ZENDESK)
def colleagues_write_differently(records: Records) -> Iterator[str]:
    """The colleague with the longest answers writes at least half as much again as the one with the shortest."""
    middle = {
        email: median([len(one.own.split()) for one in answers])
        for email, answers in _answers(records).items()
        if len(answers) >= ENOUGH // 2
    }
    if len(middle) >= 3:
        least, most = min(middle.values()), max(middle.values())
        yield f"medians of words: {middle}" if most < 1.5 * least else ""


@rule(ZENDESK)
def first_messages_are_not_copies(records: Records) -> Iterator[str]:
    """Two customers do not begin their tickets with the same long text."""
    begun: dict[str, set[int]] = {}
    for thread in records.threads:
        text = " ".join(thread.ticket.description.split())
        if len(text) > 120 and not thread.requester.staff:
            begun.setdefault(text, set()).add(thread.ticket.requester_id)
    for text, writers in begun.items():
        first, *others = (records.users[one] for one in sorted(writers))
        wrong = not all(_one_person(first, other) for other in others)
        yield f"users {sorted(writers)} wrote: {text[:80]}" if wrong else ""


def _one_person(one: User, other: User) -> bool:
    """Return whether two users may be one person: the name or address of one has a word of the other's name."""
    return any(
        word in plain(f"{second.name}{(second.email or '').partition('@')[0]}")
        for first, second in ((one, other), (other, one))
        for word in map(plain, re.split(r"[^\w]|_|\d", first.name))
        if len(word) > 2
    )
