"""What a rule of plausibility is: a function over the records of a company that yields one result per check."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from diorama.worlds._plausibility.records import Records

Test = Callable[[Records], Iterator[str]]
"""Yields "" for everything that it looked at and found plausible, else what is wrong with which row."""
ZENDESK, BACKOFFICE = "zendesk", "backoffice"


class Rule(msgspec.Struct, frozen=True):
    """One rule: its name, what it says in one sentence, the apps whose tables it reads, and the test."""

    name: str
    says: str
    apps: frozenset[str]
    test: Test


class Checked(msgspec.Struct, frozen=True):
    """The result of one rule: how many checks it made, and every finding."""

    name: str
    says: str
    checks: int
    findings: tuple[str, ...]


RULES: list[Rule] = []
"""All rules, in the order in which they are declared."""


def rule(*apps: str) -> Callable[[Test], Test]:
    """Register a function as a rule: its name and the first line of its docstring are those of the rule."""

    def register(test: Test) -> Test:
        says = (test.__doc__ or "").partition("\n")[0]
        RULES.append(Rule(test.__name__, says, frozenset(apps), test))
        return test

    return register


def apply(one: Rule, records: Records) -> Checked:
    """Apply one rule to a company's records."""
    found = list(one.test(records))
    return Checked(one.name, one.says, len(found), tuple(text for text in found if text))


def at(moment: object) -> str:
    """Return a moment as findings write it."""
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment is not None else "never"
