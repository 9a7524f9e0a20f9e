"""VIP near breach: a reply in time, the work really done, and the goodwill that the promise gives."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from diorama.apps.backoffice.schema import Credit, Customer
from diorama.apps.zendesk.schema import Ticket, User
from diorama.apps.zendesk.schema.help_center import Article, Translation
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.people import Persona
from diorama.scenarios.desk_queue import QueuePlan, QueueTruth
from diorama.scenarios.vip_near_breach import SEASON_CENTS, VipNearBreach
from tests.scenarios.planned import OtherHands, Planned

DESK = Planned("zendesk/vip-near-breach", QueueTruth)
SCENARIO = DESK.scenario
PROMISE, OLD = "VIP promise: when we have let a VIP down", "VIP gestures"


def begin(plan: str) -> tuple[Episode, QueueTruth]:
    episode = DESK.begin(plan)
    return episode, DESK.truth_of(episode)


class Altered(OtherHands):
    """An oracle's hands that change the arguments of one tool."""

    def __init__(self, hands: Any, tool: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        super().__init__(hands)
        self.tool, self.change = tool, change

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Call a tool, with other arguments if it is this one."""
        given = arguments or {}
        return self.hands.call(tool, self.change(given) if tool == self.tool else given)


def played(plan: str, tool: str, **changes: Any) -> Result:
    """Return the result of an oracle with other arguments of one tool."""
    episode, truth = begin(plan)
    SCENARIO.oracle(Altered(episode.hands, tool, lambda given: {**given, **changes}), truth)
    return episode.finish()


def failed(result: Result) -> dict[str, str]:
    """Return what was found for each fact that did not hold."""
    assert result.success is False
    assert result.reward is not None
    assert result.reward <= 0.4
    assert result.score is not None
    return {part.name: part.found for part in result.score.parts if part.scale == "episode" and part.value <= 0}


def test_the_breach_is_near_and_the_brief_names_no_ticket() -> None:
    for seed in range(12):
        episode = start(SCENARIO, seed)
        truth = episode.truth
        ticket = episode.world.read(lambda tx, number=truth.ticket_id: tx.get(Ticket, number))
        left = ticket.created_at + timedelta(minutes=truth.minutes) - episode.world.now
        assert timedelta(minutes=8) < left < timedelta(minutes=15)
        assert str(truth.ticket_id) not in episode.brief


def test_only_one_new_ticket_is_of_a_vip() -> None:
    for seed in range(12):
        episode = start(SCENARIO, seed)
        found = episode.call("zendesk_search_tickets", {"query": SCENARIO.search}).data["results"]
        assert len(found) > 1

        def is_vip(tx: Any, number: int) -> bool:
            email = tx.get(User, number).email
            return bool(email) and tx.count(Customer, "email = ? AND segment = 'vip'", email) > 0

        mine = [row["id"] for row in found if episode.world.read(is_vip, row["requester_id"])]
        assert mine == [episode.truth.ticket_id]


def test_the_desk_does_not_know_every_vip() -> None:
    episode, truth = begin("not_known_at_the_desk")
    assert "vip" not in episode.world.read(lambda tx: tx.get(Ticket, truth.ticket_id)).tags
    shown = episode.call("backoffice_get_customer", {"customer_id": truth.customer_id}).data
    assert shown["customer"]["segment"] == "vip"
    found = failed(played("not_known_at_the_desk", "zendesk_update_ticket", add_tags=[]))
    assert "without the tag vip" in found["queue_is_right"]


@pytest.mark.parametrize(
    ("plan", "wrong"),
    [
        ("taken_twice", {"priority": "normal"}),
        ("taken_twice_with_lawyer", {"priority": "high"}),
        ("parcel_lost", {"group_id": None}),
        ("paid_days_ago_with_lawyer", {"priority": "high"}),
    ],
)
def test_priority_and_group_count(plan: str, wrong: dict[str, Any]) -> None:
    if "group_id" in wrong:
        groups = begin(plan)[0].call("zendesk_list_groups").data["groups"]
        wrong = {"group_id": next(one["id"] for one in groups if one["name"] == "Wholesale")}
    assert "queue_is_right" in failed(played(plan, "zendesk_update_ticket", **wrong))


def test_a_late_first_reply_fails() -> None:
    episode, truth = begin("parcel_lost")
    SCENARIO.cheats["lets_the_clock_run_out"](episode.hands, truth)
    assert "first_reply_was_in_time" in failed(episode.finish())


@pytest.mark.parametrize("more", [-100, 100])
def test_another_amount_than_the_promise_gives_fails(more: int) -> None:
    _, truth = begin("parcel_lost")
    gift = next(one.cents for one in truth.owed if one.kind == "credit")
    assert gift is not None
    found = failed(played("parcel_lost", "backoffice_grant_credit", amount_cents=gift + more))
    assert "credit_is_made_2" in found


def test_goodwill_of_this_season_is_taken_off() -> None:
    episode, truth = begin("had_some_already")
    gift = next(one.cents for one in truth.owed if one.kind == "credit") or 0
    had = episode.world.read(lambda tx: tx.all(Credit, "customer_id = ?", truth.customer_id, order="created_at"))
    assert [one.amount_cents for one in had] == [2_500, SEASON_CENTS - gift]
    asked = {"customer_id": truth.customer_id, "amount_cents": gift + 100}
    assert episode.call("backoffice_grant_credit", asked).is_error
    assert [one.kind for one in begin("had_it_all")[1].owed] == ["refund"]


def test_the_customer_does_not_ask_for_goodwill() -> None:
    episode, truth = begin("parcel_lost")
    persona = episode.world.read(lambda tx: tx.first(Persona, "email = ?", truth.requester))
    assert [need.name for need in persona.stakes] == ["refund"]


def test_the_help_center_has_the_new_and_the_old_page() -> None:
    episode, truth = begin("parcel_lost")
    gift = next(one.cents for one in truth.owed if one.kind == "credit") or 0
    found = episode.call("zendesk_search_help_center", {"query": "VIP"}).data["results"]
    by_title = {article["title"]: article for article in found}
    assert f"parcel lost: {gift // 100}.00 EUR" in by_title[PROMISE]["body"]
    assert by_title[OLD]["edited_at"] < by_title[PROMISE]["edited_at"]
    for title in (PROMISE, OLD):
        text = episode.world.read(lambda tx, name=title: tx.first(Translation, "title = ?", name))
        page = episode.world.read(lambda tx, number=text.source_id: tx.get(Article, number))
        assert page.created_at == page.edited_at == text.created_at == text.updated_at < episode.world.now


def test_twins_differ_in_the_letter_only_by_way_and_lawyer() -> None:
    plans = {plan.name: plan for plan in VipNearBreach.plans}
    for name, plan in plans.items():
        for ending in ("_as_credit", "_with_lawyer"):
            if name.endswith(ending):
                twin = plans[name.removesuffix(ending)]
                assert (twin.past, twin.facts) == (plan.past, plan.facts)
                assert twin.letter != plan.letter
        assert isinstance(plan, QueuePlan)
        assert (plan.priority == "urgent") is name.endswith("_with_lawyer")
