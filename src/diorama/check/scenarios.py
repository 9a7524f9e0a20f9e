"""Checks of a scenario: solving it earns the full reward, and nothing else does."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from diorama.check.declaring import NotApplicable, check, short
from diorama.check.placeholders import shows_placeholder
from diorama.check.playing import Action, KeptHands, Play, act, again, oracle, played, repeat, replay
from diorama.episodes.agents.random_agent import wander
from diorama.episodes.episode import ACTING_DOORS, INPUT_DOORS, Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Actor, Change, Dice, Event, Tx
from diorama.kernel.app import Subscription
from diorama.kernel.location import declared_at
from diorama.kernel.tx import REFUSED
from diorama.kit.damage import Cell
from diorama.rewards import Fact, Harm, Look, ScorePart
from diorama.rewards.history import kinds_of
from diorama.rewards.parts import Part
from diorama.scenarios import Hands, Scenario
from diorama.scenarios.covering import Variant, covering, one_of_each_plan

SEEDS = {"train": range(24), "eval": range(1000, 1012)}
"""The variants that are always played; `played_variants` adds one of each plan that they do not draw."""
FEW = range(4)
LEAST_SUCCESS = 0.5
"""No success earns less, and no cheat as much; that the oracle earns more is a check of its own."""
PLANS_AT_LEAST = 8
OTHERS, STEPS = 20, (3, 8)
"""Whose actions are tried on whom: those of each of 20 variants on the 3rd and the 8th after it."""
SECRET_WORDS = ("oracle", "reward", "scenario", "episode", "diorama", "potential", "grader", "seed")
PERSON_FIELDS = ("customer_id", "requester", "customer", "person")
"""The fields of a truth that name the people of a variant; train and eval must not share any of them."""
HELD = {"story", "facts", "looks", "harms", "qualities", "cheats", "version"}
"""The attributes that an instance may cache: they follow from its declaration."""


def played_variants(scenario: Scenario[Any]) -> list[Variant]:
    """Return the variants on which oracles are checked: every plan of every split at least once."""
    return covering(scenario, SEEDS)


def few_variants(scenario: Scenario[Any], turn: int = 0, turns: int = 1) -> list[Variant]:
    """Return the first few variants of train, and one of each plan; of the latter only every `turns`-th."""
    few = [Variant("train", seed) for seed in FEW]
    return list(dict.fromkeys((*few, *one_of_each_plan(scenario, FEW)[turn::turns])))


@check("scenario")
def declaration_is_complete(scenario: Scenario[Any]) -> Iterator[str]:
    """The declaration is complete: story, apps, facts with phases and reasons, qualities, limits."""
    if scenario.name.partition("/")[0].replace("-", "_") not in scenario.apps:
        yield f"the name begins with none of its apps ({', '.join(scenario.apps)})"
    if not scenario.story:
        yield "the class has no docstring that tells the story"
    if not scenario.qualities:
        yield "it has no qualities"
    facts = scenario.facts_for(start(scenario, 0).truth)
    if not facts:
        yield "it has no facts"
    for fact in facts:
        if fact.phase not in scenario.phases:
            yield f"the fact {fact.name} has the unknown phase {fact.phase!r}"
    parts: list[Part] = [*scenario.facts, *scenario.looks, *scenario.harms, *scenario.qualities]
    for part in parts:
        judge = _judge(part)
        if not judge.__doc__:
            kind = type(part).__name__.lower()
            at = declared_at(judge)
            yield f"the {kind} {part.name} ({at}) has no docstring: its first line is the reason in a score"
    if scenario.horizon_hours < scenario.hours:
        yield f"the horizon ({scenario.horizon_hours} h) is before the limit ({scenario.hours} h)"


def _judge(part: Part) -> Callable[..., Any]:
    """Return the method that a part of the reward is declared by."""
    if isinstance(part, Fact | Look):
        return part.check
    return part.count if isinstance(part, Harm) else part.measure


@check("scenario")
def the_oracle_wins_every_variant(scenario: Scenario[Any]) -> Iterator[str]:
    """The oracle solves every variant with quality 1."""
    for split, seed in played_variants(scenario):
        result = oracle(scenario, seed, split).result
        told = f"{split} {seed} ({result.plan})"
        if (result.success, result.reward, result.ended) != (True, 1.0, "done") or result.score is None:
            yield f"{told}: {_explained(result)}"
        elif not math.isclose(result.score.step, 1.0, abs_tol=1e-9) or result.score.phase != 1.0:
            yield f"{told}: the steps add up to {result.score.step}, the phases to {result.score.phase}"


@check("scenario")
def changes_name_their_writer(scenario: Scenario[Any]) -> Iterator[str]:
    """Every change names the app or the handler that wrote it."""
    episode = oracle(scenario, 0).done
    company = episode.world.company
    apps = (*company.apps, company.system)
    known = {app.name for app in apps}
    for app in apps:
        handlers = {*app.product.commands, *(one.command for one in app.product.subscriptions), "call"}
        known |= {f"{app.name}.{handler}" for handler in handlers}
    written = {(event.app, event.door, change.by) for event in episode.events for change in event.changes}
    yield from (f"{by} wrote a row, but is not known" for by in sorted({by for _, _, by in written} - known))
    if not any(door in ACTING_DOORS and by == app for app, door, by in written):
        yield "the oracle changed nothing by itself"


@check("scenario")
def reactions_do_not_always_refuse(scenario: Scenario[Any]) -> Iterator[str]:
    """No link, and no other reaction to a notice, refuses every time that it runs while the oracle plays."""
    ran: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    last: dict[str, str] = {}
    variants = played_variants(scenario)
    for split, seed in variants:
        episode = oracle(scenario, seed, split).done
        apps = episode.world.company.apps
        reactions = [one for app in apps for one in app.product.subscriptions]
        for event in episode.events:
            for name, why in _reacted(event, reactions):
                ran[name] += 1
                if why:
                    refused[name] += 1
                    last[name] = why
    for name, count in sorted(refused.items()):
        if count == ran[name]:
            yield (
                f"{name} ran {ran[name]} times while the oracle played {len(variants)} variants, and refused "
                f"every time: {short(last[name])}"
            )


def _reacted(event: Event, reactions: list[Subscription]) -> Iterator[tuple[str, str]]:
    """Yield the name of each reaction that ran in an event, and why it was refused, or ""."""
    refusals = [(name, why) for name, found, why in (one.partition(REFUSED) for one in event.notices) if found]
    yield from refusals
    worked = Counter(
        f"{one.app}.{one.command}"
        for told in event.notices
        for one in reactions
        if one.after is None and one.notice.__name__ == told
    )
    worked.subtract(name for name, _ in refusals)
    yield from ((name, "") for name in worked.elements())
    name = f"{event.app}.{event.operation}"
    if event.door == "agenda" and any(
        one.after is not None and name == f"{one.app}.{one.command}" for one in reactions
    ):
        yield name, event.reply.get("refused", "")


@check("scenario")
def no_placeholder_is_shown_or_stored(scenario: Scenario[Any]) -> Iterator[str]:
    """Nothing that is shown or stored holds the placeholder of a host name."""
    for split, seed in one_of_each_plan(scenario, range(1)):
        for event in oracle(scenario, seed, split).done.events:
            if shows_placeholder((event.reply, event.notices)):
                yield f"the reply of {event.operation}: {short(event.reply)}"
            for change in event.changes:
                if shows_placeholder((change.before, change.after)):
                    yield f"row {change.key} of {change.table}: {short(change.after)}"


@check("scenario")
def doing_nothing_earns_nothing(scenario: Scenario[Any]) -> Iterator[str]:
    """Doing nothing earns nothing."""
    for split, seed in few_variants(scenario):
        result, episode = played(scenario, seed, lambda hands, truth: None, split)
        if (result.reward, result.success, episode.potential) != (0.0, False, 0.0):
            yield f"{_named(split, seed)} ({result.plan}): {_explained(result)}"


@check("scenario")
def random_calls_earn_nothing(scenario: Scenario[Any]) -> Iterator[str]:
    """Random calls earn less than 0.1."""
    for seed in FEW:
        episode = again(scenario, oracle(scenario, seed))
        wander(KeptHands(episode), Dice(seed))
        result = episode.finish()
        if result.success is not False or result.reward is None or result.reward >= 0.1:
            yield f"{seed} ({result.plan}): {_explained(result)}"


@check("scenario")
def no_cheat_pays(scenario: Scenario[Any]) -> Iterator[str]:
    """Every cheat stays below every success."""
    for number, (cheat, play) in enumerate(scenario.cheats.items()):
        for split, seed in few_variants(scenario, number, len(scenario.cheats)):
            result, _ = played(scenario, seed, play, split)
            if result.success is not False or result.reward is None or result.reward >= LEAST_SUCCESS:
                at = declared_at(getattr(type(scenario), cheat))
                yield f"the cheat {cheat} ({at}) on {_named(split, seed)} ({result.plan}): {_explained(result)}"


def _named(split: str, seed: int) -> str:
    """Return how a message names a variant: by its seed, with the split unless it is train."""
    return str(seed) if split == "train" else f"{split} {seed}"


@check("scenario")
def rest_is_graded_like_the_horizon(scenario: Scenario[Any]) -> Iterator[str]:
    """A story at rest is graded as it would be at the horizon."""
    if scenario.settles == "horizon":
        raise NotApplicable("it always runs to its horizon")
    actions = {seed: oracle(scenario, seed).actions for seed in FEW}
    plays: dict[str, Play] = {
        "nothing": lambda hands, truth: None,
        "oracle": scenario.oracle,
        **{f"half of seed {seed}": partial(_blindly, done[: len(done) // 2]) for seed, done in actions.items()},
        **scenario.cheats,
    }
    for number, (title, play) in enumerate(plays.items()):
        seed = number % len(FEW)
        episode = again(scenario, oracle(scenario, seed))
        act(episode, play)
        early, late = episode.fork().finish(), _finished_at_the_horizon(episode)
        if early.virtual_seconds > late.virtual_seconds:
            yield f"{title} on {seed}: it rests after {early.virtual_seconds} s, behind the horizon"
        if (early.reward, early.success, _lines(early)) != (late.reward, late.success, _lines(late)):
            yield f"{title} on {seed}: {early.reward} at rest, {late.reward} at the horizon"


def _finished_at_the_horizon(episode: Episode) -> Result:
    kind = type(episode.scenario)
    kept = vars(kind).get("settles")
    kind.settles = "horizon"
    try:
        return episode.finish()
    finally:
        if kept is None:
            del kind.settles
        else:
            kind.settles = kept


def _blindly(actions: tuple[Action, ...], hands: Hands, truth: Any) -> None:
    repeat(hands, actions)


def _lines(result: Result) -> list[tuple[Any, ...]]:
    """Return what a score says, without the numbers of the events that show it."""
    if result.score is None:
        return [(str(result.fault),)]
    parts = [(part.scale, part.value, part.because) for part in result.score.parts]
    return [(result.score.step, result.score.phase, result.score.episode), *parts]


def _explained(result: Result) -> str:
    """Return how an attempt ended, and which facts did not hold, with their reasons."""
    if result.fault is not None:
        return f"void: {result.fault.message}"
    parts = result.score.parts if result.score is not None else []
    missing = [f"{part.name} {part.value:g} ({part.because}{_compared(part)})" for part in parts if _is_short(part)]
    told = f"reward {result.reward:.3g}, {'success' if result.success else 'no success'}, ended {result.ended}"
    return f"{told}; below 1: {'; '.join(missing)}" if missing else told


def _compared(part: ScorePart) -> str:
    """Return what was expected and found, so that a value which was not told is named."""
    return f" Expected {part.expected}; found {part.found}." if part.expected and part.found else ""


def _is_short(part: ScorePart) -> bool:
    return part.scale == "episode" and part.value < 1.0


@check("scenario")
def cheats_are_declared(scenario: Scenario[Any]) -> Iterator[str]:
    """At least three cheats are declared, each with a docstring."""
    if len(scenario.cheats) < 3:
        yield f"it has {len(scenario.cheats)} cheats; declare at least three methods with @cheat"
    for name, one in scenario.cheats.items():
        if not one.__doc__:
            yield f"the cheat {name} ({declared_at(one)}) has no docstring that says what it does"


@check("scenario")
def forged_fields_earn_nothing(scenario: Scenario[Any]) -> Iterator[str]:
    """The fields that the oracle left, written by someone else without the deeds, earn nothing."""
    only_added = 0
    for split, seed in few_variants(scenario):
        attempt, told = oracle(scenario, seed, split), _named(split, seed)
        done, forged = attempt.done, again(scenario, attempt)
        company = done.world.company
        tables = {table.name for app in scenario.apps for table in company.app(app).product.tables}
        roots = {event.seq for event in done.events if _is_by(event.actor, done.actor)}
        changes = [
            change
            for event in done.events[len(forged.events) :]
            if event.root in roots
            for change in event.changes
            if change.table in tables and change.op != "delete"
        ]
        if not changes:
            yield f"{told}: the oracle wrote no row of {', '.join(scenario.apps)}, so nothing could be forged"
            continue
        edits = forged.world.read(_of_rows_that_exist, changes)
        if not edits:
            only_added += 1
            continue
        forged.world.do(_forge, "system:forger", edits)
        result = forged.finish(report="It is all done.")
        if (result.success, forged.potential, result.reward) != (False, 0.0, 0.0):
            yield f"{told} ({result.plan}): {_explained(result)}"
    if only_added == len(few_variants(scenario)):
        raise NotApplicable("the oracle only adds rows: no row that exists at staging has fields to forge")


def _is_by(actor: str, agent: Actor) -> bool:
    """Return whether an event is the agent's, from any of its seats."""
    named = Actor.named(actor)
    return (named.kind, named.name) == (agent.kind, agent.name)


