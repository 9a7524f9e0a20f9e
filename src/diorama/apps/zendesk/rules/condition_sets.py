"""Sets of conditions: compiled to one test, and what can change its answer while triggers run."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from diorama.apps.zendesk.rules.conditions import ALIASES, FIELDS, MOMENTS, Facts, Test, question_of, words
from diorama.apps.zendesk.schema import Condition, Conditions, Ticket

# --- what can change the answer of a condition

Token = str | tuple[str, str]
"""A field of the ticket, or one tag or one custom field of it: ("tags", "vip")."""

_WATCHED: dict[str, tuple[Token, ...]] = {
    "subject": ("subject",), "subject_includes_word": ("subject",),
    "description": ("description",), "description_includes_word": ("description",),
    "role": ("requester_id", "assignee_id"), "requester_role": ("requester_id", "assignee_id"),
    "requester.role": ("requester_id", "assignee_id"), "requester.tags": ("requester_id",),
    "organization.tags": ("organization_id",), "ticket_is_public": ("is_public",), "via_id": ("channel",),
    "current_via_id": ("channel",), "custom_status_id": ("custom_status_id", "status"), "reopens": ("reopens",),
}  # fmt: skip


def watched(condition: Condition) -> tuple[Token, ...]:
    """Return what a rule must change in a ticket to change the answer of this condition.

    Who made the update, its comment, the time and what is stored already stay the same while triggers run.
    """
    name = condition.field
    field = FIELDS.get(ALIASES.get(name, name))
    if field is not None:
        return (field.column, "requester_id")
    if name in ("current_tags", "tags"):
        return tuple(("tags", word) for word in words(condition.value))
    if name in MOMENTS:
        return (MOMENTS[name], "status", "schedule_id")
    if name.startswith(("custom_fields_", "ticket_fields_")):
        return (("custom_fields", name.removeprefix("custom_fields_").removeprefix("ticket_fields_")),)
    return _WATCHED.get(name, ())


def differences(before: Ticket, after: Ticket) -> set[Token]:
    """Return what differs between two states of a ticket."""
    found: set[Token] = set()
    for name in Ticket.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is new or old == new:
            continue
        if name == "tags":
            found.update((name, tag) for tag in set(old).symmetric_difference(new))
        elif name == "custom_fields":
            found.update((name, key) for key in {*old, *new} if old.get(key) != new.get(key))
        else:
            found.add(name)
    return found


# --- sets of conditions

_read_conditions = msgspec.json.Decoder(Conditions).decode
CACHED = 4_096
"""Longer sets of conditions, in characters, are compiled each time, so that the cache stays small."""


class Compiled(msgspec.Struct, frozen=True):
    """A set of conditions: as one test, and what can change its answer."""

    holds: Test
    watched: frozenset[Token]


def _compile(text: str) -> Compiled:
    conditions = _read_conditions(text)
    every = [question_of(condition) for condition in conditions.all]
    some = [question_of(condition) for condition in conditions.any]

    def holds(facts: Facts) -> bool:
        for test in every:
            if not test(facts):
                return False
        return not some or any(test(facts) for test in some)

    listed = (*conditions.all, *conditions.any)
    return Compiled(holds, frozenset(token for condition in listed for token in watched(condition)))


_compile_once = lru_cache(maxsize=4096)(_compile)


def compiled(text: str) -> Compiled:
    """Compile a set of conditions, stored as JSON; cached by its text."""
    return _compile_once(text) if len(text) <= CACHED else _compile(text)


def hold(text: str, facts: Facts) -> bool:
    """Test a set of conditions, stored as JSON."""
    facts.tx.spend(cost(text))
    return compiled(text).holds(facts)


def cost(text: str) -> int:
    """Return what compiling and testing a rule costs, in rows read; known or not, it costs the same."""
    return 1 + (len(text) >> 6)
