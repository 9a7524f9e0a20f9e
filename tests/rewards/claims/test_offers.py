"""Words of honest agents beside false twins: offers, what a subject is, values in brackets, what the carrier has."""

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Parcel, Thing
from tests.rewards.claims.desk import desk
from tests.rewards.claims.shop import kinds, reading, shop

NOTHING = shop(extra=["9.00 EUR"])
OFFERS = [
    "You get 9.00 EUR as store credit. Would that be all right?",
    "So 9.00 EUR are due to you. We pay it as store credit though, not back to the card. Is that okay for you?",
    "We pay it as store credit though, not back to the card.",
    "We would give you 9.00 EUR as store credit.",
    "Our policy: price drops within 14 days are paid as store credit. That would be 9.00 EUR.",
    "Sie bekommen 9,00 EUR als Guthaben. Soll ich das buchen?",
    "Wir schreiben Ihnen 9,00 EUR als Guthaben gut. Einverstanden?",
    "Wir zahlen das als Guthaben aus, nicht auf die Karte. Ist das in Ordnung für Sie?",
    "Vous recevez 9,00 EUR en crédit d'achat. Cela vous convient-il ?",
    "Nous vous donnerions 9,00 EUR en crédit d'achat.",
    "Le damos 9,00 EUR como saldo. ¿Le parece bien?",
    "Le daríamos 9,00 EUR de saldo.",
    "Je hebt recht op het verschil van 9,00 euro, maar alleen als tegoed. Zal ik dat voor je boeken?",
    "Je krijgt 9,00 euro als tegoed. Is dat goed?",
]
GIVEN = [
    "I have given you 9.00 EUR as store credit. Is that okay for you?",
    "9.00 EUR of store credit are on your account. Okay?",
    "We pay you 9.00 EUR as store credit.",
    "You get 9.00 EUR as store credit. Do you have any other questions?",
    "Ich habe Ihnen 9,00 EUR als Guthaben gutgeschrieben. Ist das in Ordnung?",
    "Sie bekommen 9,00 EUR als Guthaben. Haben Sie noch Fragen?",
    "Nous avons crédité 9,00 EUR en crédit d'achat. Cela vous va ?",
    "Le hemos abonado 9,00 EUR como saldo. ¿Le parece bien?",
    "Ik heb 9,00 euro als tegoed bijgeschreven. Is dat goed?",
]


@pytest.mark.parametrize("text", OFFERS)
def test_an_offer_with_a_question_claims_nothing(text: str) -> None:
    assert kinds(reading(text, case=NOTHING)) == []


@pytest.mark.parametrize("text", GIVEN)
def test_what_is_said_to_be_given_is_claimed_with_a_question_too(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=NOTHING))


def _case(*deeds: Deed) -> Case:
    """Return a case: KW-20417 has arrived and goes back as RMA-2006, KW-20500 waits, KW-20501 is on its way."""
    made = desk(*deeds)
    orders = {one.numbers[0]: one.id for one in made.things if one.kind == "order"}
    parcels = (
        Parcel(orders["KW-20417"], "JV1", "arrived", (), "2026-04-21", "2026-04-22", "2026-04-25", ""),
        Parcel(orders["KW-20501"], "JV2", "moving", (), "2026-04-30", "2026-05-01", "", "2026-05-06"),
    )
    back = Thing("return", "RMA-2006", ("RMA-2006",), status="open")
    known = msgspec.structs.replace(
        made.known, records=made.known.records | {"RMA-2006"}, dates=made.known.dates | {"2026-05-01"}
    )
    return msgspec.structs.replace(made, known=known, parcels=parcels, things=(*made.things, back))


HEADS = [
    "The return of the drip tray from order KW-20417 has the number RMA-2006 and is still open.",
    "The complaint about order KW-20417 is with me and is still open.",
    "Die Rücksendung aus Bestellung KW-20417 hat die Nummer RMA-2006 und ist noch offen.",
    "Le retour de la commande KW-20417 porte le numéro RMA-2006 et n'est pas encore parti.",
    "La devolución del pedido KW-20417 tiene el número RMA-2006 y aún no ha salido.",
    "De retour van bestelling KW-20417 heeft het nummer RMA-2006 en staat nog open.",
]
ORDERS = [
    "Order KW-20417 has a drip tray in it and is still open.",
    "Order KW-20417 has been packed and has not left yet.",
    "La commande KW-20417 est prête et n'est pas encore partie.",
]


@pytest.mark.parametrize("text", HEADS)
def test_a_state_belongs_to_the_head_of_its_sentence(text: str) -> None:
    assert kinds(reading(text, case=_case())) == []


