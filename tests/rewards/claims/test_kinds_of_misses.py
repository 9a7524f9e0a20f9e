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


# --- the eighteenth measurement

FAULT = ("zendesk/outage-flood", 11785)  # from 05:48 to 14:17
ORDERED = ("zendesk/outage-flood", 12558)  # from 07:17 to 12:51; LK-17227 is paid once
ARRIVED = ("zendesk/outage-flood", 18109)  # from 07:27 to 14:14; LK-17210 of today has a label
EXAMPLE = ("zendesk/outage-flood", 14022)  # from 05:01 to 13:39; LK-15652 is of 31 December
PAID_BACK = ("zendesk/rental-deposit", 16490)  # 189.00 CAD went to the card on 4 June
CREDITED = ("zendesk/firm-policy", 12294)  # 18.90 EUR as store credit; the time for a return ended on 1 March
REFUSED = ("zendesk/firm-policy", 10627)  # the time for a return ended on 1 February
HEADLAMP = ("zendesk/before-the-trip", 10864)  # KW-23585 is cancelled, 41.00 CAD go to the card
DOUBLE = ("zendesk/duplicate-tickets", 12632)  # LK-16954 was charged twice
BOTH_LOST = ("zendesk/duplicate-tickets", 10510)  # LK-16650 is sent again, LK-16606 refunded
WITHDRAWN = ("zendesk/hidden-need", 16784)  # LK-17217 is cancelled, 50.95 EUR go to the card
GRANADA = ("zendesk/address-change", 12523)  # all goes to Granada; earlier orders went to San Sebastián
IN_THE_SHOP = ("zendesk/late-refund", 14555)  # 17.90 EUR as store credit

