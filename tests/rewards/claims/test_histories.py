"""What went wrong before, failed payments, brackets and advice: they deny nothing, claim nothing, promise nothing."""

import pytest

from diorama.kit.deeds import Deed
from diorama.rewards.claims import Case, Entity
from tests.rewards.claims.desk import desk
from tests.rewards.claims.shop import kinds, reading, shop

TODAY = "2026-05-04"
AGAIN = Deed("reshipment", "shp_1", day=TODAY, seq=9, names=("ord_Zx5cVb8nMq2wEr4t", "KW-20417"))
CREDITED = Deed(
    "refund", "ch_1", cents=4280, destination="store_credit", day=TODAY, seq=12, names=("KW-20417",), currency="eur"
)
PART = Deed("part", "BR2-2501-11873", day=TODAY, seq=9, to={"sku": "PT-GASKET"})


def _told(kind: str) -> tuple[Entity, ...]:
    return (Entity("deed", (kind,)),)


PUT_RIGHT = (
    "KW-20417 was lost, but nobody paid you back. I have just done so: 42.80 EUR to your card.",
    "KW-20417 was lost and the money was never returned. I have now refunded 42.80 EUR to your card.",
    "The refund had not been made. I refunded 42.80 EUR to your card today.",
    "Your refund slipped through. It is done now: 42.80 EUR to your card.",
    "The refund should have been made long ago; done now: 42.80 EUR to your card.",
    "No refund was ever sent, I am sorry. I have just refunded 42.80 EUR to your card.",
    "We forgot to pay you back. That is put right: 42.80 EUR went to your card today.",
    "Until today nobody refunded you. I have done that now: 42.80 EUR, to your card.",
    "You were not refunded at the time. 42.80 EUR is on its way back to your card.",
    "KW-20417 ging verloren, aber niemand hat Ihnen das Geld erstattet. Das habe ich soeben nachgeholt: 42,80 EUR auf Ihre Karte.",  # noqa: E501 - one sentence, one line
    "Die Erstattung wurde nie gebucht. Ich habe Ihnen jetzt 42,80 EUR auf die Karte erstattet.",
    "Die Erstattung ist leider untergegangen. Jetzt erledigt: 42,80 EUR auf Ihre Karte.",
    "Das Geld hätte längst zurück sein sollen. Heute habe ich 42,80 EUR auf Ihre Karte erstattet.",
    "Bis heute wurde Ihnen nichts erstattet. Das ist nun erledigt: 42,80 EUR auf Ihre Karte.",
    "La commande KW-20417 a été perdue, mais personne ne vous a remboursé. Je viens de le faire : 42,80 EUR sur votre carte.",  # noqa: E501 - one sentence, one line
    "Le remboursement n'avait jamais été fait. C'est fait : 42,80 EUR sur votre carte.",
    "Le remboursement a été oublié. Nous avons remboursé 42,80 EUR sur votre carte aujourd'hui.",
    "L'argent ne vous a pas été rendu, alors qu'il aurait dû l'être. Je viens de rembourser 42,80 EUR sur votre carte.",
    "El pedido KW-20417 se perdió, pero nadie le devolvió el dinero. Acabo de hacerlo: 42,80 EUR a su tarjeta.",
    "El reembolso nunca se hizo. Ya está hecho: 42,80 EUR a su tarjeta.",
    "No se le había devuelto el dinero. Hoy hemos reembolsado 42,80 EUR a su tarjeta.",
    "Se nos pasó el reembolso. Lo he hecho ahora: 42,80 EUR a su tarjeta.",
    "KW-20417 is kwijtgeraakt, maar niemand heeft je terugbetaald. Dat heb ik net gedaan: 42,80 EUR op je kaart.",
    "De terugbetaling is nooit gedaan. Ik heb nu 42,80 EUR op je kaart teruggestort.",
    "Je terugbetaling was vergeten. Nu gedaan: 42,80 EUR op je kaart.",
    "Het geld was niet teruggestort, terwijl dat had gemoeten. Vandaag heb ik 42,80 EUR naar je kaart teruggestort.",
)

