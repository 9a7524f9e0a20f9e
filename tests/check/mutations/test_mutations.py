"""Every family of mutations catches a judge that is bad on purpose, and none complains without a reason."""

import pytest
from msgspec.structs import replace

from diorama.apps.zendesk.schema import Comment
from diorama.check.mutations import MUTATIONS, Trial, play, running, sample, table, trials
from diorama.check.mutations.grounded import Shown, Value, grounded
from diorama.check.mutations.probes import apply, best_fixed, learn, probes, second_oracle
from diorama.check.mutations.running import covered
from diorama.check.mutations.scene import Scene, script
from diorama.episodes.episode import start
from diorama.scenarios import Hands, find
from diorama.scenarios.desk import DeskTruth
from tests.check.mutations.judges import Gullible, Unfair

GULLIBLE, UNFAIR = Gullible(), Unfair()
SEEDS = (0, 1, 2, 3, 15)
"""On the last one, goods are sent."""


def families(side: str) -> list[str]:
    return sorted({one.family for one in MUTATIONS if one.side == side})


def wrong_in(judge: Gullible | Unfair, side: str, family: str) -> list[Trial]:
    names = [one.name for one in MUTATIONS if (one.side, one.family) == (side, family)]
    return [one for one in trials(judge, SEEDS, names) if one.wrong]


@pytest.mark.parametrize("family", families("cheat"))
def test_a_judge_that_believes_everything_is_caught(family: str) -> None:
    found = wrong_in(GULLIBLE, "cheat", family)
    assert found
    assert all("cheat" in one.wrong for one in found)


@pytest.mark.parametrize("family", families("honest"))
def test_a_judge_that_accepts_one_way_only_is_caught(family: str) -> None:
    found = wrong_in(UNFAIR, "honest", family)
    assert found
    assert all("honest work earned" in one.wrong for one in found)


def test_the_oracle_itself_satisfies_both_bad_judges() -> None:
    for judge in (GULLIBLE, UNFAIR):
        for seed in SEEDS:
            assert script(judge, seed).result.success, (judge, seed)


def test_every_mutation_has_a_name_of_its_own_and_a_sentence() -> None:
    assert len({one.name for one in MUTATIONS}) == len(MUTATIONS)
    assert [one.name for one in MUTATIONS if not one.says] == []


def test_a_mutation_is_played_the_same_way_twice() -> None:
    for mutation in MUTATIONS[::9]:
        assert play(GULLIBLE, 1, mutation) == play(GULLIBLE, 1, mutation)


def test_a_refused_mutation_is_blocked_and_not_blamed() -> None:
    switch = next(one for one in MUTATIONS if one.name == "switches_a_trigger_off")
    found = play(GULLIBLE, 0, switch)
    assert (found.status, found.wrong) == ("blocked", "")


def test_a_mutation_that_is_always_refused_has_to_say_so() -> None:
    switch = next(one for one in MUTATIONS if one.name == "switches_a_trigger_off")
    trial = play(GULLIBLE, 0, switch)
    assert covered(switch, [trial]).status == "blocked"
    for other in (0, 404):
        found = covered(replace(switch, refused=other), [trial])
        assert (found.status, found.wrong) == (
            "shut",
            "the apps refused it on every variant (403), which its declaration does not expect",
        )


def test_a_mutation_without_meaning_is_unfit_and_not_blamed() -> None:
    swap = next(one for one in MUTATIONS if one.name == "does_deeds_in_another_order")
    found = play(GULLIBLE, 0, swap)
    assert (found.status, found.wrong) == ("unfit", "")


def test_scenarios_without_plans_are_held_to_neutral_mutations(monkeypatch: pytest.MonkeyPatch) -> None:
    neutral = {one.name for one in MUTATIONS if one.anywhere}
    assert {one.mutation for one in sample(GULLIBLE)} - neutral
    monkeypatch.setattr(running, "is_planned", lambda scenario: False)
    assert {one.mutation for one in sample(GULLIBLE)} <= neutral


