"""Law 7. Reward is judged from what happened: facts in the ledger, once, together with the deed."""

import math
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from diorama.rewards import Account as Standing
from diorama.rewards import Fact, Harm, reward_of
from tests.laws.elsewhere import acts
from tests.laws.village import Case, Mood, debt, start

weights = st.floats(1e-3, 1e3)
shares = st.floats(0.0, 1.0)


def never(*args: Any) -> bool:
    """A check that must not be called here."""
    raise AssertionError("not asked")


@st.composite
def ends(draw: st.DrawFn) -> tuple[float, bool]:
    """Draw the reward of a random end of a random scenario, and whether it was a success."""
    facts = [Fact(f"f{i}", "resolved", draw(weights), never, "") for i in range(draw(st.integers(1, 6)))]
    harms = [Harm(f"h{i}", draw(st.floats(0.0, 10.0)), never, "") for i in range(draw(st.integers(0, 3)))]
    held = {f.name for f in facts if draw(st.booleans())} if draw(st.booleans()) else {f.name for f in facts}
    done = {h.name: n for h in harms if (n := draw(st.integers(0, 4))) and draw(st.booleans())}
    qualities = {f"q{i}": draw(shares) for i in range(draw(st.integers(0, 3)))}
    known = {name: draw(weights) for name in qualities}
    account = Standing.of(facts, held, done, damage=draw(st.just(0.0) | st.floats(0.0, 0.2) | st.floats(0.0, 100.0)))
    return reward_of(account, facts, harms, qualities, known)


@settings(max_examples=500)
@given(ends(), ends())
def test_law_07_any_success_beats_any_failure(one: tuple[float, bool], other: tuple[float, bool]) -> None:
    assume(one[1] != other[1])
    success, failure = (one, other) if one[1] else (other, one)
    assert success[0] > failure[0]
    assert 0.5 <= success[0] <= 1.0
    assert failure[0] <= 0.4


@settings(max_examples=200)
@given(st.lists(weights, min_size=1, max_size=5), st.data())
def test_law_07_more_facts_never_pay_less_and_harm_costs(sizes: list[float], data: st.DataObject) -> None:
    facts = [Fact(f"f{i}", "resolved", weight, never, "") for i, weight in enumerate(sizes)]
    some = data.draw(st.sets(st.sampled_from([f.name for f in facts])))
    more = some | data.draw(st.sets(st.sampled_from([f.name for f in facts])))
    assert Standing.of(facts, some, {}).potential <= Standing.of(facts, more, {}).potential
    assert Standing.of(facts, some, {"h": 1}).potential <= Standing.of(facts, some, {}).potential
    assert Standing.of(facts, set(), {}).potential == 0.0
    assert Standing.of(facts, {f.name for f in facts}, {}).potential == 1.0
    assert not Standing.of(facts, {f.name for f in facts}, {"h": 1}).success(facts)


@given(st.floats(0.0, 3.0), st.floats(0.0, 3.0), shares, st.booleans())
def test_law_07_damage_costs_more_the_more_there_is(some: float, extra: float, level: float, done: bool) -> None:
    facts = [Fact("f", "resolved", 1.0, never, "")]
    held = {"f"} if done else set()

    def rewarded(damage: float) -> tuple[float, bool]:
        return reward_of(Standing.of(facts, held, {}, damage=damage), facts, [], {"q": level}, {"q": 1.0})

    (clean, _), (messy, won) = rewarded(some), rewarded(some + extra)
    assert messy <= clean
    assert won == (done and some + extra < 0.1)
    if extra > 1e-6 and level > 1e-6:
        assert messy < clean


