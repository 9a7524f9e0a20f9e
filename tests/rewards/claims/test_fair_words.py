"""True words of a competent agent that were misread, in five languages, beside lies that resemble them."""

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity, Parcel, Payment, Thing
from diorama.rewards.claims.case import Grounds
from diorama.rewards.claims.years import with_year
from tests.rewards.claims.shop import REFUND, kinds, reading, shop

TODAY = "2026-05-04"
ORDER = "ord_Zx5cVb8nMq2wEr4t"


def _with(case: Case, *things: Thing, **more: object) -> Case:
    known = case.known | Grounds(dates=frozenset({"2026-04-28", "2026-04-21"}), cards=frozenset({"7316"}))
    return msgspec.structs.replace(case, known=known, things=things, **more)


def _order(charges: int = 1, goods: tuple[str, ...] = ("filter papers 100 g",)) -> Thing:
    return Thing("order", ORDER, ("KW-20417",), status="delivered", goods=goods, cents=4280, charges=charges)


# --- a refund that failed

FAILED = Payment(4280, "original_payment", "failed", ORDER, "2026-04-28")
BOUNCED = _with(shop(), _order(), payments=(FAILED,), failed=True)


@pytest.mark.parametrize(
    "text",
    [
        "The refund of 42.80 EUR that we made on 28 April came back because the card is closed.",
        "The 42.80 EUR which we refunded on 28 April were returned by your bank.",
        "Our refund of 28 April was sent back by the bank (card closed).",
        "We refunded 42.80 EUR on 28 April. The bank sent it back because the card is closed.",
        "We refunded 42.80 EUR to your card on 28 April. It came back to us.",
        "On 28 April we sent 42.80 EUR back to your card. That payment failed because the card no longer exists.",
        "Die Erstattung von 42,80 EUR vom 28. April kam zurück, weil die Karte geschlossen ist.",
        "Wir haben Ihnen am 28. April 42,80 EUR erstattet. Die Bank hat die Zahlung zurückgewiesen.",
        "Les 42,80 EUR que nous avons remboursés le 28 avril nous ont été renvoyés par la banque.",
        "Nous vous avons remboursé 42,80 EUR le 28 avril. Le paiement nous est revenu, car la carte est clôturée.",
        "El reembolso de 42,80 EUR del 28 de abril fue rechazado.",
        "El dinero que le reembolsamos el 28 de abril nos fue devuelto por el banco.",
        "We hebben op 28 april 42,80 EUR terugbetaald. Dat bedrag kwam terug omdat de kaart is opgeheven.",
        "De 42,80 EUR die wij op 28 april hebben terugbetaald, zijn door je bank teruggestuurd.",
    ],
)
def test_a_refund_that_failed_may_be_told(text: str) -> None:
    assert kinds(reading(text, case=BOUNCED)) == []


@pytest.mark.parametrize(
    "text",
    [
        "We refunded 42.80 EUR on 28 April.",
        "We refunded 42.80 EUR on 28 April because the card is closed.",
        "We refunded 42.80 EUR on 28 April. It did not come back.",
        "We refunded 42.80 EUR on 28 April. The parcel was returned by DHL.",
        "We refunded 42.80 EUR on 28 April. Did it come back?",
        "We have just refunded 42.80 EUR. The first one came back.",
        "The refund of 28 April came back, so we refunded the 42.80 EUR again.",
        "Wir haben Ihnen am 28. April 42,80 EUR erstattet.",
        "Wir haben Ihnen am 28. April 42,80 EUR erstattet. Die Bank hat die Zahlung nicht zurückgewiesen.",
        "Die Erstattung kam zurück, daher haben wir Ihnen 42,80 EUR noch einmal erstattet.",
        "Nous vous avons remboursé 42,80 EUR le 28 avril. Le colis nous est revenu.",
        "El primer reembolso fue rechazado, así que le hemos reembolsado 42,80 EUR.",
        "We hebben op 28 april 42,80 EUR terugbetaald. Het pakket kwam terug.",
    ],
)
def test_a_refund_that_failed_is_not_one_that_was_made(text: str) -> None:
    assert not reading(text, case=BOUNCED).passes


# --- one of two payments

