"""Grounded oracles: every id, amount, date and address that an oracle uses stood in the brief or was shown before."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Literal
from urllib.parse import unquote

import msgspec

from diorama.check.mutations.asks import Ask, text_of
from diorama.check.mutations.entities import EMAIL, NUMBER, TOKEN, Day, cents_in, days_in, leaves
from diorama.check.mutations.scene import script
from diorama.kernel import World
from diorama.scenarios import Scenario

Kind = Literal["id", "amount", "date", "address"]
OWN_WORDS = frozenset({"idempotency_key", "idempotency-key", "minutes", "page", "per_page", "limit", "quantity"})
"""Arguments that an agent chooses itself."""
RECORDS = ("id", "ids", "order", "subject", "serial_number", "sku", "part_sku", "plan")
PLACES = ("line1", "postal_code")
YEARS = (2024, 2025)
"""A leap year and a common one: a shown day has no year, and a term may run past the end of February."""
LEAP_DAY: Day = (2, 29)
_CENTS = re.compile(r'cents\\?"?\s*[:=]\s*(\d+)')
_WHOLE = re.compile(r"\d+")
_PERCENT = re.compile(r"(\d{1,2}(?:\.\d+)?)\s?(?:%|percent|per cent|pour cent|Prozent)")
_TERM = re.compile(r"(\d{1,3})\s+(?:working |business )?(day|week|month|hour)")


class Value(msgspec.Struct, frozen=True):
    """A value in what an oracle sends."""

    kind: Kind
    text: str
    argument: str


class Ungrounded(msgspec.Struct, frozen=True):
    """A value that was never shown, and the step that used it."""

    step: int
    operation: str
    value: Value


class Grounding(msgspec.Struct, frozen=True, kw_only=True):
    """How far an oracle's arguments are grounded on one variant."""

    scenario: str
    seed: int
    split: str = "train"
    plan: str
    values: int
    derived: int
    """Values that follow from shown ones: a sum, a difference, a percentage, a term."""
    ungrounded: tuple[Ungrounded, ...] = ()

    @property
    def first(self) -> Ungrounded | None:
        """The first value that was never shown."""
        return self.ungrounded[0] if self.ungrounded else None

    @property
    def wrong(self) -> str:
        """What is wrong about it; "" if every value was shown."""
        if self.first is None:
            return ""
        value, count = self.first.value, len(self.ungrounded)
        return (
            f"step {self.first.step}, {self.first.operation}: the {value.kind} {value.text!r} ({value.argument}) was "
            f"never shown; {count} of {self.values} values"
        )


class Shown:
    """Everything that an agent has read so far."""

    def __init__(self) -> None:
        self.text = ""
        self.numbers: set[str] = set()
        self.amounts: set[int] = set()
        self.days: set[Day] = set()

    def add(self, text: str) -> None:
        """Take in one more text."""
        plain = text.replace("\\n", "\n").replace('\\"', '"')
        self.text += "\n" + plain.lower()
        self.numbers.update(_WHOLE.findall(plain))
        self.amounts.update(int(found) for found in _CENTS.findall(plain))
        self.amounts |= cents_in(plain)
        self.days |= days_in(plain)

    def holds(self, value: Value) -> Literal["shown", "derived", ""]:
        """Return whether a value was shown, or follows from shown ones."""
        if value.kind == "amount":
            cents = int(value.text)
            if cents in self.amounts or str(cents) in self.numbers:
                return "shown"
            return "derived" if self._follows(cents) else ""
        if value.kind == "date":
            month, day = (int(part) for part in value.text.split("-"))
            if (month, day) in self.days:
                return "shown"
            return "derived" if self._after_a_term((month, day)) else ""
        if value.text.isdigit():
            return "shown" if value.text in self.numbers else ""
        return "shown" if value.text.lower() in self.text else ""

    def _follows(self, cents: int) -> bool:
        """Return whether an amount is a sum or difference of two amounts, a multiple, or a percentage of one."""
        known = self.amounts
        if any(cents - one in known or cents + one in known for one in known):
            return True
        if any(one and cents % one == 0 and cents // one <= 12 for one in known):
            return True
        shares = {float(found) for found in _PERCENT.findall(self.text)}
        return any(
            abs(one * part / 100 - cents) <= 1 for one in known for share in shares for part in (share, 100 - share)
        )

    def _after_a_term(self, day: Day) -> bool:
        """Return whether a day is a shown day plus a term that was shown."""
        units = {"day": 1, "week": 7, "month": 30, "hour": 0}
        terms = {int(count) * units[unit] for count, unit in _TERM.findall(self.text)}
        for year in YEARS:
            for month, number in self.days:
                if (month, number) == LEAP_DAY and not isleap(year):
                    continue
                start = date(year, month, number)
                if any((start + timedelta(days=term)).timetuple()[1:3] == day for term in terms):
                    return True
        return False


def values_of(ask: Ask) -> Iterator[Value]:
    """Yield the ids, amounts, dates and addresses in what an ask sends."""
    sent: Any = ask.arguments if ask.tool else {"path": ask.path, "query": unquote(ask.query), "body": ask.body}
    for name, value in leaves(sent):
        if name in OWN_WORDS or isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int | float):
            if name.endswith("_cents"):
                yield Value("amount", str(int(value)), name)
            elif name == "id" or name.endswith(("_id", "_ids")):
                yield Value("id", str(value), name)
        elif isinstance(value, str):
            yield from _in_text(name, value)


def _in_text(name: str, text: str) -> Iterator[Value]:
    if name in PLACES:
        if text:
            yield Value("address", text, name)
        return
    whole = bool(text) and " " not in text and (name in RECORDS or name.endswith("_id"))
    if whole:
        yield Value("id", text, name)
        return
    for pattern in (TOKEN, NUMBER, EMAIL):
        for found in pattern.findall(text):
            if not found.lower().startswith(("reason_", "why_")):
                yield Value("id", found, name)
    yield from (Value("amount", str(cents), name) for cents in sorted(cents_in(text)))
    yield from (Value("date", f"{month:02d}-{day:02d}", name) for month, day in sorted(days_in(text)))
    if name == "path":
        yield from (Value("id", part, name) for part in re.findall(r"\d{2,}", text))


def grounded(scenario: Scenario[Any], seed: int, split: str = "train") -> Grounding:
    """Play the oracle, and find every value that it uses without having read it."""
    known = script(scenario, seed, split)
    shown = Shown()
    for text in (known.brief, repr(known.done.tools), scenario.person):  # an agent knows its tools and who it is
        shown.add(text)
    today = World.at(known.staged).now
    shown.days.add((today.month, today.day))
    values, derived, missing = 0, 0, []
    for number, step in enumerate(known.steps, start=1):
        for value in dict.fromkeys(values_of(step.ask)):
            values += 1
            holds = shown.holds(value)
            derived += holds == "derived"
            if not holds:
                missing.append(Ungrounded(number, step.ask.tool or f"{step.ask.method} {step.ask.path}", value))
        shown.add(text_of(step.answer))
    return Grounding(
        scenario=scenario.name,
        seed=seed,
        split=split,
        plan=known.result.plan,
        values=values,
        derived=derived,
        ungrounded=tuple(missing),
    )