def _of_rows_that_exist(tx: Tx, changes: list[Change]) -> list[Change]:
    """Return the changes of rows that exist already; a row that the oracle added cannot be forged by its fields."""
    return [one for one in changes if tx.rows(f"SELECT 1 FROM {one.table} WHERE id = ?", one.key)]


def _forge(tx: Tx, edits: list[Change]) -> None:
    """Write the cells that the actions would have changed, in rows that exist."""
    for edit in edits:
        after = edit.after or {}
        sets = ", ".join(f'"{column}" = ?' for column in after)
        tx.rows(f"UPDATE {edit.table} SET {sets} WHERE id = ?", *after.values(), edit.key)


@check("scenario")
def collateral_damage_costs(scenario: Scenario[Any]) -> Iterator[str]:
    """The oracle does not succeed if it also changes five rows that the task does not cover."""
    for split, seed in few_variants(scenario):
        attempt, told = oracle(scenario, seed, split), _named(split, seed)
        episode = again(scenario, attempt)
        targets = episode.world.read(partial(_strangers, episode=episode))[:5]
        if len(targets) < 5:
            yield f"{told}: there are no five rows that the task does not cover"
            continue

        def before(action: str, episode: Episode = episode, targets: Any = targets) -> None:
            if action == "finish":
                episode.world.do(_scribble, episode.actor, targets)

        act(episode, scenario.oracle, KeptHands(episode, before))
        result = episode.finish()
        parts = result.score.parts if result.score is not None else []
        if result.reward is None or result.success:
            yield f"{told} ({result.plan}): {_explained(result)}, without damage {attempt.result.reward}"
        elif not any(part.name.startswith("damage: ") for part in parts):
            yield f"{told} ({result.plan}): the damage is not in the score"


