"""True wordings that look like other deeds, in five languages, beside false ones that resemble them."""

import msgspec
import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity, Parcel, Thing, Verdict
from diorama.rewards.claims.case import Grounds
from diorama.rewards.claims.charges_undone import as_refund
from diorama.rewards.claims.missed import is_missed
from tests.rewards.claims.desk import HOME, NORTH, WORK, desk, order, plan
from tests.rewards.claims.shop import REFUND, ROWS, kinds, reading, shop

TODAY = "2026-05-04"
ORDER = "ord_Zx5cVb8nMq2wEr4t"
TOLD = (Entity("amount", ("4280",)), Entity("deed", ("refund",)))
TAKEN_TWICE = Thing("order", ORDER, ("KW-20417",), status="delivered", goods=("filter papers",), cents=4280, charges=2)


def _with(case: Case, *things: Thing, **more: object) -> Case:
    known = case.known | Grounds(dates=frozenset({"2026-04-28", "2026-04-21"}))
    return msgspec.structs.replace(case, known=known, things=things, **more)


def _costs(verdict: Verdict) -> list[str]:
    return [one.kind for one in verdict.contradictions if one.tier == "success"]


# --- a payment that was cancelled or reversed

TWICE = _with(shop(REFUND, tell=TOLD), TAKEN_TWICE)
UNPAID = _with(shop(), TAKEN_TWICE)
UNDONE = [
    "I have cancelled the second charge for KW-20417: 42.80 EUR go back to your card.",
    "One of the two payments for KW-20417 has been cancelled: 42.80 EUR are on their way to your card.",
    "The duplicate payment has been reversed, so 42.80 EUR go back to your card.",
    "I have voided the extra debit, and 42.80 EUR go back to your card.",
    "Die zweite Abbuchung habe ich storniert: 42,80 EUR gehen auf Ihre Karte zurück.",
    "Ich habe eine der beiden Zahlungen für KW-20417 rückgängig gemacht und Ihnen 42,80 EUR auf die Karte erstattet.",
    "Die doppelte Abbuchung für KW-20417 ist annulliert, 42,80 EUR gehen auf Ihre Karte zurück.",
    "J'ai annulé le second débit de KW-20417 : 42,80 EUR repartent sur votre carte.",
    "L'un des deux paiements de KW-20417 a été annulé, 42,80 EUR reviennent sur votre carte.",
    "He anulado el segundo cobro del pedido KW-20417: 42,80 EUR vuelven a su tarjeta.",
    "Uno de los dos cargos ha sido cancelado; 42,80 EUR vuelven a su tarjeta.",
    "De tweede afschrijving voor KW-20417 is geannuleerd: 42,80 EUR gaat terug naar je kaart.",
    "Ik heb een van de twee betalingen voor KW-20417 teruggedraaid: 42,80 EUR gaat terug naar je kaart.",
    "De dubbele incasso is ongedaan gemaakt, 42,80 EUR gaat terug naar je kaart.",
]


@pytest.mark.parametrize("text", UNDONE)
def test_a_payment_that_was_cancelled_is_a_refund(text: str) -> None:
    verdict = reading(text, case=TWICE)
    assert verdict.passes, verdict


@pytest.mark.parametrize("text", UNDONE)
def test_a_payment_that_was_not_cancelled_is_claimed(text: str) -> None:
    assert "claimed" in kinds(reading(text, case=UNPAID))


@pytest.mark.parametrize(
    "text",
    [
        "I have cancelled order KW-20417: 42.80 EUR go back to your card.",
        "I have cancelled the second charge: 48.20 EUR go back to your card.",
        "I have cancelled the order and the second charge: 42.80 EUR go back to your card.",
        "42.80 EUR went back to your card. The refund has been cancelled again.",
        "Die Bestellung KW-20417 ist storniert, 42,80 EUR gehen auf Ihre Karte zurück.",
        "42,80 EUR gingen auf Ihre Karte zurück. Die Erstattung haben wir wieder rückgängig gemacht.",
        "La commande KW-20417 a été annulée : 42,80 EUR repartent sur votre carte.",
        "He anulado el pedido KW-20417: 42,80 EUR vuelven a su tarjeta.",
        "Bestelling KW-20417 is geannuleerd: 42,80 EUR gaat terug naar je kaart.",
        "42,80 EUR ging terug naar je kaart. De terugbetaling is weer ongedaan gemaakt.",
    ],
)
def test_a_cancelled_order_or_refund_is_not_a_refund(text: str) -> None:
    assert _costs(reading(text, case=TWICE))


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("the refund was cancelled", "en"),
        ("your next charge is cancelled", "en"),
        ("the payment was cancelled by your bank", "en"),
        ("i have cancelled the order and its charge", "en"),
        ("die zahlung wurde storniert", "de"),
        ("die nächste abbuchung ist storniert", "de"),
        ("le prochain prelevement est annule", "fr"),
        ("el reembolso y el cobro se han anulado", "es"),
        ("de volgende afschrijving is geannuleerd", "nl"),
    ],
)
def test_other_words_about_payments_are_left_as_they_are(said: str, language: str) -> None:
    assert as_refund(said, language) == said


