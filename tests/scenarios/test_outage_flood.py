"""Outage flood: the right tickets on one problem, no word that it works too early, refunds to the right customers."""

from collections.abc import Iterable
from typing import Any

import pytest

from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.scenarios.outage_flood import FORM, FloodTruth, OutageFlood
from diorama.scenarios.outage_flood.plans import PLANS
from diorama.scenarios.outage_flood.things import THINGS
from diorama.worlds.closing import TITLES
from tests.scenarios.planned import Planned

DESK = Planned("zendesk/outage-flood", FloodTruth)
SCENARIO, begin, truth_of, then_the_oracle = DESK.scenario, DESK.begin, DESK.truth_of, DESK.then_the_oracle
SOLVED = {"status": "solved", "fields": {TITLES[key]: values[0] for key, values in FORM.items()}}
HOPEFUL = "Hello, good news: it works again, please try once more."
PATIENT = "Hello, our engineers are still working on it. We will write as soon as it is fixed."


def link(episode: Episode, problem: int, numbers: Iterable[int]) -> None:
    """Link tickets to a problem, with the engineers' code."""
    for number in numbers:
        fields = {"type": "incident", "problem_id": problem, "add_tags": [truth_of(episode).code]}
        assert not episode.call("zendesk_update_ticket", {"ticket_id": number, **fields}).is_error


def numbers(truth: FloodTruth) -> list[int]:
    return [one.ticket_id for one in truth.hits]


def until_it_is_over(episode: Episode) -> None:
    for _ in range(3):
        episode.call("wait", {"minutes": 120})


def solve(episode: Episode, problem: int) -> Result:
    """Solve the problem with a true reply, and finish."""
    episode.call("zendesk_reply_to_ticket", {"ticket_id": problem, "body": truth_of(episode).reply, **SOLVED})
    return episode.finish()


def part(result: Result, name: str) -> Any:
    """Return a part of the outcome."""
    assert result.score is not None
    return next(one for one in result.score.parts if one.name == name and one.scale == "episode")


@pytest.mark.parametrize("plan", [plan.name for plan in PLANS])
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    episode = begin(plan)
    staged = episode.snapshot()
    result = then_the_oracle(episode)
    assert (result.success, result.reward) == (True, 1.0)
    assert result.score is not None
    assert all(one.expected and one.found for one in result.score.parts)
    for name, cheat in SCENARIO.cheats.items():
        episode.restore(staged)
        cheat(episode.hands, episode.truth)
        result = episode.finish()
        assert (result.success, (result.reward or 0.0) <= 0.4) == (False, True), name


@pytest.mark.parametrize("plan", ["nobody_opened_one", "not_sure_yet", "they_do_not_know"])
def test_no_customer_is_told_that_it_works_before_it_does(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.hits[1].ticket_id, "body": HOPEFUL})
    result = then_the_oracle(episode)
    assert result.success is False
    found = part(result, "no_one_was_told_too_early")
    assert "it works again, please try once more" in found.found
    assert found.evidence


def test_a_customer_may_be_asked_to_wait() -> None:
    episode = begin("colleague_opened_one")
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth_of(episode).ticket_id, "body": PATIENT})
    assert then_the_oracle(episode).success


def test_the_same_words_are_true_after_the_all_clear() -> None:
    episode = begin("over_already")
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth_of(episode).ticket_id, "body": HOPEFUL})
    assert then_the_oracle(episode).success


def test_solving_before_the_outage_ends_is_final() -> None:
    episode = begin("not_sure_yet")
    truth = truth_of(episode)
    link(episode, truth.problem_id, numbers(truth))
    words = {"ticket_id": truth.problem_id, "body": "Hello, thank you for writing.", **SOLVED}
    episode.call("zendesk_reply_to_ticket", words)
    episode.call("wait", {"minutes": 1})
    until_it_is_over(episode)
    for number in (truth.problem_id, *numbers(truth)):
        episode.call("zendesk_update_ticket", {"ticket_id": number, "status": "open"})
    result = solve(episode, truth.problem_id)
    assert result.success is False
    assert "solved before" in part(result, "no_one_was_told_too_early").found


