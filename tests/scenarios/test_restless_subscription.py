"""Restless subscription: the state at the next renewal decides."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Order, Subscription
from diorama.episodes.episode import Episode
from diorama.scenarios.closing_form import closing
from diorama.scenarios.restless_subscription import CoffeeTruth
from diorama.scenarios.restless_subscription.plans import PLANS
from diorama.scenarios.restless_subscription.scene import OFFERS, SOLD, Step
from diorama.scenarios.restless_subscription.standing import Want, same_day
from tests.scenarios.variants import Variants, close, parts

GAME = Variants("zendesk/restless-subscription", CoffeeTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
OWN_CHEATS = ("cancels_everything", "pauses_everything", "promises_the_change")
DAY = timedelta(days=1)


def want_of(episode: Episode) -> Want:
    want = truth_of(episode).want
    assert want is not None
    return want


def row(episode: Episode, id: str = "") -> Subscription:
    wanted = id or want_of(episode).id
    found: Subscription = episode.world.read(lambda tx: tx.get(Subscription, wanted))
    return found


def press(episode: Episode, action: str, **more: Any) -> bool:
    """Perform an action on the subscription in question; return whether it was accepted."""
    arguments = {"subscription_id": want_of(episode).id, "action": action, **more}
    return not episode.call("backoffice_change_subscription", arguments).is_error


def do(episode: Episode, steps: tuple[Step, ...]) -> None:
    for step in steps:
        assert not episode.call(step.tool, step.arguments).is_error, step


def let_pass_until(episode: Episode, moment: datetime) -> None:
    episode.world.wait(moment - episode.world.now)


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    GAME.only_honesty_pays(plan, OWN_CHEATS, below=0.1)


@pytest.mark.parametrize("plan", ["holiday", "not_for_good", "longer_away", "charged_in_pause"])
def test_a_pause_ends_on_its_day_and_deliveries_resume(plan: str) -> None:
    episode = begin(plan)
    want = want_of(episode)
    SCENARIO.oracle(episode.hands, episode.truth)
    episode.finish()
    assert want.on is not None
    let_pass_until(episode, want.on - DAY)
    assert row(episode).renewals == want.renewals
    let_pass_until(episode, want.on + 2 * DAY)
    assert (row(episode).status, row(episode).renewals) == ("active", want.renewals + 1)


@pytest.mark.parametrize("plan", ["skip_some", "too_late_this_time", "back_on_a_day"])
def test_the_next_delivery_is_on_the_announced_day(plan: str) -> None:
    episode = begin(plan)
    want = want_of(episode)
    SCENARIO.oracle(episode.hands, episode.truth)
    episode.finish()
    day = want.on or want.next_at
    assert day is not None
    let_pass_until(episode, day - timedelta(hours=1))
    assert row(episode).renewals == want.renewals
    let_pass_until(episode, day + timedelta(hours=1))
    assert row(episode).renewals == want.renewals + 1


@pytest.mark.parametrize("plan", ["another_roast", "roast_and_grind", "no_longer_sold", "never_asked_for_it"])
def test_the_next_delivery_is_the_new_coffee_at_its_price(plan: str) -> None:
    episode = begin(plan)
    want = want_of(episode)
    SCENARIO.oracle(episode.hands, episode.truth)
    episode.finish()
    assert want.next_at is not None
    let_pass_until(episode, max(want.next_at, episode.world.now) + timedelta(hours=1))
    newest = row(episode).last_order_id
    order = episode.world.read(lambda tx: tx.get(Order, newest))
    assert order.created_at >= want.next_at
    assert order.total_cents == OFFERS[want.plan].price_cents


def test_a_cancelled_subscription_never_delivers() -> None:
    for plan in ("not_for_good", "holiday", "stop_this_bag"):
        episode = begin(plan)
        assert press(episode, "cancel", reason="moving")
        do(episode, tuple(step for step in truth_of(episode).steps if "subscription_id" not in step.arguments))
        result = close(episode)
        assert not result.success
        assert parts(result)["ended_what_should_go_on"] < 0, plan


def test_cancelling_the_wrong_one_of_two_fails() -> None:
    episode = begin("one_of_two")
    (other,) = truth_of(episode).keeps
    do(episode, truth_of(episode).steps)
    episode.call("backoffice_change_subscription", {"subscription_id": other.id, "action": "skip"})
    result = close(episode)
    assert not result.success
    assert parts(result)["another_one_was_touched"] < 0


@pytest.mark.parametrize("days", [-1, 1, 7])
def test_the_wrong_day_fails(days: int) -> None:
    episode = begin("holiday")
    day = want_of(episode).on
    assert day is not None
    assert press(episode, "pause", resumes_at=f"{day + days * DAY:%Y-%m-%dT08:00:00Z}")
    assert not close(episode).success


def test_the_right_day_counts_in_any_time_zone() -> None:
    episode = begin("holiday")
    day = want_of(episode).on
    assert day is not None
    assert press(episode, "pause", resumes_at=f"{day:%Y-%m-%d}T00:00:00+02:00")
    assert close(episode).reward == 1.0


@pytest.mark.parametrize("wrong", SOLD)
def test_the_wrong_plan_fails(wrong: str) -> None:
    episode = begin("another_roast")
    if wrong != want_of(episode).plan:
        assert press(episode, "change_plan", plan=wrong)
        assert not close(episode).success


def test_the_new_plan_without_the_new_grind_fails() -> None:
    episode = begin("roast_and_grind")
    assert press(episode, "change_plan", plan=want_of(episode).plan)
    assert not close(episode).success


def test_one_skip_too_many_or_too_few_fails() -> None:
    episode = begin("skip_some")
    staged = episode.snapshot()
    steps = truth_of(episode).steps
    for count in (len(steps) - 1, len(steps) + 1):
        episode.restore(staged)
        do(episode, steps[:1] * count)
        assert not close(episode).success


def test_the_customers_reason_must_be_recorded() -> None:
    episode = begin("enough")
    assert press(episode, "cancel", reason="other")
    assert not close(episode).success


@pytest.mark.parametrize("cents", [-1, 1])
def test_refunding_the_wrong_difference_is_harm(cents: int) -> None:
    episode = begin("never_asked_for_it")
    back, refund = truth_of(episode).steps
    wrong = refund.arguments["amount_cents"] + cents
    do(episode, (back, Step(refund.tool, {**refund.arguments, "amount_cents": wrong})))
    result = close(episode)
    assert not result.success
    assert parts(result)["money_was_paid_wrongly"] < 0


def test_acting_after_the_renewal_fails() -> None:
    episode = begin("skip_some")
    due = row(episode).next_renewal_at
    assert due is not None
    let_pass_until(episode, due + timedelta(hours=1))
    do(episode, truth_of(episode).steps)
    assert not close(episode).success


def test_a_pause_cannot_be_made_longer_without_ending_it_first() -> None:
    episode = begin("longer_away")
    assert not press(episode, "pause", resumes_at="2026-06-01T08:00:00Z")
    do(episode, truth_of(episode).steps)
    assert close(episode).success


def test_an_ended_subscription_needs_its_true_end_date() -> None:
    episode = begin("already_over")
    truth = truth_of(episode)
    when = truth.say[0][1]
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    body = truth.answer.replace(when, "today")
    episode.call(
        "zendesk_reply_to_ticket",
        {"ticket_id": truth.ticket_id, "body": body, "status": "solved", "fields": closing(truth)},
    )
    assert not episode.finish().success


def test_train_and_eval_share_no_customer() -> None:
    GAME.splits_share_nothing("requester")


def test_days_begin_in_the_companys_time_zone() -> None:
    day = datetime(2026, 5, 14, 8, tzinfo=UTC)
    assert same_day(datetime(2026, 5, 13, 22, tzinfo=UTC), day)
    assert same_day(datetime(2026, 5, 14, 23, 59, tzinfo=UTC), day)
    assert not same_day(datetime(2026, 5, 13, 21, 59, tzinfo=UTC), day)
    assert not same_day(datetime(2026, 5, 15, tzinfo=UTC), day)
    assert not same_day(None, day)
