"""Deeds against what is owed: done, missing, and more than was owed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.kit.deeds import DEED_NAMES, Deed, Owed, Recogniser
from diorama.kit.places import PLACE_PARTS, differing_parts, plain
from diorama.rewards.finding import Finding
from diorama.rewards.history import History


class Matched(msgspec.Struct, frozen=True):
    """The result of a match; unpacks as (done, missing, excess)."""

    done: tuple[tuple[Owed, Deed], ...]
    missing: tuple[Owed, ...]
    excess: tuple[Deed, ...]

    def __iter__(self) -> Any:
        return iter((self.done, self.missing, self.excess))


def deeds_of(tx: Tx, history: History, recognisers: Mapping[str, Recogniser], *, agent: bool = True) -> list[Deed]:
    """Return the deeds of an episode so far, in order; only the agent's own ones unless `agent` is False."""
    found: dict[tuple[str, str, int | str], Deed] = {}
    for act in history.acts():
        if agent and not act.by.startswith("agent:"):
            continue
        for deed in recognisers[act.table](tx, act):
            found.setdefault((deed.kind, deed.table, deed.key), deed)  # two actors may have done it together
    return sorted(found.values(), key=lambda deed: deed.seq)


def covered(cell: Cell, deeds: Iterable[Deed]) -> bool:
    """Check whether a changed value belongs to one of these deeds: its row and columns, or rows that follow it."""
    for deed in () if cell.passed else deeds:
        if (cell.table, cell.key) == (deed.table, deed.key):
            if cell.op == "insert" and not deed.columns:
                return True
            if cell.op == "update" and cell.column in (deed.columns or deed.states):
                return True
        elif any(_goes_with(cell, deed, *row) for row in deed.rows):
            return True
    return False


def _goes_with(cell: Cell, deed: Deed, table: str, key: int | str, columns: Collection[str]) -> bool:
    """Check whether a changed value is one that changes with a deed, in another row."""
    if (cell.table, cell.key) != (table, key):
        return False
    if cell.op == "insert":
        return not columns
    return cell.last == deed.seq and (not columns or cell.column in columns)


def match(owed: Sequence[Owed], deeds: Iterable[Deed]) -> Matched:
    """Match what is owed with the deeds that stand, each once: the strictest owed first.

    A refund may be made in parts: a slip in the amount that was put right by a second refund of the same charge.
    """
    left = [deed for deed in deeds if deed.stands]
    pairs: dict[int, Deed] = {}
    order = sorted(range(len(owed)), key=lambda place: (len(owed[place].subjects), place))
    for place in order:
        mine = next((deed for deed in left if fits(owed[place], deed)), None)
        if mine is not None:
            left.remove(mine)
            pairs[place] = mine
    for place in (one for one in order if one not in pairs):
        parts = in_parts(owed[place], left)
        if parts:
            left = [deed for deed in left if deed not in parts]
            pairs[place] = _joined(parts)
    done = tuple((owed[place], pairs[place]) for place in sorted(pairs))
    return Matched(done, tuple(one for place, one in enumerate(owed) if place not in pairs), tuple(left))


def in_parts(owed: Owed, deeds: Iterable[Deed]) -> list[Deed]:
    """Return the refunds of one charge that make up an owed one together; [] if all of them do not add up to it."""
    if owed.kind != "refund" or owed.cents is None:
        return []
    whole = msgspec.structs.replace(owed, cents=None)
    mine = [deed for deed in deeds if fits(whole, deed)]
    one_charge = len({deed.subject for deed in mine}) == 1
    return mine if one_charge and sum(deed.cents or 0 for deed in mine) == owed.cents else []


def _joined(parts: Sequence[Deed]) -> Deed:
    """Return refunds that were made in parts as one, with the rows of all."""
    rows = [row for one in parts for row in ((one.table, one.key, one.columns), *one.rows)]
    cents = sum(one.cents or 0 for one in parts)
    return msgspec.structs.replace(parts[0], cents=cents, rows=tuple(rows[1:]), final=True)


def fits(owed: Owed, deed: Deed) -> bool:
    """Check whether a deed is what is owed."""
    return (
        deed.kind == owed.kind
        and concerns(owed, deed)
        and (owed.cents is None or deed.cents == owed.cents)
        and (not owed.destination or deed.destination == owed.destination)
        and (not owed.customer or deed.customer == owed.customer)
        and (not owed.day or deed.day == owed.day)
        and (not owed.reasons or deed.to.get("reason", "") in owed.reasons)
        and all(
            plain(deed.to.get(name, "")) == plain(value)
            for name, value in (owed.to or {}).items()
            if name not in PLACE_PARTS and name not in owed.any_of
        )
        and not wrong_parts(owed, deed.to)
    )