def test_a_table_counts_what_was_played() -> None:
    [row] = table(trials(GULLIBLE, SEEDS, ["lies_about_a_deed"]))
    [cell] = row.cells.values()
    assert (cell.played + cell.unfit, cell.succeeded, cell.wrong) == (len(SEEDS), cell.played, cell.played)


def test_an_altered_reply_changes_nothing_else() -> None:
    scene = Scene(GULLIBLE, script(GULLIBLE, 2))
    scene.oracle(lambda scene, ask: scene.send(ask.saying(ask.words) if ask.words else ask))
    said = [one.body for one in scene.episode.world.read(lambda tx: tx.all(Comment, "ticket_id = ?", scene.ticket_id))]
    assert said[-1] == scene.words
    assert scene.episode.finish().reward == script(GULLIBLE, 2).result.reward


def test_a_value_counts_as_shown_in_the_form_that_people_see() -> None:
    shown = Shown()
    shown.add('{"amount_cents": 5190, "created_at": "2026-02-11T08:30:00Z", "id": "ch_3locLLawtKJr0BKz"}')
    for kind, text in (("amount", "5190"), ("date", "02-11"), ("id", "ch_3locLLawtKJr0BKz")):
        assert shown.holds(Value(kind, text, "x")) == "shown"  # type: ignore[arg-type] # drawn from a tuple
    assert shown.holds(Value("amount", "5191", "x")) == ""
    assert shown.holds(Value("date", "02-12", "x")) == ""
    shown.add("The fee is 10.00 EUR; 20 % off; within 14 days.")
    assert shown.holds(Value("amount", "4190", "x")) == "derived"
    assert shown.holds(Value("amount", "1038", "x")) == "derived"
    assert shown.holds(Value("date", "02-25", "x")) == "derived"


def test_a_value_that_was_never_shown_is_reported_with_its_step() -> None:
    class Guessing(Gullible):
        """Uses a charge before it was shown."""

        def oracle(self, hands: Hands, truth: DeskTruth) -> None:
            """Ask for a charge that was never shown, then go on."""
            hands.call("backoffice_get_record", {"kind": "charges", "id": "ch_0000000000000000"})
            super().oracle(hands, truth)

    found = grounded(Guessing(), 0)
    assert found.first is not None
    assert (found.first.step, found.first.value.text) == (1, "ch_0000000000000000")


def test_policies_without_understanding_win_at_a_gullible_judge() -> None:
    found = {one.policy: one for one in probes(GULLIBLE, fit=8, test=3)}
    caught = {"looks_at_nothing", "best_fixed_answer", "climber", "believes_the_ticket", "blind_to_the_letter"}
    assert {name for name, one in found.items() if one.wrong} >= caught


def test_a_fixed_answer_solves_the_variant_that_it_is_from() -> None:
    learned = learn(find("zendesk/late-refund"), fit=6, test=1)
    assert all(apply(learned, one, one.template).success for one in learned.train)
    solved = [bool(apply(learned, one, best_fixed(learned)).success) for one in learned.train]
    assert any(solved)
    assert not all(solved)


def test_a_second_oracle_is_measured_if_there_is_one() -> None:
    assert second_oracle(GULLIBLE, 2) == []
    [found] = second_oracle(GULLIBLE, 2, GULLIBLE.oracle)
    assert (found.policy, found.solved) == ("second_oracle", 2)
    [idle] = second_oracle(GULLIBLE, 2, lambda hands, truth: None)
    assert idle.solved == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("wrong-charge", "reason_other"),
        ("wrong-charge", "reason_refund"),
        ("firm-policy", "reason_warranty"),
        ("address-change", "reason_address"),
        ("rental-deposit", "why_rental"),
    ],
)
def test_all_contact_reasons_at_once_fail_whatever_the_right_one_is(name: str, reason: str) -> None:
    scenario = find(f"zendesk/{name}")
    seed = next(seed for seed in range(60) if start(scenario, seed).truth.closing["reason"] == (reason,))
    trial = play(scenario, seed, next(one for one in MUTATIONS if one.name == "sets_every_reason"))
    assert (trial.status, trial.success, trial.wrong) == ("played", False, "")
