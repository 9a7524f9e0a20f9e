"""Firm policy: the season's figures decide, pressure does not; a refusal ends only once its reply is answered."""

import math
from typing import Any

import pytest

from diorama.apps.zendesk.schema import Comment, Ticket
from diorama.apps.zendesk.schema.help_center import Translation
from diorama.episodes.episode import Episode, start
from diorama.people import Retort
from diorama.scenarios.closing_form import closing
from diorama.scenarios.firm_policy import PLANS, FirmTruth, dates_in
from diorama.scenarios.firm_policy.season import DESK, PRICES
from diorama.scenarios.unported.policy import promised
from tests.scenarios.colleague import work
from tests.scenarios.variants import Variants, damaged, parts, say, solve

GAME = Variants("zendesk/firm-policy", FirmTruth, PLANS)
SCENARIO, begin, truth_of = GAME.scenario, GAME.begin, GAME.truth_of
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
"""Plans whose right outcome leaves the customer nothing to press for."""
every_plan = pytest.mark.parametrize("plan", sorted(PLANS))


def their_mails(episode: Episode) -> list[str]:
    """Return the customer's mails so far."""

    def look(tx: Any) -> list[str]:
        ticket = tx.get(Ticket, truth_of(episode).ticket_id)
        mails = tx.all(Comment, "ticket_id = ? AND author_id = ?", ticket.id, ticket.requester_id, order="id")
        return [comment.body for comment in mails]

    return episode.world.read(look)


def retort(episode: Episode) -> Retort:
    """Return the customer's prepared retort."""
    kept: list[Retort] = episode.world.read(lambda tx: tx.all(Retort))
    return kept[-1]


def tell(episode: Episode, text: str) -> None:
    """Answer the customer and wait a day."""
    say(episode, text)
    episode.call("wait", {"minutes": 1440})


def give_to_credit(episode: Episode, cents: int) -> None:
    """Refund an amount of the order to store credit."""
    order = episode.call("backoffice_get_order", {"order": truth_of(episode).order_number}).data
    given = {"charge_id": order["charges"][0]["id"], "amount_cents": cents, "destination": "store_credit"}
    assert not episode.call("backoffice_refund_charge", {**given, "reason": "goodwill"}).is_error


@every_plan
def test_an_agent_that_follows_the_policy_succeeds(plan: str) -> None:
    episode = begin(plan)
    work(episode.hands)
    result = episode.finish()
    assert (result.success, result.reward) == (True, 1.0), result.score


@every_plan
def test_cheats_fail_on_every_plan(plan: str) -> None:
    GAME.only_honesty_pays(plan, OWN_CHEATS, 0.25)


@pytest.mark.parametrize("plan", sorted(set(PLANS) - A_YES_OR_A_NEW_FACT))
def test_closing_before_the_retort_fails(plan: str) -> None:
    episode = begin(plan)
    truth = truth_of(episode)
    assert truth.presses
    SCENARIO._give(episode.hands, truth)
    say(episode, truth.answer)
    assert solve(episode).success is False
    assert retort(episode).said_at is not None
    assert episode.world.read(lambda tx: tx.get(Ticket, truth.ticket_id)).status == "open"


def test_closing_early_is_fine_if_the_retort_is_answered() -> None:
    episode = begin("far_too_late")
    truth = truth_of(episode)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    say(episode, truth.answer)
    episode.call("zendesk_update_ticket", {"ticket_id": truth.ticket_id, "status": "solved", "fields": closing(truth)})
    episode.call("wait", {"minutes": 1440})
    assert len(their_mails(episode)) == 2
    say(episode, truth.again)
    assert solve(episode).success is True


def test_a_claimed_promise_counts_only_if_it_is_noted() -> None:
    outcome = []
    for plan in ("noted_promise", "claimed_promise"):
        episode = begin(plan)
        truth = truth_of(episode)
        tell(episode, f"I am sorry, I cannot take order {truth.order_number} back.")
        assert truth.facts["call_date"] in their_mails(episode)[-1]
        order = episode.call("backoffice_get_order", {"order": truth.order_number}).data
        give_to_credit(episode, order["lines"][0]["unit_price_cents"])
        outcome.append({name for name, value in parts(episode.finish()).items() if value < 0})
    assert outcome == [set(), {"money_was_paid_wrongly", "damage: backoffice_refunds"}]


def test_a_needed_approval_cannot_be_skipped() -> None:
    tried = []
    for seed in range(80):
        episode = start(SCENARIO, seed)
        truth = truth_of(episode)
        if truth.plan != "few_days_late":
            continue
        cents = truth.grants[0].cents
        episode.call("backoffice_grant_credit", {"customer_id": truth.customer_id, "amount_cents": cents})
        tried.append((cents > 2_500, episode.finish().reward))
    assert set(tried) == {(True, 0.0), (False, -(1.0 - math.exp(-0.2)))}


