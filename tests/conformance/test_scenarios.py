"""Every scenario proves itself: the honest way pays in full, and nothing else pays."""

import math
from functools import partial
from typing import Any

import pytest

from diorama.episodes.agents.random_agent import wander
from diorama.episodes.episode import ACTING_DOORS, INPUT_DOORS, Episode, start
from diorama.episodes.result import Result
from diorama.kernel import Change, Dice, Tx
from diorama.scenarios import Hands
from tests.conformance.placeholders import shows_placeholder
from tests.conformance.playing import SCENARIOS, KeptHands, Play, again, oracle, played, replay

SEEDS = {"train": range(24), "eval": range(1000, 1012)}
FEW = range(4)
OTHERS, STEPS = 20, (3, 8)
"""Whose actions are tried on whom: each of so many variants' on those so many further on, so no pair is tried twice."""

# The scope makes pytest prove one scenario after the other, so that its proofs share the oracle's attempts.
every_scenario = pytest.mark.parametrize("name", SCENARIOS, scope="module")


def test_there_are_scenarios_to_prove() -> None:
    assert len(SCENARIOS) >= 4
    assert "zendesk/late-refund" in SCENARIOS


@every_scenario
def test_the_oracle_solves_every_variant_perfectly(name: str) -> None:
    for split, seed in [(split, seed) for split, seeds in SEEDS.items() for seed in seeds]:
        result = oracle(name, seed, split).result
        told = (split, seed, result.plan, result.score)
        assert (result.success, result.reward, result.ended) == (True, 1.0, "done"), told
        assert result.score is not None
        assert math.isclose(result.score.step, 1.0, abs_tol=1e-9), told
        assert result.score.phase == 1.0, told


@every_scenario
def test_every_change_names_an_app_or_a_handler_that_wrote_it(name: str) -> None:
    episode = oracle(name, 0).done
    company = episode.world.company
    known = {app.name for app in (*company.apps, company.system)}
    for app in company.apps:
        handlers = {*app.product.commands, *(one.command for one in app.product.subscriptions), "call"}
        known |= {f"{app.name}.{handler}" for handler in handlers}
    written = {(event.app, event.door, change.by) for event in episode.events for change in event.changes}
    assert {by for _, _, by in written} <= known
    own = {by for app, door, by in written if door in ACTING_DOORS and by == app}
    assert own, "the oracle changed nothing by itself"
    people = {by for _, _, by in written if by.startswith(("people.", "links."))}
    assert people, "nobody reacted"


@every_scenario
def test_nothing_that_is_shown_or_kept_holds_the_placeholder_of_a_host(name: str) -> None:
    episode = oracle(name, 0).done
    for event in episode.events:
        assert not shows_placeholder((event.reply, event.notices)), event.operation
        for change in event.changes:
            assert not shows_placeholder((change.before, change.after)), change


@every_scenario
def test_doing_nothing_earns_nothing(name: str) -> None:
    for seed in FEW:
        result, episode = played(name, seed, lambda hands, truth: None)
        assert (result.reward, result.success, episode.potential) == (0.0, False, 0.0), (seed, result.plan)


@every_scenario
def test_pressing_buttons_at_random_earns_about_nothing(name: str) -> None:
    for seed in FEW:
        episode = again(name, oracle(name, seed))
        wander(KeptHands(episode), Dice(seed))
        result = episode.finish()
        assert result.success is False, (seed, result.plan)
        assert result.reward is not None, (seed, result.fault)
        assert result.reward < 0.1, (seed, result.plan)


@every_scenario
def test_no_cheat_pays(name: str) -> None:
    lowest = min(oracle(name, seed).result.reward or 0.0 for seed in FEW)
    paid = []
    for cheat, play in SCENARIOS[name].cheats.items():
        for seed in FEW:
            result, _ = played(name, seed, play)
            if result.success is not False or result.reward is None or not result.reward < 0.5 < lowest:
                paid.append((cheat, seed, result.plan, result.success, result.reward, result.fault))
    assert paid == []


