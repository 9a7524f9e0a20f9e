"""Cases for `diorama judge-score`: staged variants with what was done, as plain data that labelled replies refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from diorama.episodes.episode import Episode, start
from diorama.rewards.claims import Case
from diorama.rewards.parts import View
from diorama.scenarios import Scenario
from diorama.scenarios.covering import plan_drawn
from diorama.scenarios.saying import case_of, entities_of

BESIDE = ("charges", "refunds", "credits", "shipments", "returns", "replacements")
"""What a case shows beside the overview of a customer."""


class Working:
    """The agent interface of an episode without its end, so that an oracle leaves the world open."""

    def __init__(self, episode: Episode) -> None:
        self._hands = episode.hands

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hands, name)

    def call(self, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Call a tool; `finish` does nothing."""
        if tool == "finish":
            return self._hands.call("wait", {"minutes": 0})
        return self._hands.call(tool, dict(arguments or {}))


def is_readable(scenario: Scenario[Any]) -> bool:
    """Check whether the words of a scenario are read against a case: its truth says what must be told."""
    return {"tell", "owed", "customer_id", "ticket_id"} <= set(scenario.truth.__struct_fields__)


def make_case(scenario: Scenario[Any], seed: int, split: str) -> dict[str, Any]:
    """Stage a variant, let the oracle work, and return the case: the thread, the records, what was done and the words.

    `case` is what the judge compares words with, as in grading at that moment.
    """
    episode = start(scenario, seed, split=split)
    truth = episode.truth
    matter = _matter(truth)
    before = _records(episode, truth.customer_id)
    scenario.oracle(Working(episode), truth)
    thread = _thread(episode, truth.ticket_id)
    book = episode.gradebook
    own = truth.requester in ((before or {}).get("customer") or {}).get("emails", ())

    def read(tx: Any) -> Case:
        view = View(tx, episode.world.chain, book.staged_us, book.staged_seq)
        return case_of(view, matter, entities_of(matter), proven=own or None)

    case = episode.world.read(read)
    return {
        "scenario": scenario.name,
        "seed": seed,
        "plan": truth.plan,
        "today": case.today,
        "thread": thread,
        "records": before,
        "after": _records(episode, truth.customer_id),
        "owed": [one.sentence or one.kind for one in matter.owed],
        "tell": [str(one) for one in case.tell],
        "case": msgspec.to_builtins(case),
    }


def _matter(truth: Any) -> Any:
    """Return what concerns the customer of a case; a truth about many customers has a matter (`hits`) for each."""
    return next((one for one in getattr(truth, "hits", ()) if one.customer_id == truth.customer_id), truth)


def make_cases(scenarios: Iterable[Scenario[Any]], seeds: int, split: str) -> Iterable[dict[str, Any]]:
    """Return cases of scenarios, one after the other, with different plans first."""
    for scenario in scenarios:
        chosen: dict[str, int] = {}
        for seed in range(20 * seeds):
            plan = plan_drawn(scenario, seed, split) or str(start(scenario, seed, split=split).truth.plan)
            chosen.setdefault(plan, seed)
            if len(chosen) == seeds:
                break
        for seed in chosen.values():
            yield make_case(scenario, seed, split)


def _records(episode: Episode, customer_id: str) -> Any:
    """Return what the back office shows of a customer: the overview, payments, parcels, returns."""
    looking = episode.fork()
    seen = looking.call("backoffice_get_customer", {"customer_id": customer_id}).data
    if not isinstance(seen, dict):
        return seen
    listed = {noun: looking.http("backoffice", "GET", f"/api/v1/{noun}?customer={customer_id}") for noun in BESIDE}
    return seen | {noun: reply.json()["data"] for noun, reply in listed.items()}


def _thread(episode: Episode, ticket_id: int) -> dict[str, str]:
    """Return the subject and everything that the customer wrote, answers to the work among it."""
    seen = episode.fork().http("zendesk", "GET", f"/api/v2/tickets/{ticket_id}.json").json()["ticket"]
    said = episode.fork().http("zendesk", "GET", f"/api/v2/tickets/{ticket_id}/comments.json").json()["comments"]
    letter = "\n\n".join(one["plain_body"] for one in said if one["author_id"] == seen["requester_id"])
    return {"subject": seen["subject"], "letter": letter}
