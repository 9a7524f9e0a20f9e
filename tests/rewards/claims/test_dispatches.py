"""Where new goods go, and whether a part or a whole machine was sent."""

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Entity
from tests.rewards.claims.desk import WORK, desk
from tests.rewards.claims.shop import kinds, reading

DAY = "2026-05-04"
BURRS = desk(Deed("part", "BR2-2501-11873", day=DAY, seq=7, to={"sku": "PT-BURRS40", **WORK}), plans=[])
MACHINE = desk(
    Deed("replacement_machine", "BR2-2501-11873", day=DAY, seq=7, to={"sku": "KW-BRIO", **WORK}),
    tell=(Entity("deed", ("replacement_machine",)),),
    plans=[],
)
MOVED = desk(Deed("address_change", "ord_20500AbCdEfGhIjK", seq=4, to=WORK, names=("KW-20500",)), plans=[])


@pytest.mark.parametrize(
    "text",
    [
        "The new burrs for your Brio are on their way to 14 Canal Street.",
        "We have sent the burrs to Leeds today.",
        "Die neuen Mahlscheiben sind unterwegs an 14 Canal Street in Leeds.",
        "The burrs go to 3 Harbour Row in Leeds.",
        "We have sent the burrs to your technician.",
        "Nous avons envoyé les meules directement chez votre réparateur.",
        "The part is sent. Your account's home address is changed too.",
    ],
)
def test_new_goods_go_where_they_were_sent(text: str) -> None:
    assert {"place", "claimed"} & set(kinds(reading(text, case=BURRS))), text


@pytest.mark.parametrize(
    "text",
    [
        "The new burrs for your Brio are on their way to 3 Harbour Row in Hull.",
        "We have sent the burrs to Hull, not to 14 Canal Street in Leeds.",
        "Die neuen Mahlscheiben sind unterwegs an 3 Harbour Row, HU1 2CD Hull.",
        "We have sent the burrs to you; we cannot send them to your technician.",
        "Your account still has 14 Canal Street in Leeds.",
    ],
)
def test_the_right_place_of_new_goods_may_be_said(text: str) -> None:
    assert not kinds(reading(text, case=BURRS)), text


@pytest.mark.parametrize(
    "text",
    [
        "We're posting you a new display board for the Brio.",
        "It is nearly always the pump, so we've posted you one today.",
        "Wir haben Ihnen heute eine neue Heizplatte für die Brio geschickt.",
        "Nous vous avons envoyé une nouvelle carte électronique pour votre Brio.",
        "Le hemos enviado una placa nueva para su Brio.",
        "We hebben je een nieuw bedieningspaneel voor de Brio gestuurd.",
    ],
)
def test_a_part_is_not_told_as_a_machine(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=MACHINE)), text


@pytest.mark.parametrize(
    "text",
    [
        "We're sending you a replacement for your Brio.",
        "The pump is broken, so we've sent you a new machine today.",
        "The Brio is faulty, so we have posted you a new one.",
        "Wir haben Ihnen ein Austauschgerät für die Brio geschickt.",
        "Nous vous avons envoyé un nouvel appareil pour remplacer votre Brio.",
        "We hebben je een vervangende machine voor de Brio gestuurd.",
    ],
)
def test_a_machine_may_be_told_with_what_it_is_for(text: str) -> None:
    assert not kinds(reading(text, case=MACHINE)), text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We see that the part we sent you in January did not help.", False),
        ("Vemos que la pieza que le mandamos en enero no sirvió, y hemos visto su nueva dirección.", False),
        ("Das Teil, das wir Ihnen im Januar geschickt haben, hat nicht geholfen.", False),
        ("The part we sent in January did not help, so we have sent you a new Brio.", True),
    ],
)
def test_a_part_of_an_earlier_month_does_not_tell_a_machine(text: str, told: bool) -> None:
    assert (not reading(text, case=MACHINE).missing) is told, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The order with the milk jug could not be redirected any more.", True),
        ("Die Bestellung mit dem Milchkännchen konnte ich nicht mehr umleiten.", True),
        ("It was too late to redirect KW-20500.", True),
        ("La commande KW-20500 n'a pas pu être redirigée.", True),
        ("KW-20501 could not be redirected.", False),
        ("Once it is with the carrier KW-20500 can't be redirected.", False),
        ("Die andere Bestellung konnte ich nicht umleiten.", False),
    ],
)
def test_an_order_that_was_redirected_is_not_denied(text: str, wrong: bool) -> None:
    assert ("denied" in kinds(reading(text, case=MOVED))) is wrong, text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("KW-20500 goes to 3 Harbour Row, Leeds.", True),
        ("KW-20500 goes to 3 Harbour Row, LS3 1AB Leeds.", True),
        ("KW-20500 gaat naar 3 Harbour Row in Leeds.", True),
        ("KW-20500 goes to 3 Harbour Row, HU1 2CD Hull.", False),
        ("KW-20500 goes to 3 Harbour Row; Leeds stays in your account.", False),
    ],
)
def test_a_street_stands_in_its_own_town(text: str, wrong: bool) -> None:
    assert ("place" in kinds(reading(text, case=MOVED))) is wrong, text