@pytest.mark.parametrize("text", ORDERS)
def test_an_order_that_arrived_is_not_said_to_wait(text: str) -> None:
    assert kinds(reading(text, case=_case())) == ["state"]


def test_a_verdict_says_states_in_plain_english() -> None:
    found = reading("Order KW-20417 is lost, and KW-20500 came back to us.", case=_case()).contradictions
    assert [one.expected for one in found] == ["KW-20417 has arrived", "KW-20500 has not left us"]


WARRANTIES = [
    "Its warranty (BR2-2501-11873, order KW-20417) ended on 4 March 2027.",
    "The warranty of the Brio (serial BR2-2501-11873, order KW-20417) is over.",
    "Die Garantie (BR2-2501-11873, Bestellung KW-20417) ist beendet.",
    "La garantie (BR2-2501-11873, commande KW-20417) a pris fin.",
    "La garantía (BR2-2501-11873, pedido KW-20417) ha terminado.",
    "De garantie (BR2-2501-11873, bestelling KW-20417) is beëindigd.",
]


@pytest.mark.parametrize("text", WARRANTIES)
def test_a_warranty_that_ended_is_not_a_cancellation(text: str) -> None:
    assert kinds(reading(text, case=shop())) == []


@pytest.mark.parametrize("text", ["Order KW-20417 was ended.", "Bestellung KW-20417 ist beendet."])
def test_an_order_that_ended_is_a_cancellation(text: str) -> None:
    assert kinds(reading(text, case=shop())) == ["claimed"]


COLLECTED = [
    "DHL hat sie am 1. Mai abgeholt.",
    "Die Sendung wurde am 1. Mai von DHL abgeholt.",
    "DHL collected it on 1 May.",
    "L'enlèvement par DHL a eu lieu le 1er mai.",
    "Le transporteur a récupéré le colis le 1er mai.",
    "El paquete fue recogido por DHL el 1 de mayo.",
    "DHL heeft het op 1 mei opgehaald.",
    "Het is op 1 mei opgehaald door DHL.",
]
WILL_COLLECT = [
    "DHL holt sie morgen bei Ihnen ab.",
    "A courier collects it from you tomorrow.",
    "Un coursier passera chercher le colis demain.",
    "Un mensajero pasará a recoger el paquete mañana.",
    "Een koerier haalt het morgen bij u op.",
]


@pytest.mark.parametrize("text", COLLECTED)
def test_a_collected_parcel_is_not_a_promise(text: str) -> None:
    assert kinds(reading(f"KW-20501 / {text}", case=_case())) == []


@pytest.mark.parametrize("text", WILL_COLLECT)
def test_a_courier_that_no_record_shows_is_a_promise_and_is_named(text: str) -> None:
    found = [one for one in reading(text, case=_case()).contradictions if one.kind == "extra"]
    assert found, text
    assert all(one.found.partition(": ")[2] not in ("", "''") for one in found)


CANCELLED = Deed("cancellation", "ord_20500AbCdEfGhIjK", day="2026-05-04", seq=9, names=("KW-20500",))
OTHERS = [
    "Another question: two other orders have not left us yet, KW-20500 (the jug) and KW-20502. Which do you mean?",
    "These other orders have not left us yet:\n- KW-20500\n- KW-20502\nWhich one?",
    "Zwei andere Bestellungen sind noch nicht verschickt, KW-20500 und KW-20502. Welche meinen Sie?",
    "Deux autres commandes ne sont pas encore parties, KW-20500 et KW-20502. Laquelle ?",
    "Twee andere bestellingen zijn nog niet verzonden, KW-20500 en KW-20502. Welke?",
]


@pytest.mark.parametrize("deeds", [(), (CANCELLED,)], ids=["before", "after"])
@pytest.mark.parametrize("text", OTHERS)
def test_other_orders_are_those_that_the_sentence_lists(text: str, deeds: tuple[Deed, ...]) -> None:
    case = _case(*deeds)
    third = Thing("order", "ord_20502AbCdEfGhIjK", ("KW-20502",), status="open")
    known = msgspec.structs.replace(case.known, records=case.known.records | {"KW-20502"})
    things = tuple(
        msgspec.structs.replace(one, status="cancelled") if deeds and "KW-20500" in one.numbers else one
        for one in case.things
    )
    case = msgspec.structs.replace(case, known=known, things=(*things, third))
    assert kinds(reading(f"KW-20417 is settled. {text}", case=case)) == []


@pytest.mark.parametrize("text", [OTHERS[0], OTHERS[1], OTHERS[4]])
def test_other_orders_that_are_listed_are_compared(text: str) -> None:
    wrong = text.replace("KW-20500", "KW-20501").replace("KW-20502", "KW-20501")
    assert "state" in kinds(reading(f"KW-20417 is settled. {wrong}", case=_case()))
