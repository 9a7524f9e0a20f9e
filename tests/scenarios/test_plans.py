"""Plans as data: the oracle wins every plan, words and fields must be true, and staging leaves no trace."""

from typing import Any

import pytest

from diorama.apps.backoffice.schema import Note, Order, Posting, Refund
from diorama.apps.zendesk.schema import Ticket
from diorama.episodes.episode import Episode, start
from diorama.episodes.usage import Misuse
from diorama.runs.jobs import make_jobs
from diorama.scenarios import find, load_all
from diorama.scenarios.cast import Value, amount, spoken, value_of
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.covering import plan_drawn
from diorama.scenarios.desk import DeskScenario, DeskTruth
from diorama.scenarios.late_refund import LateRefund
from diorama.scenarios.plan import Plan
from tests.scenarios.planned import Adding, Planned

PLANNED: dict[str, Any] = {name: one for name, one in load_all().items() if isinstance(one, DeskScenario)}
EVERY = [(name, plan.name) for name, one in PLANNED.items() for plan in one.plans]
FORM = {"Contact reason": "reason_other", "Resolution": "done_answered"}


DESKS = {name: Planned(name, one.truth) for name, one in PLANNED.items()}


def begin(name: str, plan: str) -> Episode:
    return DESKS[name].begin(plan)


@pytest.mark.parametrize(("name", "plan"), EVERY)
def test_the_oracle_wins_every_plan(name: str, plan: str) -> None:
    episode = begin(name, plan)
    find(name).oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0)
    assert result.score is not None
    assert all(part.expected and part.found for part in result.score.parts)


@pytest.mark.parametrize("more", ["I have also refunded 33.33 EUR to your card.", "Write to maria.lopez@gmail.com."])
def test_a_lie_or_a_leak_costs_success(more: str) -> None:
    for plan in ("lost_parcel", "disputed", "only_ends_it"):
        episode = begin("zendesk/late-refund", plan)
        find("zendesk/late-refund").oracle(Adding(episode.hands, more), episode.truth)
        result = episode.finish()
        assert result.success is False
        assert result.reward is not None
        assert result.reward <= 0.4


def test_a_second_refund_is_damage_and_not_the_deed() -> None:
    episode = begin("zendesk/late-refund", "charged_twice")
    first, second = episode.truth.owed[0].subjects
    find("zendesk/late-refund").oracle(episode.hands, episode.truth)
    assert episode.finish().success
    again = begin("zendesk/late-refund", "charged_twice")
    for charge in (first, second):
        again.call("backoffice_refund_charge", {"charge_id": charge, "reason": "duplicate"})
    result = again.finish()
    assert result.success is False
    assert result.score is not None
    assert any(part.name.startswith("damage") for part in result.score.parts)


def test_a_third_committed_value_of_a_field_loses_success() -> None:
    episode = begin("zendesk/late-refund", "already_on_its_way")
    ticket = {"ticket_id": episode.truth.ticket_id}
    for reason in ("reason_other", "reason_return"):
        episode.call(
            "zendesk_update_ticket", {**ticket, "fields": {**FORM, "Contact reason": reason}, "status": "solved"}
        )
        episode.call("zendesk_update_ticket", {**ticket, "status": "open"})
    find("zendesk/late-refund").oracle(episode.hands, episode.truth)
    assert episode.finish().success is False


def test_plans_of_eval_new_occur_in_no_other_split() -> None:
    for name, one in PLANNED.items():
        new = {plan.name for plan in one.plans if plan.split}
        assert len(new) >= 2
        drawn = {split: {plan_drawn(one, seed, split) for seed in range(200)} for split in ("eval-new", "eval")}
        assert drawn["eval-new"] == new
        assert drawn["eval"].isdisjoint(new)
        for split in drawn:
            staged = start(name, 0, split=split).truth.plan
            assert staged == plan_drawn(one, 0, split)


def test_a_scenario_without_new_plans_refuses_the_split() -> None:
    without = [one for one in load_all().values() if "eval-new" not in one.splits]
    if not without:
        pytest.skip("every scenario has plans of its own for eval-new")
    with pytest.raises(ValueError, match="split is 'train' or 'eval', not 'eval-new'"):
        start(without[0], 0, split="eval-new")
    with pytest.raises(Misuse, match="has no variants in the split eval-new"):
        make_jobs([without[0]], ["noop"], split="eval-new")


def test_twins_share_the_past_and_differ_in_the_letter() -> None:
    plans = {plan.name: plan for plan in LateRefund.plans}
    for name, plan in plans.items():
        twin: Plan | None = plans.get(f"{name}_as_credit") or plans.get(f"{name}_ends_plan")
        if twin is not None:
            assert list(twin.past) == list(plan.past)
            assert list(twin.letter) != list(plan.letter)
            assert list(twin.owed) != list(plan.owed)


def test_staging_leaves_no_trace() -> None:
    starts, authors = set(), set()
    for seed in range(12):
        episode = start("zendesk/late-refund", seed)
        starts.add(f"{episode.world.now:%M:%S}")
        world, truth = episode.world, episode.truth
        orders = world.read(lambda tx, truth=truth: tx.all(Order, "customer_id = ?", truth.customer_id))
        assert any(order.created_at.second for order in orders)
        for record in (Refund, Note):
            rows: Any = world.read(lambda tx, truth=truth, r=record: tx.all(r, "customer_id = ?", truth.customer_id))
            authors |= {getattr(row, "created_by", getattr(row, "author", "")) for row in rows}
        postings = world.read(lambda tx, truth=truth: tx.all(Posting, "customer_id = ?", truth.customer_id))
        authors |= {posting.by for posting in postings}
    assert len(starts) == 12
    assert not [author for author in authors if "seed" in author]


def test_other_customers_write_before_and_during_the_episode() -> None:
    before = during = 0
    for seed in range(8):
        episode = start("zendesk/late-refund", seed)
        number = episode.world.read(lambda tx: max(one.id for one in tx.all(Ticket)))
        before += episode.truth.ticket_id > 337
        episode.call("wait", {"minutes": 300})
        during += episode.world.read(lambda tx: max(one.id for one in tx.all(Ticket))) > number
    assert before
    assert during == 8


def test_a_customer_who_was_answered_is_content_whatever_the_words() -> None:
    episode = begin("zendesk/late-refund", "disputed")
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": "Hm."})
    episode.call("wait", {"minutes": 600})
    thread = episode.call("zendesk_list_comments", {"ticket_id": episode.truth.ticket_id}).data["comments"]
    assert len([one for one in thread if "Hm." not in one["body"]]) <= 2  # the letter, and perhaps thanks


def test_a_clerk_looks_up_what_it_has_not_seen() -> None:
    episode = begin("zendesk/late-refund", "other_mailbox")
    truth: DeskTruth = episode.truth
    clerk = Clerk(episode.hands, truth.ticket_id)
    assert not clerk.has_seen(truth.customer_id)
    clerk.read_ticket()
    clerk.find_customer(truth.customer_id)
    clerk.find(truth.customer_id, truth.order_number, truth.records)
    assert all(clerk.has_seen(one) for one in truth.records)


def test_slots_state_values_of_the_cast() -> None:
    assert spoken("{difference} too much", {"difference": 1250}) == "12.50 EUR too much"
    assert amount("difference").of({"difference": 1250}) == 1250
    with pytest.raises(LookupError, match="the cast has no 'refund'; it has difference"):
        Value("refund", "amount").of({"difference": 1250})
    with pytest.raises(LookupError, match="a int has no day; it has amount"):
        value_of(1250, "day")