DENIED = (
    "I refunded 42.80 EUR to your card. In fact nobody paid you back.",
    "No refund is made for KW-20417, not 42.80 EUR.",
    "I refunded 42.80 EUR to your card. The refund was not made.",
    "Die Erstattung von 42,80 EUR wurde nicht gebucht.",
    "Le remboursement de 42,80 EUR n'a pas été fait.",
    "El reembolso de 42,80 EUR no se ha hecho.",
    "De terugbetaling van 42,80 EUR is niet gedaan.",
)


@pytest.mark.parametrize("text", PUT_RIGHT)
def test_a_failing_that_was_put_right_denies_nothing(text: str) -> None:
    verdict = reading(text)
    assert (kinds(verdict), verdict.missing) == ([], ())


@pytest.mark.parametrize("text", DENIED)
def test_a_denial_that_nothing_puts_right_is_read(text: str) -> None:
    assert "denied" in kinds(reading(text))


def test_another_deed_does_not_put_a_failing_right() -> None:
    ended = Deed("cancellation", "sub_Qw4rTy7uIo1pAs3d", day=TODAY, seq=9)
    case = shop(CREDITED, ended)
    assert "denied" in kinds(reading("The refund was not made. I have cancelled your plan.", case=case))


NOT_REACHED = (
    "The refund could not reach you because the card is closed. KW-20417 is being sent to you again.",
    "Our refund failed: it could not reach you. KW-20417 is on its way again.",
    "The money did not reach you, as your card is closed, so we are sending KW-20417 again.",
    "Die Erstattung konnte Sie nicht erreichen, weil die Karte geschlossen ist. KW-20417 wird erneut verschickt.",
    "Das Geld kam bei Ihnen nicht an, weil die Karte gesperrt ist. Wir schicken KW-20417 heute noch einmal.",
    "Le remboursement n'a pas pu vous parvenir car la carte est fermée. La commande KW-20417 vous est renvoyée.",
    "L'argent ne vous est pas parvenu car la carte est clôturée. Nous renvoyons la commande KW-20417.",
    "El reembolso no pudo llegarle porque la tarjeta está cerrada. El pedido KW-20417 se le envía de nuevo.",
    "El dinero no le llegó porque la tarjeta está cerrada. Volvemos a enviar el pedido KW-20417.",
    "De terugbetaling kon je niet bereiken omdat de kaart is opgeheven. KW-20417 wordt opnieuw verstuurd.",
    "Het geld is niet bij je aangekomen omdat de kaart is opgeheven. We sturen KW-20417 opnieuw.",
)

RECALLED = (
    "KW-20417 was sent again, but the parcel will never reach you, we stopped the parcel.",
    "We have recalled the parcel KW-20417 that we sent again. It will not reach you.",
)


@pytest.mark.parametrize("text", NOT_REACHED)
def test_a_failed_refund_does_not_deny_that_goods_were_sent(text: str) -> None:
    verdict = reading(text, case=shop(AGAIN, tell=_told("reshipment")))
    assert (kinds(verdict), verdict.missing) == ([], ())


@pytest.mark.parametrize("text", RECALLED)
def test_a_parcel_that_is_said_to_be_recalled_is_denied(text: str) -> None:
    assert "denied" in kinds(reading(text, case=shop(AGAIN)))


