"""Goods that a text says were sent have to be in what was sent."""

import pytest
from msgspec.structs import replace

from diorama.kit.deeds import Deed
from tests.rewards.claims.desk import HOME, desk
from tests.rewards.claims.shop import kinds, reading

DAY = "2026-05-04"
BURRS = desk(Deed("part", "BR2-2501-11873", day=DAY, seq=7, to={"sku": "PT-BURRS40", **HOME}))
AGAIN = desk(Deed("reshipment", "shp_1", day=DAY, seq=7, to=HOME, names=("KW-20417",)))
NOTHING = desk(plans=[])
LONG_AGO = desk(Deed("part", "BR2-2501-11873", day="2025-11-20", to={"sku": "PT-GASKET58", **HOME}), plans=[])


@pytest.mark.parametrize(
    "text",
    [
        "I have posted you a new milk jug.",
        "A brand-new drip tray is on its way to you, free of charge.",
        "The filter cartridges went out again this morning.",
        "I sent out the cartridges and the scale again.",
        "As soon as the next batch lands, a new Brio will follow.",
        "I found one last tamper on the shelf and it's in the post.",
        "Die Filterpatronen haben wir heute noch einmal verschickt.",
        "Un nouveau pot à lait est parti aujourd'hui.",
        "Hoy mismo ha salido una jarra nueva sin cargo.",
        "Ik heb de lekbak meteen opnieuw opgestuurd.",
    ],
)
def test_goods_that_no_deed_sent_are_a_false_claim(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=NOTHING)), text


@pytest.mark.parametrize(
    "text",
    [
        "Your filter cartridges are on their way.",
        "The drip tray of KW-20417 was sent in April and delivered.",
        "Your jug has not been sent again, since you asked for the money.",
        "If you like, we can send you another drip tray.",
        "Thank you for sending the scale back to us.",
        "Die Patronen sind noch unterwegs.",
        "Vos cartouches sont en route.",
        "Los cartuchos están en camino.",
        "De filterpatronen zijn onderweg.",
    ],
)
def test_goods_on_their_way_and_goods_not_sent_may_be_said(text: str) -> None:
    assert not kinds(reading(text, case=NOTHING)), text


@pytest.mark.parametrize(
    "text",
    [
        "New burrs for your Brio went out today.",
        "I've posted a set of conical burrs.",
        "Die neuen Mahlscheiben sind heute an Sie rausgegangen.",
        "Les nouvelles meules sont parties ce matin.",
        "Hoy le hemos enviado unas muelas nuevas para la Brio.",
        "De nieuwe maalschijven zijn vandaag naar je verstuurd.",
    ],
)
def test_the_part_that_was_sent_may_be_named(text: str) -> None:
    assert not kinds(reading(text, case=BURRS)), text


@pytest.mark.parametrize(
    "text",
    [
        "A new group gasket for your Brio went out today.",
        "We have dispatched a new Brio to you.",
        "I've posted the burrs and added a new drip tray to the same parcel.",
        "Die Dichtung ist heute an Sie rausgegangen.",
    ],
)
def test_another_part_than_the_one_that_was_sent_is_false(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=BURRS)), text


def test_a_parcel_that_was_sent_again_has_the_goods_of_its_order() -> None:
    assert not kinds(reading("The drip tray and the scale of KW-20417 are on their way again.", case=AGAIN))
    assert "claimed" in kinds(reading("The milk jug is on its way to you again.", case=AGAIN))


def test_a_part_of_months_ago_makes_no_new_claim_true() -> None:
    assert "claimed" in kinds(reading("I've mailed you a group gasket for the Brio.", case=LONG_AGO))
    assert not kinds(reading("The group gasket was sent on 20 November 2025.", case=LONG_AGO))


def test_goods_that_arrived_after_the_text_were_on_their_way() -> None:
    text = "Your milk jug is on its way."
    things = [one if one.kind != "order" else replace(one, status="delivered") for one in NOTHING.things]
    late = [one if one.kind != "order" else replace(one, arrived="2026-05-05") for one in things]
    assert kinds(reading(text, case=replace(NOTHING, things=tuple(things)))) == ["claimed"]
    assert not kinds(reading(text, case=replace(NOTHING, things=tuple(late))))