def _strangers(tx: Tx, episode: Episode) -> list[tuple[str, str, Any]]:
    """Return rows that the task does not cover, the ones that weigh most first: table, text column, key."""
    found = []
    kinds = kinds_of(episode.world.company)
    for app in episode.scenario.apps:
        for table in episode.world.company.app(app).product.tables:
            free = (c.name for c in table.columns if c.sql == "TEXT" and c.name != "id" and not c.write)
            column = next(free, None)
            if column is None or table.append_only or any(column in fields for fields in table.unique):
                continue
            kind = kinds[table.name].of(column)
            for (key,) in tx.rows(f"SELECT id FROM {table.name} ORDER BY id LIMIT 3"):
                cell = Cell(table.name, key, column, kind, "update", "x", "y", 0)
                if cell.weight and not episode.scenario.covers(tx, episode.truth, cell):
                    found.append((-cell.weight, table.name, column, key))
    return [(table, column, key) for _, table, column, key in sorted(found, key=lambda one: one[0])]


@check("scenario")
def scores_explain_themselves(scenario: Scenario[Any]) -> Iterator[str]:
    """Every part of a score says what was expected and what was found, on success and on failure."""
    for split, seed in few_variants(scenario):
        attempt, told = oracle(scenario, seed, split), _named(split, seed)
        nothing = again(scenario, attempt).finish()
        for result in (attempt.result, nothing):
            parts = result.score.parts if result.score is not None else []
            silent = sorted({part.name for part in parts if not (part.expected and part.found)})
            if silent or not parts:
                yield f"{told} ({result.plan}): {', '.join(silent) or 'no part at all'}"


