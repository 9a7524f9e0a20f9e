"""VIP near breach: a reply in time, the work really done, and the goodwill that the policy gives."""

import pytest

from diorama.apps.zendesk.schema import Ticket
from diorama.episodes.episode import Episode
from diorama.episodes.result import Result
from diorama.scenarios.closing_form import closing
from diorama.scenarios.vip_near_breach import VipTruth
from diorama.scenarios.vip_near_breach.plans import PLANS
from tests.scenarios.variants import Variants, parts, say

GAME = Variants("zendesk/vip-near-breach", VipTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
OWN_CHEATS = ("answers_and_forgets", "gives_the_most", "lets_the_clock_run_out")


def pay(episode: Episode) -> None:
    for due in truth_of(episode).dues:
        fields = {"charge_id": due.charges[0], "reason": "goodwill", "amount_cents": due.cents}
        assert not episode.call("backoffice_refund_charge", fields).is_error


def give(episode: Episode, cents: int) -> bool:
    """Give credit; return whether it was accepted."""
    fields = {"customer_id": truth_of(episode).customer_id, "amount_cents": cents}
    return not episode.call("backoffice_grant_credit", fields).is_error


def close(episode: Episode, **fields: object) -> Result:
    """Read it, answer truthfully, set the fields, solve it, finish."""
    truth = truth_of(episode)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    say(episode, SCENARIO._letter(truth))  # the oracle's own letter
    groups = episode.call("zendesk_list_groups").data["groups"]
    filed = {
        "group_id": next(group["id"] for group in groups if group["name"] == truth.group),
        "priority": truth.priority,
        "add_tags": ["vip"],
        "status": "solved",
        "fields": closing(truth),
        **fields,
    }
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, **filed})
    return episode.finish()


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_can_be_solved_but_not_by_its_own_cheats(plan: str) -> None:
    GAME.only_honesty_pays(plan, OWN_CHEATS, below=0.4)


def test_the_breach_is_near_and_the_brief_names_no_ticket() -> None:
    for plan in PLANS:
        episode = begin(plan)
        truth = truth_of(episode)
        left = (truth.due_us - episode.world.now.timestamp() * 1e6) / 6e7
        assert 8 < left < 15, plan
        assert str(truth.ticket_id) not in episode.brief


def test_the_vip_ticket_can_be_found_by_search() -> None:
    episode = begin("parcel_lost")
    found = episode.call("zendesk_search_tickets", {"query": "tags:vip status:new created>2hours"}).data["results"]
    assert [row["id"] for row in found] == [truth_of(episode).ticket_id]
    assert episode.world.read(lambda tx: tx.get(Ticket, truth_of(episode).ticket_id)).priority == "high"


def test_the_desk_does_not_know_every_vip() -> None:
    episode = begin("not_known_at_the_desk")
    truth = truth_of(episode)
    assert "vip" not in episode.world.read(lambda tx: tx.get(Ticket, truth.ticket_id)).tags
    assert (
        episode.call("backoffice_get_customer", {"customer_id": truth.customer_id}).data["customer"]["segment"] == "vip"
    )
    staged = episode.snapshot()
    for tags in ([truth.reason], [truth.reason, "vip"]):
        episode.restore(staged)
        pay(episode)
        give(episode, truth.goodwill_cents)
        assert close(episode, add_tags=tags).success is ("vip" in tags)


@pytest.mark.parametrize("wrong", [{"priority": "normal"}, {"group_id": None}])
def test_the_final_group_and_status_count(wrong: dict[str, object]) -> None:
    episode = begin("taken_twice")
    groups = episode.call("zendesk_list_groups").data["groups"]
    if "group_id" in wrong:
        wrong = {"group_id": next(group["id"] for group in groups if group["name"] == "Wholesale")}
    pay(episode)
    give(episode, truth_of(episode).goodwill_cents)
    result = close(episode, **wrong)
    assert not result.success
    assert parts(result)["queue_is_right"] == 0


@pytest.mark.parametrize("more", [-100, 100])
def test_another_amount_than_the_policys_fails(more: int) -> None:
    episode = begin("parcel_lost")
    pay(episode)
    assert give(episode, truth_of(episode).goodwill_cents + more)
    result = close(episode)
    assert not result.success
    assert parts(result)["money_was_paid_wrongly"] < 0


def test_credit_given_this_season_counts() -> None:
    episode = begin("had_some_already")
    truth = truth_of(episode)
    assert 2_000 <= truth.goodwill_cents <= 3_000
    assert not give(episode, truth.goodwill_cents + 100)
    assert truth_of(begin("had_it_all")).goodwill_cents == 0


@pytest.mark.parametrize("plan", ["paid_days_ago", "bank_decides"])
def test_nothing_is_due_if_nothing_went_wrong(plan: str) -> None:
    episode = begin(plan)
    staged = episode.snapshot()
    assert close(episode).success
    episode.restore(staged)
    assert give(episode, 1_000)
    assert not close(episode).success


def test_the_help_center_has_the_new_and_the_old_policy() -> None:
    episode = begin("parcel_lost")
    found = episode.call("zendesk_search_help_center", {"query": "VIP"}).data["results"]
    by_title = {article["title"]: article for article in found}
    promise, old = by_title["VIP promise: when we have let a VIP down"], by_title["VIP gestures"]
    assert f"parcel lost: {truth_of(episode).goodwill_cents // 100} EUR" in promise["body"]
    assert old["edited_at"] < promise["edited_at"]


def test_train_and_eval_share_no_customer() -> None:
    GAME.splits_share_nothing("requester")
