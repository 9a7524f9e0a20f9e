"""Why an episode earned what it did: the parts of its score, ordered by what decided, and one sentence."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from diorama.rewards import DAMAGE_LOSES

DEED = "_is_made"
"""How the names of facts about deeds end at a desk."""
HEAVY = 2.0
"""Missing facts that weigh more come before what was said against a prohibition."""
Outcome = Literal["success", "failed", "void", "damaged"]
Mark = Literal["met", "partly met", "missing", "cost"]

ENDINGS = {
    "step_limit": "the agent used up its turns",
    "time_limit": "the time of the task was over",
    "token_limit": "the agent used up its tokens",
    "gave_up": "the agent gave up",
}
"""What an ending means that no note explains."""
NOT_SO = ("this does not hold", "this is not so")
"""What is found by a check that says only yes or no, now and in older runs."""
NOTHING = "nothing of this kind"
"""What older runs expected where something was found that costs."""


class Judged(msgspec.Struct, frozen=True):
    """One part of a score: what was expected, what was found, and the events that show it."""

    name: str
    scale: str
    value: float
    mark: Mark
    expected: str
    found: str
    because: str
    evidence: list[int] = []
    weight: float = 0.0


def mark_of(value: float) -> Mark:
    """Say what the value of a part means."""
    if value < 0.0:
        return "cost"
    return "met" if value >= 1.0 else "partly met" if value > 0.0 else "missing"


def outcome_of(result: Mapping[str, Any] | None) -> Outcome:
    """Return the outcome of a stored result; one that cannot be read is damaged."""
    if result is None:
        return "damaged"
    if result["ended"] == "void":
        return "void"
    return "success" if result["success"] else "failed"


def judged_parts(result: Mapping[str, Any]) -> list[Judged]:
    """Return the parts of a result's score that decide the outcome, in its order."""
    return [judged(part) for part in (result["score"] or {"parts": []})["parts"] if part["scale"] == "episode"]


def judged(part: Mapping[str, Any]) -> Judged:
    """Return one part of a score; parts of older runs say neither what was expected nor what was found."""
    mark, because = mark_of(part["value"]), part["because"]
    met = {"met": "this holds", "partly met": f"this holds in part ({part['value']:.2f})", "missing": "this is not so"}
    told = (NOTHING, because) if mark == "cost" else (because, met[mark])
    return Judged(
        part["name"],
        part["scale"],
        part["value"],
        mark,
        part.get("expected") or told[0],
        part.get("found") or told[1],
        because,
        list(part.get("evidence", ())),
        part.get("weight") or 0.0,
    )


def reasons(result: Mapping[str, Any]) -> list[Judged]:
    """Return the parts that explain why an episode did not earn everything, the decisive one first.

    If the reward is below 0, damage that costs success comes first. Then come deeds that are missing, then what was
    done or said against a prohibition, since a ticket that is open again may follow from it, and then the other
    missing facts, the one that weighs most first.
    """
    parts = [part for part in judged_parts(result) if part.mark != "met"]
    costs = [part for part in parts if part.mark == "cost"]
    rest = [part for part in parts if part.mark != "cost"]
    rest.sort(key=lambda part: -part.weight)  # older runs recorded none: then the order of the score counts
    heavy = [part for part in costs if part.value <= -DAMAGE_LOSES] if (result["reward"] or 0.0) < 0.0 else []
    broken = [part for part in costs if part.value <= -1.0 and part not in heavy and not _is_damage(part)]
    first = [part for part in rest if DEED in part.name or part.weight > HEAVY] if broken else []
    later = [part for part in rest if part not in first]
    return [*heavy, *first, *broken, *later, *(part for part in costs if part not in heavy and part not in broken)]


def _is_damage(part: Judged) -> bool:
    return part.name.startswith("damage: ")


def decided_by(results: Iterable[Mapping[str, Any] | None]) -> dict[str, int]:
    """Count which part decided each failure, the most frequent first."""
    failed = [result for result in results if result is not None and outcome_of(result) == "failed"]
    first = [found[0].name for found in map(reasons, failed) if found]
    return dict(Counter(first).most_common())


def first_reason(result: Mapping[str, Any] | None, note: str) -> str:
    """Return in one phrase why an episode is void, or did not earn everything; "" if there is nothing to explain."""
    if result is None:
        return "the stored result cannot be read"
    if result["fault"] is not None:
        return f"{result['fault']['boundary']}: {result['fault']['message']}"
    found = reasons(result)
    if result["success"]:
        return contrast(found[0]) if found else ""
    reason = contrast(found[0]) if found else ""
    ended = ENDINGS.get(result["ended"], "") if not note else ""
    return "; ".join(text for text in (note, reason, ended) if text)


def contrast(part: Judged) -> str:
    """Return what a part expected and found as one phrase, without a full stop at its end."""
    expected, found = part.expected.strip(), part.found.strip().removesuffix(".")
    if part.expected == NOTHING:
        return found
    if _is_damage(part):  # both sentences name the same row
        return f"{part.because.removesuffix('.')}: {found}"
    if part.mark == "cost" and part.because in expected:  # a harm: its sentence says what must not happen
        return f"{part.because.strip().removesuffix('.')} ({found})"
    if found in NOT_SO:
        return f"not met: {expected.removesuffix('.')}"
    if expected.endswith("."):  # a whole sentence
        return f"expected: {expected} Found: {found}"
    return f"expected {expected}, found {found}"


def headline(result: Mapping[str, Any] | None, note: str) -> str:
    """Return the first line of an episode's story: the outcome and the reason."""
    outcome, reason = outcome_of(result), first_reason(result, note)
    if result is None or outcome == "damaged":
        return f"Damaged: {reason}."
    if outcome == "void":
        return f"Void: the harness broke at the boundary {reason.removesuffix('.')}. There is no score."
    if outcome == "success":
        if not reason:
            return "Success: everything that was expected was found."
        return f"Success, but not with full quality: {reason}."
    return f"Failed: {reason or 'no part of the score says why'}."
