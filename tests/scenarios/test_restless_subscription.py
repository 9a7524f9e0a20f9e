"""Restless subscription: the right plan of three, the right change, and the right day."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from diorama import people
from diorama.apps.backoffice.schema import Order, Subscription
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.past_coffee import SOLD
from diorama.scenarios.restless_subscription import RestlessSubscription
from diorama.worlds import closing
from diorama.worlds.closing import EFFECTIVE
from tests.scenarios.planned import Planned

NAME = "zendesk/restless-subscription"
DESK = Planned(NAME, DeskTruth)
SCENARIO, begin = DESK.scenario, DESK.begin
PLANS = {plan.name: plan for plan in RestlessSubscription.plans}
DAY = timedelta(days=1)


def owed(episode: Episode, kind: str) -> Any:
    """Return what is owed of a kind."""
    return next(one for one in episode.truth.owed if one.kind == kind)


def row(episode: Episode) -> Subscription:
    """Return the subscription that the mail is about."""
    found: Subscription = episode.world.read(lambda tx: tx.get(Subscription, episode.truth.closing["record"][0]))
    return found


def change(episode: Episode, action: str, **more: Any) -> None:
    """Change the subscription that the mail is about."""
    arguments = {"subscription_id": row(episode).id, "action": action, **more}
    assert not episode.call("backoffice_change_subscription", arguments).is_error


def missing(result: Result) -> set[str]:
    """Return the names of the parts that did not hold."""
    assert result.score is not None
    return {part.name for part in result.score.parts if part.value <= 0}


def solved(plan: str) -> Episode:
    """Play the oracle on a plan."""
    episode = begin(plan)
    SCENARIO.oracle(episode.hands, episode.truth)
    assert episode.finish().success
    return episode


@pytest.mark.parametrize("plan", ["rest_a_while", "rest_longer", "charged_in_pause"])
def test_a_pause_ends_on_its_day_and_deliveries_resume(plan: str) -> None:
    episode = solved(plan)
    before = row(episode)
    assert (before.status, before.resumes_at is not None) == ("paused", True)
    assert before.resumes_at is not None
    episode.world.wait(before.resumes_at + 2 * DAY - episode.world.now)
    assert (row(episode).status, row(episode).renewals) == ("active", before.renewals + 1)


@pytest.mark.parametrize("plan", ["other_coffee", "coffee_and_grind", "moved_by_mistake"])
def test_the_next_delivery_is_the_new_coffee_at_its_price(plan: str) -> None:
    episode = solved(plan)
    goal = owed(episode, "plan_change").to["plan"]
    due = row(episode).next_renewal_at
    assert due is not None
    episode.world.wait(due + timedelta(hours=1) - episode.world.now)
    newest = row(episode).last_order_id
    order = episode.world.read(lambda tx: tx.get(Order, newest))
    assert order.total_cents == SOLD[goal].price_cents


@pytest.mark.parametrize("days", [-1, 1, 7])
def test_the_wrong_day_fails(days: int) -> None:
    episode = begin("rest_a_while")
    day = datetime.fromisoformat(owed(episode, "pause").day) + days * DAY
    change(episode, "pause", resumes_at=f"{day:%Y-%m-%d}T09:00:00Z")
    assert "pause_is_made" in missing(episode.finish())


def test_a_local_midnight_counts_as_its_day() -> None:
    episode = begin("rest_a_while")
    change(episode, "pause", resumes_at=f"{owed(episode, 'pause').day}T00:00:00+02:00")
    assert "pause_is_made" not in missing(episode.finish())


def test_the_wrong_reason_for_leaving_fails() -> None:
    episode = begin("end_taste")
    change(episode, "cancel", reason="moving")
    assert "cancellation_is_made" in missing(episode.finish())


def test_cancelling_what_should_rest_is_damage() -> None:
    episode = begin("rest_not_cancel")
    change(episode, "cancel", reason="other")
    result = episode.finish()
    assert result.success is False
    assert (result.reward or 0.0) < 0.0


def test_a_change_of_another_plan_costs_success() -> None:
    episode = begin("skip_one")
    mine, customer = row(episode), episode.truth.customer_id
    rows = episode.world.read(lambda tx: tx.all(Subscription, "customer_id = ? AND id != ?", customer, mine.id))
    assert len(rows) == 2
    episode.call("backoffice_change_subscription", {"subscription_id": rows[0].id, "action": "skip"})
    SCENARIO.oracle(episode.hands, episode.truth)
    assert episode.finish().success is False


@pytest.mark.parametrize(("plan", "times"), [("skip_one", 2), ("skip_two", 1), ("skip_two", 3)])
def test_one_skip_too_many_or_too_few_fails(plan: str, times: int) -> None:
    episode = begin(plan)
    for _ in range(times):
        change(episode, "skip")
    assert "skip_is_made" in missing(episode.finish())


def test_the_new_plan_without_the_new_grind_fails() -> None:
    episode = begin("coffee_and_grind")
    change(episode, "change_plan", plan=owed(episode, "plan_change").to["plan"])
    assert "plan_change_is_made" in missing(episode.finish())


def test_going_on_at_once_is_not_going_on_later() -> None:
    episode = begin("back_early")
    later = episode.world.now + 30 * DAY
    change(episode, "resume", resumes_at=f"{later:%Y-%m-%dT%H:%M:%SZ}")
    assert "resumption_is_made" in missing(episode.finish())


def test_an_effective_date_without_its_deed_is_explained_by_the_form() -> None:
    episode = begin("rest_a_while")
    SCENARIO.cheats["marks_it_solved"](episode.hands, episode.truth)
    score = episode.finish().score
    assert score is not None
    (part,) = (one for one in score.parts if one.name == "field_effective" and one.scale == "episode")
    assert EFFECTIVE in part.expected


def test_a_bag_that_has_left_cannot_be_stopped() -> None:
    episode = begin("bag_has_left")
    number = episode.truth.order_number
    order = episode.call("backoffice_get_order", {"order": number}).data
    assert episode.call("backoffice_cancel_order", {"order_id": order["id"]}).is_error


@pytest.mark.parametrize(
    ("one", "other"),
    [("rest_a_while", "rest_longer"), ("bag_not_sent", "bag_has_left"), ("back_early", "back_from_open_end")],
)
def test_equal_letters_have_different_records(one: str, other: str) -> None:
    assert PLANS[one].letter == PLANS[other].letter
    assert list(PLANS[one].past) != list(PLANS[other].past)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("moved_by_mistake", "moved_and_stays"),
        ("charged_in_pause", "only_the_pause"),
        ("rest_a_while", "rest_not_cancel"),
    ],
)
def test_equal_records_have_different_letters(one: str, other: str) -> None:
    assert list(PLANS[one].past) == list(PLANS[other].past)
    assert PLANS[one].letter != PLANS[other].letter


def test_the_three_coffees_differ_and_stand_in_any_order() -> None:
    places = set()
    for seed in range(10):
        episode = start(NAME, seed)
        mine = row(episode).id
        customer = episode.truth.customer_id
        rows = episode.world.read(lambda tx, customer=customer: tx.all(Subscription, "customer_id = ?", customer))
        assert len({one.plan_code.split("-")[0] for one in rows}) == 3
        places.add([one.id for one in rows].index(mine))
    assert len(places) == 3


def told(episode: Episode) -> Result:
    """Tell the customer what the oracle tells, and solve the ticket."""
    ticket = {"ticket_id": episode.truth.ticket_id}
    fields = {closing.TITLES[key]: values[0] for key, values in episode.truth.closing.items() if values}
    if not episode.truth.closing.get("effective", True):
        fields[closing.TITLES["effective"]] = episode.truth.owed[0].day
    episode.call("zendesk_reply_to_ticket", {**ticket, "body": episode.truth.reply})
    episode.call("zendesk_update_ticket", {**ticket, "fields": fields, "status": "solved"})
    return episode.finish()


def parts(result: Result) -> dict[str, Any]:
    assert result.score is not None
    return {part.name: part for part in result.score.parts}


def test_a_pause_until_midnight_where_the_shop_is_satisfies() -> None:
    episode = begin("rest_a_while")
    change(episode, "pause", resumes_at=f"{owed(episode, 'pause').day}T00:00:00+02:00")
    result = told(episode)
    assert (result.success, result.reward) == (True, 1.0)


def test_a_wrong_reason_for_the_end_is_named() -> None:
    episode = begin("end_taste")
    change(episode, "cancel", reason="other")
    assert parts(told(episode))["cancellation_is_made"].expected.endswith("cancelled now with the reason taste")


def test_a_customer_who_lacks_something_says_what() -> None:
    episode = begin("rest_a_while")
    found = episode.world.read(lambda tx: people.troubles(tx, episode.truth.requester))
    assert "missing: pause" in found


def test_days_that_the_plan_had_before_may_be_told() -> None:
    episode = begin("rest_longer")
    before = row(episode).resumes_at
    assert before is not None
    SCENARIO.oracle(episode.hands, episode.truth)
    said = f"Until today your plan was resting until {before:%d %B %Y}."
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": said})
    assert "nothing_false_was_said" not in missing(episode.finish())
