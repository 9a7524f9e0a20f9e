"""Outage flood: the right tickets on one problem, the truth after the outage, and refunds to the right customers."""

import pytest

from diorama.apps.zendesk.schema import Ticket
from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.kernel import Tx
from diorama.scenarios.outage_flood import ANSWER, FloodTruth
from diorama.scenarios.outage_flood.plans import PLANS
from diorama.scenarios.outage_flood.things import THINGS
from tests.scenarios.variants import Variants, parts

GAME = Variants("zendesk/outage-flood", FloodTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
OWN_CHEATS = ("calls_it_over_at_once", "links_every_ticket", "answers_without_linking")


SOLVED = {"status": "solved", "fields": ANSWER}


def ticket(episode: Episode, number: int) -> Ticket:
    def look(tx: Tx) -> Ticket:
        return tx.get(Ticket, number)

    return episode.world.read(look)


def link(episode: Episode, problem: int, numbers: tuple[int, ...]) -> None:
    code = truth_of(episode).code
    for number in numbers:
        fields = {"ticket_id": number, "problem_id": problem, "add_tags": [code]}
        assert not episode.call("zendesk_update_ticket", fields).is_error


def solve(episode: Episode, problem: int) -> Result:
    """Read the engineers' thread, solve the problem with a true reply, and finish."""
    truth = truth_of(episode)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    episode.call("zendesk_reply_to_ticket", {"ticket_id": problem, "body": truth.answer, **SOLVED})
    return episode.finish()


def until_it_is_over(episode: Episode) -> None:
    for _ in range(3):
        episode.call("wait", {"minutes": 120})


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    GAME.only_honesty_pays(plan, OWN_CHEATS, below=0.5)


def test_the_engineers_ticket_may_become_the_problem() -> None:
    episode = begin("over_already")
    truth = truth_of(episode)
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "type": "problem"})
    link(episode, truth.ticket_id, truth.incidents)
    assert solve(episode, truth.ticket_id).reward == 1.0


def test_solving_before_the_outage_ends_is_final() -> None:
    episode = begin("not_sure_yet")
    truth = truth_of(episode)
    link(episode, truth.problem_id, truth.incidents)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.problem_id, "body": truth.answer, **SOLVED})
    episode.call("wait", {"minutes": 1})
    assert {ticket(episode, number).status for number in truth.incidents} == {"solved"}
    until_it_is_over(episode)
    for number in (truth.problem_id, *truth.incidents):
        episode.call("zendesk_update_ticket", {"ticket_id": number, "status": "open"})
    result = solve(episode, truth.problem_id)
    assert result.success is False
    assert parts(result)["told_too_early"] == -1.0


def test_last_months_problem_ticket_is_wrong() -> None:
    episode = begin("the_older_problem")
    truth = truth_of(episode)
    link(episode, truth.older_id, truth.incidents)
    until_it_is_over(episode)
    result = solve(episode, truth.older_id)
    assert result.success is False
    assert parts(result)["incidents_are_linked"] == 0.0


def test_an_unrelated_ticket_on_the_problem_is_harm() -> None:
    episode = begin("a_stray_on_it")
    truth = truth_of(episode)
    link(episode, truth.problem_id, truth.incidents)
    until_it_is_over(episode)
    result = solve(episode, truth.problem_id)
    assert result.success is False
    assert parts(result)["strangers_were_told"] == -1.0


def test_tickets_that_arrive_during_the_wait_count_too() -> None:
    episode = begin("they_keep_coming")
    truth = truth_of(episode)
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "type": "problem"})
    link(episode, truth.ticket_id, truth.incidents)
    until_it_is_over(episode)
    result = solve(episode, truth.ticket_id)
    assert result.success is False
    assert parts(result)["incidents_are_linked"] == 0.0


def test_only_real_double_charges_are_refunded() -> None:
    episode = begin("one_is_mistaken")
    truth = truth_of(episode)
    assert 1 <= len(truth.bills) < len(truth.incidents)
    billed = {bill.customer_id for bill in truth.bills}
    unbilled = [customer for customer in truth.customer_ids if customer not in billed]
    listed = episode.call("backoffice_list_records", {"kind": "charges", "customer_id": unbilled[0]}).data
    episode.call("backoffice_refund_charge", {"charge_id": listed["data"][0]["id"], "reason": "duplicate"})
    SCENARIO.oracle(episode.hands, truth)
    result = episode.finish()
    assert result.success is False
    assert parts(result)["money_was_paid_wrongly"] == -1.0


def test_unrelated_mails_are_varied() -> None:
    for name, thing in THINGS.items():
        assert len(thing.letters) >= 5, name
        assert len({subject for subject, _ in thing.unrelated}) >= 5, name
