"""Deeds that are told by their effects, with a value of the deed; without such a value they are not told."""

from typing import Any

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity
from tests.rewards.claims.desk import NORTH, WORK, desk, plan
from tests.rewards.claims.shop import LOST, kinds, reading

TODAY = "2026-05-04"


def _case(kind: str, subject: str, plans: list[dict[str, Any]] | None = None, **more: Any) -> Case:
    deed = Deed(kind, subject, seq=9, **{"day": TODAY, **more})
    return desk(deed, plans=plans, tell=(Entity("deed", (kind,)),))


CASES = {
    "plan_change": _case("plan_change", NORTH, [{**plan(NORTH, "Night Shift"), "plan": "night-2w"}], day="2026-05-20"),
    "pause": _case(
        "pause", NORTH, [{**plan(NORTH, "Northern Blend", "paused"), "resumes_at": "2026-06-09T08:00:00Z"}],
        day="2026-06-09", to={"until": "2026-06-09"},
    ),
    "cancellation": _case(
        "cancellation", NORTH, [plan(NORTH, "Northern Blend", "cancelled", cancelled_at="2026-05-04T08:00:00Z")]
    ),
    "refund": LOST,
    "reshipment": _case("reshipment", "shp_1", names=("ord_20417AbCdEfGhIjK", "KW-20417")),
    "part": _case("part", "BR2-2501-11873", to={"sku": "PT-GASKET"}),
    "address_change": _case("address_change", NORTH, [plan(NORTH, "Northern Blend", to=WORK)], to=WORK),
}  # fmt: skip
TOLD = (
    ("plan_change", "As of 20 May you get Night Shift instead of the Huila decaf, every 2 weeks."),
    ("plan_change", "The next bags on 20 May will be Night Shift."),
    ("plan_change", "From then on Night Shift arrives every two weeks."),
    ("plan_change", "It goes from every four weeks to every two weeks from 20 May."),
    ("plan_change", "So far it was every four weeks. The coffee comes every two weeks as of 20 May."),
    ("plan_change", "Ab dem 20. Mai bekommen Sie Night Shift statt des entkoffeinierten Kaffees."),
    ("plan_change", "Die nächsten Tüten am 20. Mai sind Night Shift."),
    ("plan_change", "Bisher kam der Kaffee alle vier Wochen. Ab dem 20. Mai kommt er alle zwei Wochen."),
    ("plan_change", "À partir du 20 mai, vous recevrez Night Shift au lieu du décaféiné."),
    ("plan_change", "Les prochains sachets du 20 mai seront du Night Shift."),
    ("plan_change", "Desde el 20 de mayo recibirá Night Shift en lugar del descafeinado."),
    ("plan_change", "Las próximas bolsas del 20 de mayo serán Night Shift."),
    ("plan_change", "Vanaf 20 mei krijg je Night Shift in plaats van de decaf."),
    ("plan_change", "De volgende zakken op 20 mei zijn dan Night Shift."),
    ("pause", "Your plan now starts again on 9 June 2026."),
    ("pause", "The next bag comes on 9 June."),
    ("pause", "Your next delivery is due on 9 June 2026."),
    ("pause", "Ihr Abo beginnt nun wieder am 9. Juni 2026."),
    ("pause", "Die nächste Lieferung kommt am 9. Juni."),
    ("pause", "Votre abonnement reprend le 9 juin 2026."),
    ("pause", "La prochaine livraison partira le 9 juin."),
    ("pause", "Su suscripción empieza de nuevo el 9 de junio de 2026."),
    ("pause", "La próxima entrega llega el 9 de junio."),
    ("pause", "Je abonnement begint weer op 9 juni 2026."),
    ("pause", "De volgende levering komt op 9 juni."),
    ("pause", "Your plan was resting until 20 May; it now rests until 9 June 2026."),
    ("pause", "Ihr Abo ruhte bis zum 20. Mai; nun ruht es bis zum 9. Juni 2026."),
    ("pause", "Votre abonnement était en pause jusqu'au 20 mai ; il l'est maintenant jusqu'au 9 juin 2026."),
    ("pause", "Su suscripción estaba en pausa hasta el 20 de mayo; ahora descansa hasta el 9 de junio de 2026."),
    ("pause", "Je abonnement lag stil tot 20 mei; het rust nu tot 9 juni 2026."),
    ("pause", "The next renewal would have been on 20 May; it is now 9 June 2026, the plan rests until then."),
    ("cancellation", "No more deliveries will come from your plan."),
    ("cancellation", "The bag in April was the last one."),
    ("cancellation", "You will not be charged again for the coffee."),
    ("cancellation", "Es kommen keine Lieferungen mehr."),
    ("cancellation", "Die Tüte im April war die letzte Lieferung."),
    ("cancellation", "Vous ne recevrez plus de livraisons."),
    ("cancellation", "Le sachet d'avril était le dernier."),
    ("cancellation", "No habrá más entregas."),
    ("cancellation", "La bolsa de abril fue la última."),
    ("cancellation", "Er komen geen leveringen meer."),
    ("cancellation", "De zak van april was de laatste."),
    ("refund", "You get 42.80 EUR back for KW-20417."),
    ("refund", "42.80 EUR is on its way back to you."),
    ("refund", "Sie bekommen 42,80 EUR zurück."),
    ("refund", "42,80 EUR sind auf dem Rückweg."),
    ("refund", "42,80 EUR vous reviennent."),
    ("refund", "Vous récupérez 42,80 EUR."),
    ("refund", "Recupera usted 42,80 EUR."),
    ("refund", "42,80 EUR van de vuelta a su cuenta bancaria."),
    ("refund", "Je krijgt 42,80 EUR terug."),
    ("refund", "42,80 EUR is onderweg naar je rekening."),
    ("reshipment", "KW-20417 is on its way again."),
    ("reshipment", "KW-20417 was lost on the way and today we prepared a new parcel with everything in it."),
    ("reshipment", "KW-20417 ist wieder unterwegs."),
    ("reshipment", "KW-20417 ging verloren, ein neues Paket ist unterwegs."),
    ("reshipment", "La commande KW-20417 repart aujourd'hui."),
    ("reshipment", "La commande KW-20417 s'est perdue et un nouveau colis est prêt."),
    (
        "reshipment",
        "El pedido KW-20417 se perdió en el camino y hoy mismo hemos preparado un nuevo envío con todo su contenido.",
    ),
    ("reshipment", "El pedido KW-20417 vuelve a salir hoy."),
    ("reshipment", "KW-20417 is weer onderweg."),
    ("reshipment", "KW-20417 is kwijt en vandaag gaat er een nieuw pakket weg."),
    ("part", "A group gasket for your Brio is on order to your Leeds address."),
    ("part", "A group gasket is ordered and addressed to 14 Canal Street, Leeds."),
    ("part", "Die Group gasket für Ihre Brio ist bestellt."),
    ("part", "La Group gasket est commandée pour votre Brio."),
    ("part", "La Group gasket está pedida para su Brio."),
    ("part", "De Group gasket voor je Brio is besteld."),
    ("address_change", "Your plan goes to 3 Harbour Row, HU1 2CD Hull."),
    ("address_change", "Ihr Abo geht künftig an 3 Harbour Row, HU1 2CD Hull."),
    ("address_change", "Votre abonnement ira au 3 Harbour Row, HU1 2CD Hull."),
    ("address_change", "Su suscripción va a 3 Harbour Row, HU1 2CD Hull."),
    ("address_change", "Je abonnement gaat naar 3 Harbour Row, HU1 2CD Hull."),
    (
        "address_change",
        "Until now it went to 14 Canal Street, LS3 1AB Leeds; from now on it goes to 3 Harbour Row, HU1 2CD Hull.",
    ),
    (
        "address_change",
        "Bisher ging es an 14 Canal Street, LS3 1AB Leeds; künftig geht Ihr Abo an 3 Harbour Row, HU1 2CD Hull.",
    ),
)
UNTOLD = (
    ("plan_change", "The next bags on 20 May will be Huila."),
    ("plan_change", "The next bags arrive soon, instead of later."),
    ("plan_change", "We will send Night Shift if you want."),
    ("pause", "Your plan starts again on 20 May."),
    ("pause", "Your plan is fine."),
    ("cancellation", "Your plan is in good hands."),
    ("refund", "42.80 EUR was the price."),
    ("reshipment", "KW-20417 was lost, sorry."),
)


@pytest.mark.parametrize(("kind", "text"), TOLD)
def test_a_deed_is_told_by_its_effect(kind: str, text: str) -> None:
    verdict = reading(text, case=CASES[kind])
    assert (kinds(verdict), verdict.missing) == ([], ())


@pytest.mark.parametrize(("kind", "text"), UNTOLD)
def test_words_without_a_value_of_the_deed_do_not_tell_it(kind: str, text: str) -> None:
    assert reading(text, case=CASES[kind]).missing