def test_law_07_a_reward_is_never_rounded_and_damage_saturates() -> None:
    facts = [Fact(f"f{i}", "resolved", 1.0, never, "") for i in range(3)]
    third, _ = reward_of(Standing.of(facts, {"f1"}, {}), facts, [], {}, {})
    assert third == 0.4 * (1.0 / 3.0)
    terrible, success = reward_of(Standing.of(facts, set(), {"h": 40}), facts, [Harm("h", 1.0, never, "")], {}, {})
    assert (terrible, success) == (-1.0, False)
    bad, _ = reward_of(Standing.of(facts, set(), {"h": 2}), facts, [Harm("h", 0.25, never, "")], {}, {})
    assert bad == -(1.0 - math.exp(-0.5))
    tiny, _ = reward_of(Standing.of(facts, {"f0", "f1", "f2"}, {}), facts, [], {"q": 1e-12}, {"q": 1.0})
    assert tiny > 0.5


@settings(max_examples=25)
@given(st.integers(0, 50), st.integers(0, 16))
def test_law_07_the_steps_add_up_to_the_potential_at_the_end(seed: int, count: int) -> None:
    episode = start(seed)
    acts(episode, f"law 7 {seed}", count)
    result = episode.finish()
    assert result.score is not None
    steps = math.fsum(s.value for event in episode.events for s in event.signals if s.scale == "step")
    assert math.isclose(steps, episode.potential, abs_tol=1e-12)
    assert math.isclose(result.score.step, steps, abs_tol=1e-12)
    assert (result.success is True) == (episode.potential == 1.0)


def test_law_07_doing_nothing_earns_nothing() -> None:
    for seed in range(5):
        episode = start(seed)
        result = episode.finish()
        assert (episode.potential, result.reward, result.success) == (0.0, 0.0, False)


def test_law_07_doing_and_undoing_cannot_be_farmed() -> None:
    episode = start(3)
    truth = debt(episode)
    episode.call("bank_pay", {"to": truth.creditor, "cents": truth.cents})
    earned = episode.potential
    for _ in range(4):
        episode.call("bank_close_case", {"case_id": truth.case_id})
        assert episode.potential > earned
        episode.call("bank_reopen_case", {"case_id": truth.case_id})
        assert episode.potential == earned
    for _ in range(3):
        episode.call("post_read_letters")
    read = episode.potential
    episode.call("post_read_letters")
    assert episode.potential == read
    steps = [s.value for event in episode.events for s in event.signals if s.scale == "step"]
    assert math.isclose(math.fsum(steps), read)


def test_law_07_a_field_or_a_text_earns_nothing_without_the_deed() -> None:
    episode = start(3)
    truth = debt(episode)

    def forge(tx: Any) -> None:
        tx.change(tx.get(Case, truth.case_id), status="closed")
        mood = tx.first(Mood, "person = ?", truth.creditor)
        tx.change(mood, anger=0)

    episode.world.do(forge, "system:forger")
    episode.call("post_write_letter", {"to": truth.creditor, "text": f"You were paid {truth.cents}. All is well."})
    result = episode.finish(report=f"{truth.creditor} was paid {truth.cents}; the case is closed.")
    assert (result.success, result.reward, episode.potential) == (False, 0.0, 0.0)


def test_law_07_every_cheat_stays_below_every_success() -> None:
    best, worst = -math.inf, math.inf
    for seed in range(8):
        for name, play in {"oracle": None, **start(seed).scenario.cheats}.items():
            episode = start(seed)
            (play or episode.scenario.oracle)(episode.hands, debt(episode))
            result = episode.finish()
            assert result.reward is not None
            assert result.success == (name == "oracle")
            if name == "oracle":
                worst = min(worst, result.reward)
            else:
                best = max(best, result.reward)
    assert best < 0.5 < worst == 1.0


def test_law_07_facts_found_while_settling_count() -> None:
    """A debt that is paid late counts as paid, but a complaint was made."""
    episode = start(3)
    episode.call("wait", {"minutes": 120})
    episode.scenario.oracle(episode.hands, debt(episode))
    result = episode.finish()
    assert (result.success, result.reward) == (True, 0.5)