FAILED_FIRST = (
    "On 27 April a colleague sent 42.80 EUR to your card, but the bank refused it because that card is closed. Today I have made it store credit instead: 42.80 EUR are on your account.",  # noqa: E501 - one sentence, one line
    "Am 27. April haben wir 42,80 EUR auf Ihre Karte überwiesen, aber die Bank hat es zurückgewiesen. Heute habe ich daraus Guthaben gemacht: 42,80 EUR stehen auf Ihrem Konto.",  # noqa: E501 - one sentence, one line
    "Le 27 avril, nous avons remboursé 42,80 EUR sur votre carte, mais la banque l'a refusé. Aujourd'hui, j'en ai fait un avoir de 42,80 EUR sur votre compte.",  # noqa: E501 - one sentence, one line
    "- Primer intento de reembolso a la tarjeta: rechazado, tarjeta cerrada.\n- Hoy: 42,80 € abonados como saldo de tienda.",  # noqa: E501 - one sentence, one line
    "Op 27 april hebben we 42,80 EUR naar je kaart gestuurd, maar de bank heeft het geweigerd. Vandaag heb ik er winkeltegoed van gemaakt: 42,80 EUR.",  # noqa: E501 - one sentence, one line
)

TO_THE_CARD = (
    "Today I sent 42.80 EUR to your card. It is store credit.",
    "I refunded 42.80 EUR to your card.",
)


def _credited() -> Case:
    return shop(CREDITED, tell=(Entity("amount", ("4280",)), *_told("refund")), extra=["27 April 2026"])


@pytest.mark.parametrize("text", FAILED_FIRST)
def test_a_payment_that_failed_names_no_destination(text: str) -> None:
    verdict = reading(text, case=_credited())
    assert (kinds(verdict), verdict.missing) == ([], ())


@pytest.mark.parametrize("text", TO_THE_CARD)
def test_a_wrong_destination_is_read(text: str) -> None:
    assert "destination" in kinds(reading(text, case=_credited()))


BRACKETS = (
    "It is order KW-20417 (the one with the papers; KW-20350 arrived in April): the carrier lost it, and we refunded 42.80 EUR to your card.",  # noqa: E501 - one sentence, one line
    "Es ist die Bestellung KW-20417 (die mit den Papieren; KW-20350 kam im April an): Sie ging verloren, und wir haben Ihnen 42,80 EUR auf die Karte erstattet.",  # noqa: E501 - one sentence, one line
    "C'est la commande KW-20417 (celle avec les filtres ; KW-20350 est bien arrivée en avril) : le transporteur l'a perdue, et nous avons remboursé 42,80 EUR sur votre carte.",  # noqa: E501 - one sentence, one line
    "Es el pedido KW-20417 (el de los filtros; el KW-20350 llegó en abril): el transportista lo perdió y hemos reembolsado 42,80 EUR a su tarjeta.",  # noqa: E501 - one sentence, one line
    "Het gaat om bestelling KW-20417 (die met de filters; KW-20350 kwam in april aan): de vervoerder is hem kwijt en we hebben 42,80 EUR op je kaart teruggestort.",  # noqa: E501 - one sentence, one line
    "Your order KW-20417 (not KW-20350, which arrived in April) was lost, and we refunded 42.80 EUR to your card.",
    "Order KW-20417 (KW-20350 arrived fine) was lost. We refunded 42.80 EUR to your card.",
)

WRONG_ORDERS = (
    "order KW-20350 (the one with the papers; it arrived in April): we refunded 42.80 EUR to your card.",
    "KW-20417 arrived (lost at first); for KW-20350 we refunded 42.80 EUR to your card.",
)


@pytest.mark.parametrize("text", BRACKETS)
def test_brackets_do_not_change_the_subject(text: str) -> None:
    assert kinds(reading(text)) == []


@pytest.mark.parametrize("text", WRONG_ORDERS)
def test_the_subject_outside_the_brackets_counts(text: str) -> None:
    assert "subject" in kinds(reading(text))


