"""A subscription renews automatically exactly as long as it is active."""

from datetime import timedelta
from itertools import pairwise

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Charge, Order, Plan, Subscription
from diorama.kernel import Refusal, Tx, World
from tests.apps.backoffice.shop import ANA, CARD, EXPIRED, FATE, MARA, WORK, mara, now


@pytest.fixture
def subscription(world: World) -> Subscription:
    return world.do(rules.subscribe, MARA, mara(world).id, "harbour-2w")


def bags(world: World) -> int:
    return int(world.read(lambda tx: tx.count(Order, "channel = 'subscription'")))


def test_each_interval_charges_once_and_ships_once(world: World, subscription: Subscription) -> None:
    assert (subscription.renewals, bags(world)) == (1, 1)
    world.wait(timedelta(weeks=8))
    assert (now(world, subscription).renewals, bags(world)) == (5, 5)
    charges = world.read(lambda tx: tx.all(Charge, "subscription_id = ?", subscription.id, order="created_at"))
    assert [charge.amount_cents for charge in charges] == [1_790] * 5
    gaps = {b.created_at - a.created_at for a, b in pairwise(charges)}
    assert gaps == {timedelta(weeks=2)}


def test_a_cancelled_subscription_never_renews(world: World, subscription: Subscription) -> None:
    world.do(rules.cancel_subscription, ANA, subscription.id, reason="taste")
    world.wait(timedelta(days=365))
    assert bags(world) == 1
    assert now(world, subscription).next_renewal_at is None


def test_a_cancelled_subscription_refuses_every_change(world: World, subscription: Subscription) -> None:
    world.do(rules.cancel_subscription, ANA, subscription.id)
    before = world.state
    for verb, args in (
        (rules.cancel_subscription, ()),
        (rules.pause_subscription, ()),
        (rules.resume_subscription, ()),
        (rules.skip_renewal, ()),
        (rules.change_plan, ("night-2w",)),
        (rules.change_subscription_address, (WORK,)),
    ):
        with pytest.raises(Refusal, match="409 subscription_cancelled"):
            world.do(verb, ANA, subscription.id, *args)
    assert world.state == before


def test_cancelling_at_renewal_takes_effect_on_the_renewal_day(world: World, subscription: Subscription) -> None:
    world.do(rules.cancel_subscription, ANA, subscription.id, reason="moving", at_renewal=True)
    world.wait(timedelta(days=13))
    assert now(world, subscription).status == "active"
    world.wait(timedelta(days=2))
    assert (now(world, subscription).status, now(world, subscription).cancel_reason) == ("cancelled", "moving")
    assert bags(world) == 1


def test_a_paused_subscription_waits_until_it_is_resumed(world: World, subscription: Subscription) -> None:
    world.do(rules.pause_subscription, ANA, subscription.id)
    world.wait(timedelta(weeks=10))
    assert bags(world) == 1
    world.do(rules.resume_subscription, ANA, subscription.id)
    world.wait(timedelta(days=2))
    assert bags(world) == 2


def test_a_pause_with_an_end_date_ends_automatically_once(world: World, subscription: Subscription) -> None:
    world.do(rules.pause_subscription, ANA, subscription.id, world.now + timedelta(days=40))
    world.wait(timedelta(days=39))
    assert now(world, subscription).status == "paused"
    world.wait(timedelta(days=3))
    assert (now(world, subscription).status, bags(world)) == ("active", 2)


def test_an_earlier_pause_does_not_end_a_later_one(world: World, subscription: Subscription) -> None:
    world.do(rules.pause_subscription, ANA, subscription.id, world.now + timedelta(days=10))
    world.do(rules.resume_subscription, ANA, subscription.id)
    world.do(rules.pause_subscription, ANA, subscription.id)
    world.wait(timedelta(days=30))
    assert (now(world, subscription).status, bags(world)) == ("paused", 1)


def test_skipping_omits_one_delivery(world: World, subscription: Subscription) -> None:
    world.do(rules.skip_renewal, ANA, subscription.id)
    world.wait(timedelta(weeks=3))
    assert bags(world) == 1
    world.wait(timedelta(weeks=1, hours=1))
    assert bags(world) == 2


def test_a_new_plan_is_charged_from_the_next_renewal(world: World, subscription: Subscription) -> None:
    world.do(rules.change_plan, ANA, subscription.id, "explorer-4w")
    assert bags(world) == 1
    world.wait(timedelta(weeks=2, hours=1))
    newest = world.read(lambda tx: tx.first(Order, order="created_at DESC"))
    assert newest is not None
    assert newest.total_cents == 3_990
    with pytest.raises(Refusal, match="409 plan_inactive"):
        world.do(rules.change_plan, ANA, subscription.id, "classic-6w")


def test_an_expired_card_is_retried_three_times(world: World, subscription: Subscription) -> None:
    world.do(rules.set_card, MARA, subscription.customer_id, EXPIRED)
    rescued = world.fork()
    world.wait(timedelta(weeks=2, hours=1))
    assert now(world, subscription).status == "past_due"
    world.wait(timedelta(days=7))
    assert (now(world, subscription).status, now(world, subscription).cancel_reason) == ("cancelled", "payment_failed")
    failed = world.read(lambda tx: tx.count(Charge, "status = 'failed'"))
    assert (failed, bags(world)) == (3, 1)

    rescued.wait(timedelta(weeks=2, hours=1))
    rescued.do(rules.set_card, MARA, subscription.customer_id, CARD)
    rescued.wait(timedelta(days=4))
    assert (now(rescued, subscription).status, bags(rescued)) == ("active", 2)


def test_a_start_date_in_the_future_charges_nothing_today(world: World) -> None:
    later = world.now + timedelta(days=5)
    world.do(rules.subscribe, FATE, mara(world).id, "decaf-4w", first_renewal_at=later)
    assert bags(world) == 0
    world.wait(timedelta(days=6))
    assert bags(world) == 1


def test_a_subscription_begins_with_the_plans_first_option(world: World, subscription: Subscription) -> None:
    assert subscription.option == "whole_bean"
    assert world.do(rules.subscribe, MARA, mara(world).id, "night-2w", option="moka").option == "moka"


def test_an_option_that_the_plan_does_not_offer_is_refused(world: World, subscription: Subscription) -> None:
    with pytest.raises(Refusal, match="option must be one of whole_bean, espresso, moka"):
        world.do(rules.change_plan, ANA, subscription.id, "night-2w", "powder")
    with pytest.raises(Refusal, match="400 option_unknown"):
        world.do(rules.subscribe, MARA, mara(world).id, "night-2w", option="powder")


def test_changing_the_plan_keeps_the_option_that_both_plans_offer(world: World, subscription: Subscription) -> None:
    world.do(rules.change_plan, ANA, subscription.id, "night-2w", "moka")
    assert world.do(rules.change_plan, ANA, subscription.id, "decaf-4w").option == "moka"


def test_a_plan_without_options_takes_none(world: World, subscription: Subscription) -> None:
    world.do(add_tasting_plan, FATE)
    with pytest.raises(Refusal, match="it has no options"):
        world.do(rules.change_plan, ANA, subscription.id, "tasting", "moka")
    assert world.do(rules.change_plan, ANA, subscription.id, "tasting").option == ""
    assert world.do(rules.change_plan, ANA, subscription.id, "night-2w").option == "whole_bean"


def add_tasting_plan(tx: Tx) -> None:
    tx.add(
        Plan(
            code="tasting",
            name="Tasting box",
            sku="CF-NYERI",
            quantity=1,
            price_cents=1_900,
            currency="EUR",
            interval_weeks=4,
        )
    )
