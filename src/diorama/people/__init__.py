"""People: names, messy writing, daily rhythms, and personas who have needs, wait, answer, come back and rate."""

from diorama.people.checks import CHECKS, check, holds
from diorama.people.conduct import (
    add_persona,
    expect_reply,
    receive_message,
    set_thread,
    write,
    writer_of,
)
from diorama.people.judging import person_named, satisfaction, troubles, unmet
from diorama.people.schema import APP, Conversation, Need, Persona, Rated, Retort, Spoke, Utterance
from diorama.people.settings import Settings, set_up
from diorama.people.writing import Letter, Writer, dress, letter

__all__ = [
    "APP",
    "CHECKS",
    "Conversation",
    "Letter",
    "Need",
    "Persona",
    "Rated",
    "Retort",
    "Settings",
    "Spoke",
    "Utterance",
    "Writer",
    "add_persona",
    "check",
    "dress",
    "expect_reply",
    "holds",
    "letter",
    "person_named",
    "receive_message",
    "satisfaction",
    "set_thread",
    "set_up",
    "troubles",
    "unmet",
    "write",
    "writer_of",
]