ADVICE = (
    "Please let a technician fit it.",
    "Let a technician fit it.",
    "Please have a technician fit it.",
    "Ask a technician to repair it if you are unsure.",
    "I recommend that a technician fits it.",
    "A technician should fit it.",
    "It is best to leave the repair to a technician.",
    "Please do not open it yourself, leave that to an engineer who will fit it.",
    "You can have a fitter repair it.",
    "Please do not repair the machine yourself.",
    "Bitte lassen Sie das Teil von einem Techniker einbauen.",
    "Lassen Sie bitte einen Techniker kommen, der es einbaut.",
    "Am besten baut ein Fachmann oder Techniker das Teil ein.",
    "Faites-le monter par un technicien.",
    "Veuillez faire venir un technicien pour le poser.",
    "Nous vous conseillons de laisser un technicien le monter.",
    "Deje que un técnico lo instale.",
    "Por favor, que lo monte un técnico.",
    "Le recomendamos que lo instale un técnico.",
    "Laat een monteur het plaatsen.",
    "Laat het alsjeblieft door een monteur inbouwen.",
    "We raden aan dat een monteur het plaatst.",
)

PROMISES = (
    "A technician will come and fit it.",
    "Our technician comes tomorrow to fit it, please let the technician in.",
    "We send a technician who will repair it.",
    "Ein Techniker kommt morgen und baut es ein.",
    "Un technicien passera chez vous pour le monter.",
    "Un técnico irá a su casa a instalarlo.",
    "Een monteur komt het bij u plaatsen.",
)


@pytest.mark.parametrize("text", ADVICE)
def test_advice_to_the_customer_promises_nothing(text: str) -> None:
    assert kinds(reading(f"A group gasket for your Brio is on its way. {text}", case=desk(PART))) == []


@pytest.mark.parametrize("text", PROMISES)
def test_a_visit_of_a_technician_is_a_promise(text: str) -> None:
    assert "extra" in kinds(reading(f"A group gasket for your Brio is on its way. {text}", case=desk(PART)))


@pytest.mark.parametrize(
    "text",
    [
        "It is too long ago for an exception, so I can't send a part for free.",
        "The warranty ended too long ago, so we cannot send you a free gasket.",
        "Das ist zu lange her für eine Ausnahme, daher kann ich kein Teil kostenlos schicken.",
        "C'est trop ancien pour une exception, je ne peux donc pas envoyer une pièce gratuitement.",
        "Hace demasiado tiempo para una excepción, así que no puedo enviar una pieza gratis.",
        "Het is te lang geleden voor een uitzondering, dus ik kan geen onderdeel gratis sturen.",
    ],
)
def test_a_refusal_does_not_deny_what_was_sent_earlier(text: str) -> None:
    earlier = Deed("part", "BR2-2501-11873", day="2026-05-01", to={"sku": "PT-GASKET"})
    ordered = Deed("order", "ord_1", day="2026-05-01", names=("KW-20350",))
    assert kinds(reading(text, case=shop(earlier, ordered))) == []


def test_a_refusal_of_what_was_sent_now_costs_quality() -> None:
    assert kinds(reading("I can't send a part for free.", case=shop(PART))) == ["intended"]


@pytest.mark.parametrize(
    "text",
    [
        "The plan on your card was cancelled.",
        "I have refunded 19.00 EUR to your card, as your old card is closed.",
        "Your account has been deleted.",
        "The refund was not made. Your parcel is now on its way.",
        "We sent the parcel again and refunded 42.80 EUR, but it will never reach you.",
        "I moved your plan to 14 Canal Street.",
    ],
)
def test_false_words_that_resemble_histories_are_read(text: str) -> None:
    verdict = reading(text, case=desk(CREDITED))
    assert any(one.tier == "success" for one in verdict.contradictions), text


def test_verdicts_are_plain_sentences() -> None:
    (wrong,) = reading("The refund was not made.", case=shop(CREDITED)).contradictions
    assert wrong.expected == "42.80 EUR was refunded (event 12)"
    assert wrong.found == "the text says that no refund was made"
    (wrong,) = reading("I have refunded 42.80 EUR for KW-20350.").contradictions
    assert (wrong.expected, wrong.found) == ("a refund for KW-20417", "the text says that it is for KW-20350")
    (wrong,) = reading("A new parcel is on its way, too.").contradictions
    assert wrong.expected == "the records show that no parcel was sent again"
    assert wrong.found == "the text says that a parcel was sent again"