def _scribble(tx: Tx, targets: list[tuple[str, str, Any]]) -> None:
    for table, column, key in targets:
        tx.rows(f'UPDATE {table} SET "{column}" = "{column}" || ? WHERE id = ?', " (edited)", key)


@check("scenario")
def each_step_pays_no_less(scenario: Scenario[Any]) -> Iterator[str]:
    """Each further step of the oracle pays no less, and the last one pays most.

    A step after which stopping would be harm earns less than 0, such as a parcel whose address is corrected next.
    """
    for split, seed in few_variants(scenario):
        whole = oracle(scenario, seed, split)
        if not whole.result.success:
            raise NotApplicable("the oracle does not win, see the check of it")
        ladder = [again(scenario, whole, step).finish().reward for step in range(len(whole.actions))]
        rewards = [reward for reward in (*ladder, whole.result.reward) if reward is not None]
        kept = [reward for reward in rewards if reward >= 0.0]
        rising = kept == sorted(kept) and rewards[0] == 0.0
        if len(rewards) != len(whole.actions) + 1 or not rising or len(set(rewards)) < 4:
            shown = ", ".join(f"{reward:.3g}" for reward in rewards)
            told = f"{_named(split, seed)} ({whole.result.plan}): the rewards after each step are {shown}"
            yield f"{told}; they must rise from 0 and have at least four values"


