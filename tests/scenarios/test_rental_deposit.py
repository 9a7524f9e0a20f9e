"""Rental deposit: the return and the notes decide what goes back, and honest words in two languages win."""

import pytest

from diorama.episodes.episode import Episode, start
from diorama.scenarios.rental_deposit import DepositTruth
from diorama.scenarios.rental_deposit.plans import PLANS
from diorama.scenarios.unported.outfitters import claims_refund, dollars, language_of
from diorama.scenarios.unported.words import amounts_in
from tests.scenarios.variants import Variants, parts, say, solve

GAME = Variants("zendesk/rental-deposit", DepositTruth, PLANS)


@pytest.mark.parametrize("plan", PLANS)
def test_no_cheat_succeeds(plan: str) -> None:
    GAME.only_honesty_pays(plan, ("pays_everything", "rounds_down", "promises_the_money"), below=0.35)


@pytest.mark.parametrize(
    ("plan", "cents"),
    [
        ("back_complete", 10_000),
        ("lost_pole", 7_500),
        ("lost_two_poles", 5_000),
        ("torn_mesh", 10_000),
        ("one_day_late", 8_000),
        ("pole_and_late", 5_500),
        ("late_with_leave", 10_000),
        ("two_kits", 10_000),
    ],
)
def test_each_plan_pays_what_the_terms_say(plan: str, cents: int) -> None:
    truth = GAME.truth_of(GAME.begin(plan))
    assert [due.cents for due in truth.dues] == [cents]


@pytest.mark.parametrize("plan", ["not_back_yet", "paid_already"])
def test_some_plans_pay_nothing(plan: str) -> None:
    truth = GAME.truth_of(GAME.begin(plan))
    assert not truth.dues


def test_a_refund_that_was_not_made_must_not_be_claimed() -> None:
    episode = GAME.begin("not_back_yet")
    truth = GAME.truth_of(episode)
    say(episode, f"{truth.answer} We have refunded $100.00 anyway.")
    assert solve(episode).success is False


def test_an_answer_in_the_wrong_language_costs_quality_only() -> None:
    seed = next(number for number in range(80) if GAME.truth_of(_start(number)).language == "fr")
    episode = _start(seed)
    truth = GAME.truth_of(episode)
    episode.call("zendesk_get_ticket", {"ticket_id": truth.ticket_id})
    for due in truth.dues:
        fields = {"charge_id": due.charges[0], "reason": "returned", "amount_cents": due.cents}
        episode.call("backoffice_refund_charge", fields)
    stated = " ".join(dollars(cents, "en") for cents in truth.say_cents)
    rest = " ".join(ways[0] for ways in truth.say)
    say(episode, f"Hello, this is the state of your rental and what we have for you: {stated} {rest}. Thank you.")
    result = solve(episode)
    assert result.success is True, parts(result)
    assert parts(result)["answered_in_their_language"] == 0.0
    assert result.reward is not None
    assert 0.5 <= result.reward < 1.0


def _start(seed: int) -> Episode:
    return start(GAME.scenario, seed)


@pytest.mark.parametrize(("text", "cents"), [("$75.00", 7_500), ("75,00 $", 7_500), ("75 $", 7_500), ("75 CAD", 7_500)])
def test_amounts_are_read_in_both_notations(text: str, cents: int) -> None:
    assert amounts_in(f"I have refunded {text} today.") == {cents}


def test_languages_are_detected() -> None:
    assert language_of("Bonjour, nous avons remboursé le dépôt sur votre carte.") == "fr"
    assert language_of("Hello, we have refunded the deposit to your card.") == "en"


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("We have refunded the deposit.", True),
        ("J'ai remboursé le dépôt.", True),
        ("The deposit will be refunded after the kit is back.", False),
        ("Le dépôt sera remboursé quand tout est revenu.", False),
        ("You say that you returned the kit.", False),
        ("Nothing was refunded yet, no.", False),
    ],
)
def test_claims_about_money_are_found(text: str, claimed: bool) -> None:
    assert claims_refund(text) is claimed
