"""The records of simulated people (facts, needs, voice and patience), and their notices."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from diorama.kernel import Notice, Product, Record, counter

APP = Product("people", title="People", control=True)
APP.boundary = "persona"

State = Literal["quiet", "waiting", "content", "gave_up", "moved"]
Speech = Literal[
    "opening", "answer", "follow_up", "escalation", "reopening", "complaint", "thanks", "giving_up", "heard", "notice"
]


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """Something a person wants to happen, and the check that says whether it has."""

    name: str
    check: str
    """A name in the checks registry; the check looks at the real state, never at texts."""
    args: dict[str, Any] = {}
    wish: str
    """The need in the person's own words: whole sentences with {slots} of the persona's facts."""
    about: str = ""
    """The action by which a reply may claim that it is done: refund, replacement, cancellation, address, delivery,
    subscription, credit, invoice, return or account; "" if no claim counts."""
    grace_hours: float = 24.0
    """How long after a claim the person waits for it to come true."""
    seen: str = ""
    """A check that says whether the person can see for themselves that something was done (it gets `args`, too): a
    reply that says so while it fails is not believed. "" if they take the reply's word for it."""
    weight: float = 1.0


@APP.record("personas", ids=counter(1), unique=[("email",)])
class Persona(Record):
    """One simulated person. `facts` is everything it may ever state, `needs` decide what it says and does."""

    email: str
    name: str
    given: str = ""
    family: str = ""
    other_emails: tuple[str, ...] = ()
    language: str = "en"
    voice: str = "plain"
    facts: dict[str, str] = {}
    needs: tuple[Need, ...] = ()
    stakes: tuple[Need, ...] = ()
    """What the person should get by the facts of the case, known to graders only: it counts for `satisfaction`, and
    never for what they say, when they say it, or how they rate."""
    patience_hours: float = 24.0
    """How long before they write again; 0: never, they only answer."""
    reply_hours: float = 3.0
    """Median of the delay before an answer."""
    rates: float = 1.0
    """Chance that the person answers the survey."""
    mood: float = 0.0
    """From -1 (furious) to 1 (delighted); changed only by what happens."""
    state: State = "quiet"
    contact_id: str = ""
    """The key in the directory of a colleague, who answers mails from what they know; "" for a customer."""


@APP.record("conversations", ids=counter(1), index=[("persona_id", "id"), ("channel", "thread")])
class Conversation(Record):
    """One thread in which a persona waits for something, and everything its rating is based on."""

    persona_id: int
    channel: str
    thread: str = ""
    subject: str = ""
    state: State = "waiting"
    opened_at: datetime
    spoke_at: datetime
    heard_at: datetime | None = None
    answered_at: datetime | None = None
    """When a human first answered."""
    settled_at: datetime | None = None
    """When the person first saw that all needs were met."""
    solved: bool = False
    """Whether the latest message said that the case is solved."""
    told: tuple[str, ...] = ()
    """Facts already given in this thread."""
    claimed: tuple[str, ...] = ()
    """Needs that a reply claimed were done while they were not."""
    promised_until: datetime | None = None
    promises: int = 0
    broken_promises: int = 0
    follow_ups: int = 0
    reopens: int = 0
    repeated_questions: int = 0
    rudeness: int = 0
    agent: str = ""
    timer: int = 0
    reading: int = 0
    """The agenda entry at which the person reacts to the messages."""
    looks_at: datetime | None = None
    """When the person will look whether something has happened."""
    rates_at: datetime | None = None
    rated: str = ""


@APP.record("utterances", ids=counter(1), index=[("conversation_id", "id")])
class Utterance(Record):
    """One message sent or received: the record against which every claim of a persona can be checked."""

    conversation_id: int
    at: datetime
    speech: Speech
    text: str
    used: dict[str, str] = {}
    """The facts of the persona that the text states."""


@APP.record("retorts", ids=counter(1), index=[("persona_id", "id")])
class Retort(Record):
    """What a person answers, once, to a reply that leaves a need unmet: pressure, or a fact not mentioned before."""

    persona_id: int
    check: str = "always"
    """A name in the checks registry; the person says it only if this check holds."""
    args: dict[str, Any] = {}
    matter: tuple[str, ...]
    """Whole sentences with {slots} of the persona's facts."""
    tells: tuple[str, ...] = ()
    """The names of the facts that it mentions."""
    said_at: datetime | None = None


@APP.record("knowledge", ids=counter(1), index=[("contact_id", "id"), ("topic",)])
class Knows(Record):
    """What a colleague knows about a topic, and answers if a colleague asks.

    It was true from `since` to `until`. After that the colleague is out of date, and still says so: someone else
    knows what is true now.
    """

    contact_id: str
    topic: str
    """The name under which all answers to the same question are filed."""
    about: tuple[str, ...]
    """Beginnings of words, in lower case; a question that has all of them is about the topic. `a|b` means either."""
    answer: str
    since: datetime
    until: datetime | None = None


class Spoke(Notice):
    """A person wrote something; `thread` is "" for a new conversation."""

    person: str
    name: str
    channel: str
    thread: str
    conversation: int
    subject: str
    text: str
    language: str = "en"
    attachments: tuple[str, ...] = ()


class Rated(Notice):
    """A person rated the help they got."""

    person: str
    channel: str
    thread: str
    conversation: int
    score: Literal["good", "bad"]
    comment: str = ""
