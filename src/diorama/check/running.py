"""Run every check of one app, world or scenario, and return the results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal

import msgspec

from diorama.check import apps, doors, generated, operations, planes, records, scenarios, worlds
from diorama.check.declaring import Check, NotApplicable, Warned, checks_of
from diorama.check.playing import OracleFailed
from diorama.check.subjects import AppSubject, app_subject
from diorama.kernel import Company, Defect
from diorama.kernel.location import described
from diorama.kit.discovery import apps as all_apps
from diorama.scenarios import Scenario, load_all
from diorama.scenarios import catalogue as all_scenarios
from diorama.worlds import catalogue as all_worlds

MODULES = (apps, operations, doors, worlds, scenarios, records, generated, planes)
"""Imported so that their checks are declared."""
SHOWN = 5


class Outcome(msgspec.Struct, frozen=True):
    """What one check found: it passed (perhaps with warnings), failed with problems, or was skipped for a reason."""

    check: str
    says: str
    result: Literal["passed", "failed", "skipped"]
    problems: list[str] = []
    more: int = 0
    """How many further problems are not listed."""
    stopped_by: str = ""
    """The check that failed with the error which keeps this one from being made."""


class Subject(msgspec.Struct, frozen=True):
    """What is checked: its kind, its name and the thing itself."""

    kind: Literal["app", "world", "scenario"]
    name: str
    thing: AppSubject | Company | Scenario[Any]

    def checks(self) -> list[Check]:
        """Return the checks of this kind of thing."""
        return checks_of("app", "operation", "tool", "door") if self.kind == "app" else checks_of(self.kind)


def find_subject(name: str) -> list[Subject]:
    """Return the scenario of this name, or the app and the world of this name; raise LookupError if there is none."""
    if "/" in name:
        known = load_all()
        if name not in known:
            raise LookupError(all_scenarios().explain(name))
        return [Subject("scenario", name, known[name])]
    app, world = name.replace("-", "_"), name
    found: list[Subject] = []
    if app in all_apps().found:
        found.append(Subject("app", app, app_subject(app)))
    if world in all_worlds().found:
        found.append(Subject("world", world, all_worlds().find(world)))
    if not found:
        raise LookupError(_explained(name))
    return found


def _explained(name: str) -> str:
    for catalogue in (all_apps(), all_worlds(), all_scenarios()):
        reason = catalogue.explain(name)
        if "could not be loaded" in reason:
            return reason
    known = f"apps: {', '.join(all_apps().found)}; worlds: {', '.join(all_worlds().found)}"
    return f"There is no app or world {name!r}. There are {known}. A scenario is named APP/NAME."


def run(
    subject: Subject, seen: Callable[[str], None] = lambda step: None, names: Collection[str] = ()
) -> Iterator[Outcome]:
    """Make every check of a subject, or those of some names; `seen` is told which one is being made.

    What raises in one check raises in many: the first one fails with the cause, the others are skipped and name it.
    """
    causes: dict[str, str] = {}
    for one in subject.checks():
        if names and one.name not in names:
            continue
        seen(one.says)
        problems: list[str] = []
        try:
            for problem in _problems(one, subject.thing):
                problems.append(problem)  # noqa: PERF402 - what was found before an error is kept
        except NotApplicable as reason:
            yield Outcome(one.name, one.says, "skipped", [str(reason)])
            continue
        except (Defect, Exception) as error:  # noqa: BLE001 - a check that cannot be made has failed, the others go on
            first = (error.__cause__ if isinstance(error, Defect | OracleFailed) else None) or error
            cause = described(first)  # without the variant: the same error in another one has the same cause
            if cause in causes and not problems:
                told = f"not made: the error of {causes[cause]} stops it too"
                yield Outcome(one.name, one.says, "skipped", [told], stopped_by=causes[cause])
                continue
            causes[cause] = one.name
            problems.append(str(error) if isinstance(error, OracleFailed) else cause)
        wrong = any(not isinstance(one, Warned) for one in problems)
        result: Literal["passed", "failed"] = "failed" if wrong else "passed"
        yield Outcome(one.name, one.says, result, problems[:SHOWN], max(0, len(problems) - SHOWN))


def _problems(one: Check, thing: Any) -> Iterator[str]:
    if one.of == "operation":
        for operation in thing.product.operations:
            yield from one.problems(thing, operation)
    elif one.of == "tool":
        for tool in thing.product.tools:
            yield from one.problems(thing, tool)
    else:
        yield from one.problems(thing)
