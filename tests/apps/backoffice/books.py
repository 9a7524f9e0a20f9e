"""Observers: invariants of the back office that must hold after every event."""

from collections import defaultdict

from diorama.apps.backoffice.schema import Charge, Credit, Entry, Order, Refund, Shipment, Stock, Subscription, Unit
from diorama.kernel import Tx, World

FROZEN = ("backoffice_ledger", "backoffice_postings")
AT_HOME = ("label_created", "cancelled")


def balances(tx: Tx) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for entry in tx.all(Entry):
        found[entry.account] += entry.amount_cents
    return found


def books_are_right(tx: Tx) -> None:
    """Check that every posting balances and the accounts match the charges, refunds and credits."""
    postings: dict[str, int] = defaultdict(int)
    for entry in tx.all(Entry):
        postings[entry.posting_id] += entry.amount_cents
    assert not any(postings.values())

    accounts = balances(tx)
    charges, refunds, credits = tx.all(Charge), tx.all(Refund), tx.all(Credit)
    taken = sum(charge.amount_cents for charge in charges if charge.status != "failed")
    given = sum(r.amount_cents for r in refunds if r.status == "succeeded" and r.destination == "original_payment")
    held = sum(charge.disputed_cents for charge in charges)
    assert accounts["processor"] == taken - given - held
    assert accounts["refunds_payable"] == -sum(refund.amount_cents for refund in refunds if refund.status == "pending")
    assert accounts["store_credit"] == -sum(credit.remaining_cents for credit in credits)

    back: dict[str, int] = defaultdict(int)
    for refund in refunds:
        back[refund.charge_id] += refund.amount_cents if refund.status != "failed" else 0
    for charge in charges:
        assert 0 <= charge.refunded_cents <= charge.amount_cents
        assert charge.refunded_cents == back[charge.id]


def shelves_are_right(tx: Tx) -> None:
    """Check that reserved stock exists and every customer's machine was packed for one of their orders."""
    for stock in tx.all(Stock):
        assert 0 <= stock.reserved <= stock.on_hand
    for unit in tx.all(Unit):
        assert tx.get(Order, unit.order_id).customer_id == unit.customer_id
        assert (unit.status == "replaced") == bool(unit.replaced_by)
    for parcel in tx.all(Shipment):
        assert (parcel.handed_over_at is None) == (parcel.status in AT_HOME)
    for subscription in tx.all(Subscription):
        assert (subscription.next_renewal_at is None) == (subscription.status in ("cancelled", "paused"))


def history_is_right(world: World) -> None:
    """Check that the ledger is append-only and that a label never changes once the carrier has the parcel."""
    gone: set[int | str] = set()
    for event in world.events:
        for change in event.changes:
            assert change.table not in FROZEN or change.op == "insert", change
            if change.table == "backoffice_shipments" and change.op == "update":
                assert change.after is not None
                assert "address" not in change.after or change.key not in gone
                if change.after.get("handed_over_at"):
                    gone.add(change.key)


def all_is_right(world: World) -> None:
    world.read(books_are_right)
    world.read(shelves_are_right)
    history_is_right(world)
