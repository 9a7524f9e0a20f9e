"""The ledger balances and can never be rewritten."""

from datetime import timedelta

import pytest

from diorama.apps.backoffice import rules
from diorama.apps.backoffice.rules.ledger import post
from diorama.apps.backoffice.schema import Entry, Posting
from diorama.kernel import Defect, Tx, World
from tests.apps.backoffice.books import all_is_right, balances
from tests.apps.backoffice.shop import ANA, FATE, LEA, ask, buy, delivered, mara, paid


def test_every_step_of_a_refund_is_in_the_ledger(world: World) -> None:
    charge = paid(world, buy(world, ("AC-SCALE", 1)))
    start = world.read(balances)
    assert (start["processor"], start["sales"] + start["tax"]) == (7_900, -7_900)

    world.do(rules.refund, ANA, charge.id, 2_000, reason="goodwill")
    assert world.read(balances)["refunds_payable"] == -2_000
    world.wait(timedelta(hours=1))
    end = world.read(balances)
    assert (end["processor"], end["refunds"], end["refunds_payable"]) == (5_900, 2_000, 0)
    all_is_right(world)


def test_a_ledger_entry_cannot_be_changed_or_removed(world: World) -> None:
    buy(world)

    def forge(tx: Tx) -> None:
        entry = tx.all(Entry)[0]
        tx.change(entry, amount_cents=1)

    def erase(tx: Tx) -> None:
        tx.remove(tx.all(Posting)[0])

    for crime in (forge, erase):
        with pytest.raises(Defect, match="append-only"):
            world.fork().do(crime, FATE)


def test_an_unbalanced_posting_is_a_defect(world: World) -> None:
    with pytest.raises(Defect, match="does not balance"):
        world.do(post, FATE, "charge", {"processor": 100, "sales": -99}, customer_id=mara(world).id, currency="EUR")


def test_a_dispute_holds_the_money_until_the_bank_decides(world: World) -> None:
    won, lost = paid(world, buy(world, ("AC-SCALE", 1))), paid(world, buy(world, ("AC-KNOCK", 2)))
    for charge in (won, lost):
        world.do(rules.open_dispute, FATE, charge.id, "fraudulent")
    assert world.read(balances)["processor"] == 0
    world.do(rules.close_dispute, FATE, won.id, won=True)
    world.do(rules.close_dispute, FATE, lost.id, won=False)
    books = world.read(balances)
    assert (books["processor"], books["disputed"], books["dispute_losses"]) == (7_900, 0, 6_800)
    all_is_right(world)


def test_the_ledger_is_read_only_in_the_api(world: World) -> None:
    delivered(world, ("AC-SCALE", 1))
    world.do(rules.grant_credit, LEA, mara(world).id, 1_000)
    entries = ask(world, "GET", "/api/v1/ledger", query="limit=100").json()["data"]
    assert sum(entry["amount_cents"] for entry in entries) == 0
    one = entries[0]["id"]
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert ask(world, method, "/api/v1/ledger", {}).status == 405
        assert ask(world, method, f"/api/v1/ledger/{one}", {}).status == 405
    assert ask(world, "GET", f"/api/v1/ledger/{one}").json() == entries[0]
    shown = ask(world, "GET", "/api/v1/ledger/balances").json()["data"]
    assert {line["account"]: line["amount_cents"] for line in shown} == dict(world.read(balances))
