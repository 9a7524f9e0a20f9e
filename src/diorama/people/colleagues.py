"""Colleagues who know things: what they answer to a question, when they read it, and how they write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from diorama.kernel import Dice, Tx
from diorama.people.directory import (
    ADDRESS_AT_MOST,
    Contact,
    address_of,
    is_staff_address,
    mailbox_at,
    next_at_work,
)
from diorama.people.grammar import Renderer
from diorama.people.material import load
from diorama.people.post import Posted
from diorama.people.reading import READ_AT_MOST
from diorama.people.schema import Knows, Persona
from diorama.people.settings import settings
from diorama.people.typos import add_typos
from diorama.people.writing import date_facts

TOPICS_AT_MOST = 3
"""How many topics one answer covers."""
ROWS_AT_MOST = 400
"""How many rows of knowledge are compared with a question."""
MAILS_AT_MOST = 50
"""How many of the newest mails of a thread decide who would read an answer."""
NAMES_ANOTHER = {"warm": 0.9, "chatty": 0.9, "careful": 0.8, "macro": 0.5, "brisk": 0.4}
"""Chance that a colleague who does not know says who might, by habit."""
TYPO_RATE = {"warm": 0.006, "chatty": 0.014, "careful": 0.001, "macro": 0.003, "brisk": 0.016}
_WORD = re.compile(r"[^\W_]+")


# --- what is asked


class Question:
    """A text that is compared with topics, in time that grows with its length plus the number of topics."""

    def __init__(self, text: str) -> None:
        self.words = frozenset(_WORD.findall(text[:READ_AT_MOST].lower()))
        self._beginnings: dict[int, frozenset[str]] = {}

    def is_about(self, about: Iterable[str]) -> bool:
        """Check whether the text has a word that begins with each entry; `a|b` means either."""
        entries = tuple(about)
        return bool(entries) and all(any(map(self._has, entry.split("|"))) for entry in entries)

    def _has(self, beginning: str) -> bool:
        length = len(beginning)
        if length not in self._beginnings:
            self._beginnings[length] = frozenset(word[:length] for word in self.words)
        return beginning in self._beginnings[length]


def known_topics(rows: Sequence[Knows], question: Question, now: datetime) -> list[Knows]:
    """Return what the rows say about a question: of each topic the newest that is not in the future."""
    found: dict[str, Knows] = {}
    for row in sorted(rows, key=lambda one: (one.since, one.id)):
        if row.since <= now and question.is_about(row.about):
            found[row.topic] = row
    best = sorted(found.values(), key=lambda one: (-len(one.about), one.id))
    return best[:TOPICS_AT_MOST]


# --- when they read it


def reading_delay(tx: Tx, dice: Dice, contact_id: str, median_hours: float) -> timedelta:
    """Draw after how long a colleague answers: within their shift, after their days off and absences."""
    contact = tx.find(Contact, contact_id)
    hours = min(max(dice.lognormal(median_hours, 0.8), 0.05), 6.0)
    if contact is None:
        return timedelta(seconds=round(hours * 3600))
    begins = next_at_work(tx, contact, tx.now)
    there = next_at_work(tx, contact, begins + timedelta(hours=hours))
    return timedelta(seconds=max(60, round((there - tx.now).total_seconds())))


# --- what they say


def answer(tx: Tx, dice: Dice, persona: Persona, thread: str, text: str, asker: str) -> str:
    """Return a colleague's answer: what they know, or that they do not and who might, in their own style.

    What they know is for colleagues alone: they do not say it to anyone else, nor with others in copy.
    """
    contact = tx.find(Contact, persona.contact_id) or Contact(id=persona.contact_id, name=persona.name)
    said = load("en")["colleague"]
    readers = readers_of(tx, thread)
    if readers != "colleagues":
        return _dressed(tx, dice, contact, [dice.pick(said[readers])], "")
    question = Question(text)
    tx.spend(len(question.words))
    known = known_topics(tx.all(Knows, "contact_id = ?", contact.id, limit=ROWS_AT_MOST), question, tx.now)
    if known:
        return _dressed(tx, dice, contact, [_telling(dice, one, contact, said) for one in known], asker)
    return _dressed(tx, dice, contact, [_unknown(tx, dice, contact, question, said)], asker)


def readers_of(tx: Tx, thread: str) -> Literal["colleagues", "outsiders", "strangers"]:
    """Return who would read an answer in a thread: colleagues alone, outsiders too, or a stranger who asks."""
    mails = tx.all(Posted, "thread = ?", thread, order="id DESC", limit=MAILS_AT_MOST)
    tx.spend(sum(len(one.to) + len(one.cc) for one in mails) * 40)
    if not mails or not all(is_staff_address(tx, one.author or one.sender) or one.auto_submitted for one in mails):
        return "strangers"
    inside = {to: _is_inside(tx, to) for to in {to for one in mails for to in (*one.to, *one.cc)}}
    return "colleagues" if all(inside.values()) else "outsiders"


def _is_inside(tx: Tx, to: str) -> bool:
    """Check whether an address belongs to a colleague or to an app of the company."""
    box = mailbox_at(tx, address_of(to)[:ADDRESS_AT_MOST])
    return box is not None and (bool(box.app) or is_staff_address(tx, box.id))


def _telling(dice: Dice, row: Knows, contact: Contact, said: dict[str, list[str]]) -> str:
    """Return an answer; a careful colleague says since when they know it."""
    if contact.habit not in ("careful", "warm") and not dice.chance(0.3):
        return row.answer
    parts = date_facts(row.since, "en")
    day = f"{parts['month']} {parts['year']}"
    return f"{row.answer} {dice.pick(said['since']).replace('{date}', day)}"


def _unknown(tx: Tx, dice: Dice, contact: Contact, question: Question, said: dict[str, list[str]]) -> str:
    """Say that they do not know, and sometimes who might: someone who knows something about it."""
    others = tx.all(Knows, "contact_id <> ?", contact.id, order="since DESC, id", limit=ROWS_AT_MOST)
    tx.spend(len(others) * 4)
    who = next((one.contact_id for one in others if one.since <= tx.now and question.is_about(one.about)), "")
    someone = tx.find(Contact, who) if who else None
    if someone is not None and dice.chance(NAMES_ANOTHER.get(contact.habit, 0.6)):
        return dice.pick(said["ask"]).replace("{who}", someone.given).replace("{address}", someone.email)
    return dice.pick(said["unknown"])


def _dressed(tx: Tx, dice: Dice, contact: Contact, sentences: Sequence[str], asker: str) -> str:
    """Write sentences as a colleague does: greeting, length, typing errors and signature follow from their habit."""
    material, habit = load("en")["colleague"], contact.habit or "warm"
    facts = {"given": contact.given or contact.name, "name": contact.name, "team": contact.team}
    facts |= {"company": settings(tx).shop_name} | ({"asker": asker} if asker else {})
    renderer = Renderer(dice, facts)
    greeting = renderer.fill(renderer.pick(material["greetings"][habit]))
    closing = renderer.fill(renderer.pick(material["closings"][habit]))
    padding = renderer.fill(renderer.pick(material["padding"])) if habit == "chatty" else ""
    body = " ".join(filter(None, (_typed(dice, habit, " ".join(sentences)), padding)))
    gap = " " if habit == "brisk" and greeting else "\n\n"
    return gap.join(filter(None, (greeting, body))) + (f"\n\n{closing}" if closing else "")


def _typed(dice: Dice, habit: str, text: str) -> str:
    """Mistype some words; those with digits, capitals or an @ stay, because they are names and facts."""
    rate = TYPO_RATE.get(habit, 0.0)
    words = text.split(" ")
    return " ".join(add_typos(dice, word, rate) if word.isalpha() and word.islower() else word for word in words)
