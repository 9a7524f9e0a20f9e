"""Wrong charge: the ledger decides what the charge was, and the reply states it to the cent."""

import pytest

from diorama.apps.backoffice.schema import Order
from diorama.episodes.episode import Episode
from diorama.scenarios.wrong_charge import ChargeTruth, claims_money
from diorama.scenarios.wrong_charge.plans import PLANS
from tests.scenarios.variants import Variants, say, solve

GAME = Variants("zendesk/wrong-charge", ChargeTruth, PLANS)


def of_plan(plan: str) -> tuple[Episode, ChargeTruth]:
    """Start an episode of a plan; return it with its truth."""
    episode = GAME.begin(plan)
    return episode, GAME.truth_of(episode)


@pytest.mark.parametrize("plan", ["quoted_less", "plan_too_dear"])
def test_only_the_difference_is_refunded(plan: str) -> None:
    episode, truth = of_plan(plan)
    (due,) = truth.dues
    whole = episode.call("backoffice_get_record", {"kind": "charges", "id": truth.charge_id}).data["amount_cents"]
    assert 0 < due.cents < whole
    reached = episode.potential
    episode.call("backoffice_refund_charge", {"charge_id": truth.charge_id, "reason": "billing_error"})
    assert episode.potential == pytest.approx(reached / 2)


@pytest.mark.parametrize("plan", ["own_renewal", "somebody_at_home", "with_shipping", "tax_inside", "bank_has_it"])
def test_a_correct_charge_is_explained_and_kept(plan: str) -> None:
    episode, truth = of_plan(plan)
    assert not truth.dues
    sweet = f"{truth.answer} We have refunded it all the same."
    say(episode, sweet)
    assert solve(episode).success is False


def test_a_wanted_subscription_must_not_be_cancelled() -> None:
    episode, truth = of_plan("own_renewal")
    listed = episode.call(
        "backoffice_list_records", {"kind": "subscriptions", "customer_id": truth.customer_id, "status": "active"}
    )
    reached = episode.potential
    chosen = listed.data["data"][0]["id"]
    episode.call("backoffice_change_subscription", {"subscription_id": chosen, "action": "cancel"})
    assert episode.potential <= reached / 2
    GAME.scenario.oracle(episode.hands, truth)
    assert episode.finish().success is False


def test_the_answer_names_the_recipient_of_the_parcel() -> None:
    episode, truth = of_plan("somebody_at_home")
    order = episode.world.read(lambda tx: tx.all(Order, "number = ?", truth.order_number)[0])
    assert order.shipping_address.name in truth.say[1]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We have refunded 12.00 EUR.", True),
        ("Your money is on its way.", True),
        ("The charge is correct, so nothing is refunded.", False),
        ("You asked whether it was refunded.", False),
        ("I have not refunded anything.", False),
    ],
)
def test_claims_about_money_are_found(text: str, claims: bool) -> None:
    assert claims_money(text) is claims
