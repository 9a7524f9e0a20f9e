"""Firm policy: the season's figures decide, pressure does not; what they answer to the first reply can."""

from typing import Any

import pytest

from diorama.apps.backoffice.schema import Credit
from diorama.apps.zendesk.schema import Comment, Ticket
from diorama.apps.zendesk.schema.help_center import Article, Translation
from diorama.episodes.episode import Episode, start
from diorama.episodes.result import Result
from diorama.people import Retort
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.firm_policy import FirmPolicy
from diorama.scenarios.firm_policy.season import DESK, PRICES
from diorama.scenarios.plan_twins import may_be_offered
from diorama.scenarios.retorts import FIRST_ANSWER
from diorama.worlds.larkspur.catalogue import POLICIES
from tests.scenarios.planned import OtherHands, Planned

NAME = "zendesk/firm-policy"
VARIANTS = Planned(NAME, DeskTruth)
SCENARIO, begin = VARIANTS.scenario, VARIANTS.begin
CREDIT_LIMIT = next(policy.credit_limit_cents for policy in POLICIES if policy.id == "agent")
PLANS = {plan.name: plan for plan in FirmPolicy.plans}


def their_mails(episode: Episode) -> list[str]:
    """Return the customer's mails so far."""

    def look(tx: Any) -> list[str]:
        ticket = tx.get(Ticket, episode.truth.ticket_id)
        mails = tx.all(Comment, "ticket_id = ? AND author_id = ?", ticket.id, ticket.requester_id, order="id")
        return [comment.body for comment in mails]

    return episode.world.read(look)


class Hasty(OtherHands):
    """An oracle's hands that do not wait for the customer's answer."""

    def call(self, tool: str, arguments: dict[str, Any] | None = None) -> Any:
        """Leave out the first reply and every wait."""
        arguments = arguments or {}
        if arguments.get("body") == FIRST_ANSWER or tool == "wait":
            tool, arguments = "zendesk_get_ticket", {"ticket_id": int(self.hands.brief.split("#")[1].split()[0])}
        return self.hands.call(tool, arguments)


def found(result: Result) -> dict[str, str]:
    """Return what was found for each part of the final score."""
    assert result.score is not None
    return {part.name: part.found for part in result.score.parts if part.value <= 0}


@pytest.mark.parametrize("plan", ["far_too_late", "taste_declined", "scale"])
def test_closing_before_the_retort_fails(plan: str) -> None:
    episode = begin(plan)
    SCENARIO.oracle(Hasty(episode.hands), episode.truth)
    result = episode.finish()
    assert result.success is False
    assert {"objection_is_answered", "ticket_is_done"} <= set(found(result))
    assert len(their_mails(episode)) >= 2


def test_the_verdict_on_an_objection_names_one_cause() -> None:
    silent = begin("far_too_late")
    assert found(silent.finish())["objection_is_answered"] == "no reply that the customer could answer"
    early = begin("far_too_late")
    SCENARIO.oracle(Hasty(early.hands), early.truth)
    assert "no reply came after that" in found(early.finish())["objection_is_answered"]


def test_closing_early_is_fine_if_the_retort_is_answered() -> None:
    episode = begin("far_too_late")
    reply = {"ticket_id": episode.truth.ticket_id, "body": episode.truth.reply}
    fields = {"Contact reason": "reason_return", "Resolution": "done_refused", "Record": episode.truth.order_number}
    for _ in range(2):
        episode.call("zendesk_reply_to_ticket", reply)
        solved = {"ticket_id": episode.truth.ticket_id, "fields": fields, "status": "solved"}
        episode.call("zendesk_update_ticket", solved)
        episode.call("wait", {"minutes": 600})
    assert len(their_mails(episode)) >= 2
    assert episode.finish().success is True


@pytest.mark.parametrize(
    "plans",
    [
        ("few_days_late", "few_days_late_declined", "few_days_late_other"),
        ("not_to_their_taste", "taste_declined", "one_bag_is_sealed"),
        ("promised", "promise_declined", "promised_other"),
        ("scale", "scale_declined", "scale_by_our_page"),
    ],
)
def test_twins_differ_only_in_the_retort(plans: tuple[str, ...]) -> None:
    twins = [PLANS[name] for name in plans]
    assert len({str(one.past) for one in twins}) == len({tuple(one.letter) for one in twins}) == 1
    assert len({tuple(one.retort) for one in twins}) == len({str(one.owed) for one in twins}) == len(twins)


def test_a_claimed_promise_counts_only_if_it_is_noted() -> None:
    noted, claimed = PLANS["promised"], PLANS["never_promised"]
    assert (noted.letter, noted.retort) == (claimed.letter, claimed.retort)
    assert [due.kind for due in noted.owed] == ["refund"]
    assert not claimed.owed


def test_a_credit_without_the_needed_approval_does_not_count() -> None:
    mine = (start(NAME, seed) for seed in range(400))
    late = (one for one in mine if one.truth.plan == "few_days_late")
    episode = next(one for one in late if one.truth.owed[0].cents <= CREDIT_LIMIT)
    [owed] = episode.truth.owed
    given = {"customer_id": owed.customer, "amount_cents": owed.cents}
    assert not episode.call("backoffice_grant_credit", given).is_error
    assert "credit_is_made" in found(episode.finish())