def goes_there(owed: Owed, place: Mapping[str, str]) -> bool:
    """Check whether an address is one that what is owed may go to."""
    return not wrong_parts(owed, place)


def wrong_parts(owed: Owed, place: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parts in which an address is not one that what is owed may go to.

    What is owed may state only a part of an address, or none. The rest has to be empty or stand in an address that is
    known: nothing else may be on a label. Without a street the whole address has to be a known one.
    """
    goal = {name: value for name, value in (owed.to or {}).items() if name in PLACE_PARTS}
    known = owed.places if place.get("line1") else ()
    if not goal and not known:
        return ()
    differs = differing_parts(place, goal, known)
    phone = _digits(place.get("phone", ""))
    known_phone = not phone or not known or any(_digits(one.get("phone", "")) == phone for one in known)
    return differs if known_phone else (*differs, "phone")


def _digits(phone: str) -> str:
    """Return the last digits of a phone number, so that prefixes may be written in any way."""
    return "".join(filter(str.isdigit, phone))[-7:]


def concerns(owed: Owed, deed: Deed) -> bool:
    """Check whether a deed acts on a subject of what is owed."""
    return not owed.subjects or deed.subject in owed.subjects or any(name in owed.subjects for name in deed.names)


def findings_of(owed: Sequence[Owed], deeds: Sequence[Deed]) -> list[Finding]:
    """Return one Finding for each thing owed: it holds if it was done exactly once."""
    matched = match(owed, deeds)
    done = {id(one): deed for one, deed in matched.done}
    out = []
    for one in owed:
        twice = [deed for deed in matched.excess if deed.kind == one.kind and concerns(one, deed)]
        mine = done.get(id(one))
        near = [deed for deed in deeds if deed.kind == one.kind and (concerns(one, deed) or _of_customer(one, deed))]
        seen = [mine, *twice] if mine is not None else twice or near
        evidence = tuple(sorted({deed.seq for deed in seen if deed.seq}))
        found = _found(one, seen) + (_differences(one, seen[0]) if mine is None and len(seen) == 1 else "")
        out.append(Finding(mine is not None and not twice, describe(one), found, evidence))
    return out


def _differences(owed: Owed, deed: Deed) -> str:
    """Return which parts of an address are not the owed ones, as the end of a sentence; "" if all are."""
    if not deed.to.get("line1"):
        return ""
    goal = owed.to or {}
    said = [
        f"{part} is {deed.to.get(part) or 'empty'}" + (f" instead of {goal[part]}" if goal.get(part) else "")
        for part in wrong_parts(owed, deed.to)
    ]
    return f"; what differs: {', '.join(said)}" if said else ""


def _of_customer(owed: Owed, deed: Deed) -> bool:
    return bool(owed.customer) and deed.customer == owed.customer


def _found(owed: Owed, deeds: Collection[Deed]) -> str:
    noun = DEED_NAMES.get(owed.kind, owed.kind.replace("_", " "))
    if not deeds:
        return f"no {noun}"
    said = "; ".join(describe_deed(deed) for deed in deeds)
    return said if len(deeds) == 1 else f"{len(deeds)} times {noun}: {said}"


def describe(owed: Owed) -> str:
    """Return what is owed as a sentence."""
    if owed.sentence:
        return owed.sentence
    subjects = " or ".join(owed.subjects) or owed.customer
    words = [DEED_NAMES.get(owed.kind, owed.kind.replace("_", " "))]
    if owed.cents is not None:
        words.append(f"of {money(owed.cents, owed.currency)}")
    if subjects:
        words.append(f"on {subjects}")
    words += _more(owed.destination, owed.to or {}, owed.day)
    return f"{' '.join(words)}, once"


def describe_deed(deed: Deed) -> str:
    """Return a deed as a sentence."""
    words = [DEED_NAMES.get(deed.kind, deed.kind.replace("_", " "))]
    if deed.cents is not None:
        words.append(f"of {money(deed.cents, deed.currency)}")
    words.append(f"on {deed.subject}")
    words += _more(deed.destination, deed.to, "")
    if not deed.stands:
        words.append("(taken back or failed)")
    return f"{' '.join(words)}{f' (event {deed.seq})' if deed.seq else ''}"


def _more(destination: str, to: Mapping[str, str], day: str) -> list[str]:
    words = []
    if destination:
        words.append(f"to {destination.replace('_', ' ')}")
    if to:
        words.append(f"({', '.join(f'{name} {value}' for name, value in to.items() if value)})")
    if day:
        words.append(f"from {day}")
    return words


def money(cents: int, currency: str = "") -> str:
    """Return an amount as a verdict states it."""
    return f"{cents / 100:.2f} {currency}".rstrip()
