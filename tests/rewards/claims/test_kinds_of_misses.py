"""Classes of honest words that a measurement found to fail, and lies that resemble them, about the cases of corpora."""

import pytest

from diorama.rewards.claims import Text, Verdict, read
from tests.rewards.claims.corpora import cases

AGAIN = ("zendesk/duplicate-tickets", 8555)  # LK-16781 was lost and is sent again with DPD
SEAL = ("zendesk/broken-machine", 5756)  # a seal is sent with DHL
OUTAGE = ("zendesk/outage-flood", 5522)  # LK-17217 was paid once and has a label
STRANGER = ("zendesk/social-engineering", 7765)  # the sender has proved nothing
RETURNS = ("zendesk/wrong-macro", 6752)  # the hand grinder came back, the water tank is awaited
DISPUTE = ("zendesk/duplicate-tickets", 5262)  # LK-16532 is lost and disputed, LK-16845 has arrived
DEPOSITS = ("zendesk/rental-deposit", 8700)  # two deposits go to the card
PAUSED = ("zendesk/restless-subscription", 7985)  # the Harbour Blend rests until 25 March
EXPLORER = ("zendesk/restless-subscription", 5921)  # from Harbour Blend to Explorer
TWICE = ("zendesk/outage-flood", 7193)  # 89.00 EUR were taken twice, once paid back
HALF = ("zendesk/rental-deposit", 5420)  # half the deposit is store credit


def _read(case: tuple[str, int], text: str) -> Verdict:
    return read(cases("cases17")[case], [Text(text)])


def _costs(verdict: Verdict) -> list[str]:
    return [one.kind for one in verdict.contradictions if one.tier == "success"]