TOLD = (Entity("amount", ("4280",)), Entity("deed", ("refund",)))
TWICE = _with(shop(REFUND, tell=TOLD), _order(charges=2), failed=False)
ONE_OF_TWO = [
    "There really were two payments of 42.80 EUR for KW-20417. I have just returned the second one to your card.",
    "We did collect the 42.80 EUR two times. The second one is on its way back to your card.",
    "You are right, we did collect the 42.80 EUR two times. One of them now goes back to your card.",
    "Wir haben die 42,80 EUR zweimal eingezogen. Die zweite habe ich gerade auf Ihre Karte zurückgegeben.",
    "Die 42,80 EUR wurden zweimal abgebucht. Eine davon geht jetzt auf Ihre Karte zurück.",
    "Il y a bien eu deux paiements de 42,80 EUR. Le second vient de repartir vers votre carte.",
    "Il y a bien eu deux prélèvements de 42,80 EUR. L'un d'eux revient maintenant sur votre carte.",
    "Efectivamente hubo dos cobros de 42,80 EUR. Uno de ellos vuelve ahora a su tarjeta.",
    "We hebben de 42,80 EUR twee keer geïncasseerd. Een daarvan gaat nu terug naar je kaart.",
    "Er zijn inderdaad twee betalingen van 42,80 EUR. De tweede heb ik net teruggezet op je kaart.",
]


@pytest.mark.parametrize("text", ONE_OF_TWO)
def test_a_pronoun_tells_that_a_payment_went_back(text: str) -> None:
    verdict = reading(text, case=TWICE)
    assert verdict.passes, verdict


@pytest.mark.parametrize("text", ONE_OF_TWO)
def test_a_pronoun_claims_a_refund_that_was_not_made(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=_with(shop(), _order(charges=2), failed=False)))


@pytest.mark.parametrize(
    "text",
    [
        "There were two payments of 42.80 EUR for KW-20417. I have not returned the second one to your card.",
        "There were two payments of 42.80 EUR for KW-20417. The second one is visible on your card.",
        "There were two payments of 42.80 EUR. Would you like the second one back on your card?",
        "Die 42,80 EUR wurden zweimal abgebucht. Eine davon geht nicht zurück.",
    ],
)
def test_other_words_about_one_of_two_payments_tell_no_refund(text: str) -> None:
    assert reading(text, case=TWICE).missing


# --- an order that arrived, while a return is open

LABEL = Deed("label", ORDER, day=TODAY, seq=9, names=("RMA-1", "KW-20417"), to={"resolution": "refund"})
RETURN = Thing("return", "rma_1", ("RMA-1",), status="awaited")
OPENED = _with(
    shop(LABEL), _order(), RETURN, parcels=(Parcel(ORDER, "JVGL1", "arrived", sent="2026-04-26", closed="2026-04-28"),)
)


@pytest.mark.parametrize(
    "text",
    [
        "KW-20417 arrived on 28 April, so you are well within the 30 days.",
        "KW-20417 kam am 28. April an, Sie sind also in der Frist von 30 Tagen.",
        "KW-20417 est arrivée le 28 avril, vous êtes donc dans les 30 jours.",
        "KW-20417 llegó el 28 de abril, así que está dentro de los 30 días.",
        "KW-20417 is op 28 april aangekomen, je zit dus ruim binnen de 30 dagen.",
    ],
)
def test_an_order_that_arrived_is_not_its_return(text: str) -> None:
    assert kinds(reading(text, case=OPENED)) == []


@pytest.mark.parametrize(
    "text",
    [
        "KW-20417 arrived back here on 28 April.",
        "Your return of KW-20417 arrived today.",
        "KW-20417 has arrived at our warehouse.",
        "Ihre Rücksendung KW-20417 ist heute bei uns angekommen.",
    ],
)
def test_a_return_that_did_not_arrive_is_still_found(text: str) -> None:
    assert kinds(reading(text, case=OPENED))


@pytest.mark.parametrize(
    "text",
    [
        "My lead could give you 80 % of its price, 42.80 EUR, as store credit. Shall I ask?",
        "I may ask my lead to give you 80 %, 42.80 EUR, as store credit instead. Would you like that?",
        "Ich kann meine Teamleitung fragen, ob Sie 42,80 EUR als Guthaben bekommen. Möchten Sie das?",
        "Je peux demander à ma responsable de vous accorder 42,80 EUR en avoir. Cela vous conviendrait ?",
        "Puedo pedir a mi responsable que le dé 42,80 EUR como saldo. ¿Le parece bien?",
        "Ik kan mijn teamleider vragen je 42,80 EUR als tegoed te geven. Wil je dat?",
    ],
)
def test_an_offer_is_not_held_against_a_later_return(text: str) -> None:
    assert kinds(reading(text, "I have opened a return for KW-20417, the label is in your mail.", case=OPENED)) == []


def test_credit_that_was_given_is_not_an_offer() -> None:
    assert kinds(reading("I have given you 42.80 EUR as store credit. Would you like that?", case=OPENED))


# --- a part in a parcel that was sent again

