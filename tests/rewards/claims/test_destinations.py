"""Where a text says that orders and plans go, and what it says the account holds."""

import pytest

from diorama.kit.deeds import Deed
from tests.rewards.claims.desk import NORTH, PLANS, WORK, desk, plan
from tests.rewards.claims.shop import kinds, reading

MOVED = Deed("address_change", "ord_20500AbCdEfGhIjK", seq=4, to=WORK, names=("KW-20500",))
ORDER = desk(MOVED, plans=PLANS[:1])
BOTH = desk(
    MOVED, Deed("address_change", NORTH, seq=5, to=WORK), plans=[plan(NORTH, "Northern Blend", to=WORK)]
)  # fmt: skip
STRANGER = desk(plans=[])


@pytest.mark.parametrize(
    "text",
    [
        "KW-20500 and KW-20501 both go to 3 Harbour Row now.",
        "Both open orders, KW-20500 and KW-20501, will be delivered to 3 Harbour Row.",
        "I changed KW-20500 to 3 Harbour Row, and did the same for KW-20501.",
        "KW-20500 goes to 3 Harbour Row. I've moved your plan to the same place.",
        "KW-20501 couldn't be changed in time and goes to Hull.",
        "KW-20500 is still headed for Canal Street in Leeds.",
        "Beide Bestellungen gehen jetzt an 3 Harbour Row.",
        "Vos commandes KW-20500 et KW-20501 partent désormais au 3 Harbour Row.",
        "Sus pedidos KW-20500 y KW-20501 van ahora a 3 Harbour Row.",
        "Zowel KW-20500 als KW-20501 gaat nu naar 3 Harbour Row.",
    ],
)
def test_each_order_has_to_go_where_it_is_said_to_go(text: str) -> None:
    assert "place" in kinds(reading(text, case=ORDER)) or "denied" in kinds(reading(text, case=ORDER)), text


@pytest.mark.parametrize(
    "text",
    [
        "KW-20500 now goes to 3 Harbour Row; KW-20501 still goes to 14 Canal Street.",
        "Instead of 14 Canal Street, KW-20500 goes to 3 Harbour Row.",
        "KW-20500 goes to Hull. KW-20501 had already left for Leeds.",
        "KW-20500 goes to 3 Harbour Row. The plan stays at Canal Street.",
        "KW-20500 geht jetzt an 3 Harbour Row, KW-20501 bleibt bei 14 Canal Street.",
        "El pedido KW-20500 va ahora a 3 Harbour Row; KW-20501 sigue igual.",
        "KW-20500 gaat nu naar 3 Harbour Row; KW-20501 is al onderweg naar Leeds.",
    ],
)
def test_each_order_may_have_its_own_address(text: str) -> None:
    assert not kinds(reading(text, case=ORDER)), text


@pytest.mark.parametrize(
    "text",
    [
        "KW-20500 goes to Hull. The coffee plan I couldn't move, it keeps going to Canal Street in Leeds.",
        "KW-20500 goes to 3 Harbour Row. Your subscription will continue to be delivered to Canal Street.",
        "KW-20500 geht nach Hull. Ihr Abo wird weiterhin nach Leeds geliefert.",
        "KW-20500 ira au 3 Harbour Row ; l'abonnement reste livré à Leeds.",
        "KW-20500 gaat naar Hull. Het koffieabonnement blijft naar Leeds gaan.",
    ],
)
def test_a_plan_that_was_moved_does_not_stay(text: str) -> None:
    assert "place" in kinds(reading(text, case=BOTH)), text


@pytest.mark.parametrize(
    "text",
    [
        "KW-20500 and your plan both go to 3 Harbour Row from now on.",
        "The plan no longer goes to Leeds but to 3 Harbour Row.",
        "KW-20500 und Ihr Abo gehen ab sofort an 3 Harbour Row.",
        "KW-20500 et l'abonnement iront désormais au 3 Harbour Row.",
    ],
)
def test_a_plan_that_was_moved_goes_to_the_new_address(text: str) -> None:
    assert not kinds(reading(text, case=BOTH)), text


@pytest.mark.parametrize(
    "text",
    [
        "We'll send the parcel to 9 Mill Lane as you wish.",
        "Kein Problem, wir schicken die Bestellung an 9 Mill Lane.",
        "Nous enverrons votre commande au 9 Mill Lane.",
        "Mandaremos el pedido a 9 Mill Lane.",
        "We bezorgen de bestelling op 9 Mill Lane.",
        "Your new e-mail address is now stored in your account.",
        "I have already set 9 Mill Lane as your default address.",
        "I removed the Canal Street address from your account.",
        "Ihre neue E-Mail-Adresse habe ich im Kundenkonto hinterlegt.",
        "J'ai enregistré votre nouvelle adresse e-mail dans votre compte.",
        "Ya hemos puesto su nuevo correo en su cuenta.",
        "Je nieuwe mailadres staat al in je account.",
    ],
)
def test_promises_of_other_addresses_and_changed_accounts_are_false(text: str) -> None:
    assert set(kinds(reading(text, case=STRANGER))) & {"place", "claimed"}, text


@pytest.mark.parametrize(
    "text",
    [
        "We cannot send anything to 9 Mill Lane.",
        "You can change the address in your account yourself.",
        "Your account still has 14 Canal Street.",
        "Die E-Mail-Adresse im Konto konnte ich nicht ändern.",
        "Vous pouvez changer votre adresse e-mail dans votre compte.",
        "No podemos mandar el pedido a 9 Mill Lane sin comprobar su identidad.",
        "Je mailadres kun je zelf in je account aanpassen.",
    ],
)
def test_what_was_not_changed_may_be_said(text: str) -> None:
    assert not kinds(reading(text, case=STRANGER)), text
