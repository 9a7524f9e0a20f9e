"""Score the reader on labelled replies: how many of each kind pass, per language, and which are misjudged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diorama.rewards.claims.case import Case, Grounds, Text, grounds_of
from diorama.rewards.claims.notes import notes_of
from diorama.rewards.claims.reader import Verdict, read
from diorama.rewards.claims.records import case_from_labelled, latest_day
from diorama.rewards.claims.things import (
    any_failed,
    brands_of,
    charges_of,
    due_days_of,
    parcels_of,
    payments_of,
    returns_of,
    stops_of,
    things_of,
    with_due_days,
)

PASSING = frozenset({"honest"})
"""The kinds of replies that should pass; no other kind should."""


class Labelled(msgspec.Struct, frozen=True):
    """One reply with its label."""

    scenario: str
    seed: int
    kind: str
    """honest, incomplete, false, leak, soup, retraction"""
    reply: str | tuple[str, ...]
    """The outgoing text, or several in order."""
    language: str = "en"
    author: str = ""
    why: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the outgoing texts."""
        return (self.reply,) if isinstance(self.reply, str) else self.reply


class Tally(msgspec.Struct):
    """How many replies there are and how many pass."""

    replies: int = 0
    passed: int = 0

    @property
    def share(self) -> float:
        """Return the share that passes, in percent."""
        return 100.0 * self.passed / self.replies if self.replies else 0.0


class Miss(msgspec.Struct, frozen=True):
    """One reply that was misjudged, and what the reader found in it."""

    scenario: str
    seed: int
    kind: str
    language: str
    why: str
    reply: str
    missing: tuple[str, ...]
    found: tuple[str, ...]
    """For each contradiction: its kind, the sentence, and what is wrong with it."""


class Report(msgspec.Struct):
    """The result of one scoring."""

    kinds: dict[str, Tally] = {}
    languages: dict[str, dict[str, Tally]] = {}
    contradictions: dict[str, dict[str, int]] = {}
    """For each kind of reply, how many have a contradiction of each kind."""
    misses: list[Miss] = []


def cases_of(labelled: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], Case]:
    """Build the cases of a file; a case that does not state its day gets the latest day of the file."""
    every = list(labelled)
    today = max((latest_day(one.get("records") or {}) for one in every), default="")
    return {(str(one["scenario"]), int(one["seed"])): _case(one, today) for one in every}


def _case(labelled: Mapping[str, Any], today: str) -> Case:
    """Return the case that `diorama cases` wrote, or build it from the records; what it lacks is added from these."""
    whole = labelled.get("case")
    if whole is None:
        return case_from_labelled(labelled, today)
    case = msgspec.convert(whole, Case)
    records, after = labelled.get("records") or {}, labelled.get("after")
    if not case.notes:
        case = msgspec.structs.replace(case, notes=notes_of(records))
    if not case.things:
        return msgspec.structs.replace(case, things=things_of(records, after))
    if case.private == Grounds():
        case = msgspec.structs.replace(case, known=case.known | grounds_of(records))
    case = _with_returns(case, after or records)
    if not case.parcels:
        return _with_parcels(case, after or {})
    numbers = {one.number for one in case.parcels}
    later = tuple(one for one in parcels_of(after or {}) if one.number not in numbers)
    if not later:
        return case
    dates = grounds_of([one.due for one in later])
    return msgspec.structs.replace(case, parcels=(*case.parcels, *later), known=case.known | dates)


def _with_returns(case: Case, rows: Mapping[str, Any]) -> Case:
    """Return a case of an earlier version with what its rows say about returns, grinds, carriers and failures."""
    known = {one.id: one for one in returns_of(rows)}
    grinds = {str(one.get("id")): str(one.get("option") or "") for one in rows.get("subscriptions") or ()}
    things = tuple(
        known.get(one.id, one)
        if one.kind == "return"
        else msgspec.structs.replace(one, option=grinds.get(one.id, one.option))
        if one.kind == "plan"
        else one
        for one in case.things
    )
    carriers = {one.number: one.carrier for one in parcels_of(rows)}
    return msgspec.structs.replace(
        case,
        things=with_due_days(things, due_days_of(rows)),
        parcels=tuple(msgspec.structs.replace(one, carrier=carriers.get(one.number, "")) for one in case.parcels),
        failed=any_failed(rows),
        brands=brands_of(rows),
    )


def _with_parcels(case: Case, rows: Mapping[str, Any]) -> Case:
    """Return a case of an earlier version with what its rows say about parcels and payments."""
    charges, placed = charges_of(rows), {str(one["id"]): one["created_at"][:10] for one in rows["recent_orders"]}
    things = tuple(
        msgspec.structs.replace(one, placed=placed.get(one.id, ""), charges=charges.get(one.id, 0))
        for one in case.things
    )
    return msgspec.structs.replace(
        case, things=things, parcels=parcels_of(rows), payments=payments_of(rows), stops=stops_of(rows)
    )


def judge(case: Case, reply: Labelled) -> Verdict:
    """Read one labelled reply."""
    return read(case, [Text(one) for one in reply.texts])


def add(report: Report, reply: Labelled, verdict: Verdict) -> None:
    """Count one verdict."""
    by_language = report.languages.setdefault(reply.language, {})
    for tally in (report.kinds.setdefault(reply.kind, Tally()), by_language.setdefault(reply.kind, Tally())):
        tally.replies += 1
        tally.passed += verdict.passes
    counts = report.contradictions.setdefault(reply.kind, {})
    for kind in sorted({one.kind for one in verdict.contradictions}):
        counts[kind] = counts.get(kind, 0) + 1
    if verdict.passes != (reply.kind in PASSING):
        report.misses.append(
            Miss(
                reply.scenario, reply.seed, reply.kind, reply.language, reply.why, "\n".join(reply.texts),
                tuple(str(one) for one in verdict.missing),
                tuple(f"{one.kind}: {one.sentence!r}: {one.found}" for one in verdict.contradictions),
            )
        )  # fmt: skip
