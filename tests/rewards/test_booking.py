"""Booking: what counts in its turn, what counts at a commitment, and what never tells which answer is right."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.kernel import Event, Tx
from diorama.kit.damage import Cell
from diorama.rewards import Fact, Finding, Measure, View, look, quality
from diorama.scenarios import Hands, Scenario, Stage
from tests.laws.village import CLERK, DEBT, Account, Case, Debt, Entry, Letter
from tests.laws.village import start as start_in_village

FORM = "form@village.example"
"""A letter to this address fills in the field `amount` of the case."""


class FieldsAndDeeds(Scenario[Debt]):
    """A debt is paid, and the amount is stated in a field before the case is closed."""

    name = "village/fields"
    world = "village"
    apps = ("bank", "post")
    person = CLERK
    turns = 30
    hours = 24.0
    horizon_hours = 48.0
    truth = Debt

    def stage(self, stage: Stage) -> Debt:
        """Stage the debt."""
        return DEBT.stage(stage)

    def brief(self, truth: Debt) -> str:
        """The task text for the agent."""
        return DEBT.brief(truth)

    def committed(self, view: View, truth: Debt) -> bool:
        """A closed case is a commitment."""
        return view.tx.get(Case, truth.case_id).status == "closed"

    def committed_values(self, view: View, truth: Debt) -> Mapping[str, Sequence[Any]]:
        """Every letter to the form counts as committed."""
        return {"amount": _values(view.tx)}

    def facts_for(self, truth: Debt) -> Sequence[Fact]:
        """One fact for the deed, one for the field, one for the case."""
        return (
            Fact("paid", "resolved", 2.0, type(self).check_paid, "The debt was paid once.", kind="deed"),
            Fact("amount", "classified", 1.0, type(self).check_amount, "The field is right.", booked="commitment",
                 kind="field", decided_by=(str(truth.cents),)),
            Fact("closed", "resolved", 1.0, type(self).check_closed, "The case is closed.", booked="commitment"),
        )  # fmt: skip

    def check_paid(self, view: View, truth: Debt) -> Finding:
        """The ledger shows one payment to the creditor."""
        account = view.tx.first(Account, "owner = ?", truth.creditor)
        assert account is not None
        found = view.tx.count(Entry, "account_id = ? AND cents = ?", account.id, truth.cents)
        return Finding(found == 1, f"one payment of {truth.cents} to {truth.creditor}", f"{found} payments")

    def check_amount(self, view: View, truth: Debt) -> Finding:
        """The last value of the field is the debt."""
        given = _values(view.tx)
        found = given[-1] if given else "nothing"
        return Finding(found == str(truth.cents), f"amount {truth.cents}", f"amount {found}")

    def check_closed(self, view: View, truth: Debt) -> Finding:
        """The case is closed."""
        status = view.tx.get(Case, truth.case_id).status
        return Finding(status == "closed", "the case is closed", f"the case is {status}")

    @look()
    def mail_was_read(self, event: Event, truth: Debt) -> bool:
        """The letter about the debt stood in a reply."""
        return f"is owed {truth.cents}" in str(event.reply.get("body"))

    @look()
    def case_was_seen(self, event: Event, truth: Debt) -> bool:
        """The case stood in a reply."""
        return event.operation == "show_case"

    @quality()
    def quick(self, view: View, truth: Debt) -> Measure:
        """It was done at once."""
        return Measure(1.0, "within the hour", "within the hour")

    def covers(self, tx: Tx, truth: Debt, cell: Cell) -> bool:
        """Cover the case, letters, and payments to the creditor."""
        if cell.table == "bank_accounts":
            return bool(tx.get(Account, cell.key).owner == truth.creditor)
        if cell.table == "bank_entries":
            return tx.get(Account, cell.row["account_id"]).owner == truth.creditor
        return cell.table in ("bank_cases", "post_letters")

    def oracle(self, hands: Hands, truth: Debt) -> None:
        """Pay, fill in the field, close the case."""
        hands.call("bank_pay", {"to": truth.creditor, "cents": truth.cents})
        hands.call("post_write_letter", {"to": FORM, "text": str(truth.cents)})
        hands.call("bank_close_case", {"case_id": truth.case_id})
        hands.call("finish", {"report": "paid"})


def _values(tx: Tx) -> list[str]:
    return [one.text for one in tx.all(Letter, '"to" = ?', FORM, order="id")]


FIELDS = FieldsAndDeeds()
start = partial(start_in_village, scenario=FIELDS)


def pay(episode: Episode, cents: int = 0, to: str = "") -> None:
    """Pay the creditor what is owed, or something else."""
    truth: Debt = episode.truth
    episode.call("bank_pay", {"to": to or truth.creditor, "cents": cents or truth.cents})


def state(episode: Episode, value: Any = None) -> None:
    """Fill in the field."""
    episode.call("post_write_letter", {"to": FORM, "text": str(episode.truth.cents if value is None else value)})


def close(episode: Episode) -> None:
    """Close the case: a commitment."""
    episode.call("bank_close_case", {"case_id": episode.truth.case_id})


def reopen(episode: Episode) -> None:
    """Open the case again."""
    episode.call("bank_reopen_case", {"case_id": episode.truth.case_id})


def parts(result: Result) -> dict[str, float]:
    """Return the parts of the final score."""
    assert result.score is not None
    return {part.name: part.value for part in result.score.parts if part.scale == "episode"}


def test_success_needs_no_looking_and_has_potential_one() -> None:
    episode = start(1)
    FIELDS.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert (result.success, result.reward, episode.potential) == (True, 1.0, 1.0)


def test_looking_pays_at_most_a_fifth() -> None:
    episode = start(1)
    episode.call("post_read_letters")
    assert episode.potential == pytest.approx(0.1)
    episode.call("bank_look_at_case", {"case_id": episode.truth.case_id})
    assert episode.potential == pytest.approx(0.2)
    episode.call("post_read_letters")
    assert episode.potential == pytest.approx(0.2)
    result = episode.finish()
    assert result.success is False
    assert result.reward == pytest.approx(0.4 * 0.2)


def test_an_irrevocable_deed_is_booked_in_its_turn() -> None:
    episode = start(1)
    pay(episode)
    assert episode.potential == pytest.approx(0.8 * 2 / 4)


def test_no_value_of_a_field_moves_the_potential_before_a_commitment() -> None:
    episode = start(1)
    episode.call("post_read_letters")
    pay(episode)
    before = episode.potential
    for value in (1, 2, episode.truth.cents, 3, episode.truth.cents):
        state(episode, value)
        assert episode.potential == before
    assert [s for event in episode.events[-4:] for s in event.signals] == []


def test_after_the_first_commitment_values_count_only_at_the_end() -> None:
    episode = start(1)
    episode.call("post_read_letters")
    pay(episode)
    state(episode, 1)
    close(episode)
    first = episode.potential
    assert first == pytest.approx(0.8 * 3 / 4 + 0.1)
    reopen(episode)
    state(episode)
    close(episode)
    assert episode.potential == first
    result = episode.finish()
    assert (result.success, episode.potential) == (True, 1.0)


def test_a_field_pays_only_with_the_deed_and_its_deciding_record() -> None:
    for reads, pays, expected in ((True, True, 0.9), (False, True, 0.8 * 3 / 4), (True, False, 0.1 + 0.8 / 4)):
        episode = start(1)
        if reads:
            episode.call("post_read_letters")
        if pays:
            pay(episode)
        state(episode)
        close(episode)
        assert episode.potential == pytest.approx(1.0 if pays else expected)
        reopen(episode)
        result = episode.finish()
        assert result.success is False
        left = expected - 0.8 / 4  # the case is open again
        assert episode.potential == pytest.approx(left)
        assert result.reward == pytest.approx(0.4 * left)


def test_a_third_committed_value_loses_success() -> None:
    for values, wins in ((("7", None), True), (("7", "8", None), False)):
        episode = start(1)
        pay(episode)
        for value in values:
            state(episode, value)
        close(episode)
        result = episode.finish()
        assert result.success is wins
        assert ("committed_amount" in parts(result)) is not wins
        assert (episode.potential == 1.0) is wins
    assert result.score is not None
    told = next(part for part in result.score.parts if part.name == "committed_amount")
    assert (told.value, told.expected) == (-1.0, "amount committed at most 2 times")
    assert told.found == f"3 committed values: 7, 8, {episode.truth.cents}"


def test_damage_is_booked_at_the_commitment_and_costs_success() -> None:
    episode = start(1)
    other = next(f"v{n}@village.example" for n in range(12) if f"v{n}@village.example" != episode.truth.creditor)
    pay(episode, cents=5, to=other)
    assert episode.potential == 0.0
    pay(episode)
    before = episode.potential
    state(episode)
    close(episode)
    assert before < episode.potential < 1.0
    result = episode.finish()
    assert result.success is False
    found = parts(result)
    assert found["damage: bank_accounts.cents"] == -0.1
    assert found["damage: bank_entries"] == -0.1
    assert result.reward == pytest.approx(0.4 * 0.6 * math.exp(-0.2) - (1 - math.exp(-0.2)))


def test_every_part_on_every_scale_says_expected_and_found() -> None:
    for play in ("oracle", "half", "nothing"):
        episode = start(1)
        if play != "nothing":
            episode.call("post_read_letters")
            pay(episode)
        if play == "oracle":
            state(episode)
            close(episode)
        result = episode.finish()
        assert result.score is not None
        assert {part.scale for part in result.score.parts} >= {"phase", "episode", "look"}
        for part in result.score.parts:
            assert part.expected, part
            assert part.found, part


def test_a_step_names_what_was_won_and_why() -> None:
    episode = start(1)
    pay(episode)
    (signal,) = [one for event in episode.events for one in event.signals if one.scale == "step"]
    assert signal.because == "+paid"
    assert signal.expected == f"one payment of {episode.truth.cents} to {episode.truth.creditor}"
    assert signal.found == "1 payments"


def test_no_observation_carries_a_signal() -> None:
    episode = start(1)
    truth: Debt = episode.truth
    seen = [
        episode.call("post_read_letters"),
        episode.call("bank_pay", {"to": truth.creditor, "cents": truth.cents}),
        episode.call("bank_close_case", {"case_id": truth.case_id}),
        episode.call("wait", {"minutes": 5}),
    ]
    assert episode.potential > 0.5
    told = (episode.brief + msgspec.json.encode([one.data for one in seen]).decode() + str(seen)).lower()
    for word in ("potential", "reward", "expected", "paid once", "+paid", "signal"):
        assert word not in told


@settings(max_examples=40)
@given(st.integers(0, 5), st.lists(st.sampled_from("rpwfFcoQ"), max_size=14))
def test_steps_always_add_up_and_one_means_success(seed: int, moves: list[str]) -> None:
    episode = start(seed)
    acts: dict[str, Any] = {
        "r": lambda: episode.call("post_read_letters"), "p": lambda: pay(episode), "w": lambda: pay(episode, 5),
        "f": lambda: state(episode, 7), "F": lambda: state(episode), "c": lambda: close(episode),
        "o": lambda: reopen(episode), "Q": lambda: episode.call("wait", {"minutes": 5}),
    }  # fmt: skip
    for move in moves:
        acts[move]()
        assert 0.0 <= episode.potential <= 1.0
        midway = episode.score
        assert math.isclose(math.fsum(p.value for p in midway.parts if p.scale == "step"), midway.step, abs_tol=1e-9)
    result = episode.finish()
    assert result.score is not None
    steps = math.fsum(s.value for event in episode.events for s in event.signals if s.scale == "step")
    assert math.isclose(steps, episode.potential, abs_tol=1e-9)
    assert math.isclose(result.score.step, steps, abs_tol=1e-9)
    assert (result.success is True) == (episode.potential == 1.0)
    assert result.reward is not None
    assert -1.0 <= result.reward <= 1.0


def test_a_fork_judges_its_own_history() -> None:
    episode = start(1)
    pay(episode)
    twin = episode.fork()
    pay(twin, cents=5)
    state(episode)
    close(episode)
    assert episode.finish().success is True
    state(twin)
    close(twin)
    result = twin.finish()
    assert result.success is True  # a further payment to the creditor is covered here
    assert [one.seq for one in twin.events] != [one.seq for one in episode.events]
