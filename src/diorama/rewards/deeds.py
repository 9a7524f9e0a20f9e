"""Deeds against what is owed: done, missing, and more than was owed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from diorama.kernel import Tx
from diorama.kit.damage import Cell
from diorama.kit.deeds import DEED_NAMES, Deed, Owed, Recogniser
from diorama.kit.places import plain, same_part, words_of
from diorama.rewards.finding import Finding
from diorama.rewards.history import History

PLACE_PARTS = ("name", "line1", "line2", "postal_code", "city", "region", "country")


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
    for deed in deeds:
        if (cell.table, cell.key) == (deed.table, deed.key):
            if cell.op == "insert" and not deed.columns:
                return True
            if cell.op == "update" and cell.column in (deed.columns or deed.states):
                return True
        elif (cell.table, cell.key) in deed.rows and (cell.op == "insert" or cell.last == deed.seq):
            return True
    return False


def match(owed: Sequence[Owed], deeds: Iterable[Deed]) -> Matched:
    """Match what is owed with the deeds that stand, each once: the strictest owed first."""
    left = [deed for deed in deeds if deed.stands]
    pairs: dict[int, Deed] = {}
    order = sorted(range(len(owed)), key=lambda place: (len(owed[place].subjects), place))
    for place in order:
        mine = next((deed for deed in left if fits(owed[place], deed)), None)
        if mine is not None:
            left.remove(mine)
            pairs[place] = mine
    done = tuple((owed[place], pairs[place]) for place in sorted(pairs))
    return Matched(done, tuple(one for place, one in enumerate(owed) if place not in pairs), tuple(left))


def fits(owed: Owed, deed: Deed) -> bool:
    """Check whether a deed is what is owed."""
    return (
        deed.kind == owed.kind
        and concerns(owed, deed)
        and (owed.cents is None or deed.cents == owed.cents)
        and (not owed.destination or deed.destination == owed.destination)
        and (not owed.customer or deed.customer == owed.customer)
        and (not owed.day or deed.day == owed.day)
        and all(_same(name, deed.to.get(name, ""), value) for name, value in (owed.to or {}).items())
        and goes_there(owed, deed.to)
    )


def goes_there(owed: Owed, place: Mapping[str, str]) -> bool:
    """Check whether an address is one that what is owed may go to.

    What is owed may state only a part of an address, or none. The rest has to be empty or stand in an address that is
    known: nothing else may be on a label. Without a street the whole address has to be a known one.
    """
    if not owed.places or not place.get("line1"):
        return True
    goal = owed.to or {}
    if not all(_same(name, place.get(name, ""), goal[name]) for name in PLACE_PARTS if name in goal):
        return False
    if "line1" not in goal and not any(
        all(_same(name, place.get(name, ""), known.get(name, "")) for name in ("line1", "postal_code", "city"))
        for known in owed.places
    ):
        return False
    open_parts = [name for name in PLACE_PARTS if name not in goal and place.get(name)]
    if not all(words_of(place[name]) <= _known_words(owed, name) for name in open_parts):
        return False
    phone = _digits(place.get("phone", ""))
    return not phone or any(_digits(known.get("phone", "")) == phone for known in owed.places)


def _known_words(owed: Owed, part: str) -> set[str]:
    return {word for known in (*owed.places, owed.to or {}) for word in words_of(known.get(part, ""))}


def _digits(phone: str) -> str:
    """Return the last digits of a phone number, so that prefixes may be written in any way."""
    return "".join(filter(str.isdigit, phone))[-7:]


def concerns(owed: Owed, deed: Deed) -> bool:
    """Check whether a deed acts on a subject of what is owed."""
    return not owed.subjects or deed.subject in owed.subjects or any(name in owed.subjects for name in deed.names)


def _same(name: str, one: str, other: str) -> bool:
    """Compare values as people write them; parts of an address in any ordinary spelling."""
    return same_part(name, one, other) if name in PLACE_PARTS else plain(one) == plain(other)


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
        out.append(Finding(mine is not None and not twice, describe(one), _found(one, seen), evidence))
    return out


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
