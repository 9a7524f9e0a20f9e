"""Probing policies: how often a scenario is solved by something that does not understand it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from statistics import fmean
from typing import Any

import msgspec

from diorama.check.mutations.asks import Ask, data_of, request
from diorama.check.mutations.closing import REASON
from diorama.check.mutations.running import is_planned
from diorama.check.mutations.scene import Script, script
from diorama.check.mutations.templates import (
    Looked,
    Nearest,
    Template,
    look,
    template_of,
    words_of_records,
    words_of_ticket,
)
from diorama.check.playing import Play
from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.kernel import World
from diorama.scenarios import Scenario, find
from diorama.scenarios.clerk import ANSWER_TRIES

FIT, TEST = 300, 60
FINALISTS = 4
"""How many of the most common answers of the train variants are played."""
SCREEN = 12
"""On how many train variants each of them is played."""
LIMITS = {
    "looks_at_nothing": 0.05,
    "best_fixed_answer": 0.05,
    "believes_the_ticket": 0.25,
    "blind_to_the_letter": 0.5,
    "climber": 0.05,
    "oracle_of_another_seed": 0.02,
}
"""The largest share of variants that each policy may solve; policies without a limit are only measured."""
_MORE_ANSWERS = (
    "Give these plans twins that need another answer (another deed, destination, amount or record), or add plans, so "
    "that no answer fits so many variants."
)
REMEDIES = {
    "looks_at_nothing": _MORE_ANSWERS,
    "best_fixed_answer": _MORE_ANSWERS,
    "climber": _MORE_ANSWERS,
    "believes_the_ticket": "Give these plans twins with the same letter and other records that need another answer.",
    "blind_to_the_letter": "Give these plans twins with the same records and another letter that need another answer.",
    "oracle_of_another_seed": "Let the records that are acted on depend on the seed.",
}
"""What the author of a scenario can do against a policy that solves too much."""


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """How one policy did on the variants that it was tested on."""

    policy: str
    scenario: str
    n: int
    solved: int
    share: float
    mean_reward: float
    limit: float | None = None
    says: str = ""
    plans: dict[str, int] = {}
    """How many variants of each plan it solved, most first."""
    answer: str = ""
    """The fixed answer that it gave, if it has one: the plan whose oracle it is from, and what it does."""

    @property
    def wrong(self) -> str:
        """What is wrong about it and what to do; "" if it solved few enough."""
        if self.limit is None or self.share <= self.limit:
            return ""
        told = f"{self.policy} solved {self.solved} of {self.n} variants, expected at most {self.limit:.0%}"
        answer = f"; its answer is that of {self.answer}" if self.answer else ""
        plans = ", ".join(f"{name} ({count})" for name, count in self.plans.items())
        remedy = REMEDIES.get(self.policy, "")
        return f"{told}{answer}. It solves the plans {plans}.{f' {remedy}' if remedy else ''}"


class Variant(msgspec.Struct, frozen=True):
    """One variant: its staging, what a fixed look shows, and the oracle's answer as a template."""

    script: Script
    looked: Looked
    without_letter: Looked
    """The same, where the order of the case is not known from the customer's words."""
    template: Template


class Learned(msgspec.Struct, frozen=True):
    """What a policy could learn from the train variants."""

    scenario: Scenario[Any]
    train: list[Variant]
    test: list[Variant]
    by_ticket: Nearest
    by_records: Nearest
    by_both: Nearest


def learn(scenario: Scenario[Any], fit: int = FIT, test: int = TEST) -> Learned:
    """Play the oracle on the train variants and on others, and keep what a policy could learn from."""
    variants = [_variant(scenario, seed) for seed in range(fit + test)]
    train = variants[:fit]
    tickets = [words_of_ticket(one.looked) for one in train]
    records = [words_of_records(one.without_letter) for one in train]
    both = [words_of_both(one) for one in train]
    return Learned(scenario, train, variants[fit:], Nearest(tickets), Nearest(records), Nearest(both))


def words_of_both(one: Variant) -> Counter[str]:
    """Return the words of the ticket and what the records of the case show."""
    return words_of_ticket(one.looked) + words_of_records(one.looked)


def _variant(scenario: Scenario[Any], seed: int) -> Variant:
    known = script.__wrapped__(scenario, seed)  # hundreds of them would only push each other out of the cache
    looked = look(Episode(scenario, World.at(known.staged)))
    without = look(Episode(scenario, World.at(known.staged)), letter=False)
    return Variant(known, looked, without, template_of(known, looked))


def _episode(learned: Learned, variant: Variant) -> Episode:
    return Episode(learned.scenario, World.at(variant.script.staged))


