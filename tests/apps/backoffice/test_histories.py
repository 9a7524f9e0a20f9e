"""Random actions in any order: the books balance, the stock agrees, and the past does not change."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.schema import (
    Approval,
    Charge,
    Credit,
    Order,
    Refund,
    Replacement,
    Return,
    Shipment,
    Subscription,
    Unit,
)
from diorama.kernel import Actor, Missing, Refusal, Tx, World
from tests.apps.backoffice.books import all_is_right
from tests.apps.backoffice.shop import ANA, CARD, EXPIRED, FATE, LEA, MARA, WORK, mara, open_shop

Step = tuple[str, int, int]
BASKETS = (
    [("LK-ARIA", 1)],
    [("AC-SCALE", 1), ("CF-NIGHT", 2)],
    [("PT-GASKET58", 1)],
    [("LK-ATELIER", 3)],
    [("GR-FINCH", 2)],
)
AMOUNTS = (1, 700, 2_500, 7_900, 15_000, 44_900, 500_000)
REASONS = ("goodwill", "not_received", "duplicate", "defective")


def some(tx: Tx, record: type[Any], n: int) -> str:
    """Return the id of one of the records, or an id that does not exist."""
    ids = [one.id for one in tx.all(record)]
    return ids[n % len(ids)] if ids else "nothing"


def whom(n: int) -> Actor:
    return (ANA, ANA, LEA)[n % 3]


def act(
    world: World, verb: Callable[..., Any], actor: Actor, record: type[Any], n: int, *args: Any, **named: Any
) -> None:
    world.do(lambda tx: verb(tx, some(tx, record, n), *args, **named), actor)


VERBS: dict[str, Callable[[World, int, int], Any]] = {
    "buy": lambda w, a, b: w.do(
        rules.place_order, MARA, mara(w).id, BASKETS[a % 5], use_credit=b % 2 == 0, pack=b % 3 > 0
    ),
    "ship": lambda w, a, b: act(w, rules.ship, FATE, Order, a, fate=("", "lost", "undeliverable")[b % 3]),
    "cancel order": lambda w, a, b: act(w, rules.cancel_order, ANA, Order, a),
    "send order elsewhere": lambda w, a, b: act(w, rules.change_order_address, ANA, Order, a, WORK),
    "new label": lambda w, a, b: act(w, rules.change_address, ANA, Shipment, a, WORK),
    "move": lambda w, a, b: act(
        w, rules.move, FATE, Shipment, a, ("in_transit", "delivered", "lost", "returned")[b % 4]
    ),
    "trace": lambda w, a, b: act(w, rules.trace, ANA, Shipment, a),
    "reship": lambda w, a, b: act(w, rules.reship, ANA, Shipment, a),
    "refund": lambda w, a, b: act(w, rules.refund, whom(b), Charge, a, AMOUNTS[b % 7], reason="goodwill"),
    "refund all": lambda w, a, b: act(
        w,
        rules.refund,
        LEA,
        Charge,
        a,
        reason="returned",
        destination=("original_payment", "store_credit")[b % 2],
    ),
    "charge": lambda w, a, b: w.do(
        rules.charge, FATE, mara(w).id, AMOUNTS[a % 7], refund_fails=("", "expired_or_canceled_card")[b % 2]
    ),
    "dispute": lambda w, a, b: act(w, rules.open_dispute, FATE, Charge, a),
    "close dispute": lambda w, a, b: act(w, rules.close_dispute, FATE, Charge, a, b % 2 == 0),
    "credit": lambda w, a, b: w.do(rules.grant_credit, whom(a), mara(w).id, AMOUNTS[b % 7]),
    "void": lambda w, a, b: act(w, rules.void_credit, ANA, Credit, a),
    "ask lead": lambda w, a, b: act(
        w,
        lambda tx, charge: rules.request_approval(
            tx, "refund", charge, amount_cents=AMOUNTS[b % 7], reason=REASONS[b % 4], justification="please"
        ),
        ANA,
        Charge,
        a,
    ),
    "decide": lambda w, a, b: act(w, rules.decide_approval, LEA, Approval, a, b % 3 > 0),
    "use approval": lambda w, a, b: w.do(
        lambda tx: rules.refund(
            tx,
            tx.get(Approval, some(tx, Approval, a)).subject,
            AMOUNTS[b % 7],
            reason="goodwill",
            approval_id=some(tx, Approval, a),
        ),
        ANA,
    ),
    "subscribe": lambda w, a, b: w.do(rules.subscribe, MARA, mara(w).id, ("harbour-2w", "office-1w")[a % 2]),
    "pause": lambda w, a, b: act(w, rules.pause_subscription, ANA, Subscription, a),
    "resume": lambda w, a, b: act(w, rules.resume_subscription, ANA, Subscription, a),
    "skip": lambda w, a, b: act(w, rules.skip_renewal, ANA, Subscription, a),
    "cancel": lambda w, a, b: act(w, rules.cancel_subscription, ANA, Subscription, a, at_renewal=b % 2 == 0),
    "new card": lambda w, a, b: w.do(rules.set_card, MARA, mara(w).id, (CARD, CARD, CARD, EXPIRED)[b % 4]),
    "replace": lambda w, a, b: act(
        w,
        lambda tx, serial: rules.replace(
            tx, tx.get(Unit, serial).customer_id, serial, reason="dead", part_sku=("", "PT-GASKET58")[b % 2]
        ),
        ANA,
        Unit,
        a,
    ),
    "cancel replacement": lambda w, a, b: act(w, rules.cancel_replacement, ANA, Replacement, a),
    "return": lambda w, a, b: act(
        w,
        lambda tx, order: rules.open_return(
            tx, order, rules.lines_of(tx, order)[0].sku, reason=("changed_mind", "defective")[b % 2]
        ),
        ANA,
        Order,
        a,
    ),
    "post return": lambda w, a, b: act(w, rules.post_return, MARA, Return, a),
    "wait": lambda w, a, b: w.wait(timedelta(hours=(1, 7, 30, 100, 400)[a % 5])),
}


def busy_shop() -> World:
    """Return a shop with records of every kind."""
    world = open_shop()
    for basket in (0, 1, 4, 0):
        VERBS["buy"](world, basket, 1)
    world.wait(timedelta(days=8))
    lost = world.do(rules.place_order, MARA, mara(world).id, BASKETS[0], pack=False)
    world.do(rules.ship, FATE, lost.id, fate="lost")
    VERBS["subscribe"](world, 0, 0)
    world.do(rules.charge, FATE, mara(world).id, 12_000, refund_fails="expired_or_canceled_card")
    VERBS["wait"](world, 3, 0)
    for charge in (0, 1):
        VERBS["ask lead"](world, charge, 4)
    VERBS["credit"](world, 0, 1)
    return world


SHOP = busy_shop()
STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(VERBS)), st.integers(0, 20), st.integers(0, 20)), min_size=5, max_size=40
)


def live(steps: list[Step]) -> World:
    """Return a world in which these steps were tried in order."""
    world = SHOP.fork()
    for verb, a, b in steps:
        try:
            VERBS[verb](world, a, b)
        except (Refusal, Missing):
            continue
    return world


@settings(max_examples=60)
@given(STEPS)
def test_ledger_and_stock_are_consistent_after_any_history(steps: list[Step]) -> None:
    world = live(steps)
    all_is_right(world)
    world.wait(timedelta(days=60))
    all_is_right(world)
    assert world.read(lambda tx: tx.count(Refund, "status = 'pending'")) == 0


@settings(max_examples=15)
@given(STEPS)
def test_the_same_history_leads_to_the_same_world(steps: list[Step]) -> None:
    one, two = live(steps), live(steps)
    assert (one.state, one.trace) == (two.state, two.trace)


@settings(max_examples=15)
@given(STEPS, STEPS)
def test_a_refusal_changes_nothing(before: list[Step], steps: list[Step]) -> None:
    world = live(before)
    for verb, a, b in steps:
        state = world.state
        try:
            VERBS[verb](world, a, b)
        except (Refusal, Missing):
            assert world.state == state