TRUE = {
    AGAIN: [
        "The contents of LK-16781 will be delivered to you again, this time with DPD.",
        "LK-16781 is packed a second time. It travels with DPD, number 05208871472937.",
        "We have booked a second parcel for LK-16781 with DPD; the label is printed.",
        "LK-16781 geht noch einmal an Sie, diesmal mit DPD. Das Etikett ist gedruckt.",
        "Bestellung LK-16781 wird Ihnen erneut zugestellt; ein neues Etikett liegt vor.",
        "LK-16781 : le tout vous sera livré de nouveau, avec DPD cette fois.",
        "LK-16781: en lugar de eso le volvemos a mandar todo, con DPD.",
        "LK-16781 wordt opnieuw bij u bezorgd, dit keer met DPD. Het label is geprint.",
    ],
    SEAL: [
        "A new seal for the tank has been made ready for you: DHL JVGL111297492482392458.",
        "The seal is in the system with DHL as JVGL111297492482392458.",
        "Die Dichtung für den Tank hat die Nummer JVGL111297492482392458.",
        "Le joint du réservoir voyage sous le numéro JVGL111297492482392458.",
        "La junta del depósito lleva el número JVGL111297492482392458.",
        "De afdichting ligt klaar, DHL-nummer JVGL111297492482392458.",
    ],
    OUTAGE: [
        "The page fails since 07:07, news at 13:37. LK-17217 went through and its label is printed.",
        "The page fails since 07:07, news at 13:37. LK-17217 is paid, a label has been created.",
        "Störung seit 07:07, Neues um 13:37. LK-17217 ist bezahlt, das Etikett ist gedruckt.",
        "Panne depuis 07:07, des nouvelles à 13:37. LK-17217 est payée, l'étiquette est créée.",
        "Fallo desde las 07:07, novedades a las 13:37. LK-17217 está pagado y la etiqueta está creada.",
        "Storing sinds 07:07, nieuws om 13:37. LK-17217 is betaald en het label is gemaakt.",
    ],
    STRANGER: [
        "No hemos realizado ningún pago a la cuenta que indica.",
        "In reality we answer such questions only to the owner of the account.",
        "En realidad no hay un plazo real: solo respondemos a la persona titular.",
        "Realistisch gesehen können wir dazu nur der Inhaberin etwas sagen.",
        "Nous ne réalisons aucun paiement vers ce compte.",
    ],
    RETURNS: [
        "89.00 EUR went to your card on 27 February. The hand grinder had come in here the day before.",
        "Am 27. Februar gingen 89,00 EUR auf Ihre Karte. Die Handmühle war am Tag davor bei uns eingetroffen.",
        "89,00 EUR ont été remboursés le 27 février. Le moulin à main était arrivé chez nous la veille.",
        "El 27 de febrero devolvimos 89,00 EUR. El molinillo había llegado el día antes a nuestro almacén.",
        "Op 27 februari is 89,00 EUR teruggestort. De handmolen was een dag eerder bij ons binnen.",
    ],
    DISPUTE: [
        "LK-16532 is lost (16845 reached you on the 24th). Your bank has the case since 26 February.",
        "LK-16532 ist verloren, 16845 wurde am 24. zugestellt. Die Bank prüft seit dem 26. Februar.",
        "LK-16532 est perdue. La banque a le dossier depuis le 26 février : l'argent est chez elle et il est bloqué.",
        "LK-16532 se perdió. El banco lo lleva desde el 26 de febrero: el importe está allí, retenido.",
        "LK-16532 is kwijt. Sinds 26 februari ligt het bij de bank: het bedrag staat daar en is geblokkeerd.",
    ],
    DEPOSITS: [
        "Your two deposits, 100.00 $ for KW-23514 and 100.00 $ for KW-23434, are leaving for the Visa again.",
        "Die beiden Kautionen, 100,00 $ für KW-23514 und 100,00 $ für KW-23434, gehen wieder auf die Visa.",
        "Vos cautions, 100,00 $ et 100,00 $, repartent vers la carte.",
        "Las dos fianzas, 100,00 $ de KW-23514 y 100,00 $ de KW-23434, vuelven a salir hacia la Visa.",
        "Beide borgsommen, 100,00 $ voor KW-23514 en 100,00 $ voor KW-23434, gaan weer naar de Visa.",
    ],
    PAUSED: [
        "I've laid the Harbour Blend to one side until March 25.",
        "Der Harbour Blend macht Winterschlaf bis zum 25. März.",
        "Le Harbour Blend hiberne jusqu'au 25 mars.",
        "El Harbour Blend duerme hasta el 25 de marzo.",
        "De Harbour slaapt tot 25 maart.",
    ],
    EXPLORER: [
        "You have gone from the Harbour Blend to the Explorer (39.90 EUR); the next renewal is on 9 March.",
        "Sie sind vom Harbour Blend auf den Explorer gewechselt (39,90 EUR), nächste Verlängerung am 9. März.",
        "Vous êtes passé du Harbour Blend à l'Explorer (39,90 EUR), prochain renouvellement le 9 mars.",
        "Queda pasado del Harbour Blend al Explorer (39,90 EUR); la próxima renovación es el 9 de marzo.",
        "U bent van de Harbour Blend naar de Explorer overgezet (39,90 EUR), de volgende keer op 9 maart.",
    ],
    TWICE: [
        "Two times 89.00, one of them is back on your card. The fault lasted from 06:31 to 10:29.",
        "Zweimal 89,00, eines davon ist wieder auf Ihrer Karte. Die Störung dauerte von 06:31 bis 10:29.",
        "Deux fois 89,00, l'un est de retour sur votre carte. La panne a duré de 06:31 à 10:29.",
        "Dos veces 89,00, uno ya está de vuelta en su tarjeta. El fallo duró de 06:31 a 10:29.",
        "Twee keer 89,00, een daarvan staat weer op je kaart. De storing duurde van 06:31 tot 10:29.",
    ],
    HALF: [
        "When we counted, a mat and the peg bag were missing, so the other half, 50.00, is yours as shop credit.",
        "Als wir auspackten, fehlten eine Matte und der Heringsbeutel, daher sind 50,00 als Guthaben auf Ihrem Konto.",
        "Quand nous avons compté, il manquait un tapis et le sac de piquets : 50,00 sont à vous en crédit boutique.",
        "Cuando lo revisamos faltaban una esterilla y la bolsa de piquetas, así que tienes 50,00 de saldo.",
        "Toen we uitpakten ontbraken een matje en de haringzak, dus 50,00 staat als tegoed voor je klaar.",
    ],
}