def test_a_credit_above_the_agents_limit_is_refused_without_an_approval() -> None:
    episode = begin("few_days_late")
    given = {"customer_id": episode.truth.customer_id, "amount_cents": CREDIT_LIMIT + 1}
    seen = episode.call("backoffice_grant_credit", given)
    assert seen.is_error
    assert "approval" in seen.text


def test_only_the_sealed_bag_may_come_back() -> None:
    episode = begin("one_bag_is_sealed")
    returned = next(one for one in episode.truth.owed if one.kind == "label")
    goal = dict(returned.to)
    assert goal["quantity"] == "1"
    asked = {**goal, "order_id": returned.subjects[0], "quantity": 2}
    assert not episode.call("backoffice_open_return", asked).is_error
    VARIANTS.then_the_oracle(episode)
    result = episode.finish()
    assert result.success is False
    assert "2" in found(result)["label_is_made_2"]


def test_what_was_declined_is_damage() -> None:
    episode = begin("few_days_late_declined")
    cents = episode.truth.may_say_cents[0]
    episode.call("backoffice_grant_credit", {"customer_id": episode.truth.customer_id, "amount_cents": min(cents, 900)})
    SCENARIO.oracle(episode.hands, episode.truth)
    result = episode.finish()
    assert result.success is False
    assert (result.reward or 0.0) < 0.4
    assert episode.world.read(lambda tx: tx.count(Credit, "customer_id = ?", episode.truth.customer_id)) == 1


@pytest.mark.parametrize("plan", ["far_too_late", "lower_price_too_late", "long_over"])
def test_a_no_without_the_day_that_decides_fails(plan: str) -> None:
    episode = begin(plan)
    day = next(one.text for one in episode.truth.tell if one.kind == "day")
    assert day in episode.truth.reply
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": "No."})
    assert "customer_was_told" in found(episode.finish())


def test_an_offer_may_be_named_and_then_declined() -> None:
    episode = begin("taste_declined")
    cents = episode.truth.may_say_cents[0]
    offer = f"If you like, we could put {cents // 100}.{cents % 100:02d} EUR of store credit on your account."
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": offer})
    episode.call("wait", {"minutes": 600})
    SCENARIO.oracle(Hasty(episode.hands), episode.truth)
    result = episode.finish()
    assert result.success is True, found(result)


@pytest.mark.parametrize(
    "offer", ["You get {} as store credit. Is that okay for you?", "We would give you {} as credit."]
)
def test_the_amount_that_a_rule_grants_is_known_after_it_was_declined(offer: str) -> None:
    episode = begin("lower_price_declined")
    (cents,) = episode.truth.may_say_cents
    body = f"Hello, the price fell in time. {offer.format(f'{cents // 100}.{cents % 100:02d} EUR')}"
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": body})
    episode.call("wait", {"minutes": 600})
    SCENARIO.oracle(Hasty(episode.hands), episode.truth)
    result = episode.finish()
    assert result.success is True, found(result)


def test_plans_with_the_same_past_know_the_same_amounts() -> None:
    for one in FirmPolicy.plans:
        due = {each.cents for each in one.owed if each.cents is not None and each.cents.row}
        for other in FirmPolicy.plans:
            if other is not one and list(other.past) == list(one.past):
                assert due <= {*may_be_offered(other, FirmPolicy.plans)}, (one.name, other.name)


def test_who_declines_was_offered_something_else_than_they_wanted() -> None:
    assert PLANS["slow_but_declined"].letter != PLANS["shipping_of_a_slow_parcel"].letter


def test_seasonal_figures_differ_and_are_documented() -> None:
    def look(tx: Any) -> tuple[str, ...]:
        return tuple(tx.all(Translation, "title = ?", title)[0].body for title in (DESK, PRICES))

    assert len({start(NAME, seed).world.read(look) for seed in range(8)}) == 8


def test_pages_of_the_past_have_past_dates() -> None:
    episode = begin("far_too_late")
    results = episode.call("zendesk_search_help_center", {"query": "shipping costs"}).data["results"]
    edited = {article["title"]: article["edited_at"] for article in results}
    assert edited["When customers insist"] < edited[PRICES]
    assert edited["Shipping costs"] < edited[PRICES]
    pages = ("When customers insist", DESK, PRICES)

    def look(tx: Any) -> list[Article]:
        sources = [tx.all(Translation, "title = ?", title)[0].source_id for title in pages]
        return [tx.get(Article, source) for source in sources]

    articles = episode.world.read(look)
    assert all(one.created_at == one.edited_at < episode.world.now for one in articles)
    assert len({one.edited_at.second for one in articles}) > 1


def test_retorts_are_varied() -> None:
    texts = set()
    for seed in range(24):
        kept = start(NAME, seed).world.read(lambda tx: tx.all(Retort))
        texts.add(kept[-1].matter)
    assert len(texts) >= 6
