"""Whom the back office wakes: the colleague who asked, as long as they work here."""

from datetime import timedelta

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import Staff
from diorama.kernel import Tx, Wake, World
from tests.apps.backoffice.shop import ANA, FATE, LEA, MARA, buy, mara


def failing_refund(world: World) -> str:
    """A refund of Ana's that the bank will send back."""
    charge = world.do(
        rules.charge, FATE, mara(world).id, 5_000, description="Invoice", refund_fails="expired_or_canceled_card"
    )
    return str(world.do(rules.refund, ANA, charge.id, reason="billing_error").id)


def test_a_failed_refund_wakes_only_the_person_who_made_it(world: World) -> None:
    number = failing_refund(world)
    for other in (LEA, MARA, FATE):
        fork = world.fork()
        assert fork.wait(timedelta(hours=2), "notice", other) == []
        assert fork.now - world.now == timedelta(hours=2)
    assert [wake.data for wake in world.wait(timedelta(hours=2), "notice", ANA)] == [{"refund_id": number}]


def test_a_colleague_who_left_is_not_woken(world: World) -> None:
    failing_refund(world)

    def leave(tx: Tx) -> None:
        ana = tx.first(Staff, "email = ?", ANA.name)
        assert ana is not None
        tx.change(ana, active=False)

    world.do(leave, FATE)
    assert world.wait(timedelta(hours=2), "notice", ANA) == []


def test_a_customer_has_no_account_here_and_is_never_woken(world: World) -> None:
    order = buy(world)
    world.wait(timedelta(days=6))
    rma = world.do(rules.open_return, ANA, order.id, "LK-ARIA", reason="changed_mind")
    world.do(rules.post_return, MARA, rma.id)
    assert world.fork().wait(timedelta(days=5), "notice", MARA) == []
    (wake,) = world.wait(timedelta(days=5), actor=ANA)
    assert wake == Wake(ANA.name, "ReturnReceived", f"Return {rma.number} has arrived: good", {"return_id": rma.id})
