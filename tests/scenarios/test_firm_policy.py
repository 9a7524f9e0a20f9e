"""Firm policy: the season's figures decide, pressure does not, and a no is only over when it has been answered."""

from functools import cache
from typing import Any

import pytest

from diorama.apps.zendesk.schema import Comment, Ticket, User
from diorama.apps.zendesk.schema.guide import Translation
from diorama.people import Retort
from diorama.rollout.episode import Episode, start
from diorama.scenarios import find
from diorama.scenarios.firm_policy import PLANS, dates_in
from diorama.scenarios.firm_policy.season import DESK, PRICES
from diorama.scenarios.policy import promised
from tests.scenarios.colleague import work

NAME = "zendesk/firm-policy"
SCENARIO: Any = find(NAME)
OWN_CHEATS = (
    "gives_in",
    "a_flat_no",
    "offers_everything",
    "asks_a_lead_for_everything",
    "promises_on_top",
    "tells_every_date",
)
A_YES_OR_A_NEW_FACT = {
    "noted_promise",
    "shipping_of_a_late_parcel",
    "other_order",
    "one_bag_is_sealed",
    "cheaper_elsewhere",
}
"""Plans in which the right end leaves nothing to press for."""
every_plan = pytest.mark.parametrize("plan", sorted(PLANS))


@cache
def seeds() -> dict[str, list[int]]:
    """Which variants are of which plan."""
    found: dict[str, list[int]] = {plan: [] for plan in PLANS}
    for seed in range(110):
        found[truth_of(start(NAME, seed)).plan].append(seed)
    return found


def truth_of(episode: Episode) -> Any:
    """The hidden truth."""
    return episode.truth


def of_plan(plan: str) -> Episode:
    """The first variant of a plan."""
    return start(NAME, seeds()[plan][0])


def their_mails(episode: Episode) -> list[str]:
    """What the customer has written so far."""

    def look(tx: Any) -> list[str]:
        ticket = tx.get(Ticket, truth_of(episode).ticket_id)
        mails = tx.all(Comment, "ticket_id = ? AND author_id = ?", ticket.id, ticket.requester_id, order="id")
        return [comment.body for comment in mails]

    return episode.world.read(look)


def retort(episode: Episode) -> Retort:
    """What the customer keeps in hand."""
    kept: list[Retort] = episode.world.read(lambda tx: tx.all(Retort))
    return kept[-1]


def say(episode: Episode, text: str) -> None:
    """Answer the customer and let them think about it."""
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth_of(episode).ticket_id, "body": text})
    episode.call("wait", {"minutes": 1440})


@every_plan
def test_who_decides_by_what_is_on_the_screen_is_right(plan: str) -> None:
    episode = of_plan(plan)
    work(episode.hands)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0), result.score


@every_plan
@pytest.mark.parametrize("cheat", OWN_CHEATS)
def test_no_way_of_cheating_pays_on_any_plan(plan: str, cheat: str) -> None:
    episode = of_plan(plan)
    SCENARIO.cheats[cheat](episode.hands, episode.truth)
    result = episode.finish()
    assert result.success is False
    assert result.reward is not None
    assert result.reward < 0.25


@pytest.mark.parametrize("plan", sorted(set(PLANS) - A_YES_OR_A_NEW_FACT))
def test_a_no_is_answered_and_who_closes_before_that_has_not_settled_it(plan: str) -> None:
    episode = of_plan(plan)
    truth = truth_of(episode)
    assert truth.presses
    SCENARIO._give(episode.hands, truth)
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": truth.answer})
    episode.call(
        "zendesk_update_ticket", {"ticket_id": truth.ticket_id, "add_tags": [truth.reason], "status": "solved"}
    )
    result = episode.finish()
    assert result.success is False
    assert retort(episode).said_at is not None
    assert episode.world.read(lambda tx: tx.get(Ticket, truth.ticket_id)).status == "open"


def test_closing_early_does_no_harm_to_who_answers_what_comes_then() -> None:
    episode = of_plan("far_too_late")
    truth = truth_of(episode)
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    say(episode, truth.answer)
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "add_tags": [truth.reason]})
    episode.call("zendesk_reply_to_ticket", {"ticket_id": truth.ticket_id, "body": truth.again, "status": "solved"})
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "status": "solved"})
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    assert episode.finish().success is True


def test_the_same_claim_counts_where_it_is_noted_and_only_there() -> None:
    noted, claimed = of_plan("noted_promise"), of_plan("claimed_promise")
    outcome = []
    for episode in (noted, claimed):
        truth = truth_of(episode)
        say(episode, f"I am sorry, I cannot take order {truth.order_number} back.")
        mail = their_mails(episode)[-1]
        assert truth.facts["call_date"] in mail
        order = episode.call("backoffice_get_order", {"order": truth.order_number}).data
        given = {
            "charge_id": order["charges"][0]["id"],
            "amount_cents": order["lines"][0]["unit_price_cents"],
            "destination": "store_credit",
            "reason": "goodwill",
        }
        assert not episode.call("backoffice_refund_charge", given).is_error
        parts = SCENARIO.harms
        result = episode.finish()
        assert result.score is not None
        outcome.append({part.name for part in result.score.parts} & {harm.name for harm in parts})
    assert outcome == [set(), {"money_went_astray"}]