# --- what should have been done earlier

PAID = _with(shop(REFUND, tell=TOLD), msgspec.structs.replace(TAKEN_TWICE, charges=1))
NOW = {
    "en": " I have now refunded 42.80 EUR to your card.",
    "de": " Jetzt habe ich Ihnen 42,80 EUR auf die Karte erstattet.",
    "fr": " Je viens de vous rembourser 42,80 EUR sur votre carte.",
    "es": " Ahora le he reembolsado 42,80 EUR a su tarjeta.",
    "nl": " Ik heb nu 42,80 EUR teruggestort op je kaart.",
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We ought to have refunded you on 28 April."),
        ("en", "We should have refunded you on 28 April."),
        ("en", "This should've been refunded on 28 April."),
        ("en", "It was supposed to be refunded on 28 April."),
        ("en", "We should have paid it at once."),
        ("de", "Wir hätten Ihnen das Geld am 28. April erstatten müssen."),
        ("de", "Das hätte am 28. April erstattet werden sollen."),
        ("fr", "Nous aurions dû vous rembourser le 28 avril."),
        ("fr", "Cela aurait dû être remboursé le 28 avril."),
        ("es", "Deberíamos haberle reembolsado el 28 de abril."),
        ("es", "Debimos haberlo reembolsado el 28 de abril."),
        ("nl", "We hadden het op 28 april moeten terugbetalen."),
        ("nl", "Dat had op 28 april terugbetaald moeten zijn."),
    ],
)
def test_a_missed_duty_has_no_day(language: str, text: str) -> None:
    verdict = reading(text + NOW[language], case=PAID)
    assert verdict.passes, verdict


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "We refunded you 42.80 EUR on 28 April."),
        ("en", "We should have been quicker and have also sent you a new machine."),
        ("de", "Wir haben Ihnen 42,80 EUR am 28. April erstattet."),
        ("fr", "Nous vous avons remboursé 42,80 EUR le 28 avril."),
        ("es", "Le reembolsamos 42,80 EUR el 28 de abril."),
        ("nl", "We hebben 42,80 EUR op 28 april terugbetaald."),
    ],
)
def test_what_was_done_has_its_day(language: str, text: str) -> None:
    assert _costs(reading(text + NOW[language], case=PAID))


@pytest.mark.parametrize(
    "text",
    [
        "We ought to have refunded 42.80 EUR to your card for KW-20417.",
        "Wir hätten Ihnen 42,80 EUR auf die Karte erstatten müssen.",
        "Nous aurions dû vous rembourser 42,80 EUR sur votre carte.",
        "Deberíamos haberle reembolsado 42,80 EUR a su tarjeta.",
        "We hadden 42,80 EUR op je kaart moeten terugstorten.",
    ],
)
def test_a_missed_duty_does_not_tell_the_deed(text: str) -> None:
    assert not reading(text, case=PAID).passes


def test_what_should_have_been_said_may_have_been_done() -> None:
    assert not is_missed("we should have told you that we refunded it on xdate", "en")
    assert not is_missed("we should have been quicker and have refunded xamount", "en")
    assert is_missed("we should have refunded it on xdate", "en")


# --- as you wished, everything stays

REFUSED = msgspec.structs.replace(shop(), resolution="refused")


@pytest.mark.parametrize(
    "text",
    [
        "As you wished, everything stays as it is.",
        "Just as you wished, nothing changes: KW-20417 goes to 14 Canal Street.",
        "Wie gewünscht bleibt alles, wie es ist.",
        "Wunschgemäß bleibt alles beim Alten.",
        "Comme vous le souhaitiez, rien ne change.",
        "Como usted deseaba, todo sigue igual.",
        "Zoals gewenst blijft alles zoals het is.",
    ],
)
def test_a_wish_that_nothing_changes_is_granted_by_doing_nothing(text: str) -> None:
    assert kinds(reading(text, case=REFUSED)) == []


@pytest.mark.parametrize(
    "text",
    [
        "As you wished, it is all arranged.",
        "We make an exception, as you wished.",
        "As you wished, everything stays as it is, and I have refunded 42.80 EUR.",
        "Wie gewünscht ist alles erledigt.",
        "Wie gewünscht bleibt alles, wie es ist, und 42,80 EUR sind erstattet.",
    ],
)
def test_a_wish_that_was_not_granted_is_still_found(text: str) -> None:
    assert kinds(reading(text, case=REFUSED))