def apply(
    learned: Learned,
    variant: Variant,
    template: Template,
    looks: bool = True,
    climbs: bool = False,
    letter: bool = True,
) -> Result:
    """Play a fixed answer on a variant; with `looks`, its slots are filled from the fixed look, which costs nothing."""
    episode = _episode(learned, variant)
    seen = variant.looked if letter else variant.without_letter
    if looks and not is_planned(learned.scenario):
        look(episode, letter)  # only scenarios with plans promise that looking is never a condition of success
    looked = {**(seen if looks else {"brief": seen.get("brief", {})}), "made": {}}
    currency = str(getattr(learned.scenario, "currency", "EUR"))
    last: Ask | None = None
    for number, one in enumerate(template.asks):
        if episode.ended is not None:
            break
        ask = template.filled(one, looked, currency)
        if last is not None and ask.method == "WAIT" and (ask.body or {}).get("until") == "notice":
            _await_answer(episode, ask, last, looked["made"].get(number - 1))
        else:
            looked["made"][number] = _sent(episode, ask)
        last = ask
    if climbs:
        _climb(episode, looked)
    return episode.finish()


def _sent(episode: Episode, ask: Ask) -> Any:
    """Send one action of a fixed answer; return the data of the reply."""
    if ask.tool:
        return episode.call(ask.tool, ask.arguments).data
    return data_of(request(episode, ask))


def _await_answer(episode: Episode, ask: Ask, asked: Ask, made: Any) -> None:
    """Wait as oracles do until the customer or the lead has answered: the first notice can be about other mail."""

    def read(app: str, path: str) -> dict[str, Any]:
        data = data_of(episode.http(app, "GET", path))
        return data if isinstance(data, dict) else {}

    def comments() -> int:
        path = f"/api/v2/tickets/{asked.ticket_id}/comments.json"
        return len(read("zendesk", path).get("comments", [])) if asked.words else 0

    def answered() -> bool:
        if asked.words:
            return comments() > before
        waits = asked.path.endswith("/approvals") and isinstance(made, dict)
        return not waits or read(asked.app, f"{asked.path}/{made.get('id')}").get("status") != "pending"

    before = comments()
    for _ in range(ANSWER_TRIES):
        _sent(episode, ask)
        if episode.ended is not None or answered():
            return


def _climb(episode: Episode, looked: Looked) -> None:
    """Solve the ticket with every contact reason, or every option of the form, and keep those with most potential."""
    ticket = (looked.get("brief") or {}).get("ticket")
    if not ticket:
        return
    path = f"/api/v2/tickets/{ticket}.json"
    for guesses in _guesses(episode):
        earned: dict[int, float] = {}
        for number, guess in enumerate(guesses):
            if episode.ended is None:
                episode.http("zendesk", "PUT", path, {"ticket": {**guess, "status": "solved"}})
                earned[number] = episode.potential
        if episode.ended is None and earned:
            best = max(earned, key=lambda number: (earned[number], -number))
            episode.http("zendesk", "PUT", path, {"ticket": {**guesses[best], "status": "solved"}})


def _guesses(episode: Episode) -> list[list[dict[str, Any]]]:
    """Return what can be guessed: for the contact reason of the brief, or for each field, the updates to try."""
    reasons = sorted(dict.fromkeys(REASON.findall(episode.brief)))
    if reasons:
        return [
            [{"additional_tags": [one], "remove_tags": [other for other in reasons if other != one]} for one in reasons]
        ]
    data = data_of(episode.http("zendesk", "GET", "/api/v2/ticket_fields.json?per_page=100"))
    fields = data.get("ticket_fields", []) if isinstance(data, dict) else []
    return [
        [{"custom_fields": [{"id": one["id"], "value": option["value"]}]} for option in one["custom_field_options"]]
        for one in fields
        if one.get("custom_field_options")
    ]


# --- policies


def _finalists(learned: Learned, looks: bool) -> list[Template]:
    """Return the answers that most train variants have: the same actions, the same fields, the same places to look.

    Words do not tell answers apart: of answers that differ only in their words one is as good as another. Without
    looking only those can be given whose values all stand in the brief or come from earlier actions.
    """
    able = [one.template for one in learned.train if looks or not one.template.places - {"brief", "made"}]
    templates = able or [one.template for one in learned.train]
    counts = Counter(one.deeds for one in templates)
    often = [deeds for deeds, _ in counts.most_common(FINALISTS)]
    return [next(one for one in templates if one.deeds == deeds) for deeds in often]


def best_fixed(learned: Learned, looks: bool = True) -> Template:
    """Return the one answer that solves most train variants: counted over all, then played on some."""
    finalists = _finalists(learned, looks)
    screened = learned.train[:SCREEN]

    def solved(template: Template) -> int:
        own = [one for one in learned.train if one.template.deeds == template.deeds][:SCREEN]
        return sum(bool(apply(learned, one, template, looks).success) for one in [*screened, *own])

    return max(finalists, key=solved)


def _by_vote(learned: Learned, nearest: Sequence[int]) -> Template:
    """Return the answer that most of the nearest train variants have; that of the nearest variant if all differ."""
    votes = Counter(learned.train[number].template.plan for number in nearest)
    plan, count = votes.most_common(1)[0]
    if count == 1:
        plan = learned.train[nearest[0]].template.plan
    return next(learned.train[number].template for number in nearest if learned.train[number].template.plan == plan)