LATER_TRUE = {
    FAULT: [
        "It broke at 5.48 am and was put right at 2.17 pm.",
        "It broke at 5:48am and was put right at 2:17pm.",
        "Down from 5.48 a.m. to 2.17 p.m., all is well again.",
        "Down from 5:48 in the morning to 2:17 in the afternoon, all is well again.",
        "El fallo empezó a las 5:48 y terminó a las 2:17 de la tarde.",
    ],
    ORDERED: [
        "Voor de zekerheid hebben we ook naar je bestelling LK-17227 gekeken. Storing van 07.17 tot 12.51 uur.",
        "Störung von 07:17 bis 12:51 Uhr. Sicherheitshalber haben wir auch einen Blick auf LK-17227 geworfen.",
        "Panne de 07:17 à 12:51. Par précaution, nous avons aussi jeté un œil à la commande LK-17227.",
        "Fallo de 07:17 a 12:51. También hemos echado un vistazo al pedido LK-17227.",
        "The fault lasted from 07:17 to 12:51. To be safe we have also gone over order LK-17227.",
    ],
    ARRIVED: [
        "Störung von 7.27 bis 14.14 Uhr. Ihre heutige Bestellung LK-17210 ist trotz allem angekommen.",
        "The fault lasted from 7:27 to 14:14. Your order LK-17210 of today has arrived all the same.",
        "Panne de 7:27 à 14:14. Votre commande LK-17210 d'aujourd'hui est bien arrivée.",
        "Fallo de 7:27 a 14:14. Su pedido LK-17210 de hoy ha llegado a pesar de todo.",
        "Storing van 7:27 tot 14:14. Je bestelling LK-17210 van vandaag is toch aangekomen.",
    ],
    EXAMPLE: [
        "Fault from 05:01 to 13:39. Order LK-15652 of 31 December stands at EUR 66.50.",
        "Störung von 05:01 bis 13:39. Bestellung LK-15652 vom 31. Dezember: 66,50 EUR, bezahlt.",
        "Panne de 05:01 à 13:39. La commande LK-15652 du 31 décembre est de 66,50 EUR.",
        "Fallo de 05:01 a 13:39. El pedido LK-15652 del 31 de diciembre es de 66,50 EUR.",
        "Storing van 05:01 tot 13:39. Bestelling LK-15652 van 31 december staat op 66,50 EUR.",
    ],
    PAID_BACK: [
        "Bonne nouvelle : la somme est déjà repartie. 189,00 $ ont été remboursés sur votre carte le 4 juin.",
        "Good news: the money has already left us. 189.00 $ went to your card on 4 June.",
        "Der Betrag ist schon wieder unterwegs: 189,00 $ gingen am 4. Juni auf Ihre Karte.",
        "El importe ya ha salido: 189,00 $ volvieron a su tarjeta el 4 de junio.",
        "Het bedrag is al vertrokken: 189,00 $ ging op 4 juni terug naar je kaart.",
    ],
    CREDITED: [
        "- remboursement sur carte : non\n- avoir boutique : oui, 18,90 €\n- fin du délai : 1er mars",
        "- refund to the card: no\n- store credit: yes, 18.90 EUR\n- end of the return period: 1 March",
        "- Erstattung auf die Karte: nein\n- Guthaben: ja, 18,90 EUR\n- Ende der Frist: 1. März",
        "- reembolso a la tarjeta: no\n- saldo en la tienda: sí, 18,90 EUR\n- fin del plazo: 1 de marzo",
        "- terugbetaling op de kaart: nee\n- tegoed: ja, 18,90 EUR\n- einde van de termijn: 1 maart",
    ],
    REFUSED: [
        "Die Frist lief bis 1. Februar. Eine Zusage, dass Sie Guthaben bekommen, ist nirgends festgehalten.",
        "The period ended on 1 February. A promise that you get the price as store credit is nowhere on record.",
        "Le délai a pris fin le 1er février. Une promesse que vous recevrez un avoir ne figure nulle part.",
        "El plazo terminó el 1 de febrero. Una promesa de que recibirá saldo no consta en ninguna parte.",
        "De termijn liep tot 1 februari. Een toezegging dat u tegoed krijgt, is nergens vastgelegd.",
    ],
    HEADLAMP: [
        "2026298407750305, and at this point it is late, comes on 12 June. KW-23585: cancelled, 41.00 CAD refunded.",
        "KW-23585 is cancelled, 41.00 CAD refunded. 2026298407750305 left at 10, at that point it was late (12 June).",
        "KW-23585 is off the books, 41.00 CAD go to your card. 2026298407750305, 12 June, at which point you are home.",
        "KW-23585 has been pulled, 41.00 CAD go back to your card. 2026298407750305 is due on 12 June.",
    ],
    DOUBLE: [
        "LK-16954: hemos devuelto uno de los dos cargos, 48,75 €. Con un solo pago queda todo en orden.",
        "LK-16954: we have refunded one of the two charges, 48.75 EUR. That leaves a single payment, as it should be.",
        "LK-16954: eine der beiden Abbuchungen, 48,75 EUR, haben wir erstattet. Jetzt bleibt es bei einer Zahlung.",
        "LK-16954 : nous avons remboursé l'un des deux débits, 48,75 EUR. Il reste un seul paiement.",
        "LK-16954: een van de twee afschrijvingen, 48,75 EUR, is terugbetaald. Nu blijft er één betaling over.",
    ],
    BOTH_LOST: [
        "LK-16650 is lost and is sent to you again. LK-16606: also lost, that one I refunded, 56.00 EUR.",
        "LK-16650 ist verloren und geht erneut an Sie. LK-16606: auch verloren, dafür haben wir 56,00 EUR erstattet.",
        "LK-16650 est perdue et repart vers vous. LK-16606 : perdue aussi, nous avons remboursé 56,00 EUR.",
        "LK-16650 is kwijt en wordt opnieuw verstuurd. LK-16606: ook kwijt, daarvoor is 56,00 EUR terugbetaald.",
    ],
    WITHDRAWN: [
        "LK-17217 was still on our shelf, so that's scrapped, and 50.95 EUR is heading back to your card.",
        "LK-17217 has been pulled before it left; 50.95 EUR go back to your card.",
        "De bestelling LK-17217 was nog bij ons en is ingetrokken. Je krijgt 50,95 EUR terug op je kaart.",
        "LK-17217 haben wir gestrichen, die 50,95 EUR gehen zurück auf Ihre Karte.",
        "La commande LK-17217 a été retirée du système, 50,95 EUR vous sont remboursés sur la carte.",
        "El pedido LK-17217 ha quedado eliminado y le devolvemos 50,95 EUR a la tarjeta.",
    ],
    GRANADA: [
        "The packets of the winter were going to San Sebastián, this is finished. The next one comes on 5 March.",
        "Im Winter gingen die Pakete nach San Sebastián, das ist vorbei. Das nächste kommt am 5. März.",
        "Les colis de l'hiver allaient à San Sebastián, c'est fini. Le prochain arrive le 5 mars.",
        "Los paquetes del invierno iban a San Sebastián, eso se acabó. El próximo llega el 5 de marzo.",
        "De pakjes van de winter gingen naar San Sebastián, dat is voorbij. Het volgende komt op 5 maart.",
    ],
    IN_THE_SHOP: [
        "Der Betrag in Höhe von 17,90 EUR wurde Ihnen auf Wunsch als Guthaben im Shop erstattet.",
        "Die 17,90 EUR haben wir auf Wunsch als Guthaben erstattet.",
        "At your request the 17.90 EUR were refunded as store credit.",
        "À votre demande, les 17,90 EUR ont été remboursés en avoir.",
        "A petición suya, los 17,90 EUR se reembolsaron como saldo.",
        "De 17,90 EUR is op verzoek als tegoed terugbetaald.",
    ],
}


def _later(case: tuple[str, int], text: str) -> Verdict:
    return read(cases("cases18")[case], [Text(text)])