# --- a new one for a machine

SENSOR = Deed("part", "BR2-2501-11873", day=TODAY, seq=9, names=("PT-NTC", "BR2-2501-11873"))
PART = shop(SENSOR, parts=["Temperature sensor"], machines=["Brio"])
NONE = shop(parts=["Temperature sensor"], machines=["Brio"])
NEW_ONES = [
    "E1 means the temperature sensor has failed: a new one for your Brio (BR2-2501-11873) is on its way to you.",
    "It is the temperature sensor. I have sent you a new one for the Brio today.",
    "Der Temperaturfühler ist defekt: Ein neuer für Ihre Brio (BR2-2501-11873) ist unterwegs.",
    "La sonde de température est en panne : une nouvelle pour votre Brio (BR2-2501-11873) est en route.",
    "El sensor de temperatura ha fallado: uno nuevo para su Brio (BR2-2501-11873) está en camino.",
    "De temperatuursensor is stuk: een nieuwe voor je Brio (BR2-2501-11873) is onderweg.",
]


@pytest.mark.parametrize("text", NEW_ONES)
def test_a_new_one_for_a_machine_is_its_part(text: str) -> None:
    assert _costs(reading(text, case=PART)) == []


@pytest.mark.parametrize("text", NEW_ONES)
def test_a_new_one_that_was_not_sent_is_claimed(text: str) -> None:
    assert _costs(reading(text, case=NONE))


@pytest.mark.parametrize(
    "text",
    [
        "The temperature sensor has failed: a new machine for your Brio is on its way.",
        "The temperature sensor has failed, so we have sent you a new Brio.",
        "Der Temperaturfühler ist defekt: Eine neue Maschine für Ihre Brio ist unterwegs.",
        "La sonde est en panne : une nouvelle machine est en route.",
    ],
)
def test_a_machine_that_was_not_sent_is_still_found(text: str) -> None:
    assert _costs(reading(text, case=PART))


# --- the parcel of a plan

MOVED = desk(
    Deed("address_change", NORTH, day=TODAY, seq=9, to=WORK),
    plans=[plan(NORTH, "Northern Blend", to=WORK)],
)


@pytest.mark.parametrize(
    "text",
    [
        "- The plan's parcel that is on the road right now (KW-20501) still goes to Leeds.",
        "- The parcel of your plan that is on its way (KW-20501) still goes to Leeds.",
        "- Das Paket aus Ihrem Abo, das gerade unterwegs ist (KW-20501), geht noch nach Leeds.",
        "- Die Abo-Lieferung KW-20501 geht noch nach Leeds.",
        "- Le colis de votre abonnement qui est en route (KW-20501) va encore à Leeds.",
        "- El paquete de su suscripción que está en camino (KW-20501) va todavía a Leeds.",
        "- Het pakket van je abonnement dat onderweg is (KW-20501), gaat nog naar Leeds.",
    ],
)
def test_the_parcel_of_a_plan_is_not_the_plan(text: str) -> None:
    assert "place" not in kinds(reading(text, case=MOVED))


@pytest.mark.parametrize(
    "text",
    [
        "- Your plan still goes to Leeds.",
        "- The plan's parcel that is on the road right now (KW-20501) goes to Hull.",
        "- Ihr Abo geht noch nach Leeds.",
        "- Votre abonnement va encore à Leeds.",
        "- Su suscripción va todavía a Leeds.",
        "- Je abonnement gaat nog naar Leeds.",
    ],
)
def test_a_plan_that_goes_elsewhere_is_still_found(text: str) -> None:
    assert "place" in kinds(reading(text, case=MOVED))


# --- a recall of a product

SENT = msgspec.structs.replace(
    shop(after={**ROWS, "recent_orders": [order("KW-20417", "shipped", HOME, "Milk jug")]}),
    parcels=(Parcel("ord_20417AbCdEfGhIjK", "JVGL1", "moving", sent="2026-04-26"),),
)


@pytest.mark.parametrize(
    "text",
    [
        "Main switch gets hot; recall series BR2-25",
        "It falls under the recall of 2025.",
        "Our recall covers series BR2-25.",
    ],
)
def test_the_recall_of_a_product_is_not_about_a_parcel(text: str) -> None:
    assert kinds(reading(text, case=SENT)) == []


def test_a_parcel_that_was_not_recalled_says_what_is_wrong() -> None:
    [bad] = [
        one for one in reading("We recalled the parcel KW-20417.", case=SENT).contradictions if one.kind == "state"
    ]
    assert bad.found == "the text says 'recalled', that a parcel was stopped or recalled"
