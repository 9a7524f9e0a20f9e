"""What the desk says: answers, questions, notes, macros and enclosures, by topic, language and case."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from diorama.kernel import Dice
from diorama.people.material import load
from diorama.worlds.larkspur.company import Colleague
from diorama.worlds.larkspur.topics import MATERIAL, fitting


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Something the desk has to ask, and what people answer to exactly that."""

    ask: tuple[str, ...]
    back: tuple[str, ...]
    unless: str = ""
    """The fact that makes it needless when the customer has told it."""
    case: str = ""

    def sensible(self, marks: frozenset[str], told: Mapping[str, str]) -> bool:
        """Whether somebody who read the letter would ask this."""
        return self.unless not in told and (not self.case or bool(marks & set(self.case.split(","))))


def answers(language: str) -> dict[str, Any]:
    """Everything authored for the desk in a language, by topic."""
    return load(f"answers_{language}", MATERIAL)


def phrases(language: str, topic: str, part: str, marks: frozenset[str]) -> list[str]:
    """What fits a case of a topic."""
    return fitting(answers(language).get(topic, {}).get(part, ()), marks)


@cache
def questions(language: str, topic: str) -> tuple[Question, ...]:
    """What can be asked about a topic."""
    return msgspec.convert(answers(language).get(topic, {}).get("questions", []), tuple[Question, ...])


# --- macros


class Canned(msgspec.Struct, frozen=True, kw_only=True):
    """A macro of the desk, and where somebody uses it."""

    title: str
    text: str
    tags: str
    status: str
    topic: str = ""
    part: str = ""
    when: str = ""


MACRO_HABIT = {"macro": 0.8, "brisk": 0.3, "warm": 0.12, "chatty": 0.06, "careful": 0.06}
"""How readily colleagues of a habit take a macro where there is one."""


@cache
def canned() -> tuple[Canned, ...]:
    """Every macro of the desk."""
    return msgspec.convert(load("rules", MATERIAL)["macros"], tuple[Canned, ...])


def draw_macro(dice: Dice, who: Colleague, topic: str, part: str, marks: frozenset[str]) -> Canned | None:
    """The macro that a colleague takes instead of own words, if any."""
    fits = [
        one
        for one in canned()
        if one.topic == topic and one.part == part and (not one.when or marks & set(one.when.split(",")))
    ]
    return dice.pick(fits) if fits and dice.chance(MACRO_HABIT[who.habit]) else None


def rendered(macro: Canned, given: str, name: str, who: Colleague) -> str:
    """A macro's words with its placeholders filled."""
    filled = {
        "{{ticket.requester.first_name}}": given,
        "{{ticket.requester.name}}": name,
        "{{current_user.first_name}}": who.given,
        "{{current_user.name}}": who.name,
    }
    text = macro.text
    for hole, value in filled.items():
        text = text.replace(hole, value)
    return text


# --- enclosures

ENCLOSED = re.compile(
    r"attach(?!ments are confidential)|\banbei|anhang|hängt an|hängen an|ci-joint|jointes?\b|(?:relevé|cv) joint"
    r"|sont joints|adjunt|bijlage|bijgevoegd|foto's (?:erbij|toegevoegd)|afschrift toegevoegd",
    re.IGNORECASE,
)
"""Words that promise a file."""
LABEL = re.compile(r"label|etikett|étiquette|etiqueta", re.IGNORECASE)


def promised(text: str) -> bool:
    """Whether a text says that something is attached."""
    return ENCLOSED.search(text) is not None


def enclosures(topic: str, facts: Mapping[str, str], text: str) -> tuple[str, ...]:
    """What a colleague attaches when they say so: a label, an invoice, a manual, a sheet of the workshop."""
    if not promised(text):
        return ()
    order = facts.get("order", "").upper().lstrip("#")
    product = facts.get("product", "machine").lower().replace(" ", "_")
    if LABEL.search(text):
        return (f"return_label_{order}.pdf",)
    names = {
        "invoice_request": f"invoice_{order}.pdf",
        "double_charge": f"invoice_{order}.pdf",
        "wholesale": "larkspur_trade_prices.pdf",
        "privacy": "personal_data.zip",
        "how_to": f"manual_{product}.pdf",
    }
    return (names.get(topic, f"{product}_workshop_sheet.pdf"),)


def spoken(texts: Sequence[str]) -> str:
    """Sentences one after the other, without the empty ones."""
    return " ".join(text for text in texts if text)