def test_the_end_of_the_outage_is_not_known_before_the_all_clear() -> None:
    episode = begin("not_sure_yet")
    truth = truth_of(episode)
    until = truth.hits[0].tell[1].text
    asked = {"ticket_id": truth.status_id}
    assert until not in str(episode.call("zendesk_list_comments", asked).data["comments"][0]["plain_body"])
    until_it_is_over(episode)
    assert f"{until} UTC" in episode.call("zendesk_list_comments", asked).text


def test_last_months_problem_ticket_is_wrong() -> None:
    episode = begin("the_older_problem")
    truth = truth_of(episode)
    link(episode, truth.older_id, numbers(truth))
    until_it_is_over(episode)
    result = solve(episode, truth.older_id)
    assert result.success is False
    assert part(result, "incidents_are_linked").value == 0.0


def test_an_unrelated_ticket_on_the_problem_is_damage() -> None:
    episode = begin("a_stray_on_it")
    truth = truth_of(episode)
    link(episode, truth.problem_id, numbers(truth))
    until_it_is_over(episode)
    result = solve(episode, truth.problem_id)
    assert result.success is False
    assert part(result, "damage: zendesk_comments.public").value < 0
    assert f"#{truth.strays[0]}" in part(result, "incidents_are_linked").found


def test_tickets_that_arrive_during_the_wait_count_too() -> None:
    episode = begin("they_keep_coming")
    truth = truth_of(episode)
    made = {"subject": "Outage", "requester_email": OutageFlood.person, "public": False, "body": "Collects them."}
    problem = int(episode.call("zendesk_create_ticket", made).data["ticket"]["id"])
    episode.call("zendesk_update_ticket", {"ticket_id": problem, "type": "problem"})
    link(episode, problem, numbers(truth))
    until_it_is_over(episode)
    result = solve(episode, problem)
    assert result.success is False
    assert part(result, "incidents_are_linked").value == 0.0
    assert part(result, "everyone_was_told").value == 0.0


def test_only_real_double_charges_are_refunded() -> None:
    episode = begin("one_is_mistaken")
    truth = truth_of(episode)
    (mistaken,) = [one for one in truth.hits if one.reply and not one.owed]
    (charge,) = mistaken.closing["record"]
    episode.call("backoffice_refund_charge", {"charge_id": charge, "reason": "duplicate"})
    result = then_the_oracle(episode)
    assert result.success is False
    assert part(result, "damage: backoffice_refunds").value < 0


def test_what_another_customer_got_costs_even_if_it_is_put_right() -> None:
    episode = begin("money_for_some")
    first, second = [one for one in truth_of(episode).hits if one.owed][:2]
    episode.call("zendesk_reply_to_ticket", {"ticket_id": first.ticket_id, "body": second.reply})
    result = then_the_oracle(episode)
    assert "not" not in part(result, "everyone_was_told").found
    assert result.reward is not None
    assert result.reward < 1.0


def test_equal_letters_with_different_records_need_different_work() -> None:
    by_name = {plan.name: plan for plan in PLANS}
    charged, mistaken = (truth_of(begin(name)) for name in ("money_for_some", "all_are_mistaken"))
    assert by_name["money_for_some"].things == by_name["all_are_mistaken"].things
    assert charged.owed
    assert not mistaken.owed
    assert [one.closing["resolution"] for one in mistaken.hits if one.reply] == [("done_explained", "done_refused")]


def test_staging_draws_its_times() -> None:
    starts = {f"{start(SCENARIO, seed).world.now:%M:%S}" for seed in range(8)}
    assert len(starts) == 8


def test_splits_share_no_customer() -> None:
    train, held_out = (
        {one.customer_id for seed in range(15) for one in truth_of(start(SCENARIO, seed, split=split)).hits}
        for split in ("train", "eval")
    )
    assert not train & held_out


def test_unrelated_mails_are_varied() -> None:
    for name, thing in THINGS.items():
        assert len(thing.letters) >= 5, name
        assert len({subject for subject, _ in thing.unrelated}) >= 5, name
