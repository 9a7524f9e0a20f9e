"""Plan sheets: for each plan of a scenario one staged variant, with the hidden truth, for its author."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from diorama.apps.zendesk.schema import Comment
from diorama.episodes.episode import Episode, start
from diorama.kernel import from_us
from diorama.scenarios import Scenario
from diorama.scenarios.covering import first_variants
from diorama.worlds.closing import TITLES

RECORDS = (
    "orders", "order_lines", "charges", "refunds", "credits", "shipments", "returns", "replacements", "units",
    "subscriptions", "notes",
)  # fmt: skip
"""The tables of the back office whose rows are shown."""
HIDDEN = frozenset({"customer_id", "updated_at", "timer", "email", "currency", "fate", "position"})
"""Columns that say nothing about the case."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """What an author wants to see of one plan: a variant of it, what it stages and what it expects."""

    plan: str
    split: str
    seed: int
    letter: str
    records: tuple[str, ...]
    owed: tuple[str, ...]
    told: tuple[str, ...]
    form: dict[str, str]
    hand_over: str
    reply: str


def sheets(scenario: Scenario[Any]) -> Iterator[Sheet]:
    """Stage one variant of each plan that has its own split: of those that train and eval share, one of train."""
    for (split, plan), variant in first_variants(scenario).items():
        if split != "eval":
            yield sheet(start(scenario, variant.seed, split=split), plan, split, variant.seed)


def sheet(episode: Episode, plan: str, split: str, seed: int) -> Sheet:
    """Return what one staged variant shows and expects."""
    truth = episode.truth
    ticket = getattr(truth, "ticket_id", 0)
    mails = episode.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", ticket, order="id")) if ticket else []
    made = str(getattr(truth, "made", "")).replace("_", " ")
    right = getattr(truth, "closing", {})
    form = {TITLES[key]: " or ".join(right[key]) for key in TITLES if key in right}
    if made and TITLES["record"] in form:
        numbers = (form[TITLES["record"]], f"the number of the {made}")
        form[TITLES["record"]] = " or ".join(one for one in numbers if one)
    return Sheet(
        plan=plan,
        split=split,
        seed=seed,
        letter="\n---\n".join(one.body for one in mails),
        records=tuple(_records(episode, str(getattr(truth, "customer_id", "")))),
        owed=tuple(one.sentence for one in getattr(truth, "owed", ())),
        told=tuple(f"{one.kind} {one.text}" for one in getattr(truth, "tell", ())),
        form={title: value or "known once it is done" for title, value in form.items()},
        hand_over=str(getattr(truth, "hand_over", "")),
        reply=str(getattr(truth, "reply", "")),
    )


def _records(episode: Episode, customer: str) -> Iterator[str]:
    """Yield the rows of the customer that staging wrote, one line each."""
    rows: dict[tuple[str, Any], dict[str, Any]] = {}
    for event in episode.events:
        for change in event.changes:
            rows.setdefault((change.table, change.key), {}).update(change.after or {})
    mine = {key for (_, key), row in rows.items() if row.get("customer_id") == customer}
    for (table, key), row in sorted(rows.items(), key=lambda one: (_place(one[0][0]), str(one[0][1]))):
        if _noun(table) in RECORDS and (key in mine or row.get("order_id") in mine):
            yield f"{_noun(table)} {key}: {', '.join(_cells(row))}"


def _noun(table: str) -> str:
    return table.removeprefix("backoffice_")


def _place(table: str) -> int:
    return RECORDS.index(_noun(table)) if _noun(table) in RECORDS else len(RECORDS)


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    for name, value in row.items():
        if name in HIDDEN or name == "id" or value in (None, "", 0) or str(value)[:1] in "{[":
            continue
        if name.endswith("_cents") and isinstance(value, int):
            yield f"{name.removesuffix('_cents')} {value / 100:.2f}"
        elif name.endswith(("_at", "_until")) and isinstance(value, int):
            yield f"{name} {from_us(value):%Y-%m-%d %H:%M}"
        else:
            yield f"{name} {value}"


def as_text(one: Sheet) -> str:
    """Return a sheet as Markdown."""
    lines = [f"## {one.plan} ({one.split}, seed {one.seed})", *(f"> {line}" for line in one.letter.splitlines()), ""]
    for title, found in (("Records", one.records), ("Owed", one.owed), ("Must be told", one.told)):
        lines += [f"{title}:", *(f"- {each}" for each in found or ("nothing",))]
    lines += ["Form:", *(f"- {title}: {value}" for title, value in one.form.items())]
    lines += [f"Handed over to: {one.hand_over}"] if one.hand_over else []
    return "\n".join([*lines, f"A true reply: {one.reply}", ""])


__all__ = ["Sheet", "as_text", "sheet", "sheets"]