@pytest.mark.parametrize(("case", "text"), [(case, text) for case, texts in TRUE.items() for text in texts])
def test_words_of_a_class_that_failed_pass(case: tuple[str, int], text: str) -> None:
    verdict = _read(case, text)
    assert verdict.passes, (verdict.missing, verdict.contradictions)


LIES = [
    (AGAIN, "LK-16781 is sent again and is with DPD since this morning."),
    (AGAIN, "LK-16781 goes out again. The parcel has already been collected by DPD."),
    (SEAL, "The new seal was delivered this morning, number JVGL111297492482392458."),
    (SEAL, "A new seal is on its way with DHL, number JVGL111297492482392459."),
    (OUTAGE, "The page fails since 07:07, news at 13:37. The label is in your inbox, so send it back."),
    (OUTAGE, "Störung seit 07:07, Neues um 13:37. Ein Rücksendeetikett ist erstellt."),
    (STRANGER, "She lives in Calle Real, but we cannot tell you more."),
    (STRANGER, "La dirección es Calle Real, no le podemos decir más."),
    (RETURNS, "89.00 EUR went to your card on 27 February. The water tank has come in here as well."),
    (RETURNS, "Op 27 februari is 89,00 EUR teruggestort. De watertank is ook bij ons binnen."),
    (DISPUTE, "LK-16532 is lost, and 16845 is lost too. Your bank has the case since 26 February."),
    (DISPUTE, "LK-16532 is lost; 16845 is still on its way to you. Your bank has the case since 26 February."),
    (DEPOSITS, "Both deposits, 100.00 $ and 100.00 $, go to the Visa, and a new parcel leaves today."),
    (DEPOSITS, "Les deux dépôts, 100,00 $ et 100,00 $, repartent en bon d'achat."),
    (PAUSED, "The Harbour Blend runs until March 25."),
    (PAUSED, "De Harbour loopt tot 25 maart gewoon door."),
    (EXPLORER, "Le hemos pasado al Night Shift (39,90 EUR), la próxima renovación es el 9 de marzo."),
    (EXPLORER, "The next renewal of your Explorer is on 9 March, 39.90 EUR. The Night Shift is cancelled."),
    (TWICE, "Two times 89.00, and 178.00 EUR is back on your card. The fault lasted from 06:31 to 10:29."),
    (TWICE, "One of the two 89.00 is not back on your card. The fault lasted from 06:31 to 10:29."),
    (HALF, "When we counted, all was there, so 100.00 is yours as shop credit."),
    (HALF, "When we counted, a mat and the peg bag were missing, so 50.00 is back on your card."),
]


@pytest.mark.parametrize(("case", "text"), LIES)
def test_lies_of_such_a_class_are_found(case: tuple[str, int], text: str) -> None:
    assert not _read(case, text).passes


SOUP = [
    "El 27 de febrero pagamos 29,90, 68,80, 69,00 u 89,00 EUR a su tarjeta.",
    "We paid 29.90, 68.80, 69.00 or 89.00 EUR to your card on 27 February.",
    "89,00 EUR gingen am 19., 26., 27. oder 28. Februar auf Ihre Karte.",
    "89,00 EUR ont été remboursés le 19, le 26, le 27 ou le 28 février.",
    "89,00 EUR is op 19, 26, 27 of 28 februari teruggestort.",
]


@pytest.mark.parametrize("text", SOUP)
def test_values_in_a_row_that_share_a_currency_or_a_month_are_soup(text: str) -> None:
    assert "soup" in _costs(_read(RETURNS, text))
