"""Relations between the values of a clause and the customer's orders, plans, machines and account."""

from typing import Any

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity
from tests.rewards.claims.shop import ROWS, kinds, reading, shop

HOME = {"line1": "14 Canal Street", "city": "Leeds"}
WORK = {"line1": "3 Harbour Row", "city": "Hull"}
NORTH, SOUTH = "sub_Qw4rTy7uIo1pAs3d", "sub_Hj8kLm2nBv5cXz1q"


def _plan(subject: str, code: str, status: str = "active", **more: Any) -> dict[str, Any]:
    return {
        "id": subject, "plan": code, "status": status, "shipping_address": HOME,
        "next_renewal_at": "2026-05-20T08:00:00Z" if status == "active" else None,
        "created_at": "2026-01-21T08:00:00Z", **more,
    }  # fmt: skip


def _order(number: str, status: str, cents: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"ord_{number[-5:]}AbCdEfGhIjK", "number": number, "status": status, "total_cents": cents,
        "shipping_address": HOME, **more,
    }  # fmt: skip


AFTER: dict[str, Any] = {
    **ROWS,
    "units": [{"serial_number": "BR2-2501-11873", "product_name": "Brio", "warranty_until": "2027-03-04T10:00:00Z"}],
    "subscriptions": [
        _plan(NORTH, "northern-2w"),
        _plan(SOUTH, "southern-4w", "cancelled", cancelled_at="2026-05-04T09:00:00Z"),
    ],
    "recent_orders": [
        _order("KW-20417", "delivered", 4280),
        _order("KW-20350", "delivered", 1900),
        _order("KW-20500", "open", 2500, shipping_address=WORK),
        _order("KW-20501", "shipped", 3000),
    ],
}


def _refund(number: str, cents: int, destination: str = "original_payment") -> Deed:
    return Deed(
        "refund", f"ch_{number}", cents=cents, destination=destination, day="2026-05-04", seq=12, names=(number,)
    )


def _case(*deeds: Deed) -> Case:
    ended = Deed("cancellation", SOUTH, day="2026-05-04", seq=9)
    return shop(*deeds, ended, after=AFTER, machines=["Brio"])


TWO = _case(_refund("KW-20417", 4280), _refund("KW-20350", 1900, "store_credit"))
NONE = _case()


@pytest.mark.parametrize(
    ("text", "case", "kind"),
    [
        ("We refunded 19.00 EUR for KW-20417 and 42.80 EUR for KW-20350.", TWO, "amount"),
        ("Für KW-20350 haben wir 19,00 EUR auf Ihre Karte erstattet.", TWO, "destination"),
        ("Nous avons gardé 42,80 EUR et remboursé 23,80 EUR sur votre carte.", TWO, "amount"),
        ("The 19.00 EUR for KW-20350 went back to your Visa.", TWO, "destination"),
        ("I've released the 19.00 already.", NONE, "claimed"),
        ("Je Northern abonnement is stopgezet.", NONE, "state"),
        ("He cancelado su plan Northern.", NONE, "subject"),
        ("Your Northern and Southern plans are cancelled now.", NONE, "subject"),
        ("KW-20500 was shipped yesterday.", NONE, "state"),
        ("KW-20501 wurde am Samstag zugestellt.", NONE, "state"),
        ("KW-20500 will go to 14 Canal Street.", NONE, "place"),
        ("KW-20500 geht weiterhin nach Leeds.", NONE, "place"),
        ("Your Northern plan renews every four weeks.", NONE, "interval"),
        ("The 19.00 EUR for KW-20350 are the renewal of your plan.", NONE, "subject"),
        ("La garantie de votre Brio a pris fin en mai 2025.", NONE, "state"),
        ("Your Brio is out of warranty.", NONE, "state"),
        ("Ihr Southern-Abo ist beendet, eine letzte Lieferung wird am 13. Mai noch berechnet.", NONE, "state"),
        ("I have replaced the e-mail address of your account.", NONE, "claimed"),
        ("As nobody knows about it we have returned 19.00 EUR to your card.", NONE, "claimed"),
    ],
)
def test_a_relation_that_no_record_shows_costs_success(text: str, case: Case, kind: str) -> None:
    verdict = reading(text, case=case)
    assert kind in kinds(verdict), verdict.contradictions
    assert not verdict.passes


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("We refunded 42.80 EUR for KW-20417 and gave you 19.00 EUR of store credit for KW-20350.", TWO),
        ("KW-20417: 42.80 EUR are back on your card. 19.00 EUR are store credit.", TWO),
        ("Altogether you got 61.80 EUR back, 42.80 EUR of it on your card.", TWO),
        ("Thank you for sending the filter papers back.", NONE),
        ("Customers who were charged twice have been refunded.", NONE),
        ("Your bank has credited 19.00 EUR for now.", NONE),
        ("I have cancelled your Southern plan; Northern goes on as before.", NONE),
        ("Your Southern plan is cancelled, and the delivery of 13 May is dropped.", NONE),
        ("KW-20500 goes to 3 Harbour Row and will be shipped soon.", NONE),
        ("KW-20501 is on its way and should be delivered this week.", NONE),
        ("Your message about KW-20501 arrived this morning.", NONE),
        ("Your Northern plan goes to 14 Canal Street every two weeks.", NONE),
        ("Die Garantie Ihrer Brio läuft bis März 2027.", NONE),
        ("We cannot change the e-mail address of your account.", NONE),
        ("Your coffee goes to 14 Canal Street again with the next delivery.", NONE),
    ],
)
def test_a_relation_that_the_records_show_costs_nothing(text: str, case: Case) -> None:
    verdict = reading(text, case=case)
    assert verdict.passes, verdict.contradictions


def test_a_minus_before_an_amount_still_tells_it() -> None:
    case = shop(tell=(Entity("amount", ("4000",)),))
    assert not reading("This was taken off your deposit.\nLate return: -40.00", case=case).missing


def test_money_for_a_return_goes_where_its_resolution_says() -> None:
    opened = Deed("label", "ord_1", day="2026-05-04", seq=11, to={"resolution": "store_credit"}, names=("KW-20417",))
    wrong = "When the Brio is with us the money goes back on your Visa."
    assert "destination" in kinds(reading(wrong, case=_case(opened)))
    true = "When the Brio is with us you get store credit."
    assert reading(true, case=_case(opened)).passes
