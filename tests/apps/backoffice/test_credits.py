"""Goodwill credits are limited per credit and per season, and can be voided only while unused."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Credit
from diorama.kernel import Refusal, World
from tests.apps.backoffice.shop import ANA, FATE, LEA, buy, mara, now, paid


def test_the_credit_limit_of_an_agent_is_higher_for_a_vip(world: World) -> None:
    who = mara(world).id
    with pytest.raises(Refusal, match="403 approval_required"):
        world.do(rules.grant_credit, ANA, who, 2_501)
    world.do(rules.update_customer, FATE, who, segment="vip")
    assert world.do(rules.grant_credit, ANA, who, 5_000).remaining_cents == 5_000


def test_small_credits_add_up_against_the_limit(world: World) -> None:
    who = mara(world).id
    world.do(rules.grant_credit, ANA, who, 2_500)
    world.do(rules.grant_credit, ANA, who, 2_500)
    with pytest.raises(Refusal, match=r"403 approval_required.*5000 cents of credit"):
        world.do(rules.grant_credit, ANA, who, 100)
    world.wait(timedelta(days=91))
    world.do(rules.grant_credit, ANA, who, 100)


def test_credit_pays_for_the_next_order_oldest_first(world: World) -> None:
    who = mara(world).id
    old = world.do(rules.grant_credit, LEA, who, 1_000)
    world.wait(timedelta(minutes=1))
    new = world.do(rules.grant_credit, LEA, who, 2_000)
    order = buy(world, ("AC-CLEAN", 1), use_credit=True)  # 16.90 and 4.95 for shipping

    assert (order.credit_cents, order.total_cents) == (2_185, 0)
    assert paid(world, order).amount_cents == 0
    assert (now(world, old).status, now(world, new).remaining_cents) == ("spent", 815)
    assert world.read(rules.balance_cents, who) == 815


def test_unspent_credit_can_be_reversed(world: World) -> None:
    who = mara(world).id
    credit = world.do(rules.grant_credit, ANA, who, 1_000)
    assert world.do(rules.void_credit, ANA, credit.id).remaining_cents == 0
    with pytest.raises(Refusal, match="409 credit_not_active"):
        world.do(rules.void_credit, ANA, credit.id)

    world.do(
        rules.refund, ANA, paid(world, buy(world, ("AC-SCALE", 1))).id, reason="returned", destination="store_credit"
    )
    money = world.read(lambda tx: tx.first(Credit, "reason = 'refund'"))
    assert money is not None
    with pytest.raises(Refusal, match="409 credit_is_refund"):
        world.do(rules.void_credit, ANA, money.id)

    world.wait(timedelta(minutes=1))
    part = world.do(rules.grant_credit, LEA, who, 9_000)
    buy(world, ("AC-CUPS", 3), use_credit=True)  # the refunded 79.00 is used first
    assert 0 < now(world, part).remaining_cents < 9_000
    with pytest.raises(Refusal, match="409 credit_partly_spent"):
        world.do(rules.void_credit, ANA, part.id)