@check("scenario")
def variants_differ_in_plan(scenario: Scenario[Any]) -> Iterator[str]:
    """Each split has at least eight plans."""
    for split, seeds in SEEDS.items():
        plans = {str(oracle(scenario, seed, split).truth.plan) for seed in seeds}
        for seed in range(seeds.stop, seeds.start + 60):
            if len(plans) < PLANS_AT_LEAST:
                plans.add(str(start(scenario, seed, split=split).truth.plan))
        if len(plans) < PLANS_AT_LEAST:
            yield f"{split}: {len(plans)} plans in 60 variants: {', '.join(sorted(plans))}"


@check("scenario")
def actions_fit_one_variant_only(scenario: Scenario[Any]) -> Iterator[str]:
    """The actions for one variant do not solve another."""
    tried = [(here, (here + step) % OTHERS) for here in range(OTHERS) for step in STEPS]
    solved = [
        (here, there)
        for here, there in tried
        if replay(again(scenario, oracle(scenario, there)), oracle(scenario, here).actions).success
    ]
    if len(solved) >= 0.05 * len(tried):
        yield (
            f"{len(solved)} of {len(tried)} variants were solved by the oracle's actions for another one; pairs of "
            f"seeds (whose actions, on which variant): {solved}. Let more of the situation depend on the seed"
        )


@check("scenario")
def train_and_eval_never_meet(scenario: Scenario[Any]) -> Iterator[str]:
    """The splits train and eval are about different people."""
    people: dict[str, dict[str, set[str]]] = {}
    for split, seeds in SEEDS.items():
        truths = [oracle(scenario, seed, split).truth for seed in seeds]
        people[split] = {
            key: {str(getattr(one, key)) for one in truths} - {""} for key in PERSON_FIELDS if hasattr(truths[0], key)
        }
    if not any(people["train"].values()):
        yield f"the truth names no person: give it one of the fields {', '.join(PERSON_FIELDS)}"
    for key, train in people["train"].items():
        if shared := train & people["eval"][key]:
            yield f"{key}: {', '.join(sorted(shared))} are in both"


