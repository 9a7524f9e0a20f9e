"""Rules of plausibility for the whole history of a company: what cannot have happened as its tables say."""

from __future__ import annotations

from diorama.kernel import Tx, World
from diorama.worlds._plausibility import (  # noqa: F401 - each declares rules, in this order
    causes,
    chronicles,
    configuration,
    conversations,
    desk,
    directory,
    files,
    money,
    parcels,
    people,
    times,
    voices,
)
from diorama.worlds._plausibility.records import Records
from diorama.worlds._plausibility.rule import RULES, Checked, Rule, apply
from diorama.worlds.firm import Firm, firm_of

__all__ = ["RULES", "Checked", "Rule", "check_history", "findings_of"]


def check_history(world: World) -> list[Checked]:
    """Apply every rule whose apps the company has."""
    return world.read(_check, firm_of(world.company))


def _check(tx: Tx, firm: Firm | None) -> list[Checked]:
    apps = {one.name for one in tx.company.apps}
    records = Records(tx, firm)
    return [apply(one, records) for one in RULES if one.apps <= apps]


def findings_of(world: World, name: str) -> tuple[str, ...]:
    """Return the findings of one rule; raise LookupError if there is none of this name."""
    one = next((rule for rule in RULES if rule.name == name), None)
    if one is None:
        raise LookupError(f"there is no rule {name!r}")
    return world.read(lambda tx: apply(one, Records(tx, firm_of(world.company))).findings)