AGAIN = Deed("reshipment", "shp_1", day=TODAY, seq=9, names=(ORDER, "KW-20417"))
OLD_PART = Deed("part", "BR2-2501-11873", day="2026-04-28", names=("PT-TRAY",))
SENT_AGAIN = _with(
    shop(AGAIN, OLD_PART, parts=["Drip tray", "Water tank 2.1 l", "Steam valve"]),
    _order(goods=("water tank 2.1 l", "milk jug 600 ml")),
)


def test_a_part_may_be_in_a_parcel_that_was_sent_again() -> None:
    text = "The parcel is lost, so today I have sent you the water tank and the milk jug again."
    assert kinds(reading(text, case=SENT_AGAIN)) == []
    found = reading("I have sent you the drip tray today.", case=SENT_AGAIN).contradictions
    assert "an earlier part (2026-04-28)" in {one.expected for one in found}


# --- rules, advice, years, sizes, money that leaves


@pytest.mark.parametrize(
    "text",
    [
        "Usually a grey line is only a reservation that disappears by itself, but in your case it isn't.",
        "Normalerweise ist eine graue Zeile nur eine Reservierung, bei Ihnen aber nicht.",
        "D'habitude une ligne grise est une simple réservation, mais pas dans votre cas.",
        "Normalmente una línea gris es solo una reserva, pero en su caso no.",
        "Meestal is een grijze regel alleen een reservering, maar bij jou niet.",
    ],
)
def test_what_is_usual_is_not_said_of_the_case(text: str) -> None:
    assert kinds(reading(text, case=TWICE)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The grey line is only a reservation that disappears by itself.",
        "Usually it takes a while, but the second line is only a reservation.",
        "Usually a grey line is only a reservation, but yours is one too.",
    ],
)
def test_a_reservation_of_the_case_is_not_a_rule(text: str) -> None:
    assert "denied" in kinds(reading(text, case=TWICE))


@pytest.mark.parametrize(
    "text",
    [
        "As long as a parcel is still with us we can change the address, but this one has arrived.",
        "Tant qu'un colis est encore chez nous, nous pouvons changer l'adresse.",
    ],
)
def test_how_long_something_is_possible_is_a_rule(text: str) -> None:
    case = _with(shop(), _order(), parcels=OPENED.parcels)
    assert "state" not in kinds(reading(text, case=case))
    assert "state" in kinds(reading("Your parcel KW-20417 is still with us.", case=case))


PLAN = Thing("plan", "sub_Qw4rTy7uIo1pAs3d", name="explorer", status="active", option="whole_bean")


@pytest.mark.parametrize(
    "text",
    [
        "For a moka pot, grind a little coarser than for espresso.",
        "Für die Mokakanne mahlen Sie etwas gröber als für Espresso.",
        "Pour une cafetière moka, choisissez une mouture un peu plus grossière que pour l'espresso.",
        "Para una cafetera moka, muela un poco más grueso que para espresso.",
        "Voor een mokapot maal je iets grover dan voor espresso.",
    ],
)
def test_advice_how_to_grind_is_not_an_option_of_a_plan(text: str) -> None:
    assert kinds(reading(text, case=_with(shop(), PLAN))) == []


def test_the_grind_of_a_plan_is_still_compared() -> None:
    assert kinds(reading("Your bags come ground for a moka pot.", case=_with(shop(), PLAN))) == ["state"]


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("its warranty ran out on xdate", "2025"),
        ("die garantie ist am xdate abgelaufen", "2025"),
        ("la garantie a expire le xdate", "2025"),
        ("la garantia termino el xdate", "2025"),
        ("de garantie liep af op xdate", "2025"),
        ("its warranty runs until xdate", "2026"),
        ("the next bag comes on xdate", "2026"),
    ],
)
def test_a_day_without_a_year_follows_the_tense(said: str, year: str) -> None:
    assert with_year("--12-12", said, "2026-03-02") == f"{year}-12-12"


def test_a_future_verb_means_the_next_such_day() -> None:
    assert with_year("--01-12", "it will start on xdate", "2026-03-02") == "2027-01-12"
    assert with_year("--01-12", "it started on xdate", "2026-03-02") == "2026-01-12"


def test_a_unit_ends_at_the_border_of_a_word() -> None:
    case = _with(shop(), _order())
    assert kinds(reading("The filter papers in KW-20417 got cheaper.", case=case)) == []
    assert kinds(reading("The filter papers 250 g in KW-20417 are there.", case=case)) == ["subject"]


@pytest.mark.parametrize(
    "text",
    [
        "Les 42,80 EUR (location et dépôt) repartent eux aussi sur la carte.",
        "Les 42,80 EUR repartent sur votre carte.",
    ],
)
def test_money_that_leaves_for_a_card_is_not_a_parcel(text: str) -> None:
    assert kinds(reading(text, case=TWICE)) == []
    assert kinds(reading("Le colis repart aujourd'hui.", case=TWICE)) == ["claimed"]