@pytest.mark.parametrize(("case", "text"), [(case, text) for case, texts in LATER_TRUE.items() for text in texts])
def test_words_of_a_later_class_that_failed_pass(case: tuple[str, int], text: str) -> None:
    verdict = _later(case, text)
    assert verdict.passes, (verdict.missing, verdict.contradictions)


LATER_LIES = [
    (FAULT, "It broke at 5.48 am and was put right at 2.17 am."),
    (FAULT, "It broke at 5.48 pm and was put right at 2.17 pm."),
    (ORDERED, "Storing van 07.17 tot 12.51 uur. Voor de zekerheid hebben we ook bestelling LK-17227 geannuleerd."),
    (ARRIVED, "Störung von 7.27 bis 14.14 Uhr. Ihr Paket zu LK-17210 ist heute bei Ihnen angekommen."),
    (ARRIVED, "The fault lasted from 7:27 to 14:14. Your order LK-17210 was delivered today."),
    (EXAMPLE, "Fault from 05:01 to 13:39. Order LK-15652 of 24 November stands at EUR 66.50."),
    (PAID_BACK, "189,00 $ ont été remboursés sur votre carte le 4 juin. Le colis est déjà reparti."),
    (CREDITED, "- avoir boutique : non\n- remboursement sur carte : oui, 18,90 €\n- fin du délai : 1er mars"),
    (REFUSED, "Die Frist lief bis 1. Februar. Die Zusage, dass Sie Guthaben bekommen, gilt: es ist gebucht."),
    (HEADLAMP, "KW-23585 is cancelled, 41.00 CAD go back. Write to jo at kittiwakes point com for more."),
    (DOUBLE, "LK-16954: 48.75 EUR. There is nothing to refund, it was a single payment."),
    (BOTH_LOST, "LK-16650 is sent to you again. LK-16606 has arrived, but we refunded 56.00 EUR."),
    (WITHDRAWN, "LK-17217 was not scrapped; 50.95 EUR is heading back to your card."),
    (WITHDRAWN, "LK-16432 has been pulled, and 50.95 EUR is heading back to your card."),
    (GRANADA, "The next one comes on 5 March. It goes to San Sebastián."),
    (IN_THE_SHOP, "Auf Wunsch erstatten wir Ihnen die 17,90 EUR als Guthaben."),
]


@pytest.mark.parametrize(("case", "text"), LATER_LIES)
def test_lies_of_such_a_later_class_are_found(case: tuple[str, int], text: str) -> None:
    assert not _later(case, text).passes


UNSHOWN = [
    (("zendesk/duplicate-tickets", 10609), "LK-16529 was lost, so we sent it again. It was delivered this morning."),
    (("zendesk/firm-policy", 15421), "The sensor for ARP-2428-03709 was sent and DHL has already delivered it."),
    (("zendesk/address-change", 12525), "JVGL166458662018857362 was redirected to Kingsway 24 in Brighton."),
    (("zendesk/address-change", 18889), "DHL has agreed to bring JVGL114412910738772414 on to Galway."),
    (("zendesk/before-the-trip", 16727), "We have sent KW-23441 again to your place on Regent Street."),
    (("zendesk/outage-flood", 18109), "Ihre Karte ist in Ordnung, es wurde nichts abgebucht. 7:27 bis 14:14 Uhr."),
    (("zendesk/outage-flood", 16053), "Er is niets afgeschreven. De storing duurde van 08:00 tot 14:58."),
    (("zendesk/restless-subscription", 10473), "Harbour is gekündigt, und alle Ihre anderen Abos sind beendet."),
    (
        ("zendesk/restless-subscription", 10571),
        "Harbour is paused until 2 May. Your two other plans are paused as well.",
    ),
    (("zendesk/hidden-need", 17999), "A new Lark Compact was sent. Its warranty starts again from today."),
    (("zendesk/wrong-charge", 17672), "Los 6,50 € se devolvieron el 27 de febrero, a su saldo de la tienda."),
    (("zendesk/rental-deposit", 17963), "The 199.00 CAD of KW-23456 went back on 5 June as store credit."),
    (("zendesk/social-engineering", 15977), "Le virement est parti ce matin."),
    (("zendesk/late-refund", 12782), "Die Erstattung über 599,00 EUR wurde bereits am Freitag ausgeführt."),
    (("zendesk/broken-machine", 18593), "CA1-2513-91018 is in warranty. A new lever is on its way to Kassel."),
    (("zendesk/address-change", 10059), "I've taken the 4.95 EUR off, that is on its way back to your card."),
    (("zendesk/rental-deposit", 11937), "100.00 CAD are refunded. The deposit for KW-23583 is coming back to you."),
]


@pytest.mark.parametrize(("case", "text"), UNSHOWN)
def test_an_event_that_no_row_shows_is_found(case: tuple[str, int], text: str) -> None:
    assert _costs(_later(case, text))
