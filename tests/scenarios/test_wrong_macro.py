"""Wrong macro: the current policy decides, and what a macro promises or refuses spoils the answer."""

import pytest

from diorama.apps.zendesk.schema import Macro
from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.wrong_macro import STALE, WrongMacro
from tests.scenarios.planned import Planned, truth_of

DESK = Planned("zendesk/wrong-macro", DeskTruth)
SCENARIO, begin = DESK.scenario, DESK.begin
TRAINED = [plan.name for plan in WrongMacro.plans if not plan.split]


def solved(episode: Episode) -> Result:
    """Let the oracle do its work, and end the episode."""
    SCENARIO.oracle(episode.hands, episode.truth)
    return episode.finish()


@pytest.mark.parametrize("plan", TRAINED)
def test_sending_the_macro_fails(plan: str) -> None:
    episode = begin(plan)
    SCENARIO.cheats["sends_the_macro"](episode.hands, episode.truth)
    result = episode.finish()
    assert result.success is False
    assert (result.reward or 0.0) < 0.4


def test_old_macros_are_in_the_list_with_old_dates() -> None:
    episode = begin("late_return")
    listed: list[Macro] = episode.world.read(lambda tx: tx.all(Macro, "active = 1"))
    old = [one for one in listed if one.title in STALE]
    assert len(old) == len(STALE)
    assert all((episode.world.now - one.created_at).days >= 500 for one in old)
    assert len({one.created_at for one in old}) == len(old)


@pytest.mark.parametrize(
    ("one", "other"),
    [("return_in_time", "late_return"), ("one_booking", "two_bookings"), ("on_the_road", "not_packed"),
     ("no_notice", "ended_before"), ("three_years", "two_years_are_enough"), ("another_card", "another_card_too_late")],
)  # fmt: skip
def test_equal_letters_have_different_answers(one: str, other: str) -> None:
    plans = {plan.name: plan for plan in WrongMacro.plans}
    assert plans[one].letter == plans[other].letter
    assert bool(truth_of(begin(one)).owed) is not bool(truth_of(begin(other)).owed)


def test_opened_and_sealed_coffee_have_the_same_past() -> None:
    plans = {plan.name: plan for plan in WrongMacro.plans}
    assert plans["opened_coffee"].past == plans["sealed_coffee"].past
    assert plans["opened_coffee"].letter != plans["sealed_coffee"].letter


def test_giving_more_than_the_policy_is_damage() -> None:
    episode = begin("opened_coffee")
    order = episode.call("backoffice_get_order", {"order": truth_of(episode).order_number}).data
    asked = {"order_id": order["id"], "sku": order["lines"][0]["sku"], "reason": "changed_mind"}
    assert not episode.call("backoffice_open_return", asked).is_error
    result = solved(episode)
    assert result.success is False
    assert result.score is not None
    assert any(part.name == "damage: backoffice_returns" for part in result.score.parts)


def test_the_money_goes_to_the_card_and_not_to_store_credit() -> None:
    episode = begin("goods_are_here")
    (owed,) = truth_of(episode).owed
    assert owed.destination == "original_payment"
    asked = {"charge_id": owed.subjects[0], "amount_cents": owed.cents, "reason": "returned"}
    assert not episode.call("backoffice_refund_charge", {**asked, "destination": "store_credit"}).is_error
    assert episode.finish().success is False


@pytest.mark.parametrize("promise", ["Your plan is running again.", "We have refunded 20.00 EUR to your card."])
def test_a_refusal_with_a_false_promise_fails(promise: str) -> None:
    episode = begin("late_return")
    truth = truth_of(episode)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": promise})
    result = solved(episode)
    assert result.success is ("refunded" not in promise)
