"""Mistakes in plans that can be told without staging: unknown slots, names of the cast, facts, fields and options."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from diorama.apps.backoffice.schema import Order
from diorama.scenarios.cast import VALUE_KINDS, Value, Worded, bare_kind, kinds_of, noun_of, slots_of, type_named
from diorama.scenarios.owed import DEED_KINDS
from diorama.scenarios.past import ALWAYS, Step
from diorama.scenarios.plan import Plan
from diorama.scenarios.plan_twins import undecidable
from diorama.scenarios.proving import STRANGERS
from diorama.worlds.closing import TITLES, ClosingForm

OF_OTHERS = ("other_", "stranger_")
"""How the cast's names of further matters begin; their own letters name the rows without it."""
ROW_ARGUMENTS = ("of", "cents")
"""Arguments of steps that name a row of the cast."""


def mistakes_of(plans: Sequence[Plan], form: ClosingForm, subjects: Sequence[str]) -> Iterator[str]:
    """Yield one sentence for each mistake in these plans: the plan, the value, and the values that are valid."""
    sound = []
    for plan in plans:
        wrong = [f"plan {plan.name!r}: {told}" for told in _mistakes(plan, form, plan.subjects or subjects)]
        yield from wrong
        sound += [] if wrong else [plan]
    for one, other, differs in undecidable(sound, form):
        yield (
            f"plans {one.name!r} and {other.name!r} can have the same past and the same letter, and their answers "
            f"differ in: {differs}. No one could tell them apart: let the letter, a note or a record say which it is"
        )


def _mistakes(plan: Plan, form: ClosingForm, subjects: Sequence[str]) -> Iterator[str]:
    known = {rule.fact for rule in form.reason_rules}
    yield from _unknown("fact", plan.facts, known, "the form's table has")
    ends = [one.value for one in form.resolutions]
    yield from _unknown("resolution", plan.resolution, ends, "the form has")
    yield from _unknown("key in closing", plan.closing, list(TITLES), "the form has")
    yield from _unknown("deed in owed", [due.kind for due in plan.owed], DEED_KINDS, "there are")
    for due in plan.owed:
        yield from due.mistakes() if due.kind in DEED_KINDS else ()
    cast: set[str] | None = set(ALWAYS)
    for step in plan.past:
        wrong = list(step.mistakes())
        yield from wrong
        adds = None if wrong else step.adds()
        cast = None if cast is None or adds is None else cast | adds
        if cast is not None:
            yield from _of_step(step, cast)
    if cast is not None:
        yield from _of_cast(plan, cast, subjects)
    yield from _untold(plan, cast)


def _of_step(step: Step, cast: set[str]) -> Iterator[str]:
    """Yield what a step names that the cast does not have yet."""
    named = step.arguments()
    for key in ROW_ARGUMENTS:
        value = named.get(key)
        if isinstance(value, str) and value:
            yield from _unknown(f"row in {key}= of the step {step.name}", [value], cast, "the cast has by then")
    for text in _texts(list(named.values())):
        yield from _slots(f"the step {step.name}", text, cast)


def _of_cast(plan: Plan, cast: set[str], subjects: Sequence[str]) -> Iterator[str]:
    """Yield what the plan names that the cast does not have."""
    lead = "the cast has"
    for due in plan.owed:
        rows = [*due.rows, *(one for one in (due.to, getattr(due, "on", "")) if one)]
        rows += [due.cents.row] if isinstance(due.cents, Value) and due.cents.row else []
        yield from _unknown(f"row in owed ({due.kind})", rows, cast, lead)
    for key in ("tell", "offers"):
        for value in getattr(plan, key):
            yield from _value(key, value, cast)
    for key in ("writes_from", "signs", "hand_over"):
        yield from _unknown(f"row in {key}", [getattr(plan, key)] if getattr(plan, key) else [], cast, lead)
    if plan.about not in ("", "order"):  # "order" is the default, also of plans without one
        yield from _unknown("row in about", [plan.about], cast, lead)
    for key, said in plan.closing.items():
        yield from _value(f"closing[{key!r}]", said, cast) if isinstance(said, Value) else _slots("closing", said, cast)
    own = cast | {"which"}
    if hasattr(plan, "mails"):  # each of several mails names the rows of its matter without its lead
        own |= {name.removeprefix(lead) for name in cast for lead in OF_OTHERS if name.startswith(lead)}
    texts = {"letter": plan.letter, "reply": [plan.reply], "retort": plan.retort, "asks": [plan.asks]}
    texts |= {"tells": [f"{{{one}}}" for one in plan.tells], "subjects": subjects}
    texts |= {key: _texts(getattr(plan, key, ())) for key in ("then", "notice")}
    texts["mails"] = [text for one in getattr(plan, "mails", ()) for text in _texts([one.letter, one.subjects])]
    for key, each in texts.items():
        for text in _texts(each):
            yield from _slots(key, text, own | {"order"} if key == "subjects" else own)