@check("scenario")
def forks_and_replays_are_equal(scenario: Scenario[Any]) -> Iterator[str]:
    """A fork and a replay give equal digests."""
    for seed in FEW:
        attempt = oracle(scenario, seed)
        whole, middle = again(scenario, attempt), len(attempt.actions) // 2
        repeat(whole, attempt.actions[:middle])
        fork = whole.fork()
        ends = [replay(one, attempt.actions[middle:]) for one in (whole, fork)]
        expected = (attempt.result.state, attempt.result.trace, attempt.result.reward)
        if [(end.state, end.trace, end.reward) for end in ends] != [expected] * 2:
            yield f"{seed}: a fork ends differently"
        acted = again(scenario, attempt)
        for event in whole.events[len(acted.events) :]:
            if event.door in INPUT_DOORS:
                acted.redo(event)
        acted.finish()
        if [event.trace for event in acted.events] != [event.trace for event in whole.events]:
            yield f"{seed}: a replay diverges"


@check("scenario")
def staging_follows_from_the_seed(scenario: Scenario[Any]) -> Iterator[str]:
    """Staging is a function of the seed."""
    traces = set()
    for seed in FEW:
        one, other = (start(scenario, seed, restage=True) for _ in range(2))
        traces.add(one.trace)
        if (one.trace, one.state, one.brief, one.truth) != (other.trace, other.state, other.brief, other.truth):
            yield f"{seed}: staged twice, two situations"
    if len(traces) < len(FEW):
        yield "different seeds give the same situation"


@check("scenario")
def the_brief_does_not_tell(scenario: Scenario[Any]) -> Iterator[str]:
    """The brief says what to do, and not how it is judged."""
    for split, seed in few_variants(scenario):
        episode, variant = start(scenario, seed, split=split), _named(split, seed)
        told = [word for word in SECRET_WORDS if word in episode.brief.lower()]
        plan = str(getattr(episode.truth, "plan", "?"))
        if len(episode.brief) <= 40:
            yield f"{variant}: the brief is too short: {episode.brief!r}"
        if told or re.search(rf"(?<![\w-]){re.escape(plan)}(?![\w-])", episode.brief):
            yield f"{variant}: the brief says {', '.join(told) or repr(plan)}"


@check("scenario")
def the_oracle_leaves_room(scenario: Scenario[Any]) -> Iterator[str]:
    """The oracle needs at most two thirds of the turns."""
    for split, seed in played_variants(scenario):
        needed = len(oracle(scenario, seed, split).actions)
        if needed > scenario.turns * 2 // 3:
            yield f"{_named(split, seed)}: {needed} of {scenario.turns} turns"


@check("scenario")
def the_agent_cannot_see_the_truth(scenario: Scenario[Any]) -> Iterator[str]:
    """No tool shows the truth by which the agent is judged."""
    episode = start(scenario, 0)
    canary = "canary-51c0"
    episode.world.truth["oracle"] = canary
    seen = [repr(episode.tools), episode.brief]

    class Watched(KeptHands):
        """An agent interface that records the replies."""

        def call(self, tool: str, arguments: Any = None) -> Any:
            """Use a tool and keep what it said."""
            found = super().call(tool, arguments)
            seen.append(repr((found.text, found.data)))
            return found

    wander(Watched(episode), Dice("look around"))
    plan = str(getattr(episode.truth, "plan", "?"))
    for text in seen:
        if canary in text or f'"{plan}"' in text or f"'{plan}'" in text:
            yield f"a tool shows it: {text[:200]}"


@check("scenario")
def it_holds_no_state(scenario: Scenario[Any]) -> Iterator[str]:
    """The instance of a scenario holds no state."""
    before = set(vars(scenario))
    episode = start(scenario, 1)
    act(episode, scenario.oracle)
    episode.finish()
    kept = set(vars(scenario)) - before - HELD
    if kept:
        yield f"an episode left {', '.join(sorted(kept))} in it"
