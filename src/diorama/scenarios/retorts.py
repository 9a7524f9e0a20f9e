"""Retorts: what the customer answers to the first reply, and whether staff answered that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama import people
from diorama.kernel import Tx
from diorama.people import Need, Persona, Retort, check
from diorama.rewards import View
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Fact
from diorama.scenarios.cast import in_language
from diorama.scenarios.crowd import staff_words
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_mail import answered
from diorama.scenarios.desk_needs import ANSWER_ME
from diorama.scenarios.replies import replies_on

FIRST_ANSWER = (
    "Hello, thank you for your mail. I have read it and looked at our rules, and they do not simply give what you ask "
    "for. Before I book anything I would like to hear what you think."
)
"""What an oracle writes before it waits for the retort."""


def heard_out(requester: str, language: str) -> Need:
    """Return the customer's need that staff answer their retort; until they have said it, it is open."""
    args = {"requester": requester}
    return Need(name="heard out", check="desk.heard_out", args=args, wish=in_language(ANSWER_ME, language))


def prepare(tx: Tx, persona: Persona, matter: Sequence[str], tells: Sequence[str]) -> None:
    """Let a persona answer the first reply with these sentences."""
    tx.add(Retort(persona_id=persona.id, matter=tuple(matter), tells=tuple(tells)))


@check("desk.heard_out")
def was_heard_out(tx: Tx, args: Mapping[str, Any]) -> bool:
    """Check whether `requester` has said their retort and staff have written since; what they wrote is not read."""
    said = _retort_of(tx, args["requester"])
    if said is None or said.said_at is None:
        return False
    return answered(tx, {**args, "since": round(said.said_at.timestamp() * 1e6)})


def _retort_of(tx: Tx, requester: str) -> Retort | None:
    """Return the retort that a person has said, or None."""
    persona = people.person_named(tx, requester)
    return tx.first(Retort, "persona_id = ? AND said_at IS NOT NULL", persona.id) if persona is not None else None


def _judge(owner: Any, view: View, truth: DeskTruth) -> Finding:
    retort = _retort_of(view.tx, truth.requester)
    said_at = retort.said_at if retort is not None else None
    written = [one.created_at for one in staff_words(view.tx, truth.ticket_id, view.staged_us)] if said_at else []
    holds = said_at is not None and any(one < said_at for one in written) and any(one >= said_at for one in written)
    expected = "the customer answers the first reply, and that is answered, too"
    if holds:
        found = "a reply after it"
    elif said_at is not None and not any(one < said_at for one in written):
        found = "the first reply was not words that the customer could answer"
    elif retort is not None:
        found = "the customer answered the first reply, and no reply came after that"
    elif replies_on(view, truth.ticket_id):
        found = "the customer has not answered the first reply: the episode ended before that"
    else:
        found = "no reply that the customer could answer"
    return Finding(holds, expected, found)


RETORT_ANSWERED = Fact(
    "objection_is_answered",
    "responded",
    1.0,
    _judge,
    "The customer could answer the first reply, and that was answered, too.",
    False,
    "commitment",
    "words",
)