def _untold(plan: Plan, cast: set[str] | None) -> Iterator[str]:
    """Yield what is missing where nothing is owed: such a plan is won by what the reply states."""
    if plan.owed or plan.hand_over or plan.withholds or plan.proves in STRANGERS:
        return
    if not plan.tell:
        yield (
            "it owes nothing, requires no value to be told and hands nothing over, so that any reply would do: give "
            'it owed=, hand_over=, or tell= with a value of the records, such as day("parcel", "arrived_day")'
        )
        return
    stated = {_slot(row, kind) for text in _texts([plan.letter, plan.retort]) for row, kind in slots_of(text)}
    if all(_slot(one.row, one.kind) in stated for one in plan.tell):
        told = ", ".join(str(one) for one in plan.tell)
        yield f"the letter itself states all that must be told ({told}): tell= needs a value that only the records have"
    said = {_slot(row, kind) for text in _texts(plan.reply) for row, kind in slots_of(text)}
    for one in plan.tell:
        if cast is not None and one.row not in cast:  # no reply could state it
            continue
        if type_named(one.row) is not None and _slot(one.row, one.kind) not in said:
            slot = one.row if one.kind == bare_kind(type_named(one.row) or str) else f"{one.row}.{one.kind}"
            yield f"reply does not state {one}, which tell= requires: write {{{slot}}} into it"


def _slot(row: str, kind: str) -> tuple[str, str]:
    """Return a slot with the kind of value that it states, also if it is bare."""
    return row, kind or bare_kind(type_named(row) or Order)


def _value(where: str, value: Any, cast: set[str]) -> Iterator[str]:
    if not isinstance(value, Value):
        yield f'{where} takes values of the cast, such as amount("charge"), not {value!r}'
        return
    yield from _unknown(f"row in {where}", [value.row], cast, "the cast has")
    yield from _kind(where, value.row, value.kind)


def _kind(where: str, row: str, kind: str) -> Iterator[str]:
    """Yield the kind of value if there is none such, or if the row cannot state it."""
    found = type_named(row)
    known = kinds_of(found) if found is not None else VALUE_KINDS
    lead = f"the {noun_of(found)} has" if found is not None else "there are"
    yield from _unknown(f"kind of value in {where}", [kind], known, lead)


def _slots(where: str, text: str, cast: set[str]) -> Iterator[str]:
    for row, kind in slots_of(text):
        yield from _unknown(f"slot in {where}", [row], cast, "the cast has")
        yield from _kind(where, row, kind) if kind else ()


def _unknown(what: str, used: Collection[str], known: Collection[str], lead: str) -> Iterator[str]:
    for one in used:
        if one not in known:
            yield f"unknown {what}: {one!r}; {lead} {', '.join(sorted(known))}"


def _texts(values: Any) -> list[str]:
    """Return every text in nested sequences, in all its languages."""
    if isinstance(values, Worded):
        return [str(values), *values.others.values()]
    if isinstance(values, str):
        return [values]
    if isinstance(values, Sequence):
        return [text for one in values for text in _texts(one)]
    return [text for one in values.values() for text in _texts(one)] if isinstance(values, Mapping) else []


__all__ = ["mistakes_of"]
