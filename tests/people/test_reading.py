"""Reading: a customer detects questions, claims and promises, and ignores flattery."""

from __future__ import annotations

import pytest

from diorama.people.reading import Reading, read


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Could you send us the serial number and a photo?", {"serial_number", "photo"}),
        ("Please tell me your order number.", {"order_number"}),
        ("Bitte nennen Sie uns Ihre Bestellnummer.", {"order_number"}),
        ("Pourriez-vous nous envoyer une photo et le numéro de série ?", {"photo", "serial_number"}),
        ("¿Nos puede dar el número de pedido?", {"order_number"}),
        ("Kunt u het serienummer sturen?", {"serial_number"}),
        ("What is the house number, please?", {"address"}),
        ("We need the postcode as well.", {"address"}),
        ("Please write to us from your account's e-mail.", {"own_mailbox"}),
        ("Could you confirm it from the address that is registered on the account?", {"own_mailbox"}),
        ("Would you prefer a refund or a replacement?", {"preference"}),
        ("Your order number LK-1 is in our system.", set()),
        ("We checked the serial number, all is well.", set()),
    ],
)
def test_questions_are_understood(text: str, asks: set[str]) -> None:
    assert set(read(text).asks) == asks


@pytest.mark.parametrize(
    "text",
    [
        "What are the last four numbers of the card on file?",
        "The final 4 digits are enough.",
        "please confirm the last four of the card you used",
        "Which four digits does your card end with?",
        "What does your card number end in?",
        "We need the ending of the card (4 digits).",
        "Worauf endet Ihre Karte?",
        "Die letzten 4 Stellen der Kartennummer reichen.",
        "Par quels chiffres se termine votre carte ?",
        "¿Cuáles son los cuatro últimos números de su tarjeta?",
        "¿En qué termina su tarjeta?",
        "Op welke cijfers eindigt uw kaart?",
    ],
)
def test_card_digits_are_asked_for_in_many_words(text: str) -> None:
    assert read(text).asks == ("card",)


@pytest.mark.parametrize(
    "text",
    [
        "I put it on your card ending in 4242, please let me know if it does not come.",
        "It goes back to your card; please let us know if it has not come by the end of the week.",
        "Which of the last four orders do you mean?",
        "Please wait until the last number of the queue was called.",
    ],
)
def test_other_sentences_do_not_ask_for_card_digits(text: str) -> None:
    assert "card" not in read(text).asks


def test_a_polite_closing_is_not_a_question() -> None:
    assert read("Is it the blue one?").question
    for text in ("Is there anything else?", "Haben Sie noch Fragen?", "Avez-vous d'autres questions ?"):
        assert not read(text).question


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We have refunded 45.00 EUR to your card.", {"refund"}),
        ("Your refund has been issued and will be there soon.", {"refund"}),
        ("I've cancelled the order.", {"cancellation"}),
        ("A replacement is on its way.", {"replacement", "delivery"}),
        ("Die Erstattung wurde veranlasst.", {"refund"}),
        ("We will refund you next week.", set()),
        ("We cannot refund this.", set()),
        ("Once it has arrived we refund the money.", set()),
        ("Do you want a refund?", set()),
        ("You are the best customer ever, we love you and wish you a lovely day!", set()),
    ],
)
def test_claims_differ_from_intentions(text: str, claims: set[str]) -> None:
    assert set(read(text).claims) == claims


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("We answer within 24 hours.", 24.0),
        ("It takes 3-5 business days: you will have it in 3 to 5 working days.", 120.0),
        ("Sie hören innerhalb von 2 Tagen von uns.", 48.0),
        ("You will hear from us by tomorrow.", 30.0),
        ("within 30 weeks", 120.0),
        ("We are on it.", None),
    ],
)
def test_promises_have_a_date(text: str, hours: float | None) -> None:
    assert read(text).promise_hours == hours


def test_flattery_is_ignored() -> None:
    assert read("Dearest customer, thank you so much, you are wonderful. All our love.") == Reading()


def test_quoted_history_is_not_read_again() -> None:
    mail = "All done.\n\nOn 3 March 2026 at 10:00, Ana <a@b.c> wrote:\n> Please send the serial number?"
    assert read(mail).asks == ()


def test_rudeness_is_noticed() -> None:
    assert read("That is your own fault, calm down.").rude
    assert not read("I understand that you are angry.").rude


@pytest.mark.parametrize("number", ["9" * 5, "9" * 400, "9" * 5_000, "\u0663" * 400, "\u0663"])
def test_a_number_that_is_too_long_promises_nothing(number: str) -> None:
    assert read(f"You get an answer within {number} days.").promise_hours is None
    assert read(f"You get an answer within {number} to 3 hours.").promise_hours is None
    assert read(f"You get an answer within {number} days, or within 3 hours.").promise_hours == 3.0


@pytest.mark.parametrize(
    "text",
    [
        "Since you write from a new address, I need one thing before I may look: the last four digits of the card.",
        "You are writing from a new mail address, so please tell me the last four digits of the card.",
        "Before I change the delivery address I need the last four digits of your card.",
        "To change the delivery address I need the last four digits of your card, please.",
        "Da Sie von einer neuen Adresse schreiben, brauche ich die letzten vier Ziffern der Karte.",
        "Um die Adresse zu ändern, brauche ich die letzten vier Ziffern der Karte.",
        "Comme vous écrivez depuis une nouvelle adresse, merci de m'indiquer les quatre derniers chiffres de la carte.",
        "Como escribe desde una dirección nueva, necesito los últimos cuatro dígitos de la tarjeta.",
        "Omdat u vanaf een nieuw adres schrijft, heb ik de laatste vier cijfers van de kaart nodig.",
    ],
)
def test_the_reason_of_a_question_is_not_asked_for(text: str) -> None:
    assert read(text).asks == ("card",)


@pytest.mark.parametrize(
    "text",
    [
        "Since you moved, please send me your new address.",
        "Since it is a new house, I need your full address and the postcode.",
        "Once I have your new address I will change it.",
        "Please send me your new address so that I can change it.",
        "We need the house number, because the address is incomplete.",
        "Bitte nennen Sie mir Ihre Adresse, damit ich die Bestellung ändern kann.",
        "Comme vous avez déménagé, merci de m'indiquer votre nouvelle adresse.",
        "Como se ha mudado, necesito su nueva dirección.",
        "Omdat u bent verhuisd, heb ik uw nieuwe adres nodig.",
    ],
)
def test_what_is_asked_for_with_a_reason_is_understood(text: str) -> None:
    assert read(text).asks == ("address",)