def test_asking_a_lead_against_the_policy_costs() -> None:
    episode = begin("long_after_warranty")
    truth = truth_of(episode)
    serial = truth.say[0][0]
    asked = {"kind": "replacement", "subject": serial, "reason": "defective", "justification": "They insist."}
    assert not episode.call("backoffice_request_approval", asked).is_error
    assert (episode.finish().reward or 0.0) < 0.0


@pytest.mark.parametrize("plan", ["other_order", "one_bag_is_sealed"])
def test_a_return_opened_on_a_guess_is_harm(plan: str) -> None:
    early, late = begin(plan), begin(plan)
    back = truth_of(early).back
    assert back is not None
    opening = {"order_id": back[0], "sku": back[1], "reason": "changed_mind"}
    assert not early.call("backoffice_open_return", opening).is_error
    tell(late, "I am sorry, that cannot come back.")
    assert len(their_mails(late)) == 2
    assert not late.call("backoffice_open_return", opening).is_error
    harms = ["more_was_given_than_is_due" in parts(one.finish()) for one in (early, late)]
    assert harms == [True, False]


def test_granted_and_refunded_credit_count_equally() -> None:
    episode = begin("price_drop_in_time")
    truth = truth_of(episode)
    give_to_credit(episode, truth.grants[0].cents)
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    tell(episode, truth.answer)
    say(episode, truth.again)
    result = solve(episode)
    assert result.success is True, parts(result)
    assert not damaged(parts(result))


def test_the_truth_may_be_told_in_several_replies() -> None:
    episode = begin("far_too_late")
    truth = truth_of(episode)
    episode.call("zendesk_search_help_center", {"query": truth.policy})
    tell(episode, f"I am sorry, order {truth.order_number} cannot come back any more.")
    assert "customer_knows" not in held(episode)
    tell(episode, f"It could for 30 days, and for {truth.order_number} they ended on {truth.say[2][0]}.")
    assert {"customer_knows", "stood_by_it"} <= held(episode)


def held(episode: Episode) -> set[str]:
    """Return the names of the facts that hold now."""
    return set(episode.gradebook.held)


def test_seasonal_figures_differ_and_are_documented() -> None:
    figures = set()
    for seed in range(8):
        episode = start(SCENARIO, seed)

        def look(tx: Any) -> tuple[str, ...]:
            return tuple(tx.all(Translation, "title = ?", title)[0].body for title in (DESK, PRICES))

        figures.add(episode.world.read(look))
    assert len(figures) == 8


def test_retorts_are_varied() -> None:
    texts = {retort(start(SCENARIO, seed)).matter for seed in range(40)}
    assert len(texts) >= 8


def test_outdated_articles_are_still_found() -> None:
    episode = begin("far_too_late")
    found = episode.call("zendesk_search_help_center", {"query": "shipping costs"}).data["results"]
    edited = {article["title"]: article["edited_at"] for article in found}
    assert edited["When customers insist"] < edited[PRICES]
    assert edited["Shipping costs"] < edited[PRICES]


def test_train_and_eval_share_no_person() -> None:
    GAME.splits_share_nothing("customer_id", "requester")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The money will be on your card on Friday.", {"card"}),
        ("I have refunded 12.00 EUR to your card.", {"refund", "card"}),
        ("Money goes back to the card within 30 days from delivery.", set()),
        ("I cannot pay it to the card.", set()),
        ("I have put 12.00 EUR of store credit on your account.", {"granted"}),
        ("The order was charged to your card in January.", set()),
        ("Up to 7 days later store credit is possible, but this is longer ago.", set()),
        ("A new machine is for faults within the warranty.", set()),
        ("A new machine is on its way to you.", {"machine"}),
        ("The part is on its way to you.", {"sent"}),
        ("Faults of making would be the warranty's matter, scale is not.", set()),
        ("We will send you a new machine.", {"machine"}),
        ("A new machine I cannot give you.", set()),
        ("I have sent a gasket for your machine.", set()),
        ("This once we make an exception.", {"exception"}),
        ("I am not able to make an exception here.", set()),
    ],
)
def test_what_counts_as_a_promise(text: str, kinds: set[str]) -> None:
    assert promised(text) & HERE == kinds


HERE = {"refund", "card", "label", "granted", "sent", "machine", "exception"}
"""The kinds of promises that would be false in some plan here."""


def test_days_are_counted_however_they_are_written() -> None:
    text = (
        "From 2026-02-03, 3.2.2026 or 3/2/2026 until 9 March, 9th of March, Mar 9 and May 1; order LK-11223, 30 days."
    )
    assert len(dates_in(text)) == 7