@every_scenario
def test_a_story_at_rest_is_graded_as_it_would_be_at_the_horizon(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever leaves early, or stops half-way, or cheats: days of other people's business change nothing about it."""
    scenario = SCENARIOS[name]
    if scenario.settles == "horizon":
        pytest.skip(f"{name} always runs to its horizon")

    ways = {seed: oracle(name, seed).actions for seed in FEW}
    plays: dict[str, Play] = {
        "nothing": lambda hands, truth: None,
        "oracle": scenario.oracle,
        **{f"half of seed {seed}": partial(blindly, way[: len(way) // 2]) for seed, way in ways.items()},
        **scenario.cheats,
    }
    for place, (title, play) in enumerate(plays.items()):
        seed = place % len(FEW)
        episode = again(name, oracle(name, seed))
        play(episode.hands, episode.truth)
        twin = episode.fork()
        monkeypatch.setattr(type(scenario), "settles", "rest")
        early = episode.finish()
        monkeypatch.setattr(type(scenario), "settles", "horizon")
        late = twin.finish()
        assert early.virtual_seconds <= late.virtual_seconds
        assert (early.reward, early.success) == (late.reward, late.success), (title, seed)
        assert lines(early) == lines(late), (title, seed)


@every_scenario
def test_the_cheats_that_every_author_must_think_of_are_there(name: str) -> None:
    assert len(SCENARIOS[name].cheats) >= 3
    for cheat in SCENARIOS[name].cheats.values():
        assert cheat.__doc__


@every_scenario
def test_forged_flags_earn_nothing(name: str) -> None:
    """What the oracle's acts left on the desk (a status, tags) is written by hand; the deeds behind it are not done."""
    flags = f"{name.partition('/')[0]}_"
    for seed in FEW:
        attempt = oracle(name, seed)
        done, forged = attempt.done, again(name, attempt)
        roots = {event.seq for event in done.events if event.actor == str(done.actor)}
        edits = [
            change
            for event in done.events[len(forged.events) :]
            if event.root in roots
            for change in event.changes
            if change.op == "update" and change.table.startswith(flags)
        ]
        assert edits, (seed, "the oracle changed nothing on the desk")
        forged.world.do(forge, "system:forger", edits)
        result = forged.finish(report="It is all done.")
        assert (result.success, forged.potential, result.reward) == (False, 0.0, 0.0), (seed, result.plan, result.score)


def lines(result: Result) -> list[tuple[Any, ...]]:
    """What a score says, without the numbers of the events that show it."""
    assert result.score is not None, result.fault
    parts = [(part.scale, part.value, part.because) for part in result.score.parts]
    return [(result.score.step, result.score.phase, result.score.episode), *parts]


def blindly(actions: tuple[tuple[Any, ...], ...], hands: Hands, truth: Any) -> None:
    """Do what somebody once did."""
    for kind, *rest in actions:
        (hands.call if kind == "call" else hands.http)(*rest)


def forge(tx: Tx, edits: list[Change]) -> None:
    """Write the cells that somebody's acts would have left, where there is such a row."""
    for edit in edits:
        assert edit.after is not None
        sets = ", ".join(f'"{column}" = ?' for column in edit.after)
        tx.rows(f"UPDATE {edit.table} SET {sets} WHERE id = ?", *edit.after.values(), edit.key)


@every_scenario
def test_collateral_damage_costs(name: str) -> None:
    for seed in FEW:
        attempt = oracle(name, seed)
        episode = again(name, attempt)

        def before(action: str, episode: Episode = episode) -> None:
            if action == "finish":
                damage(episode, rows=5)

        SCENARIOS[name].oracle(KeptHands(episode, before), episode.truth)
        result, clean = episode.finish(), attempt.result.reward
        told = (seed, result.plan, result.score, result.fault)
        assert result.score is not None, told
        assert result.reward is not None, told
        assert clean is not None
        assert result.reward < clean, told
        assert any(part.name == "collateral" and part.value <= -5 for part in result.score.parts), told
        assert result.success is False or result.reward >= 0.5, told


def damage(episode: Episode, rows: int) -> None:
    """The agent changes records that are none of its business."""
    scenario, truth = episode.scenario, episode.truth

    def strangers(tx: Tx) -> list[tuple[str, str, Any]]:
        found = []
        for app in scenario.apps:
            for table in episode.world.company.app(app).product.tables:
                column = next(
                    (c.name for c in table.columns if c.sql == "TEXT" and c.name != "id" and not c.write), None
                )
                if column is None or table.append_only or any(column in fields for fields in table.unique):
                    continue
                for (key,) in tx.rows(f"SELECT id FROM {table.name} ORDER BY id LIMIT 3"):
                    change = Change(table.name, key, "update", {column: "x"}, {column: "y"})
                    if not scenario.allowed(tx, truth, change):
                        found.append((table.name, column, key))
        return found

    targets = episode.world.read(strangers)[:rows]
    assert len(targets) == rows, "everything is allowed here"

    def scribble(tx: Tx) -> None:
        for table, column, key in targets:
            tx.rows(f'UPDATE {table} SET "{column}" = "{column}" || ? WHERE id = ?', " (edited)", key)

    episode.world.do(scribble, episode.actor)


@every_scenario
def test_every_further_step_of_the_oracle_pays_no_less_and_the_last_pays_most(name: str) -> None:
    for seed in FEW:
        whole = oracle(name, seed)
        ladder = [again(name, whole, step).finish().reward for step in range(len(whole.actions))]
        ladder.append(whole.result.reward)
        told = (seed, whole.result.plan, ladder)
        rewards = [reward for reward in ladder if reward is not None]
        assert len(rewards) == len(whole.actions) + 1, told
        assert rewards == sorted(rewards), told
        assert rewards[0] == 0.0, told
        assert len(set(rewards)) >= 4, told


@every_scenario
def test_variants_differ_in_plan(name: str) -> None:
    scenario = SCENARIOS[name]
    plans = {split: set[str]() for split in SEEDS}
    for split, seeds in SEEDS.items():
        plans[split] |= {str(oracle(name, seed, split).truth.plan) for seed in seeds}
        for seed in range(seeds.stop, seeds.start + 60):
            if len(plans[split]) >= 8:
                break
            plans[split].add(str(start(scenario, seed, split=split).truth.plan))  # type: ignore[attr-defined] # every truth has one
    assert {split: len(found) >= 8 for split, found in plans.items()} == dict.fromkeys(SEEDS, True), plans


@every_scenario
def test_the_actions_for_one_variant_do_not_solve_another(name: str) -> None:
    tried = [(here, (here + step) % OTHERS) for here in range(OTHERS) for step in STEPS]
    solved = [
        (here, there)
        for here, there in tried
        if replay(again(name, oracle(name, there)), oracle(name, here).actions).success
    ]
    assert len(solved) < 0.05 * len(tried), solved


@every_scenario
def test_train_and_eval_never_meet(name: str) -> None:
    truths: dict[str, list[dict[str, Any]]] = {split: [] for split in SEEDS}
    for split, seeds in SEEDS.items():
        for seed in seeds:
            truth = oracle(name, seed, split).truth
            truths[split].append({key: getattr(truth, key) for key in truth.__struct_fields__})
    whom = [key for key in ("customer_id", "requester", "customer", "person") if key in truths["train"][0]]
    assert whom, "a truth says whom it is about"
    for key in whom:
        train, held_out = ({str(truth[key]) for truth in truths[split]} for split in SEEDS)
        assert not train & held_out


@every_scenario
def test_a_fork_and_a_replay_give_equal_digests(name: str) -> None:
    for seed in FEW:
        attempt = oracle(name, seed)
        whole, middle = again(name, attempt), len(attempt.actions) // 2
        for kind, *rest in attempt.actions[:middle]:
            (whole.call if kind == "call" else whole.http)(*rest)
        fork = whole.fork()
        ends = [replay(one, attempt.actions[middle:]) for one in (whole, fork)]
        assert [(end.state, end.trace, end.reward) for end in ends] == [
            (attempt.result.state, attempt.result.trace, attempt.result.reward)
        ] * 2
        acted = again(name, attempt)
        for event in whole.events[len(acted.events) :]:
            if event.door in INPUT_DOORS:
                acted.redo(event)
        acted.finish()
        assert [event.trace for event in acted.events] == [event.trace for event in whole.events]


@every_scenario
def test_staging_is_a_function_of_the_seed(name: str) -> None:
    for seed in FEW:
        one, other = start(SCENARIOS[name], seed), start(SCENARIOS[name], seed)
        assert (one.trace, one.state, one.brief, one.truth) == (other.trace, other.state, other.brief, other.truth)
    assert len({start(SCENARIOS[name], seed).trace for seed in FEW}) == len(FEW)


@every_scenario
def test_the_brief_says_what_to_do_and_not_how_it_is_judged(name: str) -> None:
    words = ("oracle", "reward", "scenario", "episode", "diorama", "potential", "grader", "seed")
    for seed in FEW:
        episode = start(SCENARIOS[name], seed)
        assert len(episode.brief) > 40
        assert str(getattr(episode.truth, "plan", "?")) not in episode.brief
        assert not [word for word in words if word in episode.brief.lower()]


@every_scenario
def test_the_declaration_is_complete(name: str) -> None:
    scenario = SCENARIOS[name]
    assert name == scenario.name
    assert name.partition("/")[0] in scenario.apps
    assert scenario.story
    assert scenario.facts
    assert all(fact.phase in scenario.phases for fact in scenario.facts)
    assert scenario.qualities
    assert scenario.horizon_hours >= scenario.hours
    assert len(scenario.version) == 16
    assert all(part.because for part in scenario.facts)
    assert all(part.because for part in scenario.harms)
    assert all(part.because for part in scenario.qualities)


@every_scenario
def test_the_oracle_leaves_room_for_others(name: str) -> None:
    scenario = SCENARIOS[name]
    for seed in SEEDS["train"]:
        assert len(oracle(name, seed).actions) <= scenario.turns * 2 // 3


@every_scenario
def test_the_agent_cannot_see_the_truth_it_is_judged_by(name: str) -> None:
    episode = start(SCENARIOS[name], 0)
    canary = "canary-51c0"
    episode.world.truth["oracle"] = canary
    seen = [repr(episode.tools), episode.brief]
    dice = Dice("look around")

    class Watched(KeptHands):
        """Hands that show what came back."""

        def call(self, tool: str, arguments: Any = None) -> Any:
            """Use a tool and keep what it said."""
            found = super().call(tool, arguments)
            seen.append(repr((found.text, found.data)))
            return found

    wander(Watched(episode), dice)
    plan = str(getattr(episode.truth, "plan", "?"))
    assert not [text for text in seen if canary in text or f'"{plan}"' in text or f"'{plan}'" in text]


def test_a_scenario_holds_no_state() -> None:
    for scenario in SCENARIOS.values():
        before = {key for key in vars(scenario) if not callable(getattr(type(scenario), key, None))}
        episode = start(scenario, 1)
        scenario.oracle(episode.hands, episode.truth)
        episode.finish()
        after = {key for key in vars(scenario) if not callable(getattr(type(scenario), key, None))}
        assert after - before <= {"story", "facts", "harms", "qualities", "cheats", "version"}
