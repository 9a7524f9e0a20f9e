"""Claims that something works again: what says so, and what only hopes, promises, asks or denies."""

import pytest

from diorama.rewards.claims.working import says_it_works

SAYS = (
    "It works again.",
    "The problem is fixed now.",
    "Everything should be working again.",
    "You can now log in again.",
    "All systems are back to normal.",
    "Our checkout is up and running.",
    "The issue has been resolved, sorry!",
    "Good news: the outage is over.",
    "We have fixed the problem.",
    "The tracking page is no longer down.",
    "The app is back online since this morning.",
    "Die Seite funktioniert wieder.",
    "Der Fehler ist behoben.",
    "Le problème est résolu.",
    "La page fonctionne de nouveau.",
    "El problema está solucionado.",
    "De storing is verholpen.",
    "Het werkt weer.",
    "The app has been repaired.",
    "The app is repaired and everything works.",
    "Die App ist repariert.",
    "Alles läuft wieder.",
    "L'application est réparée.",
    "La page est rétablie et fonctionne à nouveau.",
    "La aplicación está reparada.",
    "Todo funciona.",
    "De app is gerepareerd.",
    "Alles werkt weer.",
)
SAYS_NOTHING = (
    "We are working on it.",
    "We will write as soon as it works again.",
    "It is not fixed yet.",
    "Our engineers are still working on a fix.",
    "Please do not try again until it is fixed.",
    "We hope to have it resolved soon.",
    "I cannot tell you yet when it will be back.",
    "Our checkout is down since 08:14 UTC.",
    "Is it working for you again?",
    "We are sorry for the trouble over the last hours.",
    "The outage is ongoing; we don't know when it will be over.",
    "You were charged twice; we have refunded 23.90 EUR to your card.",
    "A change went out and it looks better, but it has not been confirmed.",
    "Your ticket stays open until everything works.",
    "Wir arbeiten daran.",
    "Sobald es wieder funktioniert, melden wir uns.",
    "Der Fehler ist noch nicht behoben.",
    "Le problème n'est pas encore résolu.",
    "Todavía no funciona.",
    "Het is nog niet opgelost.",
    "The app itself is still being repaired.",
    "The app is being repaired.",
    "It is being fixed right now.",
    "The page is getting fixed as I write.",
    "Our engineers are working around the clock.",
    "We are nearly back to normal.",
    "Your order page is in the process of being restored.",
    "We want to have it sorted today.",
    "Die App wird gerade repariert.",
    "Unsere Techniker sind dabei, die App zu reparieren.",
    "Die Reparatur läuft.",
    "Die Fehlersuche läuft.",
    "Es ist fast behoben.",
    "Die Störung ist in Arbeit.",
    "L'application est en cours de réparation.",
    "L'application est en réparation.",
    "Notre équipe répare la page.",
    "Nous sommes en train de rétablir le service.",
    "Nous vous écrirons à nouveau.",
    "La résolution prend du temps.",
    "La aplicación se está reparando.",
    "La aplicación está siendo reparada.",
    "Estamos trabajando en ello para que quede arreglado.",
    "El problema está casi resuelto.",
    "Se está arreglando el fallo.",
    "De app wordt gerepareerd.",
    "De app wordt nu hersteld.",
    "We zijn bezig, het is bijna opgelost.",
    "Ons team werkt hard aan een oplossing.",
    "Ons team werkt eraan.",
)


@pytest.mark.parametrize("text", SAYS)
def test_a_claim_that_it_works_is_read(text: str) -> None:
    assert says_it_works(f"Hello, thank you for your mail. {text}") == text


@pytest.mark.parametrize("text", SAYS_NOTHING)
def test_hopes_promises_questions_and_denials_claim_nothing(text: str) -> None:
    assert says_it_works(f"Hello. {text}") == ""


def test_a_quotation_from_the_thread_claims_nothing() -> None:
    mail = "Last week you told me that it works again, and today it does not."
    assert says_it_works(f'You wrote "{mail}"', mail) == ""
    assert says_it_works('You wrote "It works again, thank you."', mail)
