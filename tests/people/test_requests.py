"""Requests in many words: a customer understands what they are asked for, and a mention alone asks for nothing."""

import pytest

from diorama.people.reading import read

MAILBOX = [
    "I can only change that if you contact us from the e-mail address on your account.",
    "As soon as we have a message from the e-mail address on the account, I'll do it right away.",
    "I can do that once you've written to us from the address on your account.",
    "Before I can change anything, your request has to come from the mail address we know.",
    "Your mail has to come from the account's own mailbox, otherwise we can't act on it.",
    "We only change addresses if the mail comes from the address of the account.",
    "If you can write from the mailbox of the account, I'll change it.",
    "Sobald uns eine Nachricht von der E-Mail-Adresse Ihres Kundenkontos vorliegt, ändere ich das.",
    "Ich kann das nur ändern, wenn Sie uns von der Adresse schreiben, mit der Sie bestellt haben.",
    "Dafür muss die Anfrage von dem Postfach kommen, das bei uns hinterlegt ist.",
    "Dès que nous avons un message depuis l'adresse de votre compte, je le fais.",
    "Votre demande doit venir de l'adresse e-mail enregistrée chez nous.",
    "En cuanto recibamos un mensaje desde el correo de su cuenta, lo cambio.",
    "La solicitud tiene que llegar desde la dirección registrada en su cuenta.",
    "Zodra we een bericht krijgen vanaf het e-mailadres van uw account, pas ik het aan.",
    "Uw verzoek moet komen van het adres dat bij ons bekend is.",
]
CARD = [
    "Once you've sent me the last four digits of the card on the account, I can help.",
    "I can help as soon as I have the last four digits of your card.",
    "The last four digits of the card would be helpful.",
    "Without the last 4 digits of your card I can't go on.",
    "It depends on the last four digits of your card, which I don't have yet.",
    "Sobald ich die letzten vier Ziffern Ihrer Karte habe, geht es weiter.",
    "Mir fehlen noch die letzten vier Stellen der Karte.",
    "Ohne die letzten vier Ziffern der Karte darf ich nichts tun.",
    "Dès que j'ai les quatre derniers chiffres de votre carte, je m'en occupe.",
    "Il me manque les quatre derniers chiffres de la carte.",
    "En cuanto tenga los cuatro últimos dígitos de su tarjeta, sigo.",
    "Me faltan las cuatro últimas cifras de la tarjeta.",
    "Zodra ik de laatste vier cijfers van uw kaart heb, ga ik verder.",
    "Zonder de laatste vier cijfers van de kaart mag ik niets doen.",
    "De laatste vier cijfers van uw kaart zouden helpen.",
]
HOUSE = [
    "I can change that as soon as I have the house number.",
    "Which number on that street?",
    "The house number is missing.",
    "What number is it on Canal Wharf?",
    "I only lack the house number.",
    "Once I know the postcode I'll redirect it.",
    "Sobald ich die Hausnummer habe, ändere ich die Adresse.",
    "Welche Nummer ist es in der Straße?",
    "Es fehlt noch die Hausnr.",
    "Il manque le numéro de la maison.",
    "À quel numéro de la rue ?",
    "Falta el número de la casa.",
    "¿Qué número es en esa calle?",
    "Welk nummer is het in die straat?",
    "Het huisnummer ontbreekt nog.",
]
SERIAL = [
    "What's the S/N of the faulty one?",
    "Which is the broken one?",
    "I can help as soon as I have the serial number.",
    "You own two Tern Levers, which of them fails?",
    "You have several of these. Which one is not working?",
    "The number on the plate underneath would help.",
    "It all depends on the serial number.",
    "Welche der beiden ist defekt?",
    "Sobald ich die Seriennummer habe, schaue ich nach.",
    "Mir fehlt die Serien-Nr. vom Typenschild.",
    "Laquelle des deux est en panne ?",
    "Il me faudrait le numéro de série.",
    "¿Cuál de las dos está averiada?",
    "Me falta el número de serie.",
    "Welke van de twee is kapot?",
    "Zodra ik het serienummer heb, kijk ik het na.",
]
REQUESTS = {"own_mailbox": MAILBOX, "card": CARD, "address": HOUSE, "serial_number": SERIAL}
MENTIONS = [
    "Ich sehe, dass die Adresse schon geändert ist.",
    "Ik zie dat het adres al is aangepast.",
    "J'ai trouvé votre machine grâce au numéro de série.",
    "I have noted the house number.",
    "I am happy to help you with your new address.",
    "Ich helfe Ihnen gern mit der neuen Adresse weiter und melde mich.",
    "Thank you for your serial number.",
    "Thank you for the last four digits of your card, that is all we need.",
    "Thanks for the house number, I have changed the address.",
    "I have sent it to your new address, it leaves tomorrow.",
    "The refund went to your card ending in 4242.",
    "I have found your machine by its serial number.",
    "Your message came from the address on your account, so all is well.",
    "Danke für die Hausnummer, ich habe die Adresse geändert.",
    "Vielen Dank für die Seriennummer, die Garantie gilt noch.",
    "Merci pour les quatre derniers chiffres de votre carte.",
    "Merci pour le numéro de série, la machine est sous garantie.",
    "Gracias por el número de serie.",
    "Gracias por escribir desde la dirección de su cuenta.",
    "Bedankt voor het huisnummer, het adres is aangepast.",
    "Bedankt voor de laatste vier cijfers van uw kaart.",
    "One of your machines is broken, and a part for it is on its way.",
]


@pytest.mark.parametrize(("item", "text"), [(item, text) for item, texts in REQUESTS.items() for text in texts])
def test_a_request_is_understood_in_any_form(item: str, text: str) -> None:
    assert item in read(text).asks


@pytest.mark.parametrize("text", MENTIONS)
def test_a_mention_alone_asks_for_nothing(text: str) -> None:
    assert not set(read(text).asks) & REQUESTS.keys()