def test_what_a_lead_must_approve_is_not_given_without() -> None:
    for seed in seeds()["few_days_late"]:
        episode = start(NAME, seed)
        truth = truth_of(episode)
        given = {"customer_id": truth.customer_id, "amount_cents": truth.grants[0].cents}
        seen = episode.call("backoffice_grant_credit", given)
        result = episode.finish()
        assert seen.is_error is (truth.grants[0].cents > 2_500)
        assert result.reward is not None
        assert result.reward == pytest.approx(0.0 if seen.is_error else -0.2)


def test_a_lead_is_not_asked_for_what_the_policy_has_decided() -> None:
    episode = of_plan("long_after_warranty")
    truth = truth_of(episode)
    serial = truth.say[0][0]
    asked = {"kind": "replacement", "subject": serial, "reason": "defective", "justification": "They insist."}
    assert not episode.call("backoffice_request_approval", asked).is_error
    assert (episode.finish().reward or 0.0) < 0.0


@pytest.mark.parametrize("plan", ["other_order", "one_bag_is_sealed"])
def test_a_return_on_a_guess_is_more_than_is_due(plan: str) -> None:
    early, late = of_plan(plan), of_plan(plan)
    order, sku = truth_of(early).back
    opening = {"order_id": order, "sku": sku, "reason": "changed_mind"}
    assert not early.call("backoffice_open_return", opening).is_error
    say(late, "I am sorry, that cannot come back.")
    assert len(their_mails(late)) == 2
    assert not late.call("backoffice_open_return", opening).is_error
    harms = [
        {part.name for part in result.score.parts if part.value < 0}
        for result in (early.finish(), late.finish())
        if result.score is not None
    ]
    assert "more_was_given_than_is_due" in harms[0]
    assert "more_was_given_than_is_due" not in harms[1]


def test_credit_is_credit_whether_granted_or_refunded_to_it() -> None:
    episode = of_plan("price_drop_in_time")
    truth = truth_of(episode)
    order = episode.call("backoffice_get_order", {"order": truth.order_number}).data
    given = {
        "charge_id": order["charges"][0]["id"],
        "amount_cents": truth.grants[0].cents,
        "destination": "store_credit",
        "reason": "goodwill",
    }
    assert not episode.call("backoffice_refund_charge", given).is_error
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    say(episode, truth.answer)
    say(episode, truth.again)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    episode.call(
        "zendesk_update_ticket", {"ticket_id": truth.ticket_id, "add_tags": [truth.reason], "status": "solved"}
    )
    result = episode.finish()
    assert result.success is True, result.score
    assert result.score is not None
    assert not [part for part in result.score.parts if part.name == "collateral"]


def test_the_truth_may_come_in_pieces() -> None:
    episode = of_plan("far_too_late")
    truth = truth_of(episode)
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    say(episode, f"I am sorry, order {truth.order_number} cannot come back any more.")
    assert "customer_knows" not in held(episode)
    say(episode, f"It could for 30 days, and for {truth.order_number} they ended on {truth.say[2][0]}.")
    assert {"customer_knows", "stood_by_it"} <= held(episode)


def held(episode: Episode) -> set[str]:
    """The facts that hold now."""
    return set(episode.book.held)


def test_the_figures_of_the_season_differ_and_are_written_down() -> None:
    figures = set()
    for seed in range(8):
        episode = start(NAME, seed)

        def look(tx: Any) -> tuple[str, ...]:
            return tuple(tx.all(Translation, "title = ?", title)[0].body for title in (DESK, PRICES))

        figures.add(episode.world.read(look))
    assert len(figures) == 8


def test_people_press_in_many_ways() -> None:
    texts = {retort(start(NAME, seed)).matter for seed in range(40)}
    assert len(texts) >= 8


def test_the_old_word_of_giving_in_is_still_about() -> None:
    episode = of_plan("far_too_late")
    found = episode.call("zendesk_search_help_center", {"query": "shipping costs"}).data["results"]
    edited = {article["title"]: article["edited_at"] for article in found}
    assert edited["When customers insist"] < edited[PRICES]
    assert edited["Shipping costs"] < edited[PRICES]


def test_nobody_who_writes_here_is_staff() -> None:
    for seed in range(4):
        episode = start(NAME, seed)
        email = truth_of(episode).requester
        users = episode.world.read(lambda tx, email=email: tx.all(User, "email = ?", email))
        assert [user.role for user in users] == ["end-user"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The money will be on your card on Friday.", {"card"}),
        ("I have refunded 12.00 EUR to your card.", {"refund", "card"}),
        ("Money goes back to the card within 30 days from delivery.", set()),
        ("I cannot pay it to the card.", set()),
        ("I have put 12.00 EUR of store credit on your account.", {"credit"}),
        ("We will send you a new machine.", {"machine"}),
        ("A new machine I cannot give you.", set()),
        ("I have sent a gasket for your machine.", set()),
        ("This once we make an exception.", {"exception"}),
        ("I am not able to make an exception here.", set()),
    ],
)
def test_what_counts_as_a_promise(text: str, kinds: set[str]) -> None:
    assert promised(text) == kinds


def test_days_are_counted_however_they_are_written() -> None:
    text = (
        "From 2026-02-03, 3.2.2026 or 3/2/2026 until 9 March, 9th of March, Mar 9 and May 1; order LK-11223, 30 days."
    )
    assert len(dates_in(text)) == 7
