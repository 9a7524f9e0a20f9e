"""How a persona judges: by needs met and trouble had, not by fine words; and how it answers the survey."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Literal

from diorama.kernel import Tx
from diorama.people.checks import holds
from diorama.people.grammar import Renderer
from diorama.people.material import load
from diorama.people.rhythms import reply_delay
from diorama.people.schema import APP, Conversation, Need, Persona, Rated
from diorama.people.settings import local_now


def person_named(tx: Tx, email: str) -> Persona | None:
    """Return the persona with this address, main or secondary, or None."""
    found = tx.first(Persona, _MAIN, email)
    if found is None:
        found = tx.first(Persona, _SECONDARY, f'"{email}"')
    return found


_MAIN, _SECONDARY = "email = ?", "instr(other_emails, ?) > 0"
_READER = f"SELECT id, reply_hours, contact_id FROM _people_personas WHERE {_MAIN}"
_OTHER_READER = f"SELECT id, reply_hours, contact_id FROM _people_personas WHERE {_SECONDARY} ORDER BY id LIMIT 1"


def reader_named(tx: Tx, email: str) -> tuple[int, float, str] | None:
    """Return the id, the reply hours and the key of the persona with this address, or None.

    Facts and needs are not read.
    """
    rows = tx.control(_READER, email) or tx.control(_OTHER_READER, f'"{email}"')
    return rows[0] if rows else None


def unmet(tx: Tx, needs: Iterable[Need], conversation: Conversation | None = None) -> tuple[Need, ...]:
    """Return the needs that the world does not fulfil now; checks get the thread of the conversation, too."""
    return tuple(need for need in needs if not _holds(tx, need.check, need, conversation))


def unseen(tx: Tx, needs: Iterable[Need], conversation: Conversation) -> tuple[Need, ...]:
    """Return the needs whose fulfilment the person could see, and does not see."""
    return tuple(need for need in needs if need.seen and not _holds(tx, need.seen, need, conversation))


def _holds(tx: Tx, name: str, need: Need, conversation: Conversation | None) -> bool:
    thread = {"thread": conversation.thread} if conversation is not None else {}
    return holds(tx, name, {**need.args, **thread})


def satisfaction_of(
    tx: Tx, persona: Persona, conversation: Conversation, needs: tuple[Need, ...] | None = None
) -> float:
    """Rate 0 to 1 by what happened: needs met, waiting, follow-ups, broken promises, repeated questions, rudeness."""
    needs = persona.needs if needs is None else needs
    total = sum(need.weight for need in needs)
    left = sum(need.weight for need in unmet(tx, needs, conversation))
    met = 1.0 - left / total if total else 1.0
    done = conversation.settled_at or tx.now
    patience = persona.patience_hours or 48.0
    waited = (done - conversation.opened_at) / timedelta(hours=1)
    late = max(0.0, waited / (3.0 * patience) - 1.0)
    answered = conversation.answered_at or conversation.settled_at or tx.now
    silence = max(0.0, (answered - conversation.opened_at) / timedelta(hours=1) / patience - 1.0)
    trouble = (
        0.12 * min(late, 2.0)
        + 0.1 * min(silence, 2.0)
        + 0.12 * conversation.follow_ups
        + 0.15 * conversation.reopens
        + 0.35 * conversation.broken_promises
        + 0.08 * conversation.repeated_questions
        + 0.3 * conversation.rudeness
    )
    return met * max(0.0, 1.0 - trouble)


def troubles(tx: Tx, email: str) -> list[str]:
    """Return in sentences what made a persona less satisfied than they could be; for the reader of a verdict."""
    persona = person_named(tx, email)
    if persona is None:
        raise LookupError(f"no persona has the address {email}")
    mine = tx.all(Conversation, "persona_id = ? AND state != 'moved'", persona.id)
    found = [f"missing: {need.name}" for need in unmet(tx, (*persona.needs, *persona.stakes), *mine[:1])]
    patience = timedelta(hours=persona.patience_hours or 48.0)
    for one in mine:
        counts = {
            "wrote again": one.follow_ups,
            "came back after it was solved": one.reopens,
            "promise not kept": one.broken_promises,
            "asked again for what was told": one.repeated_questions,
            "rude message": one.rudeness,
        }
        found += [f"{what} ({count} times)" for what, count in counts.items() if count]
        answered, done = one.answered_at or one.settled_at or tx.now, one.settled_at or tx.now
        if answered - one.opened_at > patience or done - one.opened_at > 3 * patience:
            found.append("waited too long")
    return list(dict.fromkeys(found))


def mood_of(tx: Tx, persona: Persona, conversation: Conversation) -> float:
    """Return the mood from -1 to 1, rounded so that equal histories give equal rows."""
    return round(2.0 * satisfaction_of(tx, persona, conversation) - 1.0, 3)


def satisfaction(tx: Tx, email: str) -> float:
    """Return how satisfied a persona is now, from 0 to 1, with what is at stake for them; for graders."""
    persona = person_named(tx, email)
    if persona is None:
        raise LookupError(f"no persona has the address {email}")
    mine = tx.all(Conversation, "persona_id = ? AND state != 'moved'", persona.id)
    needs = (*persona.needs, *persona.stakes)
    if not mine:
        return 1.0 if not unmet(tx, needs) else 0.0
    return min(satisfaction_of(tx, persona, conversation, needs) for conversation in mine)


def plan_rating(tx: Tx, persona: Persona, conversation: Conversation) -> None:
    """Plan the answer to the survey for later, or decide not to answer it."""
    dice = tx.dice("persona rating", persona.id, conversation.id)
    planned = conversation.rates_at is not None and conversation.rates_at > tx.now
    if not conversation.rated and not planned and dice.chance(persona.rates):
        delay = reply_delay(dice, local_now(tx), persona.reply_hours)
        tx.later(delay, rate, conversation_id=conversation.id)
        tx.change(conversation, rates_at=tx.now + delay)


@APP.command
def rate(tx: Tx, conversation_id: int) -> None:
    """Rate the help as good or bad with a comment, from the current state; skip a case that was reopened."""
    conversation = tx.get(Conversation, conversation_id)
    if conversation.rated or not (conversation.solved or conversation.state == "gave_up"):
        return
    persona = tx.get(Persona, conversation.persona_id)
    content = satisfaction_of(tx, persona, conversation)
    fulfilled = not unmet(tx, persona.needs, conversation)
    if not fulfilled and conversation.state == "content":
        return
    if fulfilled and persona.voice == "angry" and unseen(tx, persona.needs, conversation):
        fulfilled = False  # they were refused or put off with words, rightly or not
    score: Literal["good", "bad"] = "good" if fulfilled and content >= 0.5 else "bad"
    if score == "good":
        kind = "good" if content > 0.8 else "good_slow"
    else:
        kind = "bad_unsolved" if not fulfilled else "bad_promise" if conversation.broken_promises else "bad_slow"
    known = {"agent": conversation.agent} if conversation.agent else {}
    renderer = Renderer(tx.dice("persona comment", persona.id, conversation.id), known)
    comment = renderer.fill(renderer.pick(load(persona.language)["persona"][kind]))
    tx.change(conversation, rated=score)
    tx.change(persona, mood=round(2.0 * content - 1.0, 3))
    tx.emit(
        Rated(
            person=persona.email,
            channel=conversation.channel,
            thread=conversation.thread,
            conversation=conversation.id,
            score=score,
            comment=comment,
        )
    )