def _probe(
    learned: Learned, policy: str, says: str, play: Callable[[Variant], Result], fixed: Template | None = None
) -> Probe:
    results = [play(one) for one in learned.test]
    solved = sum(bool(one.success) for one in results)
    plans = Counter(one.plan for one in results if one.success)
    return Probe(
        policy=policy,
        scenario=learned.scenario.name,
        n=len(results),
        solved=solved,
        share=solved / len(results),
        mean_reward=fmean(one.reward or 0.0 for one in results),
        limit=LIMITS.get(policy),
        says=says,
        plans=dict(plans.most_common()),
        answer=_described(fixed) if fixed is not None else "",
    )


def _described(template: Template) -> str:
    """Return which plan a fixed answer is from, and what it sends."""
    done = [one.tool or f"{one.method} {one.path}" for one in template.asks if one.tool or one.method != "GET"]
    return f"the plan {template.plan} ({', '.join(dict.fromkeys(done))})"


def probes(scenario: Scenario[Any], fit: int = FIT, test: int = TEST) -> list[Probe]:
    """Fit every policy on train variants, and measure it on others."""
    learned = learn(scenario, fit, test)
    blind, fixed = best_fixed(learned, looks=False), best_fixed(learned)

    def without_letter(one: Variant) -> Result:
        nearest = learned.by_records.of(words_of_records(one.without_letter))
        return apply(learned, one, _by_vote(learned, nearest), letter=False)

    def another(one: Variant) -> Result:
        number = learned.test.index(one)
        other = learned.test[(number + 7) % len(learned.test)]
        episode = _episode(learned, one)
        for step in other.script.steps:
            if episode.ended is None:
                _repeated(episode, step.ask)
        return episode.finish()

    return [
        _probe(
            learned,
            "looks_at_nothing",
            "One fixed answer, with nothing but the ticket's number from the brief",
            lambda one: apply(learned, one, blind, looks=False),
            blind,
        ),
        _probe(
            learned,
            "best_fixed_answer",
            "One fixed answer; ids, amounts and dates are copied from fixed places",
            lambda one: apply(learned, one, fixed),
            fixed,
        ),
        _probe(
            learned,
            "climber",
            "The best fixed answer, then every reason or option in turn; keeps those with the highest potential",
            lambda one: apply(learned, one, fixed, climbs=True),
            fixed,
        ),
        _probe(
            learned,
            "believes_the_ticket",
            "The answer of the train variants with the most similar ticket",
            lambda one: apply(learned, one, _by_vote(learned, learned.by_ticket.of(words_of_ticket(one.looked)))),
        ),
        _probe(
            learned,
            "blind_to_the_letter",
            "The answer of the train variants with the most similar records, without the customer's words",
            without_letter,
        ),
        _probe(
            learned,
            "sees_both",
            "The answer of the train variants with the most similar ticket and records (for comparison)",
            lambda one: apply(learned, one, _by_vote(learned, learned.by_both.of(words_of_both(one)))),
        ),
        _probe(
            learned,
            "own_answer",
            "The answer of the variant itself, as a control: policies are measured only as far as this one succeeds",
            lambda one: apply(learned, one, one.template),
        ),
        _probe(learned, "oracle_of_another_seed", "The oracle's actions for another variant", another),
        *second_oracle(scenario, test),
    ]


def measured(
    names: Sequence[str],
    fit: int = FIT,
    test: int = TEST,
    parallel: int = 0,
    seen: Callable[[str], None] = lambda scenario: None,
) -> dict[str, list[Probe]]:
    """Measure every policy on several scenarios, over several processes (0: one per core, at most four)."""
    asked = [(name, fit, test) for name in names]
    workers = min(parallel or min(os.cpu_count() or 1, 4), len(asked) or 1)
    found: dict[str, list[Probe]] = {}
    if workers <= 1:
        for name, *_ in asked:
            seen(name)
            found[name] = _probed((name, fit, test))
        return found
    with get_context("spawn").Pool(workers, maxtasksperchild=1) as pool:  # a process keeps hundreds of episodes
        for name, one in zip(names, pool.imap(_probed, asked, chunksize=1), strict=True):
            seen(name)
            found[name] = one
    return found


def _probed(asked: tuple[str, int, int]) -> list[Probe]:
    name, fit, test = asked
    return probes(find(name), fit, test)


def _repeated(episode: Episode, ask: Ask) -> None:
    if ask.tool:
        episode.call(ask.tool, ask.arguments)
    else:
        request(episode, ask)


def second_oracle(scenario: Scenario[Any], seeds: int, play: Play | None = None) -> list[Probe]:
    """Play the scenario's second oracle, by another author, if it declares one as `second_oracle`."""
    work: Play | None = play or getattr(scenario, "second_oracle", None)
    if work is None:
        return []
    results = []
    for seed in range(seeds):
        episode = Episode(scenario, World.at(script(scenario, seed).staged))
        work(episode.hands, episode.truth)
        results.append(episode.finish())
    solved = sum(bool(one.success) for one in results)
    return [
        Probe(
            policy="second_oracle",
            scenario=scenario.name,
            n=seeds,
            solved=solved,
            share=solved / seeds,
            mean_reward=fmean(one.reward or 0.0 for one in results),
            says="An honest oracle by another author; it must solve everything",
        )
    ]
